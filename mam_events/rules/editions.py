"""The editions there are: the only place that lists them, and their modules."""

from __future__ import annotations

from mam_events.rules import (
    attack,
    checks,
    game_master,
    hit_points,
    initiative,
    interference,
    movement,
    opening,
    resolution,
    rolls,
    turn_phases,
    wounds,
)
from mam_events.rules.edition import Edition

COMMON = (
    opening,
    checks,
    hit_points,
    initiative,
    turn_phases,
    wounds,
    attack,
    interference,
    rolls,
    resolution,
    movement,
    game_master,
)
"""The sections that both families of editions have."""

EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition("pools", COMMON),
        Edition("speed", COMMON),
    )
}
