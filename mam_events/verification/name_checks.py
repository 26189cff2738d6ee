"""Checks of every name in a log's events, by its field: everyone and everything named must exist."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mam_events.commands import Command
from mam_events.errors import VerificationFailed
from mam_events.events import CombatantJoined, EquipmentPickedUp, Event, GrappleDeclared, GrappleEstablished
from mam_events.history.timeline.timeline import Timeline
from mam_events.references import IdReference, names_in
from mam_events.state import BODY, Grapple
from mam_events.values import NOBODY_WORD

Checked = tuple[int, Event | Command]
"""A command or an event, with the number of its ruling."""


def check_event_names(timeline: Timeline) -> None:
    """Raise VerificationFailed for a command or an event with an unknown name (`unknown_names`)."""
    for number, event, name in unknown_names(list(_recorded_items(timeline))):
        raise VerificationFailed(
            f'Ruling {number} names "{name.value}" ({type(event).__name__}: {name.field}), which is not in the '
            "fight. This program never writes that."
        )


def unknown_names(checked: Sequence[Checked]) -> Iterator[tuple[int, Event | Command, IdReference]]:
    """Yield every unknown name, with its ruling and the event or command that contains it.

    Unknown are combatants who never joined, things that nobody brought along, holds that nobody took, and rulings that
    did not exist yet.
    """
    newcomers = [event.combatant for _, event in checked if isinstance(event, CombatantJoined)]
    existing: dict[str, Collection[str]] = {
        "combatant": {one.id for one in newcomers},
        "thing": {
            BODY,
            *(thing.id for one in newcomers for thing in one.things),
            *(event.called for _, event in checked if isinstance(event, EquipmentPickedUp)),
        },
        "grapple": {hold.id for _, event in checked for hold in _holds(event)},
    }
    for number, event in checked:
        for name in names_in(event):
            if isinstance(name.value, int):
                exists = 0 <= name.value <= number
            else:
                exists = name.value == NOBODY_WORD or any(name.value in existing[kind] for kind in name.kinds)
            if not exists:
                yield number, event, name


def _holds(event: Event | Command) -> Iterator[Grapple]:
    if isinstance(event, GrappleEstablished | GrappleDeclared):
        yield event.grapple
    elif isinstance(event, CombatantJoined):
        yield from event.combatant.grapples


def _recorded_items(timeline: Timeline) -> Iterator[Checked]:
    """Yield every command and event of the log with its ruling, even if it was undone or has a new outcome."""
    for entry in timeline.entries.values():
        yield entry.head.ruling, entry.head.command
        for outcome in (entry.first, *entry.later):
            for event in outcome.events(timeline.decoders):
                yield outcome.by, event
