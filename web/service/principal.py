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
    """A caller of the service: their `rank`, their name in the log, and what they may see and do.

    `name` is "" if they may choose it. `encounter` is the one encounter that they may see; "" means all for the game
    master, and for a player each one they play in. They act for `combatants`. `token` is the id of their token, "" for
    a request from this machine.
    """

    rank: Rank
    name: str = ""
    encounter: str = ""
    combatants: tuple[str, ...] = ()
    token: str = ""

    def has_rank(self, rank: Rank) -> bool:
        """Return True if the principal has that role or a higher one."""
        return RANKS.index(self.rank) >= RANKS.index(rank)

    def seated(self, encounter: str, people: Mapping[str, Combatant]) -> Principal | None:
        """Return the principal as they are in that fight, or None for a player without a character in `people`."""
        if self.rank != "player" or self.encounter:
            return self
        own = characters(self.combatants, people)
        return replace(self, encounter=encounter, combatants=own) if own else None

    @property
    def rights(self) -> Rights:
        """The principal's right to write."""
        return Rights(self.rank if self.rank != "anybody" else "viewer", self.name, self.combatants)

    def view_of(self, timeline: Timeline) -> str:
        """Return the principal's view of the fight."""
        return self.rights.view(timeline)


LOCAL_GM = Principal("gm")
"""The principal of a request from this machine without a token."""
ANONYMOUS = Principal("anybody")
