"""Amendments: their dice, and undo of amendments without a change."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import (
    Adjust,
    BeginTurn,
    Declare,
    Initiative,
    Join,
    Move,
    Open,
    PoolMove,
    Resolve,
    RollInitiative,
    Round,
)
from mam_events.dice import Die
from mam_events.events import Amend, Correction, Restore, Step, Strike
from mam_events.history.judge.judge import EncounterJudge
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon
from tests.fighters import play_printed
from tests.history.corrections.refusals import Printed, refusal


def test_an_amendment_that_breaks_the_rules_is_refused(printed: Printed) -> None:
    log = printed("fight")
    refusal("impossible_face", lambda: log.correct("fight", [Amend(17, {"attack_die": 7})]))
    refusal("not_enough_ready", lambda: log.preview("fight", [Amend(21, {"points": 4})]))
    assert log.timeline("fight").number == 21


@pytest.mark.parametrize("die", [6, None])
def test_a_void_ruling_between_two_amended_ones_is_no_reason_to_refuse(printed: Printed, die: int | None) -> None:
    """With all dice known, and with one still to be drawn."""
    log = printed("fight")
    steps = [Amend(11, {"defense": 0}), Amend(17, {"attack_die": die}), Amend(18, {"reason": "out of breath"})]
    log.correct("fight", steps)
    void = [number for number, entry in log.timeline("fight").entries.items() if entry.outcome.is_void]
    assert void[0] == 16
    assert log.timeline("fight").lives(18)
    assert 18 not in void


def test_undo_skips_an_amendment_without_a_change(printed: Printed) -> None:
    log = printed("duel")
    power = log.timeline("duel").command(6).power  # type: ignore[attr-defined]  # an attack
    log.correct("duel", [Amend(6, {"power": power})])
    assert log.undo("duel").head.steps == (Strike(21),)  # type: ignore[attr-defined]  # a correction


@pytest.mark.parametrize("patch", [{"attack_die": 6}, {"armor_die": {}}], ids=str)
def test_undo_skips_an_amendment_to_the_same_faces(printed: Printed, patch: dict[str, object]) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(17, patch)])
    assert log.undo("fight").head.steps == (Strike(21),)  # type: ignore[attr-defined]  # a correction has steps


def adjusted(log: CombatLog, *patches: dict[str, Any]) -> CombatLog:
    """Adjust the printed fight in ruling 22, and amend that ruling with each patch in turn."""
    log.execute("fight", Adjust(reason="bad", move=(PoolMove("clone", "defense", "damage", 1),)))
    for patch in patches:
        log.correct("fight", [Amend(22, patch)])
    return log


def steps_of_undo(log: CombatLog) -> tuple[Step, ...]:
    head = log.undo("fight").head
    assert isinstance(head, Correction)
    return head.steps


@pytest.mark.parametrize("times", [1, 2, 3])
def test_undo_includes_all_amendments_to_the_same_value(printed: Printed, times: int) -> None:
    """None of them changes anything alone, and the ruling they amend is older."""
    log = adjusted(printed("fight"), *({"reason": "worse"},) * times)
    assert set(steps_of_undo(log)) == {Restore(22 + at) for at in range(1, times + 1)}
    assert log.timeline("fight").command(22).reason == "bad"  # type: ignore[attr-defined]  # the game master's word
    log.redo("fight")
    assert log.timeline("fight").command(22).reason == "worse"  # type: ignore[attr-defined]  # as above
    steps_of_undo(log)
    assert steps_of_undo(log) == (Strike(22),)


def test_undo_stops_at_an_amendment_to_another_value(printed: Printed) -> None:
    """Another amendment between two equal ones stays."""
    log = adjusted(printed("fight"), {"reason": "worse"}, {"move": []}, {"reason": "worse"}, {"move": []})
    assert set(steps_of_undo(log)) == {Restore(26), Restore(24)}
    assert set(steps_of_undo(log)) == {Restore(25), Restore(23)}
    assert steps_of_undo(log) == (Strike(22),)


def test_undo_skips_two_amendments_to_the_original_value(printed: Printed) -> None:
    assert steps_of_undo(adjusted(printed("fight"), {"reason": "bad"}, {"reason": "bad"})) == (Strike(22),)


def test_undo_includes_an_amendment_repeated_after_a_later_play(printed: Printed) -> None:
    log = adjusted(printed("fight"), {"reason": "worse"})
    log.execute("fight", Adjust(reason="and on"))
    log.correct("fight", [Amend(22, {"reason": "worse"})])
    assert set(steps_of_undo(log)) == {Restore(25), Restore(23)}, "never the play that nobody meant"
    assert steps_of_undo(log) == (Strike(24),)


def test_undo_does_not_skip_a_strike_beside_an_unchanged_amendment(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Strike(21), Amend(17, {"attack_die": 6})])
    assert steps_of_undo(log) == (Restore(22),)
    assert log.timeline("fight").lives(21)


def test_undo_skips_the_amendment_of_a_struck_ruling(printed: Printed) -> None:
    log = printed("fight")
    log.correct("fight", [Amend(17, {"attack_die": 5})])
    log.undo("fight", 17)
    assert log.undo("fight").head.steps == (Strike(21),)  # type: ignore[attr-defined]  # a correction has steps
    log.redo("fight")
    log.redo("fight")
    assert log.timeline("fight").command(17) == Resolve(15, 5, 4), "and redo brings all of it back"
    assert log.undo("fight").head.steps == (Restore(26),)  # type: ignore[attr-defined]  # the second redo
    log.redo("fight")
    assert log.timeline("fight").command(17) == Resolve(15, 5, 4)


def test_an_amendment_after_an_undrawn_die_is_refused_if_no_face_allows_it(printed: Printed) -> None:
    log = printed("fight")
    steps = [Amend(17, {"attack_die": None}), Amend(21, {"points": 9})]
    for work in (log.preview, log.correct):
        error = refusal("not_enough_ready", lambda work=work: work("fight", steps))  # type: ignore[misc]  # bound at once
        assert "whatever its missing die shows" in error.sentence
    assert log.timeline("fight").number == 21


@pytest.mark.parametrize("patience", [0, 1, 8])
def test_an_amendment_after_too_many_undrawn_dice_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: int
) -> None:
    """With no face tried, and with some: the amendment counts neither as possible nor as impossible."""
    monkeypatch.setattr("mam_events.history.corrections.amend_check.MAX_JUDGED", patience)
    steps = [Amend(17, {"attack_die": None}), Amend(21, {"points": 9})]
    messages = set()
    for n in range(3):
        with CombatLog.open(tmp_path / f"{n}.db", entropy=lambda size, n=n: bytes([n]) * size) as log:
            play_printed(log)
            for work in (log.preview, log.correct):
                error = refusal("too_many_dice_open", lambda work=work: work("fight", steps))  # type: ignore[misc]  # bound at once
                messages.add(error.sentence)
            assert log.timeline("fight").number == 21
    (sentence,) = messages
    assert "whatever" not in sentence


def test_an_amendment_after_dice_that_may_tie_repeatedly_is_checked(
    log: CombatLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.execute("fight", Open())
    for name, reach in (("ana", 2), ("bo", 1), ("cy", 1)):
        log.execute("fight", Join(name, hp=9, weapon=(Weapon("sword", power=2, reach=Decimal(reach)),)))
    log.execute_all("fight", [Initiative(), BeginTurn("ana"), Move("ana", 1)])
    short = Amend(2, {"weapon": [{"id": "sword", "power": 2, "reach": "1"}]})
    assert log.preview("fight", [short, Amend(6, {"combatant": "bo"}), Amend(7, {"combatant": "bo"})]).rejudged
    # No face lets anybody move in another's turn, but the possible ties are endless.
    monkeypatch.setattr("mam_events.history.corrections.amend_check.MAX_JUDGED", 5000)
    refusal("too_many_dice_open", lambda: log.preview("fight", [short, Amend(7, {"combatant": "cy"})]))


def test_every_die_tried_counts_against_the_limit(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log.execute("fight", Open(preset="ron_d6"))
    for number in range(6):
        log.execute("fight", Join(f"c{number}", code={"perception": "9D", "agility": "3D"}))
    log.execute("fight", Round())
    order = log.execute("fight", RollInitiative(tuple(f"c{number}" for number in range(6)))).state.turn_order
    turn = log.execute("fight", Declare(order[0])).number
    monkeypatch.setattr("mam_events.history.corrections.amend_check.MAX_JUDGED", 3000)
    tried_dice, die = [], EncounterJudge.die

    def counted(*args: Any) -> Die:
        tried_dice.append(args)
        return die(*args)

    monkeypatch.setattr(EncounterJudge, "die", counted)
    # However high c0 rolls with more dice, nobody else can become first.
    last = next(name for name in reversed(order) if name != "c0")
    steps = [Amend(2, {"code": {"perception": "12D", "agility": "3D"}}), Amend(turn, {"combatant": last})]
    refusal("too_many_dice_open", lambda: log.preview("fight", steps, turns="strict"))
    assert len(tried_dice) < 3000 + 2 * 60


def test_an_amendment_that_some_face_allows_is_written(tmp_path: Path) -> None:
    """Other used has three points only if the attack missed: the ruling is void with some seeds."""
    outcomes = set()
    for n in range(12):
        with CombatLog.open(tmp_path / f"{n}.db", entropy=lambda size, n=n: bytes([n]) * size) as log:
            play_printed(log)
            steps = [Amend(17, {"attack_die": None}), Amend(20, {"other_used": 3})]
            preview = log.preview("fight", steps)
            assert preview.rejudged[0].undrawn
            log.correct("fight", steps, expect=preview.expect)
            outcomes.add(log.timeline("fight").entries[20].outcome.is_void)
    assert outcomes == {True, False}
