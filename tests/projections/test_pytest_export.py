"""A fight exported as a test fails if the rules judge a ruling differently, and names the ruling."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from mam_events.archive import export_ndjson
from mam_events.decider.engine import Ruleset
from mam_events.fights import load_fight, play
from mam_events.history.judge.what_if import rejudge_unchanged
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import Rulebook
from mam_events.state import PinnedRules
from projections.pytest_export import as_test, assert_verdicts_stand
from tests.effort import seeds
from tests.fights.corpus import Corpus
from tests.projections.evenings import evening

ROOT = Path(__file__).parents[2]


def ties_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the program so that every tie is a failure, whatever rules a fight has pinned."""
    in_force = Rulebook.in_force

    def changed(self: Rulebook, pinned: PinnedRules) -> Ruleset:
        return in_force(self, replace(pinned, readings={**pinned.readings, "half_success": "never"}))

    monkeypatch.setattr(Rulebook, "in_force", changed)


def test_a_change_of_the_rules_is_reported_with_the_changed_rulings(
    log: CombatLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "archers-in-the-dark"
    play(log, load_fight(ROOT / "examples" / f"{name}.toml"), name)
    export = b"".join(export_ndjson(log, name))
    assert_verdicts_stand(export)
    ties_fail(monkeypatch)
    with pytest.raises(AssertionError) as error:
        assert_verdicts_stand(export)
    first, *lines = str(error.value).split("\n")
    assert first == '"archers-in-the-dark" is judged differently by the rules of today:'
    assert lines[0].startswith("  26 (Oswin's attack on Raider is resolved): changed: Oswin's attack on Raider misses")
    assert "(was: Oswin's attack on Raider half-hits with power 7" in lines[0]
    assert [line.split()[0] for line in lines[:4]] == ["26", "28", "29", "37"]


def test_every_ruling_after_the_opening_is_judged_again(log: CombatLog) -> None:
    play(log, load_fight(ROOT / "examples" / "the-ford.toml"), "the-ford")
    timeline = log.timeline("the-ford")
    assert [pair.ruling for pair in rejudge_unchanged(timeline, log.rules).pairs] == timeline.order[1:]


@pytest.mark.parametrize("seed", seeds(8))
def test_any_recorded_evening_is_judged_the_same(log: CombatLog, corpus: Corpus, seed: int) -> None:
    evening(log, "evening", seed)
    assert_verdicts_stand(b"".join(export_ndjson(log, "evening")))
    other, encounter = corpus(seed)
    assert_verdicts_stand(b"".join(export_ndjson(other, encounter)))


@pytest.mark.slow
def test_the_exported_file_is_a_test_that_pytest_runs(log: CombatLog, tmp_path: Path) -> None:
    play(log, load_fight(ROOT / "examples" / "the-ford.toml"), "the-ford")
    text = b"".join(as_test(log, "the-ford"))
    (tmp_path / "test_the_ford.py").write_bytes(text)
    (tmp_path / "test_less.py").write_bytes(text.replace(b'"by":"Ana"', b'"by":"Ben"'))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    process = subprocess.run(words, check=False, cwd=ROOT, capture_output=True, text=True)
    assert "1 failed, 1 passed" in process.stdout
    assert "it was sealed" in process.stdout
