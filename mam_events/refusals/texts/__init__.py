"""The texts of refusals, by code and case: `out_of_turn` and `out_of_turn/other` are two sentences of one code.

Each file has the texts of one subject. A code is public and never changes; a case is internal.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

MATTERS = (
    "attack",
    "character_points",
    "checks",
    "interfaces",
    "exchanges",
    "grappling",
    "health",
    "initiative",
    "log",
    "maneuvering",
    "missiles",
    "mounts",
    "notation",
    "opening",
    "fragments",
    "rolls",
    "ron_d6",
    "rulings",
    "storage",
    "turns",
)


PARTS = "fragments"
"""The subject of texts that are no refusals of their own."""


@cache
def texts() -> dict[str, str]:
    """Return all texts by key; raise ValueError for a key in two files."""
    texts_by_code: dict[str, str] = {}
    # Load the texts at first use: most processes refuse nothing.
    for matter in MATTERS:
        table = _table(matter)
        if twice := texts_by_code.keys() & table.keys():
            raise ValueError(f"{matter}: {min(twice)} has a text in another file.")
        texts_by_code |= table
    return texts_by_code


def text_of(key: str) -> str:
    """Return the text of that key."""
    return texts()[key]


def refusals() -> dict[str, list[str]]:
    """Return the texts of every code that a refusal may have, sorted by code."""
    codes: dict[str, list[str]] = {}
    for key in sorted(texts().keys() - _table(PARTS).keys()):
        codes.setdefault(key.partition("/")[0], []).append(text_of(key))
    return codes


def _table(matter: str) -> dict[str, str]:
    return cast("dict[str, str]", import_module(f"{__name__}.{matter}").TEXTS)
