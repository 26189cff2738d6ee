"""Bookkeeping by which a correction keeps later rulings valid: a small fight for each kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from mam_events.commands import (
    Attack,
    BeginTurn,
    Command,
    DelayTurn,
    DropItem,
    EndTurn,
    Initiative,
    Join,
    Open,
    PrepareCounterattack,
    Ready,
    Resolve,
    RollInitiative,
    Round,
)
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend, Restore, Strike
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.judge.void_causes import cause_of
from mam_events.history.timeline.entries import BookkeepingEntry
from mam_events.history.timeline.rulings import play_ruling
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon
from tests.patrol import fighter

SWORD = Weapon("sword", power=3, attack=1, reach=Decimal(1))


def fight(*commands: Command, preset: str = "mam_pools", **house_rules: str) -> CombatLog:
    """Begin a fight of two heroes against two foes, Ann first; the first of those commands is ruling 7."""
    log = CombatLog.open("sqlite://")
    joins = [Join(name, side=side, hp=6, weapon=(SWORD,)) for name, side in _PARTIES]
    log.execute_all("f", [Open(preset, house_rules), *joins, Initiative(first="ann", reason="she saw them"), *commands])
    return log


_PARTIES = (("ann", "heroes"), ("rat", "foes"), ("bob", "heroes"), ("cat", "foes"))


def turn(name: str, *commands: Command) -> tuple[Command, ...]:
    return (BeginTurn(name), *commands, EndTurn(name))


def blow(attacker: str, target: str, number: int, attack: int, defense: int) -> tuple[Command, ...]:
    """Return an attack, declared in ruling `number`, and its resolution."""
    return Attack(attacker, target, "sword", power=6), Resolve(number, attack_die=attack, defense_die=defense)


FELLED = (*turn("ann", *blow("ann", "rat", 8, 6, 1)), *turn("bob"), *turn("cat"), *turn("ann"), *turn("bob"))
"""Rulings 7 to 18: Ann fells the rat, so Bob and the cat are next, and only Ann and Bob act in round 2."""


def bookkeeping(log: CombatLog) -> dict[int, tuple[tuple[str, str, int], ...]]:
    """Return the kinds of bookkeeping before each ruling, with the combatant and the round."""
    timeline = log.timeline("f")
    steps = {number: play_ruling(timeline, number).bookkeeping for number in timeline.order}
    return {
        number: tuple((s.what, s.combatant, s.round) for s in entries) for number, entries in steps.items() if entries
    }


def void_rulings(log: CombatLog) -> list[int]:
    return [number for number, entry in log.timeline("f").living() if entry.outcome.is_void]


def test_a_combatant_who_is_up_again_passes_the_missed_turns() -> None:
    log = fight(*FELLED)
    assert log.at("f").combatants["rat"].condition == "incapacitated"
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    assert bookkeeping(log) == {
        11: (("order", "bob", 1),),
        15: (("passed", "rat", 1),),
        17: (("order", "bob", 2),),
    }
    assert not void_rulings(log)
    state = log.at("f")
    assert (state.round, state.due, state.next_up) == (2, ("rat", "cat"), "rat")


def test_a_ruling_after_a_passed_turn_keeps_its_own_outcome() -> None:
    log = fight(*FELLED)
    answer = log.correct("f", [Amend(9, {"outcome": "fail"})])
    assert {entry.ruling: entry.verdict for entry in answer.rejudged} == {
        9: "changed",
        11: "stands",
        14: "carried",
        15: "stands",
        17: "stands",
    }, "14 ended the round, and the passed turn before 15 ends it now"


def test_a_passed_turn_has_only_a_beginning_and_an_end() -> None:
    log = fight(*FELLED)
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    (step,) = play_ruling(log.timeline("f"), 15).bookkeeping
    assert [event.topic for event in step.events] == ["TurnStarted.1", "TurnEnded.1", "RoundEnded.1"]


def test_playing_the_missed_turn_replaces_the_pass() -> None:
    log = fight(*FELLED)
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    after = 14
    for command in (BeginTurn("rat"), DropItem("rat", "sword"), EndTurn("rat")):
        after = log.execute("f", command, after=after).number
    assert ("passed", "rat", 1) not in [step for steps in bookkeeping(log).values() for step in steps]
    assert not void_rulings(log)


def test_undo_and_redo_restore_the_bookkeeping() -> None:
    log = fight(*FELLED)
    before = log.timeline("f").states
    number = log.correct("f", [Amend(9, {"outcome": "fail"})]).number
    states, entries = log.timeline("f").states, bookkeeping(log)
    undo = log.undo("f", number).number
    assert (log.timeline("f").states, bookkeeping(log)) == (before, {})
    log.correct("f", [Restore(undo)])
    assert (log.timeline("f").states, bookkeeping(log)) == (states, entries)


def test_strict_adds_no_bookkeeping() -> None:
    log = fight(*FELLED)
    log.correct("f", [Amend(9, {"outcome": "fail"})], turns="strict")
    assert (void_rulings(log), bookkeeping(log)) == (list(range(11, 19)), {})
    assert log.at("f").next_up == "rat"


def test_the_newest_turns_policy_decides() -> None:
    log = fight(*FELLED)
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    log.correct("f", [Amend(9, {"visibility": "gm"})], turns="strict")
    assert void_rulings(log) == list(range(11, 19))
    log.undo("f", 20)
    assert not void_rulings(log)


def test_an_unknown_turns_policy_is_refused() -> None:
    log = fight(*FELLED)
    with pytest.raises(BadInput, match='Did you mean "strict"'):
        log.undo("f", 9, turns="stric")  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(BadInput):
        log.preview("f", [Strike(9)], turns=1)  # type: ignore[arg-type]  # as above


def test_a_combatant_felled_earlier_loses_only_their_own_rulings() -> None:
    log = fight(
        *turn("ann", *blow("ann", "cat", 8, 1, 6)),
        *turn("rat"),
        *turn("bob"),
        *turn("cat", *blow("cat", "bob", 16, 1, 6)),
    )
    log.correct("f", [Amend(9, {"outcome": "full"})])
    timeline = log.timeline("f")
    assert void_rulings(log) == [15, 16, 17, 18]
    assert [cause_of(timeline, number) for number in void_rulings(log)] == [9, 9, 16, 9]


def test_a_new_order_of_turns_keeps_recorded_rounds() -> None:
    log = fight(*turn("ann"), *turn("rat"), *turn("bob"), *turn("cat"), *turn("ann"))
    log.correct("f", [Amend(6, {"first": "cat"})])
    assert bookkeeping(log) == {7: (("order", "ann", 1),), 15: (("order", "ann", 2),)}
    assert log.at("f").next_up == "cat", "in the unfinished round whoever is due stays due"


def test_a_late_joiner_passes_once_a_round() -> None:
    log = fight(*turn("ann"), *turn("rat"), *turn("bob"), *turn("cat"), *turn("ann"))
    log.execute("f", Join("dog", side="foes", hp=6), after=8)
    assert bookkeeping(log) == {15: (("passed", "dog", 1),)}


def test_striking_a_resolution_abandons_its_exchange() -> None:
    log = fight(*FELLED)
    points = log.at("f", 9).combatants["ann"].pools
    log.undo("f", 9, only=True)
    assert bookkeeping(log)[10] == (("left", "", 1),)
    assert log.at("f", 10).combatants["ann"].pools == points, "what the attack took stays spent"
    assert not void_rulings(log)


def test_a_new_resolution_draws_its_own_dice() -> None:
    log = fight(*FELLED)
    log.undo("f", 9, only=True)
    answer = log.execute("f", Resolve(8), after=8)
    keys = {die.key for event in answer.events for die in [getattr(event, "die", None)] if die}
    assert all(key.startswith(f"{answer.number}/") for key in keys)
    assert 10 not in bookkeeping(log)


def test_a_struck_end_of_a_turn_is_added_by_bookkeeping() -> None:
    log = fight(*FELLED)
    log.correct("f", [Strike(12)])
    assert bookkeeping(log) == {13: (("ended", "bob", 1),)}


def test_ready_is_reduced_to_the_available_points() -> None:
    log = fight(
        *turn("ann", *blow("ann", "rat", 8, 1, 6)),
        *turn("rat"),
        *turn("bob"),
        *turn("cat"),
        *turn("ann", Ready("ann", other_used=3)),
    )
    answer = log.correct("f", [Amend(8, {"power": 2})])
    (ruling,) = (entry for entry in answer.rejudged if entry.ruling == 18)
    assert (ruling.verdict, ruling.command) == ("changed", Ready("ann", other_used=2))
    assert bookkeeping(log)[18] == (("cut", "ann", 2),)


def test_an_amended_amount_is_never_reduced() -> None:
    log = fight(*turn("ann", *blow("ann", "rat", 8, 1, 6)), *turn("rat"), *turn("bob"), *turn("cat"), BeginTurn("ann"))
    ready = log.execute("f", Ready("ann", other_used=2)).number
    with pytest.raises(Refused) as error:
        log.correct("f", [Amend(ready, {"other_used": 9})])
    assert error.value.code == "exceeds_maximum"


def test_an_unnecessary_delay_is_dropped() -> None:
    log = fight(*turn("ann"), DelayTurn("rat", "bob"), *turn("bob"), *turn("rat"), *turn("cat"))
    log.correct("f", [Strike(9)])
    assert bookkeeping(log) == {10: (("order", "bob", 1),)}
    log = fight(DelayTurn("ann", "rat"), *turn("rat"), *turn("ann"), *turn("bob"), *turn("cat"))
    log.correct("f", [Amend(6, {"first": "rat"})])
    assert bookkeeping(log)[7] == (("needless", "ann", 1),)


def test_an_unused_prepared_counterattack_passes() -> None:
    prepared = turn("rat")[:1]
    log = fight(
        *turn("ann"),
        *prepared,
        PrepareCounterattack("rat"),
        *turn("bob", Attack("bob", "cat", "sword"), Resolve(12, attack_die=1)),
        *turn("cat"),
        preset="mam_speed",
    )
    log.correct("f", [Amend(12, {"target": "rat"})])
    assert bookkeeping(log) == {13: (("ended", "rat", 1),)}
    assert not void_rulings(log)


@pytest.mark.parametrize("turns", ["strict", "as_played"])
def test_bookkeeping_never_moves_an_order_forward(turns: Any) -> None:
    log = fight(*turn("ann"))
    with pytest.raises(Refused):
        log.execute("f", BeginTurn("bob"), after=8, turns=turns)


def test_the_pass_of_a_hidden_combatant_is_not_visible_to_others() -> None:
    log = CombatLog.open("sqlite://")
    joins: list[Command] = [Join(name, side=side, hp=6, weapon=(SWORD,)) for name, side in _PARTIES]
    joins[1] = Join("rat", side="foes", hp=6, weapon=(SWORD,), visibility="gm")
    rows: Sequence[Command] = (Open(), *joins, Initiative(first="ann", reason="she saw them"), *FELLED)
    log.execute_all("f", rows)
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    timeline = log.timeline("f")
    steps = _steps(play_ruling(timeline, number).bookkeeping for number in timeline.order)
    assert [step.visibility for step in steps] == ["gm"] * len(steps)
    assert len(steps) > 1
    begin = play_ruling(timeline, 11)
    assert (begin.visibility, begin.rejudged and begin.rejudged.visibility) == ("public", "gm")


def _steps(entry_groups: Iterable[tuple[BookkeepingEntry, ...]]) -> list[BookkeepingEntry]:
    return [step for steps in entry_groups for step in steps]


def test_a_reason_that_names_a_hidden_combatant_is_hidden() -> None:
    log = fight(*FELLED)
    log.execute("f", Join("zoe", side="foes", hp=4, visibility="gm"), after=6, turns="strict")
    entry = log.timeline("f").entries[15].outcome.rejudged
    assert entry
    assert ("zoe" in reason_words(entry).lower(), entry.visibility) == (True, "gm")


def test_undo_of_a_correction_with_a_rewind_undoes_both() -> None:
    log = fight(*FELLED)
    before = log.at("f")
    log.correct("f", [Amend(9, {"outcome": "fail"})])
    log.undo("f", 11, rewind=True)
    state = log.at("f")
    assert (state.round, state.next_up) == (1, "rat")
    log.undo("f")
    assert log.at("f") == before
    log.redo("f")
    assert log.at("f") == state


@pytest.mark.parametrize("turns", ["as-played", "", None, 1])
def test_every_method_refuses_an_unknown_turns_policy(turns: Any) -> None:
    log = fight(*FELLED)
    for work in (
        lambda: log.execute("f", BeginTurn("rat"), after=14, turns=turns),
        lambda: log.preview("f", [Strike(9)], turns=turns),
        lambda: log.preview_insert("f", BeginTurn("rat"), 14, turns=turns),
        lambda: log.correct("f", [Strike(9)], turns=turns),
        lambda: log.redo("f", turns=turns),
    ):
        with pytest.raises(BadInput, match=r"^turns\b.*as_played"):
            work()
    assert log.timeline("f").number == 18
    with pytest.raises(BadInput, match="Only an insert"):
        log.execute("f", BeginTurn("cat"), turns="strict")


@pytest.mark.parametrize(("gone", "order"), [(2, ("bo", "cy")), (3, ("ann", "cy")), (4, ("ann", "bo"))])
def test_leaving_a_combatant_out_of_a_roll_drops_their_dice(gone: int, order: tuple[str, ...]) -> None:
    """The dice of a tie that no longer exists stay unused: nobody rolls again."""
    with CombatLog.open("sqlite://") as log:
        dice: dict[str, tuple[int, ...]] = {"ann": (3,), "bo": (3,), "cy": (2,)}
        roll = RollInitiative(tuple(dice), dice=dice, again={"ann": (4,), "bo": (2,)}, special=("cy",))
        joined = (fighter("ann"), fighter("bo"), fighter("cy"))
        log.execute_all("fight", [Open("ron_d6", {"rd6_unbroken_tie": "reroll_tied"}), *joined, Round(), roll])
        log.undo("fight", gone)
        timeline = log.timeline("fight")
        assert timeline.state.order == order
        steps = [step.what for step in timeline.entries[6].outcome.bookkeeping(timeline.decoders)]
        assert steps == ["left_out", *(["unused"] if gone < 4 else [])]
        assert not timeline.drawn(6)
