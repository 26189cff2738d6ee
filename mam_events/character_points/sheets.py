"""Character points for users: the bundled price list, sheets and bills.

A sheet is a TOML file of templates, characters and equipment. A bill has every line, the totals and the compared sides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from mam_events.archive.input_files import read_text
from mam_events.character_points.price_list import PriceList, SheetKind
from mam_events.character_points.prices import BillLine, SideWorth, character_price, price, sides, total
from mam_events.decider.engine import Ruleset
from mam_events.deserializer import read_as
from mam_events.errors import BadInput, Refused
from mam_events.fights import TomlText
from mam_events.refusals.suggestions import suggestion_text
from mam_events.rules.rulebook import load_printed_rules
from mam_events.values import OptionalSlug, Slug, Text


@cache
def price_list() -> PriceList:
    """Return the price list that comes with the program."""
    tables = {name: load_printed_rules()[f"points/{name}.toml"] for name in PriceList.__struct_fields__}
    return read_as(PriceList, tables, place="price list")


class SheetKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys of every thing on a sheet beside its rows."""

    id: Slug
    name: Text = ""


class CharacterKeys(SheetKeys, frozen=True, forbid_unknown_fields=True):
    """Keys of a character beside its rows: its side, what it was built on and what it carries, by id."""

    side: OptionalSlug = ""
    template: OptionalSlug = ""
    equipment: list[Slug] = []


N = TypeVar("N", bound=SheetKeys)


class SheetEntry(Struct, frozen=True):
    """One thing of a sheet: its rows, and the place of each in the file ("" is the thing itself)."""

    kind: SheetKind
    about: SheetKeys
    rows: dict[str, Any]
    places: dict[str, str]

    def place(self, row: str) -> str:
        """Return the place of that row in the file, or the place of the thing if the row has none."""
        return self.places.get(row, self.places[""])


class Sheet(Struct, frozen=True):
    """A sheet to be priced, with its rules; `places` holds the places of the rules in the file."""

    title: str
    preset: str
    house_rules: dict[str, str]
    entries: tuple[SheetEntry, ...]
    places: dict[str, str] = {}


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a sheet; the contents of its tables are read one by one."""

    title: Text = ""
    preset: Slug = "mam_pools"
    house_rules: dict[str, Any] = {}
    templates: list[dict[str, Any]] = []
    characters: list[dict[str, Any]] = []
    equipment: list[dict[str, Any]] = []


def load_sheet(path: str | Path) -> Sheet:
    """Load the sheet in that file; raise BadInput naming file and line."""
    return read_sheet(read_text(path), str(path))


def read_sheet(text: str, name: str = "sheet") -> Sheet:
    """Read a sheet from TOML text; raise BadInput naming `name` and the line of anything invalid."""
    document = TomlText(text, name, "sheet")
    file = document.read(_File, document.raw, ())
    templates = _entries(document, "templates", "template", SheetKeys, file.templates)
    equipment = _entries(document, "equipment", "equipment", SheetKeys, file.equipment)
    characters = _entries(document, "characters", "character", CharacterKeys, file.characters)
    if not (templates or characters or equipment):
        raise BadInput("The sheet has nothing to price: no templates, characters or equipment.", place=name)
    bases, things = (
        dict.fromkeys(entry.about.id for entry in sheets_of_kind) for sheets_of_kind in (templates, equipment)
    )
    for entry in characters:
        if isinstance(entry.about, CharacterKeys):
            _check_known(entry, "template", [entry.about.template] if entry.about.template else [], bases)
            _check_known(entry, "equipment", entry.about.equipment, things)
    places = {str(path[-1]): document.place(line) for path, line in document.lines.items() if path[0] == "house_rules"}
    places |= {"preset": document.at(("preset",))}
    return Sheet(
        file.title, file.preset, document.house_rules(file.house_rules), (*templates, *characters, *equipment), places
    )


def _entries(
    document: TomlText, key: str, kind: SheetKind, about: type[N], tables: list[dict[str, Any]]
) -> tuple[SheetEntry, ...]:
    entries: dict[str, SheetEntry] = {}
    for index, table in enumerate(tables):
        own = {name: value for name, value in table.items() if name in about.__struct_fields__}
        entry_name = document.read(about, own, (key, index))
        if entry_name.id in entries:
            raise BadInput(f'There is already a "{entry_name.id}" here.', place=document.at((key, index, "id")))
        rows = {name: value for name, value in table.items() if name not in own}
        places = {name: document.at((key, index, name)) for name in table} | {"": document.at((key, index))}
        entries[entry_name.id] = SheetEntry(kind, entry_name, rows, places)
    return tuple(entries.values())


def _check_known(entry: SheetEntry, key: str, names: Iterable[str], known: Collection[str]) -> None:
    for one in names:
        if one not in known:
            raise BadInput(
                f'{key}: There is no "{one}" on this sheet. {suggestion_text(one, known)}', place=entry.place(key)
            )


class PricedThing(Struct, frozen=True):
    """One thing with its price; a character's first line is its template, and its equipment isn't in the total.

    `benchmarks` gives the difference between a character's total and each benchmark (below 0: points missing).
    """

    kind: SheetKind
    id: str
    name: str
    lines: tuple[BillLine, ...]
    total: int
    side: str = ""
    equipment: int = 0
    benchmarks: dict[str, int] = {}


class Bill(Struct, frozen=True):
    """Everything on a sheet, priced, and its sides, the strongest first; no sides if there are fewer than two."""

    priced: tuple[PricedThing, ...]
    sides: Sequence[SideWorth]


def price_sheet(sheet: Sheet, prices: PriceList, ruleset: Ruleset) -> Bill:
    """Price everything on the sheet, in its order (MAM-CP-08).

    Raises and is refused like `price` and `character_price`, with the place in the file.
    """
    entries = {(entry.kind, entry.about.id): entry for entry in sheet.entries}
    priced_things: dict[tuple[SheetKind, str], PricedThing] = {}
    for key in sorted(entries, key=lambda key: key[0] == "character"):
        entry = entries[key]
        about = entry.about
        base = entries["template", about.template] if isinstance(about, CharacterKeys) and about.template else None
        with _placed(entry):
            lines = _lines(entry, base, prices, ruleset)
        if base is not None:
            template = priced_things["template", base.about.id]
            lines.insert(0, BillLine("template", f"template {template.name}", 1, template.total, "MAM-CP-08"))
        worth = total(lines)
        priced = PricedThing(entry.kind, about.id, about.name or about.id, tuple(lines), worth)
        if isinstance(about, CharacterKeys):
            carried = sum(priced_things["equipment", item].total for item in about.equipment)
            above = {name: worth - benchmark.points for name, benchmark in prices.benchmarks.items()}
            priced = replace(priced, side=about.side, equipment=carried, benchmarks=above)
        priced_things[key] = priced
    compared = sides((one.side, one.total, one.equipment) for one in priced_things.values() if one.side)
    return Bill(tuple(priced_things[key] for key in entries), compared if len(compared) > 1 else ())


def _lines(entry: SheetEntry, base: SheetEntry | None, prices: PriceList, ruleset: Ruleset) -> list[BillLine]:
    keys = entry.about.__struct_fields__
    if entry.kind == "character":
        return character_price(prices, entry.rows, base.rows if base else {}, ruleset, keys)
    return price(prices, entry.kind, entry.rows, ruleset, keys)


@contextmanager
def _placed(entry: SheetEntry) -> Iterator[None]:
    """Give the errors of a table's rows their place in the file."""
    try:
        yield
    except BadInput as wrong:
        raise BadInput(wrong.sentence, place=entry.place(wrong.place)) from None
    except Refused as no:
        place = entry.place(no.fields[0])
        raise no.at(place) from None
