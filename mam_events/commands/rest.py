"""Orders about rest between fights, or in a long one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Situated
from mam_events.values import CombatantId, DieKind, Face, Modifier, Points

Quality = Literal["weekly", "perfect", "daily", "hourly", "sudden"]


class Heal(Situated, frozen=True):
    """A week of rest, or less where `quality` makes it so: damage falls (MAM-REST-01), the more if a roll succeeds.

    `rest_days` are days without strenuous activity (MAM-REST-02), `opposition` a number for each adverse factor
    (MAM-REST-04), `kind` the die where not both sides roll (None: a d20).
    """

    actor = "combatant"
    combatant: CombatantId
    rest_days: Points = 0
    regeneration: Modifier = 0
    quality: Quality = "weekly"
    opposition: Annotated[tuple[Points, ...], Meta(max_length=20)] = ()
    healer: Modifier = 0
    kind: DieKind | None = None
    die: Face | None = None
    opposing_die: Face | None = None
    confirmation_die: Face | None = None
    opposing_confirmation_die: Face | None = None
