"""Evading, dropping and standing up."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    ChangeAction,
    Command,
    DeclareCombo,
    Drop,
    EndTurn,
    Evade,
    Initiative,
    InstantStand,
    Move,
    PrepareCounterattack,
    Ready,
    Resolve,
    Stand,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackDeclared,
    CombatantJoined,
    CombatantMoved,
    DefenseRolled,
    EffectExpired,
    EvasionTaken,
    HitPointsSpent,
    InstantStandResolved,
    PositionChanged,
    TurnEnded,
)
from mam_events.state import Effect, Encounter, Pools, Statistics, Terms
from mam_events.values import MODES
from tests.fighters import CLONE, DUEL, MODRE, duel_orders, with_pools
from tests.spec import GivenFight, admits, given

SPEED = "mam_speed"
FIRST = (Initiative(first="modre", reason="agreed"), BeginTurn("modre"))
QUICK = (MODRE, CLONE, *FIRST)
EVADED = Effect("evasion", 2, "MAM-MNV-01", turn=1 + 1)
NEXT = (EndTurn("modre"), BeginTurn("clone"))
ROUND = (*NEXT, EndTurn("clone"), BeginTurn("modre"))
FULL = {"instant_stand_difficulty": "ten_plus_zero"}
NONE = {"instant_stand_difficulty": "literal_zero"}


def defense_modifiers(fight: GivenFight, exchange: int, **dice: Any) -> dict[str, int]:
    """Return the modifiers of Modre's defense against an attack, by the rule that each comes from."""
    roll = fight.when(Resolve(exchange, **dice)).one(DefenseRolled)
    return {modifier.name: modifier.value for modifier in roll.modifiers}


def with_abilities(state: Encounter, agility: int, acrobatics: int = 0) -> CombatantJoined:
    """Return an event that gives Modre these abilities."""
    statistics = Statistics(abilities={"agility": agility, "acrobatics": acrobatics})
    return CombatantJoined(replace(state.combatants["modre"], statistics=statistics))


def on_ground(
    agility: int, acrobatics: int = 0, *, preset: str = "mam_pools", rules: dict[str, str] | None = None
) -> GivenFight:
    """Return Modre's turn on the ground, not put there by an action of this turn."""
    fight = given(MODRE, CLONE, rules=rules, preset=preset)
    return fight.after(
        with_abilities(fight.state, agility, acrobatics),
        *FIRST,
        PositionChanged("modre", "standing", "on_ground", "game master"),
    )


def test_evading_moves_a_ready_point_to_defense() -> None:
    """MAM-MNV-01."""
    given(*DUEL).when(Evade("modre")).then(
        EvasionTaken("modre", EVADED),
        HitPointsSpent("modre", "evasion", 1, 0, Pools(ready=5, defense=1)),
    )


def test_an_option_makes_evading_free() -> None:
    """MAM-MNV-01."""
    given(*DUEL, rules={"evasion_cost": "free"}).when(Evade("modre")).then(EvasionTaken("modre", EVADED))


def test_evading_needs_a_ready_point() -> None:
    """MAM-MNV-01."""
    fight = given(*DUEL, Attack("modre", "clone", power=6), Resolve(6, attack_die=1, defense_die=6))
    fight.when(Evade("modre")).raises("not_enough_ready")


def test_evading_is_possible_once_a_turn() -> None:
    """MAM-MNV-01."""
    given(*DUEL, Evade("modre")).when(Evade("modre")).raises("once_per_turn", "MAM-MNV-01")
    given(*DUEL, Evade("modre"), *ROUND).when(Evade("modre")).one(EvasionTaken)


def test_in_speed_rules_evading_is_the_action_of_the_turn() -> None:
    """MAM-MNV-01."""
    fight = given(*QUICK, Evade("modre"), preset=SPEED)
    fight.when(Attack("modre", "clone")).raises("one_action")


def test_evasion_counts_until_the_end_of_the_next_turn() -> None:
    """MAM-MNV-01."""
    fight = given(*DUEL, Evade("modre"), *NEXT)
    blow = Attack("clone", "modre", power=1)
    for number in (9, 11):
        fight.after(blow)
        assert defense_modifiers(fight, number, attack_die=1, defense_die=6)["evasion"] == 2
        fight.after(Resolve(number, attack_die=1, defense_die=6))
    fight.after(EndTurn("clone"), BeginTurn("modre"))
    fight.when(EndTurn("modre")).then(EffectExpired("modre", "evasion"), TurnEnded("modre"))


@pytest.mark.parametrize(("reading", "bonuses"), [("no_stack", [2]), ("stack", [2, 2])])
def test_overlapping_evasions_add_up_or_not(reading: str, bonuses: list[int]) -> None:
    """MAM-MNV-01."""
    fight = given(*DUEL, Evade("modre"), *ROUND, Evade("modre"), rules={"evasion_stacking": reading})
    assert [effect.value for effect in fight.state.combatants["modre"].status.effects] == bonuses
    fight.after(*NEXT)
    (left,) = fight.state.combatants["modre"].status.effects
    assert left.turn == 3


@pytest.mark.parametrize(
    ("reading", "bonus"), [("uniform_two", 2), ("uniform_four", 4), ("uniform_five", 5), ("as_written_per_source", 2)]
)
def test_an_option_sets_the_evasion_bonus(reading: str, bonus: int) -> None:
    """MAM-MNV-01."""
    event = given(*DUEL, rules={"evasion_bonus_scale": reading}).when(Evade("modre")).one(EvasionTaken)
    assert event.effect.value == bonus


@pytest.mark.parametrize(("reading", "bonus"), [("two", 2), ("five", 5)])
def test_an_instant_stand_does_not_help_against_counterattacks(reading: str, bonus: int) -> None:
    """MAM-MNV-01, MAM-MNV-05: it is evasion combined with standing up."""
    stood = (InstantStand("modre"), *NEXT)
    rules = {"instant_stand_bonus": reading}
    fight = on_ground(6, preset=SPEED, rules=rules).after(*stood, Attack("clone", "modre"))
    assert defense_modifiers(fight, fight.ruling, attack_die=1)["evasion"] == bonus
    countered = on_ground(6, preset=SPEED, rules=rules).after(*stood, PrepareCounterattack("clone"), BeginTurn("modre"))
    countered.after(Attack("modre", "clone"), Attack("clone", "modre"))
    assert "evasion" not in defense_modifiers(countered, countered.ruling, attack_die=1)


@pytest.mark.parametrize(("reading", "helps"), [("incoming_counterattacks", False), ("own_counterattack_roll", True)])
def test_an_option_decides_if_evasion_helps_against_counterattacks(reading: str, helps: bool) -> None:  # noqa: FBT001 - a case
    """MAM-MNV-01."""
    fight = given(
        *QUICK,
        Evade("modre"),
        EndTurn("modre"),
        BeginTurn("clone"),
        PrepareCounterattack("clone"),
        BeginTurn("modre"),
        Attack("modre", "clone"),
        Attack("clone", "modre"),
        preset=SPEED,
        rules={"evasion_counterattack_exclusion": reading},
    )
    assert ("evasion" in defense_modifiers(fight, 12, attack_die=1)) is helps


def test_a_defense_bonus_of_an_attack_begins_after_the_counterattack() -> None:
    """MAM-CTR-02, MAM-CTR-03: it counts neither against a counterattack before it, nor after the attack is changed."""
    for attack, source in (
        (Attack("modre", "clone", evade=True), "evasion"),
        (Attack("modre", "clone", mode="cautious"), "cautious"),
    ):
        waiting = (*QUICK, EndTurn("modre"), BeginTurn("clone"), PrepareCounterattack("clone"), BeginTurn("modre"))
        fight = given(*waiting, attack, Attack("clone", "modre"), preset=SPEED)
        assert source not in defense_modifiers(fight, 11, attack_die=1)
        fight.after(Resolve(11, attack_die=1), EndTurn("clone"))
        changed_fight = given(
            *waiting, attack, EndTurn("clone"), ChangeAction("modre", 10), EndTurn("modre"), preset=SPEED
        )
        changed_fight.after(BeginTurn("clone"), Attack("clone", "modre"))
        assert source not in defense_modifiers(changed_fight, changed_fight.ruling, attack_die=1)
        # If the attack goes on, the bonus counts against any other attack.
        assert fight.when(Resolve(10, attack_die=1)).one(EvasionTaken).effect.source == source
        fight.after(Resolve(10, attack_die=1), *NEXT, Attack("clone", "modre"))
        assert source in defense_modifiers(fight, fight.ruling, attack_die=1)


def test_a_quick_attack_can_be_combined_with_evasion() -> None:
    """MAM-MNV-02."""
    attack = Attack("modre", "clone", "body", power=2, modifier=1, evade=True)
    given(*DUEL).when(attack).then(
        AttackDeclared(6, "modre", "clone", "body", 2, 1, Terms(evade=True)),
        HitPointsSpent("modre", "attack", 1, 2, Pools(ready=3, defense=1, other_used=2)),
        HitPointsSpent("modre", "evasion", 1, 0, Pools(ready=2, defense=2, other_used=2)),
    )
    assert given(*DUEL, attack).when(Resolve(6, 1, 6)).one(EvasionTaken).effect == EVADED
    fight = given(*QUICK, Attack("modre", "clone", evade=True), preset=SPEED)
    assert fight.when(Resolve(fight.ruling, 1)).one(EvasionTaken).effect == EVADED


@pytest.mark.parametrize("ready", range(1, 4))
@pytest.mark.parametrize("before", [(), (Evade("modre"),), (DeclareCombo("modre", 1),)])
def test_an_attack_with_evasion_is_offered_exactly_when_it_is_legal(ready: int, before: tuple[Command, ...]) -> None:
    """MAM-MNV-02: it costs a point each, and must be quick and the first evasion."""
    fight = given(*duel_orders(with_pools(MODRE, ready=ready, other_used=6 - ready)), *before)
    templates = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    for mode in MODES:
        attack = Attack("modre", "clone", "body", power=1, mode=mode, evade=True)
        assert any(admits(one, attack) for one in templates) == (fight.when(attack).error is None), attack


def test_evasion_is_refused_with_an_attack_that_is_not_quick() -> None:
    """MAM-MNV-02."""
    attack = Attack("modre", "clone", power=2, mode="strategic", evade=True)
    given(*DUEL).when(attack).raises("not_quick", "MAM-MNV-02")
    given(*DUEL, Evade("modre")).when(replace(attack, mode="quick")).raises("once_per_turn")
    given(*DUEL).when(replace(attack, mode="quick", power=6)).raises("not_enough_ready")
    given(*DUEL).when(Attack("modre", "clone", evade=True)).raises("below_required_amount")


def test_dropping_and_standing_up_are_actions() -> None:
    """MAM-MNV-03, MAM-MNV-04."""
    fight = given(*DUEL)
    fight.when(Stand("modre")).raises("wrong_position")
    fight.when(Drop("modre")).then(
        PositionChanged("modre", "standing", "on_ground", "drop"),
        HitPointsSpent("modre", "action", 0, 1, Pools(ready=5, other_used=1)),
    )
    fight.after(Drop("modre")).when(Drop("modre")).raises("wrong_position")
    fight.when(Stand("modre", points=2)).then(
        PositionChanged("modre", "on_ground", "standing", "stand"),
        HitPointsSpent("modre", "action", 0, 2, Pools(ready=3, other_used=3)),
    )
    fight.when(Stand("modre", points=0)).raises("below_required_amount")


@pytest.mark.parametrize(("reading", "code"), [("quick_action", "one_action"), ("free", None)])
def test_an_option_makes_dropping_free(reading: str, code: str | None) -> None:
    """MAM-MNV-03."""
    fight = given(
        *QUICK, Attack("modre", "clone"), Resolve(6, attack_die=1), preset=SPEED, rules={"drop_action_cost": reading}
    )
    result = fight.when(Drop("modre"))
    if code:
        result.raises(code)
    else:
        result.then(PositionChanged("modre", "standing", "on_ground", "drop"))


def test_a_free_drop_takes_no_points() -> None:
    """MAM-MNV-03."""
    fight = given(*DUEL, rules={"drop_action_cost": "free"})
    fight.when(Drop("modre", points=1)).raises("exceeds_maximum")
    fight.when(Drop("modre")).then(PositionChanged("modre", "standing", "on_ground", "drop"))


def test_standing_up_fits_into_a_combo() -> None:
    """MAM-MNV-04."""
    fight = given(*QUICK, PositionChanged("modre", "standing", "on_ground", "game master"), preset=SPEED)
    fight.after(DeclareCombo("modre", 1), Stand("modre"))
    assert fight.state.combatants["modre"].status.position == "standing"


@pytest.mark.parametrize(
    ("reading", "points", "metres"),
    [("minus_two", 4, "2"), ("minus_two", 1, "0"), ("half", 4, "2"), ("half", 3, "1.5")],
)
def test_movement_on_the_ground_is_shorter(reading: str, points: int, metres: str) -> None:
    """MAM-MNV-03, MAM-POS-02."""
    fight = given(*DUEL, Drop("modre"), rules={"ground_movement": reading})
    fight.when(Move("modre", points=points)).one(CombatantMoved)
    assert fight.when(Move("modre", points=points)).one(CombatantMoved).metres == Decimal(metres)


@pytest.mark.parametrize(("points", "metres"), [((4, 2), "4"), ((1, 1, 1), "1"), ((1, 3), "2")])
def test_the_ground_costs_two_metres_once_a_turn(points: tuple[int, ...], metres: str) -> None:
    """MAM-MNV-03: "-2 movement", if the option `ground_movement` counts metres."""
    fight = given(*DUEL, Drop("modre", points=0), rules={"drop_action_cost": "free"})
    fight.after(*(Move("modre", spent) for spent in points))
    assert fight.state.combatants["modre"].status.moved == Decimal(metres)
    fight.after(EndTurn("modre"), BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"), Ready("modre", 3))
    assert fight.when(Move("modre", 3)).one(CombatantMoved).metres == Decimal(1)


def test_standing_positions_do_not_shorten_movement() -> None:
    """MAM-POS-02."""
    fight = given(*DUEL, PositionChanged("modre", "standing", "clinch", "game master", "clone"))
    assert fight.when(Move("modre", points=4)).one(CombatantMoved).metres == Decimal(4)


@pytest.mark.parametrize(
    ("die", "against", "outcome", "position", "effects"),
    [
        (3, 6, "fail", "on_ground", ()),
        (3, 5, "half", "standing", ()),
        (3, 4, "full", "standing", (Effect("evasion", 2, "MAM-MNV-05", turn=2),)),
    ],
)
def test_an_instant_stand_against_a_die(
    die: int, against: int, outcome: str, position: str, effects: tuple[Effect, ...]
) -> None:
    """MAM-MNV-05."""
    result = on_ground(1, 1).when(InstantStand("modre", die=die, opposing_die=against))
    assert result.one(InstantStandResolved).outcome == outcome
    assert result["modre"].status.position == position
    assert result["modre"].status.effects == effects
    assert result["modre"].pools == Pools(ready=4, defense=1, other_used=1)


@pytest.mark.parametrize(
    ("rules", "die", "outcome"), [(FULL, 8, "full"), (FULL, 7, "fail"), (NONE, 1, "full"), (FULL, 20, "full")]
)
def test_an_instant_stand_against_a_difficulty(rules: dict[str, str], die: int, outcome: str) -> None:
    """MAM-MNV-05."""
    result = on_ground(3, preset=SPEED, rules=rules).when(InstantStand("modre", die=die))
    assert result.one(InstantStandResolved).outcome == outcome


def test_an_instant_stand_with_abilities_above_five_needs_no_roll() -> None:
    """MAM-MNV-05."""
    fight = on_ground(4, 2)
    event = fight.when(InstantStand("modre")).one(InstantStandResolved)
    assert (event.rolls, event.outcome) == ((), "full")
    fight.when(InstantStand("modre", die=3)).raises("idle_die")
    on_ground(4, 1).when(InstantStand("modre", die=3, opposing_die=6)).one(InstantStandResolved)


@pytest.mark.parametrize(
    ("rules", "effect"),
    [
        ({}, Effect("evasion", 2, "MAM-MNV-05", turn=2)),
        ({"instant_stand_bonus": "five"}, Effect("evasion", 5, "MAM-MNV-05", turn=2)),
        ({"instant_stand_expiry": "start_of_next_turn"}, Effect("evasion", 2, "MAM-MNV-05", turn=2, moment="start")),
        (
            {"instant_stand_bonus": "five", "evasion_bonus_scale": "uniform_four"},
            Effect("evasion", 4, "MAM-MNV-05", turn=2),
        ),
    ],
)
def test_options_set_the_bonus_of_an_instant_stand(rules: dict[str, str], effect: Effect) -> None:
    """MAM-MNV-05, MAM-POS-04."""
    assert on_ground(6, rules=rules).when(InstantStand("modre")).one(InstantStandResolved).effect == effect


@pytest.mark.parametrize(("reading", "left"), [("start_of_next_turn", 0), ("end_of_next_turn", 1)])
def test_an_option_sets_how_long_an_instant_stand_helps(reading: str, left: int) -> None:
    """MAM-MNV-05, MAM-POS-04."""
    fight = on_ground(6, rules={"instant_stand_expiry": reading}).after(InstantStand("modre"), *ROUND)
    assert len(fight.state.combatants["modre"].status.effects) == left
    fight.after(EndTurn("modre"))
    assert fight.state.combatants["modre"].status.effects == ()


def test_an_instant_stand_and_evading_exclude_each_other_in_a_turn() -> None:
    """MAM-MNV-01, MAM-MNV-05."""
    on_ground(6).after(Evade("modre")).when(InstantStand("modre")).raises("once_per_turn")
    on_ground(6).after(InstantStand("modre")).when(Evade("modre")).raises("once_per_turn")


@pytest.mark.parametrize(
    ("order", "rules", "code"),
    [
        (InstantStand("modre", kind="d8"), {}, "idle_die"),
        (InstantStand("modre", opposing_die=1), FULL, "idle_die"),
        (InstantStand("modre", die=7), {}, "impossible_face"),
        (InstantStand("modre", die=3, opposing_die=7), {}, "impossible_face"),
        (InstantStand("modre", points=6), {}, "not_enough_ready"),
        (InstantStand("modre", points=0), {}, "below_required_amount"),
    ],
)
def test_impossible_dice_and_points_are_refused_before_any_roll(
    order: Command, rules: dict[str, str], code: str
) -> None:
    """MAM-MNV-05."""
    on_ground(1, rules=rules).when(order).raises(code)


def test_an_instant_stand_is_refused_if_already_standing() -> None:
    """MAM-MNV-05."""
    given(*DUEL).when(InstantStand("modre")).raises("wrong_position", "MAM-POS-01")
