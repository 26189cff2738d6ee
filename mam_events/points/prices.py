"""The price list as data, read once: a TOML file for each table."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from mam_events.reading import read_as
from mam_events.rules.character_points.price_list import PriceList


@cache
def price_list() -> PriceList:
    """The price list that comes with the program."""
    folder = files("mam_events.rules") / "data" / "points"
    tables = {
        name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
        for name in PriceList.__struct_fields__
    }
    return read_as(PriceList, tables, place="price list")
