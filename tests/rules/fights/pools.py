"""Fights for the options of hit points, turns, initiative and exchanges."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Body,
    Check,
    Command,
    Contest,
    Counterattack,
    DeclaredOutcome,
    Defend,
    EndTurn,
    Heal,
    Hold,
    Initiative,
    Interfere,
    Join,
    Move,
    Parry,
    PoolMove,
    Ready,
    Resolve,
)
from mam_events.state import Item, Pools, Weapon
from tests.fighters import CLONE, DUEL, ICE_BLADE, MODRE, PRINTED_FIGHT, SENTRY, duel_orders, with_pools
from tests.rules.fights import Fight

PRESET = "mam_pools"


D20 = {"combat_die": "d20"}
SUBSTITUTE = {"combat_die": "d20_substitute"}
HURT = (with_pools(MODRE, ready=1, damage=9),)
HIT = Attack("modre", "clone", "ice-blade", power=2, modifier=1)
BLUNT = replace(MODRE, weapon=(replace(ICE_BLADE, power=4),))
GRIP = Adjust("it grabs him", hold=(Hold("clone", "headlock", 3, 2),))
LADEN = replace(with_pools(CLONE, ready=1, other_used=5), item=(Item("pack", encumbrance=2),))


def blow(pools: Pools, stun: int, damage: int) -> tuple[Command, ...]:
    """Hit a Clone with those pools for that stun and damage."""
    wound = Adjust("a hit", outcome=DeclaredOutcome(6, "full", stun=stun, damage=damage))
    return (*duel_orders(MODRE, with_pools(CLONE, **to_builtins(pools))), HIT, wound)


def counterattack_orders(attack_die: int, answer_die: int, *, power: int = 1) -> tuple[Command, ...]:
    """Meet an attack of three points with a counterattack."""
    answer = Counterattack("clone", 6, power=power, modifier=1)
    return (*DUEL, HIT, answer, Resolve(6, attack_die=attack_die, defense_die=answer_die))


def interference_orders(root_die: int, die: int, *, bonus: int = 0) -> tuple[Command, ...]:
    """Let the Clone interfere with an action."""
    act = Act("modre", "works the machine", points=2, bonus=1)
    dice = Resolve(6, attack_die=root_die, interference_die={"7": die})
    return (*DUEL, act, Interfere("clone", 6, 6, points=1, bonus=bonus), dice)


FORTRESS = duel_orders(clone=replace(CLONE, body=Body(defense=9)))
TIE = (*DUEL, HIT, Resolve(6, attack_die=2, defense_die=4))
ODD_TIE = (*duel_orders(BLUNT), Attack("modre", "clone", "ice-blade", power=1), Resolve(6, attack_die=1, defense_die=2))
SAME_REACH = (
    MODRE,
    replace(MODRE, combatant="twin", name="Twin", seat=1),
    Initiative(),
    Initiative(circumstance="twin"),
)
AMBUSH = (
    MODRE,
    CLONE,
    SENTRY,
    replace(SENTRY, combatant="second", name="Second", seat=3),
    Initiative(surprise=("clone", "second")),
)
REFRESH = (*duel_orders(with_pools(MODRE, ready=2, other_used=4)), Ready("modre", other_used=3), EndTurn("modre"))
LAZY = (*duel_orders(with_pools(MODRE, ready=2, other_used=4)), Move("modre", points=1), EndTurn("modre"))
PARRY = (
    *duel_orders(clone=replace(with_pools(CLONE, ready=3, defense=3), weapon=(Weapon("guard", defense=1),))),
    HIT,
    Parry("clone", 6, "guard"),
    Resolve(6, attack_die=4, defense_die=3),
)
OVERLADEN = (
    *duel_orders(MODRE, LADEN),
    HIT,
    Adjust("a hit", outcome=DeclaredOutcome(6, "full", damage=5)),
    EndTurn("modre"),
    BeginTurn("clone"),
    Adjust("first aid", move=(PoolMove("clone", "damage", "defense", 2),)),
    Ready("clone", defense=1),
    EndTurn("clone"),
)
TORN = (*duel_orders(MODRE, LADEN), GRIP, HIT, Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=2)))
HELD = (
    *duel_orders(MODRE, with_pools(CLONE, other_used=4)),
    GRIP,
    HIT,
    Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=2)),
)
CHAIN = (
    *duel_orders(MODRE, CLONE, SENTRY),
    Act("modre", "works the machine", points=3),
    Interfere("clone", 7, 7, points=1),
    Interfere("sentry", 7, 8, points=2),
)

FIGHTS: dict[tuple[str, str], Fight] = {
    ("all_hp_lost_state", "dead_when_all_damage"): Fight(blow(Pools(ready=6), 0, 6)),
    ("all_hp_lost_state", "no_state"): Fight(blow(Pools(ready=6), 0, 6)),
    ("automatic_success_in_opposed_rolls", "attacker_only"): Fight((*FORTRESS, HIT, Resolve(6, 20, 19)), D20),
    ("automatic_success_in_opposed_rolls", "either_side"): Fight((*DUEL, HIT, Resolve(6, 19, 20)), D20),
    ("body_modifier", "single_two"): Fight(PRINTED_FIGHT),
    ("body_modifier", "single_zero"): Fight(PRINTED_FIGHT),
    ("combat_die", "d20_substitute"): Fight((*DUEL, HIT, Resolve(6))),
    ("combat_die", "d20"): Fight((*DUEL, HIT, Resolve(6, attack_die=12, defense_die=1))),
    ("contest_roller", "responder"): Fight((*DUEL, Contest("modre", "clone", modifier=3))),
    ("damage_when_none_available", "lost"): Fight(blow(Pools(stun=4, damage=2), 0, 2)),
    ("defense_resolution", "fixed_difficulty"): Fight((*DUEL, HIT, Resolve(6, attack_die=6, defense_die=1))),
    ("empty_ready_pool", "free_actions"): Fight((*DUEL, Move("modre", 6), Act("modre", "shouts", points=0))),
    ("encumbrance_shortfall", "ignore"): Fight(OVERLADEN),
    ("encumbrance_shortfall", "refill_first"): Fight(OVERLADEN),
    ("grapple_shortfall", "hold_weakens"): Fight(HELD),
    ("half_order", "half_then_split"): Fight(TIE),
    ("half_rounding", "down"): Fight(ODD_TIE),
    ("half_success_scope", "every_roll"): Fight((MODRE, Check("modre", 12, die=12))),
    ("half_success", "never"): Fight(TIE),
    ("half_success", "one_of_two_rolls"): Fight(TIE),
    ("ineffective_counter_defends", "yes"): Fight(counterattack_orders(1, 6, power=0)),
    ("healing_roll_modifier", "rest_days_plus_healer"): Fight((*HURT, Heal("modre", healer=4))),
    ("initial_pools", "all_other_used"): Fight(DUEL),
    ("initial_pools", "hp_per_round_ready"): Fight(DUEL),
    ("initiative_method", "circumstance_then_dice"): Fight(
        (MODRE, CLONE, Initiative(tie_die={"modre": 1, "clone": 2}))
    ),
    ("interference_hp_cap_base", "root_action"): Fight(CHAIN),
    ("interference_roll", "versus_fixed_difficulty"): Fight(interference_orders(1, 4)),
    ("interference_tie", "half_each"): Fight(interference_orders(1, 2)),
    ("parry_modifiers", "parry_and_passive_only"): Fight(PARRY),
    ("parry_point_pool", "defense"): Fight(PARRY),
    ("pool_counterattack", "defense_only"): Fight(counterattack_orders(1, 6)),
    ("pool_counterattack", "simultaneous_exchange"): Fight(counterattack_orders(4, 5)),
    ("positive_sharpness", "add_to_damage"): Fight(
        (
            *duel_orders(replace(MODRE, weapon=(replace(ICE_BLADE, sharpness=2),))),
            HIT,
            Resolve(6, attack_die=6, defense_die=1),
        )
    ),
    ("reach_tie", "circumstance"): Fight(SAME_REACH),
    ("reach_tie", "seat_order"): Fight(SAME_REACH),
    ("reaction_hp_cap", "capped_by_attack_hp"): Fight((*DUEL, HIT, Defend("clone", 6, points=6))),
    ("ready_refresh_amount", "exact_maximum"): Fight(LAZY),
    ("ready_refresh_cap", "ready_cap"): Fight(REFRESH),
    ("regeneration_doubling", "whole_recovery"): Fight((*HURT, Heal("modre", 7))),
    ("regeneration_quality_effect", "scales_interval"): Fight((*HURT, Heal("modre", quality="daily"))),
    ("reserve_shortfall_priority", "encumbrance_first"): Fight(TORN),
    ("reserve_shortfall_priority", "grapple_first"): Fight(TORN),
    ("rest_roll_difficulty", "opposition_only"): Fight((*HURT, Heal("modre", 7))),
    ("rest_roll_difficulty", "ten_plus_opposition"): Fight((*HURT, Heal("modre", 7))),
    ("round_boundary", "turn_end_to_turn_end"): Fight((*DUEL, EndTurn("modre"), BeginTurn("clone"), EndTurn("clone"))),
    ("single_athletic_ability", "use_default_one"): Fight((Join("beast", athletic=(4,)),)),
    ("stun_damage_split", "independent_definition"): Fight(PRINTED_FIGHT),
    ("stun_damage_split", "sharpness_class"): Fight((*DUEL, HIT, Resolve(6, attack_die=6, defense_die=1))),
    ("stun_overflow", "whole_hit_only"): Fight(blow(Pools(ready=1, stun=5), 3, 0)),
    ("stun_recovery_timing", "turn_end"): Fight(PRINTED_FIGHT),
    **{("substitute_die", die): Fight((*DUEL, HIT, Resolve(6)), SUBSTITUTE) for die in ("d12", "d8", "d6")},
    ("substitute_automatic_success", "ignore"): Fight(
        (MODRE, Check("modre", 30, kind="d6", die=6, confirmation_die=5))
    ),
    ("substitute_zero_face", "highest_counts_as_zero"): Fight((MODRE, Check("modre", kind="d8", die=8))),
    ("surprise_order", "clockwise_from_surpriser"): Fight(AMBUSH),
    ("wound_order", "damage_first"): Fight(blow(Pools(ready=3), 2, 2)),
}
WITHOUT_A_FIGHT = {
    ("cp_mass_gap", "nearest_printed_value"): "no fight asks for prices; tests/rules/test_character_points.py shows it",
    ("cp_mass_over_limit", "extrapolate"): "no fight asks for prices; tests/rules/test_character_points.py shows it",
    ("speed_step", "flat"): "no fight asks for prices; tests/rules/test_character_points.py shows it",
}
