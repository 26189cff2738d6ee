"""Disputes: opened, answered, and decided once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import Adjust, Move, PoolMove
from mam_events.errors import BadInput, NotFound, Refused, VersionConflict
from mam_events.events import Amend, Note
from mam_events.log.combat_log import CombatLog

Printed = Callable[[str], CombatLog]


@pytest.fixture
def disputed(printed: Printed) -> CombatLog:
    """Dispute ruling 17 of the printed fight as Ben, in ruling 22."""
    log = printed("fight")
    log.note("fight", "that was no tie", kind="dispute", about=17, rule="MAM-WND-03", by="Ben")
    return log


def decide(log: CombatLog, *corrections: int, **more: Any) -> Note:
    head = log.note("fight", "", kind="decision", about=22, corrections=corrections, **more).head
    assert isinstance(head, Note)
    return head


def test_a_dispute_is_answered_and_decided(disputed: CombatLog) -> None:
    assert disputed.timeline("fight").disputes == {22: 0}
    disputed.note("fight", "it was", kind="answer", about=22, by="Ana")
    disputed.note("fight", "the book says so", kind="decision", about=22, by="Kim")
    dispute, answer, decision = disputed.timeline("fight").heads[-3:]
    assert isinstance(dispute, Note)
    assert isinstance(answer, Note)
    assert isinstance(decision, Note)
    assert (dispute.kind, dispute.about, dispute.rule, dispute.by) == ("dispute", 17, "MAM-WND-03", "Ben")
    assert (answer.kind, answer.about, answer.text) == ("answer", 22, "it was")
    assert (decision.kind, decision.about, decision.corrections) == ("decision", 22, ())
    assert disputed.timeline("fight").disputes == {22: 24}


def test_a_decided_dispute_takes_no_answer_or_second_decision(disputed: CombatLog) -> None:
    decide(disputed)
    for kind in ("answer", "decision"):
        with pytest.raises(
            Refused, match=r"^Dispute 22 was already decided by 23\. To go on, dispute ruling 17 again\.$"
        ) as error:
            disputed.note("fight", "and yet", kind=kind, about=22)
        assert error.value.code == "dispute_closed"
    answer = disputed.note("fight", "and yet", kind="dispute", about=17)
    assert disputed.timeline("fight").disputes == {22: 23, answer.number: 0}


def test_only_a_dispute_can_be_answered_or_decided(disputed: CombatLog) -> None:
    for kind in ("answer", "decision"):
        with pytest.raises(Refused, match=r"^Ruling 17 is not a dispute. Open now: 22\.$"):
            disputed.note("fight", "well", kind=kind, about=17)
        with pytest.raises(Refused, match=r"^Ruling 0 is not a dispute. Open now: 22\.$"):
            disputed.note("fight", "well", kind=kind)
        with pytest.raises(Refused, match="none is open"):
            disputed.note("fight", "well", kind=kind, about=17, sees=lambda _: False)
        with pytest.raises(NotFound, match="There is no ruling 99"):
            disputed.note("fight", "well", kind=kind, about=99)


def test_a_decision_names_corrections_made_since_the_dispute(disputed: CombatLog) -> None:
    log = disputed
    with pytest.raises(Refused, match="Correct the disputed ruling first") as none:
        decide(log, 17)
    assert none.value.code == "no_correction"
    amended = log.correct("fight", [Amend(17, {"attack_die": 1}), Amend(20, {"other_used": 2, "defense": 1})]).number
    inserted = log.execute("fight", Move("clone", 1), after=20).number
    word = Adjust("the blade grazed", move=(PoolMove("modre", "damage", "stun", 1),), answers=22)
    note = log.execute("fight", word).number
    talk = log.note("fight", "hm").number
    such = f"{amended}, {inserted}, {note}"
    sentence = (
        rf"^Ruling {talk} cannot settle dispute 22. Only a correction made after the dispute.* Choose from: {such}\.$"
    )
    with pytest.raises(Refused, match=sentence):
        decide(log, amended, talk)
    with pytest.raises(Refused, match=rf"Choose from: {note}\.$"):
        decide(log, 21, sees=lambda number: number == note)
    with pytest.raises(Refused, match="Ruling 99 cannot settle dispute 22"):
        decide(log, 99)
    assert decide(log, amended, note, amended).corrections == (amended, note)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"kind": "dispute"}, "about"),
        ({"kind": "comment", "about": 17, "rule": "MAM-WND-03"}, "rule"),
        ({"kind": "answer", "about": 22, "rule": "MAM-WND-03"}, "rule"),
        ({"kind": "dispute", "about": 17, "corrections": (3,)}, "corrections"),
        ({"kind": "decision", "about": 22, "corrections": ("23",)}, "corrections"),
        ({"kind": "decision", "about": 22, "corrections": (23.0,)}, "corrections"),
        ({"kind": "decision", "about": 22, "corrections": ([],)}, "corrections"),
        ({"kind": "decision", "about": 22, "visibility": "gm"}, "visibility"),
        ({"kind": "dispute", "about": 17, "rule": "MAM-WND-99"}, "rule"),
    ],
)
def test_an_impossible_field_of_a_note_is_refused_with_its_name(
    disputed: CombatLog, fields: dict[str, Any], place: str
) -> None:
    with pytest.raises(BadInput, match=f"^{place}: "):
        disputed.note("fight", "x", **fields)
    assert disputed.timeline("fight").number == 22


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("mam-wnd-03", "MAM-WND-03"),
        ("half_success", "half_success"),
        ("half-success", "half_success"),
        ("RD6-LIST-catch", "RD6-LIST-catch"),
    ],
)
def test_a_dispute_can_name_a_rule_or_an_option(disputed: CombatLog, text: str, rule: str) -> None:
    head = disputed.note("fight", "x", kind="dispute", about=17, rule=text).head
    assert isinstance(head, Note)
    assert head.rule == rule


@pytest.mark.parametrize(
    ("text", "near"), [("MAM-WND-3", "MAM-WND-03"), ("mam-wnd-3", "MAM-WND-03"), ("half_sucess", "half_success")]
)
def test_an_error_for_an_unknown_rule_suggests_the_nearest(disputed: CombatLog, text: str, near: str) -> None:
    with pytest.raises(BadInput, match=f'There is no rule and no option "{text}". Did you mean "{near}"'):
        disputed.note("fight", "x", kind="dispute", about=17, rule=text)


def test_an_undone_correction_cannot_settle_a_dispute(disputed: CombatLog) -> None:
    undo = disputed.undo("fight", 21).number
    redo = disputed.redo("fight").number
    word = disputed.execute("fight", Adjust("so", condition={"clone": "out"})).number
    disputed.undo("fight", word)
    for number in (undo, word):
        with pytest.raises(
            Refused, match=rf"^Ruling {number} cannot settle dispute .* Choose from: {redo}, {word + 1}\.$"
        ):
            decide(disputed, number)
    assert decide(disputed, redo).corrections == (redo,)


def test_a_correction_and_a_note_can_be_disputed(disputed: CombatLog) -> None:
    undo = disputed.undo("fight", 21).number
    disputed.note("fight", "why?", kind="dispute", about=undo)
    disputed.note("fight", "settled before", kind="dispute", about=22)
    assert disputed.timeline("fight").disputes == {22: 0, 24: 0, 25: 0}


def test_of_several_simultaneous_decisions_one_is_written(disputed: CombatLog, path: Path) -> None:
    def rule(name: str) -> str:
        with CombatLog.open(path) as log:
            try:
                log.note("fight", name, kind="decision", about=22, by=name)
            except Refused as error:
                return error.code
            return name

    with ThreadPoolExecutor(4) as pool:
        results = sorted(pool.map(rule, ("a", "b", "c", "d")))
    assert results[1:] == ["dispute_closed"] * 3
    assert disputed.timeline("fight").heads[-1].by == results[0]
    assert disputed.timeline("fight").number == 23


def test_a_decision_with_an_outdated_version_is_refused(disputed: CombatLog) -> None:
    disputed.note("fight", "wait", kind="answer", about=22)
    with pytest.raises(VersionConflict, match=r"Ruling 22 is no longer the newest\. The"):
        decide(disputed, expected=22)
    assert decide(disputed, expected=23).ruling == 24


def test_a_decision_sent_twice_is_written_once(disputed: CombatLog) -> None:
    first = disputed.note("fight", "so be it", kind="decision", about=22, command_id="k")
    answer = disputed.note("fight", "so be it", kind="decision", about=22, command_id="k")
    assert (answer.number, answer.repeated) == (first.number, True)
    with pytest.raises(Refused, match="something else") as error:
        disputed.note("fight", "or not", kind="decision", about=22, command_id="k")
    assert error.value.code == "key_reused"


def test_an_answer_is_at_most_as_visible_as_its_dispute(disputed: CombatLog) -> None:
    disputed.note("fight", "in secret", kind="dispute", about=17, visibility="side:heroes")
    heads = [
        disputed.note("fight", "x", kind="answer", about=23).head,
        disputed.note("fight", "x", kind="answer", about=23, visibility="gm").head,
        disputed.note("fight", "x", kind="decision", about=23).head,
    ]
    assert [head.visibility for head in heads] == ["side:heroes", "gm", "side:heroes"]
    assert all(len(head.salt) == 32 for head in heads)
