"""The digest of a preview names exactly what it showed, and tells nothing to whoever guesses what is hidden."""

from __future__ import annotations

from random import Random

import pytest

from mam_events.commands import Attack, BeginTurn, Initiative, Join, Open, Resolve
from mam_events.events import Amend
from mam_events.log import CombatLog
from mam_events.state import Weapon

AXE = (Weapon("axe", power=2),)


def digest(seed: int, *, visibility: str) -> str:
    """The digest of one preview in a fight that is the same but for its chances."""
    with CombatLog.open("sqlite://", entropy=Random(seed).randbytes) as log:
        for command in (
            Open(),
            Join("ana", hp=9),
            Join("bo", hp=9, weapons=AXE, visibility=visibility),
            Initiative(first="ana", reason="quick"),
            BeginTurn("ana"),
            Attack("ana", "bo", power=2),
            Resolve(6, 5, 1),
        ):
            log.execute("fight", command)
        return log.preview("fight", [Amend(7, {"attack_die": 4})]).expect


def test_who_guesses_all_that_is_hidden_does_not_come_to_the_same_digest() -> None:
    assert digest(1, visibility="gm") == digest(1, visibility="gm")
    assert digest(1, visibility="gm") != digest(2, visibility="gm")


@pytest.mark.parametrize("seed", [2, 3])
def test_where_nothing_is_hidden_the_digest_follows_from_what_all_know(seed: int) -> None:
    assert digest(1, visibility="public") == digest(seed, visibility="public")
