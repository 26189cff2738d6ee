"""Rolls that the game master asks for at any time: they need no turn and cost nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from mam_events.commands.base import TakesGmModifiers
from mam_events.commands.fields import Helping, SecondFace, Thrown, ThrownFace
from mam_events.values import CombatantId, Difficulty, Face, Modifier, Text, of_actor, of_master, of_roller

Attempt = Literal["chance", "certain", "impossible"]
TieKind = Literal["", "both_ways", "cannot_both_succeed", "cannot_both_fail"]


class Check(TakesGmModifiers, frozen=True):
    """Make a success roll against a difficulty.

    The die plus its modifiers must be greater than the difficulty (MAM-ROLL-01).

    It needs no turn and costs nothing, and it is possible while an exchange is open.
    """

    bare = ("combatant", "difficulty")
    slots = ("what",)
    examples = (
        "check modre hard --modifier 6 --die 14",
        "check modre --against 4 --circumstance unfavourable",
        'check clone 12 --what "climb the wall" --kind d10 --die 0 --confirmation-die 7',
    )

    combatant: Annotated[CombatantId, of_actor("Who rolls.")]
    difficulty: Annotated[
        Difficulty | None, of_master("A number, or easy, moderate, hard, extreme or heroic (10).")
    ] = None
    against: Annotated[Modifier | None, of_master("Somebody's modifier: the difficulty is 10 plus this.")] = None
    what: Annotated[Text, of_actor("What the roll is about, in words.")] = ""
    modifier: Annotated[Modifier, of_master("What is added to the roll (0).")] = 0
    difficulty_modifier: Annotated[Modifier, of_master("What is added to the difficulty (0).")] = 0
    circumstance: Helping = ()
    attempt: Annotated[Attempt, of_master("Whether the outcome is open (chance).")] = "chance"
    kind: Thrown = "d20"
    die: ThrownFace = None
    confirmation_die: SecondFace = None


class Contest(TakesGmModifiers, frozen=True):
    """Make a contest between two, by one roll or two.

    It is one roll against 10 plus the opponent's modifier, or a pair of rolls (MAM-CONT-01, MAM-CONT-02).
    """

    bare = ("combatant", "opponent")
    slots = ("opponent", "what")
    examples = (
        "contest modre clone --modifier 3 --opponent-modifier 5 --die 13",
        "contest modre clone --tie cannot_both_succeed --die 12 --opponent-die 8",
    )

    opposing = ("opponent",)
    combatant: Annotated[CombatantId, of_actor("Who begins the contest.")]
    opponent: Annotated[CombatantId, of_actor("The opponent.")]
    what: Annotated[Text, of_actor("What the roll is about, in words.")] = ""
    modifier: Annotated[Modifier, of_master("What is added to the roll (0).")] = 0
    opponent_modifier: Annotated[Modifier, of_master("The modifier of the opponent (0).")] = 0
    tie: Annotated[TieKind, of_master("Which ties are possible (none). If any is, both roll.")] = ""
    kind: Thrown = "d20"
    die: ThrownFace = None
    opponent_die: Annotated[Face | None, of_roller("The face that the opponent threw (drawn, if left out).")] = None
    confirmation_die: SecondFace = None
    opponent_confirmation_die: Annotated[Face | None, of_roller("The face of the opponent's second throw.")] = None
