"""Commands of a prepared counterattack."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor
from mam_events.values import RulingNumber, of_actor


class PrepareCounterattack(Command, frozen=True):
    """Prepare to strike back before the next attack.

    It takes the whole turn: nothing else may have been done in it (MAM-CTR-01).
    """

    bare = ("combatant",)
    examples = ("prepare-counterattack", "prepare-counterattack clone")

    boundary = True
    combatant: Actor


class ChangeAction(Command, frozen=True):
    """Change a declared action after a counterattack.

    The action or combo is withdrawn, and the turn goes on. Movement already made stays (MAM-CTR-03).
    """

    bare = ("combatant",)
    examples = ("change-action", "change-action clone")

    combatant: Actor
    exchange: Annotated[
        RulingNumber,
        of_actor(
            "The action to change, by the ruling that declared it (the last, if left out).", unsaid="what was declared"
        ),
    ]
