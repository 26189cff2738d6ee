"""The rights of players: they act for their own, and take back what they did last until the next one acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Resolve, actor_of, name_of
from mam_events.events import Note, Play, Strike
from web.service.problems import forbidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mam_events.commands import Command
    from mam_events.events import Head, Step
    from mam_events.rulings.timeline import Timeline
    from web.service.asking import Pass

OF_THE_MASTER = frozenset({"open", "join", "initiative", "adjust", "change-rules", "close", "roll-initiative"})
"""Orders that are the game master's, whoever they name."""


def check_order(who: Pass, timeline: Timeline, command: Command) -> None:
    """Raise HttpError for an order that is not this player's to give."""
    if who.at_least("gm"):
        return
    name = name_of(command)
    if isinstance(command, Resolve):
        _check_resolve(who, timeline, command)
        return
    actor = actor_of(command)
    if name in OF_THE_MASTER or not actor:
        raise forbidden(f"{name} is the game master's to order; you act for {_own(who)}.")
    if actor not in who.combatants:
        raise forbidden(f'You act for {_own(who)}, not for "{actor}".')
    if getattr(command, "situation", ()):
        raise forbidden("What circumstances add to a roll is the game master's word; say so at the table.")
    others = (field for field in command.__struct_fields__ if field.startswith("oppo") or field == "again")
    if thrown := [field for field in others if getattr(command, field)]:
        _refuse_dice(thrown)
    if command.visibility not in ("public", who.view_of(timeline)):
        raise forbidden("What you order may be hidden from other sides at most.")


def _check_resolve(who: Pass, timeline: Timeline, command: Resolve) -> None:
    exchange = timeline.state.exchange
    root = exchange.root if exchange is not None and exchange.id == command.exchange else None
    if root is None or not {root.combatant, root.target} & set(who.combatants):
        raise forbidden(f"An exchange is resolved by who is in it; you act for {_own(who)}.")
    given = {field for field in command.__struct_fields__ if field.endswith("_die") and getattr(command, field)}
    own = {"attack_die", "confirmation_die"} if root.combatant in who.combatants else {"defense_die"}
    if root.target in who.combatants:
        own.add("defense_die")
    if others := sorted(given - own):
        _refuse_dice(others)


def _refuse_dice(fields: list[str]) -> None:
    raise forbidden(f"{', '.join(fields)}: whoever throws a die gives its face; leave it out and it is drawn.")


def check_own_undo(who: Pass, timeline: Timeline, steps: Sequence[Step]) -> None:
    """Raise HttpError where a player would take back by those steps what is not his, or before the newest ruling."""
    if who.at_least("gm"):
        return
    # What he only remarked is in nobody's way.
    heads = (head for head in reversed(timeline.heads) if not (isinstance(head, Note) and head.by == who.name))
    newest = next((head.ruling for head in heads), 0)
    own = all(isinstance(step, Strike) and _is_own(who, timeline.head(step.ruling)) for step in steps)
    if not own or newest not in {step.ruling for step in steps}:
        raise forbidden(
            "You may take back your own last ruling, until somebody else acts; what is older is disputed instead "
            "(POST …/disputes)."
        )


def _is_own(who: Pass, head: Head) -> bool:
    if not isinstance(head, Play) or head.by != who.name:
        return False
    return isinstance(head.command, Resolve) or actor_of(head.command) in who.combatants


def _own(who: Pass) -> str:
    return " and ".join(f'"{name}"' for name in who.combatants) or "nobody"
