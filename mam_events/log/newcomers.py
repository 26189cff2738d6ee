"""Newcomers of a fight: the contents of their sheets, and names that tell everyone apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import count

from msgspec.structs import replace

from mam_events.commands import Command, Join, resolve_kind
from mam_events.decider.checks import duplicate_id_error
from mam_events.errors import BadInput, Refused
from mam_events.refusals.arguments import TextArgument
from mam_events.refusals.suggestions import closest_name
from mam_events.sanitize import make_id, name_key
from mam_events.state import Combatant, Encounter, Weapon
from mam_events.visibility import PUBLIC

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("bow", "longbow", "shortbow", "warbow"), "bow"),
    "crossbow": "crossbow",
    **dict.fromkeys(("gun", "handgun", "shotgun", "pistol", "rifle", "musket", "revolver", "carbine"), "gun"),
}
"""Kinds of weapons that shoot, by the last word of their names."""
_THROWN = ("javelin", "dart", "shuriken", "boomerang", "bola", "throwing")
"""Words in the names of weapons that are thrown."""
BEARING = ("athletic", "pools", "toughness", "code")
"""The fields that, like hit points, show that a join has statistics of its own."""


def check_name(state: Encounter, command: Command, *, inserted: bool = False) -> None:
    """Refuse with `already_joined` or `name_taken` a newcomer with the id or name of someone who is there.

    The refusal suggests the name with a number. Only new orders are checked: a ruling that is judged again stays as it
    is, and reveals no hidden names.
    """
    if not isinstance(command, Join) or state.status != "open":
        return
    if command.combatant in state.combatants:
        if inserted:
            # An inserted, earlier join takes the id from a later one.
            return
        raise duplicate_id_error(command.combatant, _free_name(state, command))
    if other := _namesake(state, command.combatant, command.name):
        raise Refused(
            "name_taken/new",
            other=other,
            free=TextArgument(_free_name(state, command)),
            fields=("name",),
        )


def check_names(before: Encounter, after: Encounter) -> None:
    """Refuse with `name_taken` a correction that gives two combatants the same name.

    Only public combatants are compared: a refusal must not reveal hidden names.
    """
    called: dict[str, Combatant] = {}
    names = {(one.id, _read(one.name)) for one in before.combatants.values()}
    for one in after.combatants.values() if after.status == "open" else ():
        if one.visibility != PUBLIC:
            continue
        other = called.setdefault(_read(one.name), one)
        if other is not one and not {(one.id, _read(one.name)), (other.id, _read(one.name))} <= names:
            raise Refused(
                "name_taken/corrected",
                other=other,
                one=one,
                fields=("name",),
            )


def _namesake(state: Encounter, id_: str, name: str) -> Combatant | None:
    """Return the combatant whose id or name reads the same as either of those, or None."""
    called = {_read(id_), _read(name or id_)}
    return next((one for one in state.combatants.values() if called & {_read(one.id), _read(one.name)}), None)


def _read(name: str) -> str:
    return name_key(name) or name.casefold()


def _free_name(state: Encounter, command: Join) -> str:
    """Return a sentence with the first free name that has a number: `"Rat 2" is free.`."""
    name = command.name or command.combatant
    base = re.sub(r"[ -]#?[0-9]+\Z", "", name)
    names = (f"{base} {n}" if command.name else f"{base}-{n}" for n in count(2))
    return f'"{next(one for one in names if not _namesake(state, make_id(one) or one, one))}" is free.'


def has_own_statistics(command: Join) -> bool:
    """Return True for a join that has hit points or other statistics of its own, so that it uses no sheet."""
    return command.hp is not None or any(getattr(command, field) for field in BEARING)


def no_sheets(name: str) -> Mapping[str, Join]:
    """Return an empty roster."""
    del name
    return {}


def complete_join(command: Command, sheets: Callable[[str], Mapping[str, Join]]) -> Command:
    """Return a join as the log writes it, with its sheet, its kind and kinds of weapons; any other order unchanged.

    Raises BadInput as `with_sheet` does.
    """
    command = with_sheet(command, sheets)
    if not isinstance(command, Join):
        return command
    return replace(command, kind=resolve_kind(command), weapon=tuple(map(_with_kind, command.weapon)))


def _with_kind(weapon: Weapon) -> Weapon:
    """Return a weapon with the kind that its name implies, if it has a range but no kind.

    A Longbow is a bow, a Javelin is thrown (MAM-ATK-08).
    """
    kind = kind_called(weapon.name or weapon.id) if weapon.kind == "hand" and weapon.range else ""
    return replace(weapon, kind=kind) if kind else weapon


def kind_called(name: str) -> str:
    """Return the kind of a ranged weapon of that name; "" if the name doesn't imply one."""
    words = name_key(name).split("-")
    return _KINDS.get(words[-1], "") or ("thrown" if {*words} & {*_THROWN} else "")


def is_launcher_name(name: str) -> bool:
    """Return True for the name of a weapon that shoots."""
    return name_key(name).split("-")[-1] in _KINDS


def with_sheet(command: Command, sheets: Callable[[str], Mapping[str, Join]]) -> Command:
    """Return a join that only has a name with the rest of its sheet; any other order unchanged.

    Fields of the order take precedence. An id that is the name of a sheet with a number, such as goblin-2, uses that
    sheet. Raises BadInput if there is no such sheet, but one with a similar name.
    """
    if not isinstance(command, Join) or has_own_statistics(command):
        return command
    called = command.combatant
    roster_sheets = sheets(called)
    base, _, number = called.rpartition("-")
    if called not in roster_sheets and number.isdecimal():
        called, roster_sheets = base, sheets(base)
    sheet = roster_sheets.get(called)
    if sheet is None:
        if near := closest_name(called, roster_sheets):
            message = f'Nobody in the roster is called "{called}". Did you mean "{near}"?'
            raise BadInput(message, place="join", wrong=called, allowed=roster_sheets)
        return command
    if called != command.combatant:
        sheet = replace(sheet, combatant=command.combatant, name=f"{sheet.name or called.capitalize()} {number}")
        # If the name only repeats the id, keep the sheet's name.
        own = command.name.casefold() == f"{called} {number}"
        command = replace(command, name="" if own else command.name)
    bare_join = Join(command.combatant)
    fields = {name: getattr(command, name) for name in Join.__struct_fields__}
    return replace(sheet, **{name: value for name, value in fields.items() if value != getattr(bare_join, name)})
