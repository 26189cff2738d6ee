"""Ron d6: rounds with an order, and actions that are declared and counted in them (RD6)."""

from __future__ import annotations

from mam_events.deciding.edition import Edition
from mam_events.rules import game_master, opening
from mam_events.rules.initiative import faculties, perception
from mam_events.rules.ron_d6 import (
    free_actions,
    incapacity,
    interrupting,
    multiple_actions,
    no_hit_points,
    performing,
    points,
    related_skills,
    rounds,
)
from mam_events.rules.turns.actions import TURNS

EDITION = Edition.of(
    "ron_d6",
    TURNS,
    (
        opening.SECTION,
        no_hit_points.SECTION,
        faculties.SECTION,
        perception.SECTION,
        points.SECTION,
        rounds.SECTION,
        multiple_actions.SECTION,
        performing.SECTION,
        interrupting.SECTION,
        related_skills.SECTION,
        free_actions.SECTION,
        incapacity.SECTION,
        game_master.SECTION,
    ),
    counts_actions=True,
)
