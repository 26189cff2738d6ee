"""Who may see a ruling: `public`, one side (`side:NAME`), or the game master alone (`gm`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mam_events.commands import Adjust, Initiative, Join

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mam_events.commands import Command
    from mam_events.events import Event
    from mam_events.state import Combatant, Encounter

PUBLIC = "public"
GAME_MASTER = "gm"


def can_see(view: str, visibility: str) -> bool:
    """Whether somebody with that view sees something of that visibility; the game master sees everything."""
    return view == GAME_MASTER or visibility in (PUBLIC, view)


def narrowest(*visibilities: str) -> str:
    """The visibility that shows to nobody what one of them hides; two different sides leave the game master."""
    hidden = {visibility for visibility in visibilities if visibility != PUBLIC}
    if not hidden:
        return PUBLIC
    return hidden.pop() if len(hidden) == 1 else GAME_MASTER


def of_command(command: Command, state: Encounter) -> str:
    """The visibility of a ruling: its own, narrowed by that of everybody it concerns."""
    secret = secrets_of(state.combatants.values())
    if not secret:
        return command.visibility
    # Initiative and a late joiner tell the whole order.
    tells_all = isinstance(command, Initiative) or (isinstance(command, Join) and bool(state.order))
    concerned = set(secret) if tells_all else _names(command)
    if state.exchange and (getattr(command, "exchange", 0) == state.exchange.id or _declares(command)):
        for action in state.exchange.actions:
            concerned |= {action.combatant, action.target}
    return narrowest(command.visibility, *(secret[name] for name in concerned if name in secret))


def of_facts(facts: Iterable[Event], secret: Mapping[str, str]) -> str:
    """The visibility of facts, where `secret` says who is hidden, and to what extent."""
    if not secret:
        return PUBLIC
    concerned = set().union(*(_names(fact) for fact in facts))
    return narrowest(*(secret[name] for name in concerned if name in secret))


def secrets_of(combatants: Iterable[Combatant]) -> dict[str, str]:
    """Who is hidden, and to what extent."""
    return {combatant.id: combatant.visibility for combatant in combatants if combatant.visibility != PUBLIC}


def _declares(command: Command) -> bool:
    return isinstance(command, Adjust) and command.outcome is not None


def _names(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, tuple):
        return set().union(*(_names(part) for part in value))
    if isinstance(value, dict):
        return set().union(*(_names(part) for part in (*value, *value.values())))
    fields = getattr(value, "__struct_fields__", ())
    return set().union(*(_names(getattr(value, field)) for field in fields))
