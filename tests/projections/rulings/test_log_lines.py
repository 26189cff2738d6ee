"""Log lines, one per ruling, with marks."""

from __future__ import annotations

from itertools import islice

import pytest

from mam_events.commands import Adjust, Attack, Interfere, Move, Open, Parry, Resolve
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.pages.replay_entries import replay_entries
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import LogLine, log_line_text, log_lines
from tests.fighters import DUEL, SENTRY, duel_orders
from tests.projections.fold import lines_of


def test_the_line_of_a_resolution_shows_the_whole_exchange(printed_fight: CombatLog) -> None:
    assert lines_of(printed_fight)[17] == LogLine(
        17,
        "play",
        2,
        1,
        "Modre → Clone · Ice Blade · [6]+2+1 = 9 vs [4]+2+1 = 7 · hit · stun 2, damage 2 · the counterattack misses",
    )


def test_an_undone_ruling_is_marked_with_who_and_why(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", by="Ana", reason="tie rule")
    line = lines_of(printed_fight)[21]
    assert (line.struck, line.void, line.marks) == (True, False, ("↶ by Ana: tie rule",))
    assert log_line_text(line).endswith("puts 3 points into defense  ↶ by Ana: tie rule")
    printed_fight.redo("fight", by="Ben")
    assert lines_of(printed_fight)[21].marks == ()
    assert (lines_of(printed_fight)[22].struck, lines_of(printed_fight)[22].marks) == (True, ("↷ undone by 23",))


def test_a_void_ruling_shows_its_order_and_why_it_is_void(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})])
    lines = lines_of(printed_fight)
    assert (lines[21].void, lines[21].struck, lines[21].text) == (True, False, "Clone moves for 3 points")
    assert lines[21].marks == ("✗ void: Clone needs 3 ready points and has 2 (because of 17)",)
    assert "[1!]+2+1 = 4" in lines[17].text
    assert lines[17].marks == ("~ amended by 22",)
    assert lines[19].marks == ("~ changed by 22",)


def test_an_undone_void_ruling_is_marked_once(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})])
    printed_fight.undo("fight", 21, by="Ben")
    assert lines_of(printed_fight)[21].marks == ("↶ by Ben",)


def test_an_insert_a_dispute_and_an_answer_are_marked(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Move("clone", 1), after=20)
    printed_fight.note("fight", "a tie?", kind="dispute", about=17, by="Ben")
    printed_fight.note("fight", "look", kind="dispute", about=17)
    printed_fight.execute("fight", Adjust("no tie", answers=23))
    lines = lines_of(printed_fight)
    assert lines[22].marks == ("↳ after 20",)
    assert lines[17].marks == ("? disputed by 23 and 24",)
    assert lines[23].marks == ("? open", "§ answered by 25")
    assert lines[24].text == "The game master disputes 17 (Modre's attack on Clone is resolved): look"
    printed_fight.undo("fight")
    assert lines_of(printed_fight)[23].marks == ("? open",)


def test_a_drawn_die_is_marked(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), *DUEL, Attack("modre", "clone", "ice-blade", 1, 0), Resolve(6, defense_die=3)])
    face = log.timeline("fight").drawn(7)["7/attack.modre/0/d6"].face
    assert f"[{face}*]+1 = {face + 1} vs [3] = 3" in lines_of(log)[7].text


def test_a_fixed_difficulty_has_no_die(log: CombatLog) -> None:
    log.execute("fight", Open(house_rules={"defense_resolution": "fixed_difficulty"}))
    for command in (*DUEL, Attack("modre", "clone", "ice-blade", 1, 0), Resolve(6, attack_die=3)):
        log.execute("fight", command)
    assert lines_of(log)[7].text == "Modre → Clone · Ice Blade · [3]+1 = 4 vs 10 · miss"


def test_a_parry_and_an_interference_are_named(log: CombatLog) -> None:
    for command in (
        Open(),
        *duel_orders(*DUEL[:2], SENTRY),  # type: ignore[arg-type]  # the first two of DUEL are the two who join
        Attack("modre", "clone", "ice-blade", 1, 1),
        Parry("clone", 7),
        Interfere("sentry", 7, 7, points=2, bonus=3),
        Resolve(7, 5, 2, {"9": 4}),
    ):
        log.execute("fight", command)
    assert lines_of(log)[10].text == (
        "Modre → Clone · Ice Blade · [5]+1+1 = 7 vs parry [2] = 2 vs Sentry [4]+3 = 7 · Sentry: failure · hit · "
        "stun 2, damage 2"
    )


def test_an_attack_on_a_combatant_who_is_down_says_so(log: CombatLog) -> None:
    down = Adjust(reason="a rock", condition={"clone": "incapacitated"})
    attack = Attack("modre", "clone", "ice-blade", 1, 1)
    log.execute_all("fight", [Open(), *DUEL, attack, Resolve(6, 5, 2), down, attack, Resolve(9, 5, 2)])
    lines = {number: line.text for number, line in lines_of(log).items()}
    assert "down" not in lines[6]
    assert lines[9].startswith("Modre attacks Clone (already down) with the Ice Blade: ")
    assert lines[10].startswith("Modre → Clone (already down) · Ice Blade · ")
    played_rulings = list(rulings(log.timeline("fight")))
    does = {
        leaf.frame.number: leaf.duel.parts[1].does
        for leaf in replay_entries(played_rulings, RulingIndex(played_rulings, "gm"), log.rules)
        if leaf.duel
    }
    assert does == {7: "defends", 10: "already down"}


@pytest.mark.parametrize("last", [1, 5, 21])
def test_the_last_lines_are_the_same_as_in_the_whole_log(printed_fight: CombatLog, last: int) -> None:
    all_lines = log_lines(rulings(printed_fight.timeline("fight")))
    assert log_lines(islice(rulings(printed_fight.timeline("fight")), 21 - last, None)) == all_lines[-last:]
