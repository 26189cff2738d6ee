"""The visibility of a ruling: `public`, one side (`side:NAME`), or only the game master (`gm`).

Everything about a hidden combatant is hidden too: a ruling is as hidden as the combatants that it names.
`mam_events/log/draft.py` writes its visibility into its head, with a salt, so that its seal reveals nothing. Refusals
hold combatants as arguments (`mam_events/refusals/arguments.py`), so that no word is taken for a name. Every view
goes through the redactor (`projections/visibility/redaction.py`), which removes rulings and combatants and blots names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from mam_events.commands import Adjust, Command, EstablishSurprise, Initiative, Join, is_reaction
from mam_events.errors import BadInput
from mam_events.events import Event
from mam_events.references import messages_in, names_in, words_in
from mam_events.refusals.arguments import Message, TextArgument, ThingArgument, named_in
from mam_events.state import Combatant, Encounter
from mam_events.values import VISIBILITY

PUBLIC = "public"
GAME_MASTER = "gm"
_EVERYBODY = frozenset({PUBLIC})
_visibility = attrgetter("visibility")


def can_see(view: str, visibility: str) -> bool:
    """Return True if that view may see something of that visibility; the game master sees everything."""
    return view == GAME_MASTER or visibility in (PUBLIC, view)


def check_visibility(visibility: str, place: str = "visibility") -> None:
    """Raise BadInput, naming the `place`, for an invalid visibility."""
    if not isinstance(visibility, str) or not re.match(VISIBILITY, visibility):
        raise BadInput('This must be "public", "gm", or "side:" and the name of a side.', place=place)


def narrowest(*visibilities: str) -> str:
    """Return the visibility that shows nothing that one of these hides; for two different sides, the game master's."""
    hidden = {visibility for visibility in visibilities if visibility != PUBLIC}
    if not hidden:
        return PUBLIC
    return hidden.pop() if len(hidden) == 1 else GAME_MASTER


def of_command(command: Command, state: Encounter, *, supposed: bool = False, by_name: bool = True) -> str:
    """Return the visibility of a ruling: that of its command, narrowed by that of everyone it concerns.

    If it is only `supposed`, no text in it counts as a name: otherwise the author would learn that it is one. Without
    `by_name` no text counts except an id, as in older logs.
    """
    if _EVERYBODY.issuperset(map(_visibility, state.combatants.values())):
        return command.visibility
    secret = secrets_of(state.combatants.values())
    # Initiative and a late join reveal the whole order.
    tells_all = isinstance(command, Initiative) or (isinstance(command, Join) and bool(state.order))
    names = _combatants if supposed else _names
    concerned = set(secret) if tells_all else names(command)
    if by_name and not supposed:
        concerned |= _called((command,), state.combatants.values())
    if isinstance(command, EstablishSurprise):
        # The outcome of stalking reveals something about everybody who stalked.
        concerned |= {name for stealth_roll in state.stealth for name in (stealth_roll.stalker, stealth_roll.target)}
    declares = isinstance(command, Adjust) and command.outcome is not None
    if state.exchange and (declares or getattr(command, "exchange", 0) == state.exchange.id):
        actions = state.exchange.actions
        if is_reaction(command):
            actions = tuple(one for one in actions if one.id in (actions[0].id, getattr(command, "action", 0)))
        concerned |= set().union(*map(names, actions))
    return narrowest(command.visibility, *(secret[name] for name in concerned if name in secret))


def of_play(
    command: Command, state: Encounter, events: Iterable[Event], *, supposed: bool = False, by_name: bool = True
) -> str:
    """Return the visibility of a play: that of its command, narrowed by that of everyone in its events.

    It may be only `supposed`. The events of a command may concern others than it names: a hold goes on in its holder's
    turn.
    """
    if _EVERYBODY.issuperset(map(_visibility, state.combatants.values())):
        return command.visibility
    visibility = of_events(events, state.combatants.values(), supposed=supposed, by_name=by_name)
    return narrowest(of_command(command, state, supposed=supposed, by_name=by_name), visibility)


def of_events(
    events: Iterable[Event | Command],
    combatants: Iterable[Combatant | Join],
    *,
    supposed: bool = False,
    by_name: bool = True,
) -> str:
    """Return the visibility of events or commands: that of every hidden combatant whom they name.

    The rules' words in events count too, and unless `supposed`, so do names in people's words.
    """
    hidden = [one for one in combatants if one.visibility != PUBLIC]
    if not hidden:
        return PUBLIC
    parts = list(events)
    concerned = set().union(*map(_combatants if supposed else _names, parts))
    if by_name and not supposed:
        concerned |= _called(parts, hidden)
    visibilities = (one.visibility for one in hidden if _id_of(one) in concerned)
    return narrowest(*visibilities, *(of_message(why, hidden) for part in parts for why in messages_in(part)))


def of_message(message: Message, combatants: Iterable[Combatant | Join]) -> str:
    """Return the visibility of a message: that of everyone whom it, its things or people's words in it name."""
    arguments = list(named_in(message))
    ids = {
        one.owner if isinstance(one, ThingArgument) else one.id
        for one in arguments
        if not isinstance(one, TextArgument)
    }
    text = " ".join(
        one.text if isinstance(one, TextArgument) else one.name
        for one in arguments
        if isinstance(one, TextArgument | ThingArgument)
    )
    return narrowest(
        *(
            one.visibility
            for one in combatants
            if _id_of(one) in ids or name_pattern((one.name, _id_of(one))).search(f"{text} {message.wrong}")
        )
    )


def name_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of those names as a whole word, and the longest name that fits."""
    words = sorted(filter(None, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words)) or '(?!)'})(?!\w)", re.IGNORECASE)


def secrets_of(combatants: Iterable[Combatant | Join]) -> dict[str, str]:
    """Return the hidden combatants with their visibility."""
    return {_id_of(one): one.visibility for one in combatants if one.visibility != PUBLIC}


def _id_of(one: Combatant | Join) -> str:
    return one.combatant if isinstance(one, Join) else one.id


def _combatants(part: Any) -> set[str]:
    """Return everyone whom a command, an event or an action names as a combatant."""
    return {str(name.value) for name in names_in(part) if "combatant" in name.kinds}


def _called(parts: Iterable[Any], combatants: Iterable[Combatant | Join]) -> set[str]:
    """Return the hidden combatants whose name or id is the whole of a text of those parts, in any spelling."""
    names: dict[str, set[str]] = {}
    for one in combatants:
        if one.visibility != PUBLIC:
            for word in (one.name, _id_of(one)):
                names.setdefault(word.casefold(), set()).add(_id_of(one))
    words = (word for part in parts for word in words_in(part)) if names else ()
    return set().union(*(names.get(word.strip().casefold(), ()) for word in words))


def _names(value: Any) -> set[str]:
    # Treat every text as a name: it is better to hide one ruling too many than to reveal somebody.
    if isinstance(value, str):
        return {value}
    if isinstance(value, tuple):
        return set().union(*(_names(part) for part in value))
    if isinstance(value, dict):
        return set().union(*(_names(part) for part in (*value, *value.values())))
    fields = getattr(value, "__struct_fields__", ())
    return set().union(*(_names(getattr(value, field)) for field in fields))
