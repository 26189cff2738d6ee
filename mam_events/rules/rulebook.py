"""The rules as data, read once: options, presets and tables, from which rulesets are built on request."""

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
from mam_events.decider.rule_tables import Tables, table_path
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
"""The folder that holds the rules as data."""

Files = Mapping[str, Mapping[str, Any]]
"""The contents of each file, by its path below `DATA`."""


class _Exclusions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exclusion: tuple[Exclusion, ...]


class Rulebook:
    """All options, presets and printed tables, and the readings that exclude each other.

    Raises ValueError if a preset is based on an unknown preset or on itself, or gives an option an unknown reading.
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
        """Return the preset and those that it is based on, the lowest last."""
        layers = [name]
        while over := self.presets[layers[-1]].over:
            if over not in self.presets or over in layers:
                raise ValueError(f"preset {layers[-1]} lies over {over}, which is no preset below it")
            layers.append(over)
        return tuple(layers)

    def _defaults_of(self, preset: str) -> Mapping[str, str]:
        defaults: dict[str, str] = {}
        for layer in reversed(self._layers[preset]):
            defaults |= {
                name: option.default[layer] for name, option in self.options.items() if layer in option.default
            }
            defaults |= self.presets[layer].readings
        for name, reading in defaults.items():
            if name not in self.options or reading not in self.options[name].readings:
                raise ValueError(f"preset {preset} gives {name} the reading {reading}, which does not exist")
        return {name: defaults[name] for name in self.options if name in defaults}

    def defaults(self, preset: str) -> Mapping[str, str]:
        """Return the reading of every option that has a meaning under the preset.

        The preset's own reading comes before that of the preset below. Raises Refused with `unknown_preset`.
        """
        return self._defaults[self._known(preset)]

    def edition(self, preset: str) -> Edition:
        """Return the edition of a preset, which is that of the lowest preset below it.

        Raises Refused with `unknown_preset`.
        """
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
        """Return a preset with house rules over it, under the table's own name for it.

        Raises Refused with `unknown_preset`, or as `apply_house_rules` and `check_together` do.
        """
        return self._pinned(preset, self.defaults(preset), house_rules or {}, name)

    def changed(self, pinned: PinnedRules, house_rules: Mapping[str, str]) -> Ruleset:
        """Return the pinned rules with house rules laid over them, pinned again; raise as `ruleset` does."""
        return self._pinned(pinned.preset, self.in_force(pinned).pinned.readings, house_rules, pinned.name)

    def _pinned(self, preset: str, readings: Mapping[str, str], house_rules: Mapping[str, str], name: str) -> Ruleset:
        readings = apply_house_rules(readings, house_rules, self.options, preset)
        check_together(readings, self.exclusions)
        return Ruleset(self.edition(preset), pin(preset, readings, name), self.tables)

    def rule_id(self, name: str) -> str:
        """Return the id of a rule or the name of an option in its usual spelling; raise BadInput for neither."""
        ids = {one.casefold(): one for one in (*sources(), *self.options)}
        folded = name.casefold()
        if rule := ids.get(folded) or ids.get(folded.replace("-", "_")):
            return rule
        near = next((way for way in (name, name.upper()) if closest_name(way, ids.values())), name)
        raise BadInput(
            f'There is no rule and no option "{name}". {suggestion_text(near, ids.values())}',
            place="rule",
            wrong=name,
            allowed=ids.values(),
        )

    def check_order(self, kind: type[Command], pinned: PinnedRules) -> None:
        """Raise Refused with `not_in_edition` for a command that the edition lacks.

        The error names the presets that have it.
        """
        ruleset = self.in_force(pinned)
        try:
            mechanic_of(kind, ruleset)
        except Refused as no:
            having = [preset for preset in self.presets if kind in self.edition(preset).mechanics]
            if not having or no.hints:
                # The error already says what to do instead.
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
        """Return the ruleset that a log pinned; an option newer than the log takes its preset's default.

        Raises Refused with `unknown_preset`.
        """
        # The key has all pinned values: a forged log may have the fingerprint of any other.
        names = (pinned.preset, pinned.fingerprint, pinned.name)
        key = (*names, *pinned.readings.items())
        cached = self._in_force.get(key)
        if cached is None:
            readings = {**self.defaults(pinned.preset), **pinned.readings}
            completed = replace(pinned, readings=readings)
            cached = self._in_force[key] = Ruleset(self.edition(pinned.preset), completed, self.tables)
        return cached


@cache
def load_printed_rules() -> Files:
    """Return the rules as data, from the one file into which `make rules` gathers the TOML files."""
    files: Files = msgspec.json.decode((DATA / "rules.json").read_bytes())
    return files


@cache
def sources() -> Mapping[str, str]:
    """Return what each rule settles, by rule id: the table in `docs/sources.md`."""
    sources_by_rule: Mapping[str, str] = msgspec.json.decode((DATA / "sources.json").read_bytes())
    return sources_by_rule


class RuleText(Struct, frozen=True):
    """A rule in our own words: what it settles, what it says, and the page that it comes from."""

    settles: str
    text: str
    source: str


@cache
def rule_texts() -> Mapping[str, RuleText]:
    """Return every rule in our own words, by rule id: the page `docs/rules.md`."""
    return msgspec.json.decode((DATA / "rule_texts.json").read_bytes(), type=dict[str, RuleText])


@cache
def rulebook() -> Rulebook:
    """Return the rulebook that comes with the program."""
    return build_rulebook(load_printed_rules())


def build_rulebook(files: Files) -> Rulebook:
    """Return the rulebook that the files make.

    Raises BadInput, in one sentence, for data that does not fit, and ValueError as `Rulebook` does.
    """
    return Rulebook(
        merge_unique(read_options(section, options) for section, options in _folder(files, "options")),
        {name: read_as(Preset, fields, place=f"preset {name}") for name, fields in files["presets.toml"].items()},
        read_tables(dict(_folder(files, "tables"))),
        read_as(_Exclusions, files["exclusions.toml"], place="exclusions").exclusion,
    )


def read_options(section: str, options: Mapping[str, Any]) -> dict[str, Option]:
    """Return the options of one section of the rules, by name; the section's file bears its name."""
    return {
        name: read_as(Option, {**fields, "section": section}, place=f"option {name}")
        for name, fields in options.items()
    }


def read_tables(tables: Files) -> Tables:
    """Return the printed tables, each from the file of its name.

    Raises BadInput, in one sentence, for a row that is missing, unknown or of another type.
    """
    kinds = get_type_hints(Tables)
    for name in tables.keys() ^ kinds.keys():
        raise BadInput(f"there is {'no such table' if name in tables else 'no such file'}.", place=table_path(name))
    return Tables(**{name: read_as(kind, tables[name], place=table_path(name)) for name, kind in kinds.items()})


def _folder(files: Files, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, content in files.items():
        folder, _, file = path.rpartition("/")
        if folder == name:
            yield file.removesuffix(".toml"), content
