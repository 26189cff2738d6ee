"""The commands open now, as templates: a command with the range or the choices of each of its fields."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from msgspec import Struct

from mam_events.commands import Announceable, Command, name_of


class Field(Struct, frozen=True):
    """One field of a template: `choices`, a range from `low` to `high` (None: no bound), or free text.

    A field with `keys` is a table: any of those keys, each with one of the choices. A `needed` field takes any value,
    but must be given.
    """

    name: str
    choices: tuple[Any, ...] | None = None
    low: int | None = None
    high: int | None = None
    free: bool = False
    keys: tuple[str, ...] | None = None
    needed: bool = False

    def admits(self, value: Any) -> bool:
        """Return True if that value is valid for the field."""
        if self.free:
            return True
        if self.keys is not None and self.choices is not None:
            return all(key in self.keys and inner in self.choices for key, inner in value.items())
        if self.choices is not None:
            return value in self.choices
        # An omitted number of points stands for the fewest possible.
        return value is None or ((self.low is None or value >= self.low) and (self.high is None or value <= self.high))


class Sum(Struct, frozen=True):
    """Fields that together must lie between `low` and `high`."""

    names: tuple[str, ...]
    low: int
    high: int


class Template(Struct, frozen=True):
    """A command that may be given now, and by whom."""

    do: str
    combatant: str
    fields: tuple[Field, ...] = ()
    sums: tuple[Sum, ...] = ()
    status: Literal["allowed"] = "allowed"


class Blocked(Struct, frozen=True):
    """A command that may not be given now, and the reason."""

    do: str
    combatant: str
    code: str
    sentence: str
    rule: str
    status: Literal["blocked"] = "blocked"


class Offer(Struct, frozen=True):
    """A template and its least command, which the shared check is asked about."""

    template: Template
    least: Command


def offer(
    least: Command,
    *fields: Field,
    pinned: tuple[str, ...] = (),
    total: Sum | None = None,
    by: str | None = None,
) -> Offer:
    """Return the offer of a command, given the least one.

    The actor and the `pinned` fields keep the values that they have there. `by` is the combatant whose offer it is, if
    not the actor ("": nobody). If the command leads to a roll, the offer has a field for the game master's modifiers.
    """
    do, actor, more = _kind(type(least))
    if by is None:
        by = getattr(least, actor) if actor else ""
    for name in reversed(pinned):
        fields = (Field(name, choices=(getattr(least, name),)), *fields)
    if by:
        fields = (Field(actor or "combatant", choices=(by,)), *fields)
    return Offer(Template(do, by, fields + more, (total,) if total else ()), least)


@cache
def free(*names: str) -> tuple[Field, ...]:
    """Return fields with those names that may be anything."""
    return tuple(Field(name, free=True) for name in names)


@cache
def _kind(kind: type[Command]) -> tuple[str, str, tuple[Field, ...]]:
    """Return the name of such commands, their actor field ("" if they have none), and their free fields."""
    actor = kind.actor if kind.actor in kind.__struct_fields__ else ""
    more = free(*(name for name in ("situation", "without") if name in kind.__struct_fields__))
    if issubclass(kind, Announceable):
        more = (*more, Field("announced", choices=(False, True)))
    return name_of(kind), actor, more
