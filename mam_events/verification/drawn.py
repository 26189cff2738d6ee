"""Drawn dice, checked by anybody who has the revealed seed and the words that the players gave."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.dice import SIDES, Die, die_key, read_key
from mam_events.errors import VerificationFailed
from mam_events.events import EncounterClosed, EncounterOpened, Event, Head, Play, RulingRejudged
from mam_events.rulings.entries import dice_of
from mam_events.rulings.seed import check_seed, commitment_of, draw
from mam_events.verification.chain import Part


class DrawnDice:
    """Every die of a log, checked against the seed where that is revealed."""

    def __init__(self, parts: Sequence[Part], decoded: Sequence[Sequence[Event | None]]) -> None:
        self._proven: set[str] = set()
        self.commitments: set[str] = set()
        self.seed: bytes | None = None
        self._words: list[tuple[int, str]] = []
        self._hidden_from = next((part.number for part in parts if part.lead is None), len(parts) + 1)
        self.closed = False
        self._dice: list[tuple[int, Die]] = []
        self._keys: set[str] = set()
        for part, events in zip(parts, decoded, strict=True):
            self._collect(part.number, events)
        for number, die in self._dice:
            self._prove(number, die)

    @property
    def drawn(self) -> int:
        """The number of dice that were drawn, each counted once however often its ruling was judged again."""
        return len(self._keys)

    @property
    def proven(self) -> int:
        """The number of them that the revealed seed gives."""
        return len(self._proven)

    def check(self, seed: bytes) -> None:
        """Raise VerificationFailed where that is not the seed committed to."""
        for commitment in self.commitments:
            check_seed(seed, commitment)

    def _collect(self, number: int, events: Sequence[Event | None]) -> None:
        judged = number
        closes = False
        for event in events:
            if isinstance(event, Play):
                self._words.append((number, getattr(event.command, "word", "")))
            elif isinstance(event, RulingRejudged):
                judged = event.ruling
            elif isinstance(event, EncounterOpened):
                self.commitments.add(event.commitment)
            elif isinstance(event, EncounterClosed):
                closes = True
                if event.seed:
                    self._reveal(number, event.seed)
            elif event is not None and not isinstance(event, Head):
                for die in dice_of(event):
                    self._take(number, judged, die)
            elif event is None:
                # Behind a hidden re-judgement nobody can tell which ruling the rows are about.
                judged = 0
        self.closed |= closes

    def _reveal(self, number: int, seed: str) -> None:
        try:
            revealed = bytes.fromhex(seed)
        except ValueError:
            revealed = b""
        if self.commitments and commitment_of(revealed) not in self.commitments:
            raise VerificationFailed(f"Ruling {number} reveals a seed that is not the one committed to in the opening.")
        self.seed = revealed

    def _take(self, number: int, judged: int, die: Die) -> None:
        try:
            key = read_key(die.key)
            named = die.key == die_key(judged, key.slot, key.index, die.kind) and die.kind in SIDES
        except ValueError:
            named = False
        if not named or not 1 <= die.face <= SIDES[die.kind]:
            raise VerificationFailed(f"Ruling {number} tells of a die that cannot be: {die.key} showing {die.face}.")
        if die.source == "hypothetical":
            raise VerificationFailed(f"Ruling {number} tells of a die that nobody threw or drew: {die.key}.")
        if die.source == "drawn":
            if self.closed and die.key not in self._keys:
                raise VerificationFailed(f"In ruling {number} the die {die.key} was drawn after the seed was revealed.")
            self._dice.append((number, die))
            self._keys.add(die.key)

    def _prove(self, number: int, die: Die) -> None:
        ruling = read_key(die.key).ruling
        if self.seed is None or ruling >= self._hidden_from:
            return
        face = draw(self.seed, (word for said, word in self._words if word and said <= ruling), die.key)
        if face != die.face:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} shows {die.face}, and the revealed seed gives {face}."
            )
        self._proven.add(die.key)
