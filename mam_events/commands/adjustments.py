"""The game master's word: a command that follows from no rule and that nothing blocks."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from mam_events.commands.base import Command
from mam_events.state import Condition, GrappleKind, Pool, Position
from mam_events.values import (
    MASTER,
    CombatantId,
    CombatantIdOrNobody,
    GrappleId,
    HitPoints,
    Modifier,
    OptionalCombatantId,
    OptionalCombatantIdOrNobody,
    OptionalRulingNumber,
    Outcome,
    Points,
    RulingNumber,
    Text,
    says,
)

Until = Literal["ended", "turn", "turn_end", "round", "roll"]
"""The end of a modifier that lasts: the game master's word, a turn that begins or ends, the round, the next roll."""


class PoolMove(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """So many points of one combatant from one pool to another."""

    combatant: Annotated[CombatantId, says("Whose points.")]
    source: Annotated[Pool, says("The pool that they leave.")]
    target: Annotated[Pool, says("The pool that they go to.")]
    points: Annotated[HitPoints, says("How many.")]


class Hold(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A hold that keeps points in other used (MAM-POOL-07)."""

    combatant: Annotated[CombatantId, says("Who holds.")]
    grapple: Annotated[GrappleId, says("What the hold is called.")]
    points: Annotated[Points, says("The points that it keeps.")]
    modifier: Annotated[Points, says("What it takes off the rolls of whoever is held (0).")] = 0
    held: Annotated[OptionalCombatantId, says("Whom it holds; nobody in the fight, if left out.")] = ""
    kind: Annotated[GrappleKind, says("What kind of hold it is (hold).")] = "hold"
    power: Annotated[Points, says("The power with which a choke or wrench hits (0).")] = 0


class Placing(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A combatant in a position (MAM-POS-05)."""

    combatant: Annotated[CombatantId, says("Who stands or lies so.")]
    position: Annotated[Position, says("How.")]
    partner: Annotated[OptionalCombatantId, says("With whom, in a grapple.")] = ""


class Declared(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The way an open exchange ended, with the stun and damage its target takes."""

    exchange: Annotated[RulingNumber, says("Which exchange ended; the open one.", unsaid="the open exchange")]
    outcome: Annotated[Outcome, says("How the open exchange ended.")]
    stun: Annotated[Points, says("Stun that its target takes, with an outcome (0).")] = 0
    damage: Annotated[Points, says("Damage that its target takes, with an outcome (0).")] = 0


class Adjust(Command, frozen=True):
    """Enter the game master's word: points, conditions, an outcome.

    No rule blocks it, and it can be taken back as any other ruling.
    """

    given_by = MASTER

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

    reason: Annotated[Text, says("Why; it stands in the log.")]
    move: Annotated[
        tuple[PoolMove, ...], says("Points from one pool to another (ready, defense, other_used, stun, damage).")
    ] = ()
    condition: Annotated[dict[CombatantId, Condition], says("How somebody is: able, incapacitated, dead, out.")] = {}
    hold: Annotated[tuple[Hold, ...], says("A hold, the points it keeps, whom it holds.")] = ()
    outcome: Annotated[Declared | None, says("How the open exchange ended.")] = None
    riding: Annotated[
        dict[CombatantId, CombatantIdOrNobody], says("Whom somebody rides, - for nobody; no roll is owed any more.")
    ] = {}
    turn: Annotated[OptionalCombatantIdOrNobody, says("Whose turn it is; - for nobody's.")] = ""
    answers: Annotated[OptionalRulingNumber, says("The ruling or dispute that this answers.")] = 0
    position: Annotated[
        tuple[Placing, ...],
        says("How somebody stands or lies, in a grapple with whom: on_ground, clinch, dominant_standing and so on."),
    ] = ()


class Modify(Command, frozen=True):
    """Give somebody a modifier that lasts.

    It is added to every combat roll of theirs until it ends.
    """

    given_by = MASTER

    bare = ("combatant", "what")
    also_bare = ("until",)
    examples = (
        'modify clone "outreached" --modifier -2 --until turn',
        'modify clone "the high ground" --modifier 1',
        'modify clone "the high ground" --modifier 0',
    )

    actor = ""
    combatant: Annotated[CombatantId, says("Whose rolls.")]
    what: Annotated[Text, says("What it comes of, in words; it stands beside every roll.")]
    modifier: Annotated[Modifier, says("What is added to their combat rolls; 0 ends what was given for that.")]
    until: Annotated[
        Until,
        says(
            "When it ends: ended (by 0), turn (their next turn begins), turn_end (it ends), round, roll (the next one)."
        ),
    ] = "ended"
