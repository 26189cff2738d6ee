"""Pools and order folded from events equal the state after any random fight."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Initiative, Join, Open
from mam_events.log.combat_log import CombatLog
from projections.state.pools import rows_of
from projections.state.turn_order import OrderRow, TurnOrder
from tests.effort import seeds
from tests.projections.evenings import evening
from tests.projections.fold import events_of, order_in, pools_after

SEEDS = seeds(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_folded_pools_equal_those_of_the_state(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    state = log.timeline("fight").state
    assert pools_after(events_of(log)) == rows_of(state)
    assert all(row.pools.total == row.hp for row in pools_after(events_of(log)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_folded_order_equals_that_of_the_state(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    state, view = log.timeline("fight").state, order_in(log)
    assert (view.round, [row.combatant for row in view.rows]) == (state.round, list(state.order))
    assert view.acting == (state.turn.combatant if state.turn else "")
    assert view.next_up == (state.next_up or "")
    # The acting combatant is next only if nobody else has a turn left in this round.
    assert view.next_up != view.acting or not view.acting or {*state.in_fight} - {view.acting} <= {*state.had_turn}
    assert {row.combatant for row in view.rows if row.status == "acting"} == {view.acting} - {""}
    assert {row.combatant for row in view.rows if row.status == "next"} <= {view.next_up}


def test_the_order_shows_who_acts_who_is_next_and_why(printed_fight: CombatLog) -> None:
    assert order_in(printed_fight) == TurnOrder(
        2,
        "clone",
        "modre",
        "longest reach",
        "MAM-ORDER-03",
        (OrderRow(1, "modre", "Modre", "next"), OrderRow(2, "clone", "Clone", "acting")),
    )


def test_combatants_without_turns_are_down_with_a_reason(printed_fight: CombatLog) -> None:
    word = Adjust("an evening of falls", condition={"modre": "dead", "clone": "incapacitated"}, turn="-")
    printed_fight.execute("fight", word)
    modre, clone = order_in(printed_fight).rows
    assert (modre.status, modre.reason) == ("down", "dead")
    assert (clone.status, clone.reason) == ("next", "down until the game master says otherwise")


def test_before_initiative_there_is_no_order(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), Join("ana", hp=6)])
    assert order_in(log) == TurnOrder(0, "", "", "", "", ())
    log.execute("fight", Initiative())
    assert [row.status for row in order_in(log).rows] == ["next"]
