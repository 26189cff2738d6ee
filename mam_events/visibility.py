"""Who may see a ruling: `public`, one side (`side:NAME`), or the game master alone (`gm`)."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from mam_events.commands import Adjust, Initiative, Join
from mam_events.commands.surprise import EstablishSurprise
from mam_events.errors import BadInput
from mam_events.values import VISIBILITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mam_events.commands import Command
    from mam_events.events import Event
    from mam_events.state import Combatant, Encounter

PUBLIC = "public"
GAME_MASTER = "gm"
_EVERYBODY = frozenset({PUBLIC})
_visibility = attrgetter("visibility")


def can_see(view: str, visibility: str) -> bool:
    """Whether somebody with that view sees something of that visibility; the game master sees everything."""
    return view == GAME_MASTER or visibility in (PUBLIC, view)


def check_visibility(visibility: str, place: str = "visibility") -> None:
    """Raise BadInput, which names the `place`, for what is none."""
    if not isinstance(visibility, str) or not re.match(VISIBILITY, visibility):
        raise BadInput('this is "public", "gm", or "side:" and the name of a side.', place=place)


def narrowest(*visibilities: str) -> str:
    """The visibility that shows to nobody what one of them hides; two different sides leave the game master."""
    hidden = {visibility for visibility in visibilities if visibility != PUBLIC}
    if not hidden:
        return PUBLIC
    return hidden.pop() if len(hidden) == 1 else GAME_MASTER


def of_command(command: Command, state: Encounter) -> str:
    """The visibility of a ruling: its own, narrowed by that of everybody it concerns."""
    if _EVERYBODY.issuperset(map(_visibility, state.combatants.values())):
        return command.visibility
    secret = secrets_of(state.combatants.values())
    # Initiative and a late joiner tell the whole order.
    tells_all = isinstance(command, Initiative) or (isinstance(command, Join) and bool(state.order))
    concerned = set(secret) if tells_all else _names(command)
    if isinstance(command, EstablishSurprise):
        # What stalking came to tells of everybody who stalked.
        concerned |= {name for rolled in state.stealth for name in (rolled.stalker, rolled.target)}
    if state.exchange and (getattr(command, "exchange", 0) == state.exchange.id or _declares(command)):
        concerned |= _names(state.exchange.actions)
    return narrowest(command.visibility, *(secret[name] for name in concerned if name in secret))


def of_play(command: Command, state: Encounter, facts: Iterable[Event]) -> str:
    """The visibility of a play: that of its command, narrowed by that of everybody its facts tell of.

    What comes of an order may concern others than it names: a hold goes on in its holder's turn.
    """
    if _EVERYBODY.issuperset(map(_visibility, state.combatants.values())):
        return command.visibility
    return narrowest(of_command(command, state), of_facts(facts, secrets_of(state.combatants.values())))


def of_facts(facts: Iterable[Event | Command], secret: Mapping[str, str]) -> str:
    """The visibility of facts, or of orders, where `secret` says who is hidden, and to what extent."""
    if not secret:
        return PUBLIC
    concerned = set().union(*(_names(fact) for fact in facts))
    return narrowest(*(secret[name] for name in concerned if name in secret))


def of_text(text: str, combatants: Iterable[Combatant | Join]) -> str:
    """The visibility of a text that may call somebody hidden by name or id."""
    return narrowest(*(one.visibility for one in combatants if naming((one.name, _id_of(one))).search(text)))


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """Finds any of those names in a text as a word of its own; of two that begin alike the longer one."""
    words = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words)) or '(?!)'})(?!\w)", re.IGNORECASE)


def secrets_of(combatants: Iterable[Combatant | Join]) -> dict[str, str]:
    """Who is hidden, and to what extent."""
    return {_id_of(one): one.visibility for one in combatants if one.visibility != PUBLIC}


def _id_of(one: Combatant | Join) -> str:
    return one.combatant if isinstance(one, Join) else one.id


def _declares(command: Command) -> bool:
    return isinstance(command, Adjust) and command.outcome is not None


def _names(value: Any) -> set[str]:
    # Every text counts as a name: better hide a ruling that only sounds like one than show one that is about somebody.
    if isinstance(value, str):
        return {value}
    if isinstance(value, tuple):
        return set().union(*(_names(part) for part in value))
    if isinstance(value, dict):
        return set().union(*(_names(part) for part in (*value, *value.values())))
    fields = getattr(value, "__struct_fields__", ())
    return set().union(*(_names(getattr(value, field)) for field in fields))
