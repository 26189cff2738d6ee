"""The explanation of a ruling: the readings and faces that would have changed it."""

from __future__ import annotations

from random import Random

import pytest

from mam_events.commands import Attack, BeginTurn, Check, Command, Defend, Initiative, Join, Open, Resolve
from mam_events.dice import SIDES
from mam_events.events import Amend, AttackResolved
from mam_events.history.judge.other_dice import alternate_faces, dice_on_record
from mam_events.history.judge.what_if import HypotheticalJudge
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.analysis.ruling_explanation import RulingExplanation, explain_ruling
from projections.rulings.index import RulingIndex
from tests.effort import FUZZ
from tests.fighters import play_printed
from tests.fights.tables import play_random_fight


def explain(log: CombatLog, number: int, encounter: str = "fight", view: str = "gm") -> RulingExplanation:
    timeline = log.timeline(encounter)
    return explain_ruling(timeline, RulingIndex(rulings(timeline), view), number, lambda: log.rules)


def test_a_hit_is_explained_by_its_declaration_dice_and_near_changes(printed_fight: CombatLog) -> None:
    explanation = explain(printed_fight, 17)
    assert [line.number for line in explanation.declared] == [15, 16]
    assert (explanation.judged, explanation.dice, explanation.corrected, explanation.difference) == (True, 2, (), "")
    attack, defense = explanation.nearly
    assert (attack.whose, attack.role, attack.die.face, attack.least, attack.most) == ("Modre", "attack", 6, 4, 4)
    assert (defense.whose, defense.role, defense.die.face, defense.faces) == ("Clone", "counterattack", 4, "a 6")
    assert "Modre's attack on Clone half hit" in attack.what
    assert "stun_damage_split" in {one.option for one in explanation.counting}


def test_the_exchange_of_a_hidden_ruling_is_not_shown(log: CombatLog) -> None:
    commands: tuple[Command, ...] = (
        Open(),
        Join("ana", hp=9),
        Join("bo", hp=9),
        Initiative(first="ana", reason="quick"),
        BeginTurn("ana"),
        Attack("ana", "bo", power=1),
        Defend("bo", 6, 2, visibility="gm"),
        Defend("bo", 6, 1),
        Resolve(6, 5, 2),
    )
    log.execute_all("fight", commands)
    assert [line.number for line in explain(log, 9).declared] == [6, 7, 8]
    assert [line.number for line in explain(log, 9, view="public").declared] == [6, 8], "another reaction is not told"


def test_adjacent_faces_are_listed_as_a_range(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 4})], by="Bo")
    margins = explain(printed_fight, 17).nearly
    assert [(one.role, one.faces) for one in margins] == [
        ("attack", "a 3 or less"),
        ("attack", "a 5 or more"),
        ("counterattack", "a 3 or less"),
        ("counterattack", "a 5 or more"),
    ]
    assert margins[1].what == "Clone's counterattack miss; Modre's attack on Clone hit"


def test_a_die_that_changes_nothing_is_not_listed(printed_fight: CombatLog) -> None:
    printed_fight.execute("fight", Check(combatant="modre", difficulty="easy", die=6, modifier=40), by="Bo")
    explanation = explain(printed_fight, 22)
    assert (explanation.dice, explanation.nearly, explanation.judged) == (1, (), True)


def test_a_ruling_that_does_not_count_is_explained_without_judging(printed_fight: CombatLog) -> None:
    printed_fight.undo("fight", 11, only=True, by="Bo", reason="he never did")
    explanation = explain(printed_fight, 11)
    assert explanation.entry.struck is not None
    assert (explanation.entry.struck.by, explanation.entry.struck.who, explanation.entry.struck.why) == (
        22,
        "Bo",
        "he never did",
    )
    void = explain(printed_fight, 16)
    assert void.entry.verdict == "void"
    assert [one.ruling for one in void.corrected] == [22]
    full_explanation = explain(printed_fight, 17)
    assert [one.ruling for one in full_explanation.corrected] == [22]
    assert "no longer happens" in full_explanation.difference or "was:" in full_explanation.difference
    assert not any(one.judged or one.nearly or one.counting for one in (explanation, void))
    assert full_explanation.judged


def test_corrections_and_notes_are_explained(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 1})], by="Bo", reason="cocked")
    printed_fight.note("fight", "really?", about=17, by="Cy")
    assert [verdict.ruling for verdict in explain(printed_fight, 22).entry.verdicts] == [17, 19, 20, 21]
    assert "really?" in explain(printed_fight, 23).entry.sentence
    printed_fight.undo("fight", 22, by="Bo")
    assert explain(printed_fight, 22).entry.restored_by == 24


def test_a_half_hit_names_the_readings_of_ties(printed_fight: CombatLog) -> None:
    printed_fight.correct("fight", [Amend(17, {"attack_die": 4})], by="Bo")
    ties = next(one for one in explain(printed_fight, 17).counting if one.option == "half_success")
    assert ties.reading not in ties.others
    assert "never" in ties.others


@pytest.mark.parametrize("seed", range(60 if FUZZ else 8))
def test_every_other_face_is_tried_and_the_smallest_change_comes_first(seed: int) -> None:
    log, encounter = play_random_fight(Random(seed))
    with log:
        timeline = log.timeline(encounter)
        for number, entry in timeline.living():
            if entry.outcome.is_void or not dice_on_record(timeline, number):
                continue
            explanation = explain(log, number, encounter)
            outcomes = {
                (other.die.key, other.face): other.judging
                for other in alternate_faces(timeline, HypotheticalJudge(timeline, log.rules), number)
            }
            # Every face that changes a state and needs no other die is listed, or a nearer one is.
            other_faces = [
                abs(face - recorded.face)
                for (key, face), judging in outcomes.items()
                if judging.state.combatants != timeline.states[timeline.place[number]].combatants
                and all(die.key in dice_on_record(timeline, number) for e in judging.events for die in dice_of(e))
                for recorded in [dice_on_record(timeline, number)[key]]
            ]
            assert bool(explanation.nearly) >= bool(other_faces)
            distances = [one.distance for one in explanation.nearly]
            assert distances == sorted(distances)
            for one in explanation.nearly:
                assert not one.least <= one.die.face <= one.most
                assert 1 <= one.least <= one.most <= SIDES[one.die.kind]


@pytest.mark.parametrize("face", range(1, 7))
def test_the_nearest_face_matches_amending_every_face_in_a_log(log: CombatLog, face: int) -> None:
    """An oracle that writes: every other face is amended in, read off the log, and undone."""
    play_printed(log)
    if face != 6:
        log.correct("fight", [Amend(17, {"attack_die": face})], by="Bo")

    def outcome() -> str:
        entry = log.timeline("fight").entries[17]
        events = entry.outcome.events(log.timeline("fight").decoders)
        return next(event.outcome for event in events if isinstance(event, AttackResolved))

    margins = {one.role: one for one in explain(log, 17).nearly}
    for field, role, face_rolled in (("attack_die", "attack", face), ("defense_die", "counterattack", 4)):
        before, others = outcome(), {}
        for other in range(1, 7):
            if other != face_rolled:
                log.correct("fight", [Amend(17, {field: other})], by="Bo")
                others[other] = outcome()
                log.undo("fight", by="Bo")
        other_faces = [other for other in others if others[other] != before]
        nearest = min((abs(other - face_rolled) for other in other_faces), default=None)
        assert (margins[role].distance if role in margins else None) == nearest


def test_an_explanation_writes_nothing(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), Join("ana", hp=6), Check(combatant="ana", difficulty="hard")], by="Bo")
    before = log.timeline("fight").version
    explain(log, 3)
    assert log.timeline("fight").version == before
