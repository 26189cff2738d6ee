"""The editions there are: the only place that lists them, and their modules."""

from __future__ import annotations

from mam_events.rules import (
    archery,
    armor,
    attack,
    attack_difficulty,
    attack_power,
    checks,
    circumstances,
    combos,
    contests,
    counterattack,
    deeds,
    dice_substitutes,
    difficulty,
    effects,
    game_master,
    grapple_positions,
    grappling,
    health,
    hit_points,
    holds,
    initiative,
    instant_stand,
    interference,
    maneuvering,
    manipulation,
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
    stances,
    success_rolls,
    surprise,
    terms,
    throwing,
    turn_actions,
    turn_bounds,
    turn_phases,
    turns,
    wounds,
)
from mam_events.rules.edition import Edition
from mam_events.rules.turn_actions import TURNS
from mam_events.rules.turn_phases import POINTS

BEGINNING = (
    opening,
    checks,
    deeds,
    hit_points,
    health,
    initiative,
)
COMMON = (
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
    archery,
    reactions,
    interference,
    rolling,
    rolls,
    resolution,
    movement,
    grappling,
    manipulation,
    holds,
    maneuvering,
    instant_stand,
    positions,
    stances,
    grapple_positions,
    effects,
    difficulty,
    dice_substitutes,
    circumstances,
    success_rolls,
    contests,
    rest,
    game_master,
)
"""The sections that both families of editions have; before `COMMON` stands what is offered first."""

EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        Edition("pools", POINTS, (*BEGINNING, turn_phases, *COMMON, raised_defense)),
        Edition("speed", TURNS, (*BEGINNING, surprise, *COMMON, turn_actions)),
    )
}
