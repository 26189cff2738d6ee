"""What-if: a fight judged again under other rules, without writing or drawing anything."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from mam_events.commands import Ready
from mam_events.errors import Refused
from mam_events.events import AttackResolved, EncounterOpened
from mam_events.fights import load_fight, play
from mam_events.history.judge.what_if import HypotheticalJudge, WhatIfFight, rejudge_under
from mam_events.history.seed import commitment_of
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.store import decoders
from projections.analysis.what_if import fight_ending, what_if
from projections.visibility.redaction import Redactor
from tests.fights.corpus import SEEDS, Corpus
from tests.verification.forge import edited

EXAMPLES = Path(__file__).parents[3] / "examples"


def example(log: CombatLog, name: str) -> Timeline:
    """Play the example of that name."""
    play(log, load_fight(EXAMPLES / f"{name}.toml"), name)
    return log.timeline(name)


def dice(supposition: WhatIfFight) -> set[tuple[str, int, str]]:
    """Return key, face and source of every die in the hypothetical fight."""
    events = (event for pair in supposition.pairs for event in pair.supposed.events)
    return {(die.key, die.face, die.source) for event in events for die in dice_of(event)}


@pytest.mark.slow
@given(SEEDS)
def test_the_same_rules_give_the_same_fight(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    timeline = log.timeline(encounter)
    readings = timeline.states[0].ruleset.readings if timeline.states[0].ruleset else {}
    option = Random(seed).choice(sorted(readings))
    for house_rules in ({}, {option: readings[option]}):
        has_changes = any(option in getattr(timeline.command(n), "house_rules", {}) for n in timeline.order)
        fight = rejudge_under(timeline, log.rules, {} if has_changes else house_rules)
        assert not fight.differing
        assert not fight.moved_on
        assert not sum(pair.hypothetical for pair in fight.pairs)
        assert fight.supposed == fight.played == timeline.state


def test_without_half_success_a_tied_attack_misses(log: CombatLog) -> None:
    """Until 16 January 2008 an exact tie half-succeeded, then both failed."""
    timeline = example(log, "archers-in-the-dark")
    before = log.application.recorder.versions()
    fight = rejudge_under(timeline, log.rules, {"half_success": "never"})
    first = fight.differing[0]
    assert (first.ruling, fight.blamed) == (26, ("half_success",))
    outcomes = [
        [event.outcome for event in entry.events if isinstance(event, AttackResolved)]
        for entry in (first.played, first.supposed)
    ]
    assert outcomes == [["half"], ["fail"]]
    assert [*log.application.recorder.versions()] == [*before]


def test_the_option_that_makes_the_difference_is_named(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    both = {"wound_order": "stun_first", "half_success": "never"}
    fight = rejudge_under(timeline, log.rules, both)
    alone = {option: rejudge_under(timeline, log.rules, {option: reading}) for option, reading in both.items()}
    assert fight.blamed == tuple(o for o, one in alone.items() if one.differing[:1] and one.differing[0].ruling == 26)


def test_an_option_that_is_not_valid_alone_is_not_named(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    both = {"random_damage": "on", "combat_die": "d20"}
    assert rejudge_under(timeline, log.rules, both).blamed == ("combat_die",)
    with pytest.raises(Refused, match="random_damage"):
        rejudge_under(timeline, log.rules, {"random_damage": "on"})


def test_rulings_before_the_first_judged_one_are_unchanged(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    place = timeline.place[29]
    fight = rejudge_under(timeline, log.rules, {"half_success": "never"}, first=place)
    assert [pair.ruling for pair in fight.pairs] == timeline.order[place:]
    assert fight.before == timeline.states[place - 1]
    assert 26 not in [pair.ruling for pair in fight.differing]


def test_a_hypothetical_die_is_public_and_not_drawn_from_the_seed(log: CombatLog) -> None:
    """Two logs with the same rows, of which one has no seed, get the same hypothetical dice."""
    timeline = example(log, "layers")
    rules = {"armour_roll_source": "separate_die"}
    all_dice = dice(rejudge_under(timeline, log.rules, rules))
    hypothetical = {die for die in all_dice if die[2] == "hypothetical"}
    assert {key.rpartition("/")[0] for key, _, _ in hypothetical} >= {"7/armor.ysolt/0", "9/armor.ysolt/0"}
    comparison = what_if(
        timeline, rejudge_under(timeline, log.rules, rules), {"armour_roll_source": ""}, Redactor("gm")
    )
    told_of = {one.ruling: one.what for one in comparison.differing if one.hypothetical}
    faces = {int(key.partition("/")[0]): face for key, face, _ in hypothetical}
    assert told_of
    assert all(words.startswith(f"on [{faces[ruling]}?]: ") for ruling, words in told_of.items())
    rows = log.application.rows("layers")
    assert dice(rejudge_under(Timeline(decoders(), rows), log.rules, rules)) == all_dice
    fight = rejudge_under(timeline, log.rules, rules | {"half_success": "never"})
    assert {die for die in dice(fight) if die[2] == "hypothetical"} != hypothetical, "keyed by the rules as well"
    other = edited(rows, 2, lambda event: event.update(commitment=commitment_of(b"another")))
    assert isinstance(decoders()[other[1][1]](other[1][2]), EncounterOpened)
    assert dice(rejudge_under(Timeline(decoders(), other), log.rules, rules)) != all_dice, "keyed by the commitment"


def test_changes_of_the_program_itself_are_reported_separately(log: CombatLog) -> None:
    """The record differs from today's rules, and the house rule is not blamed for it."""
    example(log, "archers-in-the-dark")
    rows = log.application.rows("archers-in-the-dark")
    version = next(v for v, topic, state in rows if topic == "AttackResolved.1" and b'"outcome":"half"' in state)
    timeline = Timeline(decoders(), edited(rows, version, lambda event: event.update(outcome="full")))
    fight = rejudge_under(timeline, log.rules, {"wound_order": "damage_first"})
    assert fight.moved_on == (26,)
    assert 26 not in [pair.ruling for pair in fight.differing if pair.verdict == "changed" and not pair.has_moved_on]


def test_unknown_house_rules_are_refused_before_judging(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    calls: list[None] = []
    with pytest.raises(Refused, match="Did you mean"):
        rejudge_under(timeline, log.rules, {"half_succes": "never"}, on_progress=lambda: calls.append(None))
    assert calls == []


def test_winners_and_fallen_of_both_fights_are_returned(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    supposition = rejudge_under(timeline, log.rules, {"half_success": "never"})
    comparison = what_if(timeline, supposition, log.rules.in_force(timeline.states[0].ruleset), Redactor("gm"))  # type: ignore[arg-type]
    assert (comparison.played.winner, comparison.supposed.winner) == ("watch", "")
    assert [(fall.combatant, fall.ruling, fall.round) for fall in comparison.played.falls] == [("raider", 37, 3)]
    assert comparison.supposed.falls == ()
    assert comparison.verdicts == {"stands": 31, "carried": 2, "changed": 4}
    assert [(one.ruling, one.verdict) for one in comparison.differing] == [(n, "changed") for n in (26, 28, 29, 37)]
    # The raider is not hit and has no other used point to ready; the other points become ready.
    (ruling,) = [pair.supposed for pair in supposition.differing if pair.ruling == 29]
    assert [one.what for one in ruling.bookkeeping] == ["cut"]
    assert ruling.command == Ready("raider", defense=4)


def test_a_combatant_who_gets_up_again_does_not_count_as_fallen(log: CombatLog) -> None:
    timeline = example(log, "archers-in-the-dark")
    states = [(number, timeline.states[place]) for place, number in enumerate(timeline.order)]
    assert fight_ending([*states, (99, timeline.states[2])], Redactor("gm")).falls == ()


def test_the_hypothetical_judge_uses_recorded_dice_first(log: CombatLog) -> None:
    timeline = example(log, "modre-and-the-clone")
    judge = HypotheticalJudge(timeline, log.rules)
    judge.ruleset(timeline.state)
    assert judge.die(99, "99/attack.modre/0/d6", "d6", "attack_die").source == "hypothetical"
