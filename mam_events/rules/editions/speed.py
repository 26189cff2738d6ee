"""Mano a Mano with speeds: actions cost turns, and the slow skip some (MAM-TURN)."""

from __future__ import annotations

from mam_events.decider.engine import Edition
from mam_events.rules.editions.mano_a_mano import BEGINNING, COMMON
from mam_events.rules.turns import surprise, turn_economy

EDITION = Edition.of("speed", turn_economy.TURNS, (*BEGINNING, surprise.SECTION, *COMMON, turn_economy.SECTION))
