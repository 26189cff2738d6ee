"""Points of a manipulation as they are typed: a single number, or `p2`; and the error if they are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mam_events.errors import Refused
from mam_events.values import OutcomeField

if TYPE_CHECKING:
    from mam_events.notation.context import LineContext

MANIPULATION_ORDERS = ("manipulate", "tackle", "escape")
"""Orders that are manipulations."""
SQUEEZES = ("choke", "wrench")
DICE_PER_GRIP = 2
"""The number of dice thrown for a manipulation: its own, and the one against it."""
_FULL: OutcomeField = "full"


def give_points(fight: LineContext, do: str, actor: str, fields: dict[str, Any], faces: list[str]) -> None:
    """Set the points of a manipulation that were typed as `p2`, or as a number alone or before its dice.

    Such a number is removed from the faces. By hand the points manipulate, and only set that field; a choke, a wrench
    and a missile take power (MAM-MNP-03, MAM-MNP-06).
    """
    if do not in MANIPULATION_ORDERS:
        return
    by_hand = _is_by_hand(fight, actor, fields)
    if by_hand and "points" not in fields and "power" in fields:
        fields["points"] = fields.pop("power")
    name = "points" if by_hand else "power"
    counts = len(faces) == 1 or len(faces) > DICE_PER_GRIP
    if name not in fields and counts and faces[0].isdecimal() and _spends_points(fight):
        fields[name] = int(faces.pop(0))


def check_points(fight: LineContext, do: str, actor: str, fields: Mapping[str, Any]) -> None:
    """Raise Refused with `below_required_amount` for a manipulation by hand that has no effect without points.

    The rule is MAM-MNP-01 with `manipulation_no_advantage`.
    """
    if (
        do not in MANIPULATION_ORDERS
        or "points" in fields
        or not _spends_points(fight)
        or not _is_by_hand(fight, actor, fields)
    ):
        return
    from mam_events.rules.grappling.manipulation_numbers import by_size, manipulation_result  # noqa: PLC0415 - only grips read it

    me, other = fight.person(actor), fight.person(_target(fight, do, fields))
    if me is None or other is None or not fight.allowed(do, actor):
        # The rules refuse an impossible order with their own reason.
        return
    grip = by_size(me.statistics.size, 0, other.statistics.size)
    if not manipulation_result(grip, _FULL, fight.ruleset, fields.get("follow_up", "none")).effective:
        raise Refused("below_required_amount/in_vain", rule="MAM-MNP-01", fields=("points",))


def _target(fight: LineContext, do: str, fields: Mapping[str, Any]) -> str:
    exchange = fight.state.exchange
    if do != "tackle":
        return str(fields.get("target") or fields.get("holder") or "")
    return exchange.root.combatant if exchange and "action" not in fields else ""


def _is_by_hand(fight: LineContext, actor: str, fields: Mapping[str, Any]) -> bool:
    """Return True for a manipulation that is measured by size and points."""
    me = fight.person(actor)
    weapon = me.weapon(fields.get("weapon", "")) if me else None
    shot = weapon is not None and weapon.is_missile and weapon.kind != "thrown"
    return fields.get("follow_up") not in SQUEEZES and not fields.get("thrown") and not shot


def _spends_points(fight: LineContext) -> bool:
    """Return True where actions cost points."""
    return "ready_refresh_amount" in fight.ruleset
