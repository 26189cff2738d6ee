"""Combos, kinds of action, and the health that they need."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Command,
    Counterattack,
    DeclareCombo,
    EndTurn,
    Evade,
    Initiative,
    Interfere,
    Join,
    Move,
    PrepareCounterattack,
    ReadyWeapon,
    Resolve,
    SkipTurn,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackDeclared,
    AttackRolled,
    CombatantIncapacitated,
    CombatantRecovered,
    ComboBrokenOff,
    ComboDeclared,
    HitPointsSpent,
    InterferenceRolled,
    StunRecovered,
    WoundInflicted,
)
from mam_events.state import Weapon
from tests.fighters import DUEL
from tests.rules.fights.speed import ALVA, BIRK, CORA, RIVAL, start_orders, with_wounds
from tests.spec import GivenFight, given


def speed(*history: Command, preset: str = "mam_speed", **rules: str) -> GivenFight:
    return given(*history, rules=rules, preset=preset)


def count_attacks(fight: GivenFight, *weapons: str) -> int:
    """Return how many of these attacks, one after the other, Alva's combo allows."""
    for count, weapon in enumerate(weapons):
        if fight.when(Attack("alva", "cora", weapon)).error:
            return count
        fight.after(Attack("alva", "cora", weapon), Resolve(fight.ruling + 1, attack_die=2))
    return len(weapons)


@pytest.mark.parametrize(("quick", "size"), [("0.25", 1), ("0.5", 1), ("1", 1), ("2", 2), ("3", 3)])
def test_combo_length_is_the_speed_plus_one_with_a_second_weapon(quick: str, size: int) -> None:
    """MAM-COMBO-01: the speed is rounded up; the weapons must differ."""
    fighter = replace(ALVA, speed=Decimal(quick))
    fight = speed(*start_orders(fighter, CORA))
    fight.when(DeclareCombo("alva", size + 2)).raises("combo_too_long", "MAM-COMBO-01")
    unarmed = speed(*start_orders(replace(fighter, weapon=()), CORA))
    unarmed.when(DeclareCombo("alva", size + 1)).raises("combo_too_long")
    assert count_attacks(fight.after(DeclareCombo("alva", size + 1)), *["sword"] * 5) == size
    fight.when(Attack("alva", "cora", "sword")).raises("combo_over")
    assert count_attacks(fight, "body", "body") == 1
    combo = speed(*start_orders(fighter, CORA), DeclareCombo("alva", size))
    assert count_attacks(combo, *["sword", "body"] * 4) == size


def test_natural_weapons_count_as_separate_weapons_of_a_combo() -> None:
    """MAM-COMBO-01: a body has the weapons that are `attached` to it."""
    natural = tuple(Weapon(name, power=1, attached=True) for name in ("bite", "left-claw", "right-claw"))
    fight = speed(*start_orders(replace(ALVA, weapon=natural), CORA), DeclareCombo("alva", 3))
    assert count_attacks(fight, *(weapon.id for weapon in natural)) == 3


@pytest.mark.parametrize(("first", "second"), [("sword", "body"), ("body", "sword")])
def test_the_extra_action_of_a_combo_needs_the_second_weapon(first: str, second: str) -> None:
    """MAM-COMBO-01: in either order."""
    fight = speed(*start_orders(replace(ALVA, speed=Decimal(1)), CORA), DeclareCombo("alva", 2))
    assert count_attacks(fight, first, first) == 1
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if offer.do == "attack"]
    weapons = [field.choices for offer in offers if isinstance(offer, Template) for field in offer.fields[2:3]]
    assert set(weapons) == {(second,)}


def test_a_combo_is_declared_once_and_before_its_first_action() -> None:
    """MAM-COMBO-01, MAM-TURN-07."""
    fight = speed(*start_orders(ALVA, CORA), Move("alva", metres=Decimal(1)))
    fight.when(DeclareCombo("alva", 2, target=("cora",))).then(ComboDeclared(7, "alva", 2, 0, ("cora",)))
    fight.when(DeclareCombo("cora", 1)).raises("out_of_turn")
    fight.when(DeclareCombo("alva", 2, modifier=1)).raises("points_not_spent", "MAM-COMBO-06")
    fight.when(DeclareCombo("alva", 2, target=("alva",))).raises("bad_target")
    fight.when(DeclareCombo("alva", 2, target=("nobody",))).raises("unknown_combatant")
    fight.after(DeclareCombo("alva", 2)).when(DeclareCombo("alva", 2)).raises("combo_late")
    acted = speed(*start_orders(ALVA, CORA), Attack("alva", "cora"), Resolve(6, attack_die=2))
    acted.when(DeclareCombo("alva", 2)).raises("combo_late")


def test_a_combo_with_a_repeated_target_is_refused() -> None:
    fight = speed(*start_orders(ALVA, CORA))
    fight.when(DeclareCombo("alva", 2, target=("cora", "cora"))).raises("bad_target", "MAM-CTR-02")


def test_a_combo_has_only_quick_actions() -> None:
    """MAM-COMBO-03, MAM-COMBO-04: an attack and drawing a weapon are quick; powerful attacks and waiting are not."""
    armed = replace(ALVA, weapon=(replace(ALVA.weapon[0], readied=False),))
    fight = speed(*start_orders(armed, CORA), DeclareCombo("alva", 2))
    for mode in ("powerful", "strategic", "cautious"):
        fight.when(Attack("alva", "cora", "body", mode=mode)).raises("not_quick")
    fight.when(PrepareCounterattack("alva")).raises("not_quick", "MAM-CTR-01")
    fight.when(Act("alva", "shout")).raises("not_quick")
    fight.after(ReadyWeapon("alva", "sword"))
    assert count_attacks(fight, "sword", "sword") == 1


@pytest.mark.parametrize(
    ("reading", "stun", "healthy"),
    [
        ("no_stun_or_damage", 0, True),
        ("no_stun_or_damage", 1, False),
        ("below_half_hp", 2, True),
        ("below_half_hp", 3, False),
        ("below_toughness", 1, True),
        ("below_toughness", 2, False),
    ],
)
def test_only_a_healthy_combatant_can_declare_a_combo(reading: str, stun: int, healthy: bool) -> None:  # noqa: FBT001 - a row of the table
    """MAM-COMBO-02, `healthy_definition`: six hit points, toughness 2."""
    fight = speed(*start_orders(replace(with_wounds(ALVA, stun), toughness=2), CORA), healthy_definition=reading)
    result = fight.when(DeclareCombo("alva", 2))
    assert result.error is None if healthy else result.raises("not_healthy", "MAM-COMBO-02")


def test_a_combo_ends_when_the_combatant_is_no_longer_healthy() -> None:
    """MAM-COMBO-02: a combatant hurt before the combo begins may do one action of it."""
    fight = speed(*start_orders(ALVA, CORA), DeclareCombo("alva", 2), Adjust("a stone falls"))
    fight.after(Attack("alva", "cora", "sword"), Resolve(8, attack_die=2))
    assert fight.when(Attack("alva", "cora", "sword")).error is None
    hit = (DeclareCombo("cora", 2, target=("alva",)),)
    duel_fight = speed(
        *start_orders(ALVA, replace(CORA, speed=Decimal(2))), PrepareCounterattack("alva"), BeginTurn("cora"), *hit
    )
    duel_fight.after(Attack("alva", "cora", "sword"), Resolve(9, attack_die=19), EndTurn("alva"))
    duel_fight.after(Attack("cora", "alva", "sword"))
    assert duel_fight.when(Resolve(12, attack_die=2)).one(ComboBrokenOff).combatant == "cora"
    duel_fight.after(Resolve(12, attack_die=2)).when(Attack("cora", "alva", "body")).raises("one_action")


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
def test_moving_is_possible_before_and_during_a_combo(preset: str) -> None:
    """MAM-TURN-07: "move and do a combination of actions"."""
    points, metres = (1, None) if preset == "mam_pools" else (0, Decimal(1))
    go, strike = Move("alva", points, metres), Attack("alva", "cora", "sword", power=points)
    opening = (ALVA, CORA, Initiative(first="alva", reason="agreed"), BeginTurn("alva"))
    fight = speed(*opening, DeclareCombo("alva", 2), go, strike, preset=preset)
    fight.after(Resolve(fight.ruling, 1, 6 if preset == "mam_pools" else None), go, strike)
    assert fight.state.turn
    assert [deed.kind for deed in fight.state.turn.deeds] == ["quick_attack"] * 2


def test_combo_points_count_only_for_the_attacks_of_the_combo() -> None:
    """MAM-COMBO-06, MAM-INTF-04: not for an interference against somebody who interferes."""
    fight = given(*DUEL, DeclareCombo("modre", 1, modifier=4), Attack("modre", "clone", "ice-blade"))
    fight.after(Interfere("clone", 7, 7, points=1), Interfere("modre", 7, 8, weapon="ice-blade", modifier=1))
    result = fight.when(Resolve(7, 3, 3, {"9": 3}))
    assert [m.value for m in result.one(AttackRolled).modifiers if m.rule == "MAM-ATK-01"] == [4]
    assert [m.value for m in result.all(InterferenceRolled)[-1].modifiers if m.rule == "MAM-ATK-01"] == [1]


def test_ready_points_left_after_a_combo_can_be_spent() -> None:
    """MAM-PHASE-04: the turn ends with the points, and points of the combo help no other attack."""
    fight = given(*DUEL, DeclareCombo("modre", 1, modifier=2), Attack("modre", "clone", power=1))
    fight.when(Move("modre", 1)).raises("exchange_open")
    fight.after(Resolve(7, attack_die=1, defense_die=6))
    for order in (Move("modre", 1), Evade("modre"), Attack("modre", "clone", power=1)):
        assert fight.when(order).error is None
    fight.after(Attack("modre", "clone", power=1))
    points = [m.value for m in fight.when(Resolve(9, 1, 6)).one(AttackRolled).modifiers if m.rule == "MAM-ATK-01"]
    assert points == [0]


@pytest.mark.parametrize(("reading", "code"), [("turn_over", "turn_over"), ("free_actions", "")])
def test_a_combo_needs_a_ready_point(reading: str, code: str) -> None:
    """MAM-PHASE-05: the turn is over with the last point (`empty_ready_pool`)."""
    fight = given(*DUEL, Attack("modre", "clone", power=6), Resolve(6, 1, 6), rules={"empty_ready_pool": reading})
    result = fight.when(DeclareCombo("modre", 1))
    assert (result.error.code if result.error else "") == code


def test_a_wound_ends_a_combo_and_keeps_its_ready_points() -> None:
    """MAM-COMBO-02: only the healthy continue it."""
    fight = given(*DUEL, DeclareCombo("modre", 2), Attack("modre", "clone", power=1))
    fight.after(Counterattack("clone", 7, power=1))
    result = fight.when(Resolve(7, attack_die=1, defense_die=6))
    assert result.one(WoundInflicted).combatant == "modre"
    assert result.one(ComboBrokenOff) == ComboBrokenOff("modre", 6, "a wound")
    assert fight.after(Resolve(7, 1, 6)).when(Attack("modre", "clone", power=1)).error is None


def test_an_option_forbids_a_single_quick_action_to_the_wounded() -> None:
    """MAM-COMBO-02, `single_quick_action_when_unhealthy`."""
    for reading, allowed in (("allowed", True), ("forbidden", False)):
        fight = speed(*start_orders(with_wounds(BIRK, 1), RIVAL), single_quick_action_when_unhealthy=reading)
        assert (fight.when(Attack("birk", "rival")).error is None) == allowed
        assert fight.when(Attack("birk", "rival", mode="powerful")).error is None
        assert fight.when(Act("birk", "shout")).error is None


def test_an_option_limits_strenuous_attacks_to_the_healthy() -> None:
    """MAM-COMBO-05, `strenuous_actions`: powerful, strategic and cautious attacks; quick ones stay possible."""
    for preset, allowed in (("mam_speed", True), ("mam_d20", False)):
        fight = speed(*start_orders(replace(with_wounds(BIRK, 2), toughness=2), RIVAL), preset=preset)
        for mode in ("powerful", "strategic", "cautious"):
            result = fight.when(Attack("birk", "rival", mode=mode))
            assert result.error is None if allowed else result.raises("not_healthy", "MAM-COMBO-05")
        assert fight.when(Attack("birk", "rival")).error is None


@pytest.mark.parametrize(
    ("reading", "text"), [("below_toughness", "damage 3, toughness 2)"), ("no_stun_or_damage", "damage 3)")]
)
def test_the_error_for_the_wounded_names_what_decides_health(reading: str, text: str) -> None:
    """MAM-COMBO-02, MAM-COMBO-05: toughness is named if it decides."""
    rules = {"healthy_definition": reading, "strenuous_actions": "healthy_only"}
    fight = speed(*start_orders(replace(with_wounds(BIRK, 2, 1), toughness=2), RIVAL), **rules)
    assert text in fight.when(Attack("birk", "rival", mode="powerful")).raises("not_healthy").sentence


def test_in_d20_rules_stamina_is_twice_toughness() -> None:
    """MAM-COMBO-02, MAM-TURN-06 with the readings of mam_d20: incapacitated at stamina, and recovered below it."""
    tough = replace(CORA, hp=12, toughness=2, weapon=())
    blow = (*start_orders(ALVA, tough), Attack("alva", "cora", "sword"))
    rules = {"printed_defense": "modifier", "stun_damage_split": "penetrating_split"}
    assert speed(*blow, preset="mam_d20", **rules).when(Resolve(6, attack_die=15)).all(CombatantIncapacitated) == []
    weak = (*start_orders(ALVA, replace(tough, toughness=1)), Attack("alva", "cora", "sword"))
    assert speed(*weak, preset="mam_d20", **rules).when(Resolve(6, attack_die=15)).one(CombatantIncapacitated)
    down = replace(BIRK, hp=12, toughness=2, pools={"ready": 7, "stun": 5})
    fight = speed(down, RIVAL, Initiative(circumstance="birk"), preset="mam_d20")
    assert fight.state.combatants["birk"].condition == "incapacitated"
    result = fight.when(SkipTurn("birk"))
    assert (result.one(StunRecovered).points, result.one(CombatantRecovered)) == (3, CombatantRecovered("birk"))
    assert fight.after(SkipTurn("birk"), SkipTurn("rival")).when(SkipTurn("birk")).one(StunRecovered).points == 1


def test_the_error_for_an_incapacitated_combatant_names_no_points() -> None:
    """MAM-COMBO-02, MAM-WND-08: incapacitated at stamina, so points don't help."""
    down = replace(BIRK, hp=12, toughness=2, pools={"ready": 3, "stun": 9})
    fight = speed(down, RIVAL, Initiative(circumstance="birk"), BeginTurn("birk"), preset="mam_d20")
    assert fight.state.combatants["birk"].pools.ready == 3
    error = fight.when(DeclareCombo("birk", 1)).raises("incapacitated", "MAM-WND-08")
    assert error.sentence == "Birk is incapacitated and cannot act until they recover."


def test_missing_toughness_is_half_the_hit_points() -> None:
    """MAM-COMBO-02: if it is not given."""
    fight = speed(*start_orders(with_wounds(ALVA, 2), CORA), healthy_definition="below_toughness")
    assert fight.when(DeclareCombo("alva", 2)).error is None
    worse = speed(*start_orders(with_wounds(ALVA, 3), CORA), healthy_definition="below_toughness")
    worse.when(DeclareCombo("alva", 2)).raises("not_healthy")


@pytest.mark.parametrize(("reading", "added"), [("each_attack", [3, 3]), ("split", [2, 1])])
def test_combo_points_help_its_attacks(reading: str, added: list[int]) -> None:
    """MAM-COMBO-06, `combo_modifier_hit_points`: they go to the defense pool at once."""
    fight = given(*DUEL, rules={"combo_modifier_hit_points": reading})
    event = fight.when(DeclareCombo("modre", 2, modifier=3)).one(HitPointsSpent)
    assert (event.to_defense, event.to_other_used, event.pools.ready) == (3, 0, 3)
    fight.after(DeclareCombo("modre", 2, modifier=3))
    results = []
    for weapon in ("ice-blade", "body"):
        fight.after(Attack("modre", "clone", weapon))
        roll = fight.when(Resolve(fight.ruling, attack_die=2, defense_die=5)).one(AttackRolled)
        fight.after(Resolve(fight.ruling, attack_die=2, defense_die=5))
        results += [modifier.value for modifier in roll.modifiers if modifier.rule == "MAM-ATK-01"]
    assert results == added
    fight.when(Attack("modre", "clone", power=1)).one(AttackDeclared)


def test_with_d20_rules_toughness_gives_the_hit_points() -> None:
    """MAM-COMBO-02, `incapacitation`: hit points then are the stamina, and need not be given."""
    fight = given(Join("ann", toughness=3), preset="mam_d20")
    ann = fight.state.combatants["ann"]
    assert (ann.hp, ann.pools.ready) == (6, 6)
    assert given(Join("ann", hp=5), preset="mam_d20").state.combatants["ann"].hp == 5
    given(preset="mam_speed").when(Join("ann", toughness=3)).raises("hit_points_missing", "MAM-HP-01")
