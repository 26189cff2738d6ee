"""The three kinds of write (an order, a correction, a note): what each may write, its draft, and its identity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, to_builtins

from mam_events.commands import Adjust, Command, Join, Open
from mam_events.errors import BadInput, Refused
from mam_events.history.corrections.corrections import SeesRuling, check_steps
from mam_events.history.corrections.exchange_visibility import check_answer_seen, of_proposal
from mam_events.history.timeline.rulings import visibility_now
from mam_events.log.newcomers import check_name, check_names, complete_join
from mam_events.log.order_defaults import fill_log_fields, with_not_awaited
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, turn_policy_part
from mam_events.refusals.arguments import TextArgument
from mam_events.visibility import narrowest, of_command

if TYPE_CHECKING:
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.draft import RulingDraft
    from mam_events.permissions import Rights
    from mam_events.rules.rulebook import Rulebook


class Write(Protocol):
    """A request that becomes one ruling."""

    @property
    def opens(self) -> bool:
        """True if it begins a fight."""

    def check(self, rights: Rights, timeline: Timeline) -> None:
        """Refuse what those rights don't allow."""

    def fill(self, draft: RulingDraft, judge: EncounterJudge) -> None:
        """Decide it with that judge, and draft its rows; refuse it if it is impossible."""

    def identity(self) -> object:
        """Return the content that identifies the request if it is sent again."""


class OrderWrite(Struct, frozen=True):
    """An order, and its place.

    `sheets` and `tokens` are the log's own; with `asks_names` off two combatants may have the same name.
    """

    command: Command
    insert: InsertAt
    rules: Rulebook
    sheets: Callable[[str], Mapping[str, Join]]
    tokens: Callable[[], list[bytes]]
    asks_names: bool

    @property
    def opens(self) -> bool:
        """True if it begins a fight."""
        return isinstance(self.command, Open)

    def check(self, rights: Rights, timeline: Timeline) -> None:
        """Refuse the order, or a field of it, if it is not theirs."""
        rights.check_order(timeline, self.command, self.rules, after=self.insert.after)

    def fill(self, draft: RulingDraft, judge: EncounterJudge) -> None:
        """Decide the order and draft its rows; refuse it if it is impossible."""
        command, insert, timeline = self.command, self.insert, judge.timeline
        if isinstance(command, Adjust) and command.answers:
            timeline.head(command.answers)
        if self.opens and timeline.number:
            raise Refused("encounter_exists/opened", encounter=TextArgument(timeline.id))
        ruled = fill_log_fields(complete_join(command, self.sheets), judge, draft)
        check_answer_seen(timeline, ruled)
        if self.asks_names:
            check_name(timeline.state, ruled, inserted=bool(insert.after))
        if insert.after:
            # An insert is in the past: nobody can be waited for.
            draft.insert(judge, ruled, insert.after, insert.expect, insert.turns)
            return
        if not draft.is_player:
            ruled = with_not_awaited(ruled, judge, self.tokens)
        judge = judge.for_ruling(of_command(command, timeline.state))
        draft.play(timeline.state, judge(timeline.state, ruled, draft.ruling))

    def identity(self) -> object:
        """Return the content that identifies the request if it is sent again."""
        return (self.command, self.insert.after, *turn_policy_part(self.insert.turns))


class CorrectionWrite(Struct, frozen=True):
    """A correction, requested by someone who `sees` some rulings."""

    request: CorrectionRequest
    sees: SeesRuling
    asks_names: bool
    opens = False

    def check(self, rights: Rights, timeline: Timeline) -> None:
        """Refuse steps that are not theirs."""
        rights.check_steps(timeline, self.request.find_steps(timeline, self.sees))

    def fill(self, draft: RulingDraft, judge: EncounterJudge) -> None:
        """Draft the correction and everything that it changes; refuse impossible steps."""
        request, timeline = self.request, judge.timeline
        steps = request.find_steps(timeline, self.sees)
        check_steps(timeline, steps)
        asks = self.asks_names and not draft.is_player
        check = partial(check_names, timeline.state) if asks else (lambda _: None)
        draft.correct(judge, steps, request.reason, request.expect, request.turns, check)

    def identity(self) -> object:
        """Return the content that identifies the request if it is sent again."""
        return self.request.identity()


class NoteWrite(Struct, frozen=True):
    """A note by someone who `sees` some rulings; `rule` is the id that the note's rule is known by."""

    note: NoteRequest
    sees: SeesRuling
    rule: str = ""
    opens = False

    def check(self, rights: Rights, timeline: Timeline) -> None:
        """Refuse a kind of note that is not theirs."""
        del timeline
        rights.check_note(self.note.kind, self.note.corrections)

    def fill(self, draft: RulingDraft, judge: EncounterJudge) -> None:
        """Draft the note, as hidden as what it is about."""
        note, timeline = self.note, judge.timeline
        # Use the default object itself, so that it is not written out.
        visibility = narrowest(note.visibility)
        if note.about:
            about = narrowest(timeline.head(note.about).visibility, visibility_now(timeline, note.about))
            visibility = narrowest(visibility, about)
            if note.kind == "decision" and visibility != about:
                raise BadInput("Everybody who sees a dispute must see its decision.", place="visibility")
        if note.order is not None:
            visibility = narrowest(visibility, of_proposal(timeline, note.order, self.sees))
        draft.note(
            visibility,
            self.sees,
            text=note.text,
            kind=note.kind,
            about=note.about,
            rule=self.rule,
            corrections=note.corrections,
            order=self._proposed(),
        )

    def identity(self) -> object:
        """Return the content that identifies the request if it is sent again."""
        note, proposed = self.note, self._proposed()
        parts = ["note", note.text, note.kind, note.about, note.visibility, self.rule, note.corrections]
        return [*parts, *([proposed] if proposed else ())]

    def _proposed(self) -> dict[str, Any]:
        order = self.note.order
        return {} if order is None else to_builtins(order, builtin_types=(Decimal,))
