"""Cached tables equal the logs for every viewer and after any damage.

The effect of a change of the rules is the difference to the fight without it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from mam_events.commands import ChangeRules, Join, Open
from mam_events.errors import Refused, StoreUnusable
from mam_events.events import Strike
from mam_events.fights import load_fight, play
from mam_events.history.judge.what_if import without_play
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.store import build_events
from projections.analysis.what_if import current_ending
from projections.cache.registry import (
    AUDIT_TABLE,
    CACHED_PROJECTIONS,
    DISPUTE_TABLE,
    OUTCOME_TABLE,
    RULE_CHANGE_TABLE,
    rebuild,
)
from projections.reports.rule_changes import changes_of_rules
from projections.rulings.audit import AuditEntry, audit_trail
from projections.visibility.redaction import Redactor
from tests.conftest import in_sqlite
from tests.fighters import play_printed
from tests.fights.tables import play_random_fight
from tests.projections.evenings import evening

EXAMPLES = Path(__file__).parents[3] / "examples"


said = msgspec.json.encode


def kept(log: CombatLog) -> dict[str, tuple[int, int]]:
    """Return the number of encounters for which each table is up to date, and the number for which it is not."""
    return {table.name: table.count(log, log.application.recorder.versions()) for table in CACHED_PROJECTIONS}


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_match_the_logs_after_every_change(log: CombatLog, seed: int) -> None:
    for part in range(3):
        evening(log, f"evening-{part % 2}", seed + part, moves=20)
        for view in ("gm", "public"):
            tables = {
                table.name: dict(table.rows(log, view)) for table in (AUDIT_TABLE, OUTCOME_TABLE, RULE_CHANGE_TABLE)
            }
            later_tables = {
                table.name: dict(table.rows(log, view)) for table in (AUDIT_TABLE, OUTCOME_TABLE, RULE_CHANGE_TABLE)
            }
            assert said(tables) == said(later_tables)
            for encounter in log.encounters():
                timeline = log.timeline(encounter)
                redactor = Redactor(view, rulings(timeline))
                assert said(tables["audit"][encounter]) == said(audit_trail(rulings(timeline), redactor))
                assert tables["outcomes"][encounter] == current_ending(timeline, redactor)
                assert tables["rules-changes"][encounter] == changes_of_rules(timeline, redactor, log.rules)


def test_a_table_is_outdated_after_a_change_and_updated_when_read(log: CombatLog) -> None:
    for name in ("one", "two"):
        play_printed(log, name)
    assert kept(log)["outcomes"] == (0, 0)
    assert dict(OUTCOME_TABLE.rows(log))["one"].rounds == 2
    log.note("two", "on we go")
    assert kept(log)["outcomes"] == (1, 1)
    assert list(dict(OUTCOME_TABLE.rows(log))) == ["one", "two"]
    assert kept(log)["outcomes"] == (2, 0)


def test_a_rebuild_makes_the_same_tables(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log:
        play_printed(log, "one")
        play(log, load_fight(EXAMPLES / "the-ford.toml"), "ford")
        before = {table.name: dict(table.rows(log)) for table in CACHED_PROJECTIONS}
        with in_sqlite(log).writing() as cursor:
            cursor.execute("UPDATE projected SET said = CAST(replace(CAST(said AS TEXT), 'Modre', 'Nobody') AS BLOB)")
        calls: list[None] = []
        assert rebuild(log, lambda: calls.append(None)) == {}
        assert len(calls) == 2 * len(CACHED_PROJECTIONS)
        assert kept(log) == {table.name: (2, 0) for table in CACHED_PROJECTIONS}
        assert said({table.name: dict(table.rows(log)) for table in CACHED_PROJECTIONS}) == said(before)


def test_an_unreadable_fight_is_reported_and_the_others_are_kept(log: CombatLog) -> None:
    for name in ("one", "two", "three"):
        play_printed(log, name)
    log.application.save(*build_events("two", [(log.application.recorder.last_version("two") + 1, "Sung.7", b"{}")]))
    failures = rebuild(log)
    assert list(failures) == ["two"]
    assert "Sung" in failures["two"].sentence
    assert kept(log) == {table.name: (2, 0) for table in CACHED_PROJECTIONS}


def test_without_write_access_rows_are_computed_and_a_rebuild_is_refused(log: CombatLog) -> None:
    play_printed(log, "fight")
    with in_sqlite(log).writing():
        assert dict(OUTCOME_TABLE.rows(log))["fight"].rounds == 2
        with pytest.raises(StoreUnusable, match="another transaction"):
            rebuild(log)
    assert kept(log)["outcomes"] == (0, 0)


def test_rows_cached_for_one_view_are_not_shown_to_another(log: CombatLog) -> None:
    log.execute("fight", Open())
    log.execute("fight", Join("ghost", name="Ghost", hp=6, visibility="gm"), by="Kim")
    for _ in range(2):
        for table in (AUDIT_TABLE, OUTCOME_TABLE, RULE_CHANGE_TABLE):
            hidden, visible = (msgspec.json.encode(dict(table.rows(log, view))) for view in ("public", "gm"))
            assert b"host" not in hidden
            assert b"host" in visible or table is RULE_CHANGE_TABLE


def change_rules(log: CombatLog, encounter: str, rng: Random) -> int:
    """Change the readings of a few options early in the fight, and return the ruling."""
    timeline = log.timeline(encounter)
    ruleset = timeline.state.ruleset
    assert ruleset
    while True:
        others = {
            option: rng.choice(sorted(set(log.rules.options[option].readings) - {ruleset.readings[option]}))
            for option in rng.sample(sorted(ruleset.readings), 6)
        }
        with suppress(Refused):
            change = ChangeRules(others, reason="for once")
            return log.execute(encounter, change, after=rng.choice(timeline.order[:4])).number


@pytest.mark.slow
def test_the_effect_of_a_rules_change_equals_undoing_it() -> None:
    difference_count = comparison_count = 0
    for seed in range(50):
        rng = Random(seed)
        log, encounter = play_random_fight(rng, close=False)
        number = change_rules(log, encounter, rng)
        comparison = without_play(log.timeline(encounter), log.rules, number)
        preview = log.preview(encounter, [Strike(number)])
        verdicts = {one.ruling: one.verdict for one in preview.rejudged if not one.undrawn}
        expectation = {pair.ruling: pair.verdict for pair in comparison.pairs}
        assert {ruling: expectation[ruling] for ruling in verdicts} == verdicts
        difference_count += len(comparison.differing)
        if preview.state is not None:
            comparison_count += 1
            assert comparison.supposed == preview.state
            assert list(verdicts) == list(expectation)
            assert not any(pair.hypothetical for pair in comparison.pairs)
    assert difference_count > 50
    assert comparison_count > 20


def test_the_audit_names_the_option_that_took_a_half_hit_away(log: CombatLog) -> None:
    """The audit names the option that removed a half hit.

    Until 16 January 2008 an exact tie half-succeeded, then both failed. A table that changes to that in the middle of a
    fight loses exactly the half hit.
    """
    name = "archers-in-the-dark"
    play(log, load_fight(EXAMPLES / f"{name}.toml"), name)
    tied = next(n for n in log.timeline(name).order if "half" in str(audit_of(log, name, n).follows))
    before = log.timeline(name)
    log.execute(name, ChangeRules({"half_success": "never"}, reason="ties fail"), after=before.order[0], by="Ana")
    (change,) = dict(RULE_CHANGE_TABLE.rows(log))[name]
    assert (change.by, change.reason) == ("Ana", "ties fail")
    assert change.readings == {"half_success": ("exact_tie", "never")}
    assert change.effect
    assert change.effect.first == tied
    assert change.effect.changed + change.effect.void == sum(
        verdict.verdict in ("changed", "void") for verdict in audit_of(log, name, change.ruling).verdicts
    )
    log.undo(name, change.ruling)
    (change,) = dict(RULE_CHANGE_TABLE.rows(log))[name]
    assert (change.taken_back_by, change.effect) == (log.timeline(name).number, None)


def audit_of(log: CombatLog, encounter: str, number: int) -> AuditEntry:
    return audit_trail(log.history(encounter))[number - 1]


def test_a_branch_does_not_repeat_the_entries_of_its_origin(log: CombatLog) -> None:
    play_printed(log, "fight")
    log.execute("fight", ChangeRules({"half_success": "never"}, reason="ties fail"))
    log.branch("fight", "aside", 12)
    log.execute("aside", ChangeRules({"half_success": "never"}, reason="here too"))
    reasons = {name: [change.reason for change in changes] for name, changes in RULE_CHANGE_TABLE.rows(log)}
    assert reasons == {"fight": ["ties fail"], "aside": ["here too"]}
    audits = dict(AUDIT_TABLE.rows(log))
    assert [entry.number for entry in audits["aside"]] == [
        log.timeline("aside").branched_at,
        log.timeline("aside").number,
    ]
    assert len(audits["fight"]) == log.timeline("fight").number


def test_a_decision_before_a_branch_is_one_precedent(log: CombatLog) -> None:
    play_printed(log, "fight")
    settled_claim, open_claim = (log.note("fight", f"claim {n}", kind="dispute", about=8).number for n in (1, 2))
    log.note("fight", "it stands", kind="decision", about=settled_claim)
    log.branch("fight", "aside", 12)
    log.note("aside", "and so does this", kind="decision", about=open_claim)
    claims = {name: [one.claim for one in disputes] for name, disputes in DISPUTE_TABLE.rows(log)}
    assert claims == {"fight": ["claim 1"], "aside": ["claim 2"]}
