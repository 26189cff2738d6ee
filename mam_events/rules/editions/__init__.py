"""The editions of the game and their sections: the only place that lists them. Each is loaded when a fight needs it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mam_events.decider.engine import Edition

NAMES = ("pools", "speed", "ron_d6")
"""The editions that presets belong to (MAM-GEN-01, RD6); each is the module of that name in this package."""


@cache
def edition(name: str) -> Edition:
    """Return the edition of that name; raise KeyError if there is none."""
    if name not in NAMES:
        raise KeyError(name)
    loaded: Edition = import_module(f"{__name__}.{name}").EDITION
    return loaded
