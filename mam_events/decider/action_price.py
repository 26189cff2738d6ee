"""The price of an action in points."""

from __future__ import annotations

from msgspec import Struct

from mam_events.errors import Refused


class ActionPrice(Struct, frozen=True):
    """The price of an action: the points for each pool, the `fields` of the command that hold them, and the rule."""

    to_defense: int = 0
    to_other_used: int = 0
    fields: tuple[str, ...] = ("points",)
    rule: str = "MAM-PHASE-04"

    @property
    def points(self) -> int:
        """The total points."""
        return self.to_defense + self.to_other_used


def no_points(points: int, fields: tuple[str, ...] = ("points",), rule: str = "MAM-TURN-07") -> None:
    """Raise Refused with `points_not_spent` for any points."""
    if points:
        raise Refused("points_not_spent/here", modifier="modifier" in fields, rule=rule, fields=fields)
