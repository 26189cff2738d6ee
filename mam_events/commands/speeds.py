"""Commands that let a turn pass, or put it off."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Reason
from mam_events.values import CombatantId, of_actor


class SkipTurn(Command, frozen=True):
    """Skip a turn.

    Nothing may have been done in it yet (MAM-TURN-05).
    """

    bare = ("combatant",)
    examples = ("skip-turn", 'skip-turn giant --reason "It is slow"')

    boundary = True
    combatant: Annotated[
        CombatantId,
        of_actor("Whose turn is skipped (the one in progress, or the next, if left out).", unsaid="whose turn or next"),
    ]
    reason: Reason = ""


class DelayTurn(Command, frozen=True):
    """Delay a turn until after somebody else's.

    Combatants can delay only their own turn (MAM-TURN-09).
    """

    bare = ("combatant", "after")
    examples = ("delay-turn modre clone",)

    combatant: Annotated[CombatantId, of_actor("Whose turn waits.")]
    after: Annotated[CombatantId, of_actor("Whose turn it waits for.")]
