"""The check that a fight written as it was played has the same result when it is played again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mam_events.dice import Die, read_key
from mam_events.errors import MamError, Refused
from mam_events.events import Event, InitiativeEstablished
from mam_events.fights.file import read_played
from mam_events.fights.playback import play
from mam_events.history.timeline.timeline import Timeline
from mam_events.refusals.arguments import CombatantArgument, Message, RulingArgument, Term, TextArgument, text_fragment

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog
    from mam_events.notation.line_log import LineLog

_OWN = ("source", "salt", "seed", "commitment")
"""Fields of events that differ from log to log and say nothing about the fight."""


def check_played(log: CombatLog | LineLog, timeline: Timeline, text: str) -> None:
    """Play the lines of that fight again, and refuse with `not_as_played` if the result differs.

    It differs if a line is refused, if a die is drawn that is on record here, or if a play has another outcome.
    """
    with log.scratch() as scratch:
        try:
            play(scratch, read_played(text), timeline.id or "fight")
        except MamError as no:
            raise Refused("not_as_played/refused", reason=TextArgument(no.sentence.rstrip("."))) from None
        again = scratch.timeline(timeline.id or "fight")
    if drawn_die := next((die for number in again.entries for die in again.drawn(number).values()), None):
        first = RulingArgument(read_key(drawn_die.key).ruling)
        raise Refused("not_as_played/drawn", number=first, die=_named(drawn_die, again))
    for number in timeline.order:
        if _fate(timeline, number) != _fate(again, number):
            late = timeline.drawn(number).keys() - timeline.drawn(number, number).keys()
            if not late:
                raise Refused("not_as_played/otherwise", number=RulingArgument(number))
            die = _named(timeline.drawn(number)[min(late)], timeline)
            raise Refused("not_as_played/drawn_late", number=RulingArgument(number), die=die)


def _named(die: Die, timeline: Timeline) -> Message:
    """Return a die in words: its kind, its purpose and who rolls it."""
    key = read_key(die.key)
    if not key.roller:
        return text_fragment("not_as_played/die", kind=Term(die.kind), role=Term(key.role))
    roller = timeline.state.combatants.get(key.roller) or CombatantArgument(key.roller, key.roller)
    return text_fragment("not_as_played/die_of", kind=Term(die.kind), role=Term(key.role), roller=roller)


def _fate(timeline: Timeline, number: int) -> tuple[bool, bool, list[Any]]:
    """Return whether a play counts, whether it is void, and its events without the fields that differ in each log."""
    outcome = timeline.entries[number].outcome
    return timeline.lives(number), outcome.is_void, [_bare(event) for event in outcome.events(timeline.decoders)]


def _bare(event: Event) -> Any:
    if isinstance(event, InitiativeEstablished):
        # A tie that was drawn twice is written as a word, so compare only the order.
        return event.order
    return type(event), _without_own(msgspec.to_builtins(event))


def _without_own(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_own(part) for name, part in value.items() if name not in _OWN}
    return [_without_own(part) for part in value] if isinstance(value, list | tuple) else value
