"""Forged and resealed branches: the check names each, and no die counts under a later commitment."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from mam_events.commands import Attack, Close, Resolve
from mam_events.errors import VerificationFailed
from mam_events.history.seed import seed_of
from mam_events.log.combat_log import CombatLog
from mam_events.store import build_events
from mam_events.verification import verify
from tests.verification.forge import Row, drawn_fight, edited, printed_fight, resealed, row_json, set_to, version_of


@pytest.fixture
def branch(log: CombatLog) -> list[Row]:
    """Branch the printed fight after ruling 14 and return the branch's rows."""
    printed_fight(log)
    log.branch("fight", "branch", 14)
    return log.application.rows("branch")


@pytest.mark.parametrize(
    ("forge", "text"),
    [
        ({"left": "00" * 32}, 'Ruling 24 branches off "fight", but the rulings before it are not those of "fight"'),
        ({"left": ""}, 'Ruling 24 branches off "fight", but the rulings'),
        ({"parent": ""}, "Ruling 24 branches off a fight that it does not name"),
        ({"behind": 21}, "Ruling 24 cannot branch off there: Ruling 21 was undone by 22"),
        ({"behind": 22}, "Ruling 24 cannot branch off there: Ruling 22 is not an order"),
        ({"behind": 0}, "Ruling 24 cannot branch off there: There is no ruling 0"),
        ({"behind": 99}, "Ruling 24 cannot branch off there: There is no ruling 99"),
        ({"commitment": ""}, "Ruling 24 draws the dice from a new seed but commits to none"),
        ({"seed": "ab" * 32}, "Ruling 24 shows a seed that was not committed before"),
        ({"seed": "x"}, "Ruling 24 shows a seed that was not committed before"),
        ({"visibility": "gm"}, "Ruling 24 has no salt though it is hidden"),
    ],
)
def test_a_branch_from_a_ruling_that_does_not_exist_is_detected(
    branch: list[Row], forge: dict[str, Any], text: str
) -> None:
    with pytest.raises(VerificationFailed) as error:
        verify(resealed(edited(branch, version_of(branch, 24), set_to(**forge))))
    assert error.value.sentence.startswith(text), error.value.sentence


def test_a_copied_ruling_cannot_be_changed_and_resealed(branch: list[Row]) -> None:
    rows = edited(branch, version_of(branch, 9), set_to(by="Somebody else"))
    with pytest.raises(
        VerificationFailed, match='Ruling 24 branches off "fight", but the rulings before it are not those of "fight"'
    ):
        verify(resealed(rows))


def test_a_branch_has_no_events_and_is_never_the_first_ruling(branch: list[Row]) -> None:
    event = next(row for row in branch if row[1] == "TurnEnded.1")
    with pytest.raises(VerificationFailed, match="Ruling 24 is not an order, but has events of its own"):
        verify(resealed([*branch, event]))
    with pytest.raises(VerificationFailed, match=r"Ruling 1 branches off \"fight\", but the rulings"):
        verify(resealed(edited(branch[-1:], 1, set_to(ruling=1, parent="fight"))))


@pytest.fixture
def imported(log: CombatLog) -> tuple[list[Row], bytes]:
    """Return the rows of a fight with drawn dice that was imported while it was open, and the seed of its first dice.

    Ruling 7 draws the first dice. After the import, ruling 9 commits to a new seed, 10 draws and 11 closes the fight.
    """
    rows = drawn_fight(log)
    other = CombatLog.open("sqlite://", entropy=Random(9).randbytes)
    other.application.save(*build_events("fight", rows[: version_of(rows, 8) - 1]))
    attack = other.execute("fight", Attack("b", "a", power=1)).number
    other.execute("fight", Resolve(attack))
    other.execute("fight", Close())
    secret = log.application.seeds.get("fight")
    assert secret
    return other.application.rows("fight"), seed_of(secret)


def test_each_die_is_checked_against_the_last_seed_committed_before_it(imported: tuple[list[Row], bytes]) -> None:
    rows, seed = imported
    assert verify(rows).proven == 2
    assert verify(rows, revealed=[seed, b"another"]).proven == 4
    for ruling, lines in ((7, [seed]), (10, [])):
        forged_rows = edited(rows, version_of(rows, ruling, "AttackRolled"), lambda row: row["die"].update(face=6))
        assert forged_rows != rows
        with pytest.raises(VerificationFailed, match=f"In ruling {ruling} the die {ruling}/attack.b/0/d6 shows 6, but"):
            verify(resealed(forged_rows), revealed=lines)


@pytest.mark.parametrize(("ruling", "field"), [(9, "commitment"), (11, "seed")])
def test_a_seed_chosen_afterwards_is_detected(imported: tuple[list[Row], bytes], ruling: int, field: str) -> None:
    rows, _ = imported
    topic = "EncounterClosed" if field == "seed" else "Branch"
    forged_rows = edited(rows, version_of(rows, ruling, topic), set_to(**{field: "ab" * 32}))
    with pytest.raises(
        VerificationFailed, match="Ruling 11 reveals a seed of the dice that the log never committed to"
    ):
        verify(resealed(forged_rows))


def test_a_die_moved_before_its_commitment_is_detected(imported: tuple[list[Row], bytes]) -> None:
    rows, seed = imported
    lead, resolved, closed = (version_of(rows, ruling) - 1 for ruling in (9, 10, 11))
    before = [renumbered(row, {10: 9}) for row in rows[resolved:closed]]
    moved_rows = [*rows[:lead], *before, renumbered(rows[lead], {9: 10}), *rows[closed:]]
    with pytest.raises(VerificationFailed, match=r"In ruling 9 the die 9/.* shows"):
        verify(resealed(moved_rows), revealed=[seed])


def test_without_the_commitment_no_revealed_seed_matches(imported: tuple[list[Row], bytes]) -> None:
    rows, _ = imported
    lead = version_of(rows, 9) - 1
    rest_rows = [renumbered(row, {10: 9, 11: 10}) for row in rows[lead + 1 :]]
    with pytest.raises(
        VerificationFailed, match="Ruling 10 reveals a seed of the dice that the log never committed to"
    ):
        verify(resealed([*rows[:lead], *rest_rows]))


def renumbered(row: Row, numbers: dict[int, int]) -> Row:
    """Return the row with its ruling, and those of its dice, renumbered."""
    version, topic, state = row
    fields = json.loads(state)
    if "ruling" in fields:
        fields["ruling"] = numbers[fields["ruling"]]
    if "die" in fields:
        number, slash, slot = fields["die"]["key"].partition("/")
        fields["die"]["key"] = f"{numbers[int(number)]}{slash}{slot}"
    return version, topic, row_json(fields)
