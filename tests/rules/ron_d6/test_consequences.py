"""RD6-ACT-04: rolls and falls depend on their action, and a declared result on the interruption before it."""

from __future__ import annotations

from typing import Any

import pytest

from mam_events.commands import (
    Close,
    Command,
    Declare,
    Incapacitate,
    Interrupt,
    Open,
    Perform,
    Result,
    Roll,
    RollInitiative,
    Round,
    Wait,
)
from mam_events.errors import Refused
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from tests.patrol import BRUTE, ROOK, THUG

FIGHT: tuple[Command, ...] = (
    Open("ron_d6"),
    ROOK,
    THUG,
    BRUTE,
    Round(),
    RollInitiative(("rook", "thug", "brute"), dice={"rook": (5,), "thug": (4,), "brute": (3,)}),
    Declare("rook", 2),
    Wait("rook"),
    Declare("thug"),
    Perform("thug", "punch", target="rook", difficulty=10),
    Interrupt("rook", "dodge", against=10),
    Result(11, "success"),
    Result(10, "failure"),
    Declare("brute"),
    Perform("brute", "punch", target="rook", difficulty=10),
    Result(15, "success"),
    Roll("brute", "damage", code="4D"),
    Roll("rook", "resistance", code="2D"),
    Incapacitate("rook", "knocked out"),
)


@pytest.fixture
def log() -> CombatLog:
    log = CombatLog.open("sqlite://")
    for command in FIGHT:
        log.execute("fight", command)
    return log


def recorded_command(log: CombatLog, number: int) -> Any:
    return log.timeline("fight").command(number)


@pytest.mark.parametrize("number", [17, 18, 19])
def test_a_consequence_records_its_action_and_the_result(log: CombatLog, number: int) -> None:
    command = recorded_command(log, number)
    assert (command.exchange, command.outcome) == (15, "success")


def test_a_changed_result_of_the_action_voids_its_consequences(log: CombatLog) -> None:
    answer = log.correct("fight", [Amend(16, {"outcome": "failure"})])
    void = {entry.ruling: (entry.code, entry.because) for entry in answer.rejudged if entry.verdict == "void"}
    assert void == dict.fromkeys((17, 18, 19), ("came_out_otherwise", 16))
    assert answer.state.combatants["rook"].condition == "able"
    log.redo("fight", log.undo("fight", answer.number).number)
    assert log.at("fight") == answer.state


def test_undo_of_an_action_also_undoes_its_consequences(log: CombatLog) -> None:
    answer = log.undo("fight", 15)
    assert [step.ruling for step in answer.head.steps] == [15, 16, 17, 18, 19]  # type: ignore[attr-defined]  # a correction


def test_a_declared_result_depends_on_the_interruption_before_it(log: CombatLog) -> None:
    assert recorded_command(log, 13).interruption == 11
    answer = log.correct("fight", [Amend(12, {"outcome": "failure"})])
    void = {entry.ruling: (entry.code, entry.because) for entry in answer.rejudged if entry.verdict == "void"}
    assert void == {13: ("interruption_failed", 12)}
    assert not answer.state.window.open, "the punch is left without a result, and the round goes on"
    assert answer.state.combatants["rook"].condition == "incapacitated", "which the brute's punch did"


def test_one_correction_can_amend_an_interruption_and_the_result(log: CombatLog) -> None:
    steps = [Amend(12, {"outcome": "failure"}), Amend(13, {"outcome": "success", "interruption": 0})]
    answer = log.correct("fight", steps)
    assert not [entry for entry in answer.rejudged if entry.verdict == "void"]


def test_a_fall_can_have_any_other_reason(log: CombatLog) -> None:
    log.execute("fight", Incapacitate("thug", "slips on the ice"))
    assert (recorded_command(log, 20).exchange, recorded_command(log, 20).outcome) == (0, "")


def test_a_consequence_of_an_unresolved_action_is_refused(log: CombatLog) -> None:
    with pytest.raises(Refused) as error:
        log.execute("fight", Incapacitate("thug", exchange=3))
    assert (error.value.code, error.value.fields) == ("came_out_otherwise", ("exchange",))
    log.execute("fight", Close())
