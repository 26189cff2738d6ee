"""Whole encounters as files: export, import, backup, and how files are read in."""

from __future__ import annotations

from mam_events.archive.backup import BackupReport, back_up
from mam_events.archive.export_import import ImportReport, export_ndjson, import_ndjson
from mam_events.archive.store_copy import copy_store

__all__ = [
    "BackupReport",
    "ImportReport",
    "back_up",
    "copy_store",
    "export_ndjson",
    "import_ndjson",
]
