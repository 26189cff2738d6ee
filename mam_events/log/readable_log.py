"""Reading a log: as it is, as it was, as it would be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from mam_events.commands import Command, validate_command
from mam_events.errors import BadInput, MamError
from mam_events.events import Play, Step, TurnPolicy
from mam_events.history.corrections import corrections
from mam_events.history.timeline.moments import state_at
from mam_events.history.timeline.projector import project_timeline
from mam_events.history.timeline.rulings import Ruling, rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.judge_cache import JudgeCache
from mam_events.log.results import Preview
from mam_events.log.validation import checks_arguments

if TYPE_CHECKING:
    from mam_events.decider.offers import Blocked, Template
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.log.encounters import Encounters
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter

T = TypeVar("T")
CACHE_SIZE = 100
"""The default number of encounters that a log keeps in memory; a long one takes half a megabyte."""


class ReadableLog:
    """Encounters in a store, for reading.

    Many threads may read at once. Returned values never change, even if more is written later.
    """

    def __init__(self, application: Encounters, *, rules: Rulebook | None = None, kept: int = CACHE_SIZE) -> None:
        if kept < 0:
            raise BadInput(f"must be a number of encounters, 0 or more, not {kept}.", place="kept")
        self.application = application
        self._rules = rules
        self._judges = JudgeCache(application, lambda: self.rules, kept)

    def close(self) -> None:
        """Close the store."""
        self.application.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def rules(self) -> Rulebook:
        """The rulebook that judges commands; loaded at first use, because reading a log doesn't need it."""
        if self._rules is None:
            from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - loading the rules is half of a process's start

            self._rules = rulebook()
        return self._rules

    def doubt(self) -> MamError | None:
        """Return the error of an encounter that was read from this log and doesn't verify; None if all do.

        It is called after a reader has failed unexpectedly.
        """
        return self._judges.doubt()

    def encounters(self) -> list[str]:
        """Return the ids of all encounters, in order of creation."""
        return self.application.encounters()

    @checks_arguments
    def timeline(self, encounter: str, *, as_of: int | None = None) -> Timeline:
        """Return the encounter as its log now has it, or as it was known when ruling `as_of` was the newest.

        Raises NotFound, naming the nearest known encounter or the newest ruling.
        """
        timeline = self._lent(encounter).timeline
        if as_of is None or as_of == timeline.number:
            return timeline
        timeline.head(as_of)
        version = timeline.ends[as_of - 1]
        return self.application.repository.get(encounter, version=version, projector_func=project_timeline)

    def history(self, encounter: str, *, as_of: int | None = None) -> list[Ruling]:
        """Return every ruling in order of number, with its outcome; `as_of` and errors as for `timeline`."""
        return list(rulings(self.timeline(encounter, as_of=as_of)))

    def _lent(self, encounter: str) -> EncounterJudge:
        """Return the up-to-date judge of that encounter, for a reader."""
        with self._judges.lock(encounter):
            return self._judges.lend(self._judges.newest(encounter))

    @checks_arguments
    def look(self, encounter: str, at: Callable[[Timeline], T]) -> T:
        """Call a function on the current timeline of the encounter and return its result.

        The timeline may change after the call. To keep one, use `timeline`: it is copied as soon as someone writes.
        """
        with self._judges.lock(encounter):
            return at(self._judges.newest(encounter).timeline)

    @checks_arguments
    def trial(self, encounter: str) -> EncounterJudge:
        """Return a judge of the encounter that draws no new dice.

        Use it at once, like the timeline of `look`.
        """
        with self._judges.lock(encounter):
            return self._judges.newest(encounter).without_drawing()

    @checks_arguments
    def at(self, encounter: str, moment: str | int | None = None, *, as_of: int | None = None) -> Encounter:
        """Return the state just after a ruling's place, or after the last living ruling of `round:N`; now if None."""
        if as_of is not None:
            return state_at(self.timeline(encounter, as_of=as_of), moment)
        with self._judges.lock(encounter):
            return state_at(self._judges.newest(encounter).timeline, moment)

    @checks_arguments
    def legal(self, encounter: str) -> Iterator[Template | Blocked]:
        """Return the commands that are possible now with their actors, and those that aren't with the reasons."""
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
        on_progress: Callable[[], object] = bool,
        sees: corrections.SeesRuling = corrections.sees_all,
        turns: TurnPolicy = "as_played",
    ) -> Preview:
        """Return the effect of a correction; write nothing, and show no die that is not yet in the log.

        `on_progress` is called once per ruling that is judged again; a commit right after the preview judges none
        twice. The preview is for someone who `sees` the rulings of some numbers: it reveals nothing of the others.
        `turns` says whether the played turns are kept, with the necessary bookkeeping, or judged strictly.
        """
        from mam_events.log.preview import preview_correction  # noqa: PLC0415 - as `rules`

        return preview_correction(
            encounter, self._lent(encounter), corrections.read_steps(steps), on_progress, sees, turns
        )

    @checks_arguments
    def preview_insert(
        self,
        encounter: str,
        command: Command,
        after: int,
        *,
        on_progress: Callable[[], object] = bool,
        sees: corrections.SeesRuling = corrections.sees_all,
        turns: TurnPolicy = "as_played",
    ) -> Preview:
        """Return the effect of a play inserted after `after` on those that follow it; raise as `execute` does.

        `on_progress`, `sees` and `turns` are those of `preview`.
        """
        from mam_events.log.preview import preview_insert  # noqa: PLC0415 - as `rules`

        judge, order = self._lent(encounter), validate_command(command)
        number = judge.timeline.number + 1
        new = Play.of(order, ruling=number, at="", by="", seal="", after=after, turns=turns)
        return preview_insert(encounter, judge, new, on_progress, sees)
