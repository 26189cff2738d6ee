"""`verify --judge`: forged and resealed rulings are judged differently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from mam_events.archive import import_ndjson
from mam_events.commands import Initiative, Join, Open
from mam_events.decider.ruleset_data import fingerprint_of
from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.refusals.texts import texts
from mam_events.rules.rulebook import Rulebook
from mam_events.verification import judge_again, verify
from projections.rulings.log_lines import log_lines
from tests.archive.export_changes import export_of_rows
from tests.fights.corpus import SEEDS, Corpus
from tests.verification.forge import Row, drawn_fight, edited, printed_fight, resealed, set_to, version_of


@pytest.fixture
def rows(log: CombatLog) -> list[Row]:
    """Amend the attack of ruling 6 in the printed fight (24) and return the rows."""
    printed_fight(log)
    log.correct("fight", [Amend(6, {"power": 3, "modifier": 2})])
    return log.application.rows("fight")


def test_an_unchanged_log_is_judged_the_same(log: CombatLog, rows: list[Row]) -> None:
    steps: list[None] = []
    assert judge_again(rows, log.rules, lambda: steps.append(None)) == len(steps) == 24
    assert judge_again(drawn_fight(log, "drawn"), log.rules) == 14


@given(SEEDS)
def test_every_random_fight_is_judged_the_same(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    assert judge_again(log.application.rows(encounter), log.rules) == log.timeline(encounter).number


def milder(event: dict[str, Any]) -> None:
    """Lower a wound of six points to four and adjust its sums."""
    event["damage"] -= 1
    event["drained"]["other_used"] -= 1
    event["pools"]["damage"] -= 1
    event["pools"]["other_used"] += 1


@pytest.mark.parametrize(
    ("ruling", "topic", "edit", "text"),
    [
        (
            17,
            "WoundInflicted",
            milder,
            "Ruling 17 .*: WoundInflicted has damage 1 in the log, but 2 by",
        ),
        (
            17,
            "AttackResolved",
            set_to(outcome="fail"),
            "Ruling 17 .*outcome 'fail' in the log, but 'full' by the rules",
        ),
        (16, "Play", lambda head: head["command"].update(power=9), "Ruling 16 .*it is not allowed"),
        (
            24,
            "RulingRejudged",
            set_to(verdict="carried"),
            "Ruling 24 .* for ruling 6: carried in the log, but",
        ),
        (24, "Correction", lambda head: head["steps"][0]["patch"].update(power=2), "Ruling 24 differs"),
    ],
)
def test_a_forged_and_resealed_ruling_is_judged_differently(
    log: CombatLog,
    rows: list[Row],
    ruling: int,
    topic: str,
    edit: Callable[[dict[str, Any]], object],
    text: str,
) -> None:
    forged_rows = resealed(edited(rows, version_of(rows, ruling, topic), edit))
    assert verify(forged_rows).rulings == 24
    with pytest.raises(VerificationFailed, match=text) as error:
        judge_again(forged_rows, log.rules)
    assert "Somebody changed it and sealed it again, or" in error.value.sentence


def test_a_forged_rule_of_a_void_ruling_is_detected(log: CombatLog) -> None:
    printed_fight(log)
    log.undo("fight", 6, turns="strict")
    voids = [row for row in log.application.rows("fight") if b'"verdict":"void"' in row[2]]
    assert voids
    for version, _, state in voids:
        assert b'"rule":"MAM-' in state
        forged_rows = resealed(edited(log.application.rows("fight"), version, set_to(rule="MAM-ROLL-01")))
        verify(forged_rows)
        with pytest.raises(VerificationFailed, match='"MAM-ROLL-01" in the log, but "MAM-'):
            judge_again(forged_rows, log.rules)


def edit_pinned_rules(edit: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], None]:
    """Return an edit of the rules that a row pins, which also updates their fingerprint."""

    def change(event: dict[str, Any]) -> None:
        ruleset = event["ruleset"]
        edit(ruleset)
        ruleset["fingerprint"] = fingerprint_of(ruleset["preset"], ruleset["readings"])

    return change


@pytest.mark.parametrize(
    "edit",
    [
        set_to(preset="mam_speed"),
        set_to(fingerprint="0" * 64),
        lambda ruleset: ruleset["readings"].update(half_success="never"),
        lambda ruleset: ruleset["readings"].pop("half_success"),
    ],
)
def test_rules_with_a_wrong_fingerprint_are_refused(rows: list[Row], edit: Callable[[dict[str, Any]], object]) -> None:
    forged_rows = resealed(edited(rows, 2, lambda event: edit(event["ruleset"])))
    for check in (verify, lambda rows: import_ndjson(CombatLog.open("sqlite://"), export_of_rows(rows))):
        with pytest.raises(VerificationFailed, match=r"Ruling 1 has rules with a wrong fingerprint\. This program"):
            check(forged_rows)


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (set_to(preset="our-table"), 'the preset "our-table"'),
        (set_to(preset=""), 'the preset ""'),
        (lambda ruleset: ruleset["readings"].update(half_success="thrice"), '"half_success" read as "thrice"'),
        (lambda ruleset: ruleset["readings"].update(luck="yes"), '"luck" read as "yes"'),
    ],
)
def test_unknown_rules_are_refused_as_rules_of_another_program(
    rows: list[Row], edit: Callable[[dict[str, Any]], object], text: str
) -> None:
    foreign = resealed(edited(rows, 2, edit_pinned_rules(edit)))
    for check in (verify, lambda rows: import_ndjson(CombatLog.open("sqlite://"), export_of_rows(rows))):
        with pytest.raises(StoreUnusable, match=f"Ruling 1 pins {text}, which this program does not know"):
            check(foreign)


def test_a_log_of_an_older_version_is_verified_and_judged(log: CombatLog, rows: list[Row]) -> None:
    older_rows = resealed(edited(rows, 2, edit_pinned_rules(set_to(version="0.0.9"))))
    assert verify(older_rows).rulings == judge_again(older_rows, log.rules) == 24


@pytest.mark.parametrize(
    "edit",
    [
        set_to(preset="mam_d20"),
        set_to(name="ours"),
        lambda ruleset: ruleset.update(preset="mam_d20", version="0.0.9"),
    ],
)
def test_other_rules_than_ordered_are_detected(
    log: CombatLog, rows: list[Row], edit: Callable[[dict[str, Any]], object]
) -> None:
    forged_rows = resealed(edited(rows, 2, edit_pinned_rules(edit)))
    assert verify(forged_rows).rulings == 24
    with pytest.raises(VerificationFailed, match=r"Ruling 1 differs .*EncounterOpened has ruleset"):
        judge_again(forged_rows, log.rules)


def test_a_forged_log_does_not_change_the_rules_of_others(log: CombatLog) -> None:
    rulebook = Rulebook(log.rules.options, log.rules.presets, log.rules.tables, log.rules.exclusions)
    honest = log.rules.ruleset("mam_pools").pinned
    rules = replace(honest, preset="mam_speed")
    assert rulebook.in_force(rules).edition.name == "speed"
    assert rulebook.in_force(honest).edition.name == "pools"
    other = replace(honest, readings=honest.readings | {"half_success": "never"})
    assert (rulebook.in_force(other)["half_success"], rulebook.in_force(honest)["half_success"]) == (
        "never",
        "exact_tie",
    )


def test_the_visibility_of_a_ruling_is_judged(log: CombatLog) -> None:
    for command in (Open(), Join("a", hp=6), Join("b", hp=6, visibility="gm"), Initiative(first="a", reason="awake")):
        log.execute("secret", command)
    rows = log.application.rows("secret")
    assert judge_again(rows, log.rules) == 4
    forged_rows = resealed(edited(rows, version_of(rows, 4), set_to(visibility="public", salt="")))
    assert verify(forged_rows).rulings == 4
    with pytest.raises(VerificationFailed, match=r"Ruling 4 differs from what these"):
        judge_again(forged_rows, log.rules)


def test_a_ruling_that_cannot_be_judged_is_reported(log: CombatLog, rows: list[Row]) -> None:
    forged_rows = resealed(edited(rows, version_of(rows, 15, "AttackDeclared"), set_to(weapon="")))
    with pytest.raises(VerificationFailed, match=r"Ruling 17 cannot be judged \(AssertionError"):
        judge_again(forged_rows, log.rules)


def test_an_error_names_changed_rules_as_a_possible_reason(log: CombatLog, rows: list[Row]) -> None:
    younger = edited(rows, 2, edit_pinned_rules(lambda ruleset: ruleset["readings"].pop("half_success")))
    assert verify(resealed(younger)).rulings == 24
    assert judge_again(resealed(younger), log.rules) == 24
    changed_rows = edited(younger, version_of(rows, 17, "WoundInflicted"), milder)
    with pytest.raises(VerificationFailed, match="rules of this program, which may be the reason"):
        judge_again(resealed(changed_rows), log.rules)


@pytest.mark.parametrize("edit", [set_to(hp=7), lambda event: event["pools"].update(stun=1)])
def test_wrong_starting_points_are_detected_without_judging(
    rows: list[Row], edit: Callable[[dict[str, Any]], object]
) -> None:
    forged_rows = edited(rows, version_of(rows, 2, "CombatantJoined"), lambda event: edit(event["combatant"]))
    with pytest.raises(VerificationFailed, match="After ruling 2 the points of modre are"):
        verify(resealed(forged_rows))


@pytest.fixture
def void(log: CombatLog) -> list[Row]:
    """Amend the printed fight so that ruling 21 is void since 24 for lack of points, and return the rows."""
    printed_fight(log)
    log.redo("fight")
    log.correct("fight", [Amend(20, {"other_used": 1})])
    return log.application.rows("fight")


def reasoned(rows: list[Row]) -> int:
    """Return the version of the row with the reason why a ruling is void."""
    return next(version for version, _, state in rows if b'"reason":{' in state)


def test_a_changed_refusal_text_does_not_change_the_verdict(
    log: CombatLog, void: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key and the references are compared, so that texts can be improved."""
    assert judge_again(void, log.rules) == 25
    monkeypatch.setitem(texts(), "not_enough_ready/points", "{who} lacks points: {points}, not {ready}.")
    assert judge_again(void, log.rules) == 25
    (log_line,) = (line for line in log_lines(rulings(log.timeline("fight"))) if line.number == 21)
    assert "Clone lacks points: 3, not 1" in f"{log_line.marks}"


@pytest.mark.parametrize(
    "edit",
    [
        lambda fields: fields["reason"]["references"].update(points=4),
        lambda fields: fields["reason"]["references"]["who"].update(name="Modre"),
        lambda fields: fields["reason"].update(key="not_enough_ready"),
        lambda fields: fields["reason"].update(key="no_such_key"),
        lambda fields: fields.update(reason=None, why="It was so."),
    ],
)
def test_a_forged_reason_is_detected(log: CombatLog, void: list[Row], edit: Callable[[dict[str, Any]], object]) -> None:
    forged_rows = edited(void, reasoned(void), edit)
    with pytest.raises(VerificationFailed, match="for ruling 21: "):
        judge_again(resealed(forged_rows), log.rules)


def test_a_log_without_reasons_is_judged_by_its_sentences(log: CombatLog, void: list[Row]) -> None:
    older_rows = edited(
        void,
        reasoned(void),
        lambda fields: fields.update(why="Clone needs 3 ready points and has 1.", reason=None),
    )
    assert judge_again(resealed(older_rows), log.rules) == 25
