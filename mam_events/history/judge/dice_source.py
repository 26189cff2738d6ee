"""The source of each die face of one ruling: an amendment, the command, the record, the seed, in this order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from mam_events.dice import Die, check_face, die_key


class DieSource(Protocol):
    """The source of dice for which nobody gave a face."""

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die with that key; raise Refused with `no_draw`, or DieNotDrawn, if it may not be drawn."""
        ...


class RulingDice:
    """The dice of one ruling; `amended` are the fields that amendments changed.

    A `prefix` to every slot keeps the dice of bookkeeping apart from the ruling's own.
    """

    __slots__ = ("_amended", "_prefix", "_source", "ruling")

    def __init__(self, ruling: int, source: DieSource, amended: Collection[str] = (), prefix: str = "") -> None:
        self.ruling = ruling
        self._source = source
        self._amended = amended
        self._prefix = prefix

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        """Return the die of that slot; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, self._prefix + slot, index, kind)
        if face is None:
            return self._source.die(self.ruling, key, kind, field)
        return Die(key, kind, check_face(face, kind, field), "amended" if field in self._amended else "thrown")
