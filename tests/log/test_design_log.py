"""The example log of the design, line by line, with all its corrections."""

from __future__ import annotations

from collections.abc import Callable

from mam_events.commands import Adjust, Move
from mam_events.events import Amend, Correction, Event, ReadyPoolRefreshed, Restore, Strike
from mam_events.history.timeline.rulings import living_plays
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer
from mam_events.state import Pools

Printed = Callable[[str], CombatLog]


def verdicts(answer: Answer) -> dict[int, str | None]:
    return {ruling.ruling: ruling.verdict for ruling in answer.rejudged}


def steps(answer: Answer) -> tuple[object, ...]:
    assert isinstance(answer.head, Correction)
    return answer.head.steps


def events(timeline: Timeline) -> list[tuple[int, tuple[Event, ...]]]:
    return [(ruling.number, ruling.events) for ruling in living_plays(timeline)]


def pools(log: CombatLog, moment: int | str | None = None) -> dict[str, Pools]:
    return {name: combatant.pools for name, combatant in log.at("fight", moment).combatants.items()}


def test_the_printed_fight_has_21_rulings_and_the_printed_pools(printed: Printed) -> None:
    log = printed("fight")
    table = {
        4: (Pools(6), Pools(6)),
        6: (Pools(0, 2, 4), Pools(6)),
        7: (Pools(0, 2, 4), Pools(0, 6)),
        8: (Pools(0, 2, 4), Pools(0, 6)),
        11: (Pools(0, 2, 4), Pools(3, 3)),
        14: (Pools(3, 2, 1), Pools(3, 3)),
        15: (Pools(0, 4, 2), Pools(3, 3)),
        16: (Pools(0, 4, 2), Pools(0, 4, 2)),
        17: (Pools(0, 4, 2), Pools(0, 0, 2, 2, 2)),
        19: (Pools(0, 4, 2), Pools(0, 0, 3, 1, 2)),
        20: (Pools(0, 4, 2), Pools(3, 0, 0, 1, 2)),
        21: (Pools(0, 4, 2), Pools(0, 3, 0, 1, 2)),
    }
    assert log.timeline("fight").number == 21
    for ruling, (modre, clone) in table.items():
        assert pools(log, ruling) == {"modre": modre, "clone": clone}, ruling
    assert pools(log, "round:1") == pools(log, 12)
    assert pools(log, "round:2") == pools(log, 21)


def test_undo_undo_redo_redo_writes_only_heads(printed: Printed) -> None:
    log = printed("fight")
    before = events(log.timeline("fight"))
    answers = [log.undo("fight"), log.undo("fight"), log.redo("fight"), log.redo("fight")]
    assert [answer.number for answer in answers] == [22, 23, 24, 25]
    assert [steps(answer) for answer in answers] == [(Strike(21),), (Strike(20),), (Restore(23),), (Restore(22),)]
    assert [verdicts(answer) for answer in answers] == [{}, {}, {}, {}]
    timeline = log.timeline("fight")
    rows = log.application.rows("fight")
    assert [topic for _, topic, _ in rows[-4:]] == ["Correction.1"] * 4
    assert events(timeline) == before


def test_undo_of_an_exchange_judges_later_rulings_again(printed: Printed) -> None:
    log = printed("fight")
    answer = log.undo("fight", 6)
    assert steps(answer) == (Strike(6), Strike(7), Strike(8))
    assert verdicts(answer) == {11: "changed", 14: "changed", 15: "carried", 16: "carried", 17: "changed"}
    by_ruling = {rejudged.ruling: rejudged for rejudged in answer.rejudged}
    # No points were spent yet, so nothing can become ready, and the amounts are reduced to that.
    for ruling in (11, 14):
        assert [(one.what, one.events) for one in by_ruling[ruling].bookkeeping] == [("cut", ())]
        (refreshed,) = by_ruling[ruling].events
        assert isinstance(refreshed, ReadyPoolRefreshed)
        assert (refreshed.from_defense, refreshed.from_other_used) == (0, 0)
    # The design calls 19 to 21 carried; their events are equal with all totals, so they stand.
    assert pools(log) == {"modre": Pools(3, 2, 1), "clone": Pools(0, 3, 0, 1, 2)}


def test_strict_undo_of_an_exchange_voids_impossible_rulings(printed: Printed) -> None:
    answer = printed("fight").undo("fight", 6, turns="strict")
    assert verdicts(answer) == {11: "void", 14: "void", 15: "carried", 16: "carried", 17: "changed"}
    by_ruling = {ruling.ruling: ruling for ruling in answer.rejudged}
    assert "Defense has 0 points to give, not 3" in by_ruling[11].why


def test_redo_of_an_exchange_restores_the_first_events(printed: Printed) -> None:
    log = printed("fight")
    before = events(log.timeline("fight"))
    undone_answer = log.undo("fight", 6)
    redone_answer = log.redo("fight")
    assert steps(redone_answer) == (Restore(22),)
    assert set(verdicts(redone_answer)) == set(verdicts(undone_answer))
    assert events(log.timeline("fight")) == before


def test_an_amended_die_changes_and_voids_later_rulings(printed: Printed) -> None:
    log = printed("fight")
    answer = log.correct("fight", [Amend(17, {"attack_die": 1})])
    assert verdicts(answer) == {17: "changed", 19: "changed", 20: "changed", 21: "void"}
    by_ruling = {ruling.ruling: ruling for ruling in answer.rejudged}
    assert by_ruling[20].events[0].from_other_used == 2  # type: ignore[attr-defined]  # 2 of the 3 requested
    assert by_ruling[21].why == "Clone needs 3 ready points and has 2."
    assert by_ruling[21].because == 17
    die = by_ruling[17].events[0].die  # type: ignore[attr-defined]  # the first event is the attack's roll
    assert (die.face, die.source) == (1, "amended")


def test_a_void_ruling_can_be_amended_in_the_same_correction(printed: Printed) -> None:
    log = printed("fight")
    both = [Amend(17, {"attack_die": 1}), Amend(20, {"other_used": 2, "defense": 1})]
    preview = log.preview("fight", both)
    answer = log.correct("fight", both, expect=preview.expect)
    assert verdicts(answer) == {17: "changed", 19: "changed", 20: "changed", 21: "carried"}
    assert [(r.ruling, r.verdict) for r in preview.rejudged if r.verdict != "stands"] == list(verdicts(answer).items())
    assert preview.state == log.timeline("fight").state


def test_an_insert_follows_its_anchor_and_voids_what_lacks_points(printed: Printed) -> None:
    log = printed("fight")
    answer = log.execute("fight", Move("clone", 1), after=20)
    assert (answer.number, verdicts(answer)) == (22, {21: "void"})
    assert log.timeline("fight").order[-2:] == [22, 21]
    assert pools(log)["clone"] == Pools(2, 1, 0, 1, 2)


def test_a_second_insert_follows_the_first(printed: Printed) -> None:
    log = printed("fight")
    log.execute("fight", Move("clone", 1), after=20)
    log.execute("fight", Move("clone", 1), after=20)
    log.execute("fight", Move("clone", 1), after=22)
    assert log.timeline("fight").order[-4:] == [22, 24, 23, 21]
    log.execute("fight", Adjust(reason="a word behind them all"), after=20)
    assert log.timeline("fight").order[-5:] == [22, 24, 23, 25, 21]
    log.undo("fight", 22)
    assert log.timeline("fight").order[-5:] == [22, 24, 23, 25, 21], "a struck anchor keeps its place"


def test_redo_after_a_play_restores_the_old_place_and_judges_the_play_again(printed: Printed) -> None:
    log = printed("fight")
    log.undo("fight")
    log.execute("fight", Move("clone", 1))
    answer = log.redo("fight")
    assert (answer.number, steps(answer), verdicts(answer)) == (24, (Restore(22),), {23: "void"})
    assert log.timeline("fight").order[-2:] == [21, 23]
    assert pools(log)["clone"] == Pools(0, 3, 0, 1, 2)
