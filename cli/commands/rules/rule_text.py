"""The commands rule and help: the rules in our own words, and lists of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from cli.command_class import command_decorator
from cli.output import render
from cli.registry import COMMANDS_BY_NAME
from cli.session import Session, pass_session
from cli.shared_options import store_options, view_command_options
from mam_events.errors import MamError, NotFound
from mam_events.field_specs import field_specs
from mam_events.refusals.suggestions import closest_name

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook, RuleText

IN_FULL = 3
"""The maximum number of matching rules shown in full; if there are more, each is shown by its name."""


@command_decorator("rule", "mam rule MAM-ATK-06", "mam rule parry", "mam rule half_success")
@click.argument(
    "what", nargs=-1, required=True, metavar="ID|WORD", help="The id of a rule or an option, or a word to look for."
)
@view_command_options
@pass_session
def rule(session: Session, what: tuple[str, ...]) -> None:
    """Show a rule in our own words, with its options and source, or the rules about a word."""
    from mam_events.rules.rulebook import rule_texts, rulebook

    book, rules, word = rulebook(), rule_texts(), " ".join(what)
    ids = list(find_rule_ids(word, book))
    if not ids:
        _not_found(word, (*rules, *book.options))
    ids = (of_edition(session, ids) if session.at_table else []) or ids
    if session.json:
        for one in ids:
            options = {name: book.options[name].readings for name in _options(book, one)}
            render.json_line(
                {"rule": one, "settles": rules[one].settles, "told": rules[one].text, "source": rules[one].source}
                | {"options": options}
            )
        return
    if len(ids) > IN_FULL:
        for one in ids:
            render.line(f"{one}  {rules[one].settles}", indent=2)
        session.say(f"next: mam rule {ids[0]}")
        return
    readings = _in_force(session)
    for one in ids:
        for line, style in rule_lines(one, rules[one], book, readings):
            render.line(line, style, indent=2)


def of_edition(session: Session, ids: list[str]) -> list[str]:
    """Return those of the rules that belong to the edition of the fight; all of them if there is no fight."""
    if not (readings := _in_force(session)):
        return ids
    from mam_events.rules.rulebook import rulebook

    book = rulebook()
    game = "RD6" if session.counts_actions() else "MAM"
    # A Mano a Mano fight may roll initiative by the rules of Ron d6.
    used = {
        rule for name in readings for rule in book.options[name].rules if rule.startswith(("RD6-INIT-", "RD6-TIE-"))
    }
    return [one for one in ids if one.partition("-")[0] == game or one in used]


def _not_found(word: str, known: Iterable[str]) -> None:
    names = list(known)
    near = closest_name(word, names)
    hint = f'Did you mean "{near}"?' if near else "`mam help` lists all commands, and docs/rules.md all rules."
    raise NotFound(f'Nothing was found about "{word}". {hint}', wrong=word, allowed=names)


def find_rule_ids(word: str, book: Rulebook) -> Iterator[str]:
    """Yield the ids of the rules that an id, an option, an order or a word stands for."""
    from mam_events.rules.rulebook import rule_texts

    texts = rule_texts()
    low = word.casefold()
    exact = [one for one in texts if one.casefold() == low]
    if exact:
        yield from exact
    elif low in book.options:
        yield from (one for one in book.options[low].rules if one in texts)
    else:
        ids = [one for one, rule in texts.items() if low in rule.settles.casefold()]
        pattern = re.compile(rf"\b{re.escape(low)}", re.IGNORECASE)
        named_ids = [one for one in _of_order(low) if one in texts and one not in ids]
        yield from (*ids, *named_ids)
        if not named_ids:
            yield from (one for one, rule in texts.items() if pattern.search(rule.text) and one not in ids)


def _of_order(do: str) -> list[str]:
    """Return the ids of the rules that an order names in its description."""
    from mam_events.commands import COMMANDS

    kind = COMMANDS.get(do.replace(" ", "-"))
    if kind is None:
        return []
    text = " ".join([kind.__doc__ or "", *(shape.description for shape in field_specs(kind).values())])
    return list(dict.fromkeys(re.findall(r"(?:MAM|RD6)-[A-Z]+-\w+", text)))


def _options(book: Rulebook, rule: str) -> list[str]:
    return [name for name, option in book.options.items() if rule in option.rules]


def _in_force(session: Session) -> dict[str, str]:
    """Return the readings of the current fight, or none if there is no fight."""
    quiet, session.quiet = session.quiet, True
    try:
        ruleset = session.timeline().state.ruleset
    except MamError:
        return {}
    finally:
        session.quiet = quiet
    return dict(ruleset.readings) if ruleset else {}


def rule_lines(rule: str, words: RuleText, book: Rulebook, readings: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield a rule as lines with their styles: its text, the readings of its options, its source."""
    yield f"{rule}  {words.settles}", "strong"
    yield words.text, ""
    for name in _options(book, rule):
        option = book.options[name]
        if name in readings:
            yield f"  {name} = {readings[name]}: {option.readings[readings[name]]}", ""
        else:
            yield f"  {name}: {option.sentence}", ""
    yield f"source: {re.sub('[*]', '', words.source)}", "faint"


@command_decorator("help", "mam help", "mam help saddle", "mam help attack")
@click.argument("word", nargs=-1, help="A command, or a word to look for.")
@store_options
@click.pass_context
def help_(ctx: click.Context, word: tuple[str, ...]) -> None:
    """List all commands, explain one, or find those about a word."""
    assert ctx.parent is not None  # noqa: S101 - it is a command of `mam`
    main = ctx.parent.command
    assert isinstance(main, click.Group)  # noqa: S101 - as above
    if not word:
        click.echo(ctx.parent.get_help())
        return
    inner, command = ctx.parent, click.Command("")
    names = ["-".join(word).lower()] if "-".join(word).lower() in COMMANDS_BY_NAME else [one.lower() for one in word]
    group: click.Command | None = main
    for name in names:
        group = group.get_command(inner, name) if isinstance(group, click.Group) else None
        if group is None:
            break
        inner, command = click.Context(group, info_name=name, parent=inner), group
    else:
        click.echo(command.get_help(inner))
        return
    _find(ctx, main, " ".join(word))


def _find(ctx: click.Context, main: click.Group, word: str) -> None:
    from mam_events.rules.rulebook import rule_texts, rulebook

    pattern = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)
    commands = [(name, entry.short) for name, entry in COMMANDS_BY_NAME.items() if _has_match(ctx, main, name, pattern)]
    rules = list(find_rule_ids(word, rulebook()))
    if not commands and not rules:
        _not_found(word, COMMANDS_BY_NAME)
    for name, short in commands:
        render.line(f"mam {name}  {short}", indent=6)
    for one in rules[:IN_FULL]:
        render.line(f"mam rule {one}  {rule_texts()[one].settles}", indent=6)
    if len(rules) > IN_FULL:
        render.line(f"mam rule {word}  {len(rules)} rules", indent=6)


def _has_match(ctx: click.Context, main: click.Group, name: str, pattern: re.Pattern[str]) -> bool:
    if pattern.search(name) or pattern.search(COMMANDS_BY_NAME[name].short):
        return True
    command = main.get_command(ctx, name)
    texts = [getattr(param, "help", "") or "" for param in command.params] if command else []
    return any(pattern.search(text) for text in (command.help or "" if command else "", *texts))
