"""Reveal a hidden combatant: amend how they joined, and the rulings that were hidden with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from mam_events.commands import Join
from mam_events.errors import BadInput
from mam_events.events import Amend
from mam_events.history.timeline.rulings import is_unveiled, visibility_concerning
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def reveal_steps(timeline: Timeline, combatant: str) -> tuple[Amend, ...]:
    """Return the steps that show a combatant to everybody, with the rulings that were hidden because of them.

    A ruling stays hidden if it was hidden by itself, or concerns somebody else who is hidden. Raises BadInput if
    nothing is hidden.
    """
    one = timeline.state.combatants[combatant]
    joins = [number for number in timeline.order if timeline.lives(number) and _joins(timeline, number, combatant)]
    numbers = hidden_as_written(timeline, {combatant})
    if one.visibility != PUBLIC:
        numbers = [number for number in numbers if visibility_concerning(timeline, number) != PUBLIC]
        numbers = sorted({*joins, *numbers})
    if not numbers:
        raise BadInput(f"{one.name} is visible to everybody already.", place="reveal")
    return tuple(Amend(number, {"visibility": PUBLIC}) for number in numbers)


def _joins(timeline: Timeline, number: int, combatant: str) -> bool:
    command = timeline.command(number)
    return isinstance(command, Join) and command.combatant == combatant


def hidden_as_written(timeline: Timeline, revealed: Collection[str] = ()) -> list[int]:
    """Return the rulings that are hidden as written, though they concern nobody hidden except those in `revealed`."""
    numbers = (number for number in timeline.order if timeline.entries[number].head.visibility != PUBLIC)
    hidden = (number for number in numbers if timeline.lives(number) and not is_unveiled(timeline, number))
    return [number for number in hidden if visibility_concerning(timeline, number, revealed) == PUBLIC]
