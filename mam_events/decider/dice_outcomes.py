"""All possible dice outcomes of a command, each judged by the same decider that fights use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.decider.decide import prepare
from mam_events.dice import SIDES, Die, check_face, die_key
from mam_events.errors import Refused

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.decider.engine import Decision, Ruleset
    from mam_events.state import Encounter

MIN_PROBABILITY = Fraction(1, 10**9)
"""The probability below which an outcome is not followed further: some dice could be thrown again for ever."""
OUTCOME_LIMIT = 200_000
"""The number of outcomes that are followed side by side: enough for four d20; a fifth would take minutes."""
SUMMED_FIELD = "dice"
"""The field of faces that are only added up: only their sum matters."""


class DiceOutcome(Struct, frozen=True):
    """One outcome of the dice, its probability, and the judged command (None if the outcome is too unlikely).

    Outcomes that differ only in how summed dice make up their sum are one outcome, with the `dice` of one of them.
    """

    probability: Fraction
    dice: tuple[Die, ...]
    judging: Decision | None


class _Fallen(Struct, frozen=True):
    """Dice that have fallen so far: the sum of those that are summed, and each face of all others."""

    dice: tuple[Die, ...] = ()
    known: tuple[tuple[str, int], ...] = ()

    def and_then(self, die: Die, slot: str, *, summed: bool) -> _Fallen:
        """Return these dice and one more."""
        if not summed:
            return _Fallen((*self.dice, die), (*self.known, (die.key, die.face)))
        before = dict(self.known)
        before[slot] = before.get(slot, 0) + die.face
        return _Fallen((*self.dice, die), tuple(before.items()))


class _MoreDice(Exception):
    """A die is needed beyond those that have fallen."""

    def __init__(self, key: str, kind: str, slot: str, field: str) -> None:
        super().__init__(key)
        self.key, self.kind, self.slot, self.field = key, kind, slot, field


class _Script:
    """Dice that show the recorded faces."""

    __slots__ = ("_next", "_written", "ruling")

    def __init__(self, ruling: int, recorded: tuple[Die, ...]) -> None:
        self.ruling = ruling
        self._written = recorded
        self._next = 0

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        """Return the next die; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, slot, index, kind)
        if face is not None:
            return Die(key, kind, check_face(face, kind, field), "thrown")
        if self._next == len(self._written):
            raise _MoreDice(key, kind, slot, field)
        self._next += 1
        return self._written[self._next - 1]


def dice_outcomes(
    state: Encounter, command: Command, ruleset: Ruleset, ruling: int, on_progress: Callable[[], object] = bool
) -> Iterator[DiceOutcome]:
    """Yield every outcome of the dice that the command leaves open; the probabilities add up to exactly 1.

    `on_progress` is called once for each outcome. Raises Refused as `decide` does for a command that no dice make
    possible, and with `too_many_ways` if more than `OUTCOME_LIMIT` outcomes would have to be followed.
    """
    decide = prepare(state, command, ruleset)
    # The outcomes of the dice so far, merged by their known part: a convolution, one die at a time.
    outcomes: dict[tuple[tuple[str, int], ...], tuple[_Fallen, Fraction]] = {(): (_Fallen(), Fraction(1))}
    while outcomes:
        next_falls: dict[tuple[tuple[str, int], ...], tuple[_Fallen, Fraction]] = {}
        for way, probability in outcomes.values():
            if probability < MIN_PROBABILITY:
                yield DiceOutcome(probability, way.dice, None)
                continue
            try:
                judging = decide(_Script(ruling, way.dice))
            except _MoreDice as more:
                share = probability / SIDES[more.kind]
                if len(next_falls) + SIDES[more.kind] > OUTCOME_LIMIT:
                    raise Refused("too_many_ways", most=OUTCOME_LIMIT, fields=(more.field,)) from None
                summed = more.field.startswith(SUMMED_FIELD)
                for face in range(1, SIDES[more.kind] + 1):
                    die = Die(more.key, more.kind, face, "hypothetical")
                    one = way.and_then(die, more.slot, summed=summed)
                    before = next_falls.get(one.known) if summed else None
                    next_falls[one.known] = one, before[1] + share if before else share
            else:
                yield DiceOutcome(probability, way.dice, judging)
                on_progress()
        outcomes = next_falls
