"""Commands about rest between fights, or in a long one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import TakesGmModifiers
from mam_events.commands.fields import MaybeThrown, SecondFace, ThrownFace
from mam_events.values import GM_OWNER, CombatantId, Face, Modifier, Points, description

Quality = Literal["weekly", "perfect", "daily", "hourly", "sudden"]


class Heal(TakesGmModifiers, frozen=True):
    """Rest to heal damage.

    A week of rest moves damage to other used, and more of it if the healing roll succeeds (MAM-REST-01 to -05).
    """

    given_by = GM_OWNER

    bare = ("combatant", "rest_days")
    slots = ()
    examples = ("heal modre 7 --regeneration 1 --opposition 3 --die 5 --opposing-die 2", "heal modre 4")

    combatant: Annotated[CombatantId, description("Who rests.")]
    rest_days: Annotated[Points, description("Days without strenuous activity, at most 7 (0).")] = 0
    regeneration: Annotated[Modifier, description("The regeneration modifier (0).")] = 0
    quality: Annotated[Quality, description("The quality of the regeneration (weekly).")] = "weekly"
    opposition: Annotated[
        Annotated[tuple[Points, ...], Meta(max_length=20)],
        description("An adverse factor, at most 5 (repeatable)."),
    ] = ()
    healer: Annotated[Modifier, description("The modifier of a healer, if the house rules count it.")] = 0
    kind: MaybeThrown = None
    die: ThrownFace = None
    opposing_die: Annotated[
        Face | None, description("The face thrown for the opposition, if a die opposes the roll (drawn, if left out).")
    ] = None
    confirmation_die: SecondFace = None
    opposing_confirmation_die: Annotated[Face | None, description("The face of the opposition's second throw.")] = None
