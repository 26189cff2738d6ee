"""Corrections before, during and after a prepared counterattack."""

from __future__ import annotations

import pytest

from mam_events.commands import Attack, BeginTurn, ChangeAction, Command, EndTurn, Open, Resolve
from mam_events.errors import Refused
from mam_events.events import Amend, AttackResolved
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from tests.rules.fights.speed import BIRK, RIVAL, waiting_orders

OUTER, INNER = 8, 9
PLAYED: tuple[Command, ...] = (
    Open("mam_speed"),
    *waiting_orders(BIRK, RIVAL),
    Attack("rival", "birk", "sword"),  # 8
    Attack("birk", "rival", "sword"),  # 9
    Resolve(INNER, attack_die=8),  # 10: 8 + 4 against 10, power 3
    EndTurn("birk"),  # 11
    Resolve(OUTER, attack_die=15),  # 12
    EndTurn("rival"),  # 13
    BeginTurn("birk"),  # 14
)


@pytest.fixture
def countered_log(log: CombatLog) -> CombatLog:
    """Play an attack and a counterattack in the log."""
    log.execute_all("fight", PLAYED)
    return log


def living_rulings(timeline: Timeline) -> list[int]:
    """Return the rulings that count: neither struck nor void."""
    return [number for number, entry in timeline.living() if not entry.outcome.is_void]


def test_attack_and_counterattack_are_separate_exchanges(countered_log: CombatLog) -> None:
    timeline = countered_log.timeline("fight")
    assert timeline.exchange(OUTER) == (8, 12)
    assert timeline.exchange(INNER) == (9, 10)


def test_undo_and_redo_of_every_ruling_restore_every_state(countered_log: CombatLog) -> None:
    before = list(countered_log.timeline("fight").states)
    for count in range(1, 8):
        countered_log.undo("fight")
        assert countered_log.timeline("fight").state == before[-1 - count]
    for count in range(6, -1, -1):
        countered_log.redo("fight")
        assert countered_log.timeline("fight").state == before[-1 - count]


def test_undo_of_the_attack_removes_the_counterattack(countered_log: CombatLog) -> None:
    """Its orders were out of turn; the turns continue, and the preparation lapses."""
    countered_log.undo("fight", OUTER)
    timeline = countered_log.timeline("fight")
    assert living_rulings(timeline) == [1, 2, 3, 4, 5, 6, 7, 13, 14]
    assert not timeline.state.combatants["birk"].status.prepared
    countered_log.redo("fight")
    assert living_rulings(countered_log.timeline("fight")) == list(range(1, 15))


def test_undo_of_the_counterattack_keeps_the_attack(countered_log: CombatLog) -> None:
    countered_log.undo("fight", INNER)
    timeline = countered_log.timeline("fight")
    assert living_rulings(timeline) == [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14]
    assert timeline.state.combatants["rival"].pools.stun + timeline.state.combatants["rival"].pools.damage == 0


def test_amending_a_die_of_the_counterattack_voids_nothing(countered_log: CombatLog) -> None:
    countered_log.correct("fight", [Amend(10, {"attack_die": 2})])
    timeline = countered_log.timeline("fight")
    assert living_rulings(timeline) == list(range(1, 15))
    (missed_event,) = [
        event for event in timeline.entries[10].outcome.events(timeline.decoders) if isinstance(event, AttackResolved)
    ]
    assert (missed_event.exchange, missed_event.outcome) == (INNER, "fail")
    assert timeline.state.combatants["rival"].pools.damage == 0


def test_a_changed_action_belongs_to_the_exchange_of_the_original(countered_log: CombatLog) -> None:
    countered_log.undo("fight", 12, rewind=True)
    countered_log.execute("fight", ChangeAction("rival", OUTER))
    timeline = countered_log.timeline("fight")
    assert timeline.exchange(OUTER) == (8, 16)
    countered_log.execute("fight", Attack("rival", "birk", mode="powerful"))
    countered_log.undo("fight", 16)
    # Birk's counterattack now answers the attack that replaced the first.
    timeline = countered_log.timeline("fight")
    assert living_rulings(timeline) == [1, 2, 3, 4, 5, 6, 7, 17]
    assert timeline.state.turn
    assert (timeline.state.turn.combatant, timeline.state.turn.counter) == ("birk", 17)


def test_undo_of_a_prepared_counterattack_needs_rewind(countered_log: CombatLog) -> None:
    with pytest.raises(Refused, match="begins, ends or"):
        countered_log.undo("fight", 6)
