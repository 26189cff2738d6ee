"""Commands about rounds and initiative as Ron d6 has them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Command, TakesGmModifiers
from mam_events.commands.fields import CodeFaces, Follows, FollowsOutcome, Reason
from mam_events.values import (
    GM_OWNER,
    CombatantId,
    Faces,
    OptionalCombatantId,
    OptionalRulingNumber,
    Text,
    description,
    of_actor,
    of_master,
)

PointKind = Literal["character", "fate"]
SpentOn = Literal["initiative", "action", "related", "limit"]


class Round(Command, frozen=True):
    """Begin a round and end the previous one.

    Declared actions that were not done are lost (RD6-RND-03, RD6-RND-04).
    """

    given_by = GM_OWNER

    examples = ("round", 'round --reason "the others run"')

    boundary = True
    reason: Reason = ""


class RollInitiative(TakesGmModifiers, frozen=True):
    """Roll initiative for this round.

    Each rolls Perception, and a group rolls once for all its members (RD6-INIT-01). The totals give the turn order.
    """

    given_by = GM_OWNER

    bare = ("combatants",)
    examples = ("initiative roll --all", "initiative roll rook thug --dice rook=4,5,6,2 --dice thug=3,3")

    opposing = ("combatants",)
    boundary = True
    combatants: Annotated[
        Annotated[tuple[CombatantId, ...], Meta(min_length=1, max_length=200)],
        description("Who rolls. Name one member for a group."),
    ]
    dice: Annotated[
        dict[CombatantId, Faces],
        description("Faces thrown at the table: the wild die last, then what a 6 on it adds (drawn, if left out)."),
    ] = {}
    again: Annotated[
        dict[CombatantId, Faces], description("Faces of a second roll that breaks a tie, if the house rules have one.")
    ] = {}
    special: Annotated[
        tuple[CombatantId, ...], description("Who is first in a tie this round because of the situation.")
    ] = ()
    reason: Annotated[Text, description("Why there is combat if stalking found nobody.")] = ""


class Spend(Command, frozen=True):
    """Spend a Character Point or a Fate Point.

    A Character Point adds one more wild die (RD6-INIT-06). A Fate Point doubles the limit of actions (RD6-LIM-02).
    """

    bare = ("combatant", "point")
    also_bare = ("on",)
    examples = ("spend rook character --on initiative", "spend rook character --dice 6,3", "spend rook fate")

    combatant: Annotated[CombatantId, of_actor("Whose point it is.")]
    point: Annotated[PointKind, of_actor("Which kind of point.")]
    on: Annotated[
        SpentOn,
        of_actor(
            "What it is for (the open action or else initiative, or for a Fate Point the limit, if left out).",
            unsaid="the newest roll",
        ),
    ]
    exchange: Annotated[
        OptionalRulingNumber, of_actor("Which action or related skill, by its ruling (the last open one, if left out).")
    ] = 0
    dice: CodeFaces = ()
    again: Annotated[
        dict[CombatantId, Faces], of_master("Faces of a second roll that breaks a tie, if the house rules have one.")
    ] = {}


class Incapacitate(Command, frozen=True):
    """Say that somebody is unconscious, bound or unable to act.

    They lose the actions they had left (RD6-INIT-07).
    """

    given_by = GM_OWNER

    bare = ("combatant",)
    examples = ('incapacitate thug --cause "knocked out" --through rook',)

    actor = ""
    combatant: Annotated[CombatantId, description("Who it is.")]
    cause: Annotated[Text, description("What keeps them from acting.")] = ""
    through: Annotated[OptionalCombatantId, description("Who caused it.")] = ""
    exchange: Follows = 0
    outcome: FollowsOutcome = ""


class Recover(Command, frozen=True):
    """Say that somebody is awake or free again.

    They act again from the next round on, or at their place in this one (RD6-INIT-07).
    """

    given_by = GM_OWNER

    bare = ("combatant",)
    examples = ('recover thug --reason "cold water"',)

    actor = ""
    combatant: Annotated[CombatantId, description("Who it is.")]
    reason: Reason = ""
