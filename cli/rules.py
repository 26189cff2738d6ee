"""The rules as people choose them: presets, options with their readings, house rules checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli import output
from cli.catalogue import CATALOGUE
from cli.options import Command, Pair, of_store
from cli.session import Session, clean, pass_session

if TYPE_CHECKING:
    from mam_events.rulebook import Rulebook


@click.group("rules", short_help=CATALOGUE["rules"].short)
def rules() -> None:
    """List, show and check rules and house rules.

    A preset is an edition of the game; a house rule reads one option in another way than the preset does. An encounter
    keeps the rules it was begun with: `mam new duel --set half_success=never`.
    """


@rules.command("list", cls=Command, example=("mam rules list",))
@of_store
@pass_session
def list_(session: Session) -> None:
    """List the presets."""
    from mam_events.rulebook import rulebook

    book = rulebook()
    rows = [(name, preset.title, preset.sentence, str(_count(book, name))) for name, preset in book.presets.items()]
    if session.json:
        for name, title, sentence, count in rows:
            output.json_line({"preset": name, "title": title, "sentence": sentence, "options": int(count)})
        return
    output.table(("preset", "title", "in a sentence", "options"), rows, right=(3,), fold=(1, 2))
    session.say("next: mam rules show " + next(iter(book.presets)))


def _count(book: Rulebook, preset: str) -> int:
    return sum(preset in option.default for option in book.options.values())


@rules.command(
    "show", cls=Command, example=("mam rules show mam_pools", "mam rules show mam_pools --set half_success=never --all")
)
@click.argument("preset", default="mam_pools", help="The preset; mam_pools, if left out.")
@click.option(
    "--set",
    "house_rules",
    type=Pair("=", "OPTION", "READING"),
    multiple=True,
    metavar="OPTION=READING",
    help="A house rule to lay over it; as often as needed.",
)
@click.option("--all", "others_too", is_flag=True, help="Also the other readings of every option.")
@of_store
@pass_session
def show(session: Session, preset: str, house_rules: tuple[tuple[str, str], ...], others_too: bool) -> None:
    """Show every option of a preset: how it is read, what that means, which rules it belongs to."""
    from mam_events.rulebook import rulebook

    book = rulebook()
    readings = book.ruleset(preset, dict(house_rules)).pinned.readings
    if session.json:
        for name in readings:
            output.json_line(_as_json(book, preset, name, readings[name]))
        return
    for name, reading in readings.items():
        option = book.options[name]
        changed = reading != option.default[preset]
        mark = f"  * house rule; the preset reads {option.default[preset]}" if changed else ""
        told = f"{output.paint(name, 'strong')} = {output.paint(reading, 'good' if changed else '')}{mark}"
        click.echo(f"{told}  [{', '.join(option.rules)}]", color=output.colourful())
        output.line(f"  {option.sentence.rstrip('.')}: {option.readings[reading]}.", indent=4)
        for other, meaning in option.readings.items():
            if others_too and other != reading:
                output.line(f"  or {other}: {meaning}", "faint", indent=6)


def _as_json(book: Rulebook, preset: str, name: str, reading: str) -> dict[str, Any]:
    option = book.options[name]
    return {
        "option": name,
        "reading": reading,
        "default": option.default[preset],
        "sentence": option.sentence,
        "readings": option.readings,
        "rules": list(option.rules),
    }


@rules.command("check", cls=Command, example=("mam rules check fight.toml",))
@click.argument(
    "file", metavar="FILE", help="A fight file, or a TOML file of `preset` and `[house_rules]`; - for standard input."
)
@of_store
@pass_session
def check(session: Session, file: str) -> None:
    """Check the preset and the house rules of a file: every unknown one is told, with the nearest known name."""
    from cli.parties import load
    from mam_events.commands import Open
    from mam_events.errors import Refused
    from mam_events.rulebook import rulebook

    opening = load(file).opening
    command = opening.what
    assert isinstance(command, Open)  # noqa: S101 - a fight file has no other opening
    book = rulebook()
    # The preset first: without it no option has a meaning.
    tries: list[tuple[str, dict[str, str]]] = [("preset", {})] + [(k, {k: v}) for k, v in command.house_rules.items()]
    problems: list[Refused] = []
    for field, house_rule in tries:
        try:
            book.ruleset(command.preset, house_rule)
        except Refused as no:
            place = opening.place_of((field,))
            problems.append(Refused(no.code, f"{place}: {no.sentence}", rule=no.rule, fields=(field,)))
            if field == "preset":
                break
    if session.json:
        found = [{"code": no.code, "rule": no.rule, "fields": no.fields, "sentence": no.sentence} for no in problems]
        output.json_line(
            {"file": file, "preset": command.preset, "house_rules": command.house_rules, "problems": found}
        )
    elif not problems:
        count = len(command.house_rules)
        click.echo(f"{file}: {command.preset} with {count} house {'rule' if count == 1 else 'rules'}, all known")
    if problems:
        *others, last = problems
        for other in others:
            if not session.json:
                click.echo(clean(other.sentence), err=True)
        raise last
