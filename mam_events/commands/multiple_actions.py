"""Orders of a round of Ron d6: how many actions, which ones, and what becomes of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Command, Situated
from mam_events.values import (
    Code,
    CombatantId,
    Faces,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalRulingNumber,
    OptionalThingId,
    RulingNumber,
    Slug,
    Text,
)

MovedUpFor = Literal["catch", "resist_mental_attempt", "gm_allows", "dodge", "parry"]
FreeRoll = Literal["damage", "resistance", "emotion", "glance"]
Count = Annotated[int, Meta(ge=1, le=1000)]


class Declare(Command, frozen=True):
    """One's turn begins with the number of actions it takes in this round (RD6-ACT-02); no more can be added."""

    actor = "combatant"
    boundary = True
    combatant: CombatantId
    actions: Count = 1


class ActionOrder(Situated, frozen=True):
    """What is done with one action (RD6-LIST): its kind, the `skill` with its `code`, against which `difficulty`.

    Without a code it is done with the combatant's own in that skill, or, where the kind needs no roll, without one.
    `equipment` is what it is done with, `part` what of the target it is aimed at, `metres` how far a move goes,
    `mental` tells that nothing of it is physical, so that also somebody held down can do it (RD6-LIST-tackle),
    `related` are the rulings of related skills that help it (RD6-REL-02), `dice` the faces, the wild die last with what
    it explodes into behind it.
    """

    actor = "combatant"
    begins_exchange = True
    combatant: CombatantId
    action: Slug
    skill: Text = ""
    code: Code | None = None
    target: OptionalCombatantId = ""
    difficulty: Modifier | None = None
    equipment: OptionalThingId = ""
    part: Text = ""
    metres: Metres | None = None
    what: Text = ""
    mental: bool = False
    related: tuple[RulingNumber, ...] = ()
    dice: Faces = ()


class Perform(ActionOrder, frozen=True):
    """Use one of the declared actions, in one's turn or after having waited (RD6-ACT-03)."""


class Interrupt(ActionOrder, frozen=True, kw_only=True):
    """Use one of the declared actions before the result of somebody else's is declared (RD6-ACT-04)."""

    against: RulingNumber


class Wait(Command, frozen=True):
    """Use one of the declared actions to wait for somebody else's (RD6-ACT-03); no roll."""

    actor = "combatant"
    combatant: CombatantId


class MoveUp(Command, frozen=True):
    """Take one's turn early to react (RD6-ACT-06), with so many actions; `against` is the action reacted to."""

    actor = "combatant"
    boundary = True
    combatant: CombatantId
    because: MovedUpFor
    actions: Count = 1
    against: OptionalRulingNumber = 0
    reason: Text = ""


class Result(Command, frozen=True):
    """The game master declares what comes of an action, which closes its window (RD6-ACT-04).

    Without an `outcome` the total is compared with the difficulty.
    """

    exchange: RulingNumber
    outcome: Literal["", "success", "failure"] = ""
    text: Text = ""


class RollRelated(Situated, frozen=True):
    """Roll a related skill before the `primary` one, a skill or an action of the list (RD6-REL-01); it is an action
    unless it is `merged` (RD6-REL-03).
    """

    actor = "combatant"
    combatant: CombatantId
    skill: Text
    difficulty: Modifier
    primary: Text
    code: Code | None = None
    merged: bool = False
    dice: Faces = ()


class Roll(Situated, frozen=True):
    """A roll that is no action (RD6-FREE-01, RD6-FREE-02): damage, resisting it, an emotional effect, a glance."""

    actor = "combatant"
    combatant: CombatantId
    what: FreeRoll
    skill: Text = ""
    code: Code | None = None
    difficulty: Modifier | None = None
    dice: Faces = ()
