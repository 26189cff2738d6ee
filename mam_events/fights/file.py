"""The reader of fight files in TOML, whose errors name file and line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mam_events.archive.input_files import read_text, resolve_inside
from mam_events.commands import COMMANDS, Close, Command, Join, Open, name_of
from mam_events.deserializer import TypeMismatch, quote_value
from mam_events.errors import BadInput
from mam_events.fights import toml_positions
from mam_events.fights.house_rule_file import Overlay, load_overlay
from mam_events.fights.orders import FightFile, FightNote, FightOrder
from mam_events.fights.score_reader import Script, is_score, read_score
from mam_events.fights.toml_text import TomlText
from mam_events.notation.orders.open_references import left_out_of, with_placeholders
from mam_events.refusals.suggestions import suggestion_text
from mam_events.values import OptionalSlug, Text, Visibility

T = TypeVar("T")

FILE_ORDERS: Mapping[str, type[Command | FightNote]] = {
    name: kind for name, kind in COMMANDS.items() if kind is not Open
} | {"note": FightNote}
"""The orders that a line can give, by name; the opening is in the file's own keys."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a fight file; the contents of its tables are read one by one.

    `rules` is the path of an overlay; `ruleset` is the table's name for its house rules, if the file is not available.
    """

    encounter: OptionalSlug = ""
    title: Text = ""
    preset: OptionalSlug = ""
    rules: Text = ""
    ruleset: OptionalSlug = ""
    house_rules: dict[str, Any] = {}
    word: Text = ""
    visibility: Visibility = "public"
    by: Text = ""
    combatants: list[dict[str, Any]] = []
    commands: list[dict[str, Any]] = []


class _Line(Struct, frozen=True):
    """Keys that any line may have beside its command."""

    by: Text | UnsetType = UNSET


def load_fight(path: str | Path) -> FightFile:
    """Load the fight in that file; raise BadInput naming file and line."""
    path = Path(path)
    return read_fight(read_text(path), str(path), folder=path.parent)


def read_fight(text: str, name: str = "fight", *, folder: Path | None = None) -> FightFile:
    """Read the fight in a TOML text or a score; raise BadInput as `read_played` does, and for a script."""
    fight = read_played(text, name, folder=folder)
    if isinstance(fight, Script):
        raise BadInput("This is a script of typed lines, which can only be played.", place=name)
    return fight


def read_played(text: str, name: str = "fight", *, folder: Path | None = None) -> FightFile | Script:
    """Read the fight or script in a TOML text or a score.

    The rules that it names are looked for in `folder` or below; without a folder it may name none. Raises BadInput
    naming `name` and the line of anything invalid.
    """
    return read_score(text, name) if is_score(text) else _Reader(text, name, folder).fight()


class _Reader(TomlText):
    """One file being read."""

    def __init__(self, text: str, name: str, folder: Path | None) -> None:
        super().__init__(text, name)
        self.folder = folder

    def fight(self) -> FightFile:
        file = self.read(_File, self.raw, ())
        return FightFile(
            opening=self._opening(file),
            encounter=file.encounter,
            joins=tuple(self._join(index, fields) for index, fields in enumerate(file.combatants)),
            lines=tuple(self._line(index, fields) for index, fields in enumerate(file.commands)),
            by=file.by,
        )

    def _opening(self, file: _File) -> FightOrder:
        overlay = self._overlay(file)
        opening = Open(
            preset=overlay.preset,
            house_rules=overlay.house_rules | self.house_rules(file.house_rules),
            title=file.title,
            word=file.word,
            visibility=file.visibility,
            ruleset=file.ruleset or overlay.name,
        )
        places = overlay.places | self.rule_places()
        lines = self.lines
        places |= {str(path[0]): self.place(line) for path, line in lines.items() if len(path) == 1}
        first = min(lines.values(), default=1)
        return FightOrder(self.place(first), opening, fields=places)

    def _overlay(self, file: _File) -> Overlay:
        """Return the rules that the fight's own house rules are added to."""
        if not file.rules:
            return Overlay(file.preset or Open().preset)
        if file.preset:
            raise BadInput(
                "The rules file already sets the preset. Leave preset out here.",
                place=self.at(("preset",)),
            )
        if self.folder is None:
            raise BadInput(
                "This fight is in no folder, so it cannot name a file. Give the house rules themselves.",
                place=self.at(("rules",)),
            )
        rules = resolve_inside(self.folder, self.folder / file.rules, self.at(("rules",)))
        return load_overlay(rules, folder=self.folder)

    def _join(self, index: int, fields: dict[str, Any]) -> FightOrder:
        path: toml_positions.Path = ("combatants", index)
        for key in ("combatant", "do"):
            if key in fields:
                hint = 'Did you mean "id"?' if key == "combatant" else 'A combatant needs no "do" to join.'
                raise BadInput(f'There is no "{key}" here. {hint}', place=self.at((*path, key)))
        values = {"combatant" if key == "id" else key: value for key, value in fields.items()}
        return self._order(Join, values, path)

    def _line(self, index: int, fields: dict[str, Any]) -> FightOrder:
        path: toml_positions.Path = ("commands", index)
        name = fields.get("do")
        if name == name_of(Open):
            raise BadInput(
                "The file already opens the encounter, with the keys encounter, title, preset and house_rules.",
                place=self.at((*path, "do")),
            )
        if not isinstance(name, str) or name not in FILE_ORDERS:
            line_name = name if isinstance(name, str) else ""
            what = f"{quote_value(name)} is not an order" if isinstance(name, str) else '"do" must name an order'
            sentence = f"{what}. {suggestion_text(line_name, FILE_ORDERS)}"
            raise BadInput(sentence, place=self.at((*path, "do")), wrong=line_name, allowed=FILE_ORDERS)
        return self._order(FILE_ORDERS[name], fields, path)

    def _order(self, kind: type[Command | FightNote], fields: dict[str, Any], path: toml_positions.Path) -> FightOrder:
        fields_given = {key: fields[key] for key in _Line.__struct_fields__ if key in fields}
        label = self.read(_Line, fields_given, path)
        rest = {key: value for key, value in fields.items() if key not in fields_given}
        if kind is Close and "seed" in rest:
            raise BadInput(
                "Leave the seed out: the log shows it when the fight is closed.", place=self.at((*path, "seed"))
            )
        left_out = left_out_of(kind, rest)
        what = self.read(kind, with_placeholders(rest, left_out), path)
        places = {key: self.at((*path, "id" if key == "combatant" else key)) for key in rest}
        by = None if label.by is UNSET else label.by
        return FightOrder(self.at(path), what, by, left_out, places)

    def named(self, wrong: TypeMismatch, path: toml_positions.Path) -> TypeMismatch:
        """Return the error with the names of this file: a combatant is called `id` here."""
        if path[:1] != ("combatants",):
            return wrong
        steps, missing = (
            tuple("id" if name == "combatant" else name for name in part)
            for part in (wrong.steps[:1], (wrong.missing,))
        )
        return replace(wrong, steps=(*steps, *wrong.steps[1:]), missing=str(missing[0]))
