"""The base of all commands: every input is in it, and it names what it refers to."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, json

from mam_events.values import ACTOR, Owner, Situation, Visibility, of_actor, of_master


def kebab(class_name: str) -> str:
    """`BeginTurn` as people type it: `begin-turn`."""
    return "".join("-" + letter.lower() if letter.isupper() else letter for letter in class_name).lstrip("-")


class Command(
    Struct,
    kw_only=True,
    frozen=True,
    gc=False,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag=kebab,
):
    """A command, as a person gave it.

    `actor` names the field that says who acts (without such a field the game master does); `begins_exchange` tells
    whether it opens one, of which its ruling's number is the id; `visibility` restricts who sees this ruling (`public`,
    `side:NAME`, `gm`). `interferes` tells whether it is aimed at an action of the open exchange, which its field
    `action` names; `boundary` whether what follows would be out of turn if it were struck alone: it bounds a turn or a
    round. `given_by` is MASTER where all of it is the game master's word; else each field says whose it is.

    The docstring of a command tells in its first line what it is, and then more. `bare` are the fields that are typed
    after its name without saying which they are, in that order, `also_bare` those that may be, behind them. In a
    line the same stand bare, but for who acts, dice and what is open; or the `slots`, where a line has others.
    `examples` are commands as they are typed.
    """

    actor: ClassVar[str] = "combatant"
    begins_exchange: ClassVar[bool] = False
    interferes: ClassVar[bool] = False
    boundary: ClassVar[bool] = False
    given_by: ClassVar[Owner] = ACTOR
    bare: ClassVar[tuple[str, ...]] = ()
    also_bare: ClassVar[tuple[str, ...]] = ()
    slots: ClassVar[tuple[str, ...] | None] = None
    examples: ClassVar[tuple[str, ...]] = ()
    visibility: Annotated[
        Visibility, of_actor("Who may see it: public (default), gm, or a side.", reserved=("gm",))
    ] = "public"

    def __reduce__(self) -> tuple[Any, ...]:
        # For another process: a text is left out as a default only where it is the very same one.
        return _read_again, (type(self), json.encode(self))


def _read_again(kind: type[Command], written: bytes) -> Command:
    return json.decode(written, type=kind)


class TakesGmModifiers(Command, kw_only=True, frozen=True):
    """A command that leads to a roll, to which the game master may add what no other rule does: `situation` holds a
    number and a reason for each, for the roll of whoever acts, or of somebody else that rolls and is named.

    `opposing` names the fields that say who else rolls, or is rolled against with what one has.
    """

    opposing: ClassVar[tuple[str, ...]] = ()
    situation: Annotated[
        Annotated[tuple[Situation, ...], Meta(max_length=20)],
        of_master(
            'What the game master adds to the roll: "+2 outreached"; to another\'s: "clone -1 smoke". Repeatable.',
        ),
    ] = ()


class Announceable(Command, kw_only=True, frozen=True):
    """A command that may be `announced`: it opens an exchange then, and is done when that is resolved, unless it is
    stopped.
    """

    announced: Annotated[
        bool, of_actor("Announce it: others may interfere, and it is done on resolving (MAM-INTF-01).")
    ] = False
