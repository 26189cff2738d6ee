"""The editions of the game, each loaded when a fight of it is: the only place that lists them, and their sections."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.decider.engine import Edition

NAMES = ("pools", "speed", "ron_d6")
"""The editions that presets are of (MAM-GEN-01, RD6); each is the module of that name in this package."""


@cache
def edition(name: str) -> Edition:
    """The edition of that name; raises KeyError where there is none."""
    if name not in NAMES:
        raise KeyError(name)
    found: Edition = import_module(f"{__name__}.{name}").EDITION
    return found
