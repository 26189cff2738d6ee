"""Permissions of the log itself, for every method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from mam_events.commands import Adjust, BeginTurn, Check, Initiative, Join, Move, Open
from mam_events.errors import Refused
from mam_events.events import Strike
from mam_events.log.combat_log import CombatLog
from mam_events.permissions import Rights

ANA = Rights("player", "Ana", ("ana",))


@pytest.fixture
def log() -> Iterator[CombatLog]:
    """Yield a fight in Ana's turn, in which she has drawn a die (ruling 6)."""
    with CombatLog.open("sqlite://", entropy=Random(1).randbytes) as log:
        turn = (Initiative(first="ana", reason="so be it"), BeginTurn("ana"))
        log.execute_all("fight", [Open(), Join("ana", hp=9), Join("bo", hp=9), *turn])
        log.execute("fight", Check("ana"), by="Ana")
        yield log


def test_a_player_cannot_undo_a_ruling_with_a_die(log: CombatLog) -> None:
    moved = log.execute("fight", Move("ana", points=1), by="Ana").number
    with pytest.raises(Refused, match="A die was already thrown for this ruling"):
        log.limited_to(ANA).correct("fight", [Strike(6), Strike(moved)])
    log.limited_to(ANA).correct("fight", [Strike(moved)], by="Ana")


def test_a_player_cannot_undo_a_void_ruling_with_a_die(log: CombatLog) -> None:
    log.execute("fight", Adjust(reason="she was gone", condition={"ana": "out"}), after=5, turns="strict")
    assert [entry.outcome.is_void for number, entry in log.timeline("fight").entries.items() if number == 6] == [True]
    log.execute("fight", Adjust(reason="she is back", condition={"ana": "able"}, turn="ana"))
    moved = log.execute("fight", Move("ana", points=1), by="Ana").number
    with pytest.raises(Refused, match="A die was already thrown for this ruling"):
        log.limited_to(ANA).correct("fight", [Strike(6), Strike(moved)])


def test_limited_rights_do_not_affect_the_log_itself(log: CombatLog) -> None:
    viewer = log.limited_to(Rights("viewer"))
    deeds: list[Callable[[], object]] = [
        lambda: viewer.note("fight", "hm"),
        lambda: viewer.undo("fight"),
        lambda: viewer.branch("fight", "other"),
    ]
    for deed in deeds:
        with pytest.raises(Refused) as error:
            deed()
        assert error.value.code == "not_yours"
    log.limited_to(Rights()).note("fight", "The game master's")
    log.execute("fight", Adjust(reason="hers"))
    assert log.timeline("fight").number == 8
