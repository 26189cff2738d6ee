"""The roster: a folder of sheets, each with a character or several, who join a fight by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import output
from cli.options import command, looking
from cli.session import Session, pass_session

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "roster"


def folder() -> Path:
    """The folder of the sheets: MAM_ROSTER, else `roster` here."""
    return Path(os.environ.get("MAM_ROSTER", "") or FOLDER)


def sheets() -> Mapping[str, Path]:
    """The file of each character of the roster, by its id; raises BadInput for a sheet that cannot be read, and for an
    id that is on two of them.
    """
    from cli.parties import load
    from mam_events.commands import Join
    from mam_events.errors import BadInput

    found: dict[str, Path] = {}
    home = folder()
    for file in sorted(home.glob("*.toml")) if home.is_dir() else ():
        for order in load(str(file)).joins:
            assert isinstance(order.what, Join)  # noqa: S101 - that is what a party file has
            name = order.what.combatant
            if name in found:
                raise BadInput(f'"{name}" is on {found[name]} already.', place=order.place, wrong=name)
            found[name] = file
    return found


def sheet(name: str) -> str:
    """The `FILE#NAME` of that character of the roster; "" where it is on no sheet."""
    file = sheets().get(name)
    return f"{file}#{name}" if file else ""


@command("roster", "mam roster", "mam roster --add modre")
@click.option("--add", "added", metavar="COMBATANT", help="Keep somebody of the fight on a sheet, as they joined.")
@looking
@pass_session
def roster(session: Session, added: str | None) -> None:
    """List the characters who can join by name, or keep one.

    A sheet is a party file (TOML) in the folder `roster` here, or in MAM_ROSTER: `mam join modre` takes Modre from it,
    `mam join goblin --count 3` three of a kind.
    """
    if session.view != "gm":
        from mam_events.errors import Refused

        raise Refused("not_yours", "Sheets are the game master's: whom a fight will yet meet is on them.")
    if added:
        _add(session, added)
        return
    from cli.parties import member

    found = sheets()
    for name, file in found.items():
        fields = member(f"{file}#{name}", name)
        if session.json:
            output.json_line({"combatant": name, "sheet": str(file), "join": fields})
        else:
            output.line(f"{name}  {_words(fields)}  [{file}]", indent=2)
    if not found and not session.json:
        session.say(
            f"There is no sheet in {folder()} yet; mam roster --add COMBATANT keeps one, or write a party file."
        )


def _words(fields: Mapping[str, Any]) -> str:
    told = [str(fields.get("name") or "")]
    told += [str(fields[field]) for field in ("side", "kind") if fields.get(field)]
    told += [f"{field} {fields[field]}" for field in ("hp", "toughness", "speed") if fields.get(field) is not None]
    told += [str(thing.get("name") or thing["id"]) for thing in fields.get("weapon", ())]
    return ", ".join(word for word in told if word)


def _add(session: Session, name: str) -> None:
    from cli.targets import opened
    from mam_events.commands import Join
    from mam_events.errors import BadInput, NotFound, nearest
    from mam_events.fights.writing import write_sheet
    from mam_events.rulings.history import living

    joins = {
        ruling.command.combatant: ruling for ruling in living(session.timeline()) if isinstance(ruling.command, Join)
    }
    if name not in joins:
        raise NotFound(f'nobody called "{name}" has joined; {nearest(name, joins)}', wrong=name, allowed=joins)
    if name in sheets():
        raise BadInput(f'"{name}" is on {sheets()[name]} already; that is a text file, to be edited.', place="--add")
    home = folder()
    home.mkdir(parents=True, exist_ok=True)
    file = home / f"{name}.toml"
    with opened(str(file), session.log().application.factory.path, force=False) as sheet_file:
        sheet_file.write(write_sheet(joins[name]).encode())
    click.echo(f"{name} is on {file}; mam join {name} brings them in.")
