"""The base of all commands: a command holds every input and names everything it refers to."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, json

from mam_events.values import ACTOR, Owner, Situation, Visibility, of_actor, of_master


def kebab(class_name: str) -> str:
    """Convert a class name to the name that people type: `BeginTurn` to `begin-turn`."""
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

    `actor` names the field that says who acts (without such a field the game master does). `begins_exchange` is true if
    the command opens an exchange, which gets its ruling's number as id. `visibility` restricts who sees this ruling
    (`public`, `side:NAME`, `gm`). `interferes` is true if the command is aimed at an action of the open exchange, named
    in its field `action`. `boundary` is true if the command bounds a turn or a round: undoing it alone would leave
    later turns out of order. `given_by` is MASTER if the whole command is the game master's; otherwise each field says
    whose it is.

    The first line of a command's docstring is a summary; details follow. `bare` lists the fields that are typed after
    the command's name without their own names, in that order; `also_bare` lists those that may be typed so after them.
    In a line the same fields are bare, except the actor, dice and what is open; if a line has other bare fields,
    `slots` lists those. `examples` are commands as they are typed.
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
        # For pickling. msgspec omits a default text only if it is the identical object, which an unpickled copy would
        # not be.
        return _read_again, (type(self), json.encode(self))


def _read_again(kind: type[Command], encoded: bytes) -> Command:
    return json.decode(encoded, type=kind)


class TakesGmModifiers(Command, kw_only=True, frozen=True):
    """A command that leads to a roll, to which the game master may add modifiers that no rule gives.

    Each entry of `situation` is a number and a reason, for the actor's roll or for the roll of another combatant that
    it names. `opposing` lists the fields that name the other combatants who roll or are rolled against.
    """

    opposing: ClassVar[tuple[str, ...]] = ()
    situation: Annotated[
        Annotated[tuple[Situation, ...], Meta(max_length=20)],
        of_master(
            'A modifier by the game master for this ("+2 outreached") or another roll ("clone -1 smoke"). Repeatable.',
        ),
    ] = ()


class Announceable(Command, kw_only=True, frozen=True):
    """A command that can be `announced`.

    An announced command opens an exchange and takes effect when the exchange is resolved, unless someone stops it.
    """

    announced: Annotated[
        bool, of_actor("Announce it first: others may interfere before it takes effect (MAM-INTF-01).")
    ] = False
