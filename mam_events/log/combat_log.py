"""The combat log: the one thing callers need. It reads the clock, draws the dice and writes; the rest is pure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from msgspec import to_builtins

from mam_events.commands import Adjust, Command, Join, Open, validated
from mam_events.errors import Refused
from mam_events.log.answers import Answer, stands
from mam_events.log.arguments import (
    Sent,
    check_insert,
    check_proposal,
    check_remark,
    checks_arguments,
    narrowed,
    numbers,
    orders,
)
from mam_events.log.completion import completed, with_not_awaited
from mam_events.log.encounters import Encounters
from mam_events.log.looking import KEPT, ReadableLog
from mam_events.log.newcomers import check_name, check_names, completed_join, no_sheets
from mam_events.reading import encounter_id
from mam_events.refusals.references import Said
from mam_events.rulings import corrections
from mam_events.rulings.disputes import proposed_order
from mam_events.rulings.entries import draws
from mam_events.rulings.exchange_visibility import check_answer_seen, of_proposal
from mam_events.rulings.together import nth_id
from mam_events.text import NAME_LENGTH, checked
from mam_events.visibility import PUBLIC, check_visibility, narrowest, of_command

if TYPE_CHECKING:
    from mam_events.events import Step, Turns
    from mam_events.log.drafting import Draft
    from mam_events.log.writing import Writer
    from mam_events.rights import Rights
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.judge import EncounterJudge
    from mam_events.rulings.timeline import Timeline

_NOW = partial(datetime.now, UTC)


def _strictly(turns: Turns) -> tuple[str, ...]:
    """Return what a request says of turns: nothing by default, as it was before there was a choice."""
    return (turns,) if turns == "strict" else ()


class CombatLog(ReadableLog):
    """Encounters on disk: execute commands, correct the past, look at any moment.

    Many processes may use the same store at once, and many threads one log: each encounter is decided and written by
    one thread at a time. What is handed out stays as it is, whatever is written afterwards.
    """

    def __init__(
        self,
        application: Encounters,
        *,
        rules: Rulebook | None = None,
        clock: Callable[[], datetime] = _NOW,
        entropy: Callable[[int], bytes] = os.urandom,
        kept: int = KEPT,
        sheets: Callable[[str], Mapping[str, Join]] = no_sheets,
    ) -> None:
        super().__init__(application, rules=rules, kept=kept)
        self.sheets = sheets
        """Return the roster for somebody of that name: those who may join by name alone, as their sheets have them."""
        self.asks_names = True
        """Off where a fight is played again as it is written: after corrections two may be called alike in it."""
        self._clock = clock
        self._entropy = entropy

    @cached_property
    def _writer(self) -> Writer:
        from mam_events.log.writing import Writer  # noqa: PLC0415 - whoever only looks starts without it

        return Writer(self.application, self._judges, self._clock, self._entropy)

    @classmethod
    @checks_arguments
    def open(
        cls,
        url: str | Path,
        *,
        create: bool = True,
        synchronous: str = "FULL",
        busy_timeout: float = 5.0,
        **settings: Any,
    ) -> Self:
        """The log at that path or URL, with the settings of `environment_at` and those of the class.

        Raises StoreUnusable or, with `create` off, NotFound.
        """
        return cls(Encounters.at(url, create=create, synchronous=synchronous, busy_timeout=busy_timeout), **settings)

    def scratch(self) -> Self:
        """A log in memory with the same rules, clock and entropy: what is tried there leaves no trace here."""
        return type(self)(
            Encounters.at("sqlite://"), rules=self._rules, clock=self._clock, entropy=self._entropy, sheets=self.sheets
        )

    @contextmanager
    def grouped(self, *encounters: str, request: object = None) -> Iterator[None]:
        """Orders of this thread in the block, to these encounters, become durable together at its end, or none of them
        does; one that is refused undoes itself alone.

        Nobody reads these encounters meanwhile: what they are answered is as durable as ever. Where all of them are
        parts of one `request`, their command ids are known again by that.
        """
        with self._judges.holding(encounters):
            try:
                with self.application.grouped(), self._writer.asked(request):
                    yield
            except BaseException:
                # They have taken in what is not in the store.
                for encounter in encounters:
                    self._judges.forget(encounter)
                raise

    @contextmanager
    def on_behalf_of(self, rights: Rights) -> Iterator[None]:
        """Let this thread write in the block what somebody with those rights may; anything else is refused with
        `not_yours`, by whichever method it comes.
        """
        with self._writer.on_behalf_of(rights):
            yield

    @checks_arguments
    def execute(
        self,
        encounter: str,
        command: Command,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        after: int = 0,
        expect: str = "",
        visibility: str = PUBLIC,
        turns: Turns = "as_played",
    ) -> Answer:
        """Decide a command and write the ruling, durably; `after` inserts it behind an earlier play, `expect` as the
        preview of that showed it; there `turns` is as of `correct`.

        Raises Refused, BadInput, NotFound, or VersionConflict if `expected` is not the newest ruling. A command id
        seen before gives the first answer and writes nothing, or is refused with `key_reused` for another body.
        """
        said = Sent(by, command_id, expected)
        return self._execute(encounter, narrowed(command, visibility), said, after, expect, turns)

    def _execute(
        self,
        encounter: str,
        command: Command,
        said: Sent,
        after: int = 0,
        expect: str = "",
        turns: Turns = "as_played",
    ) -> Answer:
        """The same, with arguments that were checked."""
        command = validated(command)
        check_insert(after, expect, turns)
        opening = isinstance(command, Open)
        if opening:
            encounter_id(encounter)

        def attempt(judge: EncounterJudge, draft: Draft) -> None:
            if isinstance(command, Adjust) and command.answers:
                judge.timeline.head(command.answers)
            if opening and judge.timeline.number:
                raise Refused("encounter_exists/opened", encounter=Said(encounter))
            ruled = completed(completed_join(command, self.sheets), judge, draft)
            check_answer_seen(judge.timeline, ruled)
            if self.asks_names:
                check_name(judge.timeline.state, ruled, inserted=bool(after))
            if not (after or self._writer.is_player):
                # What is inserted in the past is over: nobody could still be waited for.
                ruled = with_not_awaited(ruled, judge, self.application.tokens.all)
            if after:
                draft.insert(judge, ruled, after, expect, turns)
            else:
                state = judge.timeline.state
                judge = judge.for_ruling(of_command(command, state))
                draft.play(state, judge(state, ruled, draft.ruling))

        return self._writer.write(
            encounter,
            attempt,
            said,
            check=lambda rights, timeline: rights.check_order(timeline, command, self.rules, after=after),
            request=(command, after, *_strictly(turns)),
            new=opening,
        )

    @checks_arguments
    def execute_all(
        self,
        encounter: str,
        commands: Sequence[Command],
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> list[Answer]:
        """Decide commands one behind the other and write all of their rulings, or none; raised as by `execute`, and
        where one is refused, with its place among them.

        Under a command id they are known again together. A die is drawn for the last of them at most: what is refused
        behind one would tell what it shows, and the die be gone with all the rest. Of a player's orders the last alone
        may throw any die, or be hidden from them.
        """
        commands = orders(commands, "commands")
        answers: list[Answer] = []
        with self.grouped(encounter, request=[command_id, (*commands, 0)]):
            for at, command in enumerate(commands, 1):
                if answers and stands(answers[-1], self._writer.view(encounter)):
                    drawn = draws(answers[-1].events)
                    raise Refused("no_draw/behind_a_die" if drawn else "no_draw/behind_a_ruling", order=at - 1)
                said = Sent(by, nth_id(command_id, at), None if answers else expected)
                try:
                    answers.append(self._execute(encounter, command, said))
                except Refused as no:
                    raise (no.at(f"order {at} of {len(commands)}") if answers else no) from None
        return answers

    @checks_arguments
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
        turns: Turns = "as_played",
    ) -> Answer:
        """Write a correction and everything that it makes different.

        `expect` is what a preview printed: exactly that is written, or VersionConflict is raised. With `turns`
        "as_played" the turns that were played are kept, and the correction does the bookkeeping that this takes;
        "strict" does none. Raises Refused for steps that cannot be taken.
        """
        taken = corrections.read_steps(steps)
        said = Sent(by, command_id, expected)
        return self._correct(encounter, lambda _: taken, ["correct", taken], reason, said, expect, turns=turns)

    def _correct(
        self,
        encounter: str,
        steps_in: Callable[[Timeline], tuple[Step, ...]],
        asked: list[object],
        reason: str,
        said: Sent,
        expect: str,
        *,
        turns: Turns,
    ) -> Answer:
        checked(reason, "reason")

        def attempt(judge: EncounterJudge, draft: Draft) -> None:
            steps = steps_in(judge.timeline)
            corrections.check_steps(judge.timeline, steps)
            asks = self.asks_names and not self._writer.is_player
            check = partial(check_names, judge.timeline.state) if asks else (lambda _: None)
            draft.correct(judge, steps, reason, expect, turns, check)

        return self._writer.write(
            encounter,
            attempt,
            said,
            check=lambda rights, timeline: rights.check_steps(timeline, steps_in(timeline)),
            request=[*asked, reason, *_strictly(turns)],
        )

    @checks_arguments
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
        sees: corrections.Sight = corrections.everything,
        turns: Turns = "as_played",
    ) -> Answer:
        """Take back the newest living step, with all that was asked for as one with it, or the exchange of `ruling`, or
        (`rewind`) everything from it on.

        The newest is the one in the log at that moment: whoever means the one that he sees gives its number.
        """
        return self._correct(
            encounter,
            lambda timeline: corrections.undo_steps(timeline, ruling, only=only, rewind=rewind, sees=sees),
            ["undo", ruling, only, rewind],
            reason,
            Sent(by, command_id, expected),
            expect,
            turns=turns,
        )

    @checks_arguments
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
        turns: Turns = "as_played",
    ) -> Answer:
        """Restore the newest active undo, or the correction of that number."""
        return self._correct(
            encounter,
            lambda timeline: corrections.redo_steps(timeline, correction),
            ["redo", correction],
            reason,
            Sent(by, command_id, expected),
            expect,
            turns=turns,
        )

    @checks_arguments
    def note(
        self,
        encounter: str,
        text: str,
        *,
        kind: str = "comment",
        about: int = 0,
        rule: str = "",
        corrections: Sequence[int] = (),
        order: Command | None = None,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        visibility: str = PUBLIC,
        sees: corrections.Sight = corrections.everything,
    ) -> Answer:
        """Write a remark: a comment about a ruling or (0) about the fight, a dispute about a ruling, the proposal of an
        `order`, an answer or the decision in the dispute or proposal that it is `about`.

        A dispute may name the `rule` it goes by, or an option. A decision needs no text; it names the `corrections`
        that were made since and settle the dispute, or none where the ruling stands. Refused as `check_note` says, in
        words for somebody who `sees` the rulings of some numbers.
        """
        check_remark(text, kind)
        check_visibility(visibility)
        named = self.rules.named(checked(rule, "rule", NAME_LENGTH)) if rule else ""
        if order is not None:
            order = validated(order)
            check_proposal(order)
        proposed = to_builtins(order, builtin_types=(Decimal,)) if order is not None else {}
        settling = numbers(corrections, "corrections")

        def attempt(judge: EncounterJudge, draft: Draft) -> None:
            # The very default, else it would be written out.
            seen = narrowest(visibility)
            if about:
                seen = narrowest(visibility, judge.timeline.head(about).visibility)
            if order is not None:
                seen = narrowest(seen, of_proposal(judge.timeline, order, sees))
            draft.note(seen, sees, text=text, kind=kind, about=about, rule=named, corrections=settling, order=proposed)

        asked = ["note", text, kind, about, visibility, named, settling, *([proposed] if proposed else ())]
        return self._writer.write(
            encounter,
            attempt,
            Sent(by, command_id, expected),
            check=lambda rights, _: rights.check_note(kind, settling),
            request=asked,
        )

    @checks_arguments
    def accept(
        self,
        encounter: str,
        proposal: int,
        *,
        instead: Command | None = None,
        reason: str = "",
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> list[Answer]:
        """Give the order that was proposed, or another `instead`, and decide the proposal by it: both, or neither.

        Raised as by `execute` and `note`.
        """
        with self.grouped(encounter, request=[command_id, ("accept", proposal, instead)]):
            order = instead or proposed_order(self.look(encounter, lambda timeline: timeline.head(proposal)))
            played = self._execute(encounter, order, Sent(by, command_id, expected))
            closed = self.note(
                encounter,
                reason,
                kind="decision",
                about=proposal,
                corrections=[played.number],
                by=by,
                command_id=nth_id(command_id, 2),
            )
        return [played, closed]

    @checks_arguments
    def branch(
        self,
        encounter: str,
        branch: str,
        moment: str | int | None = None,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> Answer:
        """Begin `branch`, which goes on from that moment of the encounter as a fight of its own: all rulings up to now
        are copied as they are, what stands behind the moment (None: the newest that counts) is struck, and dice are
        drawn from a new seed.

        Raises Refused `cannot_branch` for a moment that no fight goes on from, `encounter_exists` where the id is
        taken; else as `execute` does.
        """
        encounter_id(branch)
        return self._writer.branch(encounter, branch, moment, Sent(by, command_id, expected))
