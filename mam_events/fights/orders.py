"""A fight file as read: the opening, the combatants, the orders, each with its place in the file."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from mam_events.commands import Command
from mam_events.events import NoteKind
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.state import Encounter
from mam_events.values import Text, Visibility


class FightNote(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do", tag="note"):
    """A note about the ruling with that number, or (0) about the fight.

    It is a comment, a dispute, an answer in a dispute, or the decision that the ruling stands.
    """

    text: Text
    kind: NoteKind = "comment"
    about: Annotated[int, Meta(ge=0)] = 0
    rule: Text = ""
    visibility: Visibility = "public"


class FightOrder(Struct, frozen=True):
    """One line of a fight: the order, who gave it, and its place (`fight.toml:12`).

    `by` is None if the line doesn't say who gave it. `left_out` names the fields that are filled in with the exchange
    open at that moment; `fields` has the places of single fields.
    """

    place: str
    what: Command | FightNote
    by: str | None = None
    left_out: tuple[str, ...] = ()
    fields: dict[str, str] = {}

    def command(self, state: Encounter) -> Command:
        """Return the command with what the line leaves out; refuse with `no_such_exchange` if no exchange is open."""
        command = self.what
        assert not isinstance(command, FightNote)  # noqa: S101 - callers separate notes from commands
        return resolve_open_references(command, self.left_out, state)

    def place_of(self, fields: tuple[str, ...]) -> str:
        """Return the place of the first of those fields that has one, or the place of the line."""
        return next((self.fields[field] for field in fields if field in self.fields), self.place)


class FightFile(Struct, frozen=True):
    """A fight as read from a file.

    In a new encounter the opening becomes ruling 1, the joins follow from 2 on, then the lines, each with the next
    number. `by` gave the orders of lines that don't say who did; `encounter` is "" if the file names none.
    """

    opening: FightOrder
    encounter: str = ""
    joins: tuple[FightOrder, ...] = ()
    lines: tuple[FightOrder, ...] = ()
    by: str = ""

    @property
    def orders(self) -> tuple[FightOrder, ...]:
        """Everything in the order in which it is played."""
        return (self.opening, *self.joins, *self.lines)
