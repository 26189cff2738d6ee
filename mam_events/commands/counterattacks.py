"""Commands of a prepared counterattack."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor
from mam_events.values import RulingNumber, of_actor


class PrepareCounterattack(Command, frozen=True):
    """Wait, and strike back before the next attack.

    The turn is over with it; nothing else may have been done in it (MAM-CTR-01).
    """

    bare = ("combatant",)
    examples = ("prepare-counterattack", "prepare-counterattack clone")

    boundary = True
    combatant: Actor


class ChangeAction(Command, frozen=True):
    """Change what was declared, after a counterattack.

    It is taken back, and the turn goes on; what was moved before stays moved (MAM-CTR-03).
    """

    bare = ("combatant",)
    examples = ("change-action", "change-action clone")

    combatant: Actor
    exchange: Annotated[
        RulingNumber,
        of_actor(
            "What is changed, by the ruling that declared it (the last, if left out).", unsaid="what was declared"
        ),
    ]
