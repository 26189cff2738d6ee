from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import Adjust, Attack, BeginTurn, EndTurn, Initiative, Join, Open, Resolve
from mam_events.errors import BadInput, VerificationFailed
from mam_events.events import Amend
from mam_events.fights import play, read_fight
from mam_events.log.combat_log import CombatLog
from mam_events.verification import Verification, verify
from tests.fights.corpus import SEEDS, Corpus
from tests.fights.tables import play_random_fight
from tests.verification.forge import (
    Row,
    change_kind,
    edited,
    resealed,
    ruling_of,
    set_to,
    version_of,
)


def test_an_unchanged_log_passes_verification(log: CombatLog, rows: list[Row]) -> None:
    seal = log.timeline("fight").seal
    assert verify(rows, seals=[seal]) == Verification(rulings=23, rows=len(rows), seal=seal, committed=True)


@given(SEEDS)
def test_every_random_fight_passes_verification(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    verification = verify(log.application.rows(encounter))
    assert (verification.rulings, verification.seal) == (log.timeline(encounter).number, log.timeline(encounter).seal)
    assert verification.hidden == 0
    if log.at(encounter).status == "closed":
        assert verification.revealed
        assert verification.proven + verification.salted == verification.drawn


@given(st.integers(0, 2**32))
def test_one_changed_byte_is_detected_and_its_ruling_named(seed: int) -> None:
    random = Random(seed)
    log, encounter = play_random_fight(random, steps=15)
    rows = log.application.rows(encounter)
    at = random.randrange(len(rows))
    version, topic, state = rows[at]
    place = random.randrange(len(state))
    rows[at] = (version, topic, state[:place] + bytes([state[place] ^ 1 << random.randrange(8)]) + state[place + 1 :])
    with pytest.raises(VerificationFailed, match=rf"[Rr]uling {ruling_of(log.application.rows(encounter), version)}\b"):
        verify(rows)


def payload(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 17, "WoundInflicted"), set_to(damage=1))


def dropped_field(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 17, "AttackResolved"), lambda state: state.pop("why"))


def newer_kind(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 10, "TurnStarted") - 1
    return [*rows[:at], (rows[at][0], "TurnStarted.2", rows[at][2]), *rows[at + 1 :]]


def back_dated(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 12), set_to(at="2001-01-01T00:00:00.000Z"))


def other_author(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 22), set_to(by="Bob"))


def other_reason(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 22), set_to(reason="just so"))


def other_seal(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 9), set_to(seal="0" * 64))


def first_seal(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, 1, set_to(seal="0" * 64))


def newest(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, len(rows), set_to(text="it was ten metres"))


def order_of_two(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 8, "AttackRolled") - 1
    one, other = rows[at], rows[at + 1]
    return [*rows[:at], (one[0], other[1], other[2]), (other[0], one[1], one[2]), *rows[at + 2 :]]


@pytest.mark.parametrize(
    ("forge", "ruling"),
    [
        (payload, 17),
        (dropped_field, 17),
        (change_kind, 10),
        (newer_kind, 10),
        (back_dated, 12),
        (other_author, 22),
        (other_reason, 22),
        (other_seal, 9),
        (first_seal, 1),
        (order_of_two, 8),
        (newest, 23),
    ],
)
def test_a_change_in_place_is_detected_and_its_ruling_named(
    rows: list[Row], forge: Callable[[Sequence[Row]], list[Row]], ruling: int
) -> None:
    with pytest.raises(VerificationFailed, match=rf"^Ruling {ruling} was altered after it was sealed"):
        verify(forge(rows))


@pytest.mark.parametrize("field", ["ruling", "seal"])
@pytest.mark.parametrize("ruling", [12, 23])
def test_a_head_without_its_number_or_seal_is_not_read_as_an_event(rows: list[Row], ruling: int, field: str) -> None:
    forged_rows = edited(rows, version_of(rows, ruling), lambda state: state.pop(field))
    with pytest.raises(VerificationFailed, match=rf"^Ruling {ruling} was altered"):
        verify(forged_rows)


def test_a_missing_inserted_or_moved_row_is_detected(rows: list[Row]) -> None:
    at = version_of(rows, 11, "ReadyPoolRefreshed") - 1
    row = rows[at]
    deleted = [*rows[:at], *rows[at + 1 :]]
    inserted_rows = [*rows[:at], row, *rows[at:]]
    swapped_rows = [*rows[:at], rows[at + 1], row, *rows[at + 2 :]]
    for forged_rows in (deleted, inserted_rows, swapped_rows):
        with pytest.raises(VerificationFailed, match=r"belongs, in or after ruling 11: rows were"):
            verify(forged_rows)
    for forged_rows in (deleted, inserted_rows, swapped_rows):
        numbered_rows = [(version, topic, state) for version, (_, topic, state) in enumerate(forged_rows, start=1)]
        with pytest.raises(VerificationFailed, match=r"Ruling 1[12] "):
            verify(numbered_rows)


def test_a_missing_or_duplicate_ruling_is_detected(rows: list[Row]) -> None:
    start, end = version_of(rows, 14) - 1, version_of(rows, 15) - 1
    missing = [*rows[:start], *rows[end:]]
    second_rows = [*rows[:end], *rows[start:]]
    for forged_rows, number in ((missing, 15), (second_rows, 14)):
        numbered_rows = [(version, topic, state) for version, (_, topic, state) in enumerate(forged_rows, start=1)]
        with pytest.raises(VerificationFailed, match=f"Ruling {number} stands where ruling {number - 1 or 1}|belongs"):
            verify(numbered_rows)
    with pytest.raises(VerificationFailed, match="does not begin with the head of ruling 1"):
        verify(resealed(rows[1:]))
    with pytest.raises(VerificationFailed, match="This encounter is empty"):
        verify([])


def test_a_truncated_log_is_detected_only_by_a_noted_seal(log: CombatLog, rows: list[Row]) -> None:
    noted = log.timeline("fight").seal
    cut_rows = rows[: version_of(rows, 22) - 1]
    assert verify(cut_rows).rulings == 21
    with pytest.raises(VerificationFailed, match="No ruling of this log has the noted seal"):
        verify(cut_rows, seals=[noted])


def test_an_early_noted_seal_is_still_found(log: CombatLog, rows: list[Row]) -> None:
    noted = log.timeline("fight", as_of=12).seal
    assert verify(rows, seals=[noted]).rulings == 23
    assert verify(rows, seals=[f" {noted.upper()}\n"]).rulings == 23
    with pytest.raises(BadInput, match="64 hexadecimal digits"):
        verify(rows, seals=[noted[:12]])


def test_a_rewritten_and_resealed_log_is_detected_by_a_noted_seal(log: CombatLog, rows: list[Row]) -> None:
    noted = log.timeline("fight").seal
    forged_rows = resealed(other_author(rows))
    assert verify(forged_rows).rulings == 23
    with pytest.raises(VerificationFailed, match="its past was rewritten"):
        verify(forged_rows, seals=[noted])


@pytest.fixture
def secret(log: CombatLog) -> list[Row]:
    """Play a fight in which a hidden combatant (3) is attacked (6), and return the rows.

    Ruling 8 is a note on the attack, and 9 amends it.
    """
    text = """
        combatants = [ { id = "a", hp = 6 }, { id = "b", hp = 6, visibility = "gm" } ]
        commands = [
            { do = "initiative", first = "a", reason = "he is awake" },   # 4
            { do = "begin-turn", combatant = "a" },                       # 5
            { do = "attack", attacker = "a", target = "b", power = 1 },   # 6
            { do = "resolve", attack_die = 5, defense_die = 2 },                 # 7
        ]
    """
    play(log, read_fight(text), "secret")
    log.note("secret", "a good blow", about=6)
    log.correct("secret", [Amend(6, {"modifier": 1})])
    return log.application.rows("secret")


@pytest.mark.parametrize("at", ["", "yesterday", "2026-01-01", "2026-01-01T20:00:00", "2026-01-01T20:00:00+01:00"])
def test_the_time_of_a_ruling_must_be_in_utc(rows: list[Row], at: str) -> None:
    forged_rows = resealed(edited(rows, version_of(rows, 22), set_to(at=at)))
    with pytest.raises(VerificationFailed, match=r"Ruling 22 was given at .* no time in UTC"):
        verify(forged_rows)


@pytest.mark.parametrize(
    ("ruling", "topic", "edit", "text"),
    [
        (5, "", set_to(visibility="nobody-at-all"), "no view"),
        (3, "CombatantJoined", lambda event: event["combatant"].update(visibility="nobody"), "no view"),
        (9, "RulingRejudged", set_to(visibility="", salt=""), "no view"),
        (3, "", set_to(visibility="public", salt=""), "is visible to more"),
        (3, "", set_to(visibility="side:b"), "is visible to more"),
        (8, "", set_to(visibility="public", salt=""), "is visible to more"),
        (9, "", set_to(visibility="public", salt=""), "is visible to more"),
        (9, "RulingRejudged", set_to(visibility="public", salt=""), "is visible to more"),
        (3, "", set_to(salt=""), "no salt"),
        (6, "", set_to(salt="ab"), "no salt"),
        (9, "RulingRejudged", set_to(salt=""), "no salt"),
        (1, "", set_to(salt="ab" * 16), "no salt"),
    ],
)
def test_the_visibility_of_a_ruling_is_valid_and_not_too_wide(
    secret: list[Row], ruling: int, topic: str, edit: Callable[[dict[str, Any]], object], text: str
) -> None:
    assert verify(secret).rulings == 9
    forged_rows = resealed(edited(secret, version_of(secret, ruling, topic), edit))
    with pytest.raises(VerificationFailed, match=f"Ruling {ruling} .*{text}"):
        verify(forged_rows)


def test_an_empty_turn_is_no_forgery(log: CombatLog, rows: list[Row]) -> None:
    assert rows
    log.execute("fight", Adjust("a pause", turn="-"))
    assert verify(log.application.rows("fight")).rulings == 24


@pytest.mark.parametrize("text", ["Bob\u202e", "Bob\x07", "Bob\n"])
def test_control_characters_in_a_log_are_detected(rows: list[Row], text: str) -> None:
    forged_rows = resealed(edited(rows, version_of(rows, 22), set_to(by=text)))
    with pytest.raises(VerificationFailed, match=r"Row [0-9]+ \(ruling 22\) holds control characters"):
        verify(forged_rows)


def test_points_are_checked_after_an_undone_ruling(log: CombatLog) -> None:
    for command in (Open(), Join("ana", hp=9), Join("bo", hp=9), Initiative(first="ana", reason="x"), BeginTurn("ana")):
        log.execute("fight", command)
    log.execute("fight", Attack("ana", "bo", power=1))
    log.execute("fight", Resolve(6, 3, 3))
    log.execute("fight", EndTurn("ana"))
    log.undo("fight")
    log.correct("fight", [Amend(6, {"power": 2})])
    rows = log.application.rows("fight")
    version = next(row[0] for row in reversed(rows) if row[1].startswith("HitPointsSpent"))
    forged_rows = edited(rows, version, lambda state: state["pools"].update(ready=99))
    with pytest.raises(VerificationFailed, match="the points of"):
        verify(resealed(forged_rows))
