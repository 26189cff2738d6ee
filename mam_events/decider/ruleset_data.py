"""Options, presets and exclusions as data, and the fingerprint that pins a preset with its readings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from mam_events.errors import Refused
from mam_events.refusals.arguments import Term, list_argument
from mam_events.state import PinnedRules
from mam_events.version import __version__


class Option(Struct, frozen=True, forbid_unknown_fields=True):
    """One contested point: what each reading of it means, which one a preset takes, and the rules it belongs to.

    `section` is the section of the rules that brings it.
    """

    sentence: str
    readings: dict[str, str]
    default: dict[str, str]
    rules: tuple[str, ...]
    section: str = ""


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """An edition of the game as people choose it: an `edition` of its own, or `readings` laid `over` another preset."""

    title: str
    sentence: str
    edition: str = ""
    over: str = ""
    readings: dict[str, str] = {}


class Exclusion(Struct, frozen=True, forbid_unknown_fields=True):
    """Readings of different options that contradict one another, and why; idle where one of the options is absent."""

    readings: dict[str, tuple[str, ...]]
    why: str

    def holds(self, readings: Mapping[str, str]) -> bool:
        """True if those readings contradict one another so."""
        return all(readings.get(option) in excluded for option, excluded in self.readings.items())


def apply_house_rules(
    readings: Mapping[str, str], house_rules: Mapping[str, str], options: Mapping[str, Option], preset: str
) -> dict[str, str]:
    """The readings with house rules laid over them; options without a reading have no meaning under the preset.

    Refused with `unknown_option`, `unknown_reading` or `option_without_meaning`, naming the nearest known one.
    """
    found = dict(readings)
    for name, reading in house_rules.items():
        if name not in options:
            raise Refused("unknown_option", fields=(name,), wrong=name, allowed=map(Term, readings))
        if name not in readings:
            raise Refused("option_without_meaning", option=Term(name), preset=Term(preset), fields=(name,))
        if reading not in options[name].readings:
            raise Refused(
                "unknown_reading",
                option=Term(name),
                rule=options[name].rules[0],
                fields=(name,),
                wrong=reading,
                allowed=map(Term, options[name].readings),
            )
        found[name] = reading
    return found


def check_together(readings: Mapping[str, str], exclusions: Iterable[Exclusion]) -> None:
    """Refuse with `options_exclude`, naming all of them, readings that contradict one another."""
    for exclusion in exclusions:
        if exclusion.holds(readings):
            names = tuple(exclusion.readings)
            read_so = list_argument(Term(f'"{name}" read as "{readings[name]}"') for name in names)
            raise Refused("options_exclude", options=read_so, why=Term(exclusion.why), fields=names)


def fingerprint_of(preset: str, readings: Mapping[str, str]) -> str:
    """The SHA-256 (hex) over a preset and its readings, in whatever order they are listed."""
    canonical = msgspec.json.encode([preset, dict(sorted(readings.items()))])
    return hashlib.sha256(canonical).hexdigest()


def pin(preset: str, readings: Mapping[str, str], name: str = "") -> PinnedRules:
    """The ruleset as an event holds it, in canonical order."""
    readings = dict(sorted(readings.items()))
    return PinnedRules(preset, readings, fingerprint_of(preset, readings), name, __version__)
