"""The principal of a request, and what they may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.permissions import Rights
from mam_events.tokens import characters
from web.service.endpoints import RANKS, Rank

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Combatant


class Principal(Struct, frozen=True):
    """Somebody who came in: his `rank`, his name in the log ("": whatever he says), the one encounter that he may see
    ("": all for the game master, for a player every one in which he plays), for whom he acts, and by which token ("":
    from this very machine).
    """

    rank: Rank
    name: str = ""
    encounter: str = ""
    combatants: tuple[str, ...] = ()
    token: str = ""

    def at_least(self, rank: Rank) -> bool:
        """True if he may what that role may."""
        return RANKS.index(self.rank) >= RANKS.index(rank)

    def seated(self, encounter: str, known: Mapping[str, Combatant]) -> Principal | None:
        """Return the same for that fight, which has the `known`; None for a player who has no character there."""
        if self.rank != "player" or self.encounter:
            return self
        own = characters(self.combatants, known)
        return replace(self, encounter=encounter, combatants=own) if own else None

    @property
    def rights(self) -> Rights:
        """Whatever he may write."""
        return Rights(self.rank if self.rank != "anybody" else "viewer", self.name, self.combatants)

    def view_of(self, timeline: Timeline) -> str:
        """His view of the fight."""
        return self.rights.view(timeline)


LOCAL_GM = Principal("gm")
"""Whoever sits at this very machine."""
ANONYMOUS = Principal("anybody")
