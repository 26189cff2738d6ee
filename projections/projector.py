"""Tables beside the log: what a projection makes of each encounter, kept with the version it is of, and made anew once
the log of that encounter has gone on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from mam_events import __version__
from mam_events.errors import MamError, StoreUnusable, naming
from mam_events.rulings.history import rulings
from mam_events.store import UNREADABLE
from mam_events.text import is_clean, is_clean_state
from mam_events.visibility import GAME_MASTER
from projections.screen import Screen

if TYPE_CHECKING:
    from mam_events.log.looking import ReadableLog
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.timeline import Timeline

T = TypeVar("T")
Item = TypeVar("Item")
AT_ONCE = 32
"""The number of encounters that are looked up, and kept, together."""


class Table(Generic[T]):
    """The table of one projection: `make` gives what it says of an encounter to a view, and the version that it is of;
    `kind` is the type of that.

    What is kept is told by the name of the table, the program's version and who looks: another program may tell it
    otherwise.
    """

    def __init__(self, name: str, kind: Any, make: Callable[[ReadableLog, str, str], tuple[T, int]]) -> None:
        self.name = name
        self.make = make
        self._decode: Callable[[bytes], T] = msgspec.json.Decoder(kind).decode

    @classmethod
    def of(cls, name: str, kind: Any, told: Callable[[Timeline, Screen, Rulebook], T]) -> Table[T]:
        """The table of a projection that is made of a timeline."""

        def make(log: ReadableLog, encounter: str, view: str) -> tuple[T, int]:
            timeline = log.timeline(encounter)
            return told(timeline, Screen(view, rulings(timeline)), log.rules), timeline.version

        return cls(name, kind, make)

    def rows(
        self, log: ReadableLog, view: str = GAME_MASTER, versions: Iterable[tuple[str, int]] | None = None
    ) -> Generator[tuple[str, T]]:
        """The row of every encounter, the oldest first, or of those at those versions, in their order: as it was kept,
        or made now and kept from now on.

        Raises VerificationFailed or StoreUnusable for an encounter that cannot be read. Nobody waits for anything to be
        kept, and nothing is where the store takes nothing now: locked, read-only, full.
        """
        for some in _batches(log.store.versions() if versions is None else versions):
            kept = log.store.kept(self._key(view), [encounter for encounter, _ in some])
            made: list[tuple[str, int, bytes]] = []
            try:
                for encounter, version in some:
                    row = self._read(encounter, version, *kept.get(encounter, (0, b"")))
                    if row is None:
                        row = self._made(log, encounter, view, made)
                    yield encounter, row
            finally:
                if made:
                    with suppress(StoreUnusable):
                        log.store.keep(self._key(view), made, wait=False)

    def fill(self, log: ReadableLog, watch: Callable[[], object] = bool) -> dict[str, MamError]:
        """Make and keep what the table says of every encounter to the game master, and tell of which it cannot be
        made; `watch` is called for each. Raises StoreUnusable where the store takes nothing.
        """
        failed: dict[str, MamError] = {}
        for some in _batches(log.encounters()):
            made: list[tuple[str, int, bytes]] = []
            for encounter in some:
                try:
                    self._made(log, encounter, GAME_MASTER, made)
                except MamError as error:
                    failed[encounter] = error
                watch()
            log.store.keep(self._key(GAME_MASTER), made)
        return failed

    def count(self, log: ReadableLog, versions: Sequence[tuple[str, int]]) -> tuple[int, int]:
        """Of so many encounters it is up to date for the game master, and for so many behind."""
        kept = log.store.kept(self._key(GAME_MASTER), [encounter for encounter, _ in versions])
        newest = sum(encounter in kept and kept[encounter][0] == version for encounter, version in versions)
        return newest, len(kept) - newest

    def _key(self, view: str) -> str:
        return f"{self.name}/{__version__}/{view}"

    def _made(self, log: ReadableLog, encounter: str, view: str, made: list[tuple[str, int, bytes]]) -> T:
        with naming(encounter):
            row, version = self.make(log, encounter, view)
        made.append((encounter, version, msgspec.json.encode(row)))
        return row

    def _read(self, encounter: str, version: int, version_kept: int, said: bytes) -> T | None:
        """The row that was kept, if it is of that version and nothing in it could confuse a terminal."""
        try:
            if version_kept == version and isinstance(said, bytes) and is_clean(encounter) and is_clean_state(said):
                return self._decode(said)
        except UNREADABLE:
            pass
        return None


def _batches(items: Iterable[Item]) -> Iterator[Sequence[Item]]:
    left = iter(items)
    while some := list(islice(left, AT_ONCE)):
        yield some
