"""The editions there are: the only place that lists them, and their modules."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from mam_events.rules import (
    after_counterattack,
    archery,
    attack,
    attack_difficulty,
    collisions,
    combos,
    contests,
    counterattack,
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
    mounts,
    movement,
    opening,
    positions,
    raised_defense,
    reactions,
    resolution,
    rest,
    restraint,
    speeds,
    stances,
    success_rolls,
    surprise,
    tackling,
    throwing,
    turn_actions,
    turn_phases,
    turns,
    vehicles,
    wounds,
)
from mam_events.rules.economy import Economy
from mam_events.rules.edition import Edition
from mam_events.rules.ron_d6 import (
    faculties,
    free_actions,
    incapacity,
    interrupting,
    multiple_actions,
    no_hit_points,
    perception,
    performing,
    points,
    related_skills,
    rounds,
)
from mam_events.rules.turn_actions import TURNS
from mam_events.rules.turn_phases import POINTS

ROLLED_INITIATIVE = (faculties, perception, points)
"""Initiative by Perception, which a Mano a Mano table may take as a house rule (RD6-INIT)."""
BEGINNING = (
    opening,
    *ROLLED_INITIATIVE,
    hit_points,
    health,
    initiative,
)
COMMON = (
    turns,
    speeds,
    combos,
    counterattack,
    after_counterattack,
    wounds,
    attack,
    attack_difficulty,
    throwing,
    archery,
    reactions,
    interference,
    resolution,
    movement,
    grappling,
    tackling,
    manipulation,
    holds,
    maneuvering,
    instant_stand,
    positions,
    stances,
    grapple_positions,
    mounts,
    restraint,
    vehicles,
    collisions,
    effects,
    success_rolls,
    contests,
    rest,
    game_master,
)
"""The sections that both families of editions have; before `COMMON` stands what is offered first."""

RON_D6 = (
    rounds,
    multiple_actions,
    performing,
    interrupting,
    related_skills,
    free_actions,
    incapacity,
)
"""Rounds of many actions."""


def _edition(name: str, economy: Economy, modules: Iterable[ModuleType], *, counts_actions: bool = False) -> Edition:
    return Edition.of(name, economy, [module.SECTION for module in modules], counts_actions=counts_actions)


EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        _edition("pools", POINTS, (*BEGINNING, turn_phases, *COMMON, raised_defense)),
        _edition("speed", TURNS, (*BEGINNING, surprise, *COMMON, turn_actions)),
        _edition(
            "ron_d6",
            TURNS,
            (opening, no_hit_points, *ROLLED_INITIATIVE, *RON_D6, game_master),
            counts_actions=True,
        ),
    )
}
