"""Fields that several commands have, each with its sentence."""

from __future__ import annotations

from typing import Annotated, Literal

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
    says,
)

Actor = Annotated[CombatantId, says("Who does it; the one whose turn it is, if left out.", unsaid="whose turn")]
CodeFaces = Annotated[
    Faces, says("Faces thrown at the table, the wild die last and what a 6 on it adds after it; drawn, if left out.")
]
Follows = Annotated[
    OptionalRulingNumber, says("The action that it follows, by its ruling; the last that led to it, if left out.")
]
FollowsOutcome = Annotated[
    Literal["", Success], says("The result of that action that it follows; as declared, if left out.")
]
Helping = Annotated[Circumstances, says("What helps or hinders; may be repeated.")]
Interferer = Annotated[CombatantId, says("Who interferes.")]
Manipulating = Annotated[Points, says("Ready points that manipulate (0).")]
MaybeThrown = Annotated[DieKind | None, says("The die that is thrown, if not the usual one.")]
OnGrip = Annotated[Points, says("Ready points on power, of a choke, wrench or missile (0).")]
OnModifier = Annotated[Points, says("Ready points on the modifier (0).")]
OnPower = Annotated[Points, says("Ready points on power (0).")]
OnlyWeapon = Annotated[ThingId, says("Which weapon in hand; the only one, if left out.", unsaid="the only weapon")]
OpenExchange = Annotated[
    RulingNumber, says("The exchange: the ruling that declared it; the open one.", unsaid="the open exchange")
]
OwnCode = Annotated[Code | None, says("The dice code, like 3D+1; its own in that skill, if left out.")]
Price = Annotated[Points | None, says("Ready points it costs (1).")]
Reactor = Annotated[CombatantId, says("Who reacts; the one attacked, if left out.", unsaid="who is attacked")]
Reason = Annotated[Text, says("Why, if there is something to say.")]
SecondFace = Annotated[Face | None, says("The face of the second throw, where another die than a d20 comes to 20.")]
ShotAnswering = Annotated[
    Metres | None, says("How far a shot goes; as far as the one it answers, if left out (MAM-ATK-08).")
]
StoppedAction = Annotated[
    RulingNumber, says("The action to stop: the ruling that declared it; the first one.", unsaid="the open exchange")
]
Thrown = Annotated[DieKind, says("The die that is thrown, if not the usual one.")]
ThrownFace = Annotated[Face | None, says("The face that was thrown, 0 on a d10 being its 10; drawn, if left out.")]
