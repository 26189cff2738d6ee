"""Fields that several commands have, each with its sentence."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from mam_events.values import (
    Circumstances,
    Code,
    CombatantId,
    DieKind,
    Face,
    Faces,
    Metres,
    OptionalRulingNumber,
    Points,
    RulingNumber,
    Success,
    Text,
    ThingId,
    of_actor,
    of_master,
    of_roller,
)

Actor = Annotated[CombatantId, of_actor("Who does it (the one whose turn it is, if left out).", unsaid="whose turn")]
CodeFaces = Annotated[
    Faces,
    of_roller("Faces thrown at the table: the wild die last, then what a 6 on it adds (drawn, if left out)."),
]
Follows = Annotated[
    OptionalRulingNumber,
    of_actor("The action that caused it, by its ruling (the last one, if left out)."),
]
FollowsOutcome = Annotated[Literal["", Success], of_master("The result of that action (as declared, if left out).")]
Helping = Annotated[Circumstances, of_master("What helps or hinders (repeatable).")]
Interferer = Annotated[CombatantId, of_actor("Who interferes.")]
Manipulating = Annotated[Points, of_actor("Ready points on the manipulation (0).")]
MaybeThrown = Annotated[DieKind | None, of_master("The die that is thrown, if not the usual one.")]
OnGrip = Annotated[Points, of_actor("Ready points on the power of a choke, wrench or missile (0).")]
OnModifier = Annotated[Points, of_actor("Ready points on the modifier (0).")]
OnPower = Annotated[Points, of_actor("Ready points on power (0).")]
OnlyWeapon = Annotated[ThingId, of_actor("Which weapon in hand (the only one, if left out).", unsaid="the only weapon")]
OpenExchange = Annotated[
    RulingNumber,
    of_actor(
        "The attack or action, by the ruling that declared it (the open one, if left out).", unsaid="the open exchange"
    ),
]
OwnCode = Annotated[Code | None, of_master("The dice code, like 3D+1 (their own in that skill, if left out).")]
Price = Annotated[Points | None, of_master("Ready points it costs (1).")]
Reactor = Annotated[CombatantId, of_actor("Who reacts (the one attacked, if left out).", unsaid="who is attacked")]
Reason = Annotated[Text, of_actor("The reason, if there is one.")]
SecondFace = Annotated[Face | None, of_roller("The face of the second throw, if a die other than a d20 comes to 20.")]
ShotAnswering = Annotated[
    Metres | None, of_actor("How far a shot must go (as far as the shot it answers, if left out; MAM-ATK-08).")
]
StoppedAction = Annotated[
    RulingNumber,
    of_actor(
        "The action to stop, by the ruling that declared it (the first, if left out).", unsaid="the open exchange"
    ),
]
Thrown = Annotated[DieKind, of_master("The die that is thrown, if not the usual one.")]
ThrownFace = Annotated[Face | None, of_roller("The face that was thrown, 0 for the 10 of a d10 (drawn, if left out).")]
Without = Annotated[
    Annotated[tuple[CombatantId, ...], Meta(max_length=20)],
    of_master("Combatants whose reaction the game master does not wait for (repeatable)."),
]
