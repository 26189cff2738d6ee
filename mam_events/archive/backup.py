"""A backup copies a whole store into a second file, which is verified before it gets its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.archive.atomic_file import draft_file, publish
from mam_events.errors import BadInput, StoreUnusable, VerificationFailed, naming_encounter
from mam_events.log.encounters import Encounters
from mam_events.verification import Verification, check_strays, verify

if TYPE_CHECKING:
    from mam_events.log.readable_log import ReadableLog


class BackupReport(Struct, frozen=True):
    """The contents of a backup: every encounter with the result of its verification."""

    encounters: dict[str, Verification]

    @property
    def rulings(self) -> int:
        """The number of rulings in all of them."""
        return sum(report.rulings for report in self.encounters.values())


def back_up(log: ReadableLog, target: Path, *, copied: Callable[[int], None] = lambda _: None) -> BackupReport:
    """Copy the log's store, with its seeds, into a new file, and verify every encounter of the copy.

    Others may go on writing meanwhile; the copy is the log as it was when the copy began. `copied` is called with the
    number of pages left. Raises BadInput if the file exists or can't be created, and VerificationFailed naming the
    encounter that fails; then there is no file.
    """
    if os.path.lexists(target):
        raise BadInput("The file already exists. Give the backup another name.", place=str(target))
    if not target.parent.is_dir():
        raise BadInput("There is no such folder.", place=str(target.parent))
    try:
        with draft_file(target) as draft:
            log.application.factory.copy_into(draft, copied, name=str(target))
            report = _verified(draft, str(target))
            try:
                publish(draft, target)
            except FileExistsError:
                raise BadInput("The file already exists. Give the backup another name.", place=str(target)) from None
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}.", place=str(target)) from None
    return report


def verify_copy(copy: Encounters, step: Callable[[], object] = lambda: None) -> BackupReport:
    """Verify every seal of a copy and return its contents.

    `step` is called once per encounter. Raises VerificationFailed.
    """
    encounters: dict[str, Verification] = {}
    for encounter in copy.encounters():
        with naming_encounter(encounter):
            encounters[encounter] = verify(copy.rows(encounter), seed=copy.seeds.get(encounter))
        step()
    check_strays(copy.recorder)
    return BackupReport(encounters)


def _verified(path: Path, name: str) -> BackupReport:
    try:
        with Encounters.at(path, create=False) as copy:
            return verify_copy(copy)
    except VerificationFailed as error:
        raise VerificationFailed(f"No copy was made. {error.sentence}") from None
    except StoreUnusable as error:
        raise StoreUnusable(error.sentence.replace(str(path), name)) from None
