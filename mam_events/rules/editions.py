"""The editions there are: the only place that lists them, and their modules."""

from __future__ import annotations

from mam_events.rules import (
    armor,
    attack,
    attack_difficulty,
    attack_power,
    checks,
    circumstances,
    collisions,
    combos,
    contests,
    counterattack,
    deeds,
    dice_substitutes,
    difficulty,
    effects,
    game_master,
    health,
    hit_points,
    initiative,
    interference,
    maneuvering,
    mounts,
    movement,
    opening,
    positions,
    raised_defense,
    reactions,
    resolution,
    rest,
    rolling,
    rolls,
    speeds,
    success_rolls,
    surprise,
    terms,
    throwing,
    turn_actions,
    turn_bounds,
    turn_phases,
    turns,
    vehicles,
    wounds,
)
from mam_events.rules.edition import Edition
from mam_events.rules.turn_actions import TURNS
from mam_events.rules.turn_phases import POINTS

COMMON = (
    opening,
    checks,
    deeds,
    hit_points,
    health,
    initiative,
    turns,
    turn_bounds,
    speeds,
    combos,
    counterattack,
    wounds,
    armor,
    attack,
    attack_difficulty,
    attack_power,
    terms,
    throwing,
    reactions,
    interference,
    rolling,
    rolls,
    resolution,
    movement,
    maneuvering,
    positions,
    mounts,
    vehicles,
    collisions,
    effects,
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
        Edition("pools", POINTS, (*COMMON, turn_phases, raised_defense)),
        Edition("speed", TURNS, (*COMMON, turn_actions, surprise)),
    )
}
