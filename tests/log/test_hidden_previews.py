"""The digest of a preview: it identifies what was shown, and reveals nothing to somebody who guesses."""

from __future__ import annotations

from random import Random

import pytest

from mam_events.commands import Adjust, Attack, BeginTurn, Defend, EndTurn, Initiative, Join, Open, Resolve
from mam_events.events import Amend, Restore
from mam_events.log.combat_log import CombatLog
from mam_events.state import ArmorPiece, Weapon

AXE = (Weapon("axe", power=2),)


def digest(seed: int, *, visibility: str) -> str:
    """Return the digest of a preview in a fight with that seed and visibility."""
    with CombatLog.open("sqlite://", entropy=Random(seed).randbytes) as log:
        for command in (
            Open(),
            Join("ana", hp=9),
            Join("bo", hp=9, weapon=AXE, visibility=visibility),
            Initiative(first="ana", reason="quick"),
            BeginTurn("ana"),
            Attack("ana", "bo", power=2),
            Resolve(6, 5, 1),
        ):
            log.execute("fight", command)
        return log.preview("fight", [Amend(7, {"attack_die": 4})]).expect


def test_the_digest_of_a_preview_does_not_reveal_hidden_rulings() -> None:
    assert digest(1, visibility="gm") == digest(1, visibility="gm")
    assert digest(1, visibility="gm") != digest(2, visibility="gm")


@pytest.mark.parametrize("seed", [2, 3])
def test_without_hidden_rulings_the_digest_is_public(seed: int) -> None:
    assert digest(1, visibility="public") == digest(seed, visibility="public")


ARMORED = (ArmorPiece("mail", cover=3, absorption=2),)
HIDDEN = {4, 5, 7, 8, 9}
"""The rulings that concern the one who is hidden."""


def sees(number: int) -> bool:
    return number not in HIDDEN


def play_hidden_miss(log: CombatLog, armor: tuple[ArmorPiece, ...]) -> CombatLog:
    """Play a fight in which an attack misses a hidden combatant with that armor."""
    for command in (
        Open(house_rules={"armour_roll_source": "separate_die"}),
        Join("ana", hp=9, weapon=AXE),
        Join("bo", hp=9),
        Join("zoe", hp=9, armor=armor, visibility="gm"),
        Initiative(first="ana", reason="quick"),
        BeginTurn("ana"),
        Attack("ana", "zoe", weapon="axe", power=1),
        Defend("zoe", 7, points=2),
        Resolve(7, 1, 6),
        EndTurn("ana"),
    ):
        log.execute("fight", command)
    return log


def test_a_missing_die_of_a_hidden_ruling_does_not_stop_a_public_preview() -> None:
    hits = [Amend(2, {"weapon": [{"id": "axe", "power": 2, "attack": 9}]})]
    results = []
    for armor in ((ArmorPiece("mail", cover=3, absorption=2),), ()):
        with CombatLog.open("sqlite://") as opened_log:
            log = play_hidden_miss(opened_log, armor)
            assert (log.preview("fight", hits).state is None) == bool(armor)
            preview = log.preview("fight", hits, sees=sees)
            assert preview.state
            verdicts = [(entry.ruling, entry.verdict) for entry in preview.rejudged if sees(entry.ruling)]
            results.append((verdicts, len(preview.rejudged), preview.state.combatants["ana"]))
            log.correct("fight", hits, expect=preview.expect)
    assert results[0] == results[1]


def test_a_restore_that_could_change_hidden_rulings_touches_more(log: CombatLog) -> None:
    play_hidden_miss(log, ())
    restores = [Restore(log.undo("fight", 10).number)]
    hidden = log.execute("fight", Adjust(reason="nothing really", visibility="gm")).number
    assert not log.preview("fight", restores).touches_more
    assert log.preview("fight", restores, sees=lambda number: number != hidden).touches_more
