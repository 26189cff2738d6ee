"""The audit: what was ordered, how and by which rules it was judged, and what changed since."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Attack, Close, Defend, Initiative, Join, Move, Open, PoolMove, Resolve
from mam_events.events import Amend, Modifier
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.rulings.audit import AuditEntry, AuditRoll, audit_text, audit_trail
from projections.rulings.summary import StruckBy
from projections.rulings.verdicts import Judgement
from tests.fighters import DUEL

CUT = "Clone readies only the points that are there."


def audit(log: CombatLog, view: str = "gm") -> dict[int, AuditEntry]:
    return {entry.number: entry for entry in audit_trail(rulings(log.timeline("fight")), view)}


def test_an_entry_names_every_modifier_with_its_rule(printed_fight: CombatLog) -> None:
    entry = audit(printed_fight)[17]
    assert entry.rolls == (
        AuditRoll(
            "modre",
            "Modre",
            "attack",
            "17/attack.modre/0/d6",
            "d6",
            6,
            "thrown",
            (Modifier("Ice Blade", 1, "MAM-ATK-02"), Modifier("points on the attack", 2, "MAM-ATK-01")),
            9,
        ),
        AuditRoll(
            "clone",
            "Clone",
            "counterattack",
            "17/defense.clone/0/d6",
            "d6",
            4,
            "thrown",
            (Modifier("Body", 2, "MAM-ATK-02"), Modifier("points on the attack", 1, "MAM-ATK-01")),
            7,
        ),
    )
    assert "+2 points on the attack (MAM-ATK-01)" in audit_text(entry)


def test_an_entry_has_the_given_fields_and_its_round_and_turn(printed_fight: CombatLog) -> None:
    entry = audit(printed_fight)[15]
    assert (entry.kind, entry.do, entry.by, entry.round, entry.turn) == ("play", "attack", "Ana", 2, 1)
    assert entry.asked == {
        "attacker": "modre",
        "target": "clone",
        "weapon": "ice-blade",
        "power": 1,
        "modifier": 2,
    }
    assert entry.exchange == 15
    assert entry.at.endswith("Z")
    assert entry.sentence == "Modre attacks Clone with the Ice Blade: 1 point on power, 2 on the modifier."
    assert entry.follows == (entry.sentence, "Modre puts 2 points into defense and 1 point into other used.")


def test_turns_are_counted_within_the_round(printed_fight: CombatLog) -> None:
    when = {number: (entry.round, entry.turn) for number, entry in audit(printed_fight).items()}
    assert {when[n] for n in (1, 2, 3, 4)} == {(0, 0)}
    assert {when[n] for n in (5, 6, 7, 8, 9)} == {(1, 1)}
    assert {when[n] for n in (10, 11, 12)} == {(1, 2)}
    assert {when[n] for n in (13, 17, 18)} == {(2, 1)}
    assert {when[n] for n in (19, 20, 21)} == {(2, 2)}


def test_a_correction_lists_every_verdict(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})], by="Ben", reason="misread")
    entries = audit(printed_fight)
    correction = entries[22]
    assert [(verdict.ruling, verdict.verdict, verdict.because) for verdict in correction.verdicts] == [
        (17, "changed", 0),
        (19, "changed", 0),
        (20, "changed", 0),
        (21, "void", 17),
    ]
    assert correction.verdicts[1].follows == ("Clone's turn begins.",)
    assert correction.verdicts[2].bookkeeping == entries[20].bookkeeping == (CUT,)
    assert correction.verdicts[2].follows == ("Clone moves 2 points from other used to ready.",)
    assert correction.verdicts[3] == Judgement(21, "void", "Clone needs 3 ready points and has 2.", 17)
    assert correction.asked == {
        "steps": [{"step": "amend", "ruling": 17, "patch": {"attack_die": 1}, "do": "resolve"}],
        "reason": "misread",
    }
    assert correction.sentence == (
        "Ben amends 17 (Modre's attack on Clone is resolved) to read attack die 1: misread. "
        "Void now: 21. Changed: 17, 19 and 20."
    )


def test_an_amended_ruling_shows_the_present_and_the_original_fields(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})])
    entries = audit(printed_fight)
    amended = entries[17]
    assert (amended.amended, amended.amended_by, amended.verdict, amended.rejudged_by) == (True, (22,), "changed", 22)
    assert (amended.asked["attack_die"], amended.first_asked["attack_die"]) == (1, 6)
    assert amended.rolls[0].source == "amended"
    void = entries[21]
    assert (void.verdict, void.because, void.lives, void.follows) == ("void", 17, False, ())
    assert void.sentence == "Void: Clone moves for 3 points. Clone needs 3 ready points and has 2."
    assert not entries[16].amended
    assert entries[16].first_asked == {}
    printed_fight.undo("fight", 22)
    entry = audit(printed_fight)[17]
    assert (entry.amended, entry.amended_by, entry.first_asked, entry.rejudged_by) == (False, (), {}, 23)


def test_an_undone_ruling_shows_who_and_why(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", 6, by="Ben", reason="wrong target")
    entries = audit(printed_fight)
    assert {n for n, entry in entries.items() if entry.struck} == {6, 7, 8}
    assert entries[6].struck == StruckBy(22, "Ben", "wrong target")
    assert not entries[6].lives
    assert entries[6].sentence.startswith("Modre attacks Clone with the Ice Blade")
    printed_fight.redo("fight", by="Ana")
    entries = audit(printed_fight)
    assert entries[6].struck is None
    assert (entries[22].restored_by, entries[22].lives) == (23, False)
    assert "itself undone by 23" in audit_text(entries[22])


def test_an_insert_shows_its_place_and_a_void_ruling_its_cause(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Move("clone", 1), after=20)
    entries = audit(printed_fight)
    assert (entries[22].after, entries[22].round, entries[22].turn) == (20, 2, 2)
    assert (entries[21].verdict, entries[21].rejudged_by) == ("void", 22)
    assert "inserted after 20" in audit_text(entries[22])


def test_disputes_and_their_answers_refer_to_each_other(printed_fight: CombatLog) -> None:
    printed_fight.note("fight", "a tie?", kind="dispute", about=17, by="Ben")
    printed_fight.note("fight", "what an evening", by="Kim")
    word = Adjust("the blade grazed", move=(PoolMove("clone", "damage", "stun", 1),), answers=22)
    printed_fight.execute("fight", word, by="Ana")
    entries = audit(printed_fight)
    assert (entries[17].disputed_by, entries[22].decided_by) == ((22,), 0)
    assert entries[22].answered_by == (24,)
    assert (entries[22].kind, entries[22].do) == ("note", "dispute")
    assert entries[22].asked == {"text": "a tie?", "about": 17}
    assert entries[23].sentence == "Kim notes: what an evening."
    assert entries[24].sentence == "The game master moves 1 point from damage to stun for Clone: the blade grazed."


def test_a_closed_fight_says_that_the_seed_is_revealed(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Close("the Clone fled"))
    assert audit(printed_fight)[22].sentence == "The fight is over: the Clone fled. The seed of the dice is revealed."


@pytest.mark.parametrize(("first", "last"), [("Ana", "Bo"), ("Bo", "Ana")])
def test_dice_that_break_a_tie_of_initiative_are_rolls(log: CombatLog, first: str, last: str) -> None:
    log.execute("fight", Open(house_rules={"reach_tie": "random_roll"}))
    for name in ("Ana", "Bo"):
        log.execute("fight", Join(name.lower(), name=name, hp=6))
    log.execute("fight", Initiative(tie_die={first.lower(): 5, last.lower(): 2}))
    entry = audit(log)[4]
    assert entry.sentence == (
        f"{first} begins (longest reach, then dice: Ana rolls [{5 if first == 'Ana' else 2}], "
        f"Bo rolls [{5 if first == 'Bo' else 2}]), then {last}."
    )
    assert {(roll.name, roll.what, roll.face, roll.total) for roll in entry.rolls} == {
        (first, "initiative", 5, 5),
        (last, "initiative", 2, 2),
    }


def test_a_roll_against_a_fixed_number_has_no_die(log: CombatLog) -> None:
    log.execute("fight", Open(house_rules={"defense_resolution": "fixed_difficulty"}))
    for command in (*DUEL, Attack("modre", "clone", "ice-blade", 1, 0), Defend("clone", 6, 1), Resolve(6, 3)):
        log.execute("fight", command)
    roll = audit(log)[8].rolls[1]
    assert (roll.name, roll.what, roll.key, roll.kind, roll.face, roll.source) == ("Clone", "defense", "", "", 0, "")
    assert roll.total == 11
    assert "Clone's defense is not rolled: 10, +0 Body (MAM-ATK-03), +1 defense pool (MAM-POOL-03): 11." in (
        audit(log)[8].follows
    )
