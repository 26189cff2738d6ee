"""The commands people give, collected by name, and the one reader that turns plain mappings into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from mam_events.commands.adjustments import *
from mam_events.commands.base import *
from mam_events.commands.combos import *
from mam_events.commands.counterattacks import *
from mam_events.commands.exchanges import *
from mam_events.commands.fields import *
from mam_events.commands.grappling import *
from mam_events.commands.maneuvering import *
from mam_events.commands.missiles import *
from mam_events.commands.mounts import *
from mam_events.commands.multiple_actions import *
from mam_events.commands.opening import *
from mam_events.commands.rest import *
from mam_events.commands.rolls import *
from mam_events.commands.rounds import *
from mam_events.commands.speeds import *
from mam_events.commands.surprise import *
from mam_events.commands.turns import *
from mam_events.commands.vehicles import *
from mam_events.deserializer import LEARNING, find_mismatch, read_as
from mam_events.errors import BadInput
from mam_events.refusals.suggestions import suggestion_text


def _commands(kind: type[Command]) -> Iterator[type[Command]]:
    """Every command of that kind; one that others are made of is none itself."""
    for command in kind.__subclasses__():
        yield from _commands(command) if command.__subclasses__() else (command,)


COMMANDS: dict[str, type[Command]] = {command.__struct_config__.tag: command for command in _commands(Command)}  # type: ignore[misc]  # every command has a tag
"""Every command there is, by the name people type; a module of this package brings its own."""

encode_command: Callable[[Command], bytes] = msgspec.json.Encoder().encode
"""The JSON of a command, as it is stored."""


class _Decoders(dict[type[Command], Callable[[bytes], Any]]):
    """One decoder per command, built when it is first met: a process meets few of them."""

    def __missing__(self, kind: type[Command]) -> Callable[[bytes], Any]:
        with LEARNING:
            self[kind] = msgspec.json.Decoder(kind).decode
        return self[kind]


_DECODERS = _Decoders()


class _Tag(msgspec.Struct):
    """The fields that tell which command it is, whatever else it may be."""

    do: str


_tag = msgspec.json.Decoder(_Tag).decode


def kind_of(raw: bytes) -> type[Command]:
    """The kind of command that JSON is of, without reading the rest of it; raises as `decode_stored_command` does."""
    name = _tag(raw).do
    if name not in COMMANDS:
        raise msgspec.ValidationError(f"there is no order {name}")
    return COMMANDS[name]


def decode_stored_command(raw: bytes) -> Command:
    """The command of that JSON; raises `msgspec.MsgspecError` for anything that is not exactly one."""
    return _DECODERS[kind_of(raw)](raw)  # type: ignore[no-any-return]  # each decoder is of its command


def name_of(command: Command | type[Command]) -> str:
    """The name people type for it: `begin-turn`."""
    return str(command.__struct_config__.tag)


def read_command(fields: Mapping[str, Any], *, place: str = "") -> Command:
    """The command that a plain mapping with its name under `do` describes.

    Raises BadInput, with the nearest known name where a name is unknown, for anything that is not exactly a command.
    """
    name = fields.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        known = suggestion_text(str(name), COMMANDS) if name else f"known: {', '.join(COMMANDS)}."
        raise BadInput(
            f'"{name}" is not a command; {known}' if name else f'"do" must name a command; {known}',
            place=place,
            wrong=str(name or ""),
            allowed=COMMANDS,
        )
    return read_as(COMMANDS[name], fields, place=place or name)


def validate_command(command: Command) -> Command:
    """The same command, its values checked as if it had been read; raises BadInput where one is out of bounds."""
    try:
        return _DECODERS[type(command)](encode_command(command))  # type: ignore[no-any-return]  # as above
    except msgspec.ValidationError as error:
        raise find_mismatch(type(command), msgspec.to_builtins(command), error).error(name_of(command)) from None
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise BadInput(f"this is not an order that can be written: {error}.") from None


def with_fields(command: Command, patch: Mapping[str, Any]) -> Command:
    """The command with some of its fields given anew; raises BadInput for a field it does not have."""
    fields = msgspec.to_builtins(command)
    return read_command(fields | dict(patch), place=f"amend {name_of(command)}")


def exchange_of(command: Command, ruling: int) -> int:
    """The exchange a ruling belongs to: the one its command names, its own number if it begins one, else 0."""
    if command.begins_exchange or (isinstance(command, Announceable) and command.announced):
        return ruling
    if isinstance(command, Adjust):
        return command.outcome.exchange if command.outcome else 0
    return getattr(command, "exchange", 0)


def is_reaction(command: Command) -> bool:
    """Return True for what is given against an action of the open exchange, or by whoever is attacked: it tells of what
    it answers, and of nothing else that was given there.
    """
    return command.interferes or isinstance(command, Counterattack | Defend | Parry | Pass | ThrowDie)


def accepts_without(kind: type[Command]) -> bool:
    """Return True for orders by which the game master may answer for others, or go on `without` waiting for them."""
    return "without" in kind.__struct_fields__


def actor_of(command: Command) -> str:
    """The combatant that acts, or "" where the game master does."""
    return getattr(command, command.actor, "")
