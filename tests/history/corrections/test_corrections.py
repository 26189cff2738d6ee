"""Undo, redo and corrections: their effects, their errors, and that they survive a restart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import (
    Adjust,
    Close,
    EndTurn,
    Join,
    Move,
    Open,
    PoolMove,
    Resolve,
)
from mam_events.errors import BadInput, NotFound, VersionConflict
from mam_events.events import Amend, Restore, Strike
from mam_events.history.corrections.undo import last_step
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.judge.void_causes import cause_of
from mam_events.history.timeline.entries import rows_until
from mam_events.history.timeline.rulings import play_ruling
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools
from mam_events.store import decoders
from tests.counting import calls
from tests.history.corrections.refusals import Printed, refusal


def test_everything_after_the_opening_can_be_undone_and_redone(printed: Printed) -> None:
    log = printed("fight")
    before = log.timeline("fight").states[-1]
    for _ in range(20):
        log.undo("fight")
    assert not log.timeline("fight").state.combatants
    refusal("nothing_to_undo", lambda: log.undo("fight"))
    for _ in range(20):
        log.redo("fight")
    refusal("nothing_to_redo", lambda: log.redo("fight"))
    assert log.timeline("fight").state == before


def test_undo_and_redo_continue_after_a_restart(printed: Printed, path: Path) -> None:
    printed("fight").undo("fight")
    with CombatLog.open(path) as other:
        other.undo("fight")
    with CombatLog.open(path) as third:
        third.redo("fight")
        third.redo("fight")
        assert third.at("fight").combatants["clone"].pools == Pools(0, 3, 0, 1, 2)


def test_two_simultaneous_undos_strike_one_ruling(printed: Printed, path: Path) -> None:
    log = printed("fight")
    with CombatLog.open(path) as other:
        version = last_step(log.timeline("fight"))
        assert last_step(other.timeline("fight")) == version
        log.undo("fight", version, only=True, by="Ana")
        assert (
            "22 (Ana)" in refusal("already_struck", lambda: other.undo("fight", version, only=True, by="Bo")).sentence
        )


def test_undo_after_redo_strikes_the_ruling_and_not_the_redo(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.redo("fight")
    answer = log.undo("fight")
    assert answer.head.steps == (Strike(21),)  # type: ignore[attr-defined]  # a correction has steps


def test_an_amendment_can_be_undone_and_redone(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(17, {"attack_die": 5})])
    assert log.undo("fight").head.steps == (Restore(22),)  # type: ignore[attr-defined]  # a correction has steps
    assert log.timeline("fight").command(17) == Resolve(15, 6, 4)
    log.redo("fight")
    assert log.timeline("fight").command(17) == Resolve(15, 5, 4)


def test_undo_only_strikes_one_ruling_and_rewind_all_after_it(printed: Printed) -> None:
    log = printed("fight")
    answer = log.undo("fight", 7, only=True)
    assert answer.head.steps == (Strike(7),)  # type: ignore[attr-defined]  # a correction has steps
    log.redo("fight")
    rewound = log.undo("fight", 13, rewind=True)
    assert rewound.head.steps == tuple(Strike(n) for n in range(13, 22))  # type: ignore[attr-defined]  # as above
    assert log.at("fight").next_up == "modre"


@pytest.mark.parametrize("ruling", [4, 5, 9, 10, 12, 13])
def test_the_beginning_or_end_of_a_turn_needs_rewind(printed: Printed, ruling: int) -> None:
    log = printed("fight")
    assert "together with all that follows" in refusal("needs_rewind", lambda: log.undo("fight", ruling)).sentence


def test_the_opening_cannot_be_undone_or_amended(printed: Printed) -> None:
    log = printed("fight")
    refusal("cannot_strike_opening", lambda: log.undo("fight", 1, rewind=True))
    refusal("cannot_strike_opening", lambda: log.correct("fight", [Amend(1, {"title": "x"})]))


def test_impossible_steps_are_refused_and_write_nothing(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.note("fight", "was that fair?")
    rows = log.application.rows("fight")
    refusal("already_struck", lambda: log.correct("fight", [Strike(21)]))
    refusal("already_struck", lambda: log.correct("fight", [Amend(21, {"points": 1})]))
    refusal("already_struck", lambda: log.correct("fight", [Strike(20), Strike(20)]))
    refusal("no_play", lambda: log.correct("fight", [Strike(22)]))
    refusal("no_play", lambda: log.correct("fight", [Strike(23)]))
    none = "is not a correction, and only corrections are redone."
    for number, sentence in ((20, none), (21, "was undone by 22. To get it back, redo 22."), (23, none)):
        error = refusal("no_correction", partial(log.correct, "fight", [Restore(number)]))
        assert error.sentence == f"Ruling {number} {sentence}"
    refusal("nothing_to_correct", lambda: log.correct("fight", []))
    for number in (0, 24, 99):
        with pytest.raises(NotFound):
            log.correct("fight", [Strike(number)])
    for patch in ({"attack_di": 1}, {"attack_die": "six"}, {"attack_die": -1}, {"do": "move"}):
        with pytest.raises(BadInput):
            log.correct("fight", [Amend(17, patch)])
    log.redo("fight")
    refusal("already_restored", lambda: log.redo("fight", 22))
    assert log.application.rows("fight")[: len(rows)] == rows
    assert len(log.application.rows("fight")) == len(rows) + 1


def test_a_preview_writes_nothing_and_matches_the_correction(printed: Printed) -> None:
    log = printed("fight")
    rows = log.application.rows("fight")
    preview = log.preview("fight", [Strike(6), Strike(7), Strike(8)])
    assert log.application.rows("fight") == rows
    assert preview.struck == (6, 7, 8)
    log.note("fight", "somebody spoke meanwhile", visibility="side:heroes")
    log.execute("fight", Adjust(reason="somebody ruled meanwhile"))
    with pytest.raises(VersionConflict):
        log.undo("fight", 6, expect=preview.expect)
    second_preview = log.preview("fight", [Strike(6), Strike(7), Strike(8)])
    # A note does not conflict with the correction.
    log.note("fight", "somebody spoke meanwhile")
    log.note("fight", "and whispered", visibility="side:heroes")
    log.undo("fight", 6, expect=second_preview.expect)
    assert log.timeline("fight").state == second_preview.state


def test_a_void_ruling_names_the_exchange_that_stays_open(printed: Printed) -> None:
    log = printed("fight")
    causes = {
        entry.ruling: entry.because
        for entry in log.preview("fight", [Strike(8)], turns="strict").rejudged
        if entry.code
    }
    assert causes[9] == causes[10] == 6, "the attack of 6 stays open"


def test_a_preview_shows_restored_rulings_and_whether_others_change(printed: Printed) -> None:
    log = printed("fight")
    assert not log.preview("fight", [Strike(21)]).touches_more
    assert log.preview("fight", [Strike(6), Strike(7), Strike(8)]).touches_more
    assert log.preview("fight", [Amend(17, {"attack_die": 1}), Amend(20, {"other_used": 2})]).touches_more
    log.undo("fight", 6)
    preview = log.preview("fight", [Restore(22)])
    assert (preview.struck, preview.restored) == ((), (6, 7, 8))
    assert not preview.touches_more, "nobody has played since"
    log.execute("fight", EndTurn("clone"))
    assert log.preview("fight", [Restore(22)]).touches_more
    log.redo("fight", 22)
    assert log.preview("fight", [Restore(24)]).struck == (6, 7, 8)


def test_a_preview_does_not_show_a_die_to_be_drawn(log: CombatLog, printed: Printed) -> None:
    printed("fight")
    preview = log.preview("fight", [Amend(17, {"attack_die": None})])
    assert preview.rejudged[0].undrawn == "17/attack.modre/0/d6"
    assert preview.state is None
    log.correct("fight", [Amend(17, {"attack_die": None})], expect=preview.expect)
    drawn_dice = log.timeline("fight").drawn(17)
    assert list(drawn_dice) == ["17/attack.modre/0/d6"]


def test_an_adjustment_can_be_undone(printed: Printed) -> None:
    log = printed("fight")
    word = Adjust(reason="he had a shield", move=(PoolMove("clone", "damage", "ready", 2),), answers=17)
    log.execute("fight", word, by="Ana")
    assert log.at("fight").combatants["clone"].pools == Pools(2, 3, 0, 1, 0)
    log.undo("fight")
    assert log.at("fight").combatants["clone"].pools == Pools(0, 3, 0, 1, 2)


def test_as_of_shows_the_log_as_it_was_then(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight", 6)
    assert log.at("fight", 8).combatants["clone"].pools == Pools(6)
    assert log.at("fight", 8, as_of=21).combatants["clone"].pools == Pools(0, 6)
    with pytest.raises(NotFound):
        log.at("fight", 40)
    with pytest.raises(NotFound):
        log.at("fight", "round:9")
    with pytest.raises(BadInput):
        log.at("fight", "yesterday")
    with pytest.raises(NotFound):
        log.timeline("fight", as_of=99)


def test_an_outdated_expected_version_is_refused(printed: Printed) -> None:
    log = printed("fight")
    with pytest.raises(VersionConflict):
        log.execute("fight", Move("clone", 1), expected=20)
    with pytest.raises(VersionConflict):
        log.undo("fight", expected=20)
    assert log.undo("fight", expected=21).number == 22


def test_a_closing_can_be_undone_and_a_closed_fight_draws_no_dice(printed: Printed) -> None:
    log = printed("fight")
    log.execute("fight", Close())
    refusal("encounter_closed", lambda: log.execute("fight", Move("clone", 1)))
    refusal("no_draw", lambda: log.correct("fight", [Amend(17, {"attack_die": None})]))
    log.undo("fight")
    refusal("already_struck", lambda: log.undo("fight", 22, only=True))
    assert log.correct("fight", [Amend(17, {"attack_die": None})]).number == 25


def test_changed_by_names_a_correction_until_it_is_undone(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(17, {"attack_die": 1})])
    corrections = {number: play_ruling(log.timeline("fight"), number).changed_by for number in range(13, 22)}
    assert {number for number, by in corrections.items() if by == 22} == {17, 19, 20, 21}
    assert set(corrections.values()) == {0, 22}
    log.undo("fight")
    assert not any(play_ruling(log.timeline("fight"), number).changed_by for number in range(13, 22))


@pytest.mark.slow
def test_redo_works_through_deeply_nested_restores(printed: Printed) -> None:
    log = printed("fight")
    answer = log.undo("fight")
    for _ in range(1200):
        answer = log.correct("fight", [Restore(answer.number)])
    assert log.redo("fight").number == answer.number + 1


def test_a_void_ruling_is_rejudged_if_the_reason_changes(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(20, {"other_used": 1})])
    first = log.timeline("fight").entries[21].outcome.rejudged
    log.correct("fight", [Amend(20, {"other_used": 2})])
    second = log.timeline("fight").entries[21].outcome.rejudged
    assert first is not None
    assert second is not None
    assert (reason_words(first), first.rule) == ("Clone needs 3 ready points and has 1.", "MAM-POOL-12")
    assert reason_words(second) == "Clone needs 3 ready points and has 2."


def test_undo_only_needs_rewind_and_a_closing_cannot_be_amended(printed: Printed) -> None:
    log = printed("fight")
    refusal("needs_rewind", lambda: log.undo("fight", 5, only=True))
    log.execute("fight", Close())
    refusal("cannot_amend_closing", lambda: log.correct("fight", [Amend(22, {"seed": "00"})]))


@pytest.mark.parametrize("text", ["\x1b[2J", "a\u202eb", "x" * 3000, None])
def test_text_that_cannot_be_read_back_is_refused(printed: Printed, text: str) -> None:
    log = printed("fight")
    works: tuple[Callable[[], object], ...] = (
        lambda: log.execute("fight", Adjust(reason="x"), by=text),
        lambda: log.undo("fight", by=text),
        lambda: log.execute("fight", Adjust(reason=text)),
    )
    for work in works:
        with pytest.raises(BadInput):
            work()
    with pytest.raises(BadInput):
        log.note("fight", "x", kind="remark")
    with pytest.raises(BadInput):
        log.execute("Bad Name\n", Open())
    assert log.timeline("fight").number == 21
    with pytest.raises(NotFound):
        log.execute("fight", Adjust(reason="x", answers=999))


def test_a_correction_of_several_steps_is_undone_and_redone_as_one(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Strike(21), Amend(17, {"attack_die": 5})])
    refusal("nothing_to_redo", lambda: log.redo("fight"))
    assert log.undo("fight").head.steps == (Restore(22),)  # type: ignore[attr-defined]  # a correction has steps
    assert log.timeline("fight").lives(21)
    assert log.redo("fight").head.steps == (Restore(23),)  # type: ignore[attr-defined]  # as above
    assert not log.timeline("fight").lives(21)
    assert log.timeline("fight").command(17) == Resolve(15, 5, 4)
    refusal("nothing_to_redo", lambda: log.redo("fight"))


def test_the_cause_of_a_void_ruling_comes_from_the_living_history(printed: Printed) -> None:
    """One correction amends 20 and then strikes it, another strikes it at once: 21 has the same cause."""
    one, other = printed("fight"), printed("other")
    one.correct("fight", [Amend(17, {"attack_die": 1})])
    assert play_ruling(one.timeline("fight"), 21).because == 17, "which a correction names; 20 only readies less by it"
    one.undo("fight", 20, only=True)
    other.correct("other", [Strike(20), Amend(17, {"attack_die": 1})])
    assert play_ruling(one.timeline("fight"), 21).because == play_ruling(other.timeline("other"), 21).because == 20
    one.redo("fight")
    assert play_ruling(one.timeline("fight"), 21).because == 17


@pytest.mark.parametrize(("turns", "because"), [("strict", 20), ("as_played", 17)])
def test_a_cause_in_the_same_turn_comes_before_an_older_correction(printed: Printed, turns: Any, because: int) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(17, {"attack_die": 1})], turns=turns)
    assert log.timeline("fight").entries[20].outcome.is_void == (turns == "strict")
    assert cause_of(log.timeline("fight"), 21) == because


def test_a_correction_does_not_repeat_the_judging_of_its_preview(
    printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = printed("fight")
    judged_rulings: list[int] = []
    preview = log.preview("fight", [Strike(6), Strike(7), Strike(8)], on_progress=lambda: judged_rulings.append(1))
    assert judged_rulings
    assert any(entry.bookkeeping for entry in preview.rejudged)
    monkeypatch.setattr("mam_events.history.judge.ruling_judge.decide", None)
    monkeypatch.setattr("mam_events.history.judge.ruling_judge.Decision", None)
    assert log.undo("fight", 6, expect=preview.expect).number == 22


def test_unaffected_rulings_are_not_judged_again(printed: Printed) -> None:
    log = printed("fight")
    judged_rulings: list[int] = []
    preview = log.preview("fight", [Amend(9, {"reason": "he waits"})], on_progress=lambda: judged_rulings.append(1))
    assert len(judged_rulings) == 1
    assert [entry.ruling for entry in preview.rejudged] == list(range(9, 22))
    assert preview.state == log.timeline("fight").state


def test_an_insert_expects_the_result_of_its_preview(printed: Printed) -> None:
    log = printed("fight")
    move = Move("clone", points=1)
    preview = log.preview_insert("fight", move, 20)
    with pytest.raises(VersionConflict):
        log.execute("fight", Move("clone", points=2), after=20, expect=preview.expect)
    assert log.execute("fight", move, after=20, expect=preview.expect).rejudged == tuple(
        entry for entry in preview.rejudged if entry.verdict != "stands"
    )


def test_reading_nested_restores_takes_linear_time(log: CombatLog) -> None:
    """The rulings in force are found once per reading, not once per correction."""
    log.execute("fight", Open())
    number = log.execute("fight", Join("ana", hp=6)).number
    number = log.correct("fight", [Strike(number)]).number
    for _ in range(80):
        number = log.correct("fight", [Restore(number)]).number
    rows = log.application.rows("fight")
    some, twice = (calls(partial(Timeline, decoders(), rows_until(rows, end))) for end in (43, 83))
    assert twice < 2.4 * some
    assert Timeline(decoders(), rows).active == log.timeline("fight").active
