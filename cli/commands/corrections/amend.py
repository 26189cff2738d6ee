"""The commands amend, adjust and note: change a ruling, enter the game master's decision, write a remark."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec

from cli.command_class import command_decorator
from cli.commands.corrections.preview import first_steps, run_correction
from cli.orders.submit import parse_whole_number
from cli.orders.syntax import order_syntax
from cli.param_types import ChoiceParam, IntRange
from cli.session import Session, clean_argument, pass_session
from cli.shared_options import correction_command_options, visibility_options, write_command_options
from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.sanitize import clean_fields
from mam_events.values import OutcomeField

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.events import Amend
    from mam_events.history.timeline.timeline import Timeline


@command_decorator(
    "amend",
    'mam amend 17 attack_die=1 --reason "The die was read wrong" --preview',
    'mam amend 17 --outcome half --reason "It grazed him"',
    "mam amend 17 attack_die=1 20 other_used=2 defense=1 --yes",
    "mam amend 2 code.search=3D --yes",
    "mam amend 4 9 28 visibility=public --yes",
)
@click.argument(
    "what",
    nargs=-1,
    required=True,
    metavar="N FIELD=VALUE…",
    help="A ruling and what to change in it. More rulings may follow.",
)
@click.option(
    "--outcome",
    type=ChoiceParam(get_args(OutcomeField)),
    help="The game master's word instead of the dice of these rulings: full, half or fail.",
)
@correction_command_options
@write_command_options
@pass_session
def amend(session: Session, what: tuple[str, ...], outcome: str | None, reason: str) -> None:
    """Change what a ruling says, and judge everything after it again.

    A field is named by its option (`other-used=2`) or by its name in `mam audit --json`: points, weapons, targets, the
    faces of dice. A value of null leaves a field open. One entry of a table has its name after a dot. What a combatant
    joins with is typed as in `mam join` (`weapon=id=axe,power=2`, as often as needed), any other table or list as JSON.
    You may amend several rulings at once, with the same changes if their numbers stand together.
    """
    from mam_events.commands import with_fields
    from projections.phrases import join_words

    timeline = session.timeline()
    what = (*what, f"outcome={outcome}") if outcome else what
    for word in what:
        if "=" not in word:
            session.viewer().check_shown(parse_whole_number(word, "N", 1))
    steps = amendments(timeline, what)
    changes = bool(first_steps(session, timeline))
    for step in steps:
        corrected = with_fields(timeline.command(step.ruling), step.patch)
        session.viewer().check_named(corrected, {field.split(".")[0] for field in step.patch})
        # An amended `visibility`, even with the same value, replaces that of the ruling's outcomes.
        changes = changes or corrected != timeline.command(step.ruling) or "visibility" in step.patch

    send = partial(session.log().correct, session.encounter(), steps, reason=clean_argument(reason))
    run_correction(session, steps, send)
    if not changes and not session.previews:
        these = "Ruling" if len(steps) == 1 else "Rulings"
        read = "already reads" if len(steps) == 1 else "already read"
        numbers = join_words([f"{step.ruling}" for step in steps])
        session.say(f"{these} {numbers} {read} like that, so nothing changes.")


def amendments(timeline: Timeline, words: Sequence[str]) -> tuple[Amend, ...]:
    """Return the steps that words like `17 attack_die=1 20 defense=1` ask for; raise a usage error for other words.

    `4 code.search=3D` replaces one entry of a table, and `null` removes it. A field after several numbers is changed in
    all of those rulings.
    """
    from mam_events.events import Amend
    from mam_events.history.corrections.corrections import check_play

    patches: dict[int, dict[str, Any]] = {}
    given_fields: set[tuple[int, str]] = set()
    numbers: list[int] = []
    is_first = True
    for word in words:
        field, sign, value = word.partition("=")
        if not sign:
            numbers = [*([] if is_first else numbers), parse_whole_number(word, "N", 1)]
            patches.setdefault(numbers[-1], {})
        elif not numbers:
            raise click.UsageError(f"Which ruling? Put its number before {word}.")
        for number in numbers if sign else ():
            patches[number] |= _change(timeline, number, patches[number], field, value, given_fields)
        is_first = bool(sign)
    empty = [str(number) for number, patch in patches.items() if not patch]
    if empty:
        check_play(timeline, int(empty[0]))
        fields = timeline.command(int(empty[0])).__struct_fields__
        raise click.UsageError(
            f"Say what to change in ruling {empty[0]}: add FIELD=VALUE. Its fields are {', '.join(fields)}."
        )
    return tuple(Amend(number, patch) for number, patch in patches.items())


def _change(
    timeline: Timeline, number: int, patch: Mapping[str, Any], path: str, value: str, keys: set[tuple[int, str]]
) -> dict[str, Any]:
    """Return the typed field of a ruling with its new value; `patch` has the changes to that ruling so far.

    Adds the field to `keys`, and raises BadInput if it is there already; only a list may be given in several words.
    """
    from mam_events.commands import Join
    from mam_events.history.corrections.corrections import check_play

    check_play(timeline, number)
    command = timeline.command(number)
    field, _, entry = path.partition(".")
    name = field_of(command, field)
    _check_die(command, name, f"{number} {{}}={value}")
    _check_exchange(timeline, number, name, value)
    shape = field_specs(type(command)).get(name)
    newcomer = _as_joined(name, value) if not entry and isinstance(command, Join) else None
    once = (number, f"{name}.{entry}" if entry else name)
    if once in keys and not isinstance(newcomer, list):
        raise BadInput(f"Ruling {number} gets {once[1]} twice. Give it once.", wrong=path)
    keys.add(once)
    if shape and shape.is_table and entry:
        table = patch.get(name, msgspec.to_builtins(getattr(command, name)))
        new_table = {**table, entry: value_of(shape.inner, value)}
        return {name: {key: element for key, element in new_table.items() if element is not None}}
    if shape and newcomer is not None:
        return {
            name: clean_fields(
                shape.hint, [*patch.get(name, ()), *newcomer] if isinstance(newcomer, list) else newcomer
            )
        }
    parsed = value_of(shape, value)
    return {f"{name}.{entry}" if entry else name: default_value(command, name) if parsed is None else parsed}


def _as_joined(name: str, value: str) -> Any:
    """Return a field of a joining as its option reads it (`weapon=id=axe,power=2`), or None if it has no grammar."""
    from cli.commands.fight.join import GRAMMAR
    from mam_events.commands import Join

    shape, grammar = field_specs(Join).get(name), GRAMMAR.get(name)
    if shape is None or grammar is None or value[:1] in ("[", "{") or value == "null":
        return None
    return grammar.read((value,) if shape.is_list or shape.is_table else value)


def field_of(command: Command, word: str) -> str:
    """Return the name of a field from its name or the name of its option: `other-used` for a `ready`."""
    from mam_events.commands import name_of

    if word == "seen":
        # A line has this name for it.
        return "visibility"
    options = {option.lstrip("-"): field for field, option in order_syntax(name_of(command)).options.items()}
    name = word.replace("_", "-")
    return options.get(name, name.replace("-", "_"))


def _check_die(command: Command, name: str, template: str) -> None:
    """Raise BadInput for `die` or `dice` if the ruling has dice under other names; the error lists those names."""
    fields = command.__struct_fields__
    if name not in ("die", "dice") or name in fields:
        return
    of_dice = [field for field in fields if field.split("_")[-1] in ("die", "dice")]
    # Prefer faces typed at the table, which are most likely misread; else fields that take one face.
    single = [field for field in of_dice if getattr(command, field) is None]
    dice_fields = [field for field in of_dice if getattr(command, field)] or single or of_dice
    if dice_fields:
        which = f"{' or '.join(dice_fields)}, as in `mam amend {template.format(dice_fields[0])}`"
        raise BadInput(f'Ruling {template.split(maxsplit=1)[0]} has no "{name}". Use {which}.')


def _check_exchange(timeline: Timeline, number: int, name: str, value: str) -> None:
    """Raise BadInput for a change of a declared attack that belongs to its resolution; the error names that ruling."""
    if name in timeline.command(number).__struct_fields__:
        return
    having = [other for other in timeline.exchange(number) if name in timeline.command(other).__struct_fields__]
    if having:
        other = having[-1]
        raise BadInput(f'Ruling {number} has no "{name}", but ruling {other} has: `mam amend {other} {name}={value}`.')


def default_value(command: Command, field: str) -> Any:
    """Return the default of a field of an order, or None if the field is required."""
    field_info = next((one for one in msgspec.structs.fields(command) if one.name == field), None)
    if field_info is None or field_info.required:
        return None
    factory = field_info.default_factory
    return msgspec.to_builtins(field_info.default if factory is msgspec.NODEFAULT else factory())


def value_of(shape: FieldSpec | None, text: str) -> Any:
    """Return a typed value as a number, text or JSON; a value that fits nothing is returned as text."""
    if shape is None:
        return text
    # Lists may be typed as for options: 6,5,4.
    is_listed = shape.is_list and text != "null" and not text.startswith("[")
    raw = text.split(",") if is_listed else text
    try:
        return msgspec.to_builtins(msgspec.convert(clean_fields(shape.hint, raw), shape.hint, strict=False))
    except msgspec.ValidationError:
        if is_listed:
            return [int(part) if part.isdecimal() else part for part in raw]
        if shape.kind is str and text != "null":
            return text
    try:
        # Fractions stay text: distances are exact, and the error for a fractional point quotes it as typed.
        return clean_fields(shape.hint, _data(text))
    except (ValueError, RecursionError):
        return text


def _data(text: str) -> Any:
    """Return text parsed as JSON, or else as a TOML value.

    Raises ValueError if it is neither, and BadInput if an object has a field twice.
    """
    from mam_events.deserializer import unique_keys

    try:
        return json.loads(text, parse_float=str, object_pairs_hook=unique_keys)
    except ValueError:
        import tomllib

        return tomllib.loads(f"value = {text}", parse_float=str)["value"]


@command_decorator("note", 'mam note "The lamp goes out"', 'mam note --about 17 "Well aimed"')
@click.argument("text", nargs=-1, required=True, help="The remark.")
@click.option("--about", type=IntRange(1), metavar="N", help="The ruling it is about (the whole fight, if left out).")
@visibility_options
@write_command_options
@pass_session
def note(session: Session, text: tuple[str, ...], about: int | None) -> None:
    """Write a remark about the fight. It changes no ruling.

    To disagree with a ruling, dispute it: `mam dispute`.
    """
    from cli.output.ruling import submit_note

    submit_note(session, " ".join(text), about=about or 0)
