"""Equipment that is used several times in a round: only what is fit for it, up to what it can do (RD6-MAP-05)."""

from __future__ import annotations

from mam_events.errors import Refused, nearest
from mam_events.rules.ruleset import Ruleset
from mam_events.state import BODY, Combatant, Item, Weapon

REVISION = 1


def usable(combatant: Combatant, thing_id: str, action: str, ruleset: Ruleset) -> None:
    """Refused with `unknown_item`, or with `not_quick` where it cannot be used once more in this round by that action.

    The bare body, hands and feet, is always fit for it. What makes equipment ready is no use of it.
    """
    thing = next((thing for thing in combatant.things if thing.id == thing_id), None)
    if thing is None or thing_id in combatant.dropped:
        carried = [thing.id for thing in combatant.things if thing.id not in combatant.dropped]
        raise Refused(
            "unknown_item",
            f'{combatant.name} has no "{thing_id}"; {nearest(thing_id, carried)}',
            rule="RD6-MAP-05",
            fields=("equipment",),
        )
    table = ruleset.tables["rd6_actions"]
    if "handles" in table[action]:
        return
    used = [
        one for one in combatant.actions.handled if one.equipment == thing_id and "handles" not in table[one.action]
    ]
    most = capability(thing) if isinstance(thing, Weapon | Item) else 1
    if most and len(used) >= most:
        raise Refused(
            "not_quick",
            f"The {thing.name or thing.id} can be used {_times(most)} in a round, and was; what is quick is used more "
            "often. Making it ready is no use.",
            rule="RD6-MAP-05",
            fields=("equipment",),
        )


def capability(thing: Weapon | Item) -> int:
    """How often that thing can be used in a round; 0 where nothing but actions limits it."""
    if thing.id == BODY:
        return 0
    return thing.uses if thing.quick else 1


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
