"""The log and the audit of the example fights, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.fights import load_fight, play
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.reports import report
from projections.rulings import audit, frames, log_lines

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
FIGHTS = sorted(
    path for path in (ROOT / "examples").glob("*.toml") if "\ncommands = " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    "name",
    [
        "the-ford",
        "the-dam-road",
        "toughness",
        "the-jump",
        "four-of-a-kind",
        "the-footbridge",
        "first-on-the-stairs",
    ],
)
def test_the_log_and_the_audit_of_an_example(log: CombatLog, name: str) -> None:
    play(log, load_fight(ROOT / "examples" / f"{name}.toml"))
    played_rulings = list(rulings(log.timeline(name)))
    texts = {
        "log": [log_lines.log_line_text(line) for line in log_lines.log_lines(played_rulings, "gm")],
        "audit": [audit.audit_text(entry) for entry in audit.audit_trail(played_rulings, "gm")],
    }
    for view, lines in texts.items():
        golden = (GOLDEN / f"{name}.{view}.txt").read_text(encoding="utf-8")
        assert "".join(f"{line}\n" for line in lines) == golden


@pytest.mark.parametrize("view", ["gm", "public"])
@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_views_work_after_all_combatants_were_undone(log: CombatLog, path: Path, view: str) -> None:
    play(log, load_fight(path), "fight")
    log.undo("fight", 2, rewind=True)
    timeline = log.timeline("fight")
    played_rulings = list(rulings(timeline))
    for look in (log_lines.log_lines, audit.audit_trail, frames.frames):
        assert len(look(played_rulings, view)) == len(played_rulings)
    assert report.report(played_rulings, timeline.state, view, preset_readings={})
