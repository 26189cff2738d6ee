"""Ron d6: rounds with an order, and actions that are declared and counted in them (RD6)."""

from __future__ import annotations

from mam_events.decider.engine import Edition
from mam_events.rules import game_master, opening
from mam_events.rules.initiative import by_roll, rd6_statistics
from mam_events.rules.ron_d6 import (
    free_actions,
    incapacity,
    interrupt,
    multiple_actions,
    no_hit_points,
    perform,
    related_skills,
    rounds,
    spend,
)
from mam_events.rules.turns.turn_economy import TURNS

EDITION = Edition.of(
    "ron_d6",
    TURNS,
    (
        opening.SECTION,
        no_hit_points.SECTION,
        rd6_statistics.SECTION,
        by_roll.SECTION,
        spend.SECTION,
        rounds.SECTION,
        multiple_actions.SECTION,
        perform.SECTION,
        interrupt.SECTION,
        related_skills.SECTION,
        free_actions.SECTION,
        incapacity.SECTION,
        game_master.SECTION,
    ),
    counts_actions=True,
)
