"""Rulings about a ruling that was hidden later are as hidden as that ruling is now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mam_events.commands import Adjust, Open
from mam_events.errors import MamError, VersionConflict
from mam_events.events import Correction, Note, RulingRejudged
from mam_events.history.corrections.conflicts import is_overtaken
from mam_events.history.timeline.rulings import play_ruling, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.store import decode
from projections.visibility.redaction import Redactor

SURE = LineOptions(sure=True)


@pytest.fixture
def log() -> Iterator[CombatLog]:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", Open())
        for line in ("join ana hp=9", "join bo hp=9", "join zqx hp=9"):
            give_line(log, "fight", line)
        yield log


def give_lines(log: CombatLog, *lines: str) -> None:
    for line in lines:
        give_line(log, "fight", line, SURE)


def test_a_correction_of_a_hidden_ruling_is_hidden(log: CombatLog) -> None:
    give_lines(log, 'bo: check "lock" v5 3', "amend 5 visibility=gm")
    log.undo("fight", 5, only=True, reason="he is the traitor")
    head = log.timeline("fight").heads[-1]
    assert isinstance(head, Correction)
    assert head.visibility == "gm"


def test_a_note_about_a_hidden_ruling_makes_a_public_version_outdated(log: CombatLog) -> None:
    give_lines(log, "init first=ana because x", "ana: a zqx p1; 3 4", "amend 4 visibility=gm")
    before = log.timeline("fight").number
    log.note("fight", "the duke", about=7)
    timeline = log.timeline("fight")
    head = timeline.heads[-1]
    assert isinstance(head, Note)
    assert head.visibility == "gm"
    assert is_overtaken(timeline, before, "public")
    assert not is_overtaken(timeline, before, "gm")


def test_an_earlier_note_makes_a_public_version_outdated_once_it_is_hidden(log: CombatLog) -> None:
    give_lines(log, "init first=ana because x", "ana: a zqx p1; 3 4")
    before = log.timeline("fight").number
    log.note("fight", "the duke", about=7)
    assert not is_overtaken(log.timeline("fight"), before, "public")
    give_lines(log, "amend 4 visibility=gm")
    assert is_overtaken(log.timeline("fight", as_of=before + 2), before, "public")


def test_a_rejudged_outcome_is_as_hidden_as_its_ruling(log: CombatLog) -> None:
    give_lines(log, "init first=ana because q", "ana: a bo p1; 6 1", "amend 7 visibility=gm", "amend 8 visibility=gm")
    give_lines(log, "amend 8 outcome=full !", "amend 3 body=(attack=3) !")
    events = [decode(topic, state) for _, topic, state in log.application.rows("fight")]
    rejudgements = [one for one in events if isinstance(one, RulingRejudged) and one.ruling == 8]
    assert rejudgements
    assert all(one.visibility == "gm" and one.salt for one in rejudgements)


def test_a_reaction_to_a_struck_attack_of_somebody_hidden_is_hidden(log: CombatLog) -> None:
    give_lines(log, "init first=zqx because x", "zqx: a bo p1", "d 1", "u 7 only", "amend 4 visibility=gm")
    timeline = log.timeline("fight")
    redactor = Redactor("public", rulings(timeline))
    void = next(n for n, entry in timeline.entries.items() if entry.outcome.is_void)
    assert not redactor.shows(play_ruling(timeline, void))


def test_accepting_a_proposal_needs_the_version_with_all_its_answers(log: CombatLog) -> None:
    log.note("fight", "let me", kind="proposal", order=Adjust("spilt"))
    proposal = log.timeline("fight").number
    log.note("fight", "forget it", about=proposal)
    log.note("fight", "really", about=proposal + 1)
    for known in (proposal, proposal + 1):
        with pytest.raises(VersionConflict):
            log.accept("fight", proposal, expected=known)
    log.note("fight", "the lamp goes out")
    log.accept("fight", proposal, expected=proposal + 2)


@pytest.mark.parametrize("line", ["i", "parry bo"])
def test_a_reaction_without_an_attack_is_refused(log: CombatLog, line: str) -> None:
    give_lines(log, "init first=ana because x", "ana", "ana: m 1")
    with pytest.raises(MamError, match="No attack"):
        give_line(log, "fight", line)
