"""The report: one fight on one page."""

from __future__ import annotations

from mam_events.commands import Adjust, Attack, Close, Counterattack, Join, Open, PoolMove, Resolve
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import rulebook
from projections.reports.report import FallRow, Hit, HouseRule, Report, ReportCorrection, ReportNote, report
from tests.fighters import DUEL


def report_of(log: CombatLog, view: str = "gm") -> Report:
    timeline = log.timeline("fight")
    preset_readings = rulebook().ruleset("mam_pools").pinned.readings
    return report(rulings(timeline), timeline.state, view, preset_readings=preset_readings)


def test_the_report_of_the_printed_fight(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Close())
    page = report_of(printed_fight)
    assert (page.title, page.status, page.preset, page.rounds) == ("Modre and the Clone", "closed", "mam_pools", 2)
    assert (page.rulings, page.counting, page.struck, page.void, page.hidden) == (22, 22, 0, 0, 0)
    assert page.house_rules == ()
    assert page.falls == ()
    assert page.best_hits == (
        Hit(17, "Modre", "Clone", 2, 2, "Clone takes 2 stun and 2 damage: 4 points from defense."),
    )
    assert [(row.name, row.pools.damage) for row in page.pools] == [("Modre", 0), ("Clone", 2)]
    assert len(page.fingerprint) == 64


def test_only_options_that_differ_from_the_preset_are_house_rules(log: CombatLog) -> None:
    rules = {"stun_recovery_timing": "turn_end", "combat_die": "d20", "wound_order": "stun_first"}
    log.execute("fight", Open(house_rules=rules))
    assert report_of(log).house_rules == (
        HouseRule("combat_die", "d20", "d6_face"),
        HouseRule("stun_recovery_timing", "turn_end", "turn_start"),
    )


def test_the_report_lists_falls_and_the_present_condition(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Adjust("fell", condition={"clone": "incapacitated"}))
    printed_fight.execute("fight", Adjust("fled", condition={"modre": "out", "clone": "able"}))
    assert report_of(printed_fight).falls == (FallRow("clone", "Clone", "incapacitated", 22, 2, "able"),)
    assert report_of(printed_fight).left == (FallRow("modre", "Modre", "out", 23, 2, "out"),)
    printed_fight.undo("fight", 22)
    page = report_of(printed_fight)
    assert (page.falls, [fall.combatant for fall in page.left]) == ((), ["modre"])


def test_a_combatant_who_joins_down_is_marked_as_already_down(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Join("bo", name="Bo", side="heroes", hp=3, pools={"damage": 3}))
    assert report_of(printed_fight).falls == (
        FallRow("bo", "Bo", "incapacitated", 22, 2, "incapacitated", already=True),
    )


def test_the_report_lists_corrections_and_remarks(printed_fight: CombatLog) -> None:
    printed_fight.note("fight", "a tie?", kind="dispute", about=17, by="Ben")
    printed_fight.execute("fight", Adjust("no", move=(PoolMove("clone", "stun", "ready", 1),), answers=22), by="Ana")
    printed_fight.note("fight", "bravo", by="Kim")
    printed_fight.note("fight", "so be it", about=17, by="Kim")
    printed_fight.execute("fight", Adjust("no", move=(PoolMove("clone", "ready", "stun", 1),), answers=17), by="Ana")
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})], by="Ana", reason="misread")
    printed_fight.undo("fight", 27, by="Ana")
    page = report_of(printed_fight)
    assert page.remarks == (
        ReportNote(24, "Kim", 0, "", "bravo"),
        ReportNote(25, "Kim", 17, "17 (Modre's attack on Clone is resolved)", "so be it", (26,)),
    )
    (dispute,) = page.disputes
    assert (dispute.what, dispute.open) == ("17 (Modre's attack on Clone is resolved)", True)
    first, second = page.corrections
    assert (first.ruling, first.by, first.restored_by) == (27, "Ana", 28)
    assert second == ReportCorrection(28, "Ana", second.sentence)
    assert second.sentence.startswith("Ana undoes amendment 27 of 17 (Modre's attack on Clone is resolved).")
    printed_fight.undo("fight", 6, turns="strict")
    page = report_of(printed_fight)
    assert (page.struck, page.void) == (3, 2)
    assert page.counting == 23 - 5


def test_a_hit_of_a_counterattack_belongs_to_the_defender(log: CombatLog) -> None:
    for command in (
        Open(),
        *DUEL,
        Attack("modre", "clone", "ice-blade", 1, 1),
        Counterattack("clone", 6, power=2),
        Resolve(6, 1, 6),
    ):
        log.execute("fight", command)
    (hit,) = report_of(log).best_hits
    assert (hit.attacker, hit.target, hit.damage) == ("Clone", "Modre", 2)
