"""Rolls that the game master asks for at any time: they need no turn and cost nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import Situated
from mam_events.commands.fields import Helping, SecondFace, Thrown, ThrownFace
from mam_events.values import CombatantId, Difficulty, Face, Modifier, Text, says

Attempt = Literal["chance", "certain", "impossible"]
TieKind = Literal["", "both_ways", "cannot_both_succeed", "cannot_both_fail"]


class Check(Situated, frozen=True):
    """A success roll (MAM-ROLL-01) against a `difficulty`, a number or a word of the ladder (MAM-DIFF-01), or `against`
    somebody's modifier (MAM-DIFF-02); neither is a difficulty of 10.

    `modifier` is added to the roll, `difficulty_modifier` to the difficulty. `attempt` says whether there is anything
    to roll (MAM-ROLL-03). `kind` is the die that is thrown (MAM-DICE-01, MAM-DICE-02), `die` its face and
    `confirmation_die` that of the second throw (MAM-DICE-04).
    """

    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who rolls.")]
    difficulty: Annotated[
        Difficulty | None, says("A number, or easy, moderate, hard, extreme or heroic; 10, if left out.")
    ] = None
    against: Annotated[Modifier | None, says("Somebody's modifier: the difficulty is 10 and this.")] = None
    what: Annotated[Text, says("What it is about, in words.")] = ""
    modifier: Annotated[Modifier, says("What is added to the roll (0).")] = 0
    difficulty_modifier: Annotated[Modifier, says("What is added to the difficulty (0).")] = 0
    circumstance: Helping = ()
    attempt: Annotated[Attempt, says("Whether there is anything to roll (chance).")] = "chance"
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None


class Contest(Situated, frozen=True):
    """A contest that `combatant` begins: one roll where it cannot be tied (MAM-CONT-01), else a pair (MAM-CONT-02).

    `tie` says which ties there can be (MAM-CONT-03), "" that there can be none.
    """

    opposing = ("opponent",)
    actor = "combatant"
    combatant: Annotated[CombatantId, says("Who begins it.")]
    opponent: Annotated[CombatantId, says("Against whom.")]
    what: Annotated[Text, says("What it is about, in words.")] = ""
    modifier: Annotated[Modifier, says("What is added to the roll (0).")] = 0
    opponent_modifier: Annotated[Modifier, says("The modifier of the opponent (0).")] = 0
    tie: Annotated[TieKind, says("Which ties there can be, so that both roll; none, if left out.")] = ""
    kind: Thrown = "d20"
    die: ThrownFace = None
    opponent_die: Annotated[Face | None, says("The face that the opponent threw; drawn, if left out.")] = None
    confirmation_die: SecondFace = None
    opponent_confirmation_die: Annotated[Face | None, says("The face of the opponent's second throw.")] = None
