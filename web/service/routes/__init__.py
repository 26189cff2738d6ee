"""The endpoints of the service, a module for each matter."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

READ_FIRST = (
    "transfer",
    "views",
    "commands",
    "lines",
    "corrections",
    "proposals",
    "stream",
    "analysis",
    "reruns",
    "meta",
)
"""The order in which the reference of the service shows these modules; others follow by name."""


def load_routes() -> tuple[str, ...]:
    """Import every module of endpoints, which registers them; return the modules in the order of the reference."""
    names = sorted(module.name for module in iter_modules(__path__))
    for name in names:
        import_module(f"{__name__}.{name}")
    return (*READ_FIRST, *(name for name in names if name not in READ_FIRST))
