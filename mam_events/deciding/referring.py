"""Refusals that name people by reference: each view is told of them what it may know, and the words around stay."""

from __future__ import annotations

import re
from collections.abc import Callable
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
_REFERENCE = "\x01([^\x02]*)\x02([^\x03]*)\x03|\x04([^\x05]*)\x05"


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
                    no.told = same.sentence
            raise

    return asked


def resolve(told: str, name: Callable[[str, str], str], text: Callable[[str], str]) -> str:
    """The sentence with what `name` makes of each id and name in it, and `text` of what things are called."""
    return re.sub(_REFERENCE, lambda found: text(found[3]) if found[1] is None else name(found[1], found[2]), told)


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
