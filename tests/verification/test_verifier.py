from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import Adjust, Attack, BeginTurn, EndTurn, Initiative, Join, Open, Resolve
from mam_events.errors import BadInput, StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.fights import play, read_fight
from mam_events.history.timeline.command_ids import stored_id
from mam_events.log.combat_log import CombatLog
from mam_events.verification import Verification, verify
from tests.fights.corpus import SEEDS, Corpus
from tests.fights.tables import play_random_fight
from tests.verification.forge import (
    Row,
    drawn_fight,
    edited,
    printed_fight,
    resealed,
    ruling_of,
    set_to,
    version_of,
    written,
)


@pytest.fixture
def rows(log: CombatLog) -> list[Row]:
    return printed_fight(log)


@pytest.fixture
def drawn(log: CombatLog) -> list[Row]:
    return drawn_fight(log, "drawn")


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


def kind(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 10, "TurnStarted") - 1
    return [*rows[:at], (rows[at][0], "TurnEnded.1", rows[at][2]), *rows[at + 1 :]]


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
        (kind, 10),
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
        with pytest.raises(VerificationFailed, match=r"belongs, in or after ruling 11"):
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
        (23, {"kind": "comment"}, "Ruling 24 is impossible: Ruling 23 is no dispute"),
        (24, {"kind": "decision"}, "Ruling 26 is impossible: Dispute 23 was already decided by 24"),
        (24, {"rule": "MAM-WND-03"}, "Ruling 24 is impossible: rule: Only a dispute names a rule"),
        (24, {"corrections": [25]}, "impossible: corrections: Only a decision names corrections"),
        (
            26,
            {"corrections": [24]},
            "Ruling 26 is impossible: Ruling 24 is no correction made after dispute 23",
        ),
        (
            26,
            {"corrections": [22]},
            "Ruling 26 is impossible: Ruling 22 is no correction made after dispute 23",
        ),
        (26, {"corrections": [27]}, "Ruling 26 is impossible: Ruling 27 is no correction"),
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
        (other_key, "Ruling 7 has an impossible die: 10/attack.b/0/d6"),
        (impossible_face, "Ruling 7 has an impossible die: 7/attack.b/0/d6 showing 7"),
        (other_kind, "Ruling 7 has an impossible die: 7/attack"),
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
        with pytest.raises(VerificationFailed, match="Ruling 14 reveals another seed than the committed one"):
            verify(resealed(forged_rows))


def test_a_die_drawn_after_the_seed_was_revealed_is_detected(drawn: list[Row]) -> None:
    steps = [{"step": "amend", "ruling": 9, "patch": {}}]
    fields = {"seal": "", "ruling": 15, "at": "2026-01-01T20:00:00Z", "by": "", "steps": steps, "blinding": "00" * 16}
    head = written(fields)
    die = {"key": "9/again.b/0/d6", "kind": "d6", "face": 6, "source": "drawn"}
    roll_fields = {"exchange": 8, "combatant": "b", "die": die, "modifiers": [], "total": 6}
    rejudged = (0, "RulingRejudged.1", b'{"ruling":9,"verdict":"changed"}')
    forged_rows = [*drawn, (0, "Correction.1", head), rejudged, (0, "AttackRolled.1", json.dumps(roll_fields).encode())]
    with pytest.raises(VerificationFailed, match=r"In ruling 15 the die 9/again\.b/0/d6 was drawn after the seed"):
        verify(resealed(forged_rows))


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
    with pytest.raises(VerificationFailed, match="Ruling 22 holds control characters"):
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
    changed = next(row[0] for row in reversed(rows) if row[1].startswith("HitPointsSpent"))
    forged_rows = edited(rows, changed, lambda state: state["pools"].update(ready=99))
    with pytest.raises(VerificationFailed, match="the points of"):
        verify(resealed(forged_rows))
