"""The steps of evolve by section, collected: a module of this package brings its own."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from mam_events.encounter.steps.shared import Steps

STEPS: Steps = {}
for _module in iter_modules(__path__):
    STEPS |= getattr(import_module(f"{__name__}.{_module.name}"), "STEPS", {})
