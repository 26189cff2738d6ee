"""The sections of the rules that both editions of Mano a Mano share."""

from __future__ import annotations

from mam_events.rules import game_master, opening
from mam_events.rules.attack import attacks, difficulty
from mam_events.rules.exchanges import (
    change_action,
    collisions,
    generic_action,
    interference,
    parry,
    reactions,
    resolution,
    tackle,
    throw_die,
)
from mam_events.rules.grappling import holds, manipulate
from mam_events.rules.health import condition, hit_points, rest, wounds
from mam_events.rules.initiative import by_reach, by_roll, rd6_statistics
from mam_events.rules.maneuvering import evade, grapple_positions, instant_stand, items, positions, rest_and_aim
from mam_events.rules.missiles import archery, thrown_weapons
from mam_events.rules.mounts import restraint, riding, vehicles
from mam_events.rules.rolls import contests, effects, success_rolls
from mam_events.rules.ron_d6 import spend
from mam_events.rules.turns import combos, prepared_counterattack, speeds, turns

BEGINNING = (
    opening.SECTION,
    # Initiative by Perception is a possible house rule (RD6-INIT).
    rd6_statistics.SECTION,
    by_roll.SECTION,
    spend.SECTION,
    hit_points.SECTION,
    condition.SECTION,
    by_reach.SECTION,
)
"""The sections that are offered first."""

COMMON = (
    turns.SECTION,
    speeds.SECTION,
    combos.SECTION,
    prepared_counterattack.SECTION,
    change_action.SECTION,
    wounds.SECTION,
    attacks.SECTION,
    difficulty.SECTION,
    thrown_weapons.SECTION,
    archery.SECTION,
    reactions.SECTION,
    parry.SECTION,
    interference.SECTION,
    generic_action.SECTION,
    resolution.SECTION,
    throw_die.SECTION,
    items.SECTION,
    manipulate.SECTION,
    tackle.SECTION,
    holds.SECTION,
    evade.SECTION,
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
"""The sections that follow after an edition's own."""
