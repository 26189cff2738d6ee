"""The combat log, the main interface for callers.

It reads the clock, draws the dice and writes; everything else is pure.
"""

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
from msgspec.structs import replace

from mam_events.commands import Adjust, Command, Join, Open, validate_command
from mam_events.deserializer import encounter_id
from mam_events.errors import BadInput, Refused
from mam_events.history.corrections import corrections
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.history.corrections.exchange_visibility import check_answer_seen, of_proposal
from mam_events.history.corrections.notes import proposed_order
from mam_events.history.timeline.command_ids import batch_member_id
from mam_events.history.timeline.entries import draws
from mam_events.history.timeline.rulings import visibility_now
from mam_events.log.encounters import Encounters
from mam_events.log.newcomers import check_name, check_names, complete_join, no_sheets
from mam_events.log.order_defaults import fill_log_fields, with_not_awaited
from mam_events.log.readable_log import CACHE_SIZE
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, RequestMeta, said_of_turns
from mam_events.log.results import Answer, is_kept
from mam_events.log.validation import check_proposal, checks_arguments
from mam_events.log.writable_log import WritableLog
from mam_events.refusals.arguments import TextArgument
from mam_events.sanitize import NAME_LENGTH, check_text
from mam_events.visibility import check_visibility, narrowest, of_command

if TYPE_CHECKING:
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.log.draft import RulingDraft
    from mam_events.log.writer import Writer
    from mam_events.permissions import Rights
    from mam_events.rules.rulebook import Rulebook

_NOW = partial(datetime.now, UTC)


class CombatLog(WritableLog):
    """Encounters on disk: execute commands, correct the past, look at any moment.

    Many processes may use the same store at once, and many threads one log: each encounter is decided and written by
    one thread at a time. Returned values never change, even if more is written later.
    """

    def __init__(
        self,
        application: Encounters,
        *,
        rules: Rulebook | None = None,
        clock: Callable[[], datetime] = _NOW,
        entropy: Callable[[int], bytes] = os.urandom,
        kept: int = CACHE_SIZE,
        sheets: Callable[[str], Mapping[str, Join]] = no_sheets,
    ) -> None:
        super().__init__(application, rules=rules, kept=kept)
        self.sheets = sheets
        """The function that returns the roster of a person: those who may join by name only, with their sheets."""
        self.asks_names = True
        """Off while a fight is played again from its text: after corrections two combatants may have the same name."""
        self._clock = clock
        self._entropy = entropy

    @cached_property
    def _writer(self) -> Writer:
        from mam_events.log.writer import Writer  # noqa: PLC0415 - whoever only looks starts without it

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
        """Open the log at that path or URL, with the settings of `environment_at` and those of the class.

        Raises StoreUnusable or, with `create` off, NotFound.
        """
        return cls(Encounters.at(url, create=create, synchronous=synchronous, busy_timeout=busy_timeout), **settings)

    def scratch(self) -> Self:
        """Return a log in memory with the same rules, clock and entropy; nothing tried there changes this log."""
        return type(self)(
            Encounters.at("sqlite://"), rules=self._rules, clock=self._clock, entropy=self._entropy, sheets=self.sheets
        )

    @contextmanager
    def grouped(self, *encounters: str, request: object = None) -> Iterator[None]:
        """Group this thread's writes to these encounters into one transaction.

        A refused order undoes only itself. Nobody else reads these encounters meanwhile: what they read is always
        durable. If all orders are parts of one `request`, their command ids are recognized by that request.
        """
        with self._judges.holding(encounters):
            versions = self._judges.versions(encounters)
            try:
                with self.application.grouped(), self._writer.asked(request):
                    yield
            except BaseException:
                for encounter, version in self._judges.versions(encounters).items():
                    if version != versions[encounter]:
                        # It has taken in what is not in the store.
                        self._judges.forget(encounter)
                raise

    @contextmanager
    def on_behalf_of(self, rights: Rights) -> Iterator[None]:
        """Limit this thread's writes in the block to those rights.

        Anything else is refused with `not_yours`, whichever method writes it.
        """
        with self._writer.on_behalf_of(rights):
            yield

    def write_order(self, encounter: str, command: Command, sent: RequestMeta, insert: InsertAt) -> Answer:
        """Decide a validated command, and write it."""
        opening = isinstance(command, Open)
        if opening:
            encounter_id(encounter)

        def attempt(judge: EncounterJudge, draft: RulingDraft) -> None:
            if isinstance(command, Adjust) and command.answers:
                judge.timeline.head(command.answers)
            if opening and judge.timeline.number:
                raise Refused("encounter_exists/opened", encounter=TextArgument(encounter))
            ruled = fill_log_fields(complete_join(command, self.sheets), judge, draft)
            check_answer_seen(judge.timeline, ruled)
            if self.asks_names:
                check_name(judge.timeline.state, ruled, inserted=bool(insert.after))
            if not (insert.after or self._writer.is_player):
                # What is inserted in the past is over: nobody could still be waited for.
                ruled = with_not_awaited(ruled, judge, self.application.tokens.all)
            if insert.after:
                draft.insert(judge, ruled, insert.after, insert.expect, insert.turns)
            else:
                state = judge.timeline.state
                judge = judge.for_ruling(of_command(command, state))
                draft.play(state, judge(state, ruled, draft.ruling))

        return self._writer.write(
            encounter,
            attempt,
            sent,
            check=lambda rights, timeline: rights.check_order(timeline, command, self.rules, after=insert.after),
            request=(command, insert.after, *said_of_turns(insert.turns)),
            new=opening,
        )

    def write_orders(self, encounter: str, commands: Sequence[Command], sent: RequestMeta) -> list[Answer]:
        """Decide commands one after another, and write all of them or none."""
        answers: list[Answer] = []
        with self.grouped(encounter, request=[sent.command_id, (*commands, 0)]):
            for at, command in enumerate(commands, 1):
                if answers and is_kept(answers[-1], self._writer.view(encounter)):
                    drawn = draws(answers[-1].events)
                    raise Refused("no_draw/behind_a_die" if drawn else "no_draw/behind_a_ruling", order=at - 1)
                one = RequestMeta(sent.by, batch_member_id(sent.command_id, at), None if answers else sent.expected)
                try:
                    answers.append(self.write_order(encounter, command, one, InsertAt()))
                except Refused as no:
                    raise (no.at(f"order {at} of {len(commands)}") if answers else no) from None
        return answers

    def write_correction(
        self, encounter: str, request: CorrectionRequest, sent: RequestMeta, sees: SeesRuling = sees_all
    ) -> Answer:
        """Write a correction, requested by someone who `sees` some rulings, and everything it changes."""
        check_text(request.reason, "reason")

        def attempt(judge: EncounterJudge, draft: RulingDraft) -> None:
            steps = request.find_steps(judge.timeline, sees)
            corrections.check_steps(judge.timeline, steps)
            asks = self.asks_names and not self._writer.is_player
            check = partial(check_names, judge.timeline.state) if asks else (lambda _: None)
            draft.correct(judge, steps, request.reason, request.expect, request.turns, check)

        return self._writer.write(
            encounter,
            attempt,
            sent,
            check=lambda rights, timeline: rights.check_steps(timeline, request.find_steps(timeline, sees)),
            request=request.identity(),
        )

    def write_note(self, encounter: str, note: NoteRequest, sent: RequestMeta, sees: SeesRuling = sees_all) -> Answer:
        """Write a note, requested by someone who `sees` some rulings."""
        check_visibility(note.visibility)
        rule = self.rules.named(check_text(note.rule, "rule", NAME_LENGTH)) if note.rule else ""
        order = None if note.order is None else validate_command(note.order)
        if order is not None:
            check_proposal(order)
        proposed = to_builtins(order, builtin_types=(Decimal,)) if order is not None else {}

        def attempt(judge: EncounterJudge, draft: RulingDraft) -> None:
            # The very default, else it would be written out.
            seen = narrowest(note.visibility)
            if note.about:
                written = judge.timeline.head(note.about).visibility
                about = narrowest(written, visibility_now(judge.timeline, note.about))
                seen = narrowest(seen, about)
                if note.kind == "decision" and seen != about:
                    raise BadInput("Everybody who sees a dispute must see its decision.", place="visibility")
            if order is not None:
                seen = narrowest(seen, of_proposal(judge.timeline, order, sees))
            draft.note(
                seen,
                sees,
                text=note.text,
                kind=note.kind,
                about=note.about,
                rule=rule,
                corrections=note.corrections,
                order=proposed,
            )

        asked = ["note", note.text, note.kind, note.about, note.visibility, rule, note.corrections]
        return self._writer.write(
            encounter,
            attempt,
            replace(sent, decides=note.about) if note.kind == "decision" else sent,
            check=lambda rights, _: rights.check_note(note.kind, note.corrections),
            request=[*asked, *([proposed] if proposed else ())],
        )

    def write_acceptance(
        self, encounter: str, proposal: int, instead: Command | None, reason: str, sent: RequestMeta
    ) -> list[Answer]:
        """Give the proposed order, or another, and decide the proposal with it: both, or neither."""
        with self.grouped(encounter, request=[sent.command_id, ("accept", proposal, instead)]):
            order = instead or proposed_order(self.look(encounter, lambda timeline: timeline.head(proposal)))
            played = self.write_order(encounter, validate_command(order), replace(sent, decides=proposal), InsertAt())
            closed = self.note(
                encounter,
                reason,
                kind="decision",
                about=proposal,
                corrections=[played.number],
                by=sent.by,
                command_id=batch_member_id(sent.command_id, 2),
            )
        return [played, closed]

    def write_branch(self, encounter: str, branch: str, moment: str | int | None, sent: RequestMeta) -> Answer:
        """Begin a branch after that moment, with all rulings up to now and a new seed."""
        encounter_id(branch)
        return self._writer.branch(encounter, branch, moment, sent)
