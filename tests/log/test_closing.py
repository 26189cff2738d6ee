"""Closings: the seed that they reveal, and the new seed of a fight whose closing is undone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Attack, BeginTurn, Close, Command, Initiative, Interfere, Join, Open, Resolve
from mam_events.errors import Refused
from mam_events.events import Amend, Branch, EncounterClosed, Play
from mam_events.history.seed import commitment_of, draw, seed_of
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer
from mam_events.store import decoders
from mam_events.verification import Verification, judge_again, revealed_elsewhere, verify
from tests.fights.tables import Table

FIGHT = "fight"


def verify_log(log: CombatLog, encounter: str = FIGHT) -> Verification:
    """Check the seals, the dice and the rules, and read the log as a new process does."""
    rows = log.application.rows(encounter)
    judge_again(rows, log.rules)
    assert Timeline(decoders(), rows).states == log.timeline(encounter).states
    seed = log.application.seeds.get(encounter)
    return verify(rows, seed=seed, revealed=revealed_elsewhere(log.application.recorder, rows))


def give(log: CombatLog, *commands: Command) -> Answer:
    answers = [log.execute(FIGHT, command) for command in commands]
    return answers[-1]


def attack(log: CombatLog, encounter: str = FIGHT) -> Answer:
    """Attack, with both dice drawn."""
    number = log.execute(encounter, Attack("ana", "bo", modifier=1)).number
    return log.execute(encounter, Resolve(number))


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Play a fight in the log in which two dice are drawn."""
    give(log, Open(), Join("ana", hp=6), Join("bo", hp=6), Initiative(first="ana", reason="quick"), BeginTurn("ana"))
    attack(log)
    return log


def seed_in(log: CombatLog) -> bytes:
    secret = log.application.seeds.get(FIGHT)
    assert secret
    return seed_of(secret)


def faces(answer: Answer) -> dict[str, int]:
    return {die.key: die.face for event in answer.events for die in dice_of(event) if die.source == "drawn"}


def test_an_undone_closing_commits_to_a_new_seed_before_the_next_die(log: CombatLog) -> None:
    first = seed_in(log)
    give(log, Close())
    log.undo(FIGHT)
    answer = attack(log)
    lead, second = log.timeline(FIGHT).heads[-2], seed_in(log)
    assert isinstance(lead, Branch)
    assert (lead.commitment, lead.parent, lead.seed) == (commitment_of(second), "", "")
    assert second != first
    assert faces(answer) == {key: draw(second, (), key) for key in faces(answer)}
    assert attack(log).number == answer.number + 2, "committed to once"
    verification = verify_log(log)
    assert (verification.drawn, verification.proven, verification.before) == (6, 2, 0)
    closed = give(log, Close()).events[0]
    assert isinstance(closed, EncounterClosed)
    assert closed.seed == second.hex()
    verification = verify_log(log)
    assert (verification.drawn, verification.proven, verification.closed) == (6, 6, True)


def test_refused_and_previewed_orders_after_an_undone_closing_do_not_commit(log: CombatLog) -> None:
    give(log, Close())
    log.undo(FIGHT)
    number = give(log, Attack("ana", "bo", modifier=1)).number
    with pytest.raises(Refused, match="no face 77"):
        give(log, Resolve(number, attack_die=77))
    assert log.preview(FIGHT, [Amend(7, {"attack_die": 3}), Amend(number, {"modifier": 2})]).state is not None
    assert log.timeline(FIGHT).number == number
    assert not log.timeline(FIGHT).branches


def test_a_correction_of_a_closed_fight_draws_no_die(log: CombatLog) -> None:
    number = give(log, Attack("ana", "bo", modifier=1)).number
    give(log, Resolve(number, 3, 4), Close())
    with pytest.raises(Refused, match="fight is closed, so no more dice are drawn") as error:
        log.correct(FIGHT, [Amend(number + 1, {"attack_die": None})])
    assert error.value.code == "no_draw"
    log.undo(FIGHT)
    log.correct(FIGHT, [Amend(number + 1, {"attack_die": None})])
    log.redo(FIGHT, number + 3)
    with pytest.raises(Refused) as error:
        log.correct(FIGHT, [Amend(number + 1, {"defense_die": None})])
    assert error.value.code == "no_draw"
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (3, 3)


def test_a_redone_closing_reveals_the_newest_seed(log: CombatLog) -> None:
    give(log, Close())
    undo = log.undo(FIGHT).number
    attack(log)
    second = seed_in(log)
    answer = log.redo(FIGHT, undo)
    assert log.at(FIGHT).status == "closed"
    lead = log.timeline(FIGHT).heads[answer.number - 2]
    assert isinstance(lead, Branch)
    assert lead.seed == second.hex()
    assert lead.commitment == commitment_of(seed_in(log))
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (4, 4)
    # No die was drawn from the newest seed, so there is nothing to reveal.
    number = log.undo(FIGHT, undo - 1).number
    assert log.redo(FIGHT).number == number + 1
    log.undo(FIGHT, undo - 1)
    assert attack(log).number == number + 4, "the newest seed is still a secret"
    give(log, Close())
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (6, 6)


def test_repeated_closing_and_undo_commits_only_if_a_die_is_drawn(log: CombatLog) -> None:
    for _ in range(3):
        give(log, Close())
        log.undo(FIGHT)
        log.redo(FIGHT)
        log.undo(FIGHT)
    assert not log.timeline(FIGHT).branches
    attack(log)
    for _ in range(3):
        give(log, Close())
        log.undo(FIGHT)
    attack(log)
    assert len(log.timeline(FIGHT).branches) == 2
    give(log, Close())
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (6, 6)


def test_a_branch_after_an_undone_closing_draws_its_own_dice(log: CombatLog) -> None:
    give(log, Close())
    log.undo(FIGHT)
    attack(log)
    log.branch(FIGHT, "other")
    attack(log, "other")
    log.execute("other", Close())
    verification = verify_log(log, "other")
    assert (verification.drawn, verification.proven, verification.before) == (6, 4, 2)
    give(log, Close())
    verification = verify_log(log, "other")
    assert (verification.drawn, verification.proven, verification.before) == (6, 6, 0)


def test_an_imported_fight_that_is_reopened_commits_to_a_new_seed(log: CombatLog) -> None:
    give(log, Close())
    other_log = CombatLog.open("sqlite://", entropy=Random(9).randbytes)
    import_ndjson(other_log, export_ndjson(log, FIGHT))
    other_log.undo(FIGHT)
    attack(other_log)
    give(other_log, Close())
    assert verify_log(other_log).proven == 4
    import_ndjson(log, export_ndjson(other_log, FIGHT))
    log.undo(FIGHT)
    attack(log)
    give(log, Close())
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (6, 6)


def test_a_ruling_is_judged_with_the_dice_available_when_it_was_written(log: CombatLog) -> None:
    """A die drawn after the closing was undone did not exist when the fight was closed."""
    give(log, Join("cy", hp=9))
    number = give(log, Attack("ana", "bo", modifier=1)).number
    give(log, Resolve(number, 3, 2), Close())
    inserted = log.execute(FIGHT, Interfere("cy", number, number, points=1), after=number).number
    void = log.timeline(FIGHT).entries[number + 1].outcome.rejudged
    assert void
    assert void.code == "no_draw"
    log.undo(FIGHT, number + 2)
    log.undo(FIGHT, inserted)
    log.redo(FIGHT)
    assert [*log.timeline(FIGHT).drawn(number + 1)] == [f"{number + 1}/interference-{inserted}.cy/0/d6"]
    give(log, Close())
    verification = verify_log(log)
    assert (verification.drawn, verification.proven) == (3, 3)


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_a_fight_closed_and_reopened_at_random_verifies_after_closing(seed: int) -> None:
    random = Random(seed)
    table = Table(random, secrets=False)
    for _ in range(40):
        if random.random() < 0.1:
            table.order(Close())
        elif table.log.at(FIGHT).status == "closed" and random.random() < 0.7:
            table.undo()
        else:
            table.step()
    log = table.log
    verify_log(log)
    if log.at(FIGHT).status == "open":
        give(log, Close())
    verification = verify_log(log)
    plays = [head for head in log.timeline(FIGHT).heads if isinstance(head, Play)]
    assert plays
    assert verification.proven == verification.drawn
