"""Tackles: stopping an action by manipulating its actor (MAM-INTF-02, MAM-INTF-04)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Act, Adjust, Attack, Interfere, Join, Placement, Resolve, Tackle
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ActionResolved,
    AttackResolved,
    CounterattackResolved,
    GrappleEstablished,
    HitPointsSpent,
    InterferenceResolved,
    InterferenceRolled,
    ManipulationPenaltyApplied,
    ManipulationResolved,
    TackleDeclared,
    TargetDisarmed,
    TargetThrown,
)
from mam_events.state import Manipulation, Pools, Weapon
from tests.fighters import CLONE, MODRE, SENTRY, duel_orders
from tests.spec import GivenFight, given

HERO = replace(
    CLONE, combatant="hero", name="Hero", weapon=(Weapon("bow", kind="bow"), Weapon("javelin", kind="thrown"))
)
BOMB = Act("modre", "activates the doomsday device", points=3)


def device(rules: dict[str, str] | None = None, **sizes: int) -> GivenFight:
    """Let the scientist activate his device (ruling 7) before the hero and a henchman of the scientist."""
    scaled = [replace(join, size=sizes.get(join.combatant, join.size)) for join in (MODRE, HERO, SENTRY)]
    return given(*duel_orders(*scaled), BOMB, rules=rules)


def test_a_tackle_stops_the_action_of_the_scientist() -> None:
    """MAM-INTF-02, MAM-INTF-04: it stops the action and lowers the next roll, like every manipulation."""
    fight = device()
    fight.when(Tackle("hero", 7, 7, points=2, modifier=1)).then(
        TackleDeclared(7, 8, "hero", 7, "modre", "body", Manipulation(2), 0, 1, 3),
        HitPointsSpent("hero", "manipulation", 1, 2, Pools(ready=3, defense=1, other_used=2)),
    )
    fight.after(Tackle("hero", 7, 7, points=2, modifier=1))
    result = fight.when(Resolve(7, 2, interference_die={"8": 4}))
    assert result.one(InterferenceResolved).outcome == "full"
    assert result.one(ManipulationResolved) == ManipulationResolved(7, "hero", "modre", 2, 0, 2, "full", True, 2)
    assert result.one(ManipulationPenaltyApplied).effect.value == -2
    assert result.one(ActionResolved).why == "stopped by Hero's interference (8)"
    missed_result = fight.when(Resolve(7, 6, interference_die={"8": 2}))
    assert missed_result.one(ActionResolved).outcome == "full"
    assert not missed_result.all(ManipulationResolved)


def test_a_tackle_without_an_advantage_does_not_stop_the_action() -> None:
    """MAM-INTF-04: the tackle needs an advantage, whatever `manipulation_no_advantage` says of follow-ups."""
    for reading in ("no_effect", "still_successful"):
        fight = device({"manipulation_no_advantage": reading}, modre=5).after(Tackle("hero", 7, 7, points=2))
        result = fight.when(Resolve(7, 1, interference_die={"8": 6}))
        assert result.one(InterferenceResolved).why == "no effect"
        assert result.one(ActionResolved).outcome == "full"


def test_a_tackle_can_disarm_throw_or_hold() -> None:
    """MAM-MNP-02, MAM-INTF-04."""
    won = Resolve(7, 1, interference_die={"8": 6})
    for follow_up, event in (("disarm", TargetDisarmed), ("throw", TargetThrown), ("hold", GrappleEstablished)):
        item = "ice-blade" if follow_up == "disarm" else ""
        order = Tackle("hero", 7, 7, points=2, follow_up=follow_up, item=item)  # type: ignore[arg-type]  # one of its values
        result = device().after(order).when(won)
        result.one(event)
        assert result.one(ActionResolved).outcome == "fail"


def test_a_choke_as_a_tackle_uses_power() -> None:
    """MAM-MNP-06."""
    device().when(Tackle("hero", 7, 7, points=2, follow_up="choke")).raises("idle_points", "MAM-MNP-06")
    order = Tackle("hero", 7, 7, power=3, follow_up="choke")
    result = device().after(order).when(Resolve(7, 1, interference_die={"8": 6}))
    assert result.one(GrappleEstablished).grapple.kind == "choke"


def test_the_target_of_an_attack_may_tackle_instead_of_defending() -> None:
    """MAM-INTF-03: its roll replaces the defense roll."""
    fight = given(*duel_orders(), Attack("modre", "clone", "ice-blade", power=2, modifier=1))
    tackle = Tackle("clone", 6, 6, points=2, modifier=1)
    fight.when(replace(tackle, points=3)).raises("exceeds_maximum", "MAM-INTF-05")
    fight.after(tackle).when(Interfere("clone", 6, 6, points=1)).raises("already_answered", "MAM-INTF-03")
    won_result = fight.when(Resolve(6, 1, 6))
    assert (won_result.one(AttackResolved).outcome, won_result.one(CounterattackResolved).outcome) == ("fail", "full")
    assert won_result.one(ManipulationResolved).combatant == "clone"
    lost_result = fight.when(Resolve(6, 6, 1))
    assert (lost_result.one(AttackResolved).outcome, len(lost_result.all(ManipulationResolved))) == ("full", 0)


@pytest.mark.parametrize("reading", ["no_effect", "still_successful"])
def test_a_tied_tackle_without_an_advantage_fails(reading: str) -> None:
    """MAM-INTF-04, `manipulation_no_advantage`: the tie still halves the attack."""
    fight = given(
        *duel_orders(), Attack("modre", "clone", "body", power=2), rules={"manipulation_no_advantage": reading}
    )
    fight.after(Tackle("clone", 6, 6, modifier=1, follow_up="throw"))
    tie = fight.when(Resolve(6, 6, 3))
    assert (tie.one(AttackResolved).outcome, tie.one(CounterattackResolved).outcome) == ("half", "fail")
    assert not tie.all(ManipulationResolved)
    assert "tackle" in fight.when(Resolve(6, 1, 6)).one(AttackResolved).why


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Tackle("modre", 7, 7, points=1), "bad_target"),
        (Tackle("hero", 7, 9, points=1), "unknown_action"),
        (Tackle("hero", 7, 7, points=4), "exceeds_maximum"),
        (Tackle("hero", 7, 7, "bow", power=1), "missile_weapon"),
        (Tackle("hero", 7, 7, "javelin", points=1, follow_up="hold"), "missile_weapon"),
        (Tackle("hero", 7, 7, points=1, item="ice-blade"), "idle_item"),
        (Tackle("hero", 7, 7, points=1, follow_up="disarm"), "item_missing"),
        (Tackle("hero", 7, 7, points=1, power=1), "idle_power"),
    ],
)
def test_an_impossible_tackle_is_refused(order: Tackle, code: str) -> None:
    """MAM-INTF-01, MAM-INTF-05, MAM-MNP-03, MAM-MNP-04."""
    device().when(order).raises(code)


def test_a_vehicle_cannot_tackle_and_the_dead_cannot_be_tackled() -> None:
    """MAM-INTF-04, MAM-VEH-01: a tackle is an attack, and a vehicle can only ram."""
    cart = Join("cart", hp=6, training="vehicle")
    fight = given(*duel_orders(MODRE, HERO, cart), BOMB)
    fight.when(Tackle("cart", 7, 7, points=1)).raises("will_not_fight", "MAM-VEH-01")
    fight.after(Adjust("it bites him", condition={"modre": "dead"}))
    fight.when(Tackle("hero", 7, 7, points=1)).raises("bad_target", "MAM-ATK-01")


@pytest.mark.parametrize(("position", "tackling", "striking"), [("on_ground", 0, -2), ("clinch", -5, -5)])
def test_a_position_modifies_a_tackle_like_a_grapple(position: Any, tackling: int, striking: int) -> None:
    """MAM-MNV-03, MAM-POS-02: the ground has no modifier, a clinch has one."""
    placed = Adjust("so it is", position=(Placement("hero", position, "sentry" if position == "clinch" else ""),))
    strike = Interfere("hero", 7, 7, weapon="body", power=1)
    for order, worth in ((Tackle("hero", 7, 7, points=1), tackling), (strike, striking)):
        fight = device().after(placed, order)
        roll = fight.when(Resolve(7, 1, interference_die={"9": 6})).one(InterferenceRolled)
        assert sum(modifier.value for modifier in roll.modifiers if modifier.rule.startswith("MAM-POS")) == worth


def test_a_tackle_can_itself_be_interfered_with() -> None:
    """MAM-INTF-02, MAM-INTF-07: the action, the tackle and the interference all happen in the scientist's turn."""
    fight = device().after(Tackle("hero", 7, 7, points=2), Interfere("sentry", 7, 8, points=1, bonus=1))
    result = fight.when(Resolve(7, 1, interference_die={"8": 4, "9": 6}))
    assert result.one(ActionResolved).outcome == "full"
    assert not result.all(ManipulationResolved)


def test_tackles_are_offered_with_every_possible_follow_up() -> None:
    """MAM-INTF-01."""
    fight = device()
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if offer.do == "tackle"]
    ways: set[Any] = {
        follow_up
        for offer in offers
        if isinstance(offer, Template) and offer.combatant == "hero"
        for field in offer.fields
        if field.name == "follow_up"
        for follow_up in field.choices or ()
    }
    assert ways == {"none", "hold", "throw", "choke", "wrench", "disarm"}
