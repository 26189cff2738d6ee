"""The faces of dice as they stand in brackets, at fixed places for each order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from msgspec import Struct

from mam_events.commands import Command, Initiative, Resolve, RollInitiative, Spend
from mam_events.decider.strikes import CombatRole
from mam_events.errors import BadInput
from mam_events.field_specs import face_fields

OWN, OTHERS = "die", ("opposing_die", "opponent_die")
"""The fields of a roll's own die, and of the other side's."""
ROLES = get_args(CombatRole)
"""The dice of an exchange that stand without a key, in this order."""
AGAIN = "again."
ARMOR = "armor."

_FACE = re.compile(r"(?P<face>[0-9]{1,4}|-)?(?:\+(?P<again>[0-9]{1,4}))?[*!]?")
_NAMED = re.compile(r"(#[0-9]+|[^\W_][\w.-]*)=(.+)")


def dice_fields(kind: type[Struct]) -> frozenset[str]:
    """Return the fields of an order that hold faces, and so stand in its brackets."""
    return frozenset(field.name for field in face_fields(kind))


def takes_dice(kind: type[Struct]) -> bool:
    """Return True if such an order rolls dice of its own."""
    return bool(dice_fields(kind))


def write_dice(command: Command) -> str:
    """Return the text in the brackets of an order, or "" if it gives no face."""
    return " ".join(_parts(command))


def _parts(command: Command) -> Iterator[str]:
    if isinstance(command, Resolve):
        yield from _of_exchange(command)
    elif isinstance(command, Initiative):
        yield from (f"{name}={face}" for name, face in command.tie_die.items())
    elif isinstance(command, RollInitiative):
        yield from (f"{name}={_list(faces)}" for name, faces in command.dice.items())
        yield from _again(command.again)
    elif "dice" in command.__struct_fields__:
        yield from map(str, getattr(command, "dice"))  # noqa: B009 - many orders have it, under no common type
        yield from _again(command.again) if isinstance(command, Spend) else ()
    elif dice_fields(type(command)):
        own = [_face(getattr(command, field), getattr(command, _confirmation(field))) for field in _own(type(command))]
        yield from _trimmed(own)


def _of_exchange(command: Resolve) -> Iterator[str]:
    again = dict(command.confirmation_die)

    def face(value: int | None, key: str) -> str:
        return _face(value, again.pop(key, None) if value is not None else None)

    yield from _trimmed([face(command.attack_die, "attack"), face(command.defense_die, "defense")])
    yield from (f"#{key}={face(value, key)}" for key, value in command.interference_die.items())
    if command.into_die is not None:
        yield f"into={face(command.into_die, 'into')}"
    yield from (f"{ARMOR}{who}={value}" for who, value in command.armor_die.items())
    yield from (f"{AGAIN}{key}={value}" for key, value in again.items())


def _again(faces: Mapping[str, Iterable[int]]) -> Iterator[str]:
    return (f"{AGAIN}{name}={_list(them)}" for name, them in faces.items())


def _own(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(field for field in (OWN, *OTHERS) if field in kind.__struct_fields__)


def _confirmation(field: str) -> str:
    return field.removesuffix("die") + "confirmation_die"


def _face(face: int | None, again: int | None) -> str:
    face_text = "-" if face is None else str(face)
    return face_text if again is None else f"{face_text}+{again}"


def _trimmed(faces: list[str]) -> list[str]:
    while faces and faces[-1] == "-":
        faces.pop()
    return faces


def _list(faces: Iterable[int]) -> str:
    return ",".join(map(str, faces)) or "-"


def read_face(word: str) -> tuple[int | None, int | None]:
    """Return a face and that of its second throw.

    Raises BadInput for an invalid face. `*` (drawn) and `!` (amended) have no meaning when a line is replayed.
    """
    match = _FACE.fullmatch(word)
    if match is None or not word.strip("*!"):
        raise BadInput(
            f'"{word}" is not the face of a die. Type a face like 14, - to draw it, or 20+5 for a second throw.',
            wrong=word,
        )
    face = None if match["face"] in (None, "-") else int(match["face"])
    return face, int(match["again"]) if match["again"] else None


def is_face(word: str) -> bool:
    """Return True for a number that can stand for a face, with its second throw."""
    return bool(re.fullmatch(r"[0-9]{1,4}(\+[0-9]{1,4})?[*!]?|-(\+[0-9]{1,4})?", word))


def read_dice(kind: type[Command], inside: str) -> dict[str, Any]:
    """Return the fields that the text in brackets sets in such an order, or raise BadInput."""
    bare: list[str] = []
    by_role: list[tuple[str, str]] = []
    for word in inside.split():
        match = _NAMED.fullmatch(word)
        if match and match[1] in dict(by_role):
            raise BadInput(f"The die {match[1]} is given twice. Give it once.", wrong=word)
        if match:
            by_role.append((match[1], match[2]))
        else:
            bare.append(word)
    reader = _READERS.get(kind)
    if reader:
        return reader(bare, by_role)
    if "dice" in kind.__struct_fields__:
        return _thrown_dice(bare, by_role, again=kind is Spend)
    own = _own(kind)
    if not own:
        raise BadInput(f"No dice are thrown here. Leave {inside} out.", wrong=inside)
    if by_role or len(bare) > len(own):
        raise _too_many((word for word in bare[len(own) :]), by_role, len(own))
    fields: dict[str, Any] = {}
    for field, word in zip(own, bare, strict=False):
        face, again = read_face(word)
        fields |= {name: n for name, n in ((field, face), (_confirmation(field), again)) if n is not None}
    return fields


def _too_many(bare: Iterable[str], by_role: Iterable[tuple[str, str]], most: int) -> BadInput:
    wrong = [*bare, *(f"{name}={face}" for name, face in by_role)][0]
    dice = "one die is" if most == 1 else f"{most} dice are"
    return BadInput(f'Only {dice} thrown here, so "{wrong}" is one too many.', wrong=wrong)


def _numbers(word: str) -> list[int]:
    faces = [] if word == "-" else word.split(",")
    if not all(face.strip("*!").isdecimal() and len(face) <= 6 for face in faces):  # noqa: PLR2004 - 1000 and a mark
        raise BadInput(f'"{word}" is not a list of faces. Type faces like 3,5,2.', wrong=word)
    return [int(face.strip("*!")) for face in faces]


def _exchange_dice(bare: list[str], by_role: list[tuple[str, str]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if len(bare) > len(ROLES):
        raise BadInput(
            f'"{bare[2]}" is one die too many. After attack and defense, each die needs its name, like into=4.',
            wrong=bare[2],
        )
    pairs = [*zip(ROLES, bare, strict=False), *by_role]
    for name, word in pairs:
        if name.startswith(AGAIN):
            fields.setdefault("confirmation_die", {})[name.removeprefix(AGAIN)] = _one(word)
        elif name.startswith(ARMOR):
            fields.setdefault("armor_die", {})[name.removeprefix(ARMOR)] = _one(word)
        else:
            _of_roll(fields, name, word)
    return fields


def _of_roll(fields: dict[str, Any], name: str, word: str) -> None:
    face, again = read_face(word)
    key = name.removeprefix("#")
    if name in (*ROLES, "into"):
        if face is not None:
            fields[f"{name}_die"] = face
    elif name.startswith("#"):
        if face is not None:
            fields.setdefault("interference_die", {})[key] = face
    else:
        raise BadInput(
            f'There is no die "{name}" in an exchange. Type a die like #17=2, armor.grob=12 or into=4.',
            wrong=f"{name}={word}",
        )
    if again is not None:
        fields.setdefault("confirmation_die", {})[key] = again


def _one(word: str) -> int:
    face, again = read_face(word)
    if face is None or again is not None:
        raise BadInput(f'"{word}" must be a single face, like 4.', wrong=word)
    return face


def _thrown_dice(bare: list[str], by_role: list[tuple[str, str]], *, again: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"dice": [number for word in bare for number in _numbers(word)]} if bare else {}
    for name, word in by_role:
        if not (again and name.startswith(AGAIN)):
            raise BadInput(f'No die is called "{name}" here. Type only the faces, one after the other.', wrong=name)
        fields.setdefault("again", {})[name.removeprefix(AGAIN)] = _numbers(word)
    return fields


def _initiative_dice(bare: list[str], by_role: list[tuple[str, str]]) -> dict[str, Any]:
    _only_named(bare)
    fields: dict[str, Any] = {}
    for name, word in by_role:
        field = "again" if name.startswith(AGAIN) else "dice"
        fields.setdefault(field, {})[name.removeprefix(AGAIN)] = _numbers(word)
    return fields


def _tie_dice(bare: list[str], by_role: list[tuple[str, str]]) -> dict[str, Any]:
    _only_named(bare)
    return {"tie_die": {name: _one(word) for name, word in by_role}} if by_role else {}


def _only_named(bare: list[str]) -> None:
    if bare:
        raise BadInput(f'Whose die is "{bare[0]}"? Put the name before it: grob={bare[0]}.', wrong=bare[0])


_READERS = {Resolve: _exchange_dice, Initiative: _tie_dice, RollInitiative: _initiative_dice}
