"""Mano a Mano with five pools: hit points pay for actions, in the phases of a turn (MAM-PHASE)."""

from __future__ import annotations

from mam_events.decider.engine import Edition
from mam_events.rules.editions.mano_a_mano import BEGINNING, COMMON
from mam_events.rules.exchanges import defend
from mam_events.rules.turns import point_economy

EDITION = Edition.of("pools", point_economy.POINTS, (*BEGINNING, point_economy.SECTION, *COMMON, defend.SECTION))
