"""The rules as data, read once: options, presets and tables, made into rulesets on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mam_events.commands import Command, name_of
from mam_events.decider.decide import mechanic_of
from mam_events.decider.engine import Ruleset
from mam_events.decider.merge import merge_unique
from mam_events.decider.rule_tables import Tables, place
from mam_events.decider.ruleset_data import Exclusion, Option, Preset, apply_house_rules, check_together, pin
from mam_events.deserializer import read_as
from mam_events.errors import BadInput, Refused
from mam_events.refusals.arguments import Term, list_argument
from mam_events.refusals.suggestions import closest_name, suggestion_text
from mam_events.rules import editions

if TYPE_CHECKING:
    from mam_events.decider.engine import Edition
    from mam_events.state import PinnedRules


DATA = Path(__file__).parent / "data"
"""The place where the rules are as data."""

Files = Mapping[str, Mapping[str, Any]]
"""The contents of each file, by its path below `DATA`."""


class _Exclusions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exclusion: tuple[Exclusion, ...]


class Rulebook:
    """Every option, preset and printed table there is, and the readings that exclude each other.

    Raises ValueError where a preset lies over one that there is not, or over itself, or reads an option in a way that
    there is not.
    """

    def __init__(
        self,
        options: Mapping[str, Option],
        presets: Mapping[str, Preset],
        tables: Tables,
        exclusions: Iterable[Exclusion] = (),
    ) -> None:
        self.options = options
        self.presets = presets
        self.exclusions = tuple(exclusions)
        self.tables = tables
        self._layers = {name: self._layers_of(name) for name in presets}
        self._defaults = {name: self._defaults_of(name) for name in presets}
        self._in_force: dict[tuple[Any, ...], Ruleset] = {}

    def _layers_of(self, name: str) -> tuple[str, ...]:
        """The preset and those that it lies over, the undermost last."""
        layers = [name]
        while over := self.presets[layers[-1]].over:
            if over not in self.presets or over in layers:
                raise ValueError(f"preset {layers[-1]} lies over {over}, which is no preset below it")
            layers.append(over)
        return tuple(layers)

    def _defaults_of(self, preset: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for layer in reversed(self._layers[preset]):
            found |= {name: option.default[layer] for name, option in self.options.items() if layer in option.default}
            found |= self.presets[layer].readings
        for name, reading in found.items():
            if name not in self.options or reading not in self.options[name].readings:
                raise ValueError(f"preset {preset} reads {name} as {reading}, which there is not")
        return {name: found[name] for name in self.options if name in found}

    def defaults(self, preset: str) -> Mapping[str, str]:
        """The reading of every option that has a meaning under the preset: its own, else that of the preset below.

        Refused with `unknown_preset`.
        """
        return self._defaults[self._known(preset)]

    def edition(self, preset: str) -> Edition:
        """The edition of a preset, which is that of the undermost one it lies over; refused with `unknown_preset`."""
        return editions.edition(self.presets[self._layers[self._known(preset)][-1]].edition)

    def _known(self, preset: str) -> str:
        if preset not in self.presets:
            raise Refused(
                "unknown_preset",
                fields=("preset",),
                wrong=preset,
                allowed=map(Term, self.presets),
            )
        return preset

    def ruleset(self, preset: str, house_rules: Mapping[str, str] | None = None, name: str = "") -> Ruleset:
        """A preset with house rules over it, under a name of the table's own.

        Refused with `unknown_preset` or as `laid_over` and `check_together` say.
        """
        return self._pinned(preset, self.defaults(preset), house_rules or {}, name)

    def changed(self, pinned: PinnedRules, house_rules: Mapping[str, str]) -> Ruleset:
        """The rules that were pinned with house rules laid over them, pinned anew; refused as `ruleset` says."""
        return self._pinned(pinned.preset, self.in_force(pinned).pinned.readings, house_rules, pinned.name)

    def _pinned(self, preset: str, readings: Mapping[str, str], house_rules: Mapping[str, str], name: str) -> Ruleset:
        readings = apply_house_rules(readings, house_rules, self.options, preset)
        check_together(readings, self.exclusions)
        return Ruleset(self.edition(preset), pin(preset, readings, name), self.tables)

    def named(self, name: str) -> str:
        """The id of a rule or the name of an option, as it is spelled; raises BadInput for neither."""
        known = {one.casefold(): one for one in (*sources(), *self.options)}
        folded = name.casefold()
        if found := known.get(folded) or known.get(folded.replace("-", "_")):
            return found
        near = next((way for way in (name, name.upper()) if closest_name(way, known.values())), name)
        raise BadInput(
            f'there is no rule and no option "{name}"; {suggestion_text(near, known.values())}',
            place="rule",
            wrong=name,
            allowed=known.values(),
        )

    def check_order(self, kind: type[Command], pinned: PinnedRules) -> None:
        """Refuse an order that the edition does not have with `not_in_edition`; the presets that have it are told."""
        ruleset = self.in_force(pinned)
        try:
            mechanic_of(kind, ruleset)
        except Refused as no:
            having = [preset for preset in self.presets if kind in self.edition(preset).mechanics]
            if not having or no.hints:
                # What is done there in its place is told already.
                raise
            refused = Refused(
                "not_in_edition/elsewhere",
                command=Term(name_of(kind)),
                preset=Term(pinned.preset),
                having=list_argument(map(Term, having)),
                rule=no.rule,
                fields=no.fields,
            )
            refused.order = name_of(kind)
            raise refused from None

    def in_force(self, pinned: PinnedRules) -> Ruleset:
        """The ruleset that a log pinned; an option that is younger than the log takes its preset's default.

        Refused with `unknown_preset`.
        """
        # All that is pinned is the key: a log that was forged may have the fingerprint of any other.
        names = (pinned.preset, pinned.fingerprint, pinned.name)
        key = (*names, *pinned.readings.items())
        known = self._in_force.get(key)
        if known is None:
            readings = {**self.defaults(pinned.preset), **pinned.readings}
            completed = replace(pinned, readings=readings)
            known = self._in_force[key] = Ruleset(self.edition(pinned.preset), completed, self.tables)
        return known


@cache
def load_printed_rules() -> Files:
    """The rules as data, out of the one file into which `make rules` gathers what people edit."""
    files: Files = msgspec.json.decode((DATA / "rules.json").read_bytes())
    return files


@cache
def sources() -> Mapping[str, str]:
    """The matter that each rule settles, by the rule's id: the table of `docs/sources.md`."""
    found: Mapping[str, str] = msgspec.json.decode((DATA / "sources.json").read_bytes())
    return found


class RuleText(Struct, frozen=True):
    """A rule in our own words: the matter that it settles, what it says, and the page that it comes from."""

    settles: str
    told: str
    source: str


@cache
def rule_texts() -> Mapping[str, RuleText]:
    """Every rule in our own words, by its id: the page `docs/rules.md`."""
    return msgspec.json.decode((DATA / "told.json").read_bytes(), type=dict[str, RuleText])


@cache
def rulebook() -> Rulebook:
    """The rulebook that comes with the program."""
    return build_rulebook(load_printed_rules())


def build_rulebook(files: Files) -> Rulebook:
    """The rulebook that those files make; raises BadInput, in one sentence, for what does not fit, and ValueError as
    `Rulebook` does.
    """
    return Rulebook(
        merge_unique(read_options(section, options) for section, options in _folder(files, "options")),
        {name: read_as(Preset, fields, place=f"preset {name}") for name, fields in files["presets.toml"].items()},
        read_tables(dict(_folder(files, "tables"))),
        read_as(_Exclusions, files["exclusions.toml"], place="exclusions").exclusion,
    )


def read_options(section: str, options: Mapping[str, Any]) -> dict[str, Option]:
    """The options of one section of the rules, by name; its file is called as the section is."""
    return {
        name: read_as(Option, {**fields, "section": section}, place=f"option {name}")
        for name, fields in options.items()
    }


def read_tables(tables: Files) -> Tables:
    """The printed tables, each from the file of its name; raises BadInput, in one sentence, for a row that is missing,
    unknown or of another type.
    """
    kinds = get_type_hints(Tables)
    for name in tables.keys() ^ kinds.keys():
        raise BadInput(f"there is {'no such table' if name in tables else 'no such file'}.", place=place(name))
    return Tables(**{name: read_as(kind, tables[name], place=place(name)) for name, kind in kinds.items()})


def _folder(files: Files, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, content in files.items():
        folder, _, file = path.rpartition("/")
        if folder == name:
            yield file.removesuffix(".toml"), content
