"""The fights that come with the program as people read them: played from their files, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.fights import load_fight, play
from mam_events.history import rulings
from mam_events.log import CombatLog
from projections import audit, log_lines

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"


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
    played = list(rulings(log.timeline(name)))
    told = {
        "log": [log_lines.as_text(line) for line in log_lines.log_lines(played, "gm")],
        "audit": [audit.as_text(entry) for entry in audit.audit_trail(played, "gm")],
    }
    for view, lines in told.items():
        golden = (GOLDEN / f"{name}.{view}.txt").read_text(encoding="utf-8")
        assert "".join(f"{line}\n" for line in lines) == golden
