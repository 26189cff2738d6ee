"""Movements that take no action (RD6-FREE-01)."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from hypothesis import given as all_of
from hypothesis import strategies as st

from mam_events.commands import (
    Move,
    Perform,
)
from mam_events.events import (
    ActionPerformed,
    MovedFreely,
)
from mam_events.rules.ron_d6.free_actions import actions_taken
from mam_events.state import RoundMove
from tests.counting import calls
from tests.patrol import ROOK, THUG, fighter, patrol


@pytest.mark.parametrize(
    ("metres", "terrain", "reading", "takes"),
    [
        ("4", "easy", "free", False),
        ("5", "easy", "free", False),
        ("5", "easy", "action", True),
        ("5.5", "easy", "free", True),
        ("1", "challenging", "free", False),
        ("1.5", "challenging", "free", True),
    ],
)
def test_half_a_move_is_free_on_easy_ground(metres: str, terrain: str, reading: str, takes: bool) -> None:  # noqa: FBT001
    """RD6-FREE-01, RD6-LIST-move: and one metre of difficult ground."""
    fight = patrol(ROOK, actions=1, rules={"rd6_half_move": reading})
    result = fight.when(Move("rook", metres=Decimal(metres), terrain=terrain))  # type: ignore[arg-type]  # one of two
    assert bool(result.all(ActionPerformed)) is takes
    assert bool(result.all(MovedFreely)) is not takes


def test_free_movements_add_up_and_the_game_master_may_count_each() -> None:
    """RD6-FREE-01: 3 m and 3 m are more than half of 10 m."""
    fight = patrol(ROOK, THUG, actions=1)
    for far in ("-1", "1.2345678", "NaN"):
        fight.when(Move("rook", metres=Decimal(far))).raises("impossible_distance")
    fight.after(Move("rook", metres=Decimal(3)))
    assert fight.when(Move("rook", metres=Decimal(3))).all(ActionPerformed)
    assert fight.when(Move("rook", metres=Decimal(1), counts=True)).all(ActionPerformed)
    fight.when(Move("thug", metres=Decimal(9))).raises("out_of_turn")
    fight.when(Move("thug", metres=Decimal(2))).all(MovedFreely)
    fight.when(Move("rook", points=2, metres=Decimal(2))).raises("points_not_spent", "RD6-FREE-01")
    fight.when(Move("rook")).raises("metres_missing", "RD6-FREE-01")
    patrol(fighter("still", movement=None)).when(Move("still", metres=Decimal(2))).raises("move_missing", "RD6-FREE-01")


MOVEMENTS = st.lists(
    st.tuples(st.integers(0, 14).map(lambda halves: Decimal(halves) / 2), st.sampled_from(("easy", "challenging"))),
    max_size=5,
)


@all_of(MOVEMENTS.flatmap(lambda moves: st.tuples(st.just(moves), st.permutations(moves))))
def test_the_order_of_movements_does_not_matter(sequences: tuple[Any, Any]) -> None:
    """RD6-FREE-01: the longest movements take the actions, and the others together are free."""
    left = []
    for moves in sequences:
        fight = patrol(fighter("rook", code={"agility": "9D"}), actions=9)
        fight.after(*(Move("rook", metres=metres, terrain=terrain) for metres, terrain in moves))
        left.append(fight.state.combatants["rook"].actions.left)
    assert left[0] == left[1]


@pytest.mark.parametrize(
    ("moves", "actions"),
    [
        ("4 4 1", 1),
        ("1 4 4", 1),
        ("4 3 2", 1),
        ("3 4 2", 1),
        ("2 2 2 9", 2),
        ("4 1!", 0),
        ("1! 4", 0),
        ("1! 5", 1),
        ("5 1!", 1),
        ("0.5! 0.5! 4", 0),
        ("1! 1! 4", 1),
    ],
)
def test_half_the_move_is_free_including_one_metre_of_challenging_ground(moves: str, actions: int) -> None:
    """RD6-FREE-01: of a Move of 10 m; `!` is challenging ground."""
    fight = patrol(ROOK, actions=4)
    for text in moves.split():
        terrain: Any = "challenging" if "!" in text else "easy"
        fight.after(Move("rook", metres=Decimal(text.strip("!")), terrain=terrain))
    assert fight.state.combatants["rook"].actions.used == actions


def test_the_work_to_count_movements_is_linear() -> None:
    """RD6-FREE-01: the free ones are found without trying every combination."""
    ruleset = patrol(ROOK).ruleset
    some, twice = (
        [RoundMove(Decimal(n) / 1000, terrain) for n in range(size) for terrain in ("easy", "challenging")]
        for size in (50, 100)
    )
    assert 0 < actions_taken(twice, Decimal(10), ruleset) < len(twice)
    work = (calls(partial(actions_taken, moves, Decimal(10), ruleset)) for moves in (some, twice))
    assert next(work) * 2.6 > next(work)


def test_a_counted_movement_does_not_pay_for_another() -> None:
    """RD6-FREE-01: the game master counted it, or it was the action Move."""
    for first in (Move("rook", metres=Decimal(2), counts=True), Perform("rook", "move", metres=Decimal(2))):
        fight = patrol(ROOK, actions=4).after(first, Move("rook", metres=Decimal(5)))
        assert fight.state.combatants["rook"].actions.used == 1
        assert fight.when(Move("rook", metres=Decimal(1)))["rook"].actions.used == 2
    slow_fight = patrol(fighter("slow", movement=Decimal(1)), actions=1)
    slow_fight.when(Move("slow", metres=Decimal(1), terrain="challenging")).one(MovedFreely)


def test_a_combatant_without_a_move_has_one_free_metre_of_challenging_ground() -> None:
    """RD6-FREE-01: half of no Move is 0, and one metre needs no Move."""
    creeper = patrol(fighter("creeper", movement=None), actions=1)
    creeper.after(Move("creeper", metres=Decimal(1), counts=True))
    creeper.when(Move("creeper", metres=Decimal(1), counts=True)).raises("no_actions_left")
    # An accepted move that matches no template fails here.
    creeper.when(Move("creeper", metres=Decimal(1), terrain="challenging")).one(MovedFreely)
