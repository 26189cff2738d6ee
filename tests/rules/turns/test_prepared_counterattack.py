"""Prepared counterattacks: their triggers, their order, and what follows."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    ChangeAction,
    ChangeRules,
    Command,
    Counterattack,
    DeclareCombo,
    DeclaredOutcome,
    EndTurn,
    Initiative,
    Interfere,
    Move,
    Parry,
    PrepareCounterattack,
    Resolve,
    SkipTurn,
    TakePosture,
)
from mam_events.decider.decide import legal_commands
from mam_events.events import (
    ActionTaken,
    AttackDeclared,
    AttackResolved,
    CombatantMoved,
    CounterattackEnded,
    CounterattackLapsed,
    CounterattackPrepared,
    CounterattackTriggered,
    DeclaredActionChanged,
    ParryDeclared,
    PreparationSpent,
    SkipsOwed,
    StunRecovered,
    TurnEnded,
)
from tests.fighters import DUEL
from tests.rules.fights.speed import ALVA, BIRK, CORA, RIVAL, SLOW, STUNNED, start_orders, waiting_orders, with_wounds
from tests.rules.turns.speed_turns import current_turn, speed
from tests.spec import GivenFight, given

MET = (*waiting_orders(BIRK, RIVAL), Attack("rival", "birk", "sword"))
"""Rulings 2 to 8: Birk waits (6), and the Rival attacks him (8)."""


def test_an_attack_triggers_the_prepared_counterattack() -> None:
    """MAM-CTR-01, MAM-CTR-02: after the attacker's movement and before the action."""
    fight = speed(*waiting_orders(BIRK, RIVAL), Move("rival", metres=Decimal(2)))
    fight.when(Attack("rival", "birk", "sword")).then(
        AttackDeclared(9, "rival", "birk", "sword", 0, 0),
        ActionTaken("rival", "quick_attack", "sword"),
        CounterattackTriggered("birk", "rival", 9),
    )
    fight.after(Attack("rival", "birk", "sword"))
    assert current_turn(fight) == ("birk", 9, 0)
    fight.when(Resolve(9)).raises("no_such_exchange")
    fight.when(Move("rival", metres=Decimal(1))).raises("out_of_turn")
    fight.after(Move("birk", metres=Decimal(5)), Attack("birk", "rival", "sword"), Resolve(11, attack_die=2))
    fight.when(Attack("birk", "rival")).raises("one_action")
    fight.when(EndTurn("birk")).then(CounterattackEnded("birk", exchange=9))
    assert current_turn(fight.after(EndTurn("birk"))) == ("rival", 0, 9)
    fight.when(Resolve(9, attack_die=2)).one(AttackResolved)


def test_preparing_a_counterattack_takes_the_whole_turn() -> None:
    """MAM-CTR-01: a counterattack can't prepare another."""
    fight = speed(*MET)
    fight.when(PrepareCounterattack("birk")).raises("out_of_turn", "MAM-CTR-01")
    fight.when(SkipTurn("birk")).raises("already_acted")
    fight.when(Counterattack("birk", 8)).raises("not_in_edition", "MAM-CTR-01")


def test_an_attack_on_somebody_else_triggers_nothing() -> None:
    """MAM-CTR-01: only an attack on oneself is a trigger."""
    fight = speed(*waiting_orders(BIRK, RIVAL, CORA))
    assert fight.when(Attack("rival", "cora")).all(CounterattackTriggered) == []
    assert fight.when(Act("rival", "shout")).all(CounterattackTriggered) == []


def test_a_countered_attacker_may_change_the_action_but_not_the_move() -> None:
    """MAM-CTR-03: the remaining movement is the allowance minus what was used."""
    fight = speed(
        *waiting_orders(replace(BIRK, seat=1), replace(RIVAL, movement=Decimal(5))), Move("rival", metres=Decimal(3))
    )
    fight.after(Attack("rival", "birk", "sword"))
    fight.when(ChangeAction("rival", 9)).raises("no_such_exchange")
    fight.after(EndTurn("birk"))
    fight.when(ChangeAction("birk", 9)).raises("not_countered", "MAM-CTR-03")
    fight.when(ChangeAction("rival", 9)).then(DeclaredActionChanged(9, "rival"))
    fight.after(ChangeAction("rival", 9))
    fight.when(Move("rival", metres=Decimal(3))).raises("out_of_range")
    assert fight.when(Move("rival")).one(CombatantMoved).metres == 2
    assert fight.when(Attack("rival", "birk", mode="powerful")).all(CounterattackTriggered) == []


@pytest.mark.parametrize("attack", [Attack("rival", "birk", "sword"), DeclareCombo("rival", 2, target=("birk",))])
def test_a_countered_attacker_may_prepare_a_counterattack_instead(attack: Command) -> None:
    """MAM-CTR-01, MAM-CTR-03, MAM-TURN-07: if the attacker neither moved nor acted."""
    fight = speed(*waiting_orders(BIRK, RIVAL), attack, EndTurn("birk"), ChangeAction("rival", 8))
    fight.when(PrepareCounterattack("rival")).one(CounterattackPrepared)
    walked_fight = speed(
        *waiting_orders(BIRK, RIVAL), Move("rival", metres=Decimal(1)), Attack("rival", "birk"), EndTurn("birk")
    )
    walked_fight.after(ChangeAction("rival", 9)).when(PrepareCounterattack("rival")).raises("already_acted")


def test_an_action_with_a_reaction_can_no_longer_be_changed() -> None:
    """MAM-CTR-03: others react only to an action that goes on."""
    fight = speed(*MET, EndTurn("birk"), Parry("birk", 8))
    fight.when(ChangeAction("rival", 8)).raises("already_answered", "MAM-CTR-03")


def test_changing_an_action_is_offered_only_after_a_counterattack() -> None:
    """MAM-CTR-03."""

    def offered(fight: GivenFight) -> list[str]:
        return [one.combatant for one in legal_commands(fight.state, fight.ruleset) if one.do == "change-action"]

    fight = speed(*waiting_orders(BIRK, RIVAL))
    assert offered(fight) == []
    fight.after(Attack("rival", "birk"))
    assert offered(fight) == []
    assert offered(fight.after(EndTurn("birk"))) == ["rival"]


def test_an_action_without_a_counterattack_cannot_be_changed() -> None:
    """MAM-CTR-03."""
    fight = speed(*start_orders(BIRK, RIVAL), Attack("birk", "rival"))
    fight.when(ChangeAction("birk", 6)).raises("not_countered")
    combo = speed(*start_orders(ALVA, RIVAL), DeclareCombo("alva", 2))
    combo.when(ChangeAction("alva", 6)).raises("not_countered")


def test_an_option_counts_an_unused_preparation_as_a_skipped_turn() -> None:
    """MAM-CTR-04, `untriggered_counter_counts_as_skip`: the next turn is normal, or a slow combatant must skip it."""
    for reading, skipped_turns in (("yes", 0), ("no", 1)):
        fight = speed(*waiting_orders(SLOW, RIVAL), EndTurn("rival"), untriggered_counter_counts_as_skip=reading)
        assert fight.when(BeginTurn("birk")).one(CounterattackLapsed) == CounterattackLapsed("birk", skipped_turns)
        assert (fight.after(BeginTurn("birk")).when(Act("birk", "shout")).error is None) == (skipped_turns == 0)


def test_a_counterattack_counts_as_acting() -> None:
    """MAM-CTR-04: a slow combatant owes skipped turns for the turn of the preparation."""
    fight = speed(*waiting_orders(SLOW, RIVAL))
    assert fight.when(Attack("rival", "birk")).one(CounterattackTriggered).skips_owed == 1
    fight.after(Attack("rival", "birk"), EndTurn("birk"), Resolve(8, attack_die=2), EndTurn("rival"), BeginTurn("birk"))
    fight.when(Act("birk", "shout")).raises("must_skip")


def test_the_order_of_turns_is_kept() -> None:
    """MAM-CTR-05: as printed: the first waits, the second misses, the third is countered; the first is next."""
    one, two_fighter, three_fighter = BIRK, ALVA, CORA
    fight = speed(
        *waiting_orders(one, two_fighter, three_fighter),
        Attack("alva", "cora", "sword"),
        Resolve(9, attack_die=2),
        EndTurn("alva"),
    )
    fight.after(BeginTurn("cora"), Attack("cora", "birk", "sword"))
    assert current_turn(fight) == ("birk", 13, 0)
    fight.after(Attack("birk", "cora", "sword"), Resolve(14, attack_die=2))
    assert not any(isinstance(event, TurnEnded) for event in fight.when(EndTurn("birk")).events)
    fight.after(EndTurn("birk"), Resolve(13, attack_die=2), EndTurn("cora"))
    assert (fight.state.order, fight.state.next_up) == (("birk", "alva", "cora"), "birk")


def test_a_preparation_is_used_up_by_its_first_trigger() -> None:
    """MAM-CTR-06."""
    fight = speed(*MET, EndTurn("birk"), ChangeAction("rival", 8))
    assert fight.when(Attack("rival", "birk")).all(CounterattackTriggered) == []


FELLED = (*MET, Attack("birk", "rival", "sword"))


def test_the_attack_of_a_felled_attacker_fails() -> None:
    """MAM-CTR-02: the counterattack came first."""
    fight = speed(*MET, Adjust("a mighty blow", condition={"rival": "incapacitated"}))
    result = fight.when(EndTurn("birk"))
    result.then(
        CounterattackEnded("birk", passed=True),
        AttackResolved(
            8, "fail", 0, 0, "Rival is incapacitated and cannot act until the game master says otherwise.", made=False
        ),
    )
    assert current_turn(fight.after(EndTurn("birk"))) == ("rival", 0, 0)
    assert fight.when(EndTurn("rival")).error is None


def test_an_attack_on_a_fallen_target_may_continue_or_be_changed() -> None:
    """MAM-CTR-03."""
    fight = speed(*MET, Adjust("he slips", condition={"birk": "incapacitated"}))
    fight.when(Attack("birk", "rival")).raises("incapacitated")
    fight.after(EndTurn("birk"))
    assert fight.when(Resolve(8, attack_die=15)).one(AttackResolved).outcome == "full"
    fight.when(ChangeAction("rival", 8)).then(DeclaredActionChanged(8, "rival"))


def test_an_incapacitated_combatant_does_not_counterattack() -> None:
    """MAM-CTR-01."""
    fight = speed(*waiting_orders(BIRK, RIVAL), Adjust("dazed", condition={"birk": "incapacitated"}))
    assert fight.when(Attack("rival", "birk")).all(CounterattackTriggered) == []


def test_an_option_sets_when_a_prepared_counterattack_recovers_stun() -> None:
    """MAM-CTR-01, `stun_recovery_for_counterattack`: one point either way."""
    start = start_orders(with_wounds(BIRK, 2), RIVAL)
    assert speed(*start).when(PrepareCounterattack("birk")).one(StunRecovered).points == 1
    after = speed(*start, stun_recovery_for_counterattack="after_counter")
    assert after.when(PrepareCounterattack("birk")).events[0] == CounterattackPrepared("birk")
    assert after.when(PrepareCounterattack("birk")).all(StunRecovered) == []
    result = speed(*STUNNED[:-1], stun_recovery_for_counterattack="after_counter").when(EndTurn("birk"))
    assert [type(event) for event in result.events] == [StunRecovered, CounterattackEnded]
    vain = after.after(PrepareCounterattack("birk"), SkipTurn("rival")).when(BeginTurn("birk"))
    assert [type(event) for event in vain.events[-2:]] == [CounterattackLapsed, StunRecovered]


@pytest.mark.parametrize("skipped", ["yes", "no"])
def test_an_unused_preparation_recovers_stun_like_a_skipped_turn(skipped: str) -> None:
    """MAM-CTR-04 with `skipped_turn_recovers_stun`."""
    rules = {"stun_recovery_for_counterattack": "after_counter", "skipped_turn_recovers_stun": skipped}
    fight = speed(*waiting_orders(with_wounds(BIRK, 2), RIVAL), EndTurn("rival"), **rules)
    assert len(fight.when(BeginTurn("birk")).all(StunRecovered)) == (skipped == "yes")


def test_the_turn_after_an_unused_preparation_recovers_its_own_stun() -> None:
    """MAM-CTR-01, MAM-TURN-06 (`stun_recovery_for_counterattack`): the stun of the earlier turn does not replace it."""
    fight = speed(*waiting_orders(with_wounds(BIRK, stun=2), RIVAL), stun_recovery_for_counterattack="after_counter")
    fight.after(EndTurn("rival"))
    assert fight.when(BeginTurn("birk")).one(StunRecovered).points == 1
    assert fight.after(BeginTurn("birk")).when(EndTurn("birk")).one(StunRecovered).points == 1


@pytest.mark.parametrize("midway", [(), (Attack("birk", "rival"), Resolve(6, 1))])
def test_a_turn_recovers_stun_once_if_the_option_changes_during_it(midway: tuple[Command, ...]) -> None:
    """MAM-PHASE-01, MAM-TURN-06 (`stun_recovery_timing`): in either direction of the change."""
    fight = speed(*start_orders(with_wounds(BIRK, stun=2), RIVAL), *midway)
    sooner = ChangeRules({"stun_recovery_timing": "turn_start"}, "as in the old book")
    assert fight.when(sooner).one(StunRecovered).combatant == "birk"
    assert not fight.after(sooner).when(EndTurn("birk")).all(StunRecovered)
    change = ChangeRules({"stun_recovery_timing": "turn_end"}, "no, as it was")
    assert not fight.after(change).when(EndTurn("birk")).all(StunRecovered)


def test_a_posture_ready_to_counter_recovers_no_stun() -> None:
    """MAM-SURP-04, MAM-CTR-04: no turn was spent on it."""
    ready = (with_wounds(BIRK, 2), RIVAL, TakePosture("birk", "ready_to_counter"), Initiative(circumstance="birk"))
    fight = speed(*ready, stun_recovery_for_counterattack="after_counter", untriggered_counter_counts_as_skip="no")
    result = fight.when(BeginTurn("birk"))
    assert (result.one(CounterattackLapsed), result.all(StunRecovered)) == (CounterattackLapsed("birk"), [])


def test_interfering_uses_up_the_preparation() -> None:
    """MAM-INTF-02, `speed_interference`: unless the option lets anybody interfere."""
    others = (*start_orders(SLOW, ALVA, CORA), PrepareCounterattack("birk"), BeginTurn("alva"))
    fight = speed(*others, SkipTurn("alva"), BeginTurn("cora"), Attack("cora", "alva"))
    interfered = Interfere("birk", 11, 11, weapon="sword")
    assert fight.when(interfered).one(PreparationSpent) == PreparationSpent("birk", 1)
    fight.when(Interfere("alva", 11, 11, weapon="sword")).raises("not_prepared", "MAM-INTF-02")
    passed_fight = speed(*MET, EndTurn("birk"))
    assert passed_fight.when(Interfere("birk", 8, 8, weapon="sword")).error is None
    acted = speed(*FELLED, Resolve(9, attack_die=2), EndTurn("birk"))
    acted.when(Interfere("birk", 8, 8, weapon="sword")).raises("not_prepared")


def test_a_house_rule_can_add_prepared_counterattacks_to_pools() -> None:
    """MAM-CTR-01 as a house rule of pools: its actions cost points."""
    rules = {"counterattack_mode": "prepared_turn"}
    fight = given(*DUEL, PrepareCounterattack("modre"), BeginTurn("clone"), rules=rules)
    fight.after(Attack("clone", "modre", modifier=1))
    assert current_turn(fight) == ("modre", 8, 0)
    fight.when(Counterattack("modre", 8, modifier=1)).raises("not_in_edition")
    fight.after(Attack("modre", "clone", "ice-blade", power=2, modifier=1))
    assert fight.state.combatants["modre"].pools.ready == 3
    fight.after(Resolve(9, attack_die=2, defense_die=5), EndTurn("modre"))
    assert current_turn(fight) == ("clone", 0, 8)
    assert fight.when(Resolve(8, attack_die=2, defense_die=5)).one(AttackResolved).outcome == "fail"
    given(*DUEL).when(PrepareCounterattack("modre")).raises("not_in_edition", "MAM-ATK-12")


def test_a_house_rule_can_add_immediate_counterattacks_to_speed_rules() -> None:
    """MAM-ATK-12 as a house rule of speed rules: no preparation, an immediate reaction, no cost."""
    fight = speed(*start_orders(ALVA, CORA), Attack("alva", "cora"), counterattack_mode="reactive_hit_points")
    fight.when(Counterattack("cora", 6, power=1)).raises("points_not_spent")
    assert fight.when(Counterattack("cora", 6, "sword")).error is None
    assert fight.after(Counterattack("cora", 6, "sword")).when(Resolve(6, 4, 19)).error is None
    fight.when(PrepareCounterattack("cora")).raises("not_in_edition")
    fight = speed(ALVA, CORA, counterattack_mode="reactive_hit_points")
    fight.when(TakePosture("cora", "ready_to_counter")).raises("not_in_edition")
    assert fight.when(TakePosture("cora", "evading")).all(SkipsOwed) == []


def test_a_parry_costs_no_point_in_speed_rules() -> None:
    """MAM-INTF-06: and no option moves one."""
    fight = speed(*start_orders(ALVA, CORA), Attack("alva", "cora"), counterattack_mode="reactive_hit_points")
    assert fight.when(Parry("cora", 6, "sword")).one(ParryDeclared).points == 0
    assert fight.state.combatants["cora"].pools == fight.after(Parry("cora", 6, "sword")).state.combatants["cora"].pools


@pytest.mark.parametrize("turn", ["-", "birk", "rival"])
def test_giving_the_turn_to_somebody_ends_the_counterattack(turn: str) -> None:
    """MAM-CTR-05: the order of turns stays, and the round ends normally."""
    fight = speed(*MET).after(Adjust("stop", turn=turn))
    assert not fight.state.interrupted
    fight.after(Resolve(8, 20))
    while fight.state.round == 1:
        whom = fight.state.turn.combatant if fight.state.turn else str(fight.state.next_up)
        fight.after(EndTurn(whom) if fight.state.turn else BeginTurn(whom))


def test_an_action_declared_in_an_ended_counterattack_fails() -> None:
    """MAM-CTR-02."""
    fight = speed(*MET, Attack("birk", "rival", "body"))
    word = fight.when(Adjust("stop", turn="rival"))
    why = "the game master ended the counterattack"
    assert word.one(AttackResolved) == AttackResolved(9, "fail", 0, 0, why, made=False)
    assert word.state.exchange
    assert word.state.exchange.id == 8


def test_the_game_master_can_declare_the_outcome_of_a_waiting_attack() -> None:
    fight = speed(*MET, Adjust("it misses", outcome=DeclaredOutcome(8, "fail")), EndTurn("birk"))
    assert current_turn(fight) == ("rival", 0, 0)
