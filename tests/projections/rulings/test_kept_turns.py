"""Passed turns in the log, the replay, the audit and the report."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.json import encode

from mam_events.errors import Refused
from mam_events.events import Amend, Step, Strike
from mam_events.history.timeline.rulings import as_first_written, rulings
from mam_events.log.combat_log import CombatLog
from projections.analysis.diff import ComparedFight, diff_fights
from projections.pages.replay_page import build_replay_page
from projections.reports.report import report
from projections.rulings.audit import audit_text as entry_text
from projections.rulings.audit import audit_trail
from projections.rulings.correction_summary import CorrectionSummary, summaries_written, summarize_preview
from projections.rulings.frames import frames, still_counts
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import bookkeeping_lines, log_lines
from projections.visibility.redaction import Redactor
from tests.effort import each_preset
from tests.history.long_fights import FIGHT, PRESETS, LongFight, felling
from tests.projections.fold import lines_of
from tests.projections.raids import HIT, raid

KEPT = {round_: f"Round {round_} keeps the order in which it was played: Fox begins now." for round_ in (1, 2, 3)}
PASSED = {round_: f"Nobody played Wolf's turn in round {round_}: it passes." for round_ in (1, 2)}
QUIET = {13: KEPT[1], 15: PASSED[1], 19: KEPT[2], 21: PASSED[2], 25: KEPT[3]}
"""The bookkeeping before those rulings, after the hit on the Wolf is undone."""


@pytest.fixture
def corrected_fight(log: CombatLog) -> CombatLog:
    """Play the raid and undo the hit in ruling 27."""
    raid(log)
    log.undo("fight", HIT, by="Ben", reason="it should not have gone down")
    return log


def summaries(log: CombatLog, encounter: str = "fight") -> dict[int, CorrectionSummary]:
    timeline = log.timeline(encounter)
    return summaries_written(log.application.rows(encounter), timeline.decoders, RulingIndex(rulings(timeline), "gm"))


def test_the_log_shows_a_passed_turn_before_the_ruling_it_precedes(corrected_fight: CombatLog) -> None:
    lines = lines_of(corrected_fight)
    assert {number: line.bookkeeping for number, line in lines.items() if line.bookkeeping} == {
        number: (sentence,) for number, sentence in QUIET.items()
    }
    assert bookkeeping_lines(lines[15]) == [f"             – {PASSED[1]}"]
    assert lines[27].text.endswith("2 turns pass")


def test_a_turn_that_no_longer_ends_a_round_is_not_marked_as_changed(corrected_fight: CombatLog) -> None:
    lines = lines_of(corrected_fight)
    assert not [mark for line in lines.values() for mark in line.marks if mark.startswith("~")]
    assert "Changed" not in lines[27].text
    verdicts = {
        verdict.ruling: verdict for verdict in audit_trail(rulings(corrected_fight.timeline("fight")))[26].verdicts
    }
    assert {number for number, verdict in verdicts.items() if verdict.ends_elsewhere} == {14, 20, 26}
    assert {verdict.verdict for verdict in verdicts.values() if not verdict.ends_elsewhere} == {"stands"}


def test_each_reading_of_the_replay_has_its_own_bookkeeping(corrected_fight: CombatLog) -> None:
    timeline = corrected_fight.timeline("fight")
    all_frames = frames(rulings(timeline))
    living_frames = [frame for frame in all_frames if still_counts(frame)]
    for film in (all_frames, living_frames):
        assert {frame.number: frame.bookkeeping for frame in film if frame.bookkeeping} == {
            number: (sentence,) for number, sentence in QUIET.items()
        }
    original_film = frames(as_first_written(timeline, corrected_fight.application.rows("fight")))
    assert not [frame.number for frame in original_film if frame.bookkeeping]


def test_the_audit_keeps_the_bookkeeping_of_an_undone_correction(corrected_fight: CombatLog) -> None:
    corrected_fight.undo("fight", 27, by="Ben")
    assert not [line for line in lines_of(corrected_fight).values() if line.bookkeeping]
    undo, restoration = audit_trail(rulings(corrected_fight.timeline("fight")))[26:]
    assert {verdict.ruling: verdict.bookkeeping for verdict in undo.verdicts if verdict.bookkeeping} == {
        number: (sentence,) for number, sentence in QUIET.items()
    }
    assert not [verdict for verdict in restoration.verdicts if verdict.bookkeeping]


def test_an_undone_ruling_has_no_bookkeeping(corrected_fight: CombatLog) -> None:
    corrected_fight.correct("fight", [Strike(15)], by="Ben")
    assert not lines_of(corrected_fight)[15].bookkeeping


def test_the_audit_shows_bookkeeping_at_the_ruling_and_at_the_verdict(corrected_fight: CombatLog) -> None:
    entries = audit_trail(rulings(corrected_fight.timeline("fight")))
    assert f"\n      – {PASSED[1]}\n    Round 2 begins." in entry_text(entries[14])
    text = entry_text(entries[26])
    assert f"    15: stands\n      – {PASSED[1]}" in text
    assert "    14: carried: another turn is now the last of the round\n" in text


def test_the_report_shows_what_a_correction_did_and_which_turns_passed(corrected_fight: CombatLog) -> None:
    timeline = corrected_fight.timeline("fight")
    readings = corrected_fight.rules.defaults("mam_pools")
    page = report(rulings(timeline), timeline.state, preset_readings=readings, summaries=summaries(corrected_fight))
    assert page.corrections[0].summary == (
        "Wolf is up again from ruling 10 on.",
        "Wolf has 2 turns that nobody played (rounds 1 and 2).",
        "No ruling changes, none becomes void.",
    )
    assert page.passed == ("Wolf has 2 turns that nobody played (rounds 1 and 2).",)
    corrected_fight.redo("fight")
    timeline = corrected_fight.timeline("fight")
    page = report(rulings(timeline), timeline.state, preset_readings=readings, summaries=summaries(corrected_fight))
    assert page.passed == ()
    assert page.corrections[1].summary[0] == "Wolf is down from ruling 9 on."


def test_a_replay_page_has_the_summary_at_the_correction(corrected_fight: CombatLog) -> None:
    timeline = corrected_fight.timeline("fight")
    redactor = Redactor("gm", rulings(timeline))
    book = build_replay_page(
        "fight", timeline, corrected_fight.application.rows("fight"), redactor, corrected_fight.rules
    )
    assert {leaf.frame.number for leaf in book.entries if leaf.summary} == {27}
    assert book.entries[-1].summary == summaries(corrected_fight)[27].sentences
    entries = {leaf.frame.number: leaf for leaf in book.played}
    assert not entries[15].frame.bookkeeping


def test_diff_ignores_a_turn_that_only_ends_another_round(corrected_fight: CombatLog) -> None:
    redactor = Redactor("gm", rulings(corrected_fight.timeline("fight")))
    before, after = (
        ComparedFight("fight", corrected_fight.timeline("fight", as_of=number), redactor, {}) for number in (26, 27)
    )
    assert [(one.ruling, one.verdict) for one in diff_fights(before, after).differing] == [(8, "first"), (9, "first")]


@pytest.mark.parametrize("view", ["public", "side:heroes"])
def test_a_view_that_does_not_see_the_wolf_sees_nothing_of_its_turns(log: CombatLog, view: str) -> None:
    raid(log, hidden="wolf")
    log.undo("fight", HIT, by="Ben", reason="it should not have gone down")
    assert [line.number for line in lines_of(log).values() if line.bookkeeping] == list(QUIET)
    timeline = log.timeline("fight")
    redactor = Redactor(view, rulings(timeline))
    visible_rulings = list(rulings(timeline))
    book = build_replay_page("fight", timeline, log.application.rows("fight"), redactor, log.rules)
    outputs = (
        log_lines(visible_rulings, view),
        frames(visible_rulings, view),
        audit_trail(visible_rulings, view),
        book,
    )
    assert not [line for line in outputs[0] if line.bookkeeping]
    text = "".join(encode(one).decode() for one in outputs)
    for word in ("Wolf", "wolf", "passes", "nobody played", 'ends_elsewhere":true'):
        assert word not in text, word


def corrections(fight: LongFight, random: Random) -> list[Step]:
    """Return a few corrections that a table might make: hits undone, rulings struck, dice changed."""
    timeline = fight.timeline
    numbers = [n for n in timeline.order if hasattr(timeline.command(n), "attack_die")]
    steps: list[Step] = [Strike(n) for n in felling(fight)[:2]]
    steps += [Amend(n, {"attack_die": random.randint(1, 6)}) for n in random.sample(numbers, min(2, len(numbers)))]
    return [*steps, *(Strike(n) for n in random.sample(timeline.order[9:], 2))]


@pytest.mark.slow
@pytest.mark.parametrize("preset", each_preset(PRESETS))
def test_the_summary_of_a_correction_equals_its_preview(preset: str) -> None:
    all_sentences: list[str] = []
    for seed in range(5):
        fight = LongFight(preset, seed, 130)
        expected = previewed(fight, Random(seed))
        fight_summaries = summaries(fight.log, FIGHT)
        for number, sentences in expected.items():
            if number in fight_summaries:
                assert sentences == fight_summaries[number].sentences, (seed, number)
            else:
                # A correction without effect on other rulings has no summary; only its preview names who is up.
                assert sentences[-1] == NOTHING, (seed, number)
            all_sentences += sentences
    assert any("nobody played" in sentence for sentence in all_sentences) or preset not in ("mam_pools", "mam_speed")


NOTHING = "No ruling changes, none becomes void."


def previewed(fight: LongFight, random: Random) -> dict[int, tuple[str, ...]]:
    """Make some corrections, and return for each the summary that was shown before."""
    log, results = fight.log, {}
    for step in corrections(fight, random):
        before = log.timeline(FIGHT).copy()
        try:
            preview = log.preview(FIGHT, [step])
        except Refused:
            continue
        if not any(entry.undrawn for entry in preview.rejudged):
            redactor = Redactor("gm", rulings(before))
            number = log.correct(FIGHT, [step]).number
            results[number] = summarize_preview(before, preview, redactor).sentences
    return results
