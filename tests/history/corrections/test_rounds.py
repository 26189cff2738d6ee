"""Ron d6 in the log: corrections of one round keep the dice of the next."""

from __future__ import annotations

from random import Random

import pytest

from mam_events.commands import (
    BeginTurn,
    Close,
    Command,
    Declare,
    EndTurn,
    Incapacitate,
    Initiative,
    Interrupt,
    Join,
    Open,
    Perform,
    Recover,
    Result,
    RollInitiative,
    Round,
    SkipTurn,
    Wait,
)
from mam_events.errors import Refused
from mam_events.events import Amend, Correction
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import living_plays
from mam_events.log.combat_log import CombatLog
from mam_events.store import decoders
from mam_events.verification import verify
from tests.patrol import BRUTE, ROOK, THUG

EVERYBODY = ("rook", "thug", "brute")
TWO_ROUNDS: tuple[Command, ...] = (
    Open("ron_d6", {"rd6_unbroken_tie": "reroll_tied"}),
    ROOK,
    THUG,
    BRUTE,
    Round(),
    RollInitiative(EVERYBODY, dice={"rook": (5,), "thug": (4,), "brute": (3,)}),
    Declare("rook", 2),
    Wait("rook"),
    Declare("thug"),
    Perform("thug", "punch", target="rook", difficulty=10),
    Interrupt("rook", "dodge", against=10),
    Result(11, "failure"),
    Result(10, "success"),
    Incapacitate("rook", "knocked out", "thug"),
    Declare("brute"),
    Round(),
    RollInitiative(EVERYBODY),
    Recover("rook"),
)


def play_two_rounds(log: CombatLog) -> CombatLog:
    """Play two rounds: Rook's dodge fails in the first (rulings 11 to 14), and Rook recovers in the second."""
    for command in TWO_ROUNDS:
        log.execute("fight", command)
    return log


def faces(log: CombatLog, number: int) -> dict[str, int]:
    """Return the faces of that ruling's dice, by their keys."""
    (ruling,) = (one for one in living_plays(log.timeline("fight")) if one.number == number)
    return {die.key: die.face for event in ruling.events for die in dice_of(event)}


@pytest.mark.parametrize("number", [10, 11, 13, 14])
def test_undo_in_round_1_keeps_the_initiative_of_round_2(log: CombatLog, number: int) -> None:
    """RD6-INIT-05: redo restores everything."""
    before, state = faces(play_two_rounds(log), 17), log.at("fight")
    assert len(before) >= 3
    answer = log.undo("fight", number, by="Ana", reason="that hit should have missed")
    assert faces(log, 17) == before
    changed_rulings = {entry.ruling for entry in answer.rejudged if entry.verdict == "changed"}
    assert all(ruling < 17 for ruling in changed_rulings - {16, 18}), (
        "the round before ends otherwise, and nobody comes to"
    )
    log.redo("fight")
    assert (faces(log, 17), log.at("fight")) == (before, state)


def test_undo_of_an_interruption_keeps_the_interrupted_action(log: CombatLog) -> None:
    """RD6-ACT-04: the dodge and its result are undone together; Rook has the action again."""
    answer = play_two_rounds(log).undo("fight", 11)
    assert isinstance(answer.head, Correction)
    assert [step.ruling for step in answer.head.steps] == [11, 12]
    assert not [entry for entry in answer.rejudged if entry.verdict == "void"]
    assert log.at("fight", 13).combatants["rook"].actions.left == 1


def test_undo_of_an_action_voids_its_interruption(log: CombatLog) -> None:
    """RD6-ACT-04: the interruption is void because of the action, its result because of the interruption."""
    answer = play_two_rounds(log).undo("fight", 10)
    assert {entry.ruling: entry.because for entry in answer.rejudged if entry.verdict == "void"} == {11: 10, 12: 11}
    recovers = log.timeline("fight").entries[18].outcome
    assert [step.what for step in recovers.bookkeeping(decoders())] == ["needless"]


def test_undo_of_the_beginning_of_a_round_or_turn_needs_rewind(log: CombatLog) -> None:
    play_two_rounds(log)
    for number in (5, 6, 7, 16, 17):
        with pytest.raises(Refused) as error:
            log.undo("fight", number)
        assert error.value.code == "needs_rewind"
    log.undo("fight", 16, rewind=True)
    assert log.at("fight").round == 1


def test_amending_a_dice_code_keeps_the_drawn_faces(log: CombatLog) -> None:
    """The wild die has its own key, so it stays the wild die."""
    before = faces(play_two_rounds(log), 10)
    log.correct("fight", [Amend(10, {"code": "2D"})])
    after = faces(log, 10)
    assert after.items() <= before.items()
    assert {key for key in after if "-wild" in key} == {key for key in before if "-wild" in key}
    assert len(after) < len(before)


def test_every_drawn_die_is_verified_after_the_seed_is_revealed() -> None:
    with CombatLog.open("sqlite://", entropy=Random(2).randbytes) as log:
        play_two_rounds(log).execute("fight", Close())
        verification = verify(log.application.rows("fight"))
        assert verification.proven == verification.drawn >= 10


def test_undo_of_the_newest_insert_needs_no_rewind(log: CombatLog) -> None:
    """Redo is the inverse of undo for the newest ruling, wherever it stands."""
    before = play_two_rounds(log).at("fight")
    log.execute("fight", SkipTurn("brute"), after=14)
    assert log.at("fight", 15).combatants["brute"].actions.declared == 0
    log.undo("fight")
    assert log.at("fight") == before


def test_a_combatant_who_joins_between_rounds_acts_in_seat_order(log: CombatLog) -> None:
    """MAM-ORDER-05: nobody has a turn left in a round that is over."""
    turns = [order for combatant in ("ana", "bo") for order in (BeginTurn(combatant), EndTurn(combatant))]
    joins = [Join(name, side="a", hp=4) for name in ("ana", "bo", "cy")]
    for order in (Open(), *joins[:2], Initiative(first="ana", reason="so"), *turns, joins[2]):
        log.execute("pools", order)
    state = log.at("pools")
    assert (state.round, state.round_open, state.next_up, state.due) == (1, False, "ana", ("ana", "bo", "cy"))
