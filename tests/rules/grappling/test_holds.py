"""Holds, chokes and wrenches: their effects while they last, and how to escape (MAM-MNP, MAM-POOL-07)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Body,
    Check,
    Contest,
    Counterattack,
    DropItem,
    EndTurn,
    Escape,
    Hold,
    Interfere,
    MaintainGrapple,
    PoolMove,
    Ready,
    Release,
    Resolve,
    Tackle,
)
from mam_events.events import (
    ArmorChecked,
    AttackResolved,
    AttackRolled,
    ContestResolved,
    GrappleBroken,
    GrappleEffectApplied,
    GrappleEstablished,
    GrappleMaintained,
    GrappleReleased,
    GrappleWeakened,
    HitPointsSpent,
    SuccessRolled,
    WoundInflicted,
)
from mam_events.state import ArmorPiece, Item, Statistics, Weapon
from tests.fighters import MODRE, with_pools
from tests.rules.grips import HIT, SABRE, TIE, TWELVE, gripped, passing, penalties, stand, take
from tests.spec import GivenFight


@pytest.mark.parametrize(("dice", "modifier"), [(HIT, 3), (TIE, 2)])
def test_a_hold_lowers_every_combat_roll_and_keeps_its_points(dice: Resolve, modifier: int) -> None:
    """MAM-MNP-05, MAM-POOL-07, MAM-POOL-08: half a success costs the same and has half the penalty."""
    fight = gripped(dice=dice)
    (grapple,) = fight.state.combatants["modre"].grapples
    assert (grapple.points, grapple.modifier, grapple.held) == (3, modifier, "clone")
    fight.after(EndTurn("modre"), BeginTurn("clone"))
    for _ in range(2):
        fight.after(Attack("clone", "modre", "sabre", power=1))
        result = fight.when(Resolve(fight.ruling, 1, 6))
        assert penalties(result, AttackRolled, "MAM-MNP-05") == [-modifier]
        fight.after(Resolve(fight.ruling, 1, 6))
    fight.after(EndTurn("clone"), BeginTurn("modre"))
    fight.when(Ready("modre", other_used=1)).raises("exceeds_maximum", "MAM-PHASE-02")


@pytest.mark.parametrize("reading", ["combat_rolls", "all_rolls"])
def test_a_hold_lowers_combat_rolls_or_all_rolls(reading: str) -> None:
    """MAM-MNP-05, MAM-MNP-07, option `held_penalty_scope`."""
    expected = [-3] if reading == "all_rolls" else []
    fight = gripped(rules={"held_penalty_scope": reading})
    roll = fight.when(Check("clone", 10, die=11)).one(SuccessRolled).rolls[0]
    assert [modifier.value for modifier in roll.modifiers] == expected
    contest = fight.when(Contest("clone", "modre", die=11)).one(ContestResolved).rolls[0]
    assert [modifier.value for modifier in contest.modifiers] == expected
    against = fight.when(Contest("modre", "clone", die=11)).one(ContestResolved).rolls[0]
    assert [modifier.value for modifier in against.difficulty_modifiers] == expected
    pair = fight.when(Contest("modre", "clone", tie="both_ways", die=11, opponent_die=8)).one(ContestResolved).rolls
    assert [[one.value for one in (*roll.modifiers, *roll.difficulty_modifiers)] for roll in pair] == [[], expected]
    fight.after(EndTurn("modre"), BeginTurn("clone"), Act("clone", "calls for help", points=1))
    fight.after(Interfere("modre", 10, 10, points=1))
    result = fight.when(Resolve(10, 3, None, {"11": 3}))
    held = [m.value for event in result.events for m in getattr(event, "modifiers", ()) if m.rule == "MAM-MNP-05"]
    assert held == expected


def test_the_printed_example_of_a_choke() -> None:
    """MAM-MNP-06, MAM-MNP-07: five points, two equal clones: -3 on rolls and a hit of power 2, now and each round."""
    result = stand(take(power=5, follow_up="choke")).when(HIT)
    grapple = result.one(GrappleEstablished).grapple
    assert (grapple.modifier, grapple.power, grapple.points) == (3, 2, 5)
    assert result.one(GrappleEffectApplied) == GrappleEffectApplied("modre", "choke-6", "clone", 2, 0)
    assert result.one(WoundInflicted).damage == 2
    fight = gripped("choke").after(EndTurn("modre"), *passing("clone"))
    second_result = fight.when(BeginTurn("modre"))
    assert second_result.one(GrappleMaintained) == GrappleMaintained("modre", "choke-6", 2)
    assert second_result.one(WoundInflicted).damage == 2


@pytest.mark.parametrize("follow_up", ["choke", "wrench"])
def test_half_a_choke_or_wrench_has_half_the_effect_at_full_cost(follow_up: str) -> None:
    """MAM-MNP-06, MAM-ROLL-05."""
    (grapple,) = gripped(follow_up, TIE).state.combatants["modre"].grapples
    assert (grapple.kind, grapple.modifier, grapple.power, grapple.points) == (follow_up, 2, 1, 5)


@pytest.mark.parametrize(("reading", "modifier"), [("included", 5), ("excluded", 3)])
def test_an_option_counts_sizes_in_a_choke(reading: str, modifier: int) -> None:
    """MAM-MNP-06, option `choke_size_difference`."""
    fight = gripped("choke", modre_is=Statistics(size=2), rules={"choke_size_difference": reading})
    assert fight.state.combatants["modre"].grapples[0].modifier == modifier


@pytest.mark.parametrize(("reading", "parts"), [("weapon_plus_hit_points", (5, 4)), ("hit_points_only", (3, 2))])
def test_a_choke_splits_the_attack_power_or_only_the_points(reading: str, parts: tuple[int, int]) -> None:
    """MAM-MNP-06, option `choke_power_base`: armor and body absorption reduce the hit."""
    modre = replace(TWELVE, body=Body(power=4))
    fight = gripped("choke", modre=modre, clone=replace(SABRE, absorption=1), rules={"choke_power_base": reading})
    (grapple,) = fight.state.combatants["modre"].grapples
    assert (grapple.modifier, grapple.power) == parts
    assert fight.state.combatants["clone"].pools.damage == parts[1] - 1


def test_armor_that_blocked_the_first_hit_of_a_choke_blocks_later_hits() -> None:
    """MAM-MNP-06: later hits have no armor die, so the same piece blocks."""
    mail = Statistics(armor=(ArmorPiece("mail", name="Mail", cover=20, absorption=1),))
    fight = stand(take(power=5, follow_up="choke"), clone_is=mail)
    assert fight.when(HIT).one(ArmorChecked).absorption == 1
    fight.after(HIT, EndTurn("modre"), *passing("clone"))
    assert fight.when(BeginTurn("modre")).one(GrappleEffectApplied).absorbed == 1


@pytest.mark.parametrize("reading", ["holder_turn", "round_start"])
def test_a_choke_hits_at_once_and_once_in_every_later_round(reading: str) -> None:
    """MAM-MNP-06, option `hold_effect_timing`: the option sets the time of later hits, not of the first."""
    fight = stand(take(power=5, follow_up="choke"), rules={"hold_effect_timing": reading})
    assert fight.when(HIT).one(GrappleEffectApplied).power == 2
    fight.after(HIT, EndTurn("modre"))
    assert fight.when(BeginTurn("clone")).all(GrappleEffectApplied) == []
    fight.after(*passing("clone"))
    assert len(fight.when(BeginTurn("modre")).all(GrappleEffectApplied)) == 1


def tackling(reading: str = "holder_turn", **rules: str) -> GivenFight:
    """Let the Clone choke Modre with two points in Modre's turn, before its own turn in the same round."""
    fight = stand(Act("modre", "pulls a lever", points=4), rules={"hold_effect_timing": reading, **rules})
    fight.after(Tackle("clone", 6, 6, "body", power=4, follow_up="choke"))
    return fight.after(Resolve(6, 1, None, {"7": 6}))


@pytest.mark.parametrize("reading", ["holder_turn", "round_start"])
def test_a_choke_taken_in_anothers_turn_also_hits_in_that_round(reading: str) -> None:
    """MAM-MNP-06, 003 Choke: its effects are repeated every round."""
    fight = tackling(reading)
    assert fight.state.combatants["modre"].pools.damage == 2
    fight.after(EndTurn("modre"))
    assert fight.when(BeginTurn("clone"))["modre"].pools.damage == 2
    fight.after(BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"), EndTurn("modre"))
    assert fight.when(BeginTurn("clone"))["modre"].pools.damage == 4


def test_a_hold_is_paid_for_only_once_in_a_round() -> None:
    """MAM-MNP-05, option `hold_maintenance`: once per round, in whosever turn it began."""
    fight = tackling(hold_maintenance="respend_each_round").after(EndTurn("modre"), BeginTurn("clone"))
    fight.when(MaintainGrapple("clone", "choke-7")).raises("already_maintained", "MAM-MNP-05")
    fight.after(EndTurn("clone"), *passing("modre"), BeginTurn("clone"))
    assert fight.when(EndTurn("clone")).one(GrappleBroken).cause == "not_maintained"
    assert fight.when(MaintainGrapple("clone", "choke-7")).one(HitPointsSpent).to_other_used == 4


def test_a_hold_can_be_released_at_any_time() -> None:
    """MAM-MNP-10: its points are free again, and its penalty ends."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"))
    fight.when(Release("modre", "hold-6")).then(GrappleReleased("modre", "hold-6"))
    fight.after(Release("modre", "hold-6"), Attack("clone", "modre", "sabre", power=1))
    assert penalties(fight.when(Resolve(11, 1, 6)), AttackRolled, "MAM-MNP-05") == []
    fight.when(Release("modre", "hold-7")).raises("unknown_grapple", "MAM-POOL-07")


def test_a_hold_ends_with_its_holder_or_its_weapon() -> None:
    """MAM-MNP-10."""
    frail = replace(TWELVE, hp=None, athletic=(2, 2), pools={})
    fight = stand(take(points=2, follow_up="hold"), HIT, EndTurn("modre"), BeginTurn("clone"), modre=frail)
    fight.after(Attack("clone", "modre", "sabre", power=9))
    rules = {"grapple_shortfall": "hold_weakens"}
    assert GrappleBroken("modre", "hold-6") in fight.when(Resolve(10, 6, 1)).events
    out_result = gripped(rules=rules).when(Adjust("carried off", condition={"modre": "out"}))
    assert out_result.events[-1] == GrappleBroken("modre", "hold-6", "holder_down")
    gone_result = gripped().when(Adjust("carried off", condition={"clone": "dead"}))
    assert gone_result.events[-1] == GrappleBroken("modre", "hold-6", "held_gone")
    whip = stand(take(weapon="ice-blade", points=3, follow_up="hold"), HIT)
    assert whip.when(DropItem("modre", "ice-blade")).events[-1] == GrappleBroken("modre", "hold-6", "weapon_gone")


def test_a_weakened_hold_keeps_its_kind() -> None:
    """MAM-MNP-05, MAM-POOL-07, option `grapple_shortfall`."""
    fight = gripped("choke", modre=with_pools(MODRE, ready=6), rules={"grapple_shortfall": "hold_weakens"})
    fight.after(EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=3))
    result = fight.when(Resolve(10, 6, 1))
    assert result.one(GrappleWeakened).points == 3
    (grapple,) = result["modre"].grapples
    assert (grapple.held, grapple.kind, grapple.power, grapple.points, grapple.modifier) == ("clone", "choke", 2, 3, 1)


def test_a_hold_may_cost_points_again_each_round() -> None:
    """MAM-MNP-05, MAM-MNP-10, option `hold_maintenance`: it costs ready points, or ends with the turn."""
    fight = gripped("choke", rules={"hold_maintenance": "respend_each_round"})
    (grapple,) = fight.state.combatants["modre"].grapples
    assert grapple.points == 5
    fight.when(MaintainGrapple("modre", "choke-6")).raises("already_maintained", "MAM-MNP-05")
    fight.after(EndTurn("modre"), *passing("clone"))
    assert fight.when(BeginTurn("modre")).all(GrappleEffectApplied) == []
    fight.after(BeginTurn("modre"))
    assert GrappleBroken("modre", "choke-6", "not_maintained") in fight.when(EndTurn("modre")).events
    result = fight.when(MaintainGrapple("modre", "choke-6"))
    event = result.one(HitPointsSpent)
    assert (event.to_defense, event.to_other_used) == (0, 5)
    assert result.one(GrappleEffectApplied).power == 2
    fight.after(MaintainGrapple("modre", "choke-6"))
    assert fight.when(EndTurn("modre")).all(GrappleBroken) == []
    gripped().when(MaintainGrapple("modre", "hold-6")).raises("kept_by_itself", "MAM-MNP-05")


def test_a_hold_paid_for_each_round_needs_no_reserve() -> None:
    """MAM-POOL-07, option `hold_maintenance`: equipment may lack points, and the choke still hits."""
    fighter = replace(TWELVE, item=(Item("pack", encumbrance=9),))
    rules = {"hold_maintenance": "respend_each_round", "encumbrance_shortfall": "refill_first"}
    free = Adjust("so be it", move=(PoolMove("modre", "other_used", "ready", 6),))
    fight = stand(free, take(follow_up="choke", power=5), modre=fighter, rules=rules)
    fight.after(Resolve(7, 6, 1), EndTurn("modre"), *passing("clone"), BeginTurn("modre"), free)
    result = fight.when(MaintainGrapple("modre", "choke-7"))
    assert result["modre"].pools.other_used < result["modre"].carried_encumbrance
    assert result.one(GrappleEffectApplied).power == 2


def test_manipulating_the_holder_frees_a_held_combatant() -> None:
    """MAM-MNP-10, option `hold_escape`: the roll has the penalty of the hold."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 2, 4))
    result = fight.when(Resolve(10, 6, 1))
    assert penalties(result, AttackRolled, "MAM-MNP-05") == [-3]
    assert result.events[-1] == GrappleBroken("modre", "hold-6", "escaped")
    assert result["modre"].grapples == ()
    assert fight.when(Resolve(10, 3, 4)).all(GrappleBroken) == []
    fight.after(Resolve(10, 1, 6)).when(Escape("clone", "modre", "hold-6", 0)).raises("below_required_amount")
    gripped().when(Escape("modre", "modre", "hold-6", 1)).raises("not_held", "MAM-MNP-10")


def test_an_escape_from_a_released_hold_has_no_effect() -> None:
    """MAM-MNP-10, MAM-WND-08."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 2, 4))
    fight.after(Release("modre", "hold-6")).when(Resolve(10, 6, 1)).raises("idle_die", "MAM-WND-08")
    resolved = fight.when(Resolve(10)).one(AttackResolved)
    assert (resolved.outcome, resolved.why) == ("fail", 'Modre has no hold "hold-6". There are none yet.')


def test_half_an_escape_does_not_end_the_hold() -> None:
    """MAM-MNP-10."""
    fight = gripped().after(EndTurn("modre"), BeginTurn("clone"), Escape("clone", "modre", "hold-6", 2, 3))
    result = fight.when(Resolve(10, 3, 3))
    assert result.one(AttackResolved).outcome == "half"
    assert len(result["modre"].grapples) == 1


@pytest.mark.parametrize("reading", ["interference_only", "gm"])
def test_an_option_rules_out_escape_by_manipulation(reading: str) -> None:
    """MAM-MNP-10, option `hold_escape`."""
    fight = gripped(rules={"hold_escape": reading}).after(EndTurn("modre"), BeginTurn("clone"))
    fight.when(Escape("clone", "modre", "hold-6", 2)).raises("no_escape", "MAM-MNP-10")


@pytest.mark.parametrize(("reading", "ends"), [("interference_only", 1), ("contest_of_manipulation", 0)])
def test_an_option_frees_a_combatant_who_interferes_with_the_holder(reading: str, ends: int) -> None:
    """MAM-MNP-10, option `hold_escape`."""
    fight = gripped(rules={"hold_escape": reading}).after(Act("modre", "ties a rope", points=2))
    fight.after(Interfere("clone", 8, 8, points=2, bonus=9))
    assert len(fight.when(Resolve(8, 1, None, {"9": 6})).all(GrappleBroken)) == ends


def test_the_game_master_can_declare_a_hold() -> None:
    """MAM-MNP-05."""
    word = Adjust("a net falls", hold=(Hold("modre", "net", 0, 2, "clone"),))
    fight = stand(word, EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=1))
    assert penalties(fight.when(Resolve(9, 1, 6)), AttackRolled, "MAM-MNP-05") == [-2]
    nobody = Adjust("a noose", hold=(Hold("modre", "noose", 0, 2, kind="choke", power=2),))
    assert stand(nobody, EndTurn("modre"), *passing("clone")).when(BeginTurn("modre")).all(GrappleEffectApplied) == []
    stand().when(Adjust("a net", hold=(Hold("modre", "net", 0, 2, "nobody"),))).raises("unknown_combatant")


def test_a_hold_fails_if_a_counterattack_took_its_points() -> None:
    """MAM-MNP-05, MAM-POOL-07: the counterattack takes its points before the hold is taken."""
    rules = {"pool_counterattack": "simultaneous_exchange"}
    clone = replace(SABRE, body=Body(defense=-9), weapon=(Weapon("sabre", power=6, attack=9),))
    fight = stand(take(points=3, follow_up="hold"), clone=clone, modre=with_pools(MODRE, ready=3), rules=rules)
    result = fight.after(Counterattack("clone", 6, "sabre", power=1)).when(Resolve(6, 6, 6))
    assert result.one(GrappleEstablished).grapple.points == 3
    assert result["modre"].grapples == ()


def test_in_speed_rules_maintaining_a_hold_is_the_action_of_the_turn() -> None:
    """MAM-MNP-05, option `hold_maintenance`: in speed rules."""
    rules = {"hold_maintenance": "respend_each_round"}
    fight = stand(take(follow_up="hold"), preset="mam_speed", rules=rules, modre_is=Statistics(size=3))
    fight.after(Resolve(6, attack_die=19), EndTurn("modre"), *passing("clone"), BeginTurn("modre"))
    fight.after(MaintainGrapple("modre", "hold-6"))
    fight.when(Attack("modre", "clone")).raises("one_action", "MAM-TURN-07")
    assert len(fight.when(EndTurn("modre"))["modre"].grapples) == 1


def test_a_hold_without_points_does_not_break() -> None:
    """MAM-POOL-07, MAM-MNP-05: only a hold that keeps points can break."""
    grip, net = Hold("modre", "grip", 4, 1, "clone"), Hold("modre", "net", 0, 2, "clone")
    fight = stand(Adjust("both hands full", hold=(grip, net)), modre=with_pools(MODRE, other_used=6))
    fight.after(EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", "sabre", power=3))
    result = fight.when(Resolve(9, 6, 1))
    assert result.one(GrappleBroken).grapple == "grip"
    assert [grapple.id for grapple in result["modre"].grapples] == ["net"]


def test_a_choke_ends_when_its_victim_is_dead() -> None:
    """MAM-MNP-06, MAM-MNP-10."""
    frail = replace(SABRE, hp=3)
    rules = {"all_hp_lost_state": "dead_when_all_damage"}
    fight = stand(take(power=5, follow_up="choke"), HIT, EndTurn("modre"), clone=frail, rules=rules)
    fight.after(*passing("clone"))
    assert fight.when(BeginTurn("modre")).events[-1] == GrappleBroken("modre", "choke-6", "held_gone")
