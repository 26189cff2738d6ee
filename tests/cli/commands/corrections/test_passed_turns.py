"""Passed turns in the log, the replay, the report and the player."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.replay_player.player import Player, ReplayVariant
from cli.replay_player.screen import render_screen
from mam_events.history.timeline.rulings import as_first_written, rulings
from mam_events.log.combat_log import CombatLog
from projections.rulings.frames import frames, still_counts
from projections.rulings.log_lines import log_lines
from tests.cli.calls import Mam
from tests.projections.raids import HIT, raid

PASSED = "– Nobody played Wolf's turn in round 1: it passes."


@pytest.fixture
def store(table: Path) -> Path:
    """Play the raid, undo the hit on the Wolf in ruling 27 and return the store."""
    with CombatLog.open(table / "mam.db") as log:
        raid(log)
        log.undo("fight", HIT, by="Ben", reason="it should not have gone down")
    return table / "mam.db"


def test_the_log_shows_passed_turns_without_a_number(mam: Mam, store: Path) -> None:
    assert store.exists()
    lines = mam("log", "-q").out.splitlines()
    assert lines[lines.index(f"             {PASSED}") + 1].startswith("#15  r2 t1")
    assert mam("log", "15", "-q").out.splitlines()[0] == f"             {PASSED}"
    assert PASSED not in mam("log", "-q", "--as-of", "26").out


def test_a_replay_in_a_pipe_shows_passed_turns_before_the_ruling(mam: Mam, store: Path) -> None:
    assert store.exists()
    for option in ((), ("--living",)):
        lines = mam("replay", "--plain", *option).out.splitlines()
        assert lines[lines.index(f"      {PASSED}") + 1].startswith("#15  r2 t1  Round 2 begins.")
    assert PASSED not in mam("replay", "--plain", "--as-of", "26").out


def test_the_report_shows_what_the_correction_did(mam: Mam, store: Path) -> None:
    assert store.exists()
    lines = mam("report", "-q").out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  #27  Ben undoes 8"))
    assert lines[at + 1 : at + 4] == [
        "      Wolf is up again from ruling 10 on.",
        "      Wolf has 2 turns that nobody played (rounds 1 and 2).",
        "      No ruling changes, none becomes void.",
    ]
    assert lines[lines.index("Passed turns") + 1] == "  Wolf has 2 turns that nobody played (rounds 1 and 2)."


def test_the_player_shows_passed_turns_in_each_reading_that_has_them(store: Path) -> None:
    with CombatLog.open(store) as log:
        timeline = log.timeline("fight")
        film, originals = frames(rulings(timeline)), list(as_first_written(timeline, log.application.rows("fight")))
        sentences = {line.number: line.text for line in log_lines(rulings(timeline))}
    names = {"ana": "Ana", "bram": "Bram", "wolf": "Wolf", "fox": "Fox"}
    ways = {
        "both": lambda: ReplayVariant(film, sentences),
        "as it stands": lambda: ReplayVariant([frame for frame in film if still_counts(frame)], sentences),
        "as played": lambda: ReplayVariant(frames(originals), sentences),
    }
    player = Player("fight", film, names, sentences=sentences, readings=ways)
    for key in ("1", "5", "enter"):
        player.press(key)
    for reading in ways:
        assert player.reading == reading
        assert player.frame.number == 15
        redactor = render_screen(player, 100, 40)
        # Once in the frame, and once in the log around the frame.
        assert [line.strip() for line in redactor].count(PASSED) == (0 if reading == "as played" else 2)
        assert any(line.startswith("▸ #15") for line in redactor)
        assert len(redactor) <= 40
        player.press("e")
    for key in ("home", "/", *"nobody played", "enter"):
        player.press(key)
    assert player.frame.number == 15
    for height in (8, 12, 20, 24, 30):
        redactor = render_screen(player, 80, height)
        assert len(redactor) <= height
        assert max(map(len, redactor)) <= 80
