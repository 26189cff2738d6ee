"""Fights for the options of manipulation and grappling."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import Attack, BeginTurn, Body, Check, Command, EndTurn, Escape, Manipulate, Resolve
from mam_events.events import CombatantJoined, Event
from mam_events.state import Statistics
from tests.fighters import CLONE, MODRE, duel_orders
from tests.rules.fights import Fight
from tests.spec import given

STRONG = replace(MODRE, hp=12, body=Body(power=2))
CALM = duel_orders(STRONG, replace(CLONE, hp=9))
TALLER = CombatantJoined(replace(given(STRONG).state.combatants["modre"], statistics=Statistics(size=1)))
HIT, TIE = Resolve(6, attack_die=6, defense_die=1), Resolve(6, attack_die=3, defense_die=3)
ONE_ROUND = (EndTurn("modre"), BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"))


def grip(follow_up: str, **points: int) -> Manipulate:
    """Return a manipulation of the Clone by Modre."""
    return Manipulate("modre", "clone", follow_up=follow_up, **points)  # type: ignore[arg-type]  # one of its values


def gripped(follow_up: str, dice: Resolve = HIT, **points: int) -> tuple[Command, ...]:
    """Return a fight in which Modre manipulates the Clone, with that follow-up."""
    return (*CALM, grip(follow_up, **points), dice)


CHOKED = (*gripped("choke", power=5), *ONE_ROUND)
TALL: tuple[Command | Event, ...] = (*CALM[:2], TALLER, *CALM[2:], grip("choke", power=5), HIT)
LATER = (
    *gripped("none", points=2),
    *ONE_ROUND,
    *ONE_ROUND,
    EndTurn("modre"),
    BeginTurn("clone"),
    Attack("clone", "modre", power=1),
)
STRIPPED = (
    *duel_orders(STRONG, replace(CLONE, weapon=(replace(MODRE.weapon[0], reach=CLONE.body.reach),))),
    Manipulate("modre", "clone", points=2, follow_up="disarm", item="ice-blade"),
    TIE,
)
WRIGGLED = (*gripped("hold", points=2), EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 1))
THROWN = (*CALM, Manipulate("modre", "clone", points=2, follow_up="throw", surface="a wall", surface_power=3), HIT)

FIGHTS: dict[tuple[str, str], Fight] = {
    ("choke_power_base", "hit_points_only"): Fight(CHOKED),
    ("choke_size_difference", "excluded"): Fight(TALL),
    ("half_disarm", "succeeds"): Fight(STRIPPED),
    ("half_manipulation", "no_effect"): Fight(gripped("none", TIE, points=2)),
    ("held_penalty_scope", "all_rolls"): Fight((*gripped("hold", points=2), Check("clone", 10, die=11))),
    ("hold_effect_timing", "round_start"): Fight(CHOKED),
    ("hold_escape", "gm"): Fight(WRIGGLED),
    ("hold_escape", "interference_only"): Fight(WRIGGLED),
    ("hold_maintenance", "respend_each_round"): Fight((*gripped("hold", points=2), *ONE_ROUND, EndTurn("modre"))),
    ("manipulation_expiry", "target_turns"): Fight(LATER),
    ("manipulation_no_advantage", "still_successful"): Fight((*gripped("hold", modifier=1),)),
    ("throw_impact_power", "thrown_size"): Fight(THROWN),
}
