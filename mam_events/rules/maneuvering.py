"""Maneuvering: evasion and its bonuses (MAM-MNV)."""

from __future__ import annotations

from mam_events.rules.ruleset import Ruleset

REVISION = 1

UNIFORM = {"uniform_two": 2, "uniform_four": 4, "uniform_five": 5}


def evasion_bonus(source: str, ruleset: Ruleset) -> int:
    """The bonus of evading and its kin (`evasion_bonus_scale`), by the table; 0 where that has none of its own."""
    scale = ruleset["evasion_bonus_scale"]
    return UNIFORM.get(scale) or int(ruleset.tables["evasion"].get(source, 0))
