"""Checks of drawn dice against the revealed seeds and the words of the players."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from mam_events.dice import SIDES, Die, die_key, read_key
from mam_events.errors import VerificationFailed
from mam_events.events import (
    Branch,
    EncounterClosed,
    EncounterOpened,
    Event,
    Head,
    Play,
    RulingMended,
    RulingRejudged,
    event_kind,
)
from mam_events.history.seed import check_secret, commitment_of, draw
from mam_events.history.timeline.entries import dice_of
from mam_events.store import decode
from mam_events.verification.seal_chain import RulingRows
from mam_events.visibility import PUBLIC


class _Stage:
    """The dice from one commitment to the next.

    `closed` is true once its seed should have been revealed; `seed` is set if it is known.
    """

    def __init__(self) -> None:
        self.commitments: set[str] = set()
        self.seed: bytes | None = None
        self.closed = False


class DrawnDice:
    """Every die of a log, checked against the seed committed to before it was drawn.

    The seed must be revealed: in the log itself, or among `revealed`, the seeds revealed in other logs.
    """

    def __init__(
        self, parts: Sequence[RulingRows], decoded: Sequence[Sequence[Event | None]], revealed: Collection[bytes] = ()
    ) -> None:
        self._proven: set[str] = set()
        self._stages = [_Stage()]
        self._words: list[tuple[int, str]] = []
        leads = [(part.number, part.lead) for part in parts]
        self._hidden_from = next((number for number, lead in leads if lead is None), len(parts) + 1)
        # A hidden ruling may have been hidden when it was written, or by a later amendment.
        self._sure = next((number for number, lead in leads if lead and lead.visibility != PUBLIC), len(parts) + 1)
        """The first ruling that was certainly hidden from someone when it was written."""
        self._dice: list[tuple[int, Die]] = []
        self._drawn: dict[str, Die] = {}
        """Each drawn die as it fell first, by its key; `_fell` has those of one outcome, from any source."""
        self._fell: dict[str, int] = {}
        self._drawn_in: dict[str, _Stage] = {}
        """The stage in which each die was drawn, by its key: it stays the same die when it is judged again later."""
        self._stage_of: dict[int, _Stage] = {}
        for part, events in zip(parts, decoded, strict=True):
            self._collect(part.number, events)
        for seed in revealed:
            self._reveal(seed)
        for number, die in self._dice:
            self._prove(number, die)

    @property
    def drawn(self) -> int:
        """The number of drawn dice, each counted once, even if its ruling was judged again."""
        return len(self._drawn_in)

    @property
    def proven(self) -> int:
        """The number of drawn dice that follow from a revealed seed and a prior commitment alone."""
        return len(self._proven)

    @property
    def salted(self) -> int:
        """The number of dice drawn with a salt, which no commitment binds."""
        return sum(bool(die.salt) for die in self._drawn.values())

    @property
    def before(self) -> int:
        """The number of drawn dice whose seeds were committed to before the newest one, and are not revealed yet."""
        return sum(stage is not self._stages[-1] and stage.seed is None for stage in self._drawn_in.values())

    @property
    def is_revealed(self) -> bool:
        """True if any seed is known."""
        return any(stage.seed is not None for stage in self._stages)

    @property
    def is_closed(self) -> bool:
        """True if the newest seed should have been revealed."""
        return self._stages[-1].closed

    @property
    def is_committed(self) -> bool:
        """True if any seed was committed to."""
        return any(any(stage.commitments) for stage in self._stages)

    def check(self, secret: bytes) -> None:
        """Raise VerificationFailed if that secret matches no commitment."""
        if commitments := [commitment for stage in self._stages for commitment in stage.commitments]:
            check_secret(secret, *commitments)

    def _collect(self, number: int, events: Sequence[Event | None]) -> None:
        self._commit_branch(number, events[0])
        ruling = number
        stage = self._stage_of[number] = self._stages[-1]
        closes: list[_Stage] = []
        self._fell = {}
        for event in events:
            if isinstance(event, Play):
                self._words.append((number, getattr(event.command, "word", "")))
            elif isinstance(event, RulingMended | RulingRejudged):
                ruling = event.ruling
                self._fell = {}
            elif isinstance(event, EncounterOpened):
                stage.commitments.add(event.commitment)
            elif isinstance(event, EncounterClosed):
                # A closing that is judged again reveals the seed of the stage in which it was given.
                closes.append(self._stage_with_seed(number, event.seed, self._stage_of.get(ruling, stage)))
            elif event is not None and not isinstance(event, Head):
                for die in dice_of(event):
                    self._take(number, ruling, die)
            elif event is None:
                # After a hidden new outcome, nobody knows which ruling the next rows are about.
                ruling = 0
        for stage in closes:
            stage.closed = True

    def _commit_branch(self, number: int, head: Event | None) -> None:
        if not isinstance(head, Branch):
            return
        if not re.fullmatch("[0-9a-f]{64}", head.commitment):
            raise VerificationFailed(
                f"Ruling {number} draws the dice from a new seed but commits to none. This program never writes that."
            )
        if head.seed and not self._reveal(_read(head.seed)):
            raise VerificationFailed(f"Ruling {number} shows a seed that was not committed before.")
        self._stages.append(_Stage())
        self._stages[-1].commitments.add(head.commitment)

    def _stage_with_seed(self, number: int, commitment: str, stage: _Stage) -> _Stage:
        if commitment:
            seed = _read(commitment)
            if stage.commitments and commitment_of(seed) not in stage.commitments:
                raise VerificationFailed(f"Ruling {number} reveals a seed of the dice that the log never committed to.")
            stage.seed = seed
        return stage

    def _reveal(self, seed: bytes) -> bool:
        """Assign a seed to the stages that committed to it; return False if there is none."""
        stages = [stage for stage in self._stages if commitment_of(seed) in stage.commitments]
        for stage in stages:
            stage.seed = seed
        return bool(stages)

    def _take(self, number: int, ruling: int, die: Die) -> None:
        try:
            key = read_key(die.key)
            is_right = die.key == die_key(ruling, key.slot, key.index, die.kind) and die.kind in SIDES
        except ValueError:
            is_right = False
        if not is_right:
            raise VerificationFailed(f"In ruling {number} a {die.kind} has the wrong label {die.key}.")
        if not 1 <= die.face <= SIDES[die.kind]:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} shows {die.face}, but a {die.kind} has the faces 1 to "
                f"{SIDES[die.kind]}."
            )
        if die.salt and die.source != "drawn":
            raise VerificationFailed(f"Ruling {number} has a die with a salt, but only drawn dice have one: {die.key}.")
        if die.source == "hypothetical":
            raise VerificationFailed(f"Ruling {number} has a die that nobody threw or drew: {die.key}.")
        # Several armor checks may show the same die.
        if (first := self._fell.setdefault(die.key, die.face)) != die.face:
            raise VerificationFailed(f"In ruling {number} the die {die.key} shows both {first} and {die.face}.")
        if die.source == "drawn":
            self._take_drawn(number, die)

    def _take_drawn(self, number: int, die: Die) -> None:
        stage = self._stages[-1]
        if stage.commitments == {""}:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} was drawn without a committed seed, so nobody can check it."
            )
        if stage.closed and die.key not in self._drawn_in:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} was drawn after the seed was revealed, so its face was known "
                "before."
            )
        if die.key not in self._drawn:
            self._check_salt(number, die)
        first = self._drawn.setdefault(die.key, die)
        if first.face != die.face:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} shows {die.face}, but it was drawn as {first.face}."
            )
        if first.salt != die.salt:
            raise VerificationFailed(f"In ruling {number} the die {die.key} has another salt than when it was drawn.")
        self._dice.append((number, die))
        self._drawn_in.setdefault(die.key, stage)

    def _check_salt(self, number: int, die: Die) -> None:
        """Check that dice have salts from the first hidden ruling on, and none before."""
        if die.salt and number < min(self._hidden_from, self._sure):
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} has a salt, but nothing was hidden before it."
            )
        # An older ruling that is judged again may show a die whose original row is only a hash by now.
        if not die.salt and read_key(die.key).ruling > self._sure:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} has no salt, but every die drawn after a hidden ruling "
                f"(here {self._sure}) has one."
            )

    def _prove(self, number: int, die: Die) -> None:
        ruling, seed = read_key(die.key).ruling, self._drawn_in[die.key].seed
        if seed is None or ruling >= self._hidden_from:
            return
        face = draw(
            seed, (word for drawn_before, word in self._words if word and drawn_before <= ruling), die.key, die.salt
        )
        if face != die.face:
            raise VerificationFailed(
                f"In ruling {number} the die {die.key} shows {die.face}, but the revealed seed gives {face}."
            )
        # A salt proves nothing: with the seed one can find a salt for any face.
        if not die.salt:
            self._proven.add(die.key)


def _read(seed: str) -> bytes:
    """Return a seed as bytes; empty if the text is no seed."""
    return bytes.fromhex(seed) if re.fullmatch("([0-9a-f]{2})+", seed) else b""


def revealed_in(rows: Iterable[tuple[int, str, bytes]]) -> list[bytes]:
    """Return the seeds that the rows of a log reveal: in its closings, or when new seeds replaced them."""
    events = (decode(topic, state) for _, topic, state in rows if event_kind(topic) in (Branch, EncounterClosed))
    return [_read(event.seed) for event in events if isinstance(event, EncounterClosed | Branch) and event.seed]
