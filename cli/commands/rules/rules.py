"""The commands about rules: presets, options with their readings, house rules checked and compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from cli.command_class import BaseCommand
from cli.commands.rules.house_rules import change, new
from cli.commands.rules.readings import readings_of, with_file_place
from cli.output import render
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import complete_preset, house_rule, store_options
from mam_events.errors import MamError, Refused
from mam_events.sanitize import printable

if TYPE_CHECKING:
    from mam_events.fights import Overlay
    from mam_events.rules.rulebook import Rulebook

_USUAL = "mam_pools"
"""The default preset."""
ABSENT = "–"
"""Stands for the reading of an option that has no meaning under a preset."""


@click.group("rules", short_help=COMMANDS_BY_NAME["rules"].short)
def rules() -> None:
    """List, show, write, check, compare and change rules and house rules.

    A preset is an edition of the game. A house rule gives one option another reading than the preset does. A table may
    keep its house rules in a file. An encounter keeps the rules it began with (`mam new duel --rules our-table.toml`)
    until somebody changes them.
    """


rules.add_command(new)
rules.add_command(change)


@rules.command("list", cls=BaseCommand, example=("mam rules list",))
@store_options
@pass_session
def list_(session: Session) -> None:
    """List the presets."""
    from mam_events.rules.rulebook import rulebook

    book = rulebook()
    rows = [
        (name, preset.title, preset.sentence, str(len(book.defaults(name)))) for name, preset in book.presets.items()
    ]
    if session.json:
        for name, title, sentence, count in rows:
            over = book.presets[name].over
            render.json_line(
                {"preset": name, "title": title, "sentence": sentence, "options": int(count), "over": over}
            )
        return
    render.print_table(("preset", "title", "in a sentence", "options"), rows, right=(3,), fold=(1, 2))
    session.say("next: mam rules show " + next(iter(book.presets)))


@rules.command(
    "show",
    cls=BaseCommand,
    example=(
        "mam rules show mam_pools",
        "mam rules show parry_point_pool",
        "mam rules show our-table.toml --set wound_order=stun_first --all",
    ),
)
@click.argument(
    "source",
    metavar="PRESET|FILE|OPTION",
    default="",
    shell_complete=complete_preset,
    help="A preset, a file of house rules, or one option (mam_pools, or the fight at the table, if left out).",
)
@house_rule("A house rule to add (repeatable).")
@click.option("--all", "others_too", is_flag=True, help="Also show what the other readings of every option mean.")
@store_options
@pass_session
def show(session: Session, source: str, house_rules: tuple[tuple[str, str], ...], others_too: bool) -> None:
    """Show every option of a preset or a file: its reading, what that means, and its rules."""
    from mam_events.rules.rulebook import rulebook

    book = rulebook()
    option = source.replace("-", "_").lower()
    only = option if option in book.options else ""
    preset, readings = _shown(session, book, "" if only else source, dict(house_rules), only)
    others_too = others_too or bool(only)
    sections: dict[str, list[str]] = {}
    for name in [only] if only else book.defaults(preset):
        sections.setdefault(book.options[name].section, []).append(name)
    if session.json:
        for names in sections.values():
            for name in names:
                render.json_line(_as_json(book, preset, name, readings[name]))
        return
    for section, names in sections.items():
        click.echo(render.paint(section.replace("_", " ").capitalize(), "strong"), color=render.uses_colour())
        for name in names:
            _print(book, preset, name, readings[name], others_too=others_too)
        click.echo()


def _shown(
    session: Session, book: Rulebook, source: str, house_rules: dict[str, str], only: str
) -> tuple[str, dict[str, str]]:
    """Return the preset and the readings to show.

    They are those of `source`, or else of the fight at the table, or else of the first preset that has the `only`
    option, or of mam_pools.
    """
    from mam_events.fights import overlay_of

    if not source and session.at_table:
        with suppress(MamError):
            ruleset = session.timeline().state.ruleset
            if ruleset and (not only or only in ruleset.readings):
                return ruleset.preset, dict(book.changed(ruleset, house_rules).pinned.readings)
    having = next((name for name in book.presets if only in book.defaults(name)), _USUAL) if only else _USUAL
    overlay = overlay_of(source or having)
    return overlay.preset, readings_of(book, overlay, house_rules)


def _print(book: Rulebook, preset: str, name: str, reading: str, *, others_too: bool) -> None:
    option, default = book.options[name], book.defaults(preset)[name]
    is_changed = reading != default
    others = [other for other in option.readings if other != reading]
    mark = f"  * house rule; the preset has {default}" if is_changed else ""
    more = f"  (or {', '.join(others)})" if others and not others_too else ""
    text = f"{render.paint(name, 'strong')} = {render.paint(reading, 'good' if is_changed else '')}{mark}"
    click.echo(f"  {text}  [{', '.join(option.rules)}]{more}", color=render.uses_colour())
    render.line(f"    {option.sentence.rstrip('.')}: {option.readings[reading]}.", indent=6)
    for other, meaning in option.readings.items():
        if others_too and other != reading:
            render.line(f"    or {other}: {meaning}", "faint", indent=8)


def _as_json(book: Rulebook, preset: str, name: str, reading: str) -> dict[str, Any]:
    option = book.options[name]
    return {
        "option": name,
        "reading": reading,
        "default": book.defaults(preset)[name],
        "sentence": option.sentence,
        "readings": option.readings,
        "rules": list(option.rules),
        "section": option.section,
    }


@rules.command(
    "diff",
    cls=BaseCommand,
    example=("mam rules diff mam_pools mam_speed", "mam rules diff mam_pools our-table.toml --json"),
)
@click.argument("first", metavar="A", shell_complete=complete_preset, help="A preset, or a file of house rules.")
@click.argument("second", metavar="B", shell_complete=complete_preset, help="The preset or file to compare it with.")
@store_options
@pass_session
def diff(session: Session, first: str, second: str) -> None:
    """Compare two presets or files of house rules: the options whose readings differ."""
    from mam_events.fights import overlay_of
    from mam_events.rules.rulebook import rulebook

    book = rulebook()
    one, other = (readings_of(book, overlay_of(source)) for source in (first, second))
    rows = [(name, one.get(name), other.get(name)) for name in book.options if one.get(name) != other.get(name)]
    if session.json:
        for name, a, b in rows:
            render.json_line({"option": name, "a": a, "b": b})
    elif rows:
        render.print_table(("option", first, second), ((name, a or ABSENT, b or ABSENT) for name, a, b in rows))
    else:
        click.echo(f"{first} and {second} have the same reading for every option.")


@rules.command("check", cls=BaseCommand, example=("mam rules check fight.toml", "mam rules check our-table.toml"))
@click.argument("file", metavar="FILE", help="A fight file or a file of house rules; - for standard input.")
@store_options
@pass_session
def check(session: Session, file: str) -> None:
    """Check the preset and the house rules of a file. Unknown names are shown with the nearest known ones."""
    from cli.commands.fight.party import load_rules
    from mam_events.rules.rulebook import rulebook
    from projections.phrases import count_words

    overlay = load_rules(file)
    problems = list(_problems(rulebook(), overlay))
    if session.json:
        problems_found = [
            {"code": no.code, "rule": no.rule, "fields": no.fields, "sentence": no.sentence} for no in problems
        ]
        render.json_line(
            {
                "file": file,
                "preset": overlay.preset,
                "house_rules": overlay.house_rules,
                "problems": problems_found,
                "name": overlay.name,
            }
        )
    elif not problems:
        count = count_words(len(overlay.house_rules), "house rule")
        prefix = f"{overlay.name}, " if overlay.name else ""
        click.echo(f"{file}: {prefix}{overlay.preset} with {count}. The program knows all of them.")
    if problems:
        *others, last = problems
        for other in others:
            if not session.json:
                click.echo(printable(other.sentence), err=True)
        session.preset = overlay.preset
        raise last


def _problems(book: Rulebook, overlay: Overlay) -> Iterator[Refused]:
    """Yield the errors of each house rule by itself or, if there are none, those of all of them together."""
    # Check the preset first: without it no option has a meaning.
    tries = [{}, *({option: reading} for option, reading in overlay.house_rules.items()), overlay.house_rules]
    count = 0
    for house_rules in tries:
        if house_rules is overlay.house_rules and count:
            return
        try:
            book.ruleset(overlay.preset, house_rules)
        except Refused as no:
            if no.code == "options_exclude" and house_rules is not overlay.house_rules:
                # Another house rule may resolve the conflict; the last try, with all of them, shows it.
                continue
            count += 1
            yield with_file_place(no, overlay.places, named_options={})
            if "preset" in no.fields:
                return
