"""The combat log: the one thing callers need. It reads the clock, draws the dice and writes; the rest is pure."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec
from msgspec.structs import replace

from mam_events.answers import Answer, Preview
from mam_events.commands import Adjust, Close, Command, Open, validated
from mam_events.dice import commitment_of, draw
from mam_events.drafting import Draft
from mam_events.drawing import RulingDice
from mam_events.encounter import corrections
from mam_events.encounter.decide import judged, legal_commands
from mam_events.encounter.judging import Judging
from mam_events.encounter.rejudging import Judge, rejudge
from mam_events.encounter.timeline import Timeline, until
from mam_events.errors import BadInput, NotFound, Refused, VerificationFailed, VersionConflict, nearest
from mam_events.events import Amend, Correction, Note, Play
from mam_events.reading import encounter_id
from mam_events.rulebook import Rulebook, rulebook
from mam_events.store import UNREADABLE, decode_rows, decoders, open_store
from mam_events.text import NAME_LENGTH, checked
from mam_events.visibility import PUBLIC, narrowest, of_command

if TYPE_CHECKING:
    from types import TracebackType

    from mam_events.encounter.templates import Blocked, Template
    from mam_events.events import Step
    from mam_events.rules.ruleset import Ruleset
    from mam_events.state import Encounter
    from mam_events.store import SQLiteStore

TRIES = 50
"""How often a command is decided anew when other writers came first, before the caller is told."""


class CombatLog:
    """Encounters on disk: execute commands, correct the past, look at any moment.

    Many processes, and many logs in one process, may use the same store at once. One log belongs to one thread: the
    timelines it hands out grow with what is written.
    """

    def __init__(
        self,
        store: SQLiteStore,
        *,
        rules: Rulebook | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.store = store
        self.rules = rules or rulebook()
        self._clock = clock
        self._entropy = entropy
        self._timelines: dict[str, Timeline] = {}
        self._seeds: dict[str, bytes] = {}

    @classmethod
    def open(cls, url: str | Path, *, create: bool = True, **settings: Any) -> Self:
        """The log at that path or URL; raises StoreUnusable or, with `create` off, NotFound."""
        return cls(open_store(url, create=create), **settings)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def scratch(self) -> Self:
        """A log in memory with the same rules, clock and entropy: what is tried there leaves no trace here."""
        return type(self)(open_store("sqlite://"), rules=self.rules, clock=self._clock, entropy=self._entropy)

    def encounters(self) -> list[str]:
        """The ids of all encounters, in order of creation."""
        return self.store.encounters()

    def timeline(self, encounter: str, *, as_of: int | None = None) -> Timeline:
        """The encounter as its log now tells it, or as it was known when ruling `as_of` was the newest.

        Raises NotFound, naming the nearest known encounter or the newest ruling.
        """
        timeline = self._refreshed(encounter)
        if not timeline.number:
            raise NotFound(f'There is no encounter "{encounter}" in this log; {nearest(encounter, self.encounters())}')
        if as_of is None or as_of == timeline.number:
            return timeline
        timeline.head(as_of)
        return Timeline(decoders(), until(self.store.read(encounter), as_of))

    def _refreshed(self, encounter: str) -> Timeline:
        timeline = self._timelines.get(encounter)
        if timeline is None:
            timeline = Timeline(decoders())
        rows = self.store.read(encounter, timeline.version)
        if rows:
            try:
                timeline.extend(rows)
            except (*UNREADABLE, LookupError, AttributeError) as error:
                # Half taken in it would mislead, so the next reading begins anew; a row that is no event is named.
                self._timelines.pop(encounter, None)
                decode_rows(rows)
                raise VerificationFailed(
                    f'The log of "{encounter}" does not hang together: somebody changed it (`mam verify` tells where).'
                ) from error
            self._timelines[encounter] = timeline
        return timeline

    def at(self, encounter: str, moment: str | int | None = None, *, as_of: int | None = None) -> Encounter:
        """The state just after a ruling's place, or after the last living ruling of `round:N`; now if None."""
        return corrections.state_at(self.timeline(encounter, as_of=as_of), moment)

    def legal(self, encounter: str) -> Iterator[Template | Blocked]:
        """What may be ordered now and by whom, and what not and why."""
        state = self.timeline(encounter).state
        return legal_commands(state, self._ruleset(state))

    def execute(
        self,
        encounter: str,
        command: Command,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        after: int = 0,
        visibility: str = PUBLIC,
    ) -> Answer:
        """Decide a command and write the ruling, durably; `after` inserts it behind an earlier play.

        Raises Refused, BadInput, NotFound, or VersionConflict if `expected` is not the newest ruling. A command id
        seen before gives the first answer and writes nothing, or is refused with `key_reused` for another body.
        """
        if visibility != PUBLIC:
            command = replace(command, visibility=narrowest(visibility, command.visibility))
        command = validated(command)
        opening = isinstance(command, Open)
        if opening:
            encounter_id(encounter)
        if isinstance(command, Adjust) and command.answers:
            self.timeline(encounter).head(command.answers)

        def attempt(timeline: Timeline, draft: Draft) -> None:
            if opening and timeline.number:
                raise Refused(
                    "encounter_exists", f'There is already an encounter "{encounter}"; give another id (--id).'
                )
            ruled = self._completed(encounter, draft, command)
            if after:
                corrections.check_anchor(timeline, after)
            place = timeline.states[timeline.place[after]] if after else timeline.state
            head = draft.head(Play, command=ruled, after=after, visibility=of_command(ruled, place))
            if after:
                found = rejudge(timeline, timeline.plan(head), self._judge(encounter, timeline), new=ruled)
                draft.write(head, found[0].facts, found[1:])
            else:
                judge = self._judge(encounter, timeline)
                draft.play(head, judge(timeline.state, ruled, head.ruling, ()))

        return self._write(
            encounter,
            attempt,
            by=by,
            command_id=command_id,
            request=(command, after),
            expected=expected,
            new=opening,
        )

    def _completed(self, encounter: str, draft: Draft, command: Command) -> Command:
        """The command with what only the log knows: the commitment on opening, the seed on closing."""
        if isinstance(command, Open):
            draft.seed = self._entropy(32)
            return replace(command, commitment=commitment_of(draft.seed))
        if isinstance(command, Close):
            seed = self._seed(encounter)
            return replace(command, seed=seed.hex() if seed else "")
        return command

    def correct(
        self,
        encounter: str,
        steps: Sequence[Step],
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
        body: object = None,
    ) -> Answer:
        """Write a correction and everything that it makes different.

        `expect` is what a preview printed: exactly that is written, or VersionConflict is raised. Raises Refused for
        steps that cannot be taken.
        """
        checked(reason, "reason")
        request = ["correct", tuple(steps), reason] if body is None else body

        def attempt(timeline: Timeline, draft: Draft) -> None:
            corrections.check_steps(timeline, steps)
            if expect and expect != self._preview(encounter, timeline, steps).expect:
                raise VersionConflict(
                    "The log has moved on since that preview: look again (--preview), then give the new --expect."
                )
            head = draft.correction(tuple(steps), reason)
            change = timeline.plan(head)
            if any(isinstance(step, Amend) for step in steps):
                # Judged without drawing first: a refusal must not tell what a die shows that is not in the log.
                known = rejudge(timeline, change, self._judge(encounter, timeline, draws=False))
                corrections.check_amended(steps, known)
            draft.write(head, (), rejudge(timeline, change, self._judge(encounter, timeline)))

        return self._write(encounter, attempt, by=by, command_id=command_id, request=request, expected=expected)

    def undo(
        self,
        encounter: str,
        ruling: int | None = None,
        *,
        only: bool = False,
        rewind: bool = False,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
    ) -> Answer:
        """Take back the newest living step, or the exchange of `ruling`, or (`rewind`) everything from it on."""
        steps = self._repeat_or(
            encounter, command_id, lambda t: corrections.undo_steps(t, ruling, only=only, rewind=rewind)
        )
        body = ["undo", ruling, only, rewind, reason]
        return self.correct(
            encounter, steps, by=by, reason=reason, command_id=command_id, expected=expected, expect=expect, body=body
        )

    def redo(
        self,
        encounter: str,
        correction: int | None = None,
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
    ) -> Answer:
        """Restore the newest active undo, or the correction of that number."""
        steps = self._repeat_or(encounter, command_id, lambda t: corrections.redo_steps(t, correction))
        body = ["redo", correction, reason]
        return self.correct(
            encounter, steps, by=by, reason=reason, command_id=command_id, expected=expected, expect=expect, body=body
        )

    def _repeat_or(
        self, encounter: str, command_id: str, steps: Callable[[Timeline], Sequence[Step]]
    ) -> Sequence[Step]:
        timeline = self.timeline(encounter)
        return () if command_id in timeline.ids else steps(timeline)

    def note(
        self,
        encounter: str,
        text: str,
        *,
        kind: str = "comment",
        about: int = 0,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        visibility: str = PUBLIC,
    ) -> Answer:
        """Write a remark, a comment or a dispute, about a ruling or (0) about the fight."""
        if not checked(text, "text").strip():
            raise BadInput("a note says something.", place="text")

        def attempt(timeline: Timeline, draft: Draft) -> None:
            seen = visibility
            if about:
                seen = narrowest(visibility, timeline.head(about).visibility)
            draft.write(draft.head(Note, text=text, kind=kind, about=about, visibility=seen), (), ())

        body = ["note", text, kind, about, visibility]
        return self._write(encounter, attempt, by=by, command_id=command_id, request=body, expected=expected)

    def preview(self, encounter: str, steps: Sequence[Step]) -> Preview:
        """What a correction would do; writes nothing, and shows no die that is not yet in the log."""
        timeline = self.timeline(encounter)
        corrections.check_steps(timeline, steps)
        return self._preview(encounter, timeline, steps)

    def preview_insert(self, encounter: str, command: Command, after: int) -> Preview:
        """What a play inserted behind `after` would do to those that stand after it; raises as `execute` does."""
        timeline = self.timeline(encounter)
        corrections.check_anchor(timeline, after)
        command = validated(command)
        new = Play(
            ruling=timeline.number + 1,
            at="",
            by="",
            seal="",
            command=command,  # type: ignore[arg-type]  # every command is one of the union
            after=after,
        )
        change = timeline.plan(new)
        found = rejudge(timeline, change, self._judge(encounter, timeline, draws=False), new=command)
        return corrections.preview_of(encounter, timeline, change, (), found)

    def _preview(self, encounter: str, timeline: Timeline, steps: Sequence[Step]) -> Preview:
        head = Correction(ruling=timeline.number + 1, at="", by="", seal="", steps=tuple(steps))
        change = timeline.plan(head)
        found = rejudge(timeline, change, self._judge(encounter, timeline, draws=False))
        corrections.check_amended(steps, found)
        return corrections.preview_of(encounter, timeline, change, steps, found)

    def _write(
        self,
        encounter: str,
        attempt: Callable[[Timeline, Draft], None],
        *,
        by: str,
        command_id: str,
        request: object,
        expected: int | None,
        new: bool = False,
    ) -> Answer:
        """Decide and append; decide again on the new state whenever somebody else came first."""
        for place, said in (("by", by), ("command_id", command_id)):
            if said != "":
                checked(said, place, NAME_LENGTH)
        fresh = False
        body = digest(request) if command_id else ""
        for _ in range(TRIES):
            timeline = self._timelines.get(encounter)
            if timeline is None or fresh:
                timeline, fresh = self._refreshed(encounter) if new else self.timeline(encounter), True
            if command_id in timeline.ids:
                return self._first_answer(encounter, timeline, command_id, body)
            draft = Draft(timeline, self._now(), by, command_id, body, self._entropy)
            try:
                expect_newest(timeline, expected)
                attempt(timeline, draft)
                self.store.append(encounter, draft.rows, seed=draft.seed)
            except (Refused, NotFound, VersionConflict):
                # A state read a while ago may be out of date: only a no on the newest state counts.
                if fresh and not self._moved_on(encounter, timeline):
                    raise
                fresh = True
                continue
            draft.accept()
            self._timelines[encounter] = timeline
            return Answer(encounter, timeline.number, timeline.heads[-1], draft.facts, timeline.state, draft.rejudged)
        raise VersionConflict("Too many others are writing to this encounter; try again.")

    def _moved_on(self, encounter: str, timeline: Timeline) -> bool:
        return self.store.last_version(encounter) != timeline.version

    def _first_answer(self, encounter: str, timeline: Timeline, command_id: str, body: str) -> Answer:
        number, first_body = timeline.ids[command_id]
        if first_body != body:
            raise Refused(
                "key_reused", f'The command id "{command_id}" was given to ruling {number}, for something else.'
            )
        head = timeline.head(number)
        entry = timeline.entries.get(number)
        return Answer(
            encounter,
            number,
            head,
            entry.first.facts(timeline.decoders) if entry else (),
            corrections.state_at(timeline, number if entry else None),
            repeated=True,
            corrected_by=corrections.corrected_by(timeline, number),
        )

    def _judge(self, encounter: str, timeline: Timeline, *, draws: bool = True) -> Judge:
        def face(key: str) -> int:
            number = int(key.split("/", 1)[0])
            seed = self._seed(encounter)
            if seed is None:
                raise Refused(
                    "no_draw",
                    "The seed of this encounter is not in this store (an import does not bring it): throw the dice at "
                    "the table and give their faces.",
                )
            return draw(seed, (word for ruling, word in timeline.words if ruling <= number), key)

        def judge(state: Encounter, command: Command, number: int, amended: Collection[str]) -> Judging:
            dice = RulingDice(
                number,
                recorded=lambda: timeline.drawn(number),
                amended=amended,
                draw=face if draws else None,
                revealed=timeline.revealed,
            )
            return judged(state, command, self._ruleset(state, command), dice)

        return judge

    def _ruleset(self, state: Encounter, command: Command | None = None) -> Ruleset:
        if state.ruleset is not None:
            return self.rules.in_force(state.ruleset)
        opening = command if isinstance(command, Open) else Open()
        return self.rules.ruleset(opening.preset, opening.house_rules)

    def _seed(self, encounter: str) -> bytes | None:
        if encounter not in self._seeds:
            seed = self.store.seed(encounter)
            if seed is None:
                return None
            self._seeds[encounter] = seed
        return self._seeds[encounter]

    def _now(self) -> str:
        now = self._clock()
        return str(msgspec.to_builtins(now if now.tzinfo is UTC else now.astimezone(UTC)))


def expect_newest(timeline: Timeline, expected: int | None) -> None:
    """Raise VersionConflict where a caller named the newest ruling and it is another by now."""
    if expected is not None and expected != timeline.number:
        raise VersionConflict(f"Ruling {expected} is not the newest any more: the log stands at {timeline.number}.")


def digest(request: object) -> str:
    """The hash that a command id is kept with: of exactly what was asked."""
    return hashlib.sha256(msgspec.json.encode(request, order="sorted")).hexdigest()[:32]
