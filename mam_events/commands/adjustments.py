"""The game master's word: a command that follows from no rule and that nothing blocks."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from mam_events.commands.base import Command
from mam_events.state import Condition, GrappleKind, Pool, Position
from mam_events.values import (
    GM_OWNER,
    CombatantId,
    CombatantIdOrNobody,
    GrappleId,
    HitPoints,
    Modifier,
    OptionalCombatantId,
    OptionalCombatantIdOrNobody,
    OptionalRulingNumber,
    OutcomeField,
    Points,
    RulingNumber,
    Text,
    description,
)

Until = Literal["ended", "turn", "turn_end", "round", "roll"]
"""The end of a modifier that lasts: the game master's word, a turn that begins or ends, the round, the next roll."""


class PoolMove(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Points of one combatant that move from one pool to another."""

    combatant: Annotated[CombatantId, description("Whose points.")]
    source: Annotated[Pool, description("The pool that they leave.")]
    target: Annotated[Pool, description("The pool that they go to.")]
    points: Annotated[HitPoints, description("How many.")]


class Hold(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A hold that keeps points in other used (MAM-POOL-07)."""

    combatant: Annotated[CombatantId, description("Who holds.")]
    grapple: Annotated[GrappleId, description("What the hold is called.")]
    points: Annotated[Points, description("The points that it keeps.")]
    modifier: Annotated[Points, description("What it subtracts from the rolls of the one held (0).")] = 0
    held: Annotated[OptionalCombatantId, description("Whom it holds (nobody in the fight, if left out).")] = ""
    kind: Annotated[GrappleKind, description("What kind of hold it is (hold).")] = "hold"
    power: Annotated[Points, description("The power with which a choke or wrench hits (0).")] = 0


class Placement(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A combatant in a position (MAM-POS-05)."""

    combatant: Annotated[CombatantId, description("Whose position it is.")]
    position: Annotated[Position, description("The position.")]
    partner: Annotated[OptionalCombatantId, description("The partner in a grapple.")] = ""


class DeclaredOutcome(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The way an open exchange ended, with the stun and damage its target takes."""

    exchange: Annotated[
        RulingNumber,
        description("Which attack or action ended (the open one, if left out).", unsaid="the open exchange"),
    ]
    outcome: Annotated[OutcomeField, description("How it ended: full, half or fail.")]
    stun: Annotated[Points, description("Stun that its target takes (0).")] = 0
    damage: Annotated[Points, description("Damage that its target takes (0).")] = 0


class Adjust(Command, frozen=True):
    """Enter the game master's word: points, conditions, an outcome.

    No rule blocks it, and it can be undone like any other ruling.
    """

    given_by = GM_OWNER

    slots = ("reason",)
    examples = (
        'adjust --move clone:ready:stun:2 --reason "The roof came down"',
        'adjust --condition clone=out --reason "The clone fled"',
        'adjust --hold modre=grip:3 --reason "Modre holds on"',
        'adjust --position modre=on_ground --reason "The floor gives way"',
        'adjust --outcome full --stun 2 --damage 1 --reason "Ruled at the table"',
        'adjust --riding ana=- --reason "The saddle slips"',
        'adjust --turn clone --answers 17 --reason "The clone was skipped"',
    )

    reason: Annotated[Text, description("The reason, kept in the log.")]
    move: Annotated[
        tuple[PoolMove, ...], description("Points from one pool to another (ready, defense, other_used, stun, damage).")
    ] = ()
    condition: Annotated[
        dict[CombatantId, Condition], description("The condition of somebody: able, incapacitated, dead, out.")
    ] = {}
    hold: Annotated[tuple[Hold, ...], description("A hold, the points it keeps, whom it holds.")] = ()
    outcome: Annotated[DeclaredOutcome | None, description("How the open attack or action ended.")] = None
    riding: Annotated[
        dict[CombatantId, CombatantIdOrNobody],
        description("Whom somebody rides (- for nobody). They no longer owe a roll."),
    ] = {}
    turn: Annotated[OptionalCombatantIdOrNobody, description("Whose turn it is (- for nobody's).")] = ""
    answers: Annotated[OptionalRulingNumber, description("The ruling or dispute that this answers.")] = 0
    position: Annotated[
        tuple[Placement, ...],
        description(
            "Somebody's position, and the partner in a grapple: on_ground, clinch, dominant_standing and so on."
        ),
    ] = ()


class Modify(Command, frozen=True):
    """Give somebody a modifier that lasts.

    It is added to all their combat rolls until it ends.
    """

    given_by = GM_OWNER

    bare = ("combatant", "what")
    also_bare = ("until",)
    examples = (
        'modify clone "outreached" --modifier -2 --until turn',
        'modify clone "the high ground" --modifier 1',
        'modify clone "the high ground" --modifier 0',
    )

    actor = ""
    combatant: Annotated[CombatantId, description("Whose rolls.")]
    what: Annotated[Text, description("The reason, which is shown with every roll.")]
    modifier: Annotated[Modifier, description("What is added to their combat rolls. A 0 ends that modifier.")]
    until: Annotated[
        Until,
        description(
            "When it ends: ended (by a 0), turn or turn_end (their next turn begins or ends), round, roll (after one)."
        ),
    ] = "ended"
