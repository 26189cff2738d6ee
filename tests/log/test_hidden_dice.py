"""Hidden dice: each has a salt, so that the revealed seed does not reveal them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Attack, BeginTurn, Check, Close, Initiative, Join, Open, Resolve
from mam_events.dice import Die, read_key
from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.history.seed import draw, salt_of_die
from mam_events.history.timeline.entries import dice_of
from mam_events.log.combat_log import CombatLog
from mam_events.store import build_events
from mam_events.verification import verify, verify_export
from tests.verification.forge import resealed

FIGHT = "fight"


@pytest.fixture
def log() -> Iterator[CombatLog]:
    with CombatLog.open("sqlite://", entropy=Random(1).randbytes) as log:
        for command in (Open(), Join("ana", hp=9), Join("bo", hp=9), Initiative(first="ana", reason="x")):
            log.execute(FIGHT, command)
        log.execute(FIGHT, BeginTurn("ana"))
        yield log


def draw_die(log: CombatLog, visibility: str = "gm") -> Die:
    answer = log.execute(FIGHT, Check("bo", "easy", visibility=visibility))
    return next(die for event in answer.events for die in dice_of(event))


def attacked(log: CombatLog) -> list[Die]:
    exchange = log.execute(FIGHT, Attack("ana", "bo", modifier=1)).number
    return [die for event in log.execute(FIGHT, Resolve(exchange)).events for die in dice_of(event)]


def revealed(log: CombatLog) -> bytes:
    return bytes.fromhex(log.execute(FIGHT, Close()).events[0].seed)  # type: ignore[attr-defined]


def test_the_revealed_seed_does_not_reveal_hidden_dice(log: CombatLog) -> None:
    hidden = [draw_die(log) for _ in range(60)]
    seed = revealed(log)
    guessed = [draw(seed, (), die.key) == die.face for die in hidden]
    assert sum(guessed) < len(hidden) / 2, "no more than chance gives"
    assert all(draw(seed, (), die.key, die.salt) == die.face for die in hidden)
    assert len({die.salt for die in hidden}) == len(hidden)


def test_a_public_export_has_no_salt_of_a_hidden_ruling(log: CombatLog) -> None:
    hidden = [draw_die(log) for _ in range(3)]
    log.execute(FIGHT, Close())
    shipped = b"".join(export_ndjson(log, FIGHT, view="public"))
    assert not [die for die in hidden if die.salt.encode() in shipped]
    assert verify_export(export_ndjson(log, FIGHT, view="public")).revealed


def test_the_game_masters_export_verifies_hidden_dice(log: CombatLog) -> None:
    open_dice, hidden = attacked(log), [draw_die(log), *attacked(log)]
    log.execute(FIGHT, Close())
    verification = verify_export(export_ndjson(log, FIGHT))
    assert verification.drawn == len(open_dice) + len(hidden)
    assert (verification.proven, verification.salted) == (len(open_dice), len(hidden)), "no commitment binds a salt"
    with CombatLog.open("sqlite://") as other:
        import_ndjson(other, export_ndjson(log, FIGHT))
        assert verify(other.application.rows(FIGHT)).proven == verification.proven


def test_all_dice_are_salted_after_the_first_hidden_ruling(log: CombatLog) -> None:
    assert not any(die.salt for die in attacked(log))
    log.note(FIGHT, "the trap is armed", visibility="gm")
    assert all(die.salt for die in attacked(log)), "a roll is to others as a note"


def test_the_first_hidden_roll_of_a_fight_is_salted(log: CombatLog) -> None:
    assert draw_die(log).salt


def test_a_roll_inserted_or_amended_as_hidden_is_salted(log: CombatLog) -> None:
    inserted_answer = log.execute(FIGHT, Check("bo", "easy", visibility="gm"), after=5)
    assert all(die.salt for event in inserted_answer.events for die in dice_of(event))
    with CombatLog.open("sqlite://", entropy=Random(2).randbytes) as other:
        for command in (Open(), Join("ana", hp=9), Join("bo", hp=9), Initiative(first="ana", reason="x")):
            other.execute(FIGHT, command)
        other.execute(FIGHT, Check("bo", "easy", die=4))
        answer = other.correct(FIGHT, [Amend(5, {"visibility": "gm", "die": None})])
        dice = [die for entry in answer.rejudged for event in entry.events for die in dice_of(event)]
        assert [bool(die.salt) for die in dice] == [True]


def test_redo_draws_the_same_die_with_the_same_salt(log: CombatLog) -> None:
    first = draw_die(log)
    number = read_key(first.key).ruling
    log.undo(FIGHT, number)
    log.redo(FIGHT)
    ruling = log.timeline(FIGHT).entries[number]
    assert [die for event in ruling.outcome.events(log.timeline(FIGHT).decoders) for die in dice_of(event)] == [first]


@pytest.mark.parametrize("forged_salt", ["00" * 16, "", "beef"])
def test_an_altered_salt_is_found(log: CombatLog, forged_salt: str) -> None:
    # At least one of several dice shows another face with another salt.
    salts = {draw_die(log).salt for _ in range(9)}
    log.execute(FIGHT, Close())
    rows = log.application.rows(FIGHT)
    changed_rows = [
        (version, topic, re.sub(b"|".join(map(str.encode, salts)), forged_salt.encode(), state))
        for version, topic, state in rows
    ]
    with pytest.raises((VerificationFailed, StoreUnusable)):
        verify(resealed(changed_rows))


def test_a_thrown_die_has_no_salt(log: CombatLog) -> None:
    log.execute(FIGHT, Check("bo", "easy", die=4))
    rows = log.application.rows(FIGHT)
    salted = [
        (version, topic, state.replace(b'"thrown"', b'"thrown","salt":"%s"' % (b"00" * 16)))
        for version, topic, state in rows
    ]
    assert salted != rows
    with pytest.raises(VerificationFailed, match="with a salt"):
        verify(resealed(salted))


def test_a_seed_without_its_second_half_is_refused(log: CombatLog) -> None:
    secret = log.application.seeds.get(FIGHT)
    assert secret is not None
    with pytest.raises(ValueError, match="64 bytes"):
        log.application.save(*build_events("other", log.application.rows(FIGHT)), seed=secret[:32])
    with pytest.raises(VerificationFailed):
        verify(log.application.rows(FIGHT), seed=secret[:32])
    assert verify(log.application.rows(FIGHT), seed=secret)


def test_a_salt_depends_only_on_the_half_that_is_never_revealed() -> None:
    seed, other, never = bytes(32), b"\1" * 32, b"\2" * 32
    salt = salt_of_die(seed + never, "5/check.bo/0/d20")
    assert salt == salt_of_die(other + never, "5/check.bo/0/d20")
    assert (
        len({salt, salt_of_die(seed + other, "5/check.bo/0/d20"), salt_of_die(seed + never, "6/check.bo/0/d20")}) == 3
    )


def test_a_rejudged_die_keeps_its_salt(log: CombatLog) -> None:
    log.note(FIGHT, "the trap is armed", visibility="gm")
    draw_die(log, "public")
    log.correct(FIGHT, [Amend(7, {"difficulty": "hard"})])
    rows = log.application.rows(FIGHT)
    assert verify(rows).drawn == 1
    again = max(row[0] for row in rows if b'"salt":"' in row[2] and b'"7/' in row[2])
    forged_rows = [
        (version, topic, re.sub(rb'"salt":"[0-9a-f]{32}"', b'"salt":"%s"' % (b"00" * 16), state))
        if version == again
        else (version, topic, state)
        for version, topic, state in rows
    ]
    with pytest.raises(VerificationFailed, match="another salt"):
        verify(resealed(forged_rows))
