"""The ruling that made a later one void: found by looking back over the living history, and never stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.commands import BeginTurn, Command, Declare, MoveUp, Ready, SkipTurn, actor_of, exchange_of
from mam_events.history.judge.verdicts import compare, without_totals
from mam_events.history.timeline.change import NOW, Change
from mam_events.references import names_in
from mam_events.state import Encounter, has_turns

if TYPE_CHECKING:
    from mam_events.events import Event
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.timeline import Timeline

TURN_STARTING_COMMANDS = (BeginTurn, Declare, MoveUp, SkipTurn)
"""Commands that begin a turn, in its place or early."""
RESTS_ON_A_RESULT = frozenset({"came_out_otherwise", "interruption_failed"})
"""Codes of rulings that depend on the result of a Ron d6 action that they name."""


class CauseCandidate(Struct):
    """A ruling that is not as it was first found, at its place in the order: void (`code`), struck, or changed.

    `corrected` is True if a correction names it or if it is `inserted`.
    """

    ruling: int
    place: int
    command: Command
    code: str
    struck: bool
    corrected: bool
    inserted: bool
    first: tuple[Event, ...]
    now: tuple[Event, ...]

    @property
    def is_lost(self) -> bool:
        """True if nothing of it counts any more."""
        return self.struck or bool(self.code)

    def concerns(self, name: str, void: int) -> bool:
        """Return True if an event that it gained or lost is about that combatant.

        For a `void` ruling, all events of an insert that came later are new.
        """
        first = () if self.inserted and self.ruling > void else self.first
        before, after = [without_totals(event) for event in first], [without_totals(event) for event in self.now]
        differing = [
            event
            for event in (*first, *self.now)
            if not (without_totals(event) in before and without_totals(event) in after)
        ]
        return any(
            reference.value == name
            for event in differing
            for reference in names_in(event)
            if "combatant" in reference.kinds
        )


def void_causes(timeline: Timeline, change: Change = NOW, rejudged: Sequence[RejudgedRuling] = ()) -> dict[int, int]:
    """Return for every void ruling the one that made it void, if the change were made and gave those outcomes.

    A ruling without a single cause is left out. The causes are tried in this order: the lost declaration of its
    exchange; the ruling by which its actor fell; the lost beginning of their turn, or what they made ready in it; the
    nearest ruling about them that a correction names; the nearest ruling about them that comes out otherwise.
    """
    return _Search(timeline, change, rejudged).causes()


def cause_of(timeline: Timeline, number: int) -> int:
    """Return the ruling that made that one void, by the present living history; 0 if no single ruling did."""
    if timeline.void_causes is None:
        timeline.void_causes = void_causes(timeline)
    return timeline.void_causes.get(number, 0)


class _Search:
    def __init__(self, timeline: Timeline, change: Change, rejudged: Sequence[RejudgedRuling]) -> None:
        again = {entry.ruling: entry for entry in rejudged if entry.verdict is not None}
        self._suspects: list[CauseCandidate] = []
        self._by_ruling: dict[int, CauseCandidate] = {}
        self._states: list[Encounter] = []
        # For each combatant, the place up to which the search has come, and the place where they fell.
        self._fell: dict[str, tuple[int, int]] = {}
        for place, number in enumerate(change.order or timeline.order):
            lives, entry = timeline.lives(number, change), timeline.entries.get(number)
            judged = again.get(number)
            if judged is not None:
                self._states.append(judged.state)
            elif lives and entry is not None:
                self._states.append(timeline.states[timeline.place[number]])
            else:
                self._states.append(self._states[-1] if self._states else timeline.state_before(0))
            is_named = number in change.touched
            if entry and not (
                judged or is_named or entry.later or entry.head.after or entry.struck_by or entry.amended_by
            ):
                continue
            suspect = _suspect(timeline, change, number, judged) if entry else _inserted(number, change, judged)
            if suspect.is_lost or suspect.inserted or compare(suspect.first, suspect.now) == "changed":
                suspect.place = place
                self._suspects.append(suspect)
                self._by_ruling[number] = suspect

    def causes(self) -> dict[int, int]:
        voids = (one for one in self._suspects if one.code and not one.struck)
        return {one.ruling: cause for one in voids if (cause := self._cause(one))}

    def _cause(self, void: CauseCandidate) -> int:
        before = self._states[void.place - 1] if void.place else None
        if void.code == "exchange_open" and before and before.exchange:
            return before.exchange.id
        exchange = exchange_of(void.command, void.ruling)
        declared = self._by_ruling.get(exchange)
        if declared and declared.is_lost and exchange != void.ruling:
            return exchange
        # A game master's adjustment has no actor.
        name = actor_of(void.command) or getattr(void.command, "combatant", "")
        if not name or void.code in RESTS_ON_A_RESULT:
            rulings = {one.value for one in names_in(void.command) if one.kinds == ("ruling",)}
            partners = (one for one in self._earlier(void) if exchange_of(one.command, one.ruling) in rulings)
            return next((one.ruling for one in partners if one.code != void.code), 0)
        earlier = [one for one in self._earlier(void) if one.concerns(name, void.ruling)]
        if (felled := self._felled(name, void.place)) and any(one.ruling == felled.ruling for one in earlier):
            return felled.ruling
        turn = next(
            (
                one
                for one in earlier
                if isinstance(one.command, TURN_STARTING_COMMANDS) and actor_of(one.command) == name
            ),
            None,
        )
        needed = [
            one
            for one in earlier
            if one.is_lost
            and actor_of(one.command) == name
            and isinstance(one.command, (*TURN_STARTING_COMMANDS, Ready))
        ]
        in_turn = [one for one in needed if turn is None or one.place >= turn.place]
        corrected = [one for one in earlier if one.corrected]
        return next((one.ruling for one in (*in_turn, *corrected, *earlier)), 0)

    def _earlier(self, void: CauseCandidate) -> Iterator[CauseCandidate]:
        """Yield the suspects before that ruling, the nearest first; nobody relied on a later ruling that is struck."""
        return (
            one
            for one in reversed(self._suspects)
            if one.place < void.place and not (one.struck and one.ruling > void.ruling)
        )

    def _felled(self, name: str, place: int) -> CauseCandidate | None:
        """Return the suspect that brought that combatant down, if they have had no turn since, or None."""
        attempt, last = self._fell.get(name, (-1, -1))
        at = place - 1
        while at > attempt and self._is_down(name, at):
            at -= 1
        fell = last if at == attempt and last >= 0 else at + 1
        self._fell[name] = (place - 1, fell if fell < place else -1)
        return next((one for one in self._suspects if one.place == fell < place), None)

    def _is_down(self, name: str, place: int) -> bool:
        combatant = self._states[place].combatants.get(name)
        return combatant is not None and not has_turns(combatant)


def _inserted(number: int, change: Change, judged: RejudgedRuling | None) -> CauseCandidate:
    """Return a candidate for the insert that the change makes."""
    assert change.new is not None  # noqa: S101 - all other plays of the order have entries
    command, events = (judged.command, judged.events) if judged else (None, ())
    return CauseCandidate(
        number, 0, command or change.new, "", struck=False, corrected=True, inserted=True, first=(), now=events
    )


def _suspect(timeline: Timeline, change: Change, number: int, judged: RejudgedRuling | None) -> CauseCandidate:
    entry = timeline.entries[number]
    outcome = entry.outcome
    is_struck = not timeline.lives(number, change)
    code = outcome.rejudged.code if outcome.is_void and outcome.rejudged else ""
    now = outcome.events(timeline.decoders)
    if is_struck or judged is not None:
        code, now = (judged.code, judged.events) if judged and not is_struck else ("", ())
    command = timeline.command(number) if is_struck else timeline.command(number, change)
    inserted = bool(entry.head.after)
    corrected = is_struck or inserted or bool(timeline.patches(number, change))
    first = entry.first.events(timeline.decoders)
    return CauseCandidate(number, 0, command, code, is_struck, corrected, inserted, first, now)
