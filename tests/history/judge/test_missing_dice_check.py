"""Thrown dice: a missing one is never drawn silently beside others that were given (MAM-ARM-02)."""

from __future__ import annotations

import pytest

from mam_events.commands import Attack, BeginTurn, Command, Initiative, Join, Open, Resolve
from mam_events.errors import Refused
from mam_events.events import Amend, ArmorChecked, AttackResolved
from mam_events.history.timeline.entries import dice_of
from mam_events.log.combat_log import CombatLog
from mam_events.state import ArmorPiece

MAIL = ArmorPiece("mail", cover=4, absorption=2)


def attack_mailed_bob(**house_rules: str) -> CombatLog:
    """Let Ann attack Bob, who wears mail, in ruling 6."""
    log = CombatLog.open("sqlite://")
    orders: tuple[Command, ...] = (
        Open(preset="mam_speed", house_rules=house_rules),
        Join("ann", hp=9),
        Join("bob", hp=9, armor=(MAIL,)),
        Initiative(first="ann", reason="x"),
        BeginTurn("ann"),
        Attack("ann", "bob"),
    )
    log.execute_all("duel", orders)
    return log


@pytest.mark.parametrize("after", [0, 6])
def test_a_missing_armor_die_is_asked_for_and_nothing_is_written(after: int) -> None:
    log = attack_mailed_bob()
    with pytest.raises(Refused) as error:
        log.execute("duel", Resolve(6, attack_die=15), after=after)
    assert (error.value.code, error.value.rule, error.value.fields) == ("die_needed", "MAM-ARM-02", ("armor_die.bob",))
    assert error.value.fields == ("armor_die.bob",)
    assert log.timeline("duel").number == 6
    answer = log.execute("duel", Resolve(6, attack_die=15, armor_die={"bob": 3}), after=after)
    assert any(isinstance(event, ArmorChecked) and event.face == 3 for event in answer.events)


def test_a_miss_needs_no_armor_die_and_without_dice_all_are_drawn() -> None:
    answer = attack_mailed_bob().execute("duel", Resolve(6, attack_die=2))
    assert [event.outcome for event in answer.events if isinstance(event, AttackResolved)] == ["fail"]
    assert attack_mailed_bob().execute("duel", Resolve(6)).events


def test_missing_dice_are_drawn_if_several_are_missing() -> None:
    """The defense die is missing too, so the program draws both."""
    log = attack_mailed_bob(defense_resolution="opposed_roll")
    assert [
        die.source for event in log.execute("duel", Resolve(6, attack_die=20)).events for die in dice_of(event)
    ] == [
        "thrown",
        "drawn",
        "drawn",
    ]


def test_a_rejudged_ruling_draws_a_die_that_was_not_needed_before() -> None:
    log = attack_mailed_bob()
    log.execute("duel", Resolve(6, attack_die=2))
    rulings = log.correct("duel", [Amend(7, {"attack_die": 18})]).rejudged
    assert [(entry.ruling, entry.verdict) for entry in rulings] == [(7, "changed")]
    assert any(isinstance(event, ArmorChecked) for event in rulings[0].events)
