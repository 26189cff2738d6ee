"""House rules in a file of their own, based on a preset or on another such file."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import realpath
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from mam_events.archive.input_files import read_text, resolve_inside
from mam_events.deserializer import LEARNING, find_mismatch
from mam_events.errors import BadInput
from mam_events.fights.toml_text import TomlText
from mam_events.fights.toml_writer import toml_lines
from mam_events.sanitize import clean_fields
from mam_events.values import Slug, Text

ENDING = ".toml"


class Overlay(Struct, frozen=True):
    """Named house rules over a preset.

    They include those of the files below; `places` holds the place of each (`our-table.toml:5`). A bare preset has no
    name and no house rules.
    """

    preset: str
    name: str = ""
    title: str = ""
    house_rules: dict[str, str] = {}
    places: dict[str, str] = {}


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a house rule file; `below` is a preset or the relative path of another such file."""

    name: Slug
    below: Text = msgspec.field(name="from")
    title: Text = ""
    house_rules: dict[str, Any] = {}


def is_file(source: str) -> bool:
    """Return True if the name of a ruleset is the path of a file, not a preset."""
    return source.endswith(ENDING) or "/" in source or "\\" in source


def is_overlay(raw: Mapping[str, Any]) -> bool:
    """Return True if the values of a TOML file are those of an overlay: a fight has neither `name` nor `from`."""
    return "from" in raw or "name" in raw


def overlay_of(source: str) -> Overlay:
    """Return the rules named by a preset or by the path of a file; raise as `load_overlay` does."""
    return load_overlay(source) if is_file(source) else Overlay(source)


def load_overlay(path: str | Path, *, folder: Path | None = None) -> Overlay:
    """Load the overlay in that file, with everything below it; raise BadInput naming file and line."""
    return read_overlay(read_text(path), path, folder=folder)


def read_overlay(text: str, path: str | Path, *, folder: Path | None = None) -> Overlay:
    """Read the overlay in a text from the file `path`; raise BadInput naming file and line.

    The files below it must be in `folder` or deeper (default: the overlay's folder). Options and readings are not
    checked here: the rulebook refuses unknown ones.
    """
    path = Path(path)
    folder = path.parent if folder is None else folder
    including = [path]
    top, source = _read(text, str(path))
    file, house_rules, places = top, source.house_rules(top.house_rules), source.rule_places()
    while is_file(file.below):
        below = resolve_inside(folder, including[-1].parent / file.below, source.at(("from",)))
        if realpath(below) in map(realpath, including):
            chain = " → ".join(str(one) for one in (*including, below))
            raise BadInput(f"These rules would be based on themselves: {chain}.", place=source.at(("from",)))
        including.append(below)
        file, source = _read(read_text(below), str(below))
        house_rules = source.house_rules(file.house_rules) | house_rules
        places = source.rule_places() | places
    return Overlay(file.below, top.name, top.title, house_rules, places | {"preset": source.at(("from",))})


def _read(text: str, name: str) -> tuple[_File, TomlText]:
    source = TomlText(text, name)
    fields = clean_fields(_File, source.raw)
    if "from" not in fields:
        raise BadInput(
            '"from" is missing. It names the rules that these change: a preset (from = "mam_pools") or another file.',
            place=name,
        )
    try:
        with LEARNING:
            return msgspec.convert(fields, _File), source
    except msgspec.ValidationError as error:
        raise find_mismatch(_File, fields, error).error(source.name) from None


def write_overlay(name: str, below: str, house_rules: Mapping[str, str], title: str = "") -> str:
    """Return the text of a house rule file."""
    head = {"name": name, "title": title, "from": below}
    return "\n".join(
        [
            *toml_lines({key: value for key, value in head.items() if value}),
            "",
            "[house_rules]",
            *toml_lines(house_rules),
            "",
        ]
    )
