"""Rolls outside an exchange in the log, the audit and fight files."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec import to_builtins

from mam_events.commands import Adjust, Check, Command, Contest, Heal, Join, Open, PoolMove
from mam_events.events import Modifier
from mam_events.fights import play, read_fight, write_fight
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.rulings.audit import audit_trail
from projections.rulings.log_lines import log_lines
from tests.fighters import CLONE, MODRE, with_pools

CASES: dict[Command, tuple[str, str]] = {
    Check("modre", "hard", what="leap the gap", modifier=6, circumstance=("hostile",), die=14): (
        "Modre · leap the gap · [14]+6 = 20 vs 19 · success",
        (
            "Modre rolls 14 on a d20 (thrown), +6 modifier (MAM-ROLL-01): 20 against 15, +4 hostile circumstances "
            "(MAM-CIRC-01) = 19, and succeeds: leap the gap."
        ),
    ),
    Check("modre", 30, modifier=-2, kind="d10", die=10, confirmation_die=7): (
        "Modre · [10]→20-2 = 18 (then [7]) vs 30 · success",
        (
            "Modre rolls 10 on a d10 (thrown), worth 20, then 7 on a d10 (thrown), -2 modifier (MAM-ROLL-01): 18 "
            "against 30, and succeeds, whatever the total."
        ),
    ),
    Check("clone", 10, die=10): (
        "Clone · [10] = 10 vs 10 · failure",
        "Clone rolls 10 on a d20 (thrown): 10 against 10, and fails.",
    ),
    Check("clone", attempt="impossible", what="fly"): (
        "Clone · fly · impossible · failure",
        "Clone has no chance, and does not roll: fly.",
    ),
    Check("clone", attempt="certain"): ("Clone · certain · success", "Clone succeeds without a roll."),
    Contest("modre", "clone", modifier=3, opponent_modifier=5, die=13): (
        "Modre ↔ Clone · Modre [13]+3 = 16 vs 15 · Modre: success, Clone: failure",
        (
            "Modre contends with Clone. Modre rolls 13 on a d20 (thrown), +3 modifier (MAM-CONT-01): 16 against 15. "
            "Modre succeeds, Clone fails."
        ),
    ),
    Contest("modre", "clone", what="the rope", tie="cannot_both_succeed", die=12, opponent_die=11): (
        "Modre ↔ Clone · the rope · Modre [12] = 12 vs 10 · Clone [11] = 11 vs 10 · Modre: failure, Clone: failure",
        (
            "Modre contends with Clone: the rope. Modre rolls 12 on a d20 (thrown): 12 against 10; Clone rolls 11 on a "
            "d20 (thrown): 11 against 10. Modre fails, Clone fails (a tie, and they cannot both succeed)."
        ),
    ),
    Heal("modre", 7, regeneration=1, opposition=(3,), die=5, opposing_die=2): (
        (
            "Modre rests for a week · [5]+7 = 12 vs 5 of [2]+3 = 5 · success · "
            "Modre recovers 3 points from damage to other used"
        ),
        (
            "Modre rests for a week. Modre rolls 5 on a d6 (thrown), +7 days of rest (MAM-REST-02): 12 against 5; the "
            "opposition rolls 2 on a d6 (thrown), +3 opposition (MAM-REST-04): 5; the attempt to heal succeeds. Modre "
            "recovers 3 points from damage to other used."
        ),
    ),
    Heal("modre", die=1, opposing_die=6): (
        "Modre rests for a week · [1] = 1 vs 6 of [6] = 6 · failure · Modre recovers 1 point from damage to other used",
        (
            "Modre rests for a week. Modre rolls 1 on a d6 (thrown): 1 against 6; the opposition rolls 6 on a d6 "
            "(thrown): 6; the attempt to heal fails. Modre recovers 1 point from damage to other used."
        ),
    ),
}


def fight(log: CombatLog, commands: Iterable[Command]) -> None:
    for command in (Open(), with_pools(MODRE, ready=2, damage=4), CLONE, *commands):
        log.execute("fight", command)


@pytest.mark.parametrize("command", CASES)
def test_a_roll_has_a_line_with_its_sum_and_a_sentence_with_its_rules(log: CombatLog, command: Command) -> None:
    fight(log, [command])
    played_rulings = list(rulings(log.timeline("fight")))
    assert (log_lines(played_rulings)[-1].text, audit_trail(played_rulings)[-1].sentence) == CASES[command]


def test_a_void_roll_is_described_by_its_order(log: CombatLog) -> None:
    checks = (
        Check("clone"),
        Check("clone", "hard"),
        Check("clone", against=-2),
        Contest("clone", "modre"),
        Heal("clone", 1),
    )
    fight(log, checks)
    log.undo("fight", 3, only=True)
    assert [line.text for line in log_lines(rulings(log.timeline("fight")))[3:8]] == [
        "Clone rolls against difficulty 10",
        "Clone rolls against difficulty hard",
        "Clone rolls against the modifier -2",
        "Clone contends with Modre",
        "Clone rests, 1 day without strain",
    ]


def test_the_audit_lists_every_die_with_confirmations_and_oppositions(log: CombatLog) -> None:
    fight(log, [Check("modre", 5, modifier=1, kind="d6", die=6), Heal("modre", opposition=(2,))])
    check, heal = audit_trail(rulings(log.timeline("fight")))[-2:]
    assert [(roll.what, roll.key, roll.modifiers) for roll in check.rolls] == [
        ("check", "4/check.modre/0/d6", (Modifier("modifier", 1, "MAM-ROLL-01"),)),
        ("confirmation", "4/check.modre/1/d6", ()),
    ]
    assert [(roll.what, roll.key) for roll in heal.rolls] == [
        ("healing", "5/healing.modre/0/d6"),
        ("opposition", "5/opposition.modre/0/d6"),
    ]


def test_drawn_dice_are_written_to_their_fields(log: CombatLog) -> None:
    commands: list[Command] = [Heal("modre", 2), Contest("modre", "clone", tie="both_ways"), Check("clone", "hard")]
    substitutes = [Check("modre", kind="d6", modifier=number) for number in range(24)]
    fight(log, [*commands, Adjust("oil", move=(PoolMove("modre", "ready", "damage", 1),)), *substitutes])
    play(log, read_fight(write_fight(log.timeline("fight"), "again")))
    first, second = ([to_builtins(r.events) for r in rulings(log.timeline(name))] for name in ("fight", "again"))
    assert "confirmation" in str(first)
    assert str(first[1:]).replace("'drawn'", "'thrown'") == str(second[1:])


def test_a_roll_of_a_hidden_combatant_is_hidden(log: CombatLog) -> None:
    fight(log, [Join("wolf", hp=4, visibility="gm"), Contest("modre", "wolf"), Check("wolf"), Check("modre")])
    assert [line.hidden for line in log_lines(rulings(log.timeline("fight")), "public")[3:]] == [
        True,
        True,
        True,
        False,
    ]
