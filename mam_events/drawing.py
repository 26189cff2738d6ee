"""Where the faces of one ruling come from: an amendment, the command, the record, the seed, in this order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from mam_events.dice import Die, Undrawn, check_face, die_key
from mam_events.errors import Refused

Draw = Callable[[str], int]


class RulingDice:
    """The dice of one ruling; `draw` gives the face of a key, None where a die not in the log may not be shown.

    `revealed` tells that the seed is known to everybody, so that nothing may be drawn from it any more.
    """

    def __init__(
        self,
        ruling: int,
        *,
        recorded: Callable[[], Mapping[str, Die]],
        amended: Collection[str] = (),
        draw: Draw | None = None,
        revealed: bool = False,
    ) -> None:
        self.ruling = ruling
        self._recorded = recorded
        self._amended = amended
        self._draw = draw
        self._revealed = revealed

    def roll(self, slot: str, kind: str, *, field: str, thrown: int | None = None, index: int = 0) -> Die:
        """The die of that slot; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, slot, index, kind)
        if thrown is not None:
            check_face(thrown, kind, field)
            return Die(key, kind, thrown, "amended" if field in self._amended else "thrown")
        if known := self._recorded().get(key):
            return known
        if self._revealed:
            raise Refused(
                "no_draw",
                "The seed has been revealed, so nothing is drawn any more: throw the die and give its face.",
                fields=(field,),
            )
        if self._draw is None:
            raise Undrawn(key)
        return Die(key, kind, self._draw(key), "drawn")
