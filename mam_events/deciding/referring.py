"""Refusals that name people by reference: each view is told of them what it may know, and the words around stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from msgspec.structs import replace

from mam_events.errors import Refused
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from mam_events.state import Combatant, Encounter

_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")

# No text that people give has control characters in it (`values.Text`).
_NAME = "\x01([^\x02]*)\x02([^\x03]*)\x03"
_THING = "\x04([^\x05]*)\x05"
AND = "(, | and | or )"
"""The words between the names of a list in a sentence of the rules."""
_SEVERAL = f"{_NAME}(?:{AND}{_NAME})+"


def referring(
    ask: Callable[Concatenate[Encounter, _Rest], _Answer],
) -> Callable[Concatenate[Encounter, _Rest], _Answer]:
    """Let what is asked of a state and refused also tell by reference whom the refusal names, where somebody in that
    state is hidden: it is asked once more of the same fight in which everybody is called by a reference.
    """

    @wraps(ask)
    def asked(state: Encounter, /, *rest: _Rest.args, **more: _Rest.kwargs) -> _Answer:
        try:
            return ask(state, *rest, **more)
        except Refused as no:
            if any(who.visibility != PUBLIC for who in state.combatants.values()):
                everybody = {who.id: _by_reference(who) for who in state.combatants.values()}
                try:
                    ask(replace(state, combatants=everybody), *rest, **more)
                except Refused as same:
                    no.told = same.told or same.sentence
            raise

    return asked


def resolve(told: str, hidden: Collection[str], unseen: str, text: Callable[[str], str]) -> str:
    """Return the sentence with the names in it, `unseen` for everybody `hidden`, and what `text` makes of what things
    are called.
    """

    def several(found: re.Match[str]) -> str:
        names = [(who, name) for who, name in re.findall(_NAME, found[0])]
        *_, word = re.findall(AND, re.sub(_NAME, "", found[0]))
        return join_names([unseen if who in hidden else name for who, name in names], word, unseen)

    one_by_one = re.sub(_SEVERAL, several, told)
    named = re.sub(_NAME, lambda found: unseen if found[1] in hidden else found[2], one_by_one)
    return re.sub(_THING, lambda found: text(found[1]), named)


def join_names(names: Sequence[str], word: str, unseen: str) -> str:
    """Return the names with that word before the last, those who are `unseen` once and last: neither their number nor
    their place is told.
    """
    shown = [name for name in names if name != unseen] + [unseen] * (unseen in names)
    *first, last = shown
    return f"{', '.join(first)}{word}{last}" if first else last


def _by_reference(who: Combatant) -> Combatant:
    statistics = replace(who.statistics, armor=tuple(map(_quoted, who.statistics.armor)))
    return replace(
        who,
        name=f"\x01{who.id}\x02{who.name}\x03",
        weapons=tuple(map(_quoted, who.weapons)),
        equipment=tuple(map(_quoted, who.equipment)),
        statistics=statistics,
    )


def _quoted(thing: Any) -> Any:
    return replace(thing, name=f"\x04{thing.name}\x05") if thing.name else thing
