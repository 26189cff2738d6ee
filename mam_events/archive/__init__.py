"""Whole encounters as files: export, import, backup, and how files are read in."""

from __future__ import annotations

from mam_events.archive.backup import BackedUp, back_up
from mam_events.archive.moving import copy_store
from mam_events.archive.transfer import Imported, export_ndjson, import_ndjson

__all__ = [
    "BackedUp",
    "Imported",
    "back_up",
    "copy_store",
    "export_ndjson",
    "import_ndjson",
]
