"""Fights that come out differently under another reading of one option, a module for each section of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from mam_events.commands import Command
from mam_events.events import Event


class Fight(NamedTuple):
    """A fight: its orders from ruling 2 on, the house rules needed besides the option in question, and the preset.

    The orders may include events, for facts that no order causes.
    """

    orders: tuple[Command | Event, ...]
    rules: Mapping[str, str] = {}
    preset: str = "mam_pools"


def fights() -> dict[tuple[str, str], Fight]:
    """Return the fights of all sections, by option and reading."""
    results: dict[tuple[str, str], Fight] = {}
    for module in iter_modules(__path__):
        results |= getattr(import_module(f"{__name__}.{module.name}"), "FIGHTS", {})
    return results


def without_a_fight() -> dict[tuple[str, str], str]:
    """Return the reasons why no fight can show the effect of some readings, by option and reading."""
    results: dict[tuple[str, str], str] = {}
    for module in iter_modules(__path__):
        results |= getattr(import_module(f"{__name__}.{module.name}"), "WITHOUT_A_FIGHT", {})
    return results
