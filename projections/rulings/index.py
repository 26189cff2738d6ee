"""An index of the rulings of an encounter: what each one names, and what later ones say about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from mam_events import events as e
from mam_events.commands import Adjust, Join, actor_of
from mam_events.history.timeline.rulings import Ruling
from mam_events.refusals.arguments import WhyArgument
from mam_events.state import Action, Combatant, Encounter, Grapple
from mam_events.visibility import can_see
from projections.phrases import because_of, weapon_name
from projections.visibility.redaction import HIDDEN_NAME, Redactor

UNCHANGED_VERDICTS = ("stands", "carried")
"""Verdicts that leave a ruling as it was, apart from bookkeeping and totals."""


class Clock(Struct, frozen=True):
    """A moment in the fight: the round, and the turn within it, both counted from 1; 0 before the first."""

    round: int
    turn: int


class RulingIndex:
    """An index of all rulings of a view, with look-ups for what one ruling says about another.

    `view` is a name, or a redactor that knows more rulings than are given here. A redactor is needed if these are only
    the last few or the living ones: their texts may name a hidden combatant who joined in another ruling.
    """

    def __init__(self, rulings: Iterable[Ruling], view: str | Redactor) -> None:
        self.rulings = tuple(rulings)
        self.redactor = view if isinstance(view, Redactor) else Redactor(view, self.rulings)
        self.view = self.redactor.view
        self.names: dict[str, str] = {}
        self.declared: dict[int, Action] = {}
        self.disputes: dict[int, list[e.Note]] = {}
        """Every dispute by its number: the dispute, the answers, and the decision last."""
        self.proposals: dict[int, list[e.Note]] = {}
        """Every proposal by its number, in the same way."""
        self.disputed_by: defaultdict[int, list[int]] = defaultdict(list)
        self.answered_by: defaultdict[int, list[int]] = defaultdict(list)
        self.amended_by: defaultdict[int, list[int]] = defaultdict(list)
        self._by_number: dict[int, Ruling] = {}
        for ruling in self.rulings:
            self._by_number[ruling.number] = ruling
            _HEADS[type(ruling.head)](self, ruling)
            # Earlier outcomes may refer to what a ruling declared before it became void.
            for outcome in ruling.outcomes:
                for action in _declared(outcome.was):
                    self.declared.setdefault(action.id, action)

    def ruling(self, number: int) -> Ruling | None:
        """Return the ruling of that number; None if it is not in the index."""
        return self._by_number.get(number)

    def visible_ruling(self, number: int) -> Ruling | None:
        """Return the ruling of that number; None if it is not in the index or hidden from the view."""
        ruling = self._by_number.get(number)
        return ruling if ruling is not None and self.redactor.shows(ruling) else None

    def as_seen(self, ruling: Ruling) -> Ruling:
        """Return the ruling as the view may know it: without a hidden outcome that changes nothing."""
        rejudged = ruling.rejudged
        if (
            rejudged is None
            or rejudged.verdict not in UNCHANGED_VERDICTS
            or can_see(self.view, rejudged.visibility)
            or ruling.unveiled
        ):
            return ruling
        return replace(ruling, events=ruling.was, rejudged=None, rejudged_by=0, bookkeeping=())

    def open_disputes(self, number: int) -> list[int]:
        """Return the open disputes about that ruling."""
        return [dispute for dispute in self.disputed_by.get(number, ()) if not self.decision(dispute)]

    def decision(self, dispute: int) -> int:
        """Return the ruling that decided that dispute; 0 if it is open or not a dispute."""
        last = self.disputes[dispute][-1] if dispute in self.disputes else None
        return last.ruling if last and last.kind == "decision" else 0

    def taken_back(self, number: int) -> int:
        """Return the ruling that undid that correction; 0 if it counts or is hidden."""
        ruling = self.visible_ruling(number)
        return (ruling.restored_by or ruling.struck_by) if ruling else 0

    def head(self, number: int) -> e.Head | None:
        """Return the head of that ruling; None if it is not in the index or hidden from the view."""
        ruling = self.visible_ruling(number)
        return ruling.head if ruling else None

    def declare(self, events: Iterable[e.Event]) -> None:
        """Add the actions that those events declare."""
        self.declared.update((action.id, action) for action in _declared(events))

    def _play(self, ruling: Ruling) -> None:
        command = ruling.command
        if isinstance(command, Join):
            self.names[command.combatant] = command.name or command.combatant
        elif isinstance(command, Adjust) and command.answers and ruling.lives and self.redactor.shows(ruling):
            self.answered_by[command.answers].append(ruling.number)
        self.declare(ruling.events)

    def _correction(self, ruling: Ruling) -> None:
        head = ruling.head
        assert isinstance(head, e.Correction)  # noqa: S101 - the table below says so
        if ruling.lives and self.redactor.shows(ruling):
            for step in head.steps:
                if isinstance(step, e.Amend):
                    self.amended_by[step.ruling].append(ruling.number)

    def _note(self, ruling: Ruling) -> None:
        head = ruling.head
        assert isinstance(head, e.Note)  # noqa: S101 - the table below says so
        if head.kind == "comment" or not self.redactor.shows(ruling):
            return
        if head.kind == "dispute":
            self.disputes[ruling.number] = [head]
            self.disputed_by[head.about].append(ruling.number)
        elif head.kind == "proposal":
            self.proposals[ruling.number] = [head]
        elif (notes := self.disputes.get(head.about) or self.proposals.get(head.about)) is not None:
            notes.append(head)


def _declared(events: Iterable[e.Event]) -> Iterator[Action]:
    return (event.declares() for event in events if isinstance(event, e.Declaration))


_HEADS: dict[type[e.Head], Callable[[RulingIndex, Ruling], None]] = {
    e.Play: RulingIndex._play,  # noqa: SLF001 - the table belongs to the class
    e.Correction: RulingIndex._correction,  # noqa: SLF001 - as above
    e.Note: RulingIndex._note,  # noqa: SLF001 - as above
    e.Branch: lambda _index, _ruling: None,
}


ALREADY_DOWN = "already down"


class RulingContext:
    """The context of one ruling: the names of the combatants, weapons and actions that its sentences mention."""

    __slots__ = ("index", "redactor", "ruling")

    def __init__(self, index: RulingIndex, ruling: Ruling) -> None:
        self.index = index
        self.redactor = index.redactor
        self.ruling = ruling

    def combatant(self, combatant: str) -> Combatant | None:
        """Return the combatant after the ruling, or before it; None if their join was undone."""
        return self.ruling.after.combatants.get(combatant) or self.ruling.before.combatants.get(combatant)

    def before(self, combatant: str) -> Combatant | None:
        """Return the combatant as they were before the ruling."""
        return self.ruling.before.combatants.get(combatant)

    def visible_id(self, combatant: str) -> str:
        """Return the id, or "" for somebody hidden from the view."""
        return "" if combatant in self.redactor.hidden else combatant

    def name(self, combatant: str) -> str:
        """Return the name of a combatant, as the view may know it."""
        if combatant in self.redactor.hidden:
            return HIDDEN_NAME
        combatant_then = self.combatant(combatant)
        return combatant_then.name if combatant_then else self.index.names.get(combatant, combatant)

    def because(self, why: WhyArgument) -> str:
        """Return the reason for an outcome, to append to a sentence: `: tie rule`, or "" without a reason."""
        return because_of(self.redactor.reason(why))

    def is_unable(self, combatant: str) -> bool:
        """Return True for a visible combatant who could no longer act before the ruling."""
        person = self.before(combatant)
        return person is not None and person.condition != "able" and person.id not in self.redactor.hidden

    def target_name(self, combatant: str) -> str:
        """Return the name of a target, with a remark if they are already down."""
        return f"{self.name(combatant)}{f' ({ALREADY_DOWN})' if self.is_unable(combatant) else ''}"

    def thing(self, combatant: str, item: str) -> str:
        """Return the name of a weapon or piece of equipment that the combatant has, or had before the ruling."""
        owners = (self.combatant(combatant), self.before(combatant))
        having = next((one for one in owners if one and any(thing.id == item for thing in one.things)), None)
        return self.redactor.text(weapon_name(having, item))

    def held_name(self, combatant: str, grapple: str) -> str:
        """Return the name of the combatant in that hold; "" for nobody or somebody hidden."""
        grapple_then = self._grapple(combatant, grapple)
        return self.name(grapple_then.held) if grapple_then and self.visible_id(grapple_then.held) else ""

    def hold(self, combatant: str, grapple: str) -> str:
        """Return the hold with the name of the one held: `hold on Clone (hold-6)`."""
        held_name, grapple_then = self.held_name(combatant, grapple), self._grapple(combatant, grapple)
        return f"{grapple_then.kind} on {held_name} ({grapple})" if held_name and grapple_then else f"hold {grapple}"

    def _grapple(self, combatant: str, grapple: str) -> Grapple | None:
        owners = filter(None, (self.before(combatant), self.ruling.after.combatants.get(combatant)))
        return next((one for owner in owners for one in owner.grapples if one.id == grapple), None)

    def action(self, number: int) -> Action | None:
        """Return the action that the ruling of that number declared."""
        actions = (exchange.action(number) for exchange in self.ruling.before.declared)
        return self.index.declared.get(number) or next(filter(None, actions), None)


def clock(ruling: Ruling) -> Clock:
    """Return the round and the turn that a ruling belongs to: the turn that it ends or is part of."""
    state = turn_state(ruling)
    if state.initiative.entries and not state.round_open and not state.had_turn and state.turn is None:
        # Initiative is rolled before the first turn, for the round that this turn begins.
        return Clock(state.round + 1, 0)
    return Clock(state.round, len(state.had_turn) + (state.turn is not None))


def turn_state(ruling: Ruling) -> Encounter:
    """Return the state with the turn that a ruling belongs to: after it, or before it if it ended the turn."""
    # A boundary without an actor belongs to what comes after it: a round begins, initiative is settled.
    between = ruling.command is not None and ruling.command.boundary and not actor_of(ruling.command)
    return ruling.after if between or ruling.after.turn or not ruling.before.turn else ruling.before
