"""Disputes as rows, and precedents."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mam_events.commands import Move
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.notes.disputes import Dispute, DisputeReply, Precedent, decision_words, disputes, precedents
from projections.rulings.audit import audit_trail
from projections.rulings.log_lines import log_lines
from projections.visibility.redaction import Redactor
from tests.projections.visibility.test_hidden_names import GHOST, PREPARED


def rows(log: CombatLog, view: str = "gm") -> tuple[Dispute, ...]:
    timeline = log.timeline("fight")
    return disputes(timeline, Redactor(view, rulings(timeline)))


def marks_of(log: CombatLog) -> dict[int, tuple[str, ...]]:
    return {line.number: line.marks for line in log_lines(rulings(log.timeline("fight")))}


@pytest.fixture
def disputed_fight(printed_fight: CombatLog) -> CombatLog:
    """Dispute ruling 17 of the printed fight as Ben (22), and answer as Ana (23)."""
    printed_fight.note("fight", "that was no tie", kind="dispute", about=17, rule="MAM-WND-03", by="Ben")
    printed_fight.note("fight", "it was", kind="answer", about=22, by="Ana")
    return printed_fight


def test_a_fight_without_disputes_has_none(printed_fight: CombatLog) -> None:
    assert rows(printed_fight) == ()


def test_an_open_dispute_is_a_row_of_plain_values(disputed_fight: CombatLog) -> None:
    (row,) = rows(disputed_fight)
    heads = disputed_fight.timeline("fight").heads
    assert row == Dispute(
        ruling=22,
        about=17,
        what="17 (Modre's attack on Clone is resolved)",
        claim="that was no tie",
        rule="MAM-WND-03",
        by="Ben",
        at=heads[21].at,
        answers=(DisputeReply(23, "Ana", heads[22].at, "it was"),),
    )
    assert (row.open, decision_words(row)) == (True, "open")
    assert msgspec.json.decode(msgspec.json.encode(row), type=Dispute) == row


def test_an_upheld_ruling_has_no_correction(disputed_fight: CombatLog) -> None:
    decision = disputed_fight.note("fight", "look at the dice", kind="decision", about=22, by="Kim").head
    (row,) = rows(disputed_fight)
    assert (row.open, row.decision, row.decided_by, row.decided_at) == (False, 24, "Kim", decision.at)
    assert (row.reason, row.corrections, decision_words(row)) == ("look at the dice", (), "upheld")


def test_an_undone_correction_is_marked_in_the_dispute(disputed_fight: CombatLog) -> None:
    disputed_fight.correct("fight", [Amend(17, {"attack_die": 1}), Amend(20, {"other_used": 2, "defense": 1})])
    disputed_fight.note("fight", "", kind="decision", about=22, corrections=(24,), by="Kim")
    assert decision_words(rows(disputed_fight)[0]) == "corrected by 24"
    assert marks_of(disputed_fight)[25] == ()
    disputed_fight.undo("fight", 24)
    assert rows(disputed_fight)[0].taken_back == (24,)
    assert decision_words(rows(disputed_fight)[0]) == "corrected by 24 (undone)"
    assert marks_of(disputed_fight)[25] == ("↷ correction 24 was undone by 26",)
    disputed_fight.redo("fight")
    assert rows(disputed_fight)[0].taken_back == ()
    assert marks_of(disputed_fight)[25] == ()


def test_an_undone_insert_is_marked_in_the_dispute(disputed_fight: CombatLog) -> None:
    insertion = disputed_fight.execute("fight", Move("clone", 1), after=20).number
    disputed_fight.note("fight", "", kind="decision", about=22, corrections=(insertion,))
    disputed_fight.undo("fight", insertion)
    assert rows(disputed_fight)[0].taken_back == (insertion,)


def test_an_open_dispute_marks_the_ruling_and_a_decided_one_itself(disputed_fight: CombatLog) -> None:
    assert (marks_of(disputed_fight)[17], marks_of(disputed_fight)[22]) == (("? disputed by 22",), ("? open",))
    disputed_fight.note("fight", "", kind="decision", about=22)
    assert (marks_of(disputed_fight)[17], marks_of(disputed_fight)[22]) == ((), ("§ decided by 24",))


def test_every_note_of_a_dispute_has_a_sentence(disputed_fight: CombatLog) -> None:
    log = disputed_fight
    log.note("fight", "", kind="decision", about=22, by="Kim")
    log.note("fight", "and yet", kind="dispute", about=17)
    log.undo("fight", 21)
    log.note("fight", "far enough", kind="decision", about=25, corrections=(26,), by="Kim")
    sentences = [entry.sentence for entry in audit_trail(rulings(log.timeline("fight")))]
    what = "17 (Modre's attack on Clone is resolved)"
    assert sentences[21:25] == [
        f"Ben disputes {what}, about MAM-WND-03: that was no tie.",
        "Ana answers in dispute 22: it was.",
        f"Kim upholds {what} in dispute 22.",
        f"The game master disputes {what}: and yet.",
    ]
    assert sentences[26] == f"Kim settles dispute 25 about {what} by 26: far enough."


@pytest.fixture
def haunted(log: CombatLog) -> CombatLog:
    """Play a fight with a Ghost that only the game master sees: it is in ruling 9, but not in 8."""
    log.execute_all("fight", PREPARED, by="Kim")
    return log


def numbers(log: CombatLog, view: str) -> list[int]:
    return [row.ruling for row in rows(log, view)]


def test_a_dispute_about_a_hidden_ruling_is_hidden_with_its_answers(haunted: CombatLog) -> None:
    for kind, about in (("dispute", 9), ("answer", 20), ("decision", 20)):
        haunted.note("fight", "the Ghost was not there", kind=kind, about=about)
    assert numbers(haunted, "gm") == [20]
    assert numbers(haunted, "public") == []
    assert [line.hidden for line in log_lines(rulings(haunted.timeline("fight")), "public")][19:] == [True] * 3


def test_hidden_answers_and_names_in_a_visible_dispute_are_redacted(haunted: CombatLog) -> None:
    haunted.note("fight", "ask the Ghost", kind="dispute", about=8)
    haunted.note("fight", "I am it", kind="answer", about=20, visibility="gm")
    haunted.note("fight", "no Ghost was near", kind="answer", about=20)
    haunted.note("fight", "the Ghost says so", kind="decision", about=20)
    (row,) = rows(haunted, "public")
    assert (row.claim, row.reason) == ("ask the somebody hidden", "the somebody hidden says so")
    assert [reply.text for reply in row.answers] == ["no somebody hidden was near"]
    assert [reply.text for reply in rows(haunted)[0].answers] == ["I am it", "no Ghost was near"]


def test_a_dispute_is_hidden_once_its_ruling_is_hidden(log: CombatLog) -> None:
    log.execute_all("fight", [*PREPARED[:3], replace(GHOST, visibility="public"), *PREPARED[4:10]], by="Kim")
    log.note("fight", "too far away", kind="dispute", about=9)
    log.note("fight", "not at all", kind="answer", about=11)
    assert numbers(log, "public") == [11]
    log.correct("fight", [Amend(4, {"visibility": "gm"})])
    assert numbers(log, "public") == []
    log.note("fight", "", kind="decision", about=11)
    assert numbers(log, "public") == []
    assert numbers(log, "gm") == [11]
    log.correct("fight", [Amend(4, {"visibility": "public"})])
    assert numbers(log, "public") == [11], "nobody is hidden any more"


def test_a_view_does_not_see_whether_a_hidden_correction_still_counts(haunted: CombatLog) -> None:
    haunted.note("fight", "he never struck", kind="dispute", about=7)
    haunted.undo("fight", 9)
    haunted.note("fight", "", kind="decision", about=20, corrections=(21,))
    haunted.undo("fight", 21)
    assert rows(haunted)[0].taken_back == (21,)
    assert (rows(haunted, "public")[0].corrections, rows(haunted, "public")[0].taken_back) == ((21,), ())


def dispute(number: int, decided_at: str = "", **more: Any) -> Dispute:
    decision = {"open": False, "decision": number + 1, "decided_at": decided_at} if decided_at else {}
    fields: dict[str, Any] = {"about": 3, "what": "3", "claim": "", "rule": "", "by": "Ben", "at": ""} | decision | more
    return Dispute(ruling=number, **fields)


FOUND = [
    ("cellar", dispute(9, "2026-01-01T20:00:00Z", claim="He was behind COVER", rule="MAM-WND-03")),
    ("cellar", dispute(12, claim="behind cover", rule="MAM-WND-03")),
    ("mill", dispute(8, "2026-01-02T20:00:00.5Z", rule="half_success", reason="a tie is half a hit")),
    ("mill", dispute(20, "2026-01-02T20:00:00Z", answers=(DisputeReply(21, "Ana", "", "Straße"),))),
]


@pytest.mark.parametrize(
    ("names", "words", "expected"),
    [
        (None, (), [("mill", 8), ("mill", 20), ("cellar", 9)]),
        (("MAM-WND-03",), (), [("cellar", 9)]),
        (("half_success", "MAM-WND-03"), (), [("mill", 8), ("cellar", 9)]),
        (None, ("cover", "HE"), [("cellar", 9)]),
        (None, ("STRASSE",), [("mill", 20)]),
        (None, ("tie", "half"), [("mill", 8)]),
        (("MAM-WND-03",), ("tie",), []),
    ],
)
def test_precedents_are_decided_disputes_newest_first(
    names: tuple[str, ...] | None, words: tuple[str, ...], expected: list[tuple[str, int]]
) -> None:
    matches = precedents(FOUND, names, words)
    assert all(isinstance(one, Precedent) for one in matches)
    assert [(one.encounter, one.dispute.ruling) for one in matches] == expected
