"""The printed combat example, from the first order to the last."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import Body
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    CombatantMoved,
    CounterattackResolved,
    CounterattackRolled,
    DefenseRolled,
    InitiativeEstablished,
    ReadyPoolRefreshed,
    StunRecovered,
    WoundInflicted,
)
from mam_events.state import Pools
from tests.fighters import CLONE, DUEL, FIRST_ROUND, MODRE, PRINTED_FIGHT, SECOND_ROUND
from tests.spec import CommandResult, given

BOARD = [
    (5, (6, 0, 0, 0, 0), (6, 0, 0, 0, 0)),
    (6, (0, 2, 4, 0, 0), (6, 0, 0, 0, 0)),
    (7, (0, 2, 4, 0, 0), (0, 6, 0, 0, 0)),
    (8, (0, 2, 4, 0, 0), (0, 6, 0, 0, 0)),
    (12, (0, 2, 4, 0, 0), (3, 3, 0, 0, 0)),
    (14, (3, 2, 1, 0, 0), (3, 3, 0, 0, 0)),
    (15, (0, 4, 2, 0, 0), (3, 3, 0, 0, 0)),
    (16, (0, 4, 2, 0, 0), (0, 4, 2, 0, 0)),
    (17, (0, 4, 2, 0, 0), (0, 0, 2, 2, 2)),
    (19, (0, 4, 2, 0, 0), (0, 0, 3, 1, 2)),
    (20, (0, 4, 2, 0, 0), (3, 0, 0, 1, 2)),
    (21, (0, 4, 2, 0, 0), (0, 3, 0, 1, 2)),
]


def ruling(number: int) -> CommandResult:
    """Judge that ruling of the printed fight."""
    return given(*PRINTED_FIGHT[: number - 2]).when(PRINTED_FIGHT[number - 2])


@pytest.mark.parametrize(("number", "modre", "clone"), BOARD, ids=[f"ruling {row[0]}" for row in BOARD])
def test_the_pools_are_as_printed_after_every_step(number: int, modre: tuple[int, ...], clone: tuple[int, ...]) -> None:
    """MAM-EX-02, MAM-EX-03, MAM-EX-04, MAM-EX-05, MAM-EX-06."""
    fight = given(*PRINTED_FIGHT[: number - 1])
    assert {name: fighter.pools for name, fighter in fight.state.combatants.items()} == {
        "modre": Pools(*modre),
        "clone": Pools(*clone),
    }


def test_modre_begins_because_of_reach() -> None:
    """MAM-EX-01, MAM-ORDER-03."""
    ruling(4).then(InitiativeEstablished(("modre", "clone"), "longest reach", "MAM-ORDER-03"))


def test_both_begin_with_all_points_ready() -> None:
    """MAM-EX-02."""
    assert all(fighter.pools == Pools(ready=6) for fighter in given(*DUEL).state.combatants.values())


def test_the_first_attack_misses_with_5_against_7() -> None:
    """MAM-EX-03."""
    result = ruling(8)
    assert (result.one(AttackRolled).total, result.one(DefenseRolled).total) == (5, 7)
    assert (result.one(AttackResolved).outcome, result.all(WoundInflicted)) == ("fail", [])


def test_the_clone_readies_nothing_and_keeps_the_points() -> None:
    """MAM-EX-04."""
    assert not ruling(10).all(StunRecovered)
    assert ruling(11).one(ReadyPoolRefreshed).pools == Pools(ready=3, defense=3)
    assert ruling(12)["clone"].pools == Pools(ready=3, defense=3)


def test_the_second_attack_beats_the_counterattack_9_to_7() -> None:
    """MAM-EX-05."""
    result = ruling(17)
    assert (result.one(AttackRolled).total, result.one(CounterattackRolled).total) == (9, 7)
    assert (result.one(AttackResolved).outcome, result.one(CounterattackResolved).outcome) == ("full", "fail")
    wound = result.one(WoundInflicted)
    assert (result.one(AttackResolved).power, wound.stun, wound.damage, wound.drained) == (4, 2, 2, Pools(defense=4))


def test_the_clone_recovers_a_point_and_moves_three_metres() -> None:
    """MAM-EX-06."""
    assert ruling(19).one(StunRecovered).pools == Pools(other_used=3, stun=1, damage=2)
    assert ruling(21).one(CombatantMoved).metres == 3


@pytest.mark.parametrize(
    ("reading", "defense", "counter"), [("separate_attack_defense", 7, 7), ("single_zero", 7, 5), ("single_two", 9, 7)]
)
def test_the_outcomes_do_not_depend_on_the_option_body_modifier(reading: str, defense: int, counter: int) -> None:
    """MAM-EX-03, MAM-EX-05, option `body_modifier`."""
    house = {"body_modifier": reading}
    first = given(*DUEL, *FIRST_ROUND[:2], rules=house).when(FIRST_ROUND[2])
    assert (first.one(DefenseRolled).total, first.one(AttackResolved).outcome) == (defense, "fail")
    second = given(*DUEL, *FIRST_ROUND, *SECOND_ROUND[:4], rules=house).when(SECOND_ROUND[4])
    assert (second.one(CounterattackRolled).total, second.one(AttackResolved).outcome) == (counter, "full")


def test_a_stronger_clone_changes_the_outcome() -> None:
    """MAM-EX-05."""
    strong = replace(CLONE, body=Body(attack=5))
    fight = given(MODRE, strong, *DUEL[2:], *FIRST_ROUND, *SECOND_ROUND[:4])
    assert fight.when(SECOND_ROUND[4]).one(CounterattackResolved).outcome == "full"
