"""A ruleset as a value: a preset with the reading of every option, and the fingerprint that pins it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from mam_events.errors import Refused, nearest
from mam_events.state import Pinned

if TYPE_CHECKING:
    from mam_events.rules.edition import Edition


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """One contested point: what each reading of it means, which one a preset takes, and the rules it belongs to."""

    sentence: str
    readings: dict[str, str]
    default: dict[str, str]
    rules: tuple[str, ...]


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition of the game as people choose it."""

    title: str
    sentence: str
    edition: str


class Ruleset:
    """The rules a ruling is judged under: `ruleset["half_success"]` is the reading in force.

    `ruleset.tables["difficulties"]` is one of the printed tables, by the name of its file; they are the same in every
    ruleset. An option that has no meaning under the preset has no reading: `get` gives "" for it.
    """

    __slots__ = ("edition", "pinned", "tables")

    def __init__(self, edition: Edition, pinned: Pinned, tables: Mapping[str, Any]) -> None:
        self.edition = edition
        self.pinned = pinned
        self.tables = tables

    def __getitem__(self, option: str) -> str:
        return self.pinned.readings[option]

    def get(self, option: str) -> str:
        """The reading in force, "" where the option has no meaning under the preset."""
        return self.pinned.readings.get(option, "")

    def yes(self, option: str) -> bool:
        """Whether a yes-or-no option is read as yes."""
        return self.pinned.readings[option] == "yes"


def readings_of(options: Mapping[str, Option], preset: str, house_rules: Mapping[str, str]) -> dict[str, str]:
    """The reading of every option that has a meaning under the preset, with the house rules laid over its defaults.

    Refused with `unknown_option`, `unknown_reading` or `option_without_meaning`, naming the nearest known one.
    """
    readings = {name: option.default[preset] for name, option in options.items() if preset in option.default}
    for name, reading in house_rules.items():
        if name not in options:
            raise Refused("unknown_option", f'There is no option "{name}"; {nearest(name, readings)}', fields=(name,))
        if name not in readings:
            raise Refused(
                "option_without_meaning",
                f'"{name}" has no meaning under {preset}: its mechanic is absent.',
                fields=(name,),
            )
        if reading not in options[name].readings:
            raise Refused(
                "unknown_reading",
                f'"{name}" cannot be read as "{reading}"; {nearest(reading, options[name].readings)}',
                rule=options[name].rules[0],
                fields=(name,),
            )
        readings[name] = reading
    return readings


def pin(preset: str, readings: Mapping[str, str], revisions: Mapping[str, int]) -> Pinned:
    """The ruleset as the first event holds it: canonical order, and the SHA-256 over all of it."""
    readings = dict(sorted(readings.items()))
    revisions = dict(sorted(revisions.items()))
    canonical = msgspec.json.encode([preset, readings, revisions])
    return Pinned(preset, readings, revisions, hashlib.sha256(canonical).hexdigest())
