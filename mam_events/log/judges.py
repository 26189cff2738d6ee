"""The judges of the encounters that were used last, each with its timeline, for any number of threads."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import ExitStack, contextmanager, nullcontext
from threading import Lock, RLock
from typing import TYPE_CHECKING

from mam_events.errors import MamError, NotFound, naming, nearest
from mam_events.rulings.judge import EncounterJudge
from mam_events.rulings.timeline import Timeline
from mam_events.store import decoders
from mam_events.text import is_clean_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mam_events.rules.rulebook import Rulebook
    from mam_events.store.port import Store

_LOCKS = 64
"""So many encounters can be worked on at once; two that share a lock wait for one another, which does no harm."""


def _written(rows: Sequence[tuple[int, str, bytes]]) -> Sequence[tuple[int, str, bytes]]:
    """The rows; raises TypeError where another program put something else there: it may read well and not go on; and
    ValueError for characters that could confuse a terminal, which no log writes.
    """
    if not all(type(topic) is str and type(state) is bytes for _, topic, state in rows):
        raise TypeError("a row is of another type")
    for version, _, state in rows:
        if not is_clean_state(state):
            raise ValueError(f"row {version} holds control characters")
    return rows


class Judges:
    """A cache of at most `kept` encounters; what was not used longest makes room.

    Whoever reads up to date, judges or writes an encounter holds its `lock` meanwhile. A judge that was lent is never
    changed again: who writes then goes on with a copy (1 ms for 10,000 rulings), and a reader keeps what he saw.
    """

    def __init__(self, store: Store, rules: Callable[[], Rulebook], kept: int) -> None:
        self._store = store
        self._rules = rules
        self._kept = kept
        self._judges: OrderedDict[str, EncounterJudge] = OrderedDict()
        self._cache_lock = Lock()
        self._locks = [RLock() for _ in range(_LOCKS)]

    def lock(self, encounter: str) -> RLock:
        """The lock of that encounter; the same thread may take it again."""
        return self._locks[hash(encounter) % _LOCKS]

    @contextmanager
    def holding(self, encounters: Iterable[str]) -> Iterator[None]:
        """The locks of all of them, taken in one order by everybody who takes several."""
        with ExitStack() as held:
            for lock in sorted({hash(encounter) % _LOCKS for encounter in encounters}):
                held.enter_context(self._locks[lock])
            yield

    def known(self, encounter: str) -> EncounterJudge | None:
        """The judge as last used, whose timeline may have fallen behind; None where there is none."""
        with self._cache_lock:
            judge = self._judges.get(encounter)
            if judge is not None:
                self._judges.move_to_end(encounter)
        return judge

    def newest(self, encounter: str, *, new: bool = False) -> EncounterJudge:
        """The judge with the timeline as it stands in the store, which is empty only for one that may be `new`.

        Raises NotFound for an encounter that is not there, VerificationFailed or StoreUnusable for rows that make no
        timeline.
        """
        judge = self.known(encounter)
        if judge is None:
            judge = EncounterJudge(Timeline(decoders()), self._rules, self._store, encounter)
        rows = self._store.read(encounter, judge.timeline.version)
        if rows:
            judge = judge.own()
            try:
                judge.timeline.extend(_written(rows))
            except BaseException as error:
                # Half taken in it would mislead, so the next reading begins anew.
                self.forget(encounter)
                if isinstance(error, MamError) or not isinstance(error, Exception):
                    raise
                from mam_events.verification import why_unfollowed  # noqa: PLC0415 - nobody needs it where all is well

                raise why_unfollowed(self._store.read(encounter), error) from error
            self.keep(encounter, judge)
        if not (judge.timeline.number or new):
            known = self._store.encounters()
            raise NotFound(
                f'There is no encounter "{encounter}" in this log; {nearest(encounter, known)}',
                wrong=encounter,
                allowed=known,
            )
        return judge

    def doubt(self) -> MamError | None:
        """The fault of an encounter that was read, where something failed that reads it; None where nothing is.

        An encounter is followed without being verified, which would cost more than all else; so what was forged may be
        read for a while, until something is asked that it has no answer to.
        """
        from mam_events.verification import judge_again, verify  # noqa: PLC0415 - nobody needs it where all is well

        with self._cache_lock:
            names = list(self._judges)
        for name in names:
            rows = self._store.read(name)
            try:
                with naming(name) if len(names) > 1 else nullcontext():
                    verify(rows, rules=self._rules())
                    # What was sealed anew may check and yet be nothing that the rules give.
                    judge_again(rows, self._rules())
            except MamError as found:
                return found
        return None

    def lend(self, judge: EncounterJudge) -> EncounterJudge:
        """The judge, for a reader beyond the lock."""
        judge.lent = True
        return judge

    def keep(self, encounter: str, judge: EncounterJudge) -> None:
        """Remember the judge for the next who asks."""
        with self._cache_lock:
            self._judges[encounter] = judge
            self._judges.move_to_end(encounter)
            while len(self._judges) > self._kept:
                self._judges.popitem(last=False)

    def forget(self, encounter: str) -> None:
        """Let the next reading begin anew."""
        with self._cache_lock:
            self._judges.pop(encounter, None)
