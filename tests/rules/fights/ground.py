"""Fights for the options of maneuvering, stance and position."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    Command,
    Counterattack,
    DeclareCombo,
    Drop,
    EndTurn,
    Evade,
    InstantStand,
    Interfere,
    Move,
    Parry,
    Placement,
    Resolve,
    Rest,
)
from mam_events.state import Weapon
from tests.fighters import CLONE, DUEL, ICE_BLADE, MODRE, SENTRY, duel_orders, with_pools
from tests.rules.fights import Fight

GUN = Weapon("gun", kind="gun", range=Decimal(100))
KNIFE = Weapon("knife", kind="thrown")
NEXT = (EndTurn("modre"), BeginTurn("clone"))
EVADED = (*DUEL, Evade("modre"), *NEXT)
DOWN = (*DUEL, Drop("modre"))
UP = (*DOWN, InstantStand("modre", die=6, opposing_die=1))
CLINCH = Adjust("they close", position=(Placement("modre", "clinch", "clone"), Placement("clone", "clinch", "modre")))
MUD = Adjust(
    "they fall",
    position=(Placement("clone", "ground_fighting", "sentry"), Placement("sentry", "ground_fighting", "clone")),
)
RESTED = (*duel_orders(with_pools(MODRE, ready=3, stun=3)), Rest("modre"))
TWICE = (*EVADED, EndTurn("clone"), BeginTurn("modre"), Evade("modre"), *NEXT)
STRUCK_BACK = (
    *DUEL,
    Evade("modre"),
    Attack("modre", "clone", "ice-blade", power=1, modifier=1),
    Counterattack("clone", 7, power=1),
    Resolve(7, attack_die=1, defense_die=2),
)
STRUCK: tuple[Command, ...] = (
    Attack("clone", "modre", power=1, modifier=1),
    Resolve(9, attack_die=4, defense_die=3),
)

FIGHTS: dict[tuple[str, str], Fight] = {
    ("drop_action_cost", "free"): Fight(DOWN),
    ("evasion_bonus_scale", "uniform_five"): Fight((*EVADED, *STRUCK)),
    ("evasion_bonus_scale", "uniform_four"): Fight((*EVADED, *STRUCK)),
    ("evasion_bonus_scale", "uniform_two"): Fight(RESTED),
    ("evasion_cost", "free"): Fight(EVADED),
    ("evasion_counterattack_exclusion", "own_counterattack_roll"): Fight(
        STRUCK_BACK, {"pool_counterattack": "simultaneous_exchange"}
    ),
    ("evasion_stacking", "stack"): Fight(
        (*TWICE, Attack("clone", "modre", power=1), Resolve(14, attack_die=4, defense_die=3))
    ),
    ("from_above_scope", "printed_only"): Fight(
        (
            *duel_orders(replace(MODRE, weapon=(GUN, ICE_BLADE)), CLONE, SENTRY),
            MUD,
            Attack("modre", "clone", "gun", power=1, distance=Decimal(1), from_above=True),
            Resolve(8, attack_die=6, defense_die=3),
        )
    ),
    ("ground_modifiers", "five_point"): Fight(
        (*DOWN, Attack("modre", "clone", "ice-blade", power=1), Resolve(7, attack_die=6, defense_die=3))
    ),
    ("ground_movement", "half"): Fight((*DOWN, Move("modre", points=3))),
    ("instant_stand_bonus", "five"): Fight(UP),
    ("instant_stand_difficulty", "literal_zero"): Fight((*DOWN, InstantStand("modre", die=1))),
    ("instant_stand_difficulty", "ten_plus_zero"): Fight((*DOWN, InstantStand("modre", die=6))),
    ("instant_stand_expiry", "start_of_next_turn"): Fight(
        (*UP, *NEXT, EndTurn("clone"), BeginTurn("modre")),
    ),
    ("passive_modifier", "defense_pool_only"): Fight(
        (
            *EVADED,
            Attack("clone", "modre", power=1, modifier=1),
            Parry("modre", 9, "ice-blade"),
            Resolve(9, attack_die=4, defense_die=3),
        )
    ),
    ("position_table_source", "table"): Fight(
        (
            *DUEL,
            CLINCH,
            Act("modre", "reaches for the key", points=2),
            Interfere("clone", 7, 7, points=1),
            Resolve(7, attack_die=6, interference_die={"8": 3}),
        )
    ),
    ("quick_action_list", "extended"): Fight(
        (
            *duel_orders(replace(MODRE, weapon=(KNIFE, ICE_BLADE)), CLONE),
            DeclareCombo("modre", 2),
            Aim("modre", "knife"),
            Attack("modre", "clone", "ice-blade", power=1),
        )
    ),
    ("rest_action_effect", "recover_all_stun"): Fight(RESTED),
}
