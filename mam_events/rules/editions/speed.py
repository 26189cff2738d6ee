"""Mano a Mano with speeds: actions cost turns, and the slow skip some (MAM-TURN)."""

from __future__ import annotations

from mam_events.deciding.edition import Edition
from mam_events.rules.editions.mano_a_mano import BEGINNING, COMMON
from mam_events.rules.turns import actions, surprise

EDITION = Edition.of("speed", actions.TURNS, (*BEGINNING, surprise.SECTION, *COMMON, actions.SECTION))
