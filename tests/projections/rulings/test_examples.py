"""The example of the archers in the dark."""

from __future__ import annotations

import re
from pathlib import Path

from mam_events.events import AttackResolved, DefenseRolled
from mam_events.fights.file import load_fight
from mam_events.fights.playback import play
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.rulings import log_lines
from tests.projections.conftest import GOLDEN

ARCHERS = Path(__file__).parents[3] / "examples" / "archers-in-the-dark.toml"


def test_the_log_of_the_archers_in_the_dark(log: CombatLog) -> None:
    play(log, load_fight(ARCHERS))
    lines = log_lines.log_lines(rulings(log.timeline("archers-in-the-dark")))
    golden = (GOLDEN / "archers-in-the-dark.log.txt").read_text(encoding="utf-8")
    assert "".join(f"{log_lines.log_line_text(line)}\n" for line in lines) == golden


def test_the_shots_in_the_dark_have_the_difficulties_of_the_page(log: CombatLog) -> None:
    """MAM-ATK-08, MAM-ATK-09: the distance and the dark, shot by shot."""
    play(log, load_fight(ARCHERS))
    texts = {}
    for ruling in rulings(log.timeline("archers-in-the-dark")):
        for event in ruling.events:
            if isinstance(event, DefenseRolled):
                hard = [added.value for added in event.modifiers if added.rule in ("MAM-ATK-08", "MAM-ATK-09")]
                outcome = next(other.outcome for other in ruling.events if isinstance(other, AttackResolved))
                texts[ruling.number] = (hard, outcome)
    assert texts == {9: ([4, 5], "fail"), 26: ([3, 3], "half"), 32: ([2], "full"), 37: ([3], "full")}


def test_every_commented_number_in_the_file_is_its_ruling() -> None:
    text = ARCHERS.read_text(encoding="utf-8")
    fight = load_fight(ARCHERS)
    line_numbers = {int(m[1]): n for n, line in enumerate(text.splitlines(), 1) if (m := re.search(r"# (\d+)$", line))}
    first = len(fight.joins) + 2
    places = [int(order.place.rsplit(":", 1)[1]) for order in fight.lines]
    assert places == [line_numbers[ruling] for ruling in range(first, first + len(places))]
