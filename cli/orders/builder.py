"""Commands built from the orders themselves: their arguments, options and help come from the fields of the Struct."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cli.command_class import BaseCommand
from cli.orders.submit import fill_from_right, parse_whole_number, require_argument, submit_order
from cli.orders.syntax import command_field_specs
from cli.param_types import ChoiceParam, IntRange, PairParam
from cli.session import Session, pass_session
from cli.shared_options import (
    complete_combatant,
    complete_thing,
    gm_modifier_options,
    order_command_options,
    resolve_options,
)
from mam_events.notation.grammar.vocabulary import INFERRED_FIELDS
from mam_events.refusals.suggestions import suggestion_text

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from msgspec import Struct

    from mam_events.field_specs import FieldSpec

Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
Adjusts = Callable[[Session, dict[str, Any]], None]
"""The part of a command of its own that may change the typed values."""


def command_of(
    do: str,
    adjusts: Adjusts | None = None,
    *,
    more: Sequence[click.Parameter] = (),
    name: str = "",
    run: Callable[[Session], None] | None = None,
) -> BaseCommand:
    """Return the command of an order.

    The `more` parameters are for `adjusts` only; `run` is called after the order was given.
    """

    def give(session: Session, /, **values: Any) -> None:
        submit_typed_order(do, adjusts, session, values)
        if run:
            run(session)

    return build_command(name or do, pass_session(give), do, more=more)


def build_command(
    name: str,
    callback: Callable[..., None],
    *orders: str,
    more: Sequence[click.Parameter] = (),
    kind: type[BaseCommand] = BaseCommand,
) -> BaseCommand:
    """Return a command that takes the fields of these orders; the first one gives it bare words, help and examples.

    A parameter in `more` replaces the field with its name.
    """
    from mam_events.commands import COMMANDS, TakesGmModifiers

    first = COMMANDS[orders[0]]
    doc = [" ".join(part.split()) for part in (first.__doc__ or "").split("\n\n") if part.strip()]
    words: dict[str | None, click.Parameter] = {word.name: word for word in _arguments(orders[0])}
    options = {option.name: option for do in orders for option in _options(do) if option.name not in words}
    params = list((words | options | {own.name: own for own in more}).values())
    decorators = (
        (gm_modifier_options, order_command_options)
        if any(issubclass(COMMANDS[do], TakesGmModifiers) for do in orders)
        else (order_command_options,)
    )
    if any(do in RESOLVABLE_ORDERS for do in orders):
        decorators = (resolve_options, *decorators)
    for decorator in decorators:
        params += decorator(lambda: None).__click_params__[::-1]  # type: ignore[attr-defined]  # where click keeps them
    return kind(
        name,
        params=params,
        callback=callback,
        help="\n\n".join(doc),
        short_help=doc[0],
        example=[f"mam {example}" for example in first.examples],
    )


def order_command(do: str, **own: Any) -> Callable[[Adjusts], BaseCommand]:
    """Return a decorator that turns `adjusts` into the command of an order, with the arguments of `command_of`."""
    return lambda adjusts: command_of(do, adjusts, **own)


def _words(do: str) -> tuple[str, ...]:
    """Return the fields whose values may be typed without an option, in that order."""
    from mam_events.commands import COMMANDS

    kind = COMMANDS[do]
    return tuple(dict.fromkeys((*kind.bare, *kind.also_bare)))


def _can_omit_first(do: str) -> bool:
    """Return True if the first of the bare words may be left out."""
    words = _words(do)
    return bool(words) and bool(command_field_specs(do)[words[0]].unsaid)


def _arguments(do: str) -> Iterator[click.Argument]:
    from mam_events.commands import COMMANDS

    kind = COMMANDS[do]
    defaults = _defaults(do)
    free = _can_omit_first(do) or any(command_field_specs(do)[field].kind is int for field in _words(do))
    for place, field in enumerate(_words(do)):
        shape = command_field_specs(do)[field]
        needed = not free and field not in defaults and not shape.unsaid
        twice = field in kind.also_bare
        if shape.is_list:
            yield click.Argument(
                [field], nargs=-1, required=False, help=shape.description, shell_complete=_completion(do, place)
            )
            continue
        yield click.Argument(
            [_argument(do, field)],
            required=needed,
            type=None if free else _type(shape),
            metavar=field.upper() if needed else f"[{field.upper()}]",
            help=f"The same as --{_dashed(field)}." if twice else shape.description,
            shell_complete=_completion(do, place),
        )


def _completion(do: str, place: int) -> Completion | None:
    """Return the completions at that place among the bare words; if the first may be left out, also the next ones."""
    specs = [command_field_specs(do)[field] for field in _words(do)[place : place + 1 + _can_omit_first(do)]]
    people, choices = any(one.is_person for one in specs), [choice for one in specs for choice in one.choices]

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from cli.completion import items

        completions = complete_combatant(ctx, param, incomplete) if people else []
        return [*completions, *items(choices, incomplete)]

    return complete if people or choices else None


def _argument(do: str, field: str) -> str:
    """Return the parameter name of a bare word: its field, unless that has an option as well."""
    from mam_events.commands import COMMANDS

    return f"bare_{field}" if field in COMMANDS[do].also_bare else field


def _options(do: str) -> Iterator[click.Option]:
    from mam_events.commands import COMMANDS

    kind = COMMANDS[do]
    bare = set(kind.bare) - set(kind.also_bare)
    for field, shape in command_field_specs(do).items():
        if field not in bare:
            yield _option(field, shape, short=do in STRIKE_ORDERS)


RESOLVABLE_ORDERS = ("attack", "manipulate", "escape", "ram", "defend", "parry", "counterattack")
"""Orders after which the dice of the exchange may be rolled at once."""
STRIKE_ORDERS = (*RESOLVABLE_ORDERS, "interfere", "tackle")
"""Orders whose points and weapon have options of one letter."""
SHORT_OPTIONS = {"weapon": "-w", "power": "-p", "modifier": "-m"}
"""Options that are typed so often that one letter must do."""


def _option(field: str, shape: FieldSpec, *, short: bool = False, **own: Any) -> click.Option:
    name = f"--{_dashed(field)}"
    names = [name, *([SHORT_OPTIONS[field]] if short and field in SHORT_OPTIONS else []), field]
    if shape.kind is bool:
        return click.Option([name, field], is_flag=True, default=None, help=shape.description)
    attrs = {
        "type": _type(shape),
        "multiple": (shape.is_list or shape.is_table) and not shape.has_faces,
        "metavar": _metavar(shape),
        "help": shape.description,
        "callback": parse_dice_code if field == "code" else None,
        "shell_complete": complete_combatant if shape.is_person else complete_thing if "thing" in shape.names else None,
    }
    return click.Option(names, **attrs | own)


def option_of(kind: type[Struct], field: str, metavar: str = "", **own: Any) -> click.Option:
    """Return the option of a field; with a `metavar` it has a grammar of its own."""
    from mam_events.field_specs import field_specs as of_kind

    grammar = {"metavar": metavar, "type": None, "callback": None} if metavar else {}
    return _option(field, of_kind(kind)[field], **grammar | own)


def _metavar(shape: FieldSpec) -> str | None:
    if shape.is_table:
        return f"{_key(shape)}={_faces(shape)}"
    if shape.has_faces:
        return "FACE,…"
    if shape.unit:
        return shape.unit.upper()
    if shape.kind is int or shape.inner.kind is int:
        return "NUMBER"
    return None if shape.choices else "TEXT"


def _key(shape: FieldSpec) -> str:
    return "COMBATANT" if shape.is_person else "N" if shape.key.unit == "n" else "DIE"


def _faces(shape: FieldSpec) -> str:
    return "FACE,…" if shape.inner.has_faces else "FACE"


def _type(shape: FieldSpec) -> click.ParamType[Any] | None:
    if shape.is_table:
        return PairParam("=", _key(shape), _faces(shape))
    if shape.choices:
        return ChoiceParam(shape.choices)
    if shape.kind is int:
        return IntRange(shape.least if shape.least in (0, 1) else None)
    return _type(shape.inner) if shape.is_list and shape.inner.kind is int and not shape.has_faces else None


def _dashed(field: str) -> str:
    return field.replace("_", "-")


@cache
def _defaults(do: str) -> Collection[str]:
    """Return the fields that an order may leave out."""
    from mam_events.commands import COMMANDS

    return {field.name for field in msgspec.structs.fields(COMMANDS[do]) if not field.required}


def submit_typed_order(do: str, adjusts: Adjusts | None, session: Session, typed: dict[str, Any]) -> None:
    """Send the order that was typed."""
    words = {field: typed.pop(_argument(do, field)) for field in _words(do)}
    values = parse_option_values(typed)
    _place(session, do, words, values)
    if adjusts:
        adjusts(session, values)
    shape = command_field_specs(do)
    for field in words:
        if shape[field].kind is int and isinstance(values[field], str):
            values[field] = parse_whole_number(values[field], field.upper(), shape[field].least)
    # As in a line, a hold may be named by either combatant in it.
    holds = [field for field in words if shape[field].names == ("grapple",) and values[field]]
    rest = {field: values.pop(field) for field in holds if session.viewer().knows(values[field])}
    for field in shape:
        known_field = field in rest or field in _defaults(do) or shape[field].unsaid
        if not (known_field or (field in INFERRED_FIELDS and (adjusts or _can_omit_first(do)))):
            require_argument(values.get(field), field.upper() if field in words else f"--{_dashed(field)}")
    submit_order(session, do, {field: values.get(field) for field in shape}, tuple(rest.values()))


def parse_option_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the options as the order needs them."""
    return {field: _value(field, value) for field, value in values.items()}


def _value(field: str, value: Any) -> Any:
    """Return the value of an option as the order needs it."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return _entries(field, value)
        return list(value) or None
    if field == "dice" and isinstance(value, str):
        return parse_faces(value)
    return value


def _entries(field: str, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name in values:
            raise click.UsageError(f"--{_dashed(field)} gives the dice of {name} twice.")
        values[name] = parse_faces(text, f"--{_dashed(field)}")
        if field.endswith("_die"):
            (values[name],) = values[name]
    return values


def parse_dice_code(ctx: click.Context, _param: click.Parameter, code: str | None) -> str | None:
    """Return a dice code as orders write it, `3D+1` for `3d+1`.

    Raises a usage error, with the nearest skill, for the name of a skill.
    """
    if code is None or code[:1].isdigit():
        return code and code.upper()
    from mam_events.rules.rolls.dice_codes import slug
    from mam_events.rules.rulebook import rulebook

    rows = rulebook().tables.rd6_actions.values()
    suggestion = suggestion_text(slug(code), [slug(skill) for row in rows for skill in row.skills])
    skill = suggestion.split('"')[1] if suggestion.startswith("Did") else ""
    hint = f"For the skill, type --skill {skill}." if skill else "To name a skill, use --skill."
    error = click.BadParameter(f'takes dice, like 3D+1, not "{code}". {hint}')
    session = ctx.find_object(Session)
    if session is not None and skill:
        error.next = session.instead({"--code": "--skill", code: skill})  # type: ignore[attr-defined]  # `failure_of` reads it
    raise error


def parse_faces(text: str, option: str = "--dice") -> list[int]:
    """Return faces typed like `4,5,6,2`; raise a usage error for anything else."""
    faces = text.split(",")
    if wrong := next((face for face in faces if not face.isdecimal()), None):
        raise click.UsageError(f"{option} takes faces, as in {option} 4,2, not {wrong!r}.")
    return [parse_whole_number(face, option) for face in faces]


def _place(session: Session, do: str, words: Mapping[str, Any], fields: dict[str, Any]) -> None:
    """Store bare words in the fields they belong to.

    Numbers at the end go to number fields. Names go to the others in their order, from the right if the first may be
    left out.
    """
    shape = command_field_specs(do)
    if not _can_omit_first(do) and not any(shape[field].kind is int for field in words):
        for field, word in words.items():
            _say(fields, field, list(word) or None if isinstance(word, tuple) else word)
        return
    values = [word for word in words.values() if word is not None]
    names = [field for field in words if shape[field].kind is not int]
    numbers = [field for field in words if shape[field].kind is int]
    first = len(values)
    while first and len(values) - first < len(numbers) and _is_number(session, values[first - 1]):
        first -= 1
    if first == len(values) and first > len(names) and numbers:
        first = len(names)
    if first > len(names):
        raise click.UsageError(f"Got unexpected extra argument ({values[len(names)]}).")
    for field, word in zip(numbers, values[first:], strict=False):
        _say(fields, field, word)
    for field in numbers:
        fields.setdefault(field, None)
    values_placed = (
        fill_from_right(*values[:first], *[None] * (len(names) - first)) if _can_omit_first(do) else values[:first]
    )
    fields.update(dict.fromkeys(names) | dict(zip(names, values_placed, strict=False)))
    _swap(session, do, names, fields)


def _say(fields: dict[str, Any], field: str, value: Any) -> None:
    """Store a bare word; raise a usage error if the option of its field is given as well."""
    if value is not None and fields.get(field) is not None:
        raise click.UsageError(f"{field.upper()} is given twice. Give it once.")
    fields[field] = fields.get(field) if value is None else value


def _is_number(session: Session, word: str) -> bool:
    return bool(re.fullmatch(r"#?[+-]?[0-9][0-9.,/]*", word)) and not session.viewer().knows(word)


def _swap(session: Session, do: str, names: Sequence[str], fields: dict[str, Any]) -> None:
    """Treat a single name of a combatant as the actor, if the other field may be left out."""
    shape = command_field_specs(do)
    if names[1:] and not names[2:] and fields[names[0]] is None and fields[names[1]] is not None:
        who, what = names
        swaps = shape[who].is_person and not shape[what].is_person and what in INFERRED_FIELDS - {"grapple"}
        if swaps and session.viewer().knows(fields[what]):
            fields[who], fields[what] = fields[what], None
