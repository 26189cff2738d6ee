"""The roster: a folder of party files, whose characters join a fight by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mam_events.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mam_events.commands import Join

FOLDER = "roster"


def folder() -> Path:
    """Return the folder of the sheets: MAM_ROSTER, or `roster` in the current folder."""
    return Path(os.environ.get("MAM_ROSTER", "") or FOLDER)


class Roster(NamedTuple):
    """The characters of the roster.

    `sheets` has the file and the joining of each character by its id; of two with the same id, the first. `faults` are
    the errors of sheets that cannot be read, `doubled` those of ids on two sheets.
    """

    sheets: dict[str, tuple[Path, Join]]
    faults: dict[Path, BadInput]
    doubled: dict[str, BadInput]

    def check(self, name: str) -> None:
        """Raise BadInput for an id that is on two sheets, or that is the name of a sheet that cannot be read."""
        if name in self.doubled:
            raise self.doubled[name]
        fault = next((error for file, error in self.faults.items() if file.stem == name), None)
        if fault and name not in self.sheets:
            raise fault


def load_roster() -> Roster:
    """Return the characters of all sheets that can be read; hidden files are ignored."""
    from mam_events.archive.input_files import read_text
    from mam_events.commands import Join
    from mam_events.fights import read_fight

    roster = Roster({}, {}, {})
    home = folder()
    for file in sorted(home.glob("*.toml")) if home.is_dir() else ():
        if file.name.startswith("."):
            continue
        try:
            orders = read_fight(read_text(str(file)), str(file), folder=file.parent).joins
        except BadInput as error:
            roster.faults[file] = error
            continue
        for order in orders:
            assert isinstance(order.what, Join)  # noqa: S101 - that is what a party file has
            name = order.what.combatant
            if name in roster.sheets:
                first = roster.sheets[name][0]
                roster.doubled[name] = BadInput(
                    f'"{name}" is already in {first}. Give one of them another id.', place=order.place, wrong=name
                )
            else:
                roster.sheets[name] = file, order.what
    return roster


def roster_joins(name: str) -> Mapping[str, Join]:
    """Return the joining of each character of the roster by its id; raise BadInput if `name` is invalid there."""
    roster = load_roster()
    roster.check(name)
    return {who: join for who, (_, join) in roster.sheets.items()}


def is_on_roster(name: str) -> bool:
    """Return True if somebody has a sheet, even one that cannot be read."""
    sheets = load_roster()
    return name in sheets.sheets or any(file.stem == name for file in sheets.faults)
