"""Copies of whole stores, from a file into a database or back, in the order in which the rows were written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from mam_events.archive.atomic_file import draft_file, publish
from mam_events.archive.backup import BackupReport, verify_copy
from mam_events.errors import BadInput
from mam_events.log.encounters import Encounters
from mam_events.store import Notification, StoredEventRow, is_postgres
from mam_events.tokens import decode_token

if TYPE_CHECKING:
    from mam_events.log.readable_log import ReadableLog
    from mam_events.store.persistence import EventRecorder

_AT_ONCE = 1_000


def copy_store(log: ReadableLog, target: str, step: Callable[[], object] = lambda: None) -> BackupReport:
    """Copy every row of the log into a new store, with seeds and tokens, and verify every encounter of the copy.

    The copy holds the log as it was when the copy began. `step` is called for each verified encounter. Raises BadInput
    if the target isn't empty, VerificationFailed naming the encounter that fails. A file is made whole or not at all; a
    database is filled in one transaction.
    """
    if is_postgres(target):
        copy = Encounters.at(target)
        try:
            if copy.encounters():
                raise BadInput("This store already has fights. Copy into an empty one.", place=copy.label)
            return _copied(log.application, copy, step)
        finally:
            copy.close()
    path = Path(target)
    if os.path.lexists(path):
        raise BadInput("The file already exists. Copy into a new one.", place=target)
    if not path.parent.is_dir():
        raise BadInput("There is no such folder.", place=f"{path.parent}")
    try:
        with draft_file(path) as draft:
            with Encounters.at(draft) as copy:
                report = _copied(log.application, copy, step)
            try:
                publish(draft, path)
            except FileExistsError:
                raise BadInput("The file already exists. Copy into a new one.", place=target) from None
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}.", place=target) from None
    return report


def _copied(application: Encounters, copy: Encounters, step: Callable[[], object]) -> BackupReport:
    with copy.grouped():
        for encounter, rows in groupby(_rows(application.recorder), key=lambda row: row.originator_id):
            events = [StoredEventRow(*row[1:]) for row in rows]
            begins = events[0].originator_version == 1
            copy.save(*events, seed=application.seeds.get(encounter) if begins else None)
    for text in application.tokens.all():
        copy.tokens.keep(decode_token(text).id, text)
    return verify_copy(copy, step)


def _rows(recorder: EventRecorder) -> Iterator[Notification]:
    """Yield every row in the order in which it was written, up to the row that is the newest now."""
    last, after = recorder.max_notification_id(), 0
    while batch := recorder.select_notifications(after, _AT_ONCE, inclusive_of_start=False):
        for row in batch:
            if row.id > last:
                return
            yield row
        after = batch[-1].id
