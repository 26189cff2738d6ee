"""Proposals: orders that take effect only when accepted; both rulings are written together or not at all."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Adjust, BeginTurn, Open
from mam_events.errors import BadInput, Refused
from mam_events.events import Note, Play
from mam_events.fights import write_fight
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify
from projections.notes.proposals import proposals
from projections.visibility.redaction import Redactor

Printed = Callable[[str], CombatLog]
FLED = Adjust(condition={"clone": "out"}, reason="The clone fled")


def proposed(printed: Printed) -> CombatLog:
    log = printed("duel")
    log.note("duel", "I saw it run", kind="proposal", order=FLED, by="Ana")
    return log


def test_a_proposal_changes_nothing_until_it_is_accepted(printed: Printed) -> None:
    log = proposed(printed)
    assert log.at("duel").combatants["clone"].condition == "able"
    answer, closed_answer = log.accept("duel", 22, by="Kim", reason="so it was")
    assert isinstance(answer.head, Play)
    assert isinstance(closed_answer.head, Note)
    assert (closed_answer.head.kind, closed_answer.head.about, closed_answer.head.corrections) == (
        "decision",
        22,
        (23,),
    )
    assert log.at("duel").combatants["clone"].condition == "out"
    (row,) = proposals(log.timeline("duel"), Redactor("gm"))
    assert (row.open, row.accepted_as, row.decision, row.decided_by) == (False, 23, 24, "Kim")
    verify(log.application.rows("duel"), seed=log.application.seeds.get("duel"))


def test_a_proposal_stays_open_if_its_order_is_refused(printed: Printed) -> None:
    log = printed("duel")
    log.note("duel", "", kind="proposal", order=BeginTurn("modre"))
    log.execute("duel", Adjust(condition={"modre": "out"}, reason="he fled"))
    with pytest.raises(Refused):
        log.accept("duel", 22)
    assert log.timeline("duel").number == 23
    assert log.timeline("duel").disputes == {22: 0}


def test_an_acceptance_sent_twice_gets_the_first_answer(printed: Printed) -> None:
    log = proposed(printed)
    first = log.accept("duel", 22, command_id="once")
    second_answer = log.accept("duel", 22, command_id="once")
    assert [answer.number for answer in second_answer] == [answer.number for answer in first] == [23, 24]
    assert all(answer.repeated for answer in second_answer)
    with pytest.raises(Refused) as error:
        log.accept("duel", 22)
    assert error.value.code == "dispute_closed"
    assert log.timeline("duel").number == 24


def test_only_a_proposal_can_be_accepted(printed: Printed) -> None:
    log = printed("duel")
    log.note("duel", "no", kind="dispute", about=8)
    for number in (8, 22):
        with pytest.raises(Refused) as error:
            log.accept("duel", number)
        assert error.value.code == "no_proposal"
    with pytest.raises(BadInput, match="A proposal needs an order"):
        log.note("duel", "x", kind="proposal")
    with pytest.raises(BadInput, match="Only a proposal"):
        log.note("duel", "x", order=FLED)


def test_a_proposal_is_as_hidden_as_its_order(printed: Printed) -> None:
    log = printed("duel")
    log.execute("duel", Adjust(reason="a secret", visibility="gm"))
    hidden = Adjust(condition={"clone": "out"}, reason="x", visibility="gm")
    assert log.note("duel", "", kind="proposal", order=hidden).head.visibility == "gm"


def test_a_proposal_is_exported_with_the_log_but_not_in_a_fight_file(printed: Printed) -> None:
    log = proposed(printed)
    log.note("duel", "I saw it too", kind="answer", about=22)
    assert "fled" not in write_fight(log.timeline("duel"))
    lines = export_ndjson(log, "duel")
    with CombatLog.open("sqlite://") as other:
        import_ndjson(other, lines)
        (row,) = proposals(other.timeline("duel"), Redactor("gm"))
        assert (row.order, [reply.text for reply in row.answers]) == (
            {"do": "adjust", "reason": "The clone fled", "condition": {"clone": "out"}},
            ["I saw it too"],
        )


def test_a_proposal_cannot_open_a_fight(printed: Printed) -> None:
    log = printed("duel")
    log.note("duel", "", kind="proposal", order=Open())
    with pytest.raises(Refused) as error:
        log.accept("duel", 22)
    assert error.value.code == "encounter_exists"
