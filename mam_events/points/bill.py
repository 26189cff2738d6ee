"""A sheet with its prices: every line, the totals, and the sides compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from mam_events.deciding.ruleset import Ruleset
from mam_events.errors import BadInput, Refused
from mam_events.points.sheet import Built, Sheet, Thing
from mam_events.rules.character_points.price_list import Kind, PriceList
from mam_events.rules.character_points.worth import Line, Side, character_price, price, sides, total


class Priced(Struct, frozen=True):
    """One thing with its price; a character's first line is its template, and its equipment stands beside the total.

    `benchmarks` says for a character by how much its total is above each benchmark (below 0: how much is lacking).
    """

    kind: Kind
    id: str
    name: str
    lines: tuple[Line, ...]
    total: int
    side: str = ""
    equipment: int = 0
    benchmarks: dict[str, int] = {}


class Bill(Struct, frozen=True):
    """All that a sheet holds, priced, and its sides, the strongest first; no sides where there are not several."""

    priced: tuple[Priced, ...]
    sides: Sequence[Side]


def bill(sheet: Sheet, prices: PriceList, ruleset: Ruleset) -> Bill:
    """The prices of everything on the sheet (MAM-CP-08), in its order.

    Raises BadInput or is refused as `price` and `character_price` say, with the place in the file.
    """
    entries = {(entry.kind, entry.about.id): entry for entry in sheet.entries}
    found: dict[tuple[Kind, str], Priced] = {}
    for key in sorted(entries, key=lambda key: key[0] == "character"):
        entry = entries[key]
        about = entry.about
        base = entries["template", about.template] if isinstance(about, Built) and about.template else None
        with _placed(entry):
            lines = _lines(entry, base, prices, ruleset)
        if base is not None:
            template = found["template", base.about.id]
            lines.insert(0, Line("template", f"template {template.name}", 1, template.total, "MAM-CP-08"))
        worth = total(lines)
        priced = Priced(entry.kind, about.id, about.name or about.id, tuple(lines), worth)
        if isinstance(about, Built):
            carried = sum(found["equipment", item].total for item in about.equipment)
            above = {name: worth - benchmark.points for name, benchmark in prices.benchmarks.items()}
            priced = replace(priced, side=about.side, equipment=carried, benchmarks=above)
        found[key] = priced
    compared = sides((one.side, one.total, one.equipment) for one in found.values() if one.side)
    return Bill(tuple(found[key] for key in entries), compared if len(compared) > 1 else ())


def _lines(entry: Thing, base: Thing | None, prices: PriceList, ruleset: Ruleset) -> list[Line]:
    keys = entry.about.__struct_fields__
    if entry.kind == "character":
        return character_price(prices, entry.rows, base.rows if base else {}, ruleset, keys)
    return price(prices, entry.kind, entry.rows, ruleset, keys)


@contextmanager
def _placed(entry: Thing) -> Iterator[None]:
    """A table of the file: its rows are checked with their place in it."""
    try:
        yield
    except BadInput as wrong:
        raise BadInput(wrong.sentence, place=entry.place(wrong.place)) from None
    except Refused as no:
        place = entry.place(no.fields[0])
        raise no.at(place) from None
