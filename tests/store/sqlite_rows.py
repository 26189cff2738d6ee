"""Rows of a log file, and connections to the file that bypass the program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

ROWS = [(version, "Probe.1", b'{"points":3}') for version in range(1, 201)]


def open_sqlite(path: Path) -> closing[sqlite3.Connection]:
    """Return a connection without transactions that closes at the end of the block."""
    return closing(sqlite3.connect(path, isolation_level=None))
