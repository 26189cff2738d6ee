"""Helpers for the tests of attacks on a store: the page, changed rows, and the check of what `mam verify` says."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.cli.calls import Mam
from tests.verification.forge import Row

PAGE = (Path(__file__).parents[4] / "docs" / "log.md").read_text(encoding="utf-8")


def replace_rows(store: Path, rows: Sequence[Row], encounter: str = "fight") -> None:
    """Replace the rows of the store, as any SQLite tool can."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM stored_events WHERE originator_id = ?", (encounter,))
        connection.executemany(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?, ?, ?, ?)",
            [(encounter, *row) for row in rows],
        )


def check_verification(mam: Mam, sentence: str, *words: str) -> None:
    """Verify and check that the output contains that error, or that nothing is wrong if it is ""."""
    result = mam("verify", *words, code=5 if sentence else 0)
    assert sentence in result.err
    assert sentence or result.out
