"""Dice, disputes and rows that were changed and resealed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.fights import play, read_fight
from mam_events.history.timeline.command_ids import stored_id
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify
from tests.verification.forge import (
    Row,
    drawn_fight,
    edited,
    resealed,
    row_json,
    set_to,
    version_of,
)


@pytest.fixture
def drawn(log: CombatLog) -> list[Row]:
    return drawn_fight(log, "drawn")


def test_two_rulings_with_one_command_id_are_detected(rows: list[Row]) -> None:
    forged_rows = resealed(edited(rows, version_of(rows, 23), set_to(id=stored_id("undo-1"))))
    with pytest.raises(VerificationFailed, match="Rulings 22 and 23 have the same command id"):
        verify(forged_rows)


def without(rows: Sequence[Row], version: int) -> list[Row]:
    return [row for row in rows if row[0] != version]


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (lambda rows: without(rows, 2), "Ruling 1 does not open the encounter"),
        (
            lambda rows: without(rows, version_of(rows, 2, "CombatantJoined")),
            "Ruling 4 names somebody who is not in the fight",
        ),
        (
            lambda rows: edited(rows, version_of(rows, 22), set_to(steps=[{"step": "strike", "ruling": 99}])),
            "Ruling 22 ",
        ),
        (
            lambda rows: edited(rows, version_of(rows, 22), set_to(steps=[{"step": "restore", "ruling": 3}])),
            "Ruling 22 ",
        ),
        (lambda rows: edited(rows, version_of(rows, 21), set_to(after=77)), "Ruling 21 "),
        (lambda rows: [*rows, (0, "RulingRejudged.1", b'{"ruling":17,"verdict":"void"}')], "Ruling 23 is no"),
        (lambda rows: [*rows[:-1], (0, "RulingRejudged.1", b'{"ruling":99,"verdict":"void"}')], "Ruling 22 does not"),
        (lambda rows: [*rows[:-1], (0, "TurnEnded.1", b'{"combatant":"clone"}')], "Ruling 22 is no"),
    ],
)
def test_an_impossible_history_is_detected_although_it_is_resealed(
    rows: list[Row], forge: Callable[[Sequence[Row]], list[Row]], sentence: str
) -> None:
    with pytest.raises(VerificationFailed, match=sentence):
        verify(resealed(forge(rows)))


@pytest.fixture
def decided(log: CombatLog, rows: list[Row]) -> list[Row]:
    """Answer the dispute 23 in the same fight (24), settle it (26) by a redo (25) and return the rows."""
    assert rows
    log.note("fight", "it was three", kind="answer", about=23, by="Ana")
    log.redo("fight", by="Ana")
    log.note("fight", "", kind="decision", about=23, corrections=(25,), by="Kim")
    return log.application.rows("fight")


@pytest.mark.parametrize(
    ("ruling", "fields", "sentence"),
    [
        (23, {"about": 99}, "Ruling 23 is about 99, which did not exist yet"),
        (23, {"about": 23}, "Ruling 23 is about 23, which did not exist yet"),
        (23, {"about": -1}, "Ruling 23 is about -1"),
        (23, {"about": 0}, "Ruling 23 is impossible: about: A dispute needs the number of a ruling"),
        (23, {"kind": "comment"}, "Ruling 24 is impossible: Ruling 23 is not a dispute"),
        (24, {"kind": "decision"}, "Ruling 26 is impossible: Dispute 23 was already decided by 24"),
        (24, {"rule": "MAM-WND-03"}, "Ruling 24 is impossible: rule: Only a dispute names a rule"),
        (24, {"corrections": [25]}, "impossible: corrections: Only a decision names corrections"),
        (
            26,
            {"corrections": [24]},
            "Ruling 26 is impossible: Ruling 24 cannot settle dispute 23",
        ),
        (
            26,
            {"corrections": [22]},
            "Ruling 26 is impossible: Ruling 22 cannot settle dispute 23",
        ),
        (26, {"corrections": [27]}, "Ruling 26 is impossible: Ruling 27 cannot settle dispute 23"),
        (24, {"kind": "verdict"}, "cannot be read"),
        (26, {"corrections": ["x"]}, "cannot be read"),
    ],
)
def test_an_impossible_dispute_is_detected_although_it_is_resealed(
    decided: list[Row], ruling: int, fields: dict[str, Any], sentence: str
) -> None:
    assert verify(decided).rulings == 26
    with pytest.raises((VerificationFailed, StoreUnusable), match=sentence):
        verify(resealed(edited(decided, version_of(decided, ruling), set_to(**fields))))


def test_every_field_of_a_decision_is_sealed(decided: list[Row]) -> None:
    changes: tuple[dict[str, Any], ...] = ({"corrections": []}, {"text": "so"}, {"about": 17}, {"by": "Bob"})
    for fields in changes:
        with pytest.raises(VerificationFailed, match="Ruling 26 "):
            verify(edited(decided, version_of(decided, 26), set_to(**fields)))


def test_a_combatant_not_in_the_fight_cannot_be_interrupted(log: CombatLog) -> None:
    text = """
        preset = "mam_speed"
        combatants = [{ id = "ana", hp = 1 }, { id = "ben", hp = 1 }]
        commands = [
            { do = "initiative", circumstance = "ana" },                     # 4
            { do = "begin-turn", combatant = "ana" },                     # 5
            { do = "prepare-counterattack", combatant = "ana" },          # 6
            { do = "begin-turn", combatant = "ben" },                     # 7
            { do = "attack", attacker = "ben", target = "ana" },          # 8
            { do = "end-turn", combatant = "ana" },                       # 9
            { do = "resolve", exchange = 8, attack_die = 20 },            # 10
            { do = "join", combatant = "cal", hp = 1 },                   # 11
        ]
    """
    play(log, read_fight(text), "late")
    rows = log.application.rows("late")
    assert verify(rows).rulings == 11
    forged_rows = edited(rows, version_of(rows, 8, "AttackDeclared"), set_to(attacker="cal"))
    with pytest.raises(VerificationFailed, match="Ruling 8 names somebody who is not in the fight"):
        verify(resealed(forged_rows))


def test_events_of_a_newer_program_are_not_reported_as_forgery(rows: list[Row]) -> None:
    at = version_of(rows, 10, "TurnStarted") - 1
    newer_rows = resealed([*rows[:at], (0, "TurnStarted.2", b'{"who":"clone"}'), *rows[at + 1 :]])
    with pytest.raises(StoreUnusable, match=r'"TurnStarted\.2".*newer'):
        verify(newer_rows)
    changed_rows = resealed([*rows[:at], (0, "TurnStarted.1", b'{"who":"clone"}'), *rows[at + 1 :]])
    with pytest.raises(StoreUnusable, match=r"TurnStarted\.1 cannot be read"):
        verify(changed_rows)


def test_a_row_that_is_not_text_is_detected_although_it_is_resealed(rows: list[Row]) -> None:
    at = version_of(rows, 10, "TurnStarted") - 1
    strange_rows = resealed([*rows[:at], (0, "TurnStarted.1", b'{"combatant":"\xff"}'), *rows[at + 1 :]])
    with pytest.raises((StoreUnusable, VerificationFailed), match="cannot be read"):
        verify(strange_rows)


def test_a_row_of_another_type_is_detected(rows: list[Row]) -> None:
    at = version_of(rows, 10, "TurnStarted") - 1
    version, topic, state = rows[at]
    strange: list[Any] = [(version, topic, state.decode()), (version, topic, None), (version, topic.encode(), state)]
    for row in strange:
        with pytest.raises(VerificationFailed, match="Ruling 10 was altered: its row 25"):
            verify([*rows[:at], row, *rows[at + 1 :]])


def test_a_row_that_is_not_json_is_detected(rows: list[Row]) -> None:
    for state in (b"", b"{", b"[]", b'{"salt":"xx"}', b'{"a":"\xff"}', b"[" * 100_000):
        at = version_of(rows, 10, "TurnStarted") - 1
        with pytest.raises(VerificationFailed, match=r"Ruling 10 was altered after it was sealed"):
            verify([*rows[:at], (rows[at][0], rows[at][1], state), *rows[at + 1 :]])


def test_every_drawn_die_of_a_closed_encounter_is_proven(drawn: list[Row]) -> None:
    verification = verify(drawn)
    assert (verification.drawn, verification.proven, verification.revealed) == (4, 4, True)


def test_nothing_is_proven_before_the_seed_is_revealed(drawn: list[Row]) -> None:
    verification = verify(drawn[: version_of(drawn, 14) - 1])
    assert (verification.drawn, verification.proven, verification.revealed) == (4, 0, False)


def other_face(state: dict[str, Any]) -> None:
    state["die"]["face"] = state["die"]["face"] % 6 + 1
    state["total"] = 1


def other_key(state: dict[str, Any]) -> None:
    state["die"]["key"] = "10/attack.b/0/d6"


def impossible_face(state: dict[str, Any]) -> None:
    state["die"] |= {"source": "thrown", "face": 7}


def other_kind(state: dict[str, Any]) -> None:
    state["die"]["kind"] = "d4"


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (other_face, r"In ruling 7 the die 7/attack\.b/0/d6 shows \d, but the revealed seed gives \d\."),
        (other_key, r"In ruling 7 a d6 has the wrong label 10/attack\.b/0/d6"),
        (impossible_face, r"In ruling 7 the die 7/attack\.b/0/d6 shows 7, but a d6 has the faces 1 to 6\."),
        (other_kind, "In ruling 7 a d4 has the wrong label 7/attack"),
    ],
)
def test_a_forged_die_is_detected_although_it_is_resealed(
    drawn: list[Row], forge: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    with pytest.raises(VerificationFailed, match=sentence):
        verify(resealed(edited(drawn, version_of(drawn, 7, "AttackRolled"), forge)))


def test_a_changed_word_of_a_player_changes_the_dice(drawn: list[Row]) -> None:
    forged_rows = edited(drawn, version_of(drawn, 2), lambda state: state["command"].update(word="moria"))
    with pytest.raises(VerificationFailed, match=r"shows 5, but the revealed seed gives"):
        verify(resealed(forged_rows))


def test_another_seed_than_the_committed_one_is_detected(drawn: list[Row]) -> None:
    for seed in ("00" * 32, "no seed"):
        forged_rows = edited(drawn, version_of(drawn, 14, "EncounterClosed"), set_to(seed=seed))
        with pytest.raises(
            VerificationFailed, match="Ruling 14 reveals a seed of the dice that the log never committed to"
        ):
            verify(resealed(forged_rows))


def test_a_die_drawn_after_the_seed_was_revealed_is_detected(drawn: list[Row]) -> None:
    steps = [{"step": "amend", "ruling": 9, "patch": {}}]
    fields = {"seal": "", "ruling": 15, "at": "2026-01-01T20:00:00Z", "by": "", "steps": steps, "blinding": "00" * 16}
    head = row_json(fields)
    die = {"key": "9/again.b/0/d6", "kind": "d6", "face": 6, "source": "drawn"}
    roll_fields = {"exchange": 8, "combatant": "b", "die": die, "modifiers": [], "total": 6}
    rejudged = (0, "RulingRejudged.1", b'{"ruling":9,"verdict":"changed"}')
    forged_rows = [*drawn, (0, "Correction.1", head), rejudged, (0, "AttackRolled.1", json.dumps(roll_fields).encode())]
    with pytest.raises(VerificationFailed, match=r"In ruling 15 the die 9/again\.b/0/d6 was drawn after the seed"):
        verify(resealed(forged_rows))
