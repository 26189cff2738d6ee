"""Fights for the options of setting one's feet."""

from __future__ import annotations

from mam_events.commands import Brace
from tests.fighters import DUEL
from tests.rules.fights import Fight

FIGHTS: dict[tuple[str, str], Fight] = {("bracing_bonus", "two"): Fight((*DUEL, Brace("modre")))}
