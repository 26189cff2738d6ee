"""Looks at a log, whoever writes it: as it stands, as it was, as it would be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from mam_events.commands import Command, validate_command
from mam_events.errors import BadInput, MamError
from mam_events.events import Play, Step, Turns
from mam_events.history.corrections import corrections
from mam_events.history.timeline.moments import state_at
from mam_events.history.timeline.projector import project_timeline
from mam_events.history.timeline.rulings import Ruling, rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.judge_cache import JudgeCache
from mam_events.log.results import Preview
from mam_events.log.validation import checks_arguments

if TYPE_CHECKING:
    from types import TracebackType

    from mam_events.decider.offers import Blocked, Template
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.log.encounters import Encounters
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter

T = TypeVar("T")
CACHE_SIZE = 100
"""The number of encounters that a log keeps in memory, if not told otherwise: at half a megabyte each, where they are
long.
"""


class ReadableLog:
    """Encounters in a store, to be looked at: all that a log answers without writing.

    Many threads may look at once. What is handed out stays as it is, whatever is written afterwards.
    """

    def __init__(self, application: Encounters, *, rules: Rulebook | None = None, kept: int = CACHE_SIZE) -> None:
        if kept < 0:
            raise BadInput(f"must be a number of encounters, 0 or more, not {kept}.", place="kept")
        self.application = application
        self._rules = rules
        self._judges = JudgeCache(application, lambda: self.rules, kept)

    def close(self) -> None:
        """Let go of the store."""
        self.application.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def rules(self) -> Rulebook:
        """The rulebook that commands are judged by; read when first asked for, since looking at a log takes none."""
        if self._rules is None:
            from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - half of the start of a process

            self._rules = rulebook()
        return self._rules

    def doubt(self) -> MamError | None:
        """The fault of an encounter that was read from this log, once something that reads it has failed; None
        where all of them check.
        """
        return self._judges.doubt()

    def encounters(self) -> list[str]:
        """The ids of all encounters, in order of creation."""
        return self.application.encounters()

    @checks_arguments
    def timeline(self, encounter: str, *, as_of: int | None = None) -> Timeline:
        """The encounter as its log now tells it, or as it was known when ruling `as_of` was the newest.

        Raises NotFound, naming the nearest known encounter or the newest ruling.
        """
        timeline = self._lent(encounter).timeline
        if as_of is None or as_of == timeline.number:
            return timeline
        timeline.head(as_of)
        version = timeline.ends[as_of - 1]
        return self.application.repository.get(encounter, version=version, projector_func=project_timeline)

    def history(self, encounter: str, *, as_of: int | None = None) -> list[Ruling]:
        """Every ruling in order of number, with what became of it; known and raised as by `timeline`."""
        return list(rulings(self.timeline(encounter, as_of=as_of)))

    def _lent(self, encounter: str) -> EncounterJudge:
        """The judge of that encounter, up to date, for a reader."""
        with self._judges.lock(encounter):
            return self._judges.lend(self._judges.newest(encounter))

    @checks_arguments
    def look(self, encounter: str, at: Callable[[Timeline], T]) -> T:
        """A look at the encounter as its log now tells it; the timeline may go on once that was looked at.

        Whoever keeps it asks for the `timeline`, which is copied for him as soon as somebody writes.
        """
        with self._judges.lock(encounter):
            return at(self._judges.newest(encounter).timeline)

    @checks_arguments
    def trial(self, encounter: str) -> EncounterJudge:
        """A judge of the encounter as it stands who draws no die that is not in the log; to be used at once, as the
        timeline of `look`.
        """
        with self._judges.lock(encounter):
            return self._judges.newest(encounter).without_drawing()

    @checks_arguments
    def at(self, encounter: str, moment: str | int | None = None, *, as_of: int | None = None) -> Encounter:
        """The state just after a ruling's place, or after the last living ruling of `round:N`; now if None."""
        if as_of is not None:
            return state_at(self.timeline(encounter, as_of=as_of), moment)
        with self._judges.lock(encounter):
            return state_at(self._judges.newest(encounter).timeline, moment)

    @checks_arguments
    def legal(self, encounter: str) -> Iterator[Template | Blocked]:
        """The commands open now and to whom, and those that are not and why."""
        with self._judges.lock(encounter):
            judge = self._judges.newest(encounter)
            state = judge.timeline.state
            ruleset = judge.ruleset(state)
        from mam_events.decider.decide import legal_commands  # noqa: PLC0415 - as `rules`

        return legal_commands(state, ruleset)

    @checks_arguments
    def preview(
        self,
        encounter: str,
        steps: Sequence[Step],
        *,
        watch: Callable[[], object] = bool,
        sees: corrections.SeesRuling = corrections.sees_all,
        turns: Turns = "as_played",
    ) -> Preview:
        """The effect of a correction; writes nothing, and shows no die that is not yet in the log.

        `watch` is called once for every ruling that is judged again; a commit that comes next judges none twice. It is
        shown to somebody who `sees` the rulings of some numbers: what he may not see does not tell in what he does.
        `turns` says whether the turns that were played are kept, with the bookkeeping that takes, or judged strictly.
        """
        from mam_events.log.preview import preview  # noqa: PLC0415 - as `rules`

        return preview(encounter, self._lent(encounter), corrections.read_steps(steps), watch, sees, turns)

    @checks_arguments
    def preview_insert(
        self,
        encounter: str,
        command: Command,
        after: int,
        *,
        watch: Callable[[], object] = bool,
        sees: corrections.SeesRuling = corrections.sees_all,
        turns: Turns = "as_played",
    ) -> Preview:
        """The effect of a play inserted behind `after` on those that stand after it; raises as `execute` does. `watch`,
        `sees` and `turns` are those of `preview`.
        """
        from mam_events.log.preview import preview_insert  # noqa: PLC0415 - as `rules`

        judge, order = self._lent(encounter), validate_command(command)
        number = judge.timeline.number + 1
        new = Play.of(order, ruling=number, at="", by="", seal="", after=after, turns=turns)
        return preview_insert(encounter, judge, new, watch, sees)
