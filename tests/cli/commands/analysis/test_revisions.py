"""A dated revision of the game as an oracle: until 16 January 2008 a tie half-succeeded, from then on both sides fail.

Under both, the same fight must differ only in its ties, and the output must name the option.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mam_events.commands import Attack, BeginTurn, EndTurn, Initiative, Join, Open, Resolve
from mam_events.events import AttackResolved, WoundInflicted
from mam_events.history.judge.what_if import rejudge_under
from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam

BEFORE, SINCE = {"half_success": "exact_tie"}, {"half_success": "never"}


def fought(rules: dict[str, str], *faces: tuple[int, int], store: str = "sqlite://") -> CombatLog:
    """Play an attack with each pair of faces: rulings 7, 9, 11 ….

    Each does so little harm that the next attack finds the fight as before.
    """
    log = CombatLog.open(store)
    joins = (Join("ana", hp=90), Join("bo", hp=90))
    for command in (Open(house_rules=rules), *joins, Initiative(first="ana", reason="quick"), BeginTurn("ana")):
        log.execute("fight", command)
    for attack_die, defense_die in faces:
        attack = log.execute("fight", Attack("ana", "bo", power=2)).number
        log.execute("fight", Resolve(attack, attack_die, defense_die))
    log.execute("fight", EndTurn("ana"))
    return log


def as_printed(attack_die: int, defense_die: int, rules: dict[str, str]) -> str:
    """Return the outcome that the printed rules give.

    The higher total wins. A tie is a half success under the rules `BEFORE`, and a failure under the later ones.
    """
    if attack_die != defense_die:
        return "full" if attack_die > defense_die else "fail"
    return "half" if rules == BEFORE else "fail"


def outcomes(events: Iterator[Any]) -> list[str]:
    return [event.outcome for event in events if isinstance(event, AttackResolved)]


@pytest.mark.parametrize(("pinned_rules", "other_rules"), [(BEFORE, SINCE), (SINCE, BEFORE)])
def test_under_the_other_revision_only_ties_differ(pinned_rules: dict[str, str], other_rules: dict[str, str]) -> None:
    """All 36 ways in which two d6 fall, in one turn."""
    faces = [(one, other) for one in range(1, 7) for other in range(1, 7)]
    log = fought(pinned_rules, *faces)
    comparison = rejudge_under(log.timeline("fight"), log.rules, other_rules)
    assert comparison.blamed == ("half_success",)
    pairs = {pair.ruling: pair for pair in comparison.pairs}
    for number, (attack_die, defense_die) in enumerate(faces):
        pair = pairs[7 + 2 * number]
        assert outcomes(iter(pair.played.events)) == [as_printed(attack_die, defense_die, pinned_rules)]
        assert outcomes(iter(pair.supposed.events)) == [as_printed(attack_die, defense_die, other_rules)]
    rulings = [pair.ruling for pair in comparison.pairs if pair.verdict == "changed"]
    assert rulings == [7 + 2 * number for number, (one, other) in enumerate(faces) if one == other]
    assert not [pair for pair in comparison.pairs if pair.verdict == "void"]


def test_whatif_shows_only_the_lost_half_hit(mam: Mam) -> None:
    """Play a hit, a tie and a miss: only the tie is shown, with its damage."""
    log = fought({}, (5, 2), (3, 3), (1, 6), store="mam.db")
    (wound,) = [e for e in log.history("fight")[8].events if isinstance(e, WoundInflicted)]
    document = mam("whatif", "--set", "half_success=never", "--json").lines[0]
    assert document["house_rules"] == {"half_success": ["exact_tie", "never"]}
    assert (document["first"], document["blamed"], document["hypothetical"]) == (9, ["half_success"], 0)
    (only,) = document["differing"]
    assert (only["ruling"], only["verdict"]) == (9, "changed")
    assert "misses: 3 against 3 (was: ana's attack on bo half-hits" in only["what"]
    assert document["verdicts"].get("void", 0) == 0
    before, after = (
        {row["combatant"]: row["pools"] for row in document["pools"][reading]}["bo"]
        for reading in ("played", "supposed")
    )
    assert before["stun"] + before["damage"] - after["stun"] - after["damage"] == wound.stun + wound.damage > 0
    text = mam("whatif", "--set", "half_success=never").out
    assert "The first that differs is 9, by half_success." in text
    assert "1 changed. 10 of 11 rulings (91%) come out as they did" in text


def test_whatif_names_a_reading_that_the_fight_itself_changed(mam: Mam) -> None:
    fought({}, (3, 3), (1, 6), store="mam.db").close()
    mam("rules", "change", "half_success=never", "--reason", "we agreed", "--yes")
    text = mam("whatif", "--set", "half_success=never").out
    assert "What if half_success = never (it is exact_tie, from 11 on never): 10 rulings judged again" in text
    (answer,) = mam("whatif", "--set", "half_success=never", "--json").lines
    assert answer["changed_in_play"] == {"half_success": [[11, "never"]]}


def test_without_ties_the_revision_makes_no_difference(mam: Mam) -> None:
    fought({}, (5, 2), (1, 6), (6, 5), store="mam.db").close()
    assert "Every ruling comes out as it did." in mam("whatif", "--set", "half_success=never").out
    assert mam("whatif", "--set", "half_success=never", "--json").lines[0]["differing"] == []
