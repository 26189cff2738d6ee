"""The phases of a turn: stun recovery, readying points, actions, end."""

from __future__ import annotations

import pytest

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Command,
    DeclareCombo,
    Defend,
    Drop,
    EndTurn,
    Evade,
    Hold,
    Initiative,
    MaintainGrapple,
    Move,
    Ready,
    ReadyWeapon,
)
from mam_events.events import ReadyPoolRefreshed, RoundStarted, StunRecovered, TurnEnded, TurnStarted
from mam_events.state import Pools
from tests.fighters import CLONE, DUEL, FIRST_ROUND, MODRE, duel_orders, with_pools
from tests.spec import given


def test_one_point_of_stun_recovers_at_the_beginning_of_a_turn() -> None:
    """MAM-PHASE-01."""
    fight = given(
        with_pools(MODRE, other_used=1, stun=3, damage=2), CLONE, Initiative(first="modre", reason="he shouts")
    )
    fight.when(BeginTurn("modre")).then(
        RoundStarted(1),
        TurnStarted("modre"),
        StunRecovered("modre", 1, Pools(other_used=2, stun=2, damage=2), turn=True),
    )


def test_the_recovered_point_can_become_ready_in_the_same_turn() -> None:
    """MAM-PHASE-01, MAM-EX-06."""
    fight = given(*duel_orders(with_pools(MODRE, stun=6)))
    assert fight.when(Ready("modre", other_used=1))["modre"].pools == Pools(ready=1, stun=5)


def test_a_turn_without_stun_begins_without_recovery() -> None:
    """MAM-PHASE-01."""
    given(MODRE, CLONE, Initiative()).when(BeginTurn("modre")).then(RoundStarted(1), TurnStarted("modre"))


def test_an_option_recovers_stun_at_the_end_of_the_turn() -> None:
    """MAM-PHASE-01, MAM-WND-09, option `stun_recovery_timing`."""
    fight = given(*duel_orders(with_pools(MODRE, ready=5, stun=1)), rules={"stun_recovery_timing": "turn_end"})
    assert fight.state.combatants["modre"].pools == Pools(ready=5, stun=1)
    fight.when(EndTurn("modre")).then(
        StunRecovered("modre", 1, Pools(ready=5, other_used=1), turn=True), TurnEnded("modre")
    )


def test_up_to_half_the_hit_points_become_ready() -> None:
    """MAM-PHASE-02."""
    fight = given(*duel_orders(with_pools(MODRE, defense=3, other_used=3)))
    fight.when(Ready("modre", defense=1, other_used=1)).then(
        ReadyPoolRefreshed("modre", 1, 1, 3, Pools(ready=2, defense=2, other_used=2))
    )
    fight.when(Ready("modre", defense=3, other_used=1)).raises("exceeds_maximum", "MAM-PHASE-02")


def test_readying_more_than_a_pool_has_is_refused() -> None:
    """MAM-PHASE-02."""
    fight = given(*duel_orders(with_pools(MODRE, defense=1, other_used=5)))
    error = fight.when(Ready("modre", defense=2, other_used=1)).raises("not_enough_in_pool", "MAM-PHASE-02")
    assert (error.fields, error.sentence) == (("defense",), "Defense has 1 point to give, not 2.")


def test_readying_nothing_is_possible() -> None:
    """MAM-PHASE-02."""
    fight = given(*DUEL)
    fight.when(Ready("modre")).then(ReadyPoolRefreshed("modre", 0, 0, 0, Pools(ready=6)))


def test_points_become_ready_once_a_turn() -> None:
    """MAM-PHASE-02."""
    fight = given(*duel_orders(with_pools(MODRE, other_used=6)), Ready("modre", other_used=1))
    fight.when(Ready("modre", other_used=1)).raises("phase_over", "MAM-PHASE-02")


@pytest.mark.parametrize(
    "action",
    [Move("modre", points=1), Attack("modre", "clone", power=1)],
    ids=["move", "attack"],
)
def test_points_become_ready_before_the_first_action(action: Command) -> None:
    """MAM-PHASE-02."""
    fight = given(*duel_orders(with_pools(MODRE, ready=1, other_used=5)), action)
    expected = "exchange_open" if isinstance(action, Attack) else "phase_over"
    fight.when(Ready("modre", other_used=1)).raises(expected)


def test_points_become_ready_only_in_ones_own_turn() -> None:
    """MAM-PHASE-02, MAM-ORDER-02."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, other_used=6)))
    error = fight.when(Ready("clone", other_used=3)).raises("out_of_turn", "MAM-ORDER-02")
    assert error.sentence == "Clone cannot do this now: it is Modre's turn."


@pytest.mark.parametrize(("ready", "most"), [(0, 3), (2, 1), (3, 0), (5, 0)])
def test_an_option_limits_the_ready_points_instead_of_the_moved_ones(ready: int, most: int) -> None:
    """MAM-PHASE-02, option `ready_refresh_cap`."""
    modre = with_pools(MODRE, ready=ready, other_used=6 - ready)
    house = given(*duel_orders(modre), rules={"ready_refresh_cap": "ready_cap"})
    house.when(Ready("modre", other_used=most + 1)).raises("exceeds_maximum")
    assert house.when(Ready("modre", other_used=most))["modre"].pools.ready == ready + most
    moved = min(3, 6 - ready)
    assert given(*duel_orders(modre)).when(Ready("modre", other_used=moved))["modre"].pools.ready == ready + moved


def test_an_option_requires_readying_the_maximum_first() -> None:
    """MAM-PHASE-02, option `ready_refresh_amount`."""
    fight = given(
        *duel_orders(with_pools(MODRE, ready=2, other_used=4)), rules={"ready_refresh_amount": "exact_maximum"}
    )
    fight.when(Ready("modre", other_used=2)).raises("below_required_amount", "MAM-PHASE-02")
    for order in (
        Attack("modre", "clone", power=1),
        Act("modre", "shouts", points=0),
        Move("modre", points=1),
        EndTurn("modre"),
    ):
        error = fight.when(order).raises("below_required_amount", "MAM-PHASE-02")
        assert error.sentence == "Under these rules Modre must first make exactly 3 points ready."
    assert fight.after(Ready("modre", other_used=3)).when(Move("modre", points=5))["modre"].pools.defense == 5


def test_the_required_maximum_can_be_zero() -> None:
    """MAM-PHASE-02, option `ready_refresh_amount`."""
    house = {"ready_refresh_amount": "exact_maximum"}
    assert given(*DUEL, rules=house).when(Move("modre", points=1))["modre"].pools.defense == 1
    given(*DUEL, rules=house).when(EndTurn("modre")).then(TurnEnded("modre"))


def test_points_spent_in_the_turn_need_not_be_readied_again() -> None:
    """MAM-PHASE-02, option `ready_refresh_amount`."""
    fight = given(*DUEL, Move("modre", points=3), rules={"ready_refresh_amount": "exact_maximum"})
    fight.when(EndTurn("modre")).then(TurnEnded("modre"))


@pytest.mark.parametrize(("from_defense", "from_other_used"), [(2, 1), (1, 2), (0, 2), (2, 0)])
def test_the_player_chooses_the_pools_to_ready_from(from_defense: int, from_other_used: int) -> None:
    """MAM-PHASE-03."""
    fight = given(*duel_orders(with_pools(MODRE, defense=2, other_used=2, damage=2)))
    after = Pools(from_defense + from_other_used, 2 - from_defense, 2 - from_other_used, 0, 2)
    assert fight.when(Ready("modre", from_defense, from_other_used))["modre"].pools == after


def test_several_actions_can_be_paid_from_ready() -> None:
    """MAM-PHASE-04."""
    fight = given(*DUEL, Move("modre", points=2), Act("modre", "kicks the door", points=3))
    assert fight.state.combatants["modre"].pools == Pools(ready=1, defense=2, other_used=3)


def test_an_action_cannot_cost_more_than_is_ready() -> None:
    """MAM-PHASE-04."""
    error = given(*DUEL).when(Act("modre", "kicks the door", points=7)).raises("not_enough_ready", "MAM-PHASE-04")
    assert error.sentence == "Modre needs 7 ready points and has 6."


def test_an_attack_costs_points_and_speech_does_not() -> None:
    """MAM-PHASE-04."""
    given(*DUEL).when(Attack("modre", "clone")).raises("below_required_amount")
    assert given(*DUEL).when(Act("modre", "shouts", points=0))["modre"].pools == Pools(ready=6)


def test_a_turn_ends_by_order_and_ready_points_stay_ready() -> None:
    """MAM-PHASE-05, MAM-POOL-02."""
    result = given(*DUEL).when(EndTurn("modre"))
    result.then(TurnEnded("modre"))
    assert result["modre"].pools == Pools(ready=6)


def test_a_turn_can_end_without_ready_points_and_only_once() -> None:
    """MAM-PHASE-05."""
    fight = given(*DUEL, Move("modre", points=6))
    fight.when(Move("modre", points=1)).raises("not_enough_ready")
    fight.after(EndTurn("modre")).when(EndTurn("modre")).raises("out_of_turn", "MAM-ORDER-02")


def test_a_turn_cannot_end_during_an_exchange() -> None:
    """MAM-PHASE-05, MAM-ATK-01."""
    fight = given(*DUEL, Attack("modre", "clone", power=1))
    error = fight.when(EndTurn("modre")).raises("exchange_open", "MAM-ATK-01")
    assert error.sentence == "Action 6 is still open. Resolve it first (resolve)."
    fight.when(BeginTurn("clone")).raises("exchange_open")
    fight.when(Act("modre", "shouts", points=0)).raises("exchange_open")


@pytest.mark.parametrize(
    ("pools", "choices"),
    [
        ({"other_used": 2, "stun": 4}, [(0, 2)]),
        ({"other_used": 6}, [(0, 3)]),
        ({"defense": 2, "other_used": 2, "stun": 2}, [(2, 1), (1, 2)]),
    ],
    ids=["stun 4", "nothing hurt", "stun 2"],
)
def test_the_printed_examples_of_the_second_phase(pools: dict[str, int], choices: list[tuple[int, int]]) -> None:
    """MAM-PHASE-06."""
    stun_stays = {"stun_recovery_timing": "turn_end"}  # The examples count the stun left after the first phase.
    fight = given(*duel_orders(with_pools(MODRE, **pools)), rules=stun_stays)
    for from_defense, from_other_used in choices:
        ready = fight.when(Ready("modre", from_defense, from_other_used)).one(ReadyPoolRefreshed)
        assert ready.pools.ready == ready.maximum == from_defense + from_other_used
    fight.when(Ready("modre", *choices[0])).one(ReadyPoolRefreshed)
    fight.when(Ready("modre", choices[0][0], choices[0][1] + 1)).raises("exceeds_maximum")


SPENT = (*DUEL, Move("modre", points=6))


def test_a_turn_without_ready_points_is_over() -> None:
    """MAM-PHASE-05."""
    shout = Act("modre", "shouts", points=0)
    assert "it (end-turn)" in given(*SPENT).when(shout).raises("turn_over", "MAM-PHASE-05").sentence
    given(*SPENT, rules={"evasion_cost": "free"}).when(Evade("modre")).raises("turn_over")
    assert given(*DUEL, Move("modre", points=5)).when(shout).error is None
    assert given(*SPENT, rules={"empty_ready_pool": "free_actions"}).when(shout).error is None


def test_the_error_without_ready_points_suggests_readying() -> None:
    """MAM-PHASE-05, MAM-PHASE-02."""
    fight = given(*duel_orders(with_pools(MODRE, other_used=6)))
    assert "(ready)" in fight.when(Act("modre", "shouts", points=0)).raises("turn_over").sentence
    assert fight.after(Ready("modre", other_used=1)).when(Act("modre", "shouts", points=0)).error is None


def test_actions_already_paid_for_need_no_ready_point() -> None:
    """MAM-PHASE-05: a paid combo, a hold, and orders that are not actions."""
    combo = given(*DUEL, DeclareCombo("modre", 1, modifier=6))
    assert combo.when(Attack("modre", "clone", "ice-blade")).error is None
    hold = Adjust("a hand on the collar", hold=(Hold("modre", "grip", 0, held="clone"),))
    fight = given(*SPENT, hold, rules={"hold_maintenance": "respend_each_round"})
    assert fight.when(MaintainGrapple("modre", "grip")).error is None
    assert given(*SPENT, rules={"drop_action_cost": "free"}).when(Drop("modre")).error is None
    assert given(*SPENT).when(EndTurn("modre")).error is None


def test_reactions_are_possible_in_any_turn_but_actions_are_not() -> None:
    """MAM-PHASE-04, MAM-ORDER-02."""
    fight = given(*DUEL, *FIRST_ROUND, BeginTurn("modre"))
    for order in (
        Attack("clone", "modre", power=1),
        Move("clone", points=1),
        Act("clone", "shouts", points=0),
        ReadyWeapon("clone", "body"),
        EndTurn("clone"),
    ):
        fight.when(order).raises("out_of_turn", "MAM-ORDER-02")
    fight.after(Ready("modre", other_used=3), Attack("modre", "clone", power=1))
    assert fight.when(Defend("clone", 15, points=1))["clone"].pools.defense == 4
