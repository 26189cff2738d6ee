"""The whole of an encounter as a file: export, import, and the check that nothing in it was changed."""

from __future__ import annotations

from mam_events.archive.backup import BackedUp, back_up
from mam_events.archive.judged import judge_again
from mam_events.archive.transfer import Imported, export_ndjson, import_ndjson
from mam_events.archive.verification import (
    Verification,
    check_strays,
    verify,
    verify_export,
    why_unfollowed,
)

__all__ = [
    "BackedUp",
    "Imported",
    "Verification",
    "back_up",
    "check_strays",
    "export_ndjson",
    "import_ndjson",
    "judge_again",
    "verify",
    "verify_export",
    "why_unfollowed",
]
