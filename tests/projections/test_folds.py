"""Views folded from facts say what the state says, after any evening."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Initiative, Join, Open
from mam_events.events import Event, InitiativeEstablished
from mam_events.history import living
from mam_events.log import CombatLog
from projections.initiative import InitiativeView, OrderRow, initiative_order, order_of
from projections.pools import pool_state, rows_of
from tests.projections.evenings import evening

SEEDS = range(12)


def facts_of(log: CombatLog) -> list[Event]:
    return [fact for ruling in living(log.timeline("fight")) for fact in ruling.facts]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_folded_pools_are_those_of_the_state(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    state = log.timeline("fight").state
    assert pool_state(facts_of(log)) == rows_of(state)
    assert all(row.pools.total == row.hp for row in pool_state(facts_of(log)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_folded_order_is_that_of_the_state(log: CombatLog, seed: int) -> None:
    evening(log, "fight", seed)
    state, facts = log.timeline("fight").state, facts_of(log)
    view = initiative_order(facts)
    settled = next((fact for fact in facts if isinstance(fact, InitiativeEstablished)), None)
    assert view == order_of(state, settled=settled)
    assert (view.round, [row.combatant for row in view.rows]) == (state.round, list(state.order))
    assert view.acting == (state.turn.combatant if state.turn else "")
    assert view.next_up == (state.next_up or "")
    assert view.next_up != view.acting or not view.acting or len(state.in_fight) == 1
    assert {row.combatant for row in view.rows if row.status == "acting"} == {view.acting} - {""}
    assert {row.combatant for row in view.rows if row.status == "next"} <= {view.next_up}


def test_the_order_tells_who_acts_who_is_next_and_why(printed: CombatLog) -> None:
    assert initiative_order(facts_of(printed)) == InitiativeView(
        2,
        "clone",
        "modre",
        "longest reach",
        "MAM-ORDER-03",
        (OrderRow(1, "modre", "Modre", "next"), OrderRow(2, "clone", "Clone", "acting")),
    )


def test_those_who_have_no_turns_any_more_are_down_and_say_why(printed: CombatLog) -> None:
    word = Adjust("an evening of falls", conditions={"modre": "dead", "clone": "incapacitated"}, turn="-")
    printed.execute("fight", word)
    modre, clone = initiative_order(facts_of(printed)).rows
    assert (modre.status, modre.reason) == ("down", "dead")
    assert (clone.status, clone.reason) == ("next", "down, and its turns bring stun back")


def test_before_initiative_there_is_no_order(log: CombatLog) -> None:
    for command in (Open(), Join("ana", hp=6)):
        log.execute("fight", command)
    assert initiative_order(facts_of(log)) == InitiativeView(0, "", "", "", "", ())
    log.execute("fight", Initiative())
    assert [row.status for row in initiative_order(facts_of(log)).rows] == ["next"]
