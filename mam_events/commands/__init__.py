"""All commands by name, and the reader that turns plain mappings into commands."""

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
    """Yield every command of that kind, without base classes."""
    for command in kind.__subclasses__():
        yield from _commands(command) if command.__subclasses__() else (command,)


COMMANDS: dict[str, type[Command]] = {command.__struct_config__.tag: command for command in _commands(Command)}  # type: ignore[misc]  # every command has a tag
"""Every command, by the name that people type; each module of this package adds its own."""

encode_command: Callable[[Command], bytes] = msgspec.json.Encoder().encode
"""The JSON of a command as it is stored."""


class _Decoders(dict[type[Command], Callable[[bytes], Any]]):
    """One decoder per command, built at first use: a process uses few of them."""

    def __missing__(self, kind: type[Command]) -> Callable[[bytes], Any]:
        with LEARNING:
            self[kind] = msgspec.json.Decoder(kind).decode
        return self[kind]


_DECODERS = _Decoders()


class _Tag(msgspec.Struct):
    """The field that names the command, in any command."""

    do: str


_tag = msgspec.json.Decoder(_Tag).decode


def kind_of(raw: bytes) -> type[Command]:
    """Return the kind of a command in JSON without reading the rest; raise as `decode_stored_command` does."""
    name = _tag(raw).do
    if name not in COMMANDS:
        raise msgspec.ValidationError(f"there is no order {name}")
    return COMMANDS[name]


def decode_stored_command(raw: bytes) -> Command:
    """Decode the command in that JSON; raise `msgspec.MsgspecError` for anything that is not exactly one command."""
    return _DECODERS[kind_of(raw)](raw)  # type: ignore[no-any-return]  # each decoder returns its own command type


def name_of(command: Command | type[Command]) -> str:
    """Return the name that people type for the command: `begin-turn`."""
    return str(command.__struct_config__.tag)


def read_command(fields: Mapping[str, Any], *, place: str = "") -> Command:
    """Read the command in a plain mapping that has the command's name under `do`.

    Raises BadInput for anything that is not exactly a command; for an unknown name it suggests the nearest known one.
    """
    name = fields.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        hint = suggestion_text(str(name), COMMANDS) if name else f"Known: {', '.join(COMMANDS)}."
        raise BadInput(
            f'"{name}" is not an order. {hint}' if name else f'"do" must name an order. {hint}',
            place=place,
            wrong=str(name or ""),
            allowed=COMMANDS,
        )
    return read_as(COMMANDS[name], fields, place=place or name)


def validate_command(command: Command) -> Command:
    """Return the same command, with its values checked as if it had been read; raise BadInput for an invalid value."""
    try:
        return _DECODERS[type(command)](encode_command(command))  # type: ignore[no-any-return]  # as above
    except msgspec.ValidationError as error:
        raise find_mismatch(type(command), msgspec.to_builtins(command), error).error(name_of(command)) from None
    except (TypeError, UnicodeEncodeError, OverflowError) as error:
        raise BadInput(f"This order cannot be written: {error}.") from None


def with_fields(command: Command, patch: Mapping[str, Any]) -> Command:
    """Return the command with some fields replaced; raise BadInput for a field that it doesn't have."""
    fields = msgspec.to_builtins(command)
    return read_command(fields | dict(patch), place=f"amend {name_of(command)}")


def exchange_of(command: Command, ruling: int) -> int:
    """Return the exchange of a ruling: the one its command names, its own number if it begins one, otherwise 0."""
    if command.begins_exchange or (isinstance(command, Announceable) and command.announced):
        return ruling
    if isinstance(command, Adjust):
        return command.outcome.exchange if command.outcome else 0
    return getattr(command, "exchange", 0)


def is_reaction(command: Command) -> bool:
    """Return True for a reaction or interference: an order given against an action of the open exchange.

    It reveals the action that it answers, but not the other reactions to that action.
    """
    return command.interferes or isinstance(command, Counterattack | Defend | Parry | Pass | ThrowDie)


def accepts_without(kind: type[Command]) -> bool:
    """Return True for orders in which the game master may answer for others, or continue `without` waiting for them."""
    return "without" in kind.__struct_fields__


def actor_of(command: Command) -> str:
    """Return the combatant that acts, or "" if the game master does."""
    return getattr(command, command.actor, "")
