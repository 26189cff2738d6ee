"""A fight reduced to what now counts: living plays in their places, with the face of every die, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mam_events.commands import Command, Initiative, Join, Resolve, RollInitiative, Spend, actor_of
from mam_events.dice import DieKey, read_key
from mam_events.events import CodeRolled, InitiativeRolled, Note, RollsTold
from mam_events.field_specs import without_faces
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import Ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import GivenFace
from mam_events.visibility import PUBLIC, of_play


def plays_in_story_order(timeline: Timeline, rulings: Mapping[int, Ruling]) -> Iterator[int]:
    """Yield the numbers of the rulings to write, in order.

    They are the living plays, and each note after everything known before it.
    """
    notes: dict[int, list[int]] = {}
    newest = 0
    numbers = {0, *rulings}
    for number, head in enumerate(timeline.heads, start=1):
        newest = max(newest, timeline.place.get(number, 0))
        if isinstance(head, Note) and head.about in numbers and not _is_settled(timeline, number):
            numbers.add(number)
            notes.setdefault(newest, []).append(number)
    for place, number in enumerate(timeline.order):
        if number in rulings:
            yield number
        yield from notes.get(place, ())


def first_bookkeeping(rulings: Mapping[int, Ruling]) -> Ruling | None:
    """Return the first of those rulings that counts only with bookkeeping that no order can express, or None.

    An unused die doesn't count as such: it is left out of the order.
    """
    return next(
        (ruling for ruling in rulings.values() if any(step.what != "unused" for step in ruling.bookkeeping)), None
    )


def command_as_given(ruling: Ruling) -> Command:
    """Return the command of a play to be written, without faces if one of them was left unused.

    The faces that fell are in its events.
    """
    assert ruling.command is not None  # noqa: S101 - every play has one
    return without_faces(ruling.command) if ruling.bookkeeping else ruling.command


def _is_settled(timeline: Timeline, number: int) -> bool:
    """Return True for a dispute that a correction settled, and for a proposal.

    Neither is part of the fight as it now counts.
    """
    opened = timeline.heads[number - 1]
    if isinstance(opened, Note) and opened.kind == "proposal":
        return True
    decision = timeline.disputes.get(number)
    head = timeline.heads[decision - 1] if decision else None
    return isinstance(head, Note) and bool(head.corrections)


def recorded_faces(command: Command, ruling: Ruling) -> dict[str, Any]:
    """Return the faces of all dice of a ruling, in the fields in which a command gives them."""
    if any(isinstance(event, RollsTold) for event in ruling.events):
        return _rolled(command, ruling)
    if isinstance(command, RollInitiative):
        return _initiative_rolled(ruling)
    if code_roll := next((event for event in ruling.events if isinstance(event, CodeRolled)), None):
        # A point spent on initiative may lead to new rolls for ties.
        again = {"again": _initiative_rolled(ruling)["again"]} if isinstance(command, Spend) else {}
        return {"dice": [die.face for die in code_roll.dice]} | again
    keys = [(read_key(die.key), die.face) for event in ruling.events for die in dice_of(event)]
    if isinstance(command, Resolve):
        declared = ruling.before.exchange.faces if ruling.before.exchange else {}
        return _resolved([(key, face) for key, face in keys if not _was_given(key, declared)])
    if not isinstance(command, Initiative):
        return {}
    if any(key.index for key, _ in keys):
        winner = next(event.order[0] for event in ruling.events if hasattr(event, "order"))
        reason = "the dice, thrown again after a tie"
        return {"first": winner, "reason": command.reason or reason, "tie_die": None}
    faces = {key.roller: face for key, face in keys}
    return {"tie_die": faces} if faces else {}


def _initiative_rolled(ruling: Ruling) -> dict[str, Any]:
    """Return the faces of all who rolled initiative, and of those who rolled again to break a tie."""
    fields: dict[str, dict[str, list[int]]] = {"dice": {}, "again": {}}
    for event in ruling.events:
        if isinstance(event, InitiativeRolled):
            faces = fields["again" if event.again else "dice"].setdefault(event.combatant, [])
            faces += [die.face for die in event.dice]
    return fields


def _slot(key: DieKey) -> str:
    """Return the name of a die in an exchange.

    It is `attack`, `defense`, `into`, `armor`, or the ruling of an interference.
    """
    return {"action": "attack"}.get(key.role, key.role.removeprefix("interference-"))


def _was_given(key: DieKey, faces: Mapping[str, GivenFace]) -> bool:
    """Return True for a die whose face was given before the exchange was resolved."""
    roll = f"armor.{key.roller}" if key.role == "armor" else _slot(key)
    return roll in faces and not (key.index and faces[roll].confirmation is None)


def _resolved(keys: Sequence[tuple[DieKey, int]]) -> dict[str, Any]:
    """Return the faces of an exchange by field; those of an interference by the number of its ruling."""
    fields: dict[str, Any] = {}
    for key, face in keys:
        slot = _slot(key)
        if key.index:
            fields.setdefault("confirmation_die", {})[slot] = face
        elif slot in ("attack", "defense", "into"):
            fields[f"{slot}_die"] = face
        elif slot == "armor":
            fields.setdefault("armor_die", {})[key.roller] = face
        else:
            fields.setdefault("interference_die", {})[slot] = face
    return fields


def _rolled(command: Command, ruling: Ruling) -> dict[str, int]:
    """Return the faces of rolls outside an exchange: the actor's die, the other side's, and second throws."""
    fields = {}
    for roll in (roll for event in ruling.events if isinstance(event, RollsTold) for roll in event.rolls):
        other = "opposing_" if roll.what == "opposition" else "opponent_"
        side = "" if roll.what != "opposition" and roll.combatant == actor_of(command) else other
        fields[f"{side}die"] = roll.die.face
        if roll.confirmation:
            fields[f"{side}confirmation_die"] = roll.confirmation.face
    return fields


def written_visibility(ruling: Ruling) -> str:
    """Return the visibility of a ruling; "" if it follows from the command and the combatants it is about."""
    assert ruling.command is not None  # noqa: S101 - every play has one
    if isinstance(ruling.command, Join):
        # The visibility of a join hides the combatant itself, not only the ruling.
        return ""
    own = of_play(ruling.command, ruling.before, ruling.events)
    return "" if ruling.visibility in (own, PUBLIC) else ruling.visibility
