"""Dice as values: the key of a die and its face."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

from mam_events.errors import Refused
from mam_events.refusals.arguments import Term

Source = Literal["thrown", "drawn", "amended", "hypothetical"]
SECRET_BYTES = 64
"""The size of the secret of an encounter's dice, which is in the store beside its events."""
SALT = "^([0-9a-f]{32})?$"
SIDES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}
"""The dice that a table can have; the d20 is the usual one (MAM-GEN-02)."""


class Die(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One die as it fell: its key (`ruling/slot/index/kind`), kind, face and the source of the face.

    A die drawn in a log that hides anything has a `salt` (hex), without which the seed doesn't give its face.
    """

    key: str
    kind: str
    face: int
    source: Source
    salt: Annotated[str, Meta(pattern=SALT)] = ""


class Dice(Protocol):
    """The source of the faces for one ruling, whose number is part of every key."""

    @property
    def ruling(self) -> int:
        """The number of the ruling being judged."""
        ...

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        """Return the die of `slot`; `face` is the face that the command gives in `field`, None to draw it.

        Refused with `impossible_face` for a face that the die doesn't have, and with `no_draw` if nothing may be drawn.
        """
        ...


class DieNotDrawn(Exception):
    """A die that is not in the log yet, needed where none may be drawn; `key` names it."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class NewSeedNeeded(Exception):
    """The need to commit to a new seed first.

    Either a die must be drawn, and its seed was revealed or is not in the store; or a closing counts again that doesn't
    reveal the seed of dice drawn since.
    """


class DieKey(Struct, frozen=True, gc=False):
    """The parts of a die's key: the ruling, the slot with the roller after the dot, the index, the kind of die."""

    ruling: int
    slot: str
    index: int
    kind: str

    @property
    def role(self) -> str:
        """The purpose of the die: `attack`, `defense`, `interference-9`, `initiative`."""
        return self.slot.partition(".")[0]

    @property
    def roller(self) -> str:
        """The combatant who rolls it."""
        return self.slot.partition(".")[2]


def read_key(key: str) -> DieKey:
    """Parse a die's key; raise ValueError if it is invalid."""
    ruling, slot, index, kind = key.split("/")
    return DieKey(int(ruling), slot, int(index), kind)


def die_key(ruling: int, slot: str, index: int, kind: str) -> str:
    """Return the key of a die: `17/attack.modre/0/d6`."""
    return f"{ruling}/{slot}/{index}/{kind}"


def check_face(face: int, kind: str, field: str) -> int:
    """Return the face as it counts, 10 for the 0 of a d10; refuse an impossible one with `impossible_face`."""
    if (face, kind) == (0, "d10"):
        return 10
    if not 1 <= face <= SIDES[kind]:
        name = field.partition(".")[0].replace("_", " ")
        raise Refused(
            "impossible_face",
            die=Term(name),
            several=name.endswith("dice"),
            kind=Term(kind),
            most=SIDES[kind],
            fields=(field,),
            wrong=str(face),
        )
    return face
