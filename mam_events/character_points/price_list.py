"""The price list of character points as data: how each row is counted."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

SheetKind = Literal["template", "character", "equipment"]


class PerLevel(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="level"):
    """Priced by level; a level below 0 costs as much less (MAM-CP, "Negative levels")."""

    price: int


class PerNumber(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="number"):
    """Priced by a number of 0 or more; `what` names the thing where the row's name would read badly."""

    price: int
    what: str = ""


class PerStep(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="step"):
    """Priced by steps on the ladder of speeds, or once for any number of steps (`speed_step`, MAM-CP-04)."""

    price: int


class Mark(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="mark"):
    """Priced once where it is true."""

    price: int


class OneOf(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="choice"):
    """One of several, each with a price."""

    prices: dict[str, int]


class AnyOf(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="list"):
    """Any of several, each with a price and each at most once."""

    prices: dict[str, int]


class Cover(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="cover"):
    """Armor: a price for every cover × absorption, or for every absorption where the cover is complete."""

    partial: int
    complete: int


class Shots(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="shots"):
    """Shots before reloading: the price of one, of two and so on, and that of a turn of reloading (MAM-CP-06)."""

    rule: str
    prices: tuple[int, ...]
    no_limit: int
    reload_time: int


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """The masses of one price, in kilograms."""

    first: Decimal = field(name="from")
    last: Decimal = field(name="to")
    price: int


class Mass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="by", tag="mass"):
    """Priced by mass, in bands from light to heavy (MAM-CP-07)."""

    rule: str
    bands: tuple[Band, ...]


PriceRule = PerLevel | PerNumber | PerStep | Mark | OneOf | AnyOf | Cover | Shots | Mass


class PriceTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The prices for one kind of thing, by row, and the rule they belong to unless a row has its own."""

    rule: str
    rows: dict[str, PriceRule]


class Benchmark(Struct, frozen=True, forbid_unknown_fields=True):
    """The worth of typical characters: about this many points, or at most this many (MAM-CP-02)."""

    title: str
    points: int
    most: bool = False


class PriceList(Struct, frozen=True, forbid_unknown_fields=True):
    """Every price, and the benchmarks by name."""

    template: PriceTable
    character: PriceTable
    equipment: PriceTable
    benchmarks: dict[str, Benchmark]

    def table(self, kind: SheetKind) -> PriceTable:
        """Return the price table for that kind of thing."""
        table: PriceTable = getattr(self, kind)
        return table
