"""Commands of a round of Ron d6: how many actions, which ones, and what becomes of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.commands.base import Command, TakesGmModifiers
from mam_events.commands.fields import CodeFaces, Follows, FollowsOutcome, OwnCode
from mam_events.values import (
    GM_OWNER,
    CombatantId,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalRulingNumber,
    OptionalThingId,
    RulingNumber,
    Slug,
    Success,
    Text,
    description,
    of_actor,
    of_master,
)

MovedUpFor = Literal["catch", "resist_mental_attempt", "gm_allows", "dodge", "parry"]
FreeRoll = Literal["damage", "resistance", "emotion", "glance"]
Count = Annotated[int, Meta(ge=1, le=1000)]


class Declare(Command, frozen=True):
    """Begin a turn, and say how many actions it has.

    Each action after the first takes dice from every roll (RD6-ACT-02, RD6-MAP-01).
    """

    bare = ("combatant",)
    also_bare = ("actions",)
    examples = ("declare rook 3", "declare 2", "declare")

    boundary = True
    combatant: Annotated[
        CombatantId, of_actor("Whose turn begins (the next one, if left out).", unsaid="whose turn comes")
    ]
    actions: Annotated[Count, of_actor("How many actions to take in this round (1).")] = 1


class ActionOrder(TakesGmModifiers, frozen=True):
    """One action as it is done (RD6-LIST): its kind, the `skill` with its `code`, against which `difficulty`.

    Without a code it uses the combatant's own code in that skill, or none if the action needs no roll.
    `equipment` is the thing used, `part` the part of the target it is aimed at, `metres` the distance of a move,
    `mental` says that nothing in it is physical, so that somebody held down can do it too (RD6-LIST-tackle),
    `related` are the rulings of related skills that help it (RD6-REL-02), `dice` are the faces: the wild die last, then
    the faces that a 6 on it adds.
    """

    begins_exchange = True
    slots = ("action", "target", "skill")
    combatant: Annotated[CombatantId, of_actor("Who acts (the one who acted last, if left out).", unsaid="who acts")]
    action: Annotated[Slug, of_actor("Which action of the list: dodge, punch, shoot, run away … (RD6-LIST).")]
    skill: Annotated[Text, of_actor("The skill (the one suggested for the action, if left out).")] = ""
    code: OwnCode = None
    target: Annotated[OptionalCombatantId, of_actor("The target.")] = ""
    difficulty: Annotated[Modifier | None, of_master("What the total must reach.")] = None
    equipment: Annotated[
        OptionalThingId, of_actor("The thing that is used. Only quick things can be used again in a round.")
    ] = ""
    part: Annotated[Text, of_actor("The part of the target it is aimed at.")] = ""
    metres: Annotated[Metres | None, of_actor("How far, in metres.")] = None
    what: Annotated[Text, of_actor("What is done, in words.")] = ""
    mental: Annotated[bool, of_master("It is not physical, like telepathy: even somebody held down can do it.")] = False
    related: Annotated[
        tuple[RulingNumber, ...],
        of_actor("A roll of a related skill that helps, by its ruling (all rolled for this, if left out)."),
    ] = ()
    dice: CodeFaces = ()


class Perform(ActionOrder, frozen=True):
    """Do one of the declared actions of a round.

    It is one of the list of actions (RD6-LIST). Without a code it rolls the combatant's own code.
    """

    bare = ("combatant", "what")


class Interrupt(ActionOrder, frozen=True, kw_only=True):
    """Interrupt an action before its result.

    Only combatants who have waited can do it (RD6-ACT-04).
    """

    bare = ("combatant", "against")
    examples = (
        "interrupt rook --action dodge",
        "interrupt rook 17 --action parry --skill melee-combat --code 4D --dice 2,5,3",
    )

    against: Annotated[
        RulingNumber, of_actor("Which action, by its ruling (the last, if left out).", unsaid="the open action")
    ]


class Wait(Command, frozen=True):
    """Use an action to wait for somebody else.

    The one who waits may act or interrupt later this round (RD6-ACT-03).
    """

    bare = ("combatant",)
    examples = ("wait", "wait rook")

    combatant: Annotated[CombatantId, of_actor("Who waits (the one who acts now, if left out).", unsaid="who acts")]


class MoveUp(Command, frozen=True):
    """Take a turn early, to react.

    Only a few reactions allow it (RD6-ACT-06). Give the reaction itself with `mam interrupt`.
    """

    bare = ("combatant",)
    slots = ("because",)
    examples = ("move-up rook --because catch", 'move-up rook --because gm_allows --reason "falls on her"')

    boundary = True
    combatant: Annotated[CombatantId, of_actor("Whose turn comes early.")]
    because: Annotated[MovedUpFor, of_actor("What the reaction is.", reserved=("gm_allows", "resist_mental_attempt"))]
    actions: Annotated[Count, of_actor("How many actions to take in this round (1).")] = 1
    against: Annotated[OptionalRulingNumber, of_actor("The action to react to, by its ruling.")] = 0
    reason: Annotated[Text, of_master("Why the game master allows it.")] = ""


class Result(Command, frozen=True):
    """Declare the result of an action.

    After that nobody can interrupt it. The newest interruption gets its result first (RD6-ACT-04).
    """

    given_by = GM_OWNER

    bare = ("outcome",)
    also_bare = ("text",)
    examples = ("result success", 'result failure --text "the swing goes wide"', "result")

    exchange: Annotated[
        RulingNumber,
        description("Which action, by its ruling (the last open one, if left out).", unsaid="the open action"),
    ]
    outcome: Annotated[
        Literal["", Success], description("Success or failure (decided by the difficulty, if left out).")
    ] = ""
    text: Annotated[Text, description("What happens, in words.")] = ""
    interruption: Annotated[
        OptionalRulingNumber,
        description("The interruption that decides the outcome, by its ruling (the successful one, if left out)."),
    ] = 0


class RollRelated(TakesGmModifiers, frozen=True):
    """Roll a related skill before the primary one.

    Half the difference to its difficulty is added to the primary roll, or subtracted from it (RD6-REL-02).
    """

    bare = ("combatant", "skill", "difficulty")
    slots = ("skill", "primary")
    examples = (
        "roll-related rook acrobatics 10 --primary dodge --code 3D",
        "roll-related rook search 12 --primary throwing --merged --dice 4,2",
    )

    combatant: Annotated[CombatantId, of_actor("Who tries (the one who acts now, if left out).", unsaid="who acts")]
    skill: Annotated[Text, of_actor("The related skill.")]
    difficulty: Annotated[Modifier, of_master("What its total must reach.")]
    primary: Annotated[Text, of_actor("The primary skill that it helps, or the action that uses that skill.")]
    code: OwnCode = None
    merged: Annotated[bool, of_master("The game master counts it with the primary skill's action (RD6-REL-03).")] = (
        False
    )
    dice: CodeFaces = ()


class Roll(TakesGmModifiers, frozen=True):
    """Roll something that takes no action: damage, resistance, a glance.

    It can be damage, resistance to damage, an emotional effect or a quick glance (RD6-FREE-02).
    """

    bare = ("combatant", "what")
    slots = ("what", "skill")
    examples = ("roll rook resistance --code 3D", "roll rook emotion --skill willpower --difficulty 12")

    combatant: Annotated[CombatantId, of_actor("Who rolls.")]
    what: Annotated[FreeRoll, of_actor("What the roll is for.")]
    skill: Annotated[Text, of_master("The skill or attribute.")] = ""
    code: OwnCode = None
    difficulty: Annotated[Modifier | None, of_master("What the total must reach.")] = None
    dice: CodeFaces = ()
    exchange: Follows = 0
    outcome: FollowsOutcome = ""
