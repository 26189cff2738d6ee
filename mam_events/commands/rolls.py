"""Rolls that the game master asks for at any time: they need no turn and cost nothing."""

from __future__ import annotations

from typing import Literal

from mam_events.commands.base import Situated
from mam_events.values import Circumstances, CombatantId, DieKind, Difficulty, Face, Modifier, Text

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
    combatant: CombatantId
    difficulty: Difficulty | None = None
    against: Modifier | None = None
    what: Text = ""
    modifier: Modifier = 0
    difficulty_modifier: Modifier = 0
    circumstance: Circumstances = ()
    attempt: Attempt = "chance"
    kind: DieKind = "d20"
    die: Face | None = None
    confirmation_die: Face | None = None


class Contest(Situated, frozen=True):
    """A contest that `combatant` begins: one roll where it cannot be tied (MAM-CONT-01), else a pair (MAM-CONT-02).

    `tie` says which ties there can be (MAM-CONT-03), "" that there can be none.
    """

    opposing = ("opponent",)
    actor = "combatant"
    combatant: CombatantId
    opponent: CombatantId
    what: Text = ""
    modifier: Modifier = 0
    opponent_modifier: Modifier = 0
    tie: TieKind = ""
    kind: DieKind = "d20"
    die: Face | None = None
    opponent_die: Face | None = None
    confirmation_die: Face | None = None
    opponent_confirmation_die: Face | None = None
