"""A ruling before it is written: its head, its events, and its changes, as rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import force_setattr, replace

from mam_events.commands import Command, Join, exchange_of, with_fields
from mam_events.decider.engine import Decision
from mam_events.dice import SECRET_BYTES, NewSeedNeeded
from mam_events.errors import VersionConflict
from mam_events.events import (
    Amend,
    Branch,
    CombatantJoined,
    Correction,
    Event,
    Head,
    Note,
    Play,
    RoundEnded,
    RulingMended,
    RulingRejudged,
    Step,
    TurnPolicy,
)
from mam_events.history.corrections.amend_check import check_amendment
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.corrections.conflicts import is_expected
from mam_events.history.corrections.corrections import SeesRuling, check_place, named_steps
from mam_events.history.corrections.notes import check_note
from mam_events.history.judge.missing_dice_check import check_missing_dice
from mam_events.history.judge.verdicts import differs_only_in_round_end
from mam_events.history.seal import seal_rows
from mam_events.history.timeline.command_ids import stored_id
from mam_events.history.timeline.rulings import visibility_now, visibility_of_basis
from mam_events.log.preview import expect_token
from mam_events.log.validation import random_bytes
from mam_events.state import Combatant, Encounter
from mam_events.store import encode_json
from mam_events.visibility import GAME_MASTER, PUBLIC, narrowest, of_command, of_events, of_message, of_play

if TYPE_CHECKING:
    from mam_events.history.judge.judge import EncounterJudge
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.entries import BookkeepingEntry
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.requests import RequestMeta
    from mam_events.permissions import Rights

H = TypeVar("H", bound=Head)
SALT_BYTES = 16


class RulingDraft:
    """The rows of one ruling that is about to be appended.

    `secret` is the seed of the dice if the ruling commits to one. It is written for someone with those `rights` (None:
    the game master). `led` is true if another ruling is appended before it: then the expectation of a preview was
    already checked.
    """

    rows: Sequence[tuple[int, str, bytes]] = ()
    events: tuple[Event, ...] = ()
    rejudged: tuple[RejudgedRuling, ...] = ()
    secret: bytes | None = None
    seal = ""
    led = False
    _followed: tuple[Play, Encounter] | None = None

    def __init__(
        self,
        timeline: Timeline,
        at: str,
        meta: RequestMeta,
        body: str,
        entropy: Callable[[int], bytes],
        rights: Rights | None = None,
    ) -> None:
        self.timeline = timeline
        self.view = rights.view(timeline) if rights else GAME_MASTER
        self.is_player = bool(rights and not rights.is_master)
        self.ruling = len(timeline.heads) + 1
        self._at = at
        self._by = meta.by
        self._id = meta.command_id
        self._body = body
        self._entropy = entropy

    def _head(self, kind: Callable[..., H], visibility: str = PUBLIC, /, **fields: Any) -> H:
        """Build the head of the next ruling, with a salt if it is not public."""
        return kind(
            ruling=self.ruling,
            at=self._at,
            by=self._by,
            seal="",
            id=stored_id(self._id),
            body=self._body,
            visibility=visibility,
            salt="" if visibility == PUBLIC else self._salt(),
            **fields,
        )

    def correct(
        self,
        judge: EncounterJudge,
        steps: tuple[Step, ...],
        reason: str,
        expect: str = "",
        turns: TurnPolicy = "as_played",
        check: Callable[[Encounter], None] = lambda _: None,
    ) -> None:
        """Draft a correction and every ruling whose outcome it changes.

        `check` may refuse the state after them; it is called if that state is known without drawing dice. Raises
        Refused if an amended ruling would be impossible, VersionConflict if the result differs from the expected
        preview, NewSeedNeeded if the correction closes the fight with a seed that is not revealed.
        """
        head = self._correction(steps, reason, turns)
        judge = judge.for_ruling(head.visibility)
        # Judge without drawing first: a refusal must not reveal a die that is not in the log.
        change, rejudged = judge.foresee(head, keep=True)
        check_amendment(self.timeline, change, judge, rejudged)
        if rejudged and not rejudged[-1].undrawn:
            check(rejudged[-1].state)
        self._check_expected(expect, head, rejudged)
        if not self.led and self._closes_late(rejudged) and judge.spent_seed():
            raise NewSeedNeeded
        self._lay_down(head, (), judge.rejudge(head))

    def _closes_late(self, rejudged: Sequence[RejudgedRuling]) -> bool:
        """Return True if an older closing counts again that doesn't reveal the seed of dice drawn since."""
        timeline = self.timeline
        if timeline.state.status == "closed" or not rejudged or rejudged[-1].state.status != "closed":
            return False
        return timeline.has_drawn_since(timeline.branches[-1].ruling) if timeline.branches else False

    def commit(self) -> str:
        """Draw a new seed, to be written with these rows, and return the commitment to it."""
        from mam_events.history.seed import commitment_of, seed_of  # noqa: PLC0415 - only a new seed needs it

        self.secret = random_bytes(self._entropy, SECRET_BYTES)
        return commitment_of(seed_of(self.secret))

    def branch(self, **fields: Any) -> None:
        """Draft the row of a branch: from there on the dice are drawn from a new seed."""
        self._lay_down(self._head(Branch, commitment=self.commit(), **fields), (), ())

    def note(self, visibility: str, sees: SeesRuling, **fields: Any) -> None:
        """Draft the row of a note; refuse it as `check_note` does."""
        head = self._head(Note, visibility, **fields)
        timeline = self.timeline
        check_note(head, timeline.heads, timeline.disputes, sees, timeline.counts)
        self._lay_down(head, (), ())

    def _correction(self, steps: tuple[Step, ...], reason: str, turns: TurnPolicy) -> Correction:
        """Build the head of a correction, as hidden as the most hidden ruling that it strikes, amends or restores."""
        timeline = self.timeline
        patched = ((s.ruling, with_fields(timeline.command(s.ruling), s.patch)) for s in steps if isinstance(s, Amend))
        visibility = narrowest(
            *(timeline.head(step.ruling).visibility for step in steps),
            *(visibility_now(timeline, step.ruling) for step in steps),
            *(of_command(command, self._known_at(number)) for number, command in patched),
        )
        named_corrections = named_steps(timeline, steps)
        return self._head(
            Correction, visibility, steps=named_corrections, reason=reason, turns=turns, blinding=self._salt()
        )

    def _known_at(self, number: int) -> Encounter:
        """Return the state before that play, with everyone who has joined by now.

        Those who came later are hidden too.
        """
        timeline = self.timeline
        before = timeline.state_before(timeline.place[number])
        return replace(before, combatants=before.combatants | timeline.state.combatants)

    def _lay_down(self, head: Head, events: Sequence[Event], rejudged: Sequence[RejudgedRuling]) -> None:
        """Draft the rows: the head, its events, and every ruling whose outcome changed, with its new events."""
        self.events = tuple(events)
        self.rejudged = tuple(entry for entry in rejudged if entry.differs)
        rows_written: list[Event] = [head, *events]
        if self.rejudged:
            hidden = self._hidden((*events, *(event for entry in self.rejudged for event in entry.events)))
            seen_ends = set(self._ends_of_rounds())
            for entry in self.rejudged:
                for step in entry.bookkeeping:
                    rows_written += (self._bookkeeping(entry, step, hidden), *step.events)
                rows_written += (self._rejudgement(head, entry, hidden, seen_ends), *entry.events)
        self._seal(rows_written)

    def _seal(self, events: Sequence[Event]) -> str:
        """Store the rows of these events, with the seal that covers them in the head's row."""
        self.seal, self.rows = seal_rows(self.timeline.seal, events, number_rows(events, self.timeline.version + 1))
        return self.seal

    def _hidden(self, events: Iterable[Event]) -> list[Join | Combatant]:
        """Return every hidden combatant who ever joined, as they may return, or who joins in these events."""
        joins = map(self.timeline.command, self.timeline.index.joins)
        combatants = (event.combatant for event in events if isinstance(event, CombatantJoined))
        everybody: list[Join | Combatant] = [*(join for join in joins if isinstance(join, Join)), *combatants]
        return [one for one in everybody if one.visibility != PUBLIC]

    def _ends_of_rounds(self) -> Iterator[str]:
        """Yield the visibility of bookkeeping steps that end a round, now or on record."""
        for entry in self.rejudged:
            recorded = self.timeline.entries[entry.ruling].outcome.bookkeeping(self.timeline.decoders)
            for step in (*entry.bookkeeping, *recorded):
                if any(isinstance(event, RoundEnded) for event in step.events):
                    yield step.visibility

    def _bookkeeping(
        self, entry: RejudgedRuling, step: BookkeepingEntry, hidden: Sequence[Join | Combatant]
    ) -> RulingMended:
        """Return the first row of a bookkeeping step, as hidden as its ruling and the combatant it is about."""
        event = RulingMended(entry.ruling, step.what, step.combatant, step.exchange, step.round)
        head = self.timeline.entries[entry.ruling].head
        visibility = narrowest(head.visibility, step.visibility, of_events(step.events, hidden))
        return replace(event, visibility=visibility, salt="" if visibility == PUBLIC else self._salt())

    def _rejudgement(
        self, head: Head, entry: RejudgedRuling, hidden: Sequence[Join | Combatant], seen_ends: Collection[str]
    ) -> RulingRejudged:
        """Return the row of a new outcome; `seen_ends` are the visibilities of bookkeeping that ends rounds."""
        recorded = self.timeline.entries[entry.ruling]
        why = of_message(entry.reason, hidden) if entry.reason else PUBLIC
        visibility = narrowest(recorded.head.visibility, of_events(entry.events, hidden), why)
        if hidden or self.timeline.index.hides:
            # The ruling, or what it depends on, may have been hidden after it was written.
            visibility = narrowest(visibility, visibility_now(self.timeline, entry.ruling))
        # If only hidden bookkeeping differs, hide that there is a difference.
        decoders = self.timeline.decoders
        visibilities: Collection[str] = ()
        if entry.verdict == "stands":
            visibilities = {step.visibility for step in (*entry.bookkeeping, *recorded.outcome.bookkeeping(decoders))}
        elif entry.verdict == "carried" and differs_only_in_round_end(recorded.outcome.events(decoders), entry.events):
            visibilities = seen_ends
        visibility = visibility if PUBLIC in visibilities else narrowest(visibility, *visibilities)
        entered = exchange_of(head.command, 0) if isinstance(head, Play) else 0
        if entered and entered == exchange_of(recorded.head.command, entry.ruling):
            # The new outcome shows what was inserted into its exchange.
            visibility = narrowest(visibility, head.visibility)
        assert entry.verdict is not None  # noqa: S101 - only a preview leaves a die undrawn
        return RulingRejudged(
            entry.ruling,
            entry.verdict,
            why="" if entry.reason else entry.why,
            code=entry.code,
            rule=entry.rule,
            reason=entry.reason,
            visibility=visibility,
            salt="" if visibility == PUBLIC else self._salt(),
        )

    def play(self, state: Encounter, decision: Decision) -> None:
        """Draft the rows of a play at the end of the order, in that state, and what the timeline takes in for it.

        Raises Refused if all of its dice were thrown except the one of an armor.
        """
        self.events = events = tuple(decision.events)
        check_missing_dice(state, events)
        command = decision.command
        exchange_visibility = visibility_of_basis(self.timeline, command, len(self.timeline.order))
        visibility = narrowest(of_play(command, state, events), exchange_visibility)
        head = self._head(Play.of, visibility, command=command)
        seal = self._seal((head, *events))
        # Set the seal in place: nobody has seen the head yet, and a copy would have to decode its command again.
        force_setattr(head, "seal", seal)
        self._followed = (head, decision.state)

    def insert(
        self, judge: EncounterJudge, command: Command, after: int, expect: str = "", turns: TurnPolicy = "as_played"
    ) -> None:
        """Draft the rows of a play after that ruling, and of every later ruling whose outcome it changes.

        Raises VersionConflict as `correct` does.
        """
        timeline = self.timeline
        check_place(timeline, after)
        head = self._head(Play.of, command=command, after=after, turns=turns)
        judge = judge.for_ruling(of_command(command, timeline.state_before(plan_change(timeline, head).first)))
        change, rejudged = judge.foresee(head, keep=True)
        self._check_expected(expect, head, rejudged)
        rejudged = judge.rejudge(head)
        command = rejudged[0].command or command
        check_missing_dice(timeline.state_before(change.first), rejudged[0].events)
        visibility = of_events(rejudged[0].events, self._hidden(rejudged[0].events))
        visibility_before = narrowest(of_command(command, timeline.state_before(change.first)), visibility)
        visibility_before = narrowest(visibility_before, visibility_of_basis(timeline, command, change.first))
        head = self._head(Play.of, visibility_before, command=command, after=after, turns=turns, blinding=self._salt())
        self._lay_down(head, rejudged[0].events, rejudged[1:])

    def accept(self, timeline: Timeline) -> None:
        """Add the rows, which are in the store now, to the timeline or its copy."""
        if self._followed is None:
            timeline.extend(self.rows)
        else:
            head, state = self._followed
            timeline.extend_by_play(head, self.rows, self.events, state)

    def _salt(self) -> str:
        return random_bytes(self._entropy, SALT_BYTES).hex()

    def _check_expected(self, expect: str, head: Play | Correction, rejudged: Sequence[RejudgedRuling]) -> None:
        """Raise VersionConflict if the result differs from the expected preview."""
        if not expect or self.led:
            return
        if not is_expected(self.timeline, expect, expect_token(self.timeline, head, rejudged), self.view):
            raise VersionConflict("The log has changed since that preview. Ask for a new preview and confirm that one.")


def number_rows(events: Sequence[Event], version: int) -> list[tuple[int, str, bytes]]:
    """Return the rows of consecutive events, numbered from that version on."""
    return [(number, event.topic, encode_json(event)) for number, event in enumerate(events, version)]
