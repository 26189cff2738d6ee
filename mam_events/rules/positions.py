"""Stance and position (MAM-POS)."""

from __future__ import annotations

from fractions import Fraction

from mam_events.rules.ruleset import Ruleset
from mam_events.rules.wounds import halve

REVISION = 1

ON_THE_GROUND = 2
"""Metres that lying, sitting or crouching takes off a move (MAM-MNV-03)."""


def ground_movement(metres: Fraction, ruleset: Ruleset) -> Fraction:
    """How far one gets on the ground who would get so far standing (MAM-MNV-03, MAM-POS-02, `ground_movement`)."""
    if ruleset["ground_movement"] == "minus_two":
        return max(Fraction(0), metres - ON_THE_GROUND)
    # Whole metres are halved as everything else is; a fraction of a metre is kept exactly.
    return Fraction(halve(int(metres), ruleset)) if metres.denominator == 1 else metres / 2
