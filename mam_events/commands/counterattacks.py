"""Orders of a prepared counterattack."""

from __future__ import annotations

from typing import Annotated

from mam_events.commands.base import Command
from mam_events.commands.fields import Actor
from mam_events.values import RulingNumber, says


class PrepareCounterattack(Command, frozen=True):
    """Wait, instead of moving and acting, until somebody attacks (MAM-CTR-01); the turn is over with it."""

    actor = "combatant"
    boundary = True
    combatant: Actor


class ChangeAction(Command, frozen=True):
    """Take back a declared action or combo after a counterattack came before it, to do something else (MAM-CTR-03).

    `exchange` is the number of the ruling that declared it.
    """

    actor = "combatant"
    combatant: Actor
    exchange: Annotated[RulingNumber, says("What is changed: the ruling that declared it; the last.")]
