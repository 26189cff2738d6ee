"""Combatants and rules read from a fight file; only its opening and its joins are used."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from cli.commands.storage.file_types import FileType
    from cli.session import Session
    from mam_events.fights import FightFile, Overlay, Script

_PLAYED: tuple[FileType, ...] = ("score", "fight", "rules")


def load(path: str) -> FightFile:
    """Return the fight in a file, or on standard input for `-`."""
    from mam_events.fights import read_fight

    text, name = text_in(path, *_PLAYED)
    return read_fight(text, name, folder=_folder(path))


def load_played(path: str) -> FightFile | Script:
    """Return the fight or the script in a file, or on standard input for `-`."""
    from mam_events.fights import read_played

    text, name = text_in(path, *_PLAYED)
    return read_played(text, name, folder=_folder(path))


def _folder(path: str) -> Path:
    return Path() if path == "-" else Path(path).parent


def text_in(path: str, *allowed: FileType) -> tuple[str, str]:
    """Return the text of a file of those kinds, or of standard input for `-`, and its name for errors."""
    from cli.commands.storage.file_types import check_file_type
    from mam_events.archive.input_files import decode_text, read_bytes, read_stream

    name = "standard input" if path == "-" else path
    raw = read_stream(sys.stdin.buffer, name) if path == "-" else read_bytes(path)
    check_file_type(raw, path, *allowed)
    return decode_text(raw, name), name


def load_rules(path: str) -> Overlay:
    """Return the rules in a fight file or in a file of house rules, with their places in the file."""
    from mam_events.archive.input_files import read_text
    from mam_events.commands import Open
    from mam_events.fights import Overlay, is_overlay, load_overlay
    from mam_events.fights.toml_text import TomlText

    if path != "-" and is_overlay(TomlText(read_text(path), path).raw):
        return load_overlay(path)
    opening = load(path).opening
    command = opening.what
    assert isinstance(command, Open)  # noqa: S101 - a fight file has no other opening
    return Overlay(command.preset, command.ruleset, command.title, command.house_rules, opening.fields)


def member(source: str, combatant: str | None) -> dict[str, Any]:
    """Return the fields of one combatant in `FILE#NAME`; without a name, the only one or the one that is to join."""
    import msgspec

    from mam_events.commands import Join
    from mam_events.errors import BadInput, NotFound
    from mam_events.refusals.suggestions import suggestion_text

    path, _, name = source.partition("#")
    name = name or combatant or ""
    joins = {order.what.combatant: order.what for order in load(path).joins if isinstance(order.what, Join)}
    if not name:
        if len(joins) != 1:
            raise BadInput(f"The file holds {len(joins)} combatants. Name one, as in {path}#NAME.", place=path)
        name = next(iter(joins))
    if name not in joins:
        raise NotFound(f'There is no combatant "{name}" in {path}. {suggestion_text(name, joins)}')
    fields: dict[str, Any] = msgspec.to_builtins(joins[name])
    del fields["do"]
    return fields


def open_with_party(
    session: Session, encounter: str, path: str, fields: dict[str, Any], overlay: Overlay | None = None
) -> None:
    """Begin an encounter with the rules and the combatants of a file.

    `fields` of the opening override those of the file, and the file's house rules override those of the overlay.
    """
    from msgspec.structs import replace

    from cli.output.play_report import show_report
    from mam_events.commands import Open
    from mam_events.fights import play

    if session.command_id:
        raise click.UsageError("--command-id is for one order, but --from gives several.")
    fight = load(path)
    opening = fight.opening.what
    assert isinstance(opening, Open)  # noqa: S101 - a fight file has no other opening
    house_rules = opening.house_rules | fields.pop("house_rules", {})
    if overlay:
        house_rules = overlay.house_rules | house_rules
        fields |= {"preset": overlay.preset, "ruleset": overlay.name}
    order = replace(fight.opening, what=replace(opening, house_rules=house_rules, **fields))
    party = replace(fight, opening=order, lines=())
    with session.receiving() as log:
        report = play(log, party, encounter, by=session.author)
    show_report(session, report)
