"""Fights for the options of Ron d6: initiative rolled every round, multiple actions, related skills."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from mam_events.commands import (
    Command,
    Declare,
    Incapacitate,
    Join,
    Move,
    MoveUp,
    Perform,
    Recover,
    Result,
    RollInitiative,
    RollRelated,
    Round,
    Spend,
)
from tests.fighters import CLONE, MODRE
from tests.rules.fights import Fight

RON = "ron_d6"


def somebody(name: str, perception: str = "1D", agility: str = "3D", **more: Any) -> Join:
    """Return a combatant with these codes, and others of 3D."""
    codes = {"perception": perception, "agility": agility, "search": "3D", "dodge": "3D", "brawling": "3D"}
    return Join(name, code=codes, **more)


ANN = somebody("ann", movement=Decimal(10), character_points=3, fate_points=1)
BERT = somebody("bert")


def round_orders(*joins: Join, **dice: tuple[int, ...]) -> tuple[Command, ...]:
    """Return the joins (rulings 2, 3, …), the start of a round and the rolls: 5, 4, 3 … unless dice are given."""
    usual: dict[str, tuple[int, ...]] = {join.combatant: (5 - n,) for n, join in enumerate(joins)}
    return (*joins, Round(), RollInitiative(tuple(usual), dice=usual | dice))


def ron(*orders: Command, **rules: str) -> Fight:
    """Return a fight of Ron d6."""
    return Fight(orders, rules, RON)


BONUS = somebody("ann", agility="6D", kind="pc", search_ranks=3)
GOON, BRUTE = somebody("goon", group="gang"), somebody("brute", group="gang")
TWINS = (BERT, somebody("carl"))
ABLE = somebody("ann", allotment=2)
HALF_DONE = (*round_orders(ANN, BERT), Declare("ann", 3), Perform("ann", "communicate"))
DOWN = (*HALF_DONE, Incapacitate("ann", "a brick"), Recover("ann"), Perform("ann", "communicate"))

FIGHTS: dict[tuple[str, str], Fight] = {
    ("initiative_method", "ron_d6"): Fight((MODRE, CLONE, RollInitiative(("modre",)))),
    ("rd6_initiative_bonus", "best_of"): ron(*round_orders(somebody("ann", agility="4D", kind="pc", search_ranks=2))),
    ("rd6_initiative_bonus", "pooled_fraction"): ron(*round_orders(BONUS)),
    ("rd6_wild_die", "plain"): ron(*round_orders(somebody("ann"), ann=(6, 2))),
    ("rd6_wild_one", "subtracts_highest"): ron(*round_orders(somebody("ann", perception="3D"), ann=(5, 2, 1))),
    ("rd6_wild_one", "complication"): ron(*round_orders(somebody("ann"), ann=(1,))),
    ("rd6_initiative_cp_limit", "one_per_round"): ron(
        *round_orders(ANN), *(Spend("ann", "character", "initiative", dice=(face,)) for face in (2, 3))
    ),
    ("rd6_group_initiative", "as_one_entry"): ron(
        GOON, BRUTE, Round(), RollInitiative(("goon",), dice={"goon": (3,)}), Declare("brute")
    ),
    ("rd6_incapacitated_loses", "next_action"): ron(*DOWN),
    ("rd6_waking", "in_its_place"): ron(
        *round_orders(ANN, BERT), Incapacitate("bert", "a net"), Declare("ann"), Recover("bert"), Declare("bert")
    ),
    ("rd6_unbroken_tie", "reroll_tied"): ron(
        *TWINS,
        Round(),
        RollInitiative(("bert", "carl"), dice={"bert": (4,), "carl": (4,)}, again={"bert": (2,), "carl": (3,)}),
    ),
    ("rd6_go_first_scope", "always"): ron(*round_orders(BERT, somebody("swift", go_first=True))),
    ("rd6_reactive_defense", "move_up_allowed"): ron(
        *round_orders(ANN, BERT), Declare("ann"), Perform("ann", "punch", dice=(1, 2, 3)), MoveUp("bert", "dodge")
    ),
    ("rd6_map_scope", "excess_actions_only"): ron(
        *round_orders(ABLE),
        Declare("ann", 3),
        Perform("ann", "punch", dice=(1, 2, 3)),
        Perform("ann", "punch", dice=(1, 2)),
    ),
    ("rd6_zero_dice", "pips_only"): ron(
        *round_orders(ANN), Declare("ann", 3), Perform("ann", "use", "mending", "2D+1")
    ),
    ("rd6_fate_doubling", "whole_limit"): ron(
        *round_orders(somebody("ann", quickness_ranks=1, fate_points=1)),
        Spend("ann", "fate", "limit"),
        Declare("ann", 8),
    ),
    ("rd6_allotment_limit", "at_least_allotment"): ron(*round_orders(somebody("ann", allotment=8)), Declare("ann", 8)),
    ("rd6_half_move", "action"): ron(*round_orders(ANN), Declare("ann"), Move("ann", metres=Decimal(5))),
    ("rd6_related_equal", "zero"): ron(
        *round_orders(ANN), Declare("ann"), RollRelated("ann", "search", 6, "brawling", "2D", dice=(2, 4))
    ),
    ("rd6_related_failure_rounding", "toward_zero"): ron(
        *round_orders(ANN), Declare("ann"), RollRelated("ann", "search", 9, "brawling", "2D", dice=(2, 4))
    ),
    # The two related skills are rulings 6 and 7.
    ("rd6_related_multiple", "best"): ron(
        *round_orders(somebody("ann", agility="9D")),
        Declare("ann", 3),
        RollRelated("ann", "search", 2, "brawling", "4D", dice=(2, 4)),
        RollRelated("ann", "stealth", 4, "brawling", "4D", dice=(2, 4)),
        Perform("ann", "punch", code="4D", difficulty=10, related=(6, 7), dice=(1, 2)),
        Result(8),
    ),
}
