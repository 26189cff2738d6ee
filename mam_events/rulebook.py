"""The rules as data, read once: options, presets and tables from TOML, made into rulesets on request."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from mam_events.errors import Refused, nearest
from mam_events.reading import read_as
from mam_events.rules.editions import EDITIONS
from mam_events.rules.ruleset import Option, Preset, Ruleset, pin, readings_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from mam_events.state import Pinned


class Rulebook:
    """Every option, every preset and every printed table there is."""

    def __init__(self, options: Mapping[str, Option], presets: Mapping[str, Preset], tables: Mapping[str, Any]) -> None:
        self.options = options
        self.presets = presets
        self.tables = tables
        self._in_force: dict[str, Ruleset] = {}

    def ruleset(self, preset: str, house_rules: Mapping[str, str] | None = None) -> Ruleset:
        """A preset with house rules over it; refused with `unknown_preset` or as `readings_of` says."""
        if preset not in self.presets:
            raise Refused(
                "unknown_preset", f'There is no preset "{preset}"; {nearest(preset, self.presets)}', fields=("preset",)
            )
        edition = EDITIONS[self.presets[preset].edition]
        readings = readings_of(self.options, preset, house_rules or {})
        return Ruleset(edition, pin(preset, readings, edition.revisions), self.tables)

    def in_force(self, pinned: Pinned) -> Ruleset:
        """The ruleset that a log pinned; an option that is younger than the log takes its preset's default."""
        known = self._in_force.get(pinned.fingerprint)
        if known is None:
            current = self.ruleset(pinned.preset)
            readings = current.pinned.readings | pinned.readings
            completed = type(pinned)(pinned.preset, readings, pinned.revisions, pinned.fingerprint)
            known = self._in_force[pinned.fingerprint] = Ruleset(current.edition, completed, self.tables)
        return known


@cache
def rulebook() -> Rulebook:
    """The rulebook that comes with the program."""
    data = files("mam_events.rules") / "data"
    options: dict[str, Option] = {}
    for file in _files(data / "options"):
        options |= read_options(file)
    presets = _read(data / "presets.toml")
    return Rulebook(
        options,
        {name: read_as(Preset, fields, place=f"preset {name}") for name, fields in presets.items()},
        {file.name.removesuffix(".toml"): _read(file) for file in _files(data / "tables")},
    )


def read_options(file: Traversable) -> dict[str, Option]:
    """The options of one file, by name."""
    return {name: read_as(Option, fields, place=f"option {name}") for name, fields in _read(file).items()}


def _files(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda entry: entry.name)


def _read(file: Traversable) -> dict[str, dict[str, object]]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
