"""Dice: committed to before the first, drawn from the seed by key, unchanged by undo, and verifiable by anyone."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from mam_events.commands import Attack, BeginTurn, Close, EndTurn, Initiative, Interfere, Join, Open, Resolve
from mam_events.dice import read_key
from mam_events.errors import Refused, VerificationFailed
from mam_events.events import Amend, AttackRolled, EncounterClosed, EncounterOpened
from mam_events.history.seed import commitment_of, draw, seed_of
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import living_plays, play_ruling
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify


def begin(log: CombatLog, encounter: str = "fight", word: str = "") -> None:
    for command in (
        Open(word="the game master's"),
        Join("ana", hp=6, word=word),
        Join("bo", hp=6),
        Initiative(first="ana", reason="she jumped up"),
        BeginTurn("ana"),
    ):
        log.execute(encounter, command)


def attack(log: CombatLog, encounter: str = "fight") -> list[int]:
    exchange = log.execute(encounter, Attack("ana", "bo", modifier=1)).number
    answer = log.execute(encounter, Resolve(exchange))
    return [die.face for event in answer.events for die in dice_of(event)]


def test_the_first_event_commits_to_a_seed_that_is_not_in_the_log(log: CombatLog) -> None:
    begin(log)
    attack(log)
    secret = log.application.seeds.get("fight")
    assert secret is not None
    seed = seed_of(secret)
    (opened,) = next(living_plays(log.timeline("fight"))).events
    assert isinstance(opened, EncounterOpened)
    assert opened.commitment == commitment_of(seed) == hashlib.sha256(seed).hexdigest()
    everything = b"".join(state for _, _, state in log.application.rows("fight"))
    for half in (seed, secret[len(seed) :]):
        assert half not in everything
        assert half.hex().encode() not in everything


def test_only_the_amended_one_of_several_dice_is_marked(log: CombatLog) -> None:
    joined = (Join(name, hp=9) for name in ("ana", "bo", "cy", "dan"))
    declarations = (Attack("ana", "bo", power=1), Interfere("cy", 8, 8, points=1), Interfere("dan", 8, 8, points=1))
    opening = (Initiative(first="ana", reason="she is quick"), BeginTurn("ana"))
    log.execute_all("fight", [Open(), *joined, *opening, *declarations, Resolve(8, 3, 2, {"9": 3, "10": 4})])
    log.correct("fight", [Amend(11, {"interference_die": {"9": 3, "10": 6}})])
    events = play_ruling(log.timeline("fight"), 11).events
    sources = {read_key(die.key).role: (die.face, die.source) for event in events for die in dice_of(event)}
    assert (sources["interference-9"], sources["interference-10"]) == ((3, "thrown"), (6, "amended"))


def test_closing_reveals_the_seed_and_every_drawn_die_can_be_verified(log: CombatLog) -> None:
    begin(log, word="ana's own word")
    attack(log)
    attack(log)
    closed = log.execute("fight", Close()).events[0]
    assert isinstance(closed, EncounterClosed)
    seed = bytes.fromhex(closed.seed)
    words = ["the game master's", "ana's own word"]
    dice = [die for ruling in living_plays(log.timeline("fight")) for event in ruling.events for die in dice_of(event)]
    assert len(dice) == 4
    for die in dice:
        assert die.source == "drawn"
        assert die.face == draw(seed, words, die.key)


def test_a_drawn_face_is_the_hmac_of_words_and_key() -> None:
    seed, words, key = bytes(range(32)), ["a", "b"], "17/attack.modre/0/d6"
    message = b"\0\0\0\1a\0\0\0\1b" + key.encode()
    block = hmac.new(seed, message, "sha256").digest()
    first = next(byte for byte in block if byte < 252)
    assert draw(seed, words, key) == first % 6 + 1
    assert draw(seed, ["ab"], key) in range(1, 7)
    assert len({draw(seed, words, f"{n}/attack.modre/0/d20") for n in range(400)}) == 20


def test_drawn_faces_are_distributed_like_a_fair_die() -> None:
    rolls = 60_000
    counts = Counter(draw(b"\7" * 32, (), f"{n}/attack.modre/0/d6") for n in range(rolls))
    chi_square = sum((counts[face] - rolls / 6) ** 2 / (rolls / 6) for face in range(1, 7))
    assert chi_square < 20.5, "beyond what one fair die in a thousand shows (5 degrees of freedom)"


def test_undo_and_redo_change_no_die(log: CombatLog) -> None:
    begin(log)
    first, second = attack(log), attack(log)
    log.undo("fight", 6)
    log.redo("fight")
    dice = [
        die.face for ruling in living_plays(log.timeline("fight")) for event in ruling.events for die in dice_of(event)
    ]
    assert dice == [*first, *second]


def test_a_thrown_die_is_marked_as_thrown(log: CombatLog) -> None:
    begin(log)
    exchange = log.execute("fight", Attack("ana", "bo", modifier=1)).number
    events = log.execute("fight", Resolve(exchange, attack_die=6)).events
    assert isinstance(events[0], AttackRolled)
    assert (events[0].die and events[0].die.face) == 6
    assert [die.source for event in events for die in dice_of(event)] == ["thrown", "drawn"]


@pytest.mark.parametrize("face", [7, 20, 100])
def test_an_impossible_face_is_refused(log: CombatLog, face: int) -> None:
    begin(log)
    exchange = log.execute("fight", Attack("ana", "bo", modifier=1)).number
    with pytest.raises(Refused) as error:
        log.execute("fight", Resolve(exchange, attack_die=face))
    assert (error.value.code, error.value.fields) == ("impossible_face", ("attack_die",))
    assert "1 to 6" in error.value.sentence


def test_two_fights_draw_different_faces(tmp_path: Path) -> None:
    log = CombatLog.open(tmp_path / "two.db")
    for encounter in ("one", "two"):
        begin(log, encounter)
    assert log.application.seeds.get("one") != log.application.seeds.get("two")
    faces = [[face for _ in range(3) for face in attack(log, encounter)] for encounter in ("one", "two")]
    assert all(1 <= face <= 6 for fight in faces for face in fight)


def test_no_refusal_depends_on_a_die_to_be_drawn(tmp_path: Path) -> None:
    """The error is the same for every seed: ties need all dice or none, and a preview stops at the die."""
    messages = set()
    for n in range(12):
        with CombatLog.open(tmp_path / f"{n}.db", entropy=lambda size, n=n: bytes([n]) * size) as log:
            log.execute_all("fight", [Open(), Join("ana", hp=6), Join("bo", hp=6)])
            for face in range(1, 7):
                with pytest.raises(Refused) as tie:
                    log.execute("fight", Initiative(tie_die={"ana": face}))
                messages.add((tie.value.code, tie.value.sentence))
            log.execute("fight", Initiative(first="ana", reason="she is quick"))
            log.execute("fight", BeginTurn("ana"))
            log.execute("fight", Attack("ana", "bo", modifier=3))
            log.execute("fight", Resolve(6, attack_die=1, defense_die=6))
            log.execute("fight", EndTurn("ana"))
            mended = [Amend(7, {"attack_die": None, "defense_die": None}), Amend(8, {"reason": "x"})]
            messages.add(("open", log.preview("fight", mended).rejudged[0].undrawn))
    assert messages == {
        ("dice_missing", "The die for bo is missing. Give dice for all who tie, or for none."),
        ("open", "7/attack.ana/0/d6"),
    }


def change_seeds(path: Path, statement: str, *values: object) -> None:
    """Change the seeds in a store, as anyone with write access can."""
    with sqlite3.connect(path) as store:
        store.execute(statement, values)
    store.close()


@pytest.mark.parametrize("other", [bytes(64), bytes(32), b"", "no bytes at all"])
def test_a_replaced_seed_is_never_used_revealed_or_verified(log: CombatLog, path: Path, other: object) -> None:
    begin(log)
    attack(log)
    exchange = log.execute("fight", Attack("ana", "bo", modifier=1)).number
    change_seeds(path, "UPDATE seeds SET seed = ?", other)
    with CombatLog.open(path) as second_log:
        for order in (Resolve(exchange), Close()):
            with pytest.raises(VerificationFailed, match="Somebody replaced the dice seed"):
                second_log.execute("fight", order)
        answer = second_log.execute("fight", Resolve(exchange, attack_die=6, defense_die=1))
        assert second_log.timeline("fight").number == answer.number == exchange + 1
        rows = second_log.application.rows("fight")
        assert verify(rows).drawn == 2
        with pytest.raises(VerificationFailed, match="Somebody replaced the dice seed"):
            verify(rows, seed=second_log.application.seeds.get("fight"))


def test_a_fight_without_its_seed_is_closed_without_one(log: CombatLog, path: Path) -> None:
    begin(log)
    attack(log)
    change_seeds(path, "DELETE FROM seeds")
    with CombatLog.open(path) as second_log:
        second_log.execute("fight", Close())
        verification = verify(second_log.application.rows("fight"), seed=second_log.application.seeds.get("fight"))
    assert (verification.drawn, verification.proven, verification.revealed, verification.closed) == (2, 0, False, True)
