"""The roster: a folder of sheets, each with a character or several, who join a fight by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cli.command_class import command_decorator
from cli.commands.fight.roster_folder import folder, load_roster
from cli.output import render
from cli.session import Session, pass_session
from cli.shared_options import view_command_options
from mam_events.errors import BadInput, NotFound, Refused
from mam_events.refusals.suggestions import suggestion_text


@command_decorator("roster", "mam roster", "mam roster --add modre")
@click.option(
    "--add",
    "added",
    metavar="COMBATANT",
    help="Save a combatant of the fight as a sheet, as they were when they joined.",
)
@view_command_options
@pass_session
def roster(session: Session, added: str | None) -> None:
    """List the characters who can join by name, or save one.

    A sheet is a party file (TOML) in the folder `roster` here, or in MAM_ROSTER. `mam join modre` takes Modre from it,
    and `mam join goblin --count 3` brings in three goblins.
    """
    if session.view != "gm":
        raise Refused("not_yours/sheets")
    if added:
        _add(session, added)
        return
    from cli.commands.fight.party import member

    sheets = load_roster()
    for name, (file, _) in sheets.sheets.items():
        fields = member(f"{file}#{name}", name)
        if session.json:
            render.json_line({"combatant": name, "sheet": str(file), "join": fields})
        else:
            render.line(f"{name}  {_words(fields)}  [{file}]", indent=2)
    for error in (*sheets.faults.values(), *sheets.doubled.values()):
        if session.json:
            render.json_line({"fault": error.sentence})
        session.say(f"{error} This sheet is skipped." if error in sheets.faults.values() else str(error))
    if not any(sheets) and not session.json:
        adds = session.typed("mam roster --add COMBATANT")
        # `say` prints nothing at the table.
        (render.print_notice if session.at_table else session.say)(
            f"There is no sheet in the folder {folder()} yet. Save one with {adds}, or write a party file."
        )


def _words(fields: Mapping[str, Any]) -> str:
    words = [str(fields.get("name") or "")]
    words += [str(fields[field]) for field in ("side", "kind") if fields.get(field)]
    words += [f"{field} {fields[field]}" for field in ("hp", "toughness", "speed") if fields.get(field) is not None]
    words += [str(thing.get("name") or thing["id"]) for thing in fields.get("weapon", ())]
    return ", ".join(word for word in words if word)


def _add(session: Session, name: str) -> None:
    from cli.output.files import open_output_file
    from mam_events.commands import Join
    from mam_events.fights.toml_writer import write_sheet
    from mam_events.history.timeline.rulings import living_plays

    joins = {
        ruling.command.combatant: ruling
        for ruling in living_plays(session.timeline())
        if isinstance(ruling.command, Join)
    }
    if name not in joins:
        raise NotFound(f'Nobody called "{name}" has joined. {suggestion_text(name, joins)}', wrong=name, allowed=joins)
    if pair := load_roster().sheets.get(name):
        raise BadInput(f'"{name}" is already in {pair[0]}. To change the sheet, edit that text file.')
    home = folder()
    home.mkdir(parents=True, exist_ok=True)
    file = home / f"{name}.toml"
    with open_output_file(str(file), session.log().application.factory.path, force=False) as sheet_file:
        sheet_file.write(write_sheet(joins[name]).encode())
    click.echo(f"{name} is saved in {file}. To bring them in, type mam join {name}.")
