"""Mano a Mano with five pools: hit points pay for actions, in the phases of a turn (MAM-PHASE)."""

from __future__ import annotations

from mam_events.deciding.edition import Edition
from mam_events.rules.editions.mano_a_mano import BEGINNING, COMMON
from mam_events.rules.exchanges import raised_defense
from mam_events.rules.turns import phases

EDITION = Edition.of("pools", phases.POINTS, (*BEGINNING, phases.SECTION, *COMMON, raised_defense.SECTION))
