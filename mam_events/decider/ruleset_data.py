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
    """One contested point: what each reading means, which one each preset takes, and the rules it belongs to.

    `section` is the section of the rules that defines it.
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
    """Readings of different options that contradict one another, and why.

    It has no effect if one of the options is absent.
    """

    readings: dict[str, tuple[str, ...]]
    why: str

    def holds(self, readings: Mapping[str, str]) -> bool:
        """Return True if those readings contradict one another in this way."""
        return all(readings.get(option) in excluded for option, excluded in self.readings.items())


def apply_house_rules(
    readings: Mapping[str, str], house_rules: Mapping[str, str], options: Mapping[str, Option], preset: str
) -> dict[str, str]:
    """Return the readings with house rules applied; an option without a reading has no meaning under the preset.

    Raises Refused with `unknown_option`, `unknown_reading` or `option_without_meaning`; the first two name the nearest
    known one.
    """
    choices = dict(readings)
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
        choices[name] = reading
    return choices


def check_together(readings: Mapping[str, str], exclusions: Iterable[Exclusion]) -> None:
    """Raise Refused with `options_exclude`, naming all options involved, if readings contradict one another."""
    for exclusion in exclusions:
        if exclusion.holds(readings):
            names = tuple(exclusion.readings)
            read_so = list_argument(Term(f'"{name}" read as "{readings[name]}"') for name in names)
            raise Refused("options_exclude", options=read_so, why=Term(exclusion.why), fields=names)


def fingerprint_of(preset: str, readings: Mapping[str, str]) -> str:
    """Return the SHA-256 (hex) of a preset and its readings; the order of the readings doesn't matter."""
    canonical = msgspec.json.encode([preset, dict(sorted(readings.items()))])
    return hashlib.sha256(canonical).hexdigest()


def pin(preset: str, readings: Mapping[str, str], name: str = "") -> PinnedRules:
    """Return the ruleset as an event holds it, in canonical order."""
    readings = dict(sorted(readings.items()))
    return PinnedRules(preset, readings, fingerprint_of(preset, readings), name, __version__)
