"""Orders about rounds and initiative as Ron d6 has them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Command, Situated
from mam_events.commands.fields import CodeFaces, Reason
from mam_events.values import CombatantId, Faces, OptionalCombatantId, OptionalRulingNumber, Text, says

SpentOn = Literal["initiative", "action", "related", "limit"]


class Round(Command, frozen=True):
    """A new round begins, and the one before ends with it: what was declared and not done is lost (RD6-RND-04)."""

    boundary = True
    reason: Reason = ""


class RollInitiative(Situated, frozen=True):
    """Those combatants roll for their place in this round (RD6-INIT-01), a group once for all of it.

    `dice` are faces thrown at the table, by whoever rolls: those of the Perception code, the wild die last, with what
    it explodes into behind it. `again` are faces of rolls that break a tie (`rd6_unbroken_tie`), `special` those whom
    a situation of this round puts first in a tie (RD6-TIE-01), `reason` why there is combat though those who stalked
    one another missed (MAM-SURP-02).
    """

    opposing = ("combatants",)
    boundary = True
    combatants: Annotated[
        Annotated[tuple[CombatantId, ...], Meta(min_length=1, max_length=200)],
        says("Who rolls; a group by one of its members."),
    ]
    dice: Annotated[
        dict[CombatantId, Faces],
        says("Faces thrown at the table, the wild die last and what a 6 on it adds after it; drawn, if left out."),
    ] = {}
    again: Annotated[
        dict[CombatantId, Faces], says("Faces of a second roll that breaks a tie, where the house has one.")
    ] = {}
    special: Annotated[tuple[CombatantId, ...], says("Whom a situation of this round puts first in a tie.")] = ()
    reason: Annotated[Text, says("Why there is combat though those who stalked one another missed.")] = ""


class Spend(Command, frozen=True):
    """Spend a point: a Character Point for one more wild die on an initiative roll (RD6-INIT-06), on an open action or
    on a related skill, a Fate Point to double the limit of actions (RD6-LIM-02).

    `exchange` is the action or the related skill it is spent on, `dice` the faces of the die that it buys and of what
    that explodes into, `again` those of rolls that break a tie to which it leads (`rd6_unbroken_tie`).
    """

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Whose point it is.")]
    point: Annotated[Literal["character", "fate"], says("Which kind of point.")]
    on: Annotated[
        SpentOn,
        says("A Character Point on its own open action, else on initiative; a Fate Point on the limit of actions."),
    ]
    exchange: Annotated[
        OptionalRulingNumber, says("Which action or related skill, by its ruling; the last open one.")
    ] = 0
    dice: CodeFaces = ()
    again: Annotated[
        dict[CombatantId, Faces], says("Faces of a second roll that breaks a tie, where the house has one.")
    ] = {}


class Incapacitate(Command, frozen=True):
    """Somebody is unconscious, bound or otherwise unable to act (RD6-INIT-07), `through` somebody."""

    combatant: Annotated[CombatantId, says("Who it is.")]
    cause: Annotated[Text, says("What keeps them from acting.")] = ""
    through: Annotated[OptionalCombatantId, says("Who did it.")] = ""


class Recover(Command, frozen=True):
    """Somebody who was unable to act is awake, or whoever is awake gets free (RD6-INIT-07)."""

    combatant: Annotated[CombatantId, says("Who it is.")]
    reason: Reason = ""
