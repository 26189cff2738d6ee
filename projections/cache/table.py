"""Tables beside the log: projections with one row per encounter, brought up to date when they are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import msgspec
from eventsourcing.persistence import IntegrityError, Tracking

from mam_events.errors import MamError, NotFound, StoreUnusable, naming_encounter
from mam_events.history.timeline.rulings import rulings
from mam_events.sanitize import is_clean, is_clean_state
from mam_events.store import UNREADABLE
from mam_events.version import __version__
from mam_events.visibility import GAME_MASTER
from projections.chunks import chunked
from projections.visibility.redaction import Redactor

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.readable_log import ReadableLog
    from mam_events.rules.rulebook import Rulebook
    from mam_events.store.persistence import EventRecorder, ProjectionRecorder

T = TypeVar("T")
AT_ONCE = 64
"""The number of encounters whose rows are looked up, made and written together; a log keeps more of them in memory."""
READ_AT_ONCE = 512
"""The number of encounters whose cached rows are read together when all are needed."""
_EVENTS = 1_000


class PendingEncounters(NamedTuple):
    """The encounters that were written to between two positions in the store."""

    encounters: Collection[str]
    after: int
    position: int


class CachedProjection(Generic[T]):
    """The table of one projection; `make` returns the row of an encounter for a view, and the version of its log.

    `kind` is the type of a row. Rows and position are stored under the name of the table, the program's version and the
    view, because another version of the program may make other rows.
    """

    def __init__(self, name: str, kind: Any, make: Callable[[ReadableLog, str, str], tuple[T, int]]) -> None:
        self.name = name
        self.make = make
        self._decode: Callable[[bytes], T] = msgspec.json.Decoder(kind).decode

    @classmethod
    def of(cls, name: str, kind: Any, project: Callable[[Timeline, Redactor, Rulebook], T]) -> CachedProjection[T]:
        """Return the table of a projection that is made from a timeline."""

        def make(log: ReadableLog, encounter: str, view: str) -> tuple[T, int]:
            timeline = log.timeline(encounter)
            return project(timeline, Redactor(view, rulings(timeline)), log.rules), timeline.version

        return cls(name, kind, make)

    def recorder(self, log: ReadableLog, view: str = GAME_MASTER) -> ProjectionRecorder:
        """Return the recorder of the rows and their position, as that view sees them."""
        return log.application.projection_recorder(f"{self.name}/{__version__}/{view}")

    def rows(
        self, log: ReadableLog, view: str = GAME_MASTER, versions: Iterable[tuple[str, int]] | None = None
    ) -> Generator[tuple[str, T]]:
        """Yield the row of every encounter, the oldest first, or those of `versions` in the given order.

        A row comes from the cache, or is made now and cached. Raises VerificationFailed or StoreUnusable for an
        encounter that cannot be read. Nothing waits for a write to the cache: if the store is locked, read-only or
        full, nothing is cached.
        """
        recorder, count = self.recorder(log, view), AT_ONCE
        if versions is None:
            with suppress(StoreUnusable):
                catch_up(log, [self], view, wait=False)
            versions, count = log.application.recorder.versions(), READ_AT_ONCE
        for some in chunked(versions, count):
            stored = recorder.rows([encounter for encounter, _ in some])
            new_rows: list[tuple[str, int, bytes]] = []
            try:
                for encounter, version in some:
                    row = self._read(encounter, version, *stored.get(encounter, (0, b"")))
                    if row is None:
                        row = self._made(log, encounter, view, new_rows)
                    yield encounter, row
            finally:
                if new_rows:
                    with suppress(StoreUnusable):
                        recorder.keep(new_rows, wait=False)

    def make_rows(
        self,
        log: ReadableLog,
        encounters: Iterable[str],
        view: str = GAME_MASTER,
        on_progress: Callable[[], object] = bool,
    ) -> tuple[list[tuple[str, int, bytes]], dict[str, MamError]]:
        """Return the current rows of those encounters, and the error of each encounter that cannot be read."""
        new_rows: list[tuple[str, int, bytes]] = []
        failed: dict[str, MamError] = {}
        for encounter in encounters:
            try:
                self._made(log, encounter, view, new_rows)
            except NotFound:
                # The name has rows in the store, but no encounter; verifying the store reports that.
                continue
            except MamError as error:
                failed[encounter] = error
            except (RecursionError, *UNREADABLE) as error:
                failed[encounter] = StoreUnusable.unreadable(encounter, error)
            on_progress()
        return new_rows, failed

    def position(self, log: ReadableLog, view: str = GAME_MASTER) -> int:
        """Return the id of the newest event that the table includes, 0 for none."""
        return self.recorder(log, view).max_tracking_id(log.application.name) or 0

    def count(self, log: ReadableLog, versions: Sequence[tuple[str, int]]) -> tuple[int, int]:
        """Return the numbers of the game master's cached rows that are up to date and that are outdated."""
        stored = self.recorder(log).rows()
        newest = sum(encounter in stored and stored[encounter][0] == version for encounter, version in versions)
        return newest, sum(encounter in stored for encounter, _ in versions) - newest

    def _made(self, log: ReadableLog, encounter: str, view: str, new_rows: list[tuple[str, int, bytes]]) -> T:
        with naming_encounter(encounter):
            row, version = self.make(log, encounter, view)
        new_rows.append((encounter, version, msgspec.json.encode(row)))
        return row

    def _read(self, encounter: str, version: int, version_kept: int, state: bytes) -> T | None:
        """Return the cached row if it is of that version and has nothing that could confuse a terminal."""
        try:
            if version_kept == version and isinstance(state, bytes) and is_clean(encounter) and is_clean_state(state):
                return self._decode(state)
        except UNREADABLE:
            pass
        return None


def catch_up(
    log: ReadableLog,
    tables: Sequence[CachedProjection[Any]],
    view: str = GAME_MASTER,
    *,
    wait: bool = True,
    on_progress: Callable[[], object] = bool,
) -> dict[str, MamError]:
    """Bring the tables up to the newest event together, each from its own position, reading each encounter once.

    Returns the error of each encounter that cannot be read. Raises StoreUnusable if the store cannot be written to.
    """
    failed: dict[str, MamError] = {}
    before: dict[str, int] = {}
    while True:
        reached = {table.name: table.position(log, view) for table in tables}
        start = min(reached.values())
        # Stop if a pass moved no position.
        if start >= log.application.recorder.max_notification_id() or reached == before:
            return failed
        before = reached
        pending = _pending(log.application.recorder, start)
        failed |= _update(log, tables, pending, view, wait=wait, on_progress=on_progress)


def _update(
    log: ReadableLog,
    tables: Sequence[CachedProjection[Any]],
    pending: PendingEncounters,
    view: str,
    *,
    wait: bool,
    on_progress: Callable[[], object],
) -> dict[str, MamError]:
    """Make the rows of the pending encounters again in each table that lacks them, and write all in one transaction.

    Returns the error of each encounter that cannot be read. Raises StoreUnusable if the store cannot be written to. If
    another process has moved a position in the meantime, nothing is written.
    """
    failed: dict[str, MamError] = {}
    new_rows = []
    for table in tables:
        position = table.position(log, view)
        if pending.after <= position < pending.position:
            rows, errors = table.make_rows(log, pending.encounters, view, on_progress)
            new_rows.append((table.recorder(log, view), rows, position))
            failed |= errors
    tracking = Tracking(log.application.name, pending.position)
    # All or none: if the last of the tables has moved, so have the others.
    with suppress(IntegrityError), log.application.grouped() if wait else nullcontext():
        for recorder, rows, position in new_rows:
            recorder.keep(rows, tracking, after=position, wait=wait)
    return failed


def _pending(recorder: EventRecorder, position: int) -> PendingEncounters:
    """Return the next encounters that were written to after a position."""
    encounters: dict[str, None] = {}
    last = position
    while len(encounters) < AT_ONCE:
        changed_ids, newest = recorder.encounters_after(last, _EVENTS)
        if newest == last:
            break
        encounters |= dict.fromkeys(changed_ids)
        last = newest
    return PendingEncounters(encounters, position, last)
