"""The result of a fight: who won, who stands, who fell, and the moments that decided it."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Attack, BeginTurn, Close, Initiative, Join, Open, Resolve
from mam_events.fights.continuation import continuation
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.values import ContinuedFrom
from projections.analysis.what_if import current_ending, fallen_words
from projections.pages.replay_page import ReplayPage, build_replay_page
from projections.reports.result import DecisiveMoment, FightResult, ResultFall
from projections.rulings.frames import frames
from projections.visibility.redaction import Redactor
from projections.visibility.viewer import Viewer
from tests.fighters import MODRE


def book_in(log: CombatLog, view: str = "gm") -> ReplayPage:
    timeline = log.timeline("fight")
    return build_replay_page(
        "fight", timeline, log.application.rows("fight"), Viewer(view, timeline).redactor, log.rules
    )


def result_of(log: CombatLog, view: str = "gm") -> FightResult | None:
    return book_in(log, view).result


def test_a_fight_that_has_not_begun_has_no_result(log: CombatLog) -> None:
    log.execute("fight", Open())
    assert result_of(log) is None
    log.execute_all("fight", [MODRE, Join("clone", side="foes", hp=6), Initiative(first="modre", reason="quick")])
    assert result_of(log) is None


def test_the_result_while_a_fight_goes_on_and_when_it_is_over(printed_fight: CombatLog) -> None:
    sides = {"heroes": ("modre",), "foes": ("clone",)}
    moments: tuple[DecisiveMoment, ...] = (DecisiveMoment(17, "the hardest hit"),)
    assert result_of(printed_fight) == FightResult("The fight goes on in round 2.", "", sides, (), moments)
    printed_fight.execute("fight", Adjust("he stumbles", condition={"clone": "incapacitated"}))
    falls = (ResultFall("clone", "incapacitated", 22, 2),)
    moments = (DecisiveMoment(17, "the hardest hit"), DecisiveMoment(22, "a fall"))
    assert result_of(printed_fight) == FightResult(
        "Only heroes left standing.", "", {"heroes": ("modre",)}, falls, moments
    )
    printed_fight.execute("fight", Close("the bridge is free"))
    assert result_of(printed_fight) == FightResult(
        "Heroes won.", "The bridge is free.", {"heroes": ("modre",)}, falls, moments
    )
    printed_fight.undo("fight", 23)
    printed_fight.execute("fight", Adjust("he runs", condition={"clone": "out", "modre": "dead"}))
    assert result_of(printed_fight) == FightResult(
        "Nobody is left standing.",
        "",
        {},
        (ResultFall("modre", "dead", 25, 2),),
        (DecisiveMoment(17, "the hardest hit"), DecisiveMoment(22, "down for a while"), DecisiveMoment(25, "a death")),
        (ResultFall("clone", "out", 25, 2),),
    )


def test_a_combatant_who_got_up_again_has_not_fallen(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Adjust("he stumbles", condition={"clone": "incapacitated"}))
    printed_fight.execute("fight", Adjust("up again", condition={"clone": "able"}))
    outcome = result_of(printed_fight)
    assert outcome is not None
    assert outcome.fallen == ()
    assert outcome.moments == (DecisiveMoment(17, "the hardest hit"), DecisiveMoment(22, "down for a while"))


def test_a_combatant_who_fled_has_left_and_not_fallen(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Adjust("he runs", condition={"clone": "out"}))
    outcome = result_of(printed_fight)
    assert outcome is not None
    assert (outcome.fallen, outcome.left) == ((), (ResultFall("clone", "out", 22, 2),))
    assert outcome.moments == (DecisiveMoment(17, "the hardest hit"), DecisiveMoment(22, "left the fight"))
    end = current_ending(printed_fight.timeline("fight"), Redactor("gm"))
    assert fallen_words(end) == "nobody; left: Clone (#22 r2)"
    printed_fight.execute("fight", Adjust("he comes back", condition={"clone": "able"}))
    printed_fight.execute("fight", Adjust("and drops", condition={"clone": "incapacitated"}))
    outcome = result_of(printed_fight)
    assert outcome is not None
    assert (outcome.fallen, outcome.left) == ((ResultFall("clone", "incapacitated", 24, 2),), ())
    assert [moment.why for moment in outcome.moments] == ["the hardest hit", "out for a while", "a fall"]


@pytest.mark.parametrize("late", [False, True])
def test_a_combatant_who_joined_down_is_no_decisive_moment(log: CombatLog, late: bool) -> None:  # noqa: FBT001 - one of two
    wounded = Join("bo", side="heroes", hp=3, pools={"damage": 3})
    beginning = (MODRE, Join("clone", side="foes", hp=6), *(() if late else (wounded,)))
    log.execute_all("fight", [Open(), *beginning, Initiative(first="modre", reason="quick"), BeginTurn("modre")])
    if late:
        log.execute("fight", wounded)
    outcome, number = result_of(log), 6 if late else 4
    assert outcome is not None
    assert outcome.fallen == (ResultFall("bo", "incapacitated", number, int(late), already=True),)
    assert outcome.moments == ()
    assert fallen_words(current_ending(log.timeline("fight"), Redactor("gm"))) == f"bo (#{number} already)"
    assert "fall" not in {tick for frame in frames(rulings(log.timeline("fight"))) for tick in frame.ticks}


def test_a_continued_fight_names_who_left_and_ignores_earlier_falls(printed_fight: CombatLog) -> None:
    """Falls by points and by the game master, which the opening of the next fight repeats."""
    printed_fight.execute("fight", Join("eve", name="Eve", side="heroes", hp=4))
    printed_fight.execute("fight", Join("grey", name="Grey", side="foes", hp=4))
    printed_fight.execute("fight", Join("shade", name="Shade", side="foes", hp=4, visibility="gm"))
    printed_fight.execute("fight", Adjust("a blow", condition={"eve": "incapacitated", "grey": "out"}))
    printed_fight.execute("fight", Adjust("unseen", condition={"shade": "out"}, visibility="gm"))
    timeline = printed_fight.timeline("fight")
    origin = ContinuedFrom("fight", timeline.number, timeline.seal)
    with CombatLog.open("sqlite://") as log:
        log.execute_all("fight", continuation(timeline.state, origin, Open(), log.rules))
        log.execute_all("fight", [Initiative(first="modre", reason="quick"), BeginTurn("modre")])
        outcome = result_of(log)
        assert outcome is not None
        assert [(one.combatant, one.already) for one in outcome.fallen] == [("eve", True)]
        assert (outcome.left, outcome.moments) == ((), ())
        assert outcome.before == f"fight (ruling {timeline.number}: Grey left)"


def test_the_deciding_die_is_the_first_moment(log: CombatLog) -> None:
    log.execute("fight", Open())
    log.execute("fight", MODRE)
    log.execute("fight", Join("rat", side="foes", hp=1))
    log.execute("fight", Initiative(first="modre", reason="quick"))
    log.execute("fight", BeginTurn("modre"))
    log.execute("fight", Attack("modre", "rat", "ice-blade", power=3))
    log.execute("fight", Resolve(6, attack_die=6, defense_die=6))
    outcome = result_of(log)
    assert outcome is not None
    assert outcome.moments == (DecisiveMoment(7, "the die that decided: it felled rat"),)
    assert outcome.fallen == (ResultFall("rat", "incapacitated", 7, 1),)


@pytest.mark.parametrize(
    ("side", "able", "order"),
    [
        ("heroes", (), ["ann", "bo", "grey", "red"]),
        ("heroes", ("red",), ["ann", "bo", "red", "grey"]),
        ("guests", ("bo",), ["bo", "ann", "grey", "red"]),
        ("guests", ("red",), ["red", "grey", "ann", "bo"]),
        ("guests", ("red", "ann"), ["red", "grey", "ann", "bo"]),
    ],
)
def test_a_result_lists_players_first_and_then_those_who_stand(
    log: CombatLog, side: str, able: tuple[str, ...], order: list[str]
) -> None:
    log.execute("fight", Open())
    for who, whose in (("grey", "wolves"), ("ann", side), ("red", "wolves"), ("bo", side)):
        log.execute("fight", Join(who, side=whose, hp=6))
    down = [who for who in order if who not in able]
    log.execute("fight", Adjust("the roof falls", condition=dict.fromkeys(down, "incapacitated")))
    people = book_in(log).people
    assert list(people) == order
    # The crest of a side depends on the order of joining, so that it is the same on every page.
    assert (people["grey"].place, people["ann"].place) == (0, 1)


def test_a_result_shows_no_hidden_combatants(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Join("wyrm", name="Fafnir", side="beasts", hp=9, visibility="gm"))
    printed_fight.execute("fight", Adjust("it dies", condition={"wyrm": "dead"}, visibility="gm"))
    outcome, public_outcome = result_of(printed_fight), result_of(printed_fight, "public")
    assert outcome is not None
    assert public_outcome is not None
    assert [one.combatant for one in outcome.fallen] == ["wyrm"]
    assert public_outcome.fallen == ()
    assert list(public_outcome.standing) == ["heroes", "foes"]
    assert [one.ruling for one in public_outcome.moments] == [17]
