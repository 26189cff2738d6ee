"""Orders of a round of Ron d6: how many actions, which ones, and what becomes of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import Actor, CodeFaces, OwnCode
from mam_events.values import (
    CombatantId,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalRulingNumber,
    OptionalThingId,
    RulingNumber,
    Slug,
    Text,
    says,
)

MovedUpFor = Literal["catch", "resist_mental_attempt", "gm_allows", "dodge", "parry"]
FreeRoll = Literal["damage", "resistance", "emotion", "glance"]
Count = Annotated[int, Meta(ge=1, le=1000)]


class Declare(Command, frozen=True):
    """One's turn begins with the number of actions it takes in this round (RD6-ACT-02); no more can be added."""

    actor = "combatant"
    boundary = True
    combatant: Annotated[CombatantId, says("Whose turn begins; whoever is next.")]
    actions: Annotated[Count, says("How many actions to take in this round (1).")] = 1


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
    combatant: Actor
    action: Annotated[Slug, says("Which action of the list: dodge, punch, shoot, run away … (RD6-LIST).")]
    skill: Annotated[Text, says("The skill; the one suggested for the action, if left out.")] = ""
    code: OwnCode = None
    target: Annotated[OptionalCombatantId, says("At whom it is aimed.")] = ""
    difficulty: Annotated[Modifier | None, says("What the total must reach.")] = None
    equipment: Annotated[OptionalThingId, says("What it is done with; only what is quick is used again.")] = ""
    part: Annotated[Text, says("What part of the target it is aimed at.")] = ""
    metres: Annotated[Metres | None, says("How far, in metres.")] = None
    what: Annotated[Text, says("What is done, in words.")] = ""
    mental: Annotated[
        bool, says("Nothing of it is physical, as with telepathy: even somebody held down can do it.")
    ] = False
    related: Annotated[
        tuple[RulingNumber, ...],
        says("A related skill that helps it, by its ruling; all that wait for it, if left out."),
    ] = ()
    dice: CodeFaces = ()


class Perform(ActionOrder, frozen=True):
    """Use one of the declared actions, in one's turn or after having waited (RD6-ACT-03)."""


class Interrupt(ActionOrder, frozen=True, kw_only=True):
    """Use one of the declared actions before the result of somebody else's is declared (RD6-ACT-04)."""

    against: Annotated[RulingNumber, says("Which action: the ruling it was done in; the last.")]


class Wait(Command, frozen=True):
    """Use one of the declared actions to wait for somebody else's (RD6-ACT-03); no roll."""

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who waits; whoever acts now.")]


class MoveUp(Command, frozen=True):
    """Take one's turn early to react (RD6-ACT-06), with so many actions; `against` is the action reacted to."""

    actor = "combatant"
    boundary = True
    combatant: Annotated[CombatantId, says("Whose turn comes early.")]
    because: Annotated[MovedUpFor, says("What the reaction is, or is to.")]
    actions: Annotated[Count, says("How many actions to take in this round (1).")] = 1
    against: Annotated[OptionalRulingNumber, says("The action reacted to, by its ruling.")] = 0
    reason: Annotated[Text, says("Why the game master allows it.")] = ""


class Result(Command, frozen=True):
    """The game master declares what comes of an action, which closes its window (RD6-ACT-04).

    Without an `outcome` the total is compared with the difficulty.
    """

    exchange: Annotated[RulingNumber, says("Which action, by its ruling; the last open one.")]
    outcome: Annotated[Literal["", "success", "failure"], says("What comes of it; by the difficulty, if left out.")] = (
        ""
    )
    text: Annotated[Text, says("What happens, in words.")] = ""


class RollRelated(Situated, frozen=True):
    """Roll a related skill before the `primary` one, a skill or an action of the list (RD6-REL-01); it is an action
    unless it is `merged` (RD6-REL-03).
    """

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who tries; whoever acts now.")]
    skill: Annotated[Text, says("The related skill.")]
    difficulty: Annotated[Modifier, says("What its total must reach.")]
    primary: Annotated[Text, says("The primary skill, or the action of the list, that it helps.")]
    code: OwnCode = None
    merged: Annotated[bool, says("The game master counts it with the primary skill's action.")] = False
    dice: CodeFaces = ()


class Roll(Situated, frozen=True):
    """A roll that is no action (RD6-FREE-01, RD6-FREE-02): damage, resisting it, an emotional effect, a glance."""

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who it is.")]
    what: Annotated[FreeRoll, says("What it is rolled for.")]
    skill: Annotated[Text, says("The skill or attribute.")] = ""
    code: OwnCode = None
    difficulty: Annotated[Modifier | None, says("What the total must reach.")] = None
    dice: CodeFaces = ()
