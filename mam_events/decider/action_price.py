"""The price of an action in points."""

from __future__ import annotations

from msgspec import Struct

from mam_events.errors import Refused


class ActionPrice(Struct, frozen=True):
    """The price asked for an action: points into each pool, out of the `fields` of the command, by that rule."""

    to_defense: int = 0
    to_other_used: int = 0
    fields: tuple[str, ...] = ("points",)
    rule: str = "MAM-PHASE-04"

    @property
    def points(self) -> int:
        """All of it."""
        return self.to_defense + self.to_other_used


def no_points(points: int, fields: tuple[str, ...] = ("points",), rule: str = "MAM-TURN-07") -> None:
    """Refused with `points_not_spent` for any points."""
    if points:
        raise Refused("points_not_spent/here", modifier="modifier" in fields, rule=rule, fields=fields)
