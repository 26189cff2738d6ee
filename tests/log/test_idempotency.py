"""Command ids: a repeated command gets the first answer and writes nothing; another command is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import Adjust, Move, Open
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog

Printed = Callable[[str], CombatLog]


def test_a_repeated_command_is_one_ruling_even_after_a_restart(printed: Printed, path: Path) -> None:
    log = printed("fight")
    log.undo("fight")
    first = log.execute("fight", Move("clone", 2), command_id="k-1")
    answer = log.execute("fight", Move("clone", 2), command_id="k-1")
    with CombatLog.open(path) as other:
        third = other.execute("fight", Move("clone", 2), command_id="k-1")
        assert other.timeline("fight").number == first.number
    assert (answer.number, answer.events, answer.repeated) == (first.number, first.events, True)
    assert (third.number, third.events, third.state) == (first.number, first.events, first.state)
    assert not first.repeated


def test_the_same_id_for_another_command_is_refused(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.execute("fight", Move("clone", 2), command_id="k-1")
    works: tuple[Callable[[], object], ...] = (
        lambda: log.execute("fight", Move("clone", 1), command_id="k-1"),
        lambda: log.undo("fight", command_id="k-1"),
        lambda: log.note("fight", "x", command_id="k-1"),
        lambda: log.execute("fight", Move("clone", 2), command_id="k-1", after=20),
    )
    for work in works:
        with pytest.raises(Refused) as error:
            work()
        assert error.value.code == "key_reused"


def test_a_repeated_undo_with_one_id_undoes_once(printed: Printed) -> None:
    log = printed("fight")
    answers = [log.undo("fight", command_id="u-1") for _ in range(3)]
    assert [(answer.number, answer.repeated) for answer in answers] == [(22, False), (22, True), (22, True)]
    answers = [log.redo("fight", command_id="r-1") for _ in range(2)]
    assert [(answer.number, answer.repeated) for answer in answers] == [(23, False), (23, True)]


def test_a_repeated_answer_names_the_correction_since(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.execute("fight", Move("clone", 2), command_id="k-1")
    log.undo("fight")
    answer = log.execute("fight", Move("clone", 2), command_id="k-1")
    assert (answer.number, answer.corrected_by) == (23, 24)


def test_an_undone_change_no_longer_counts_as_a_correction(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.execute("fight", Move("clone", 2), command_id="k-1")
    log.correct("fight", [Amend(17, {"attack_die": 1})], turns="strict")
    assert log.execute("fight", Move("clone", 2), command_id="k-1").corrected_by == 24
    log.undo("fight")
    assert log.execute("fight", Move("clone", 2), command_id="k-1").corrected_by == 0


def test_the_id_of_a_refused_command_can_be_used_again(printed: Printed) -> None:
    log = printed("fight")
    with pytest.raises(Refused):
        log.execute("fight", Move("clone", 2), command_id="k-1")
    log.undo("fight")
    assert not log.execute("fight", Move("clone", 1), command_id="k-1").repeated


def test_opening_twice_needs_the_same_id(log: CombatLog) -> None:
    first = log.execute("fight", Open(title="x"), command_id="o-1")
    assert log.execute("fight", Open(title="x"), command_id="o-1").number == first.number == 1
    with pytest.raises(Refused) as error:
        log.execute("fight", Open(title="x"))
    assert error.value.code == "encounter_exists"


@pytest.mark.parametrize("reason", ["\ud800", object()])
def test_an_order_with_invalid_text_is_refused(log: CombatLog, reason: Any) -> None:
    log.execute("fight", Open())
    with pytest.raises(BadInput, match="order cannot be written"):
        log.execute("fight", Adjust(reason))
    assert log.timeline("fight").number == 1


@pytest.mark.parametrize("after", [True, -1, "3"])
def test_an_insert_after_something_other_than_a_ruling_number_is_refused(printed: Printed, after: Any) -> None:
    log = printed("fight")
    with pytest.raises(BadInput, match=r"must be the number of a ruling|Name a ruling by its number"):
        log.execute("fight", Adjust("x"), after=after)
    assert log.timeline("fight").number == 21


def test_an_unknown_visibility_of_a_note_is_refused(printed: Printed) -> None:
    log = printed("fight")
    with pytest.raises(BadInput, match="visibility"):
        log.note("fight", "x", visibility="GM")
    assert log.timeline("fight").number == 21
