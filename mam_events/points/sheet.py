"""Point sheets: a TOML file of templates, characters and equipment that are to be priced."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from mam_events.archive.inputs import read_text
from mam_events.errors import BadInput
from mam_events.fights import TomlText
from mam_events.refusals.nearest import nearest
from mam_events.rules.character_points.price_list import Kind
from mam_events.values import OptionalSlug, Slug, Text


class Keyed(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys of every thing on a sheet beside its rows."""

    id: Slug
    name: Text = ""


class Built(Keyed, frozen=True, forbid_unknown_fields=True):
    """Keys of a character beside its rows: its side, what it was built on and what it carries, by id."""

    side: OptionalSlug = ""
    template: OptionalSlug = ""
    equipment: list[Slug] = []


N = TypeVar("N", bound=Keyed)


class Thing(Struct, frozen=True):
    """One thing of a sheet, its rows, and the place of each of them in the file ("" for the whole thing)."""

    kind: Kind
    about: Keyed
    rows: dict[str, Any]
    places: dict[str, str]

    def place(self, row: str) -> str:
        """The place where that row stands, or else the thing."""
        return self.places.get(row, self.places[""])


class Sheet(Struct, frozen=True):
    """A sheet to be priced, under which rules; `places` says where the rules stand."""

    title: str
    preset: str
    house_rules: dict[str, str]
    entries: tuple[Thing, ...]
    places: dict[str, str] = {}


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a sheet; what its tables hold is read one by one."""

    title: Text = ""
    preset: Slug = "mam_pools"
    house_rules: dict[str, Any] = {}
    templates: list[dict[str, Any]] = []
    characters: list[dict[str, Any]] = []
    equipment: list[dict[str, Any]] = []


def load_sheet(path: str | Path) -> Sheet:
    """The sheet in that file; raises BadInput naming file and line."""
    return read_sheet(read_text(path), str(path))


def read_sheet(text: str, name: str = "sheet") -> Sheet:
    """The sheet that a TOML text tells; raises BadInput naming `name` and the line for everything that is wrong."""
    document = TomlText(text, name, "sheet")
    file = document.read(_File, document.raw, ())
    templates = _entries(document, "templates", "template", Keyed, file.templates)
    equipment = _entries(document, "equipment", "equipment", Keyed, file.equipment)
    characters = _entries(document, "characters", "character", Built, file.characters)
    if not (templates or characters or equipment):
        raise BadInput("it holds nothing to price: no templates, no characters, no equipment.", place=name)
    bases, things = (dict.fromkeys(entry.about.id for entry in there) for there in (templates, equipment))
    for entry in characters:
        if isinstance(entry.about, Built):
            _check_known(entry, "template", [entry.about.template] if entry.about.template else [], bases)
            _check_known(entry, "equipment", entry.about.equipment, things)
    places = {str(path[-1]): document.place(line) for path, line in document.lines.items() if path[0] == "house_rules"}
    places |= {"preset": document.at(("preset",))}
    return Sheet(
        file.title, file.preset, document.house_rules(file.house_rules), (*templates, *characters, *equipment), places
    )


def _entries(
    document: TomlText, key: str, kind: Kind, about: type[N], tables: list[dict[str, Any]]
) -> tuple[Thing, ...]:
    found: dict[str, Thing] = {}
    for index, table in enumerate(tables):
        own = {name: value for name, value in table.items() if name in about.__struct_fields__}
        named = document.read(about, own, (key, index))
        if named.id in found:
            raise BadInput(f'there already is a "{named.id}" here.', place=document.at((key, index, "id")))
        rows = {name: value for name, value in table.items() if name not in own}
        places = {name: document.at((key, index, name)) for name in table} | {"": document.at((key, index))}
        found[named.id] = Thing(kind, named, rows, places)
    return tuple(found.values())


def _check_known(entry: Thing, key: str, asked: Iterable[str], known: Collection[str]) -> None:
    for one in asked:
        if one not in known:
            raise BadInput(f'{key}: there is no "{one}" on this sheet; {nearest(one, known)}', place=entry.place(key))
