"""The types of the sentences of a section: sentences for events, clauses for commands, and parts of log lines.

A part replaces a sentence by a word or two in a log line; rolls outside an exchange give several parts. A sentence that
only fills in fields is a template, and a test checks its fields and their kinds; any other is a function. Both may
leave the full stop to the caller. The fields of a template are

- `{combatant}`: the name of a combatant, or of several; a distance in metres; any other number as it is
- `{weapon:thing}`: the name of a thing that the combatant has
- `{grapple:hold}`: a hold of the combatant, with the one held; `{grapple:held}`: the one held, and the id of the hold
- `{grapple:s}`, `{effect.value:+}`: a text as it is, a number with its sign
- `{why:why}`: the reason for an outcome
- `{source:words}`, `{why:because}`: a word of the rules as people write it, a reason to append
- `{actions:turn}`: a number of turns, or of any other word after the colon
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from mam_events.values import metres_words
from projections.phrases import because_of, count_words, join_words, points, pool

if TYPE_CHECKING:
    from msgspec import Struct

    from mam_events.commands import Command
    from mam_events.events import Event
    from projections.rulings.index import RulingContext

    Told = str | Callable[[Any, RulingContext], str]
    Sentences = dict[type[Event], Told]
    Clauses = dict[type[Command], Told]
    Parts = dict[type[Event], Told]
    Rolls = dict[type[Event], Callable[[Any, RulingContext], tuple[str, ...]]]

VALUE_WORDS: dict[str, Callable[[Any], str]] = {
    "+": "{:+}".format,
    "because": because_of,
    "point": points,
    "s": str,
    "words": pool,
}
"""The formats that need nothing but the value of the field."""


def phrase_for(table: Mapping[Any, Told], part: Struct, scene: RulingContext) -> str:
    """Return the words of that table for an event or a command."""
    phrase = table[type(part)]
    return phrase.format_map(_Field(part, part, scene)) if isinstance(phrase, str) else phrase(part, scene)


class _Field:
    """A field of an event or a command for a template; the whole event gives its fields as attributes."""

    __slots__ = ("_part", "_scene", "_value")

    def __init__(self, value: Any, part: Any, scene: RulingContext) -> None:
        self._value, self._part, self._scene = value, part, scene

    def __getitem__(self, name: str) -> _Field:
        return _Field(getattr(self._value, name), self._part, self._scene)

    __getattr__ = __getitem__

    def __format__(self, way: str) -> str:
        value, scene = self._value, self._scene
        if way == "thing":
            return scene.thing(self._part.combatant, value)
        if way == "why":
            return scene.redactor.reason(value)
        if way == "hold":
            return scene.hold(self._part.combatant, value)
        if way == "held":
            name = scene.held_name(self._part.combatant, value)
            return f"{name} ({value})" if name else f"the hold {value}"
        if way:
            return VALUE_WORDS[way](value) if way in VALUE_WORDS else count_words(value, way)
        if isinstance(value, Decimal):
            return metres_words(value)
        if isinstance(value, tuple):
            return join_words([scene.name(one) for one in value])
        return scene.name(value) if isinstance(value, str) else str(value)
