"""Manipulation and grappling: taking somebody in hand, holds that go on, ways out of them (MAM-MNP)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    Defend,
    DropItem,
    EndTurn,
    Hold,
    Initiative,
    Interfere,
    Join,
    Parry,
    PickUpItem,
    Ready,
    Release,
    Resolve,
)
from mam_events.commands.grappling import Escape, MaintainGrapple, Manipulate
from mam_events.commands.rolls import Check, Contest
from mam_events.encounter.decide import legal_commands
from mam_events.encounter.templates import Template
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    CombatantJoined,
    CombatantMoved,
    DefenseRolled,
    GrappleBroken,
    GrappleReleased,
    GrappleWeakened,
    HitPointsSpent,
    Modifier,
    WoundInflicted,
)
from mam_events.events.armor import ArmorChecked
from mam_events.events.effects import EffectExpired
from mam_events.events.grappling import (
    GrappleEffectApplied,
    GrappleEstablished,
    GrappleMaintained,
    ManipulationPenaltyApplied,
    ManipulationPenaltyConsumed,
    ManipulationResolved,
    TargetDisarmed,
    TargetThrown,
)
from mam_events.events.rolls import ContestResolved, SuccessRolled
from mam_events.state import ArmorPiece, Pools, Statistics, Weapon
from tests.fighters import CLONE, ICE_BLADE, MODRE, SENTRY, facing, having
from tests.spec import Given, Judged, given

HIT, TIE, MISS = Resolve(6, attack_die=6, defense_die=1), Resolve(6, 3, 3), Resolve(6, 1, 6)
TWELVE = replace(MODRE, hp=12)
SABRE = replace(CLONE, hp=12, body=Body(), weapons=(Weapon("sabre", name="Sabre"), Weapon("claws", attached=True)))


def stand(*orders: Command, modre: Join = TWELVE, clone: Join = SABRE, **more: Any) -> Given:
    """Modre's turn against the Clone; `sizes` and other statistics are facts, for they are given as such."""
    statistics = {name: more.pop(name) for name in ("modre_is", "clone_is") if name in more}
    fight = given(modre, clone, **more)
    for name, has in statistics.items():
        who = name.split("_")[0]
        fight.after(CombatantJoined(replace(fight.state.combatants[who], statistics=has)))
    return fight.after(Initiative(first="modre", reason="he is ready"), BeginTurn("modre"), *orders)


def take(**fields: Any) -> Manipulate:
    return Manipulate("modre", "clone", **fields)


def gripped(follow_up: str = "hold", dice: Resolve = HIT, **more: Any) -> Given:
    """Modre has taken the Clone in hand with three points, or five in a choke."""
    points = {"power": 5} if follow_up in ("choke", "wrench") else {"points": 3}
    return stand(take(follow_up=follow_up, **points), dice, **more)


def passing(*names: str) -> tuple[Command, ...]:
    """One turn after the other begins and ends."""
    return tuple(order for name in names for order in (BeginTurn(name), EndTurn(name)))


def penalties(judged: Judged, kind: type[Any], rule: str) -> list[int]:
    return [modifier.value for fact in judged.all(kind) for modifier in fact.modifiers if modifier.rule == rule]


def test_a_manipulation_takes_its_advantage_in_size_off_the_next_combat_roll_alone() -> None:
    """MAM-MNP-01."""
    fight = stand(take(points=3), modre_is=Statistics(size=4), clone_is=Statistics(size=5))
    done = fight.when(HIT)
    assert done.one(ManipulationResolved) == ManipulationResolved(6, "modre", "clone", 7, 5, 2, "full", True, 2)
    assert not done.all(WoundInflicted)
    fight.after(HIT, Attack("modre", "clone", "ice-blade", power=1, modifier=1))
    first = fight.when(Resolve(8, 1, 1))
    assert penalties(first, DefenseRolled, "MAM-MNP-01") == [-2]
    assert first.one(ManipulationPenaltyConsumed) == ManipulationPenaltyConsumed("clone", -2, 8)
    fight.after(Resolve(8, 1, 1), Attack("modre", "clone", "ice-blade", power=1))
    assert penalties(fight.when(Resolve(10, 1, 6)), DefenseRolled, "MAM-MNP-01") == []


def test_a_manipulation_costs_what_it_uses_and_may_be_met_as_any_attack() -> None:
    """MAM-MNP-01: its points to manipulate lie in other used, those on the modifier in defense."""
    fight = stand(take(points=3, modifier=2))
    assert fight.state.combatants["modre"].pools == Pools(ready=7, defense=2, other_used=3)
    assert fight.when(Parry("clone", 6, "sabre")).no is None
    assert fight.when(Defend("clone", 6, 4)).no is None
    fight.when(Counterattack("clone", 6, "sabre", power=6)).refused("exceeds_cap", "MAM-INTF-05")
    struck = fight.after(Counterattack("clone", 6, "sabre", power=3, modifier=2)).when(Resolve(6, 1, 6))
    assert struck.one(AttackResolved).outcome == "fail"
    assert not struck.all(ManipulationResolved)


def test_who_interferes_stops_a_manipulation() -> None:
    """MAM-MNP-01, MAM-INTF-01."""
    fight = given(*facing(TWELVE, SABRE, SENTRY), take(points=3), Interfere("sentry", 7, 7, points=3, bonus=9))
    done = fight.when(Resolve(7, 6, None, {"8": 6}))
    assert done.one(AttackResolved).outcome == "fail"
    assert not done.all(ManipulationResolved)


@pytest.mark.parametrize(("reading", "effective", "held"), [("no_effect", False, 0), ("still_successful", True, 1)])
def test_without_an_advantage_nothing_follows_unless_the_house_says_so(
    reading: str, *, effective: bool, held: int
) -> None:
    """MAM-MNP-01, option `manipulation_no_advantage`."""
    fight = gripped(clone_is=Statistics(size=9), dice=HIT, rules={"manipulation_no_advantage": reading})
    assert len(fight.state.combatants["modre"].grapples) == held
    again = stand(take(points=1), clone_is=Statistics(size=1), rules={"manipulation_no_advantage": reading}).when(HIT)
    assert again.one(ManipulationResolved).effective is effective
    assert not again.all(ManipulationPenaltyApplied)


@pytest.mark.parametrize(("reading", "penalty"), [("half_modifier", [-2]), ("no_effect", [])])
def test_half_a_manipulation_is_half_as_hard(reading: str, penalty: list[int]) -> None:
    """MAM-MNP-01, MAM-ROLL-05, option `half_manipulation`."""
    done = stand(take(points=3), rules={"half_manipulation": reading}).when(TIE)
    assert [fact.effect.value for fact in done.all(ManipulationPenaltyApplied)] == penalty


@pytest.mark.parametrize(("reading", "expired_by"), [("global_round", BeginTurn("modre")), ("target_turns", None)])
def test_the_penalty_lapses_with_the_end_of_the_next_round(reading: str, expired_by: Command | None) -> None:
    """MAM-MNP-01, option `manipulation_expiry`: by rounds, or with the target's second turn after it."""
    fight = stand(take(points=3), HIT, EndTurn("modre"), rules={"manipulation_expiry": reading})
    fight.after(*passing("clone", "modre", "clone"))
    over = EffectExpired("clone", "manipulation")
    if expired_by:
        assert over in fight.when(expired_by).facts
    else:
        again = stand(take(points=3), HIT, EndTurn("modre"), rules={"manipulation_expiry": reading})
        again.after(*passing("clone", "modre"))
        assert over in again.when(BeginTurn("clone")).facts


def test_the_penalty_counts_for_no_roll_that_is_none_of_combat() -> None:
    """MAM-MNP-01: what one does beside fighting takes no combat roll, even where somebody interferes."""
    fight = stand(take(points=3), HIT, EndTurn("modre"), BeginTurn("clone"), Act("clone", "works the winch", points=2))
    fight.after(Interfere("modre", 10, 10, points=1))
    assert fight.when(Resolve(10, 3, None, {"11": 3})).all(ManipulationPenaltyConsumed) == []


def test_a_missile_manipulates_by_its_power_less_five() -> None:
    """MAM-MNP-03."""
    gun = Weapon("gun", kind="gun", power=6, max_range=Decimal(20))
    fight = stand(
        take(weapon="gun", power=3, distance=Decimal(1)),
        modre=replace(TWELVE, weapons=(gun,)),
        clone_is=Statistics(size=3),
    )
    came = fight.when(HIT).one(ManipulationResolved)
    assert (came.modifier, came.advantage) == (4, 1)
    weak = stand(take(weapon="gun", power=1), modre=replace(TWELVE, weapons=(replace(gun, power=1),)))
    assert weak.when(HIT).one(ManipulationResolved).modifier == 0


@pytest.mark.parametrize("follow_up", ["hold", "choke", "wrench", "throw"])
@pytest.mark.parametrize("kind", ["bow", "crossbow", "gun", "thrown"])
def test_no_missile_can_grip(follow_up: Any, kind: Any) -> None:
    """MAM-MNP-03."""
    fight = stand(modre=replace(TWELVE, weapons=(Weapon("toy", kind=kind),)))
    fight.when(take(weapon="toy", follow_up=follow_up, points=1)).refused("missile_weapon", "MAM-MNP-03")


def test_a_disarmed_weapon_lies_there_to_be_picked_up() -> None:
    """MAM-MNP-02, MAM-MNP-04."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"))
    assert fight.when(HIT).one(TargetDisarmed) == TargetDisarmed("clone", "modre", "sabre")
    assert fight.when(HIT).one(ManipulationPenaltyApplied).effect.value == -3
    fight.after(HIT, EndTurn("modre"), BeginTurn("clone"))
    fight.when(Attack("clone", "modre", "sabre", power=1)).refused("weapon_not_in_hand")
    fight.after(PickUpItem("clone", "sabre")).when(Attack("clone", "modre", "sabre", power=1)).all()


def test_what_is_dropped_before_the_dice_fall_cannot_be_taken() -> None:
    """MAM-MNP-04."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"), DropItem("clone", "sabre"))
    assert fight.when(HIT).all(TargetDisarmed) == []


@pytest.mark.parametrize("item", ["claws", "body"])
def test_what_is_part_of_the_body_cannot_be_taken(item: str) -> None:
    """MAM-MNP-04."""
    stand().when(take(points=3, follow_up="disarm", item=item)).refused("weapon_attached_to_body", "MAM-MNP-04")


@pytest.mark.parametrize(("reading", "taken"), [("fails", 0), ("succeeds", 1)])
def test_half_a_disarming_takes_the_weapon_or_not(reading: str, taken: int) -> None:
    """MAM-MNP-04, option `half_disarm`."""
    fight = stand(take(points=3, follow_up="disarm", item="sabre"), rules={"half_disarm": reading})
    assert len(fight.when(TIE).all(TargetDisarmed)) == taken


@pytest.mark.parametrize(("dice", "modifier"), [(HIT, 3), (TIE, 2)])
def test_a_hold_takes_its_advantage_off_every_combat_roll_and_keeps_its_points(dice: Resolve, modifier: int) -> None:
    """MAM-MNP-05, MAM-POOL-07, MAM-POOL-08: half a success costs the same and is half as hard."""
    fight = gripped(dice=dice)
    (grapple,) = fight.state.combatants["modre"].grapples
    assert (grapple.points, grapple.modifier, grapple.held) == (3, modifier, "clone")
    fight.after(EndTurn("modre"), BeginTurn("clone"))
    for _ in range(2):
        fight.after(Attack("clone", "modre", "sabre", power=1))
        rolled = fight.when(Resolve(fight.ruling, 1, 6))
        assert penalties(rolled, AttackRolled, "MAM-MNP-05") == [-modifier]
        fight.after(Resolve(fight.ruling, 1, 6))
    fight.after(EndTurn("clone"), BeginTurn("modre"))
    fight.when(Ready("modre", from_other_used=1)).refused("exceeds_maximum", "MAM-PHASE-02")


@pytest.mark.parametrize("reading", ["combat_rolls", "all_rolls"])
def test_a_hold_makes_combat_rolls_harder_or_all_of_them(reading: str) -> None:
    """MAM-MNP-05, MAM-MNP-07, option `held_penalty_scope`."""
    expected = [-3] if reading == "all_rolls" else []
    fight = gripped(rules={"held_penalty_scope": reading})
    made = fight.when(Check("clone", 10, die=11)).one(SuccessRolled).rolls[0]
    assert [modifier.value for modifier in made.modifiers] == expected
    contest = fight.when(Contest("clone", "modre", die=11)).one(ContestResolved).rolls[0]
    assert [modifier.value for modifier in contest.modifiers] == expected
    fight.after(EndTurn("modre"), BeginTurn("clone"), Act("clone", "calls for help", points=1))
    fight.after(Interfere("modre", 10, 10, points=1))
    judged = fight.when(Resolve(10, 3, None, {"11": 3}))
    held = [m.value for fact in judged.facts for m in getattr(fact, "modifiers", ()) if m.rule == "MAM-MNP-05"]
    assert held == expected


def test_the_printed_choke() -> None:
    """MAM-MNP-06, MAM-MNP-07: five points, two equal clones: -3 on rolls and a hit of power 2, now and each round."""
    done = stand(take(power=5, follow_up="choke")).when(HIT)
    grapple = done.one(GrappleEstablished).grapple
    assert (grapple.modifier, grapple.power, grapple.points) == (3, 2, 5)
    assert done.one(GrappleEffectApplied) == GrappleEffectApplied("modre", "choke-6", "clone", 2, 0)
    assert done.one(WoundInflicted).damage == 2
    fight = gripped("choke").after(EndTurn("modre"), *passing("clone"))
    again = fight.when(BeginTurn("modre"))
    assert again.one(GrappleMaintained) == GrappleMaintained("modre", "choke-6", 2)
    assert again.one(WoundInflicted).damage == 2


@pytest.mark.parametrize("follow_up", ["choke", "wrench"])
def test_half_a_choke_or_wrench_is_half_of_both_at_the_same_cost(follow_up: str) -> None:
    """MAM-MNP-06, MAM-ROLL-05."""
    (grapple,) = gripped(follow_up, TIE).state.combatants["modre"].grapples
    assert (grapple.kind, grapple.modifier, grapple.power, grapple.points) == (follow_up, 2, 1, 5)


@pytest.mark.parametrize(("reading", "modifier"), [("included", 5), ("excluded", 3)])
def test_sizes_count_in_a_choke_or_not(reading: str, modifier: int) -> None:
    """MAM-MNP-06, option `choke_size_difference`."""
    fight = gripped("choke", modre_is=Statistics(size=2), rules={"choke_size_difference": reading})
    assert fight.state.combatants["modre"].grapples[0].modifier == modifier


@pytest.mark.parametrize(("reading", "parts"), [("weapon_plus_hit_points", (5, 4)), ("hit_points_only", (3, 2))])
def test_a_choke_divides_the_whole_attack_power_or_the_points(reading: str, parts: tuple[int, int]) -> None:
    """MAM-MNP-06, option `choke_power_base`; what armour and body absorb comes off the hit."""
    modre = replace(TWELVE, body=Body(power=4))
    fight = gripped("choke", modre=modre, clone=replace(SABRE, absorption=1), rules={"choke_power_base": reading})
    (grapple,) = fight.state.combatants["modre"].grapples
    assert (grapple.modifier, grapple.power) == parts
    assert fight.state.combatants["clone"].pools.damage == parts[1] - 1


def test_armour_that_stood_against_the_first_hit_stands_against_the_next() -> None:
    """MAM-MNP-06: a hit that goes on takes no die, so the piece that blocked blocks on."""
    mail = Statistics(armor=(ArmorPiece("mail", name="Mail", cover=20, absorption=1),))
    fight = stand(take(power=5, follow_up="choke"), clone_is=mail)
    first = fight.when(HIT)
    assert first.one(ArmorChecked).absorption == 1
    fight.after(HIT, EndTurn("modre"), *passing("clone"))
    assert fight.when(BeginTurn("modre")).one(GrappleEffectApplied).absorbed == 1


@pytest.mark.parametrize(("reading", "at_once", "later"), [("holder_turn", 1, "modre"), ("round_start", 0, "modre")])
def test_a_choke_hits_in_the_holders_turn_or_with_the_round(reading: str, at_once: int, later: str) -> None:
    """MAM-MNP-06, option `hold_effect_timing`: with the round, it does not hit in the first."""
    rules = {"hold_effect_timing": reading}
    fight = stand(take(power=5, follow_up="choke"), rules=rules)
    assert len(fight.when(HIT).all(GrappleEffectApplied)) == at_once
    fight.after(HIT, EndTurn("modre"))
    assert fight.when(BeginTurn("clone")).all(GrappleEffectApplied) == []
    fight.after(*passing("clone"))
    assert len(fight.when(BeginTurn(later)).all(GrappleEffectApplied)) == 1


def test_who_is_thrown_lies_on_the_ground_and_takes_the_wall() -> None:
    """MAM-MNP-02, MAM-MNP-08: most surfaces are blunt, and half a success halves what they do."""
    wall = take(points=3, follow_up="throw", surface="the wall", surface_power=5)
    full, half = stand(wall).when(HIT), stand(wall).when(TIE)
    assert (full.one(TargetThrown).lands, half.one(TargetThrown).lands) == ("prone", "semi_prone")
    assert {judged["clone"].status.position for judged in (full, half)} == {"on_ground"}
    assert [(w.stun, w.damage) for w in (full.one(WoundInflicted), half.one(WoundInflicted))] == [(3, 2), (2, 1)]
    spikes = replace(wall, surface_sharpness=0)
    assert stand(spikes).when(HIT).one(WoundInflicted).damage == 5
    assert stand(take(points=3, follow_up="throw")).when(HIT).all(WoundInflicted) == []


@pytest.mark.parametrize(("reading", "worth"), [("surface_profile", 5), ("thrown_size", 2)])
def test_a_wall_strikes_as_hard_as_it_is_or_as_its_victim_is_large(reading: str, worth: int) -> None:
    """MAM-MNP-08, MAM-MNP-09, option `throw_impact_power`: a thrown body is a blunt weapon with its size as power."""
    wall = take(points=3, follow_up="throw", surface="the wall", surface_power=5)
    wound = (
        stand(wall, clone_is=Statistics(size=2), rules={"throw_impact_power": reading}).when(HIT).one(WoundInflicted)
    )
    assert wound.stun + wound.damage == worth


def test_a_throw_reaches_as_far_as_the_body_the_arm_and_the_steps_together() -> None:
    """MAM-MNP-09."""
    modre = replace(TWELVE, stride=Decimal("1.5"), body=Body(reach=Decimal(1)))
    long = Statistics(lengths=(Decimal(2), Decimal("1.2"), Decimal("1.8")))
    throw = take(points=3, follow_up="throw", move=3, distance=Decimal(7))
    fight = stand(throw, modre=modre, clone_is=long)
    assert fight.state.combatants["modre"].pools.defense == 3
    done = fight.when(HIT)
    assert done.one(TargetThrown).reach == Decimal(7)
    assert done.one(CombatantMoved).metres == Decimal("4.5")
    stand(modre=modre, clone_is=long).when(replace(throw, distance=Decimal("7.1"))).refused(
        "out_of_range", "MAM-MNP-09"
    )


def test_letting_go_ends_a_hold_at_any_time() -> None:
    """MAM-MNP-10: its points are free again, and it weighs on no roll."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"))
    fight.when(Release("modre", "hold-6")).then(GrappleReleased("modre", "hold-6"))
    fight.after(Release("modre", "hold-6"), Attack("clone", "modre", "sabre", power=1))
    assert penalties(fight.when(Resolve(11, 1, 6)), AttackRolled, "MAM-MNP-05") == []
    fight.when(Release("modre", "hold-7")).refused("unknown_grapple", "MAM-POOL-07")


def test_a_hold_ends_with_its_holder_and_with_the_weapon_it_is_held_by() -> None:
    """MAM-MNP-10."""
    frail = replace(TWELVE, hp=None, athletic_modifiers=(2, 2), pools={})
    fight = stand(take(points=2, follow_up="hold"), HIT, EndTurn("modre"), BeginTurn("clone"), modre=frail)
    fight.after(Attack("clone", "modre", "sabre", power=9))
    rules = {"grapple_shortfall": "hold_weakens"}
    assert GrappleBroken("modre", "hold-6") in fight.when(Resolve(10, 6, 1)).facts
    out = gripped(rules=rules).when(Adjust("carried off", conditions={"modre": "out"}))
    assert out.facts[-1] == GrappleBroken("modre", "hold-6", "holder_down")
    gone = gripped().when(Adjust("carried off", conditions={"clone": "dead"}))
    assert gone.facts[-1] == GrappleBroken("modre", "hold-6", "held_gone")
    whip = stand(take(weapon="ice-blade", points=3, follow_up="hold"), HIT)
    assert whip.when(DropItem("modre", "ice-blade")).facts[-1] == GrappleBroken("modre", "hold-6", "weapon_gone")


def test_a_weakened_hold_keeps_what_it_is() -> None:
    """MAM-MNP-05, MAM-POOL-07, option `grapple_shortfall`."""
    fight = gripped("choke", modre=having(MODRE, ready=6), rules={"grapple_shortfall": "hold_weakens"})
    fight.after(EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=3))
    hurt = fight.when(Resolve(10, 6, 1))
    assert hurt.one(GrappleWeakened).points == 3
    (grapple,) = hurt["modre"].grapples
    assert (grapple.held, grapple.kind, grapple.power, grapple.points, grapple.modifier) == ("clone", "choke", 2, 3, 1)


def test_a_hold_may_be_paid_anew_each_turn() -> None:
    """MAM-MNP-05, MAM-MNP-10, option `hold_maintenance`: out of ready points, or it ends with the turn."""
    fight = gripped("choke", rules={"hold_maintenance": "respend_each_round"})
    (grapple,) = fight.state.combatants["modre"].grapples
    assert (grapple.points, grapple.cost) == (0, 5)
    fight.when(MaintainGrapple("modre", "choke-6")).refused("already_maintained", "MAM-MNP-05")
    fight.after(EndTurn("modre"), *passing("clone"))
    assert fight.when(BeginTurn("modre")).all(GrappleEffectApplied) == []
    fight.after(BeginTurn("modre"))
    assert GrappleBroken("modre", "choke-6", "not_maintained") in fight.when(EndTurn("modre")).facts
    kept = fight.when(MaintainGrapple("modre", "choke-6"))
    assert kept.one(HitPointsSpent).to_other_used == 5
    assert kept.one(GrappleEffectApplied).power == 2
    fight.after(MaintainGrapple("modre", "choke-6"))
    assert fight.when(EndTurn("modre")).all(GrappleBroken) == []
    gripped().when(MaintainGrapple("modre", "hold-6")).refused("kept_by_itself", "MAM-MNP-05")


def test_who_is_held_gets_out_by_manipulating_the_holder() -> None:
    """MAM-MNP-10, option `hold_escape`: with the weight of the hold on the roll."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 2, 4))
    done = fight.when(Resolve(10, 6, 1))
    assert penalties(done, AttackRolled, "MAM-MNP-05") == [-3]
    assert done.facts[-1] == GrappleBroken("modre", "hold-6", "escaped")
    assert done["modre"].grapples == ()
    assert fight.when(Resolve(10, 3, 4)).all(GrappleBroken) == []
    fight.after(Resolve(10, 1, 6)).when(Escape("clone", "modre", "hold-6", 0)).refused("below_required_amount")
    gripped().when(Escape("modre", "modre", "hold-6", 1)).refused("not_held", "MAM-MNP-10")


def test_half_an_escape_leaves_the_hold_as_it_is() -> None:
    """MAM-MNP-10."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 2, 3))
    done = fight.when(Resolve(10, 3, 3))
    assert done.one(AttackResolved).outcome == "half"
    assert len(done["modre"].grapples) == 1


@pytest.mark.parametrize("reading", ["interference_only", "gm"])
def test_another_house_knows_no_escape_by_manipulation(reading: str) -> None:
    """MAM-MNP-10, option `hold_escape`."""
    fight = gripped(rules={"hold_escape": reading}).after(EndTurn("modre"), BeginTurn("clone"))
    fight.when(Escape("clone", "modre", "hold-6", 2)).refused("no_escape", "MAM-MNP-10")


@pytest.mark.parametrize(("reading", "ends"), [("interference_only", 1), ("contest_of_manipulation", 0)])
def test_who_stops_the_holder_is_free_where_interference_is_the_only_way(reading: str, ends: int) -> None:
    """MAM-MNP-10, option `hold_escape`."""
    fight = gripped(rules={"hold_escape": reading}).after(Act("modre", "ties a rope", points=2))
    fight.after(Interfere("clone", 8, 8, points=2, bonus=9))
    assert len(fight.when(Resolve(8, 1, None, {"9": 6})).all(GrappleBroken)) == ends


def test_the_game_master_may_say_who_is_held() -> None:
    """MAM-MNP-05."""
    word = Adjust("a net falls", holds=(Hold("modre", "net", 0, 2, "clone"),))
    fight = stand(word, EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=1))
    assert penalties(fight.when(Resolve(9, 1, 6)), AttackRolled, "MAM-MNP-05") == [-2]
    stand().when(Adjust("a net", holds=(Hold("modre", "net", 0, 2, "nobody"),))).refused("unknown_combatant")


def test_without_points_size_alone_manipulates_and_nothing_is_kept() -> None:
    """MAM-MNP-01, MAM-MNP-05: the speed edition."""
    fight = stand(preset="mam_speed", modre_is=Statistics(size=3))
    fight.when(take(points=1, follow_up="hold")).refused("points_not_spent", "MAM-TURN-07")
    fight.after(take(follow_up="hold"))
    done = fight.when(Resolve(6, attack_die=19))
    (grapple,) = done["modre"].grapples
    assert (grapple.points, grapple.modifier) == (0, 3)
    fight.after(Resolve(6, attack_die=19), EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre"))
    assert penalties(fight.when(Resolve(10, attack_die=9)), AttackRolled, "MAM-MNP-05") == [-3]


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (take(power=1), "idle_power"),
        (take(points=1, follow_up="choke"), "idle_points"),
        (take(points=1, item="sabre"), "idle_item"),
        (take(points=1, follow_up="disarm"), "item_missing"),
        (take(points=1, surface="a wall"), "idle_throw"),
        (take(points=1, distance=Decimal(3)), "idle_distance"),
        (take(points=1, light="total_darkness", darkness=1), "idle_darkness"),
        (take(), "below_required_amount"),
        (take(points=13), "not_enough_ready"),
        (take(points=11, follow_up="throw", move=2), "not_enough_ready"),
        (Manipulate("modre", "modre", points=1), "bad_target"),
    ],
)
def test_what_would_count_for_nothing_is_refused(order: Manipulate, code: str) -> None:
    """MAM-MNP-01, MAM-MNP-02."""
    stand().when(order).refused(code)


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
def test_every_manipulation_lies_in_what_is_offered(preset: str) -> None:
    """MAM-MNP-01, MAM-MNP-02."""
    knife = Weapon("knife", kind="thrown", power=3)
    modre = replace(TWELVE, weapons=(ICE_BLADE, knife, Weapon("gun", kind="gun", max_range=Decimal(9))))
    fight = stand(modre=modre, preset=preset, modre_is=Statistics(power=5, hand_reach=Decimal(1), size=9))
    fight.after(Adjust("a net falls", holds=(Hold("clone", "net", 0, 2, "modre"),)))
    offered = [found for found in legal_commands(fight.state, fight.ruleset) if isinstance(found, Template)]
    one = 1 if preset == "mam_pools" else 0
    for order in (
        take(points=one),
        take(points=one, follow_up="hold", weapon="ice-blade"),
        take(power=one, follow_up="wrench"),
        take(points=one, follow_up="disarm", item="sabre"),
        take(points=one, follow_up="throw", surface="a wall", surface_power=2, surface_class="sharp", move=one),
        take(power=one, weapon="gun", distance=Decimal(3)),
        take(power=one, weapon="gun", follow_up="disarm", item="sabre"),
        take(power=one, weapon="knife", thrown="quick", distance=Decimal(1)),
        take(points=one, weapon="knife"),
        Escape("modre", "clone", "net", one),
    ):
        fight.when(order).all()
        assert any(template.admits(order) for template in offered), order


def test_a_grapple_is_what_the_dark_hinders_least() -> None:
    """MAM-MNP-01, MAM-ATK-09."""
    fight = stand(take(points=3, light="total_darkness"))
    dark = Modifier("total darkness", 3, "MAM-ATK-09")
    assert dark in fight.when(HIT).one(DefenseRolled).modifiers
    house = {"darkness_values": "gm_up_to"}
    stand(rules=house).when(take(points=3, light="total_darkness", darkness=4)).refused("exceeds_maximum")


def test_who_was_hurt_in_the_same_exchange_may_lack_the_points_to_hold() -> None:
    """MAM-MNP-05, MAM-POOL-07: what the counterattack took is gone before the hold is taken."""
    rules = {"pool_counterattack": "simultaneous_exchange"}
    clone = replace(SABRE, body=Body(defense_modifier=-9), weapons=(Weapon("sabre", power=6, attack_modifier=9),))
    fight = stand(take(points=3, follow_up="hold"), clone=clone, modre=having(MODRE, ready=3), rules=rules)
    done = fight.after(Counterattack("clone", 6, "sabre", power=1)).when(Resolve(6, 6, 6))
    assert done.one(GrappleEstablished).grapple.points == 3
    assert done["modre"].grapples == ()


def test_without_points_keeping_a_hold_up_is_the_action_of_the_turn() -> None:
    """MAM-MNP-05, option `hold_maintenance`: the speed edition."""
    rules = {"hold_maintenance": "respend_each_round"}
    fight = stand(take(follow_up="hold"), preset="mam_speed", rules=rules, modre_is=Statistics(size=3))
    fight.after(Resolve(6, attack_die=19), EndTurn("modre"), *passing("clone"), BeginTurn("modre"))
    fight.after(MaintainGrapple("modre", "hold-6"))
    fight.when(Attack("modre", "clone")).refused("one_action", "MAM-TURN-07")
    assert len(fight.when(EndTurn("modre"))["modre"].grapples) == 1


def test_a_hold_that_keeps_no_points_does_not_break_for_want_of_them() -> None:
    """MAM-POOL-07, MAM-MNP-05: only those break that must keep points."""
    grip, net = Hold("modre", "grip", 4, 1, "clone"), Hold("modre", "net", 0, 2, "clone")
    fight = stand(Adjust("both hands full", holds=(grip, net)), modre=having(MODRE, other_used=6))
    fight.after(EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=3))
    hurt = fight.when(Resolve(9, 6, 1))
    assert hurt.one(GrappleBroken).grapple == "grip"
    assert [held.id for held in hurt["modre"].grapples] == ["net"]


def test_a_choke_wears_its_victim_down_to_the_end() -> None:
    """MAM-MNP-06, MAM-MNP-10: whoever is dead is held no longer."""
    frail = replace(SABRE, hp=3)
    rules = {"all_hp_lost_state": "dead_when_all_damage"}
    fight = stand(take(power=5, follow_up="choke"), HIT, EndTurn("modre"), clone=frail, rules=rules)
    fight.after(*passing("clone"))
    assert fight.when(BeginTurn("modre")).facts[-1] == GrappleBroken("modre", "choke-6", "held_gone")
