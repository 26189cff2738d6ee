"""The sections of the rules that both editions of Mano a Mano have."""

from __future__ import annotations

from mam_events.rules import game_master, opening
from mam_events.rules.attack import attacks, difficulty
from mam_events.rules.exchanges import (
    acts,
    after_counterattack,
    collisions,
    interference,
    parry,
    reactions,
    resolution,
    tackling,
    throwing_dice,
)
from mam_events.rules.grappling import declaring, holds
from mam_events.rules.health import condition, hit_points, rest, wounds
from mam_events.rules.initiative import faculties, order, perception
from mam_events.rules.maneuvering import (
    evasion,
    grapple_positions,
    instant_stand,
    movement,
    positions,
    rest_and_aim,
)
from mam_events.rules.missiles import archery, throwing
from mam_events.rules.mounts import restraint, riding, vehicles
from mam_events.rules.rolls import contests, effects, success_rolls
from mam_events.rules.ron_d6 import points
from mam_events.rules.turns import combos, counterattack, speeds, turns

BEGINNING = (
    opening.SECTION,
    # Initiative by Perception, which a table may take as a house rule (RD6-INIT).
    faculties.SECTION,
    perception.SECTION,
    points.SECTION,
    hit_points.SECTION,
    condition.SECTION,
    order.SECTION,
)
"""The sections that are offered first."""

COMMON = (
    turns.SECTION,
    speeds.SECTION,
    combos.SECTION,
    counterattack.SECTION,
    after_counterattack.SECTION,
    wounds.SECTION,
    attacks.SECTION,
    difficulty.SECTION,
    throwing.SECTION,
    archery.SECTION,
    reactions.SECTION,
    parry.SECTION,
    interference.SECTION,
    acts.SECTION,
    resolution.SECTION,
    throwing_dice.SECTION,
    movement.SECTION,
    declaring.SECTION,
    tackling.SECTION,
    holds.SECTION,
    evasion.SECTION,
    instant_stand.SECTION,
    positions.SECTION,
    rest_and_aim.SECTION,
    grapple_positions.SECTION,
    riding.SECTION,
    restraint.SECTION,
    vehicles.SECTION,
    collisions.SECTION,
    effects.SECTION,
    success_rolls.SECTION,
    contests.SECTION,
    rest.SECTION,
    game_master.SECTION,
)
"""The sections that follow, after what an edition has of its own."""
