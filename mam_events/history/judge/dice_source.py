"""The place where the faces of one ruling come from: an amendment, the command, the record, the seed, in this order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from mam_events.dice import Die, check_face, die_key


class DieSource(Protocol):
    """The place where a die comes from whose face nobody gave."""

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """The die of that key; refused with `no_draw`, or Undrawn, where nothing may be drawn."""
        ...


class RulingDice:
    """The dice of one ruling; `amended` are the fields that amendments gave anew.

    A `prefix` to every slot keeps the dice of bookkeeping apart from the ruling's own.
    """

    __slots__ = ("_amended", "_prefix", "_source", "ruling")

    def __init__(self, ruling: int, source: DieSource, amended: Collection[str] = (), prefix: str = "") -> None:
        self.ruling = ruling
        self._source = source
        self._amended = amended
        self._prefix = prefix

    def roll(self, slot: str, kind: str, *, field: str, thrown: int | None = None, index: int = 0) -> Die:
        """The die of that slot; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, self._prefix + slot, index, kind)
        if thrown is None:
            return self._source.die(self.ruling, key, kind, field)
        return Die(key, kind, check_face(thrown, kind, field), "amended" if field in self._amended else "thrown")
