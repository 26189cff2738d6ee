"""Commands before the first turn: stealth, surprise, postures."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Command, TakesGmModifiers
from mam_events.commands.fields import Helping
from mam_events.values import GM_OWNER, CombatantId, Face, of_actor, of_roller

Posture = Literal["evading", "ready_to_counter"]


class Stalk(TakesGmModifiers, frozen=True):
    """Try to surprise somebody before the fight.

    Roll stealth against 10 plus the target's detection (MAM-SURP-01).
    """

    bare = ("combatant", "target")
    also_bare = ("die",)
    examples = ("stalk modre clone --die 14", "stalk modre clone 14", "stalk clone modre --circumstance favourable")

    opposing = ("target",)
    combatant: Annotated[CombatantId, of_actor("Who stalks.")]
    target: Annotated[CombatantId, of_actor("Whom they stalk.")]
    die: Annotated[Face | None, of_roller("The face that was thrown (drawn, if left out).")] = None
    confirmation_die: Annotated[Face | None, of_roller("The face of a second throw, if one is due.")] = None
    circumstance: Helping = ()


class EstablishSurprise(Command, frozen=True):
    """Settle who surprised whom.

    Somebody has the advantage, or nobody, or the two never meet (MAM-SURP-02).
    """

    given_by = GM_OWNER

    examples = ("establish-surprise",)


class TakePosture(Command, frozen=True):
    """Begin the fight evading, or ready to counter.

    It is possible only if the fight did not begin with a surprise attack (MAM-SURP-04).
    """

    bare = ("combatant", "posture")
    examples = ("take-posture modre evading", "take-posture clone ready_to_counter")

    combatant: Annotated[CombatantId, of_actor("Who begins the fight that way.")]
    posture: Annotated[Posture, of_actor("The posture: evading, or ready_to_counter.")]
