"""Rosters of corrected fights: combatants in one seat are in their order of joining."""

from __future__ import annotations

from decimal import Decimal

from mam_events.commands import BeginTurn, Body, Close, Initiative, Join, Open
from mam_events.events import Amend
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon
from mam_events.store import decoders
from mam_events.verification import judge_again

LONG = (Weapon("spear", reach=Decimal(2)),)


def begin_fight(log: CombatLog, *names: str) -> None:
    """Begin a fight of those names, all in one seat, with the longest reach for the first."""
    log.execute("fight", Open())
    for name in names:
        log.execute("fight", Join(name, hp=6, seat=1, weapon=LONG if name == names[0] else ()))


def test_a_combatant_inserted_earlier_acts_earlier(log: CombatLog) -> None:
    begin_fight(log, "ana", "ben", "cid")
    log.execute_all("fight", [Initiative(), BeginTurn("ana")])
    log.execute("fight", Join("cid", hp=6, seat=1), after=2)
    assert log.at("fight").order == ("ana", "cid", "ben")
    assert judge_again(log.application.rows("fight"), log.rules) == 7


def test_an_open_log_and_one_read_again_have_the_same_roster(log: CombatLog) -> None:
    begin_fight(log, "ana", "ben", "cid")
    log.execute_all("fight", [Join("eve", hp=6, seat=2), Join("gus", hp=6, seat=2)])
    log.execute("fight", Join("cid", hp=6, seat=1), after=2)
    log.execute("fight", Join("fay", hp=6, seat=2))
    roster = [*Timeline(decoders(), log.application.rows("fight")).state.combatants]
    assert [*log.at("fight").combatants] == roster == ["ana", "cid", "ben", "eve", "gus", "fay"]
    log.execute("fight", Initiative())
    assert judge_again(log.application.rows("fight"), log.rules) == 9


def test_combatants_who_exchange_names_exchange_places(log: CombatLog) -> None:
    begin_fight(log, "zoe", "ana", "ben")
    log.execute("fight", Initiative())
    log.correct("fight", [Amend(3, {"combatant": "ben"}), Amend(4, {"combatant": "ana"})])
    assert log.at("fight").order == ("zoe", "ben", "ana")
    assert judge_again(log.application.rows("fight"), log.rules) == 6


def test_a_ruling_that_lacks_a_die_is_void_wherever_it_is_judged(log: CombatLog) -> None:
    """A closed fight gives another reason than the verification of its log, which only misses the die."""
    log.execute("fight", Open())
    for name in ("ana", "ben", "cid"):
        log.execute("fight", Join(name, hp=6, body=Body(reach=Decimal(2) if name == "cid" else Decimal(0))))
    log.execute_all("fight", [Initiative(), Close()])
    log.undo("fight", 4)
    assert log.timeline("fight").entries[5].outcome.is_void
    log.correct("fight", [Amend(2, {"name": "Ana"})])
    assert judge_again(log.application.rows("fight"), log.rules) == 8
