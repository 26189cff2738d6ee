"""The command join: a combatant enters the fight; its lists and tables have grammars of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import click
from msgspec import Struct, to_builtins

from cli.command_class import MissingArgument
from cli.orders.builder import build_command, option_of, parse_option_values
from cli.orders.submit import parse_whole_number, require_argument, submit_order
from cli.param_types import IntRange
from cli.session import Session, pass_session
from mam_events.commands import Join, read_command
from mam_events.events import Play
from mam_events.field_specs import field_specs
from mam_events.notation.lines.join_line import MAX_JOINS
from mam_events.sanitize import clean_fields, make_id

PARTS: Mapping[str, type[Struct]] = {
    field: shape.inner.kind
    for field, shape in field_specs(Join).items()
    if field in ("body", "weapon", "item", "armor")
}
"""The parts of a combatant that are tables of their own."""
_YES_OR_NO = {name for part in PARTS.values() for name, shape in field_specs(part).items() if shape.kind is bool}
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@pass_session
def _join(session: Session, /, combatant: str | None, party: str | None, count: int | None, **values: Any) -> None:
    read = {field: grammar.read(values.pop(field)) for field, grammar in GRAMMAR.items()}
    fields = {field: value for field, value in (parse_option_values(values) | read).items() if value is not None}
    option_values: dict[str, Any] = {}
    if party:
        from cli.commands.fight.party import member

        option_values = member(party, combatant)
    elif combatant:
        option_values = _sheet(session, make_id(combatant), fields)
    fields = option_values | fields
    if combatant:
        fields["combatant"] = combatant
    require_argument(fields.get("combatant"), "COMBATANT")
    fields = clean_fields(Join, fields)
    said_so = option_values or fields.get("athletic") or fields.get("hp") is not None
    if not said_so and not session.counts_actions():
        _check_bears(session, fields)
    if count is None:
        submit_order(session, "join", fields)
    else:
        _several(session, fields, count)


def _sheet(session: Session, combatant: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a roster sheet; none if there is no sheet, or an option gives what the combatant bears.

    Raises BadInput if a sheet has nearly that name. A sheet that cannot be read is reported and left out.
    """
    from cli.commands.fight.roster_folder import load_roster, roster_joins
    from mam_events.log.newcomers import BEARING, with_sheet

    if fields.keys() & {"hp", *BEARING}:
        return {}
    roster_join = with_sheet(Join(combatant), roster_joins)
    for fault in load_roster().faults.values():
        session.say(f"{fault} This sheet is skipped.")
    if roster_join == Join(combatant):
        return {}
    return {field: value for field, value in to_builtins(roster_join).items() if field != "do"}


def _several(session: Session, fields: dict[str, Any], count: int) -> None:
    """Join several combatants of a kind, all of them or none, each with a number in its id."""
    from cli.output.ruling import print_result
    from mam_events.history.timeline.command_ids import batch_member_id
    from mam_events.log.validation import new_id

    if count > MAX_JOINS:
        raise click.UsageError(f"--count brings in at most {MAX_JOINS}, and this would be {count}.")
    if session.after or session.previews or session.expect:
        raise click.UsageError("Use --count without --after, --preview and --expect.")
    timeline = session.timeline()
    state = timeline.state
    fields |= {"visibility": session.visibility} if session.visibility else {}
    base, name = fields["combatant"], fields.get("name") or fields["combatant"].capitalize()
    free_numbers = (n for n in range(1, len(state.combatants) + count + 1) if f"{base}-{n}" not in state.combatants)
    numbers = [next(free_numbers) for _ in range(count)]
    each = [fields | {"combatant": f"{base}-{n}", "name": f"{name} {n}"} for n in numbers]
    joins = [read_command({"do": "join"} | clean_fields(Join, one), place="join") for one in each]
    if timeline.head_with_id(session.clean_command_id):
        # Sent again: repeat the joins of the first time.
        heads = (timeline.head_with_id(batch_member_id(session.clean_command_id, n)) for n in range(1, count + 1))
        joins = [head.command for head in heads if isinstance(head, Play)]
    answers = session.log().execute_all(
        session.encounter(),
        joins,
        by=session.author,
        command_id=session.clean_command_id or new_id(),
        expected=session.expected,
    )
    for answer in answers:
        print_result(session, answer)


def _check_bears(session: Session, fields: dict[str, Any]) -> None:
    """Raise a usage error if no option gives the hit points or the toughness of the newcomer."""
    from cli.orders.edition import uses_toughness

    state = session.state_then()
    tough = uses_toughness(state)
    if tough and fields.get("toughness"):
        return
    if state.status == "closed" or fields.get("combatant") in state.combatants:
        # This join is refused whatever its hit points; the rules say why.
        return
    toughness = "a toughness (--toughness NUMBER), " if tough else ""
    raise MissingArgument(
        f"A combatant needs {toughness}hit points (--hp POINTS), --athletic to work them out, or a file (--from FILE).",
        session.again(*(("--toughness", "NUMBER") if tough else ("--hp", "POINTS"))),
    )


def entries(texts: tuple[str, ...], option: str) -> Iterator[tuple[str, str]]:
    """Return the entries of `riding=4,stealth=3`, given once or more often; raise a usage error for a repeated name."""
    names = set()
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, sign, value = part.partition("=")
        if not (name and sign and value):
            message = f"{option} takes pairs like riding=4,stealth=3, but {part!r} has no name or no value."
            raise click.UsageError(message)
        if name in names:
            raise click.UsageError(f"{option} has {name} twice. Give it once.")
        names.add(name)
        yield name, value


def parse_table(text: str, option: str) -> dict[str, Any]:
    """Parse `id=club,power=2` as a table with whole numbers and booleans; raise a usage error for anything else."""
    fields: dict[str, Any] = {}
    for part in text.split(","):
        key, sign, value = part.strip().partition("=")
        if not sign or not key:
            raise click.UsageError(f"{option} takes pairs like id=club,power=2, but {part!r} is no pair.")
        key = key.replace("-", "_")
        if key in fields:
            raise click.UsageError(f"{option} has {key} twice. Give it once.")
        numeric = re.fullmatch(r"[+-]?[0-9]{1,9}", value) and key not in ("id", "name")
        fields[key] = int(value) if numeric else _WORDS.get(value, value) if key in _YES_OR_NO else value
    return fields


class Grammar(NamedTuple):
    """The grammar of a field that is a table or several tables: how help shows it, and how it is read."""

    shown: str
    read: Callable[[Any], Any]


def _tables(option: str) -> Grammar:
    return Grammar("KEY=VALUE,…", lambda texts: [parse_table(text, option) for text in texts] or None)


def _numbers(option: str, low: int | None) -> Callable[[tuple[str, ...]], dict[str, int] | None]:
    return lambda texts: (
        {name: parse_whole_number(text, f"{option} {name}", low) for name, text in entries(texts, option)} or None
    )


GRAMMAR: Mapping[str, Grammar] = {
    "speed": Grammar("NUMBER", lambda text: text),
    "body": Grammar("KEY=VALUE,…", lambda text: text and parse_table(text, "--body")),
    "weapon": _tables("--weapon"),
    "item": _tables("--item"),
    "armor": _tables("--armor"),
    "pools": Grammar("POOL=POINTS,…", _numbers("--pools", 0)),
    "ability": Grammar("NAME=NUMBER,…", _numbers("--ability", None)),
    "code": Grammar(
        "NAME=CODE,…", lambda texts: {name: code.upper() for name, code in entries(texts, "--code")} or None
    ),
}


def keys(part: type[Struct]) -> Iterator[tuple[str, str]]:
    """Yield the keys of a table, each with its choices or its unit, and its description."""
    for name, shape in zip(part.__struct_encode_fields__, field_specs(part).values(), strict=True):
        words = shape.choices or (shape.unit,) * (shape.unit == "metres")
        yield f"{name} ({', '.join(words)})" if words else name, shape.description


def _option(field: str, grammar: Grammar) -> click.Option:
    """Return the option of a field with its own grammar; the help of a table lists its keys."""
    if field not in PARTS:
        return option_of(Join, field, grammar.shown)
    description = field_specs(Join)[field].description.removesuffix(".")
    return option_of(
        Join,
        field,
        grammar.shown,
        help=f"{description}: {', '.join(typed_key for typed_key, _ in keys(PARTS[field]))}.",
    )


_COMBATANT = click.Argument(["combatant"], required=False, help=field_specs(Join)["combatant"].description)
_FROM = click.Option(["--from", "party"], metavar="FILE#NAME", help="Take the combatant from a fight or party file.")
_COUNT = click.Option(
    ["--count"], type=IntRange(1), metavar="N", help="How many to bring in: goblin-1, goblin-2 and so on."
)

join = build_command(
    "join",
    _join,
    "join",
    more=(_COMBATANT, *(_option(field, grammar) for field, grammar in GRAMMAR.items()), _FROM, _COUNT),
)
