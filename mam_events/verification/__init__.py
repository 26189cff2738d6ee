"""Verification of logs: the chain of seals, the contents of the rows, and every ruling judged again."""

from __future__ import annotations

from mam_events.verification.rejudge_checks import judge_again
from mam_events.verification.snapshot_checks import check_snapshots
from mam_events.verification.verifier import (
    Verification,
    check_strays,
    explain_fault,
    revealed_elsewhere,
    stored_rows,
    verify,
    verify_export,
    verify_read,
)

__all__ = [
    "Verification",
    "check_snapshots",
    "check_strays",
    "explain_fault",
    "judge_again",
    "revealed_elsewhere",
    "stored_rows",
    "verify",
    "verify_export",
    "verify_read",
]
