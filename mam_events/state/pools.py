"""The five pools of hit points."""

from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

Pool = Literal["ready", "defense", "other_used", "stun", "damage"]
POOLS: tuple[str, ...] = get_args(Pool)


class Pools(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The five pools of one combatant in points; their sum is always its hit points (MAM-POOL-01, MAM-POOL-09)."""

    ready: int = 0
    defense: int = 0
    other_used: int = 0
    stun: int = 0
    damage: int = 0

    @property
    def available(self) -> int:
        """The points in neither stun nor damage."""
        return self.ready + self.defense + self.other_used

    @property
    def total(self) -> int:
        """The sum of all five pools: the hit points."""
        return self.available + self.stun + self.damage

    def move(self, source: Pool, target: Pool, points: int) -> "Pools":
        """Return the pools after `points` moved from `source` to `target`; the caller checks that they are there."""
        if source == target or points == 0:
            return self
        return replace(self, **{source: getattr(self, source) - points, target: getattr(self, target) + points})
