"""The price list as data, read once: a file for each table."""

from __future__ import annotations

from functools import cache

from mam_events.reading import read_as
from mam_events.rules.character_points.price_list import PriceList
from mam_events.rules.rulebook import printed


@cache
def price_list() -> PriceList:
    """The price list that comes with the program."""
    tables = {name: printed()[f"points/{name}.toml"] for name in PriceList.__struct_fields__}
    return read_as(PriceList, tables, place="price list")
