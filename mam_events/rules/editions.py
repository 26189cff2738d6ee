"""The editions there are: the only place that lists them, and their modules."""

from __future__ import annotations

from mam_events.rules import (
    attack,
    checks,
    circumstances,
    contests,
    dice_substitutes,
    difficulty,
    game_master,
    hit_points,
    initiative,
    interference,
    movement,
    opening,
    resolution,
    rest,
    rolls,
    success_rolls,
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
    difficulty,
    dice_substitutes,
    circumstances,
    success_rolls,
    contests,
    rest,
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
