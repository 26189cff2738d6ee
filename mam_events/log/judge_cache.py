"""A cache of the judges of the most recently used encounters, each with its timeline, for any number of threads."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import ExitStack, contextmanager, nullcontext
from threading import Lock, RLock
from typing import TYPE_CHECKING

from eventsourcing.application import AggregateNotFoundError

from mam_events.errors import MamError, NotFound, naming_encounter
from mam_events.history.judge.judge import EncounterJudge
from mam_events.history.timeline.projector import project_timeline
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.suggestions import suggestion_text
from mam_events.store import decoders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mam_events.log.encounters import Encounters
    from mam_events.rules.rulebook import Rulebook

_LOCKS = 64
"""The number of encounters that can be used at once; two that share a lock wait for each other, which is harmless."""


class JudgeCache:
    """A cache of at most `kept` encounters; the least recently used one is dropped.

    To read an encounter up to date, to judge or to write, a thread holds its `lock`. A judge that was lent is never
    changed again: a writer continues with a copy (1 ms for 10,000 rulings), and the reader keeps what they saw.
    """

    def __init__(self, application: Encounters, rules: Callable[[], Rulebook], kept: int) -> None:
        self._application = application
        self._rules = rules
        self._kept = kept
        self._judges: OrderedDict[str, EncounterJudge] = OrderedDict()
        self._cache_lock = Lock()
        self._locks = [RLock() for _ in range(_LOCKS)]

    def lock(self, encounter: str) -> RLock:
        """Return the lock of that encounter; a thread may acquire it several times."""
        return self._locks[hash(encounter) % _LOCKS]

    @contextmanager
    def holding(self, encounters: Iterable[str]) -> Iterator[None]:
        """Hold the locks of all these encounters, which every thread acquires in the same order."""
        with ExitStack() as stack:
            for lock in sorted({hash(encounter) % _LOCKS for encounter in encounters}):
                stack.enter_context(self._locks[lock])
            yield

    def cached(self, encounter: str) -> EncounterJudge | None:
        """Return the judge as last used, whose timeline may be out of date, or None."""
        with self._cache_lock:
            judge = self._judges.get(encounter)
            if judge is not None:
                self._judges.move_to_end(encounter)
        return judge

    def newest(self, encounter: str, *, new: bool = False) -> EncounterJudge:
        """Return the judge with the current timeline; that may be empty only if the encounter may be `new`.

        Raises NotFound for an unknown encounter, VerificationFailed or StoreUnusable for rows that make no timeline.
        """
        judge = self.cached(encounter)
        before = judge.timeline if judge else None
        version = before.version if before else 0
        try:
            timeline = self._application.repository.get(encounter, projector_func=project_timeline, since=before)
        except AggregateNotFoundError:
            timeline = Timeline(decoders(), encounter=encounter)
        except BaseException as error:
            # The timeline may have taken in only some of the rows, so the next reader starts over.
            self.forget(encounter)
            if isinstance(error, MamError) or not isinstance(error, Exception):
                raise
            from mam_events.verification import explain_fault  # noqa: PLC0415 - only a broken log needs it

            raise explain_fault(self._application.rows(encounter), error) from error
        if judge is None:
            judge = EncounterJudge(timeline, self._rules, self._application.seeds, encounter)
        elif timeline is not before:
            judge = judge.on(timeline)
        if timeline.version > version:
            self.keep(encounter, judge)
        if not (judge.timeline.number or new):
            names = self._application.encounters()
            raise NotFound(
                f'There is no encounter "{encounter}" in this log. {suggestion_text(encounter, names)}',
                wrong=encounter,
                allowed=names,
            )
        return judge

    def doubt(self) -> MamError | None:
        """Return the error of a read encounter that doesn't verify, or None; called after an unexpected failure.

        Encounters aren't verified while they are read, because that would cost more than everything else. So forged
        rows may be read for a while, until something fails on them.
        """
        from mam_events.verification import judge_again, verify  # noqa: PLC0415 - only called after a failure

        with self._cache_lock:
            names = list(self._judges)
        for name in names:
            rows = self._application.rows(name)
            try:
                with naming_encounter(name) if len(names) > 1 else nullcontext():
                    verify(rows, rules=self._rules())
                    # A log that was sealed again may pass the check, although the rules give another result.
                    judge_again(rows, self._rules())
            except MamError as found:
                return found
        return None

    def lend(self, judge: EncounterJudge) -> EncounterJudge:
        """Return the judge, marked as lent to a reader outside the lock."""
        judge.timeline.lent = True
        return judge

    def keep(self, encounter: str, judge: EncounterJudge) -> None:
        """Store the judge for the next caller."""
        with self._cache_lock:
            self._judges[encounter] = judge
            self._judges.move_to_end(encounter)
            while len(self._judges) > self._kept:
                self._judges.popitem(last=False)

    def versions(self, encounters: Iterable[str]) -> dict[str, int]:
        """Return the cached version of each encounter; 0 if it isn't cached."""
        judges = {encounter: self.cached(encounter) for encounter in encounters}
        return {encounter: judge.timeline.version if judge else 0 for encounter, judge in judges.items()}

    def forget(self, encounter: str) -> None:
        """Drop the judge of that encounter, so that the next read starts from the store."""
        with self._cache_lock:
            self._judges.pop(encounter, None)
