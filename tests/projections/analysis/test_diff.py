"""The comparison of two fights."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import Close, EndTurn, Join, Open
from mam_events.errors import Refused
from mam_events.events import Amend, TurnPolicy
from mam_events.history.judge.verdicts import compare_as_played
from mam_events.history.timeline.rulings import living_plays, rulings
from mam_events.log.combat_log import CombatLog
from projections.analysis.diff import ComparedFight, Comparison, diff_fights
from projections.visibility.redaction import Redactor
from tests.fighters import play_printed
from tests.fights.tables import Table


def fight(log: CombatLog, encounter: str, as_of: int | None = None, view: str = "gm") -> ComparedFight:
    timeline = log.timeline(encounter, as_of=as_of)
    ruleset = timeline.state.ruleset
    assert ruleset
    redactor = Redactor(view, rulings(log.timeline(encounter)))
    return ComparedFight(encounter, timeline, redactor, log.rules.in_force(ruleset))


def differences(comparison: Comparison) -> list[tuple[int, str]]:
    return [(one.ruling, one.verdict) for one in comparison.differing]


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Play the printed fight in the log."""
    return play_printed(log)


def test_a_fight_and_its_copy_have_no_differences(log: CombatLog) -> None:
    log.branch("fight", "copy")
    for other in (fight(log, "fight"), fight(log, "copy", 21)):
        comparison = diff_fights(fight(log, "fight"), other)
        assert (comparison.shared, comparison.is_same, comparison.cause, comparison.house_rules) == (21, True, None, {})
        assert comparison.first.ending == comparison.second.ending
        assert comparison.first.pools == comparison.second.pools


@pytest.mark.parametrize(("turns", "verdict"), [("as_played", "changed"), ("strict", "void")])
def test_diff_of_a_fight_before_and_after_a_correction(log: CombatLog, turns: TurnPolicy, verdict: str) -> None:
    log.undo("fight", 6, by="Ana", reason="too late", turns=turns)
    comparison = diff_fights(fight(log, "fight", 21), fight(log, "fight"))
    assert comparison.shared == 21
    assert differences(comparison) == [
        (6, "first"),
        (7, "first"),
        (8, "first"),
        (11, verdict),
        (14, verdict),
        (17, "changed"),
    ]
    assert comparison.cause
    assert (comparison.cause.fight, comparison.cause.ruling) == ("fight", 22)
    assert comparison.cause.sentence.startswith("Ana undoes 6")
    assert "Clone takes 2 stun and 2 damage: 3 points from ready" in comparison.differing[-1].what
    assert "(was: Clone takes 2 stun" in comparison.differing[-1].what
    what = {"changed": "Clone moves no points to ready (was: ", "void": "Defense has 0 points to give"}
    assert comparison.differing[3].what.startswith(what[verdict])
    assert [line.number for line in comparison.second.own] == [22]
    back = diff_fights(fight(log, "fight"), fight(log, "fight", 21))
    # A void ruling counts in only one of the fights.
    either = "second" if verdict == "void" else "changed"
    assert differences(back) == [
        *((number, "second") for number in (6, 7, 8)),
        (11, either),
        (14, either),
        (17, "changed"),
    ]
    sentence = "Clone moves 3 points from defense to ready"
    changes = {"changed": f"{sentence} (was: Clone moves no points to ready)", "void": f"{sentence}."}
    assert back.differing[3].what == changes[verdict]
    log.redo("fight")
    comparison = diff_fights(fight(log, "fight", 22), fight(log, "fight"))
    assert comparison.cause
    assert (comparison.differing[0].ruling, comparison.cause.ruling) == (6, 23), "what restores it is why it counts"
    assert diff_fights(fight(log, "fight", 21), fight(log, "fight")).differing == ()


def test_diff_of_a_branch_and_its_origin(log: CombatLog) -> None:
    log.branch("fight", "other", 14, by="Ana")
    log.execute("other", EndTurn("modre"))
    log.execute("fight", EndTurn("clone"))
    log.correct("fight", [Amend(8, {"attack_die": 6})])
    comparison = diff_fights(fight(log, "fight"), fight(log, "other"))
    assert comparison.shared == 21
    assert differences(comparison)[0] == (8, "changed")
    assert {number for number, verdict in differences(comparison) if verdict == "first"} <= {*range(15, 22)}
    assert comparison.cause
    assert (comparison.cause.fight, comparison.cause.ruling) == ("fight", 23), "no ruling of the branch made it so"
    assert [line.number for line in comparison.first.own] == [23], "22 is void by then"
    assert [line.number for line in comparison.second.own] == [22, 23]
    assert comparison.first.pools != comparison.second.pools


def test_unrelated_fights_are_compared_only_by_their_ends(log: CombatLog) -> None:
    log.execute_all("other", [Open(house_rules={"half_success": "never"}), Join("ana", hp=9), Close()])
    comparison = diff_fights(fight(log, "fight"), fight(log, "other"))
    assert (comparison.shared, comparison.differing, comparison.first.own, comparison.second.own) == (0, (), (), ())
    assert comparison.house_rules["half_success"][1] == "never"
    assert (comparison.first.status, comparison.second.status) == ("open", "closed")
    assert comparison.second.ending.standing == {"all": ("ana",)}


def test_diff_contains_nothing_hidden_from_the_view(log: CombatLog) -> None:
    log.execute("fight", Join("spy", name="Zqx", hp=5), visibility="gm")
    log.branch("fight", "other", 21)
    log.execute("fight", EndTurn("clone"))
    log.undo("fight", 22)
    for one, other in (("fight", "other"), ("other", "fight")):
        comparison = diff_fights(fight(log, one, view="public"), fight(log, other, view="public"))
        assert "zqx" not in str(comparison).lower()
        assert "spy" not in str(comparison)
        assert differences(comparison) == []


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_diff_lists_exactly_the_rulings_that_differ(seed: int) -> None:
    random = Random(seed)
    table = Table(random, secrets=False)
    for _ in range(20):
        table.step()
    log = table.log
    try:
        log.branch("fight", "other", random.choice(log.timeline("fight").order))
    except Refused as error:
        log.branch("fight", "other", int(error.allowed[0]))
    for encounter in ("fight", "other") * 5:
        table.encounter = encounter
        table.step()
    one, other = fight(log, "fight"), fight(log, "other")
    comparison = diff_fights(one, other)
    before, after = ({ruling.number: ruling for ruling in living_plays(side.timeline)} for side in (one, other))
    everybody = [number for number in one.timeline.entries if number <= comparison.shared]
    expected = {
        number
        for number in everybody
        if (number in before) != (number in after)
        or (number in before and compare_as_played(before[number].events, after[number].events) == "changed")
    }
    assert {number for number, _ in differences(comparison)} == expected
    assert comparison.is_same == (
        before.keys() == after.keys() and not expected and not (comparison.first.own or comparison.second.own)
    )
    back = diff_fights(other, one)
    assert {number for number, _ in differences(back)} == expected
    assert (comparison.cause is None) == (not expected)
    for side, timeline in ((comparison.first, one.timeline), (comparison.second, other.timeline)):
        counts = [ruling.number for ruling in rulings(timeline) if ruling.lives and ruling.number > comparison.shared]
        assert [line.number for line in side.own] == counts
