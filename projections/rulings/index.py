"""The rulings of an encounter beside each other: what each one names, and what later ones say about it."""

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
"""Verdicts that leave a ruling as it was, but for bookkeeping and totals."""


class Clock(Struct, frozen=True):
    """The moment at which something happened: round, and turn within the round, both counted from 1; 0 before the
    first.
    """

    round: int
    turn: int


class RulingIndex:
    """All rulings that a view is made of, read once: look-ups for what one ruling says about another.

    `view` is a name, or the screen of somebody who knows more rulings than are given here: where these are only the
    last few or the living ones, a text in them may name a hidden combatant whose coming in is not among them.
    """

    def __init__(self, rulings: Iterable[Ruling], view: str | Redactor) -> None:
        self.rulings = tuple(rulings)
        self.screen = view if isinstance(view, Redactor) else Redactor(view, self.rulings)
        self.view = self.screen.view
        self.names: dict[str, str] = {}
        self.declared: dict[int, Action] = {}
        self.disputes: dict[int, list[e.Note]] = {}
        """Every dispute by its number: itself, the answers, and the decision last."""
        self.proposals: dict[int, list[e.Note]] = {}
        """Every proposal in the same way."""
        self.disputed_by: defaultdict[int, list[int]] = defaultdict(list)
        self.answered_by: defaultdict[int, list[int]] = defaultdict(list)
        self.amended_by: defaultdict[int, list[int]] = defaultdict(list)
        self._by_number: dict[int, Ruling] = {}
        for ruling in self.rulings:
            self._by_number[ruling.number] = ruling
            _HEADS[type(ruling.head)](self, ruling)
            # What a void ruling declared is still spoken of, by what came of it before.
            for written in ruling.outcomes:
                for action in _declared(written.was):
                    self.declared.setdefault(action.id, action)

    def ruling(self, number: int) -> Ruling | None:
        """The ruling of that number, if it is here."""
        return self._by_number.get(number)

    def shown(self, number: int) -> Ruling | None:
        """The ruling of that number, if it is here and this view sees it."""
        ruling = self._by_number.get(number)
        return ruling if ruling is not None and self.screen.shows(ruling) else None

    def as_seen(self, ruling: Ruling) -> Ruling:
        """Return the ruling as this view may know it, without a hidden outcome that changes nothing of it."""
        told = ruling.rejudged
        if (
            told is None
            or told.verdict not in UNCHANGED_VERDICTS
            or can_see(self.view, told.visibility)
            or ruling.unveiled
        ):
            return ruling
        return replace(ruling, events=ruling.was, rejudged=None, rejudged_by=0, mendings=())

    def open_disputes(self, number: int) -> list[int]:
        """The disputes about that ruling that nobody has decided."""
        return [dispute for dispute in self.disputed_by.get(number, ()) if not self.decision(dispute)]

    def decision(self, dispute: int) -> int:
        """The ruling that decided that dispute; 0 for an open one, and for what is none."""
        last = self.disputes[dispute][-1] if dispute in self.disputes else None
        return last.ruling if last and last.kind == "decision" else 0

    def taken_back(self, number: int) -> int:
        """The ruling that took back the correction of that number; 0 where it counts, or the view may not know."""
        ruling = self.shown(number)
        return (ruling.restored_by or ruling.struck_by) if ruling else 0

    def head(self, number: int) -> e.Head | None:
        """The head of that ruling, under the same condition."""
        ruling = self.shown(number)
        return ruling.head if ruling else None

    def declare(self, events: Iterable[e.Event]) -> None:
        """Take in what those events declare."""
        self.declared.update((action.id, action) for action in _declared(events))

    def _play(self, ruling: Ruling) -> None:
        command = ruling.command
        if isinstance(command, Join):
            self.names[command.combatant] = command.name or command.combatant
        elif isinstance(command, Adjust) and command.answers and ruling.lives and self.screen.shows(ruling):
            self.answered_by[command.answers].append(ruling.number)
        self.declare(ruling.events)

    def _correction(self, ruling: Ruling) -> None:
        head = ruling.head
        assert isinstance(head, e.Correction)  # noqa: S101 - the table below says so
        if ruling.lives and self.screen.shows(ruling):
            for step in head.steps:
                if isinstance(step, e.Amend):
                    self.amended_by[step.ruling].append(ruling.number)

    def _note(self, ruling: Ruling) -> None:
        head = ruling.head
        assert isinstance(head, e.Note)  # noqa: S101 - the table below says so
        if head.kind == "comment" or not self.screen.shows(ruling):
            return
        if head.kind == "dispute":
            self.disputes[ruling.number] = [head]
            self.disputed_by[head.about].append(ruling.number)
        elif head.kind == "proposal":
            self.proposals[ruling.number] = [head]
        elif (said := self.disputes.get(head.about) or self.proposals.get(head.about)) is not None:
            said.append(head)


def _declared(events: Iterable[e.Event]) -> Iterator[Action]:
    return (event.declares() for event in events if isinstance(event, e.Declaration))


_HEADS: dict[type[e.Head], Callable[[RulingIndex, Ruling], None]] = {
    e.Play: RulingIndex._play,  # noqa: SLF001 - the table belongs to the class
    e.Correction: RulingIndex._correction,  # noqa: SLF001 - as above
    e.Note: RulingIndex._note,  # noqa: SLF001 - as above
    e.Branch: lambda _book, _ruling: None,
}


ALREADY_DOWN = "already down"


class RulingContext:
    """The place where one ruling happened: what its sentences call the combatants, weapons and actions that it
    names.
    """

    __slots__ = ("casebook", "ruling", "screen")

    def __init__(self, casebook: RulingIndex, ruling: Ruling) -> None:
        self.casebook = casebook
        self.screen = casebook.screen
        self.ruling = ruling

    def combatant(self, combatant: str) -> Combatant | None:
        """The combatant of that id as it is here; None where its coming in was taken back."""
        return self.ruling.after.combatants.get(combatant) or self.ruling.before.combatants.get(combatant)

    def before(self, combatant: str) -> Combatant | None:
        """The same as it was before the ruling."""
        return self.ruling.before.combatants.get(combatant)

    def known(self, combatant: str) -> str:
        """That id, or "" for somebody the view may not know of."""
        return "" if combatant in self.screen.hidden else combatant

    def name(self, combatant: str) -> str:
        """The name of that combatant."""
        if combatant in self.screen.hidden:
            return HIDDEN_NAME
        found = self.combatant(combatant)
        return found.name if found else self.casebook.names.get(combatant, combatant)

    def because(self, why: WhyArgument) -> str:
        """The reason for an outcome, to hang on a sentence: `: tie rule`, or nothing."""
        return because_of(self.screen.reason(why))

    def unable(self, combatant: str) -> bool:
        """True of somebody in view who could not act any more before the ruling."""
        found = self.before(combatant)
        return found is not None and found.condition != "able" and found.id not in self.screen.hidden

    def target_name(self, combatant: str) -> str:
        """Return the name of somebody who is attacked, with a word on it where they are down already."""
        return f"{self.name(combatant)}{f' ({ALREADY_DOWN})' if self.unable(combatant) else ''}"

    def thing(self, combatant: str, item: str) -> str:
        """The name of that weapon or piece of equipment, which somebody may have had until now."""
        owners = (self.combatant(combatant), self.before(combatant))
        having = next((one for one in owners if one and any(thing.id == item for thing in one.things)), None)
        return self.screen.text(weapon_name(having, item))

    def held_name(self, combatant: str, grapple: str) -> str:
        """The name of whom that hold of a combatant is on, or was; "" for nobody, and for somebody the view may not
        know of.
        """
        found = self._grapple(combatant, grapple)
        return self.name(found.held) if found and self.known(found.held) else ""

    def hold(self, combatant: str, grapple: str) -> str:
        """That hold with whom it is on: `hold on Clone (hold-6)`."""
        held, found = self.held_name(combatant, grapple), self._grapple(combatant, grapple)
        return f"{found.kind} on {held} ({grapple})" if held and found else f"hold {grapple}"

    def _grapple(self, combatant: str, grapple: str) -> Grapple | None:
        owners = filter(None, (self.before(combatant), self.ruling.after.combatants.get(combatant)))
        return next((one for owner in owners for one in owner.grapples if one.id == grapple), None)

    def action(self, number: int) -> Action | None:
        """The action that the ruling of that number declared."""
        found = (exchange.action(number) for exchange in self.ruling.before.declared)
        return self.casebook.declared.get(number) or next(filter(None, found), None)


def clock(ruling: Ruling) -> Clock:
    """The round and the turn within it that a ruling belongs to: the turn it ends or is part of."""
    state = turn_state(ruling)
    if state.initiative.entries and not state.round_open and not state.had_turn and state.turn is None:
        # Initiative is rolled for a round that begins with its first turn.
        return Clock(state.round + 1, 0)
    return Clock(state.round, len(state.had_turn) + (state.turn is not None))


def turn_state(ruling: Ruling) -> Encounter:
    """The state that tells whose turn a ruling belongs to: after it, or before it where it ended the turn."""
    # What bounds turns and is nobody's own belongs to what comes after it: a round begins, initiative is settled.
    between = ruling.command is not None and ruling.command.boundary and not actor_of(ruling.command)
    return ruling.after if between or ruling.after.turn or not ruling.before.turn else ruling.before
