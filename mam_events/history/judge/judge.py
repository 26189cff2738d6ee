"""The judge of one encounter of a log: dice come from the record or from the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from mam_events.dice import Die, DieNotDrawn, NewSeedNeeded
from mam_events.errors import Refused
from mam_events.events import Correction, Play
from mam_events.history.corrections.change_plan import plan_change
from mam_events.history.judge.ruling_judge import RulingJudge
from mam_events.visibility import PUBLIC

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.change import Change
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.store.persistence import SeedRecorder


class EncounterJudge(RulingJudge):
    """A judge of the commands of one encounter, which draws the dice that its log does not hold yet.

    With `draws` off, a die that is not in the log raises DieNotDrawn: a preview never shows one.
    """

    __slots__ = (
        "_encounter",
        "_foreseen",
        "_record",
        "_salted",
        "_secret",
        "_seeds",
        "_supposed",
        "asked",
        "draws",
        "timeline",
    )

    def __init__(
        self,
        timeline: Timeline,
        rules: Callable[[], Rulebook],
        seeds: SeedRecorder,
        encounter: str,
        *,
        draws: bool = True,
        supposed: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        super().__init__(rules)
        self.timeline = timeline
        self.draws = draws
        self._supposed = supposed
        self._seeds = seeds
        self._encounter = encounter
        self._salted = False
        # With its commitment: an import may add rulings that use another seed.
        self._secret: tuple[str, bytes] | None = None
        self._foreseen: tuple[object, Change, list[RejudgedRuling]] | None = None
        # A cache, because a ruling of many dice looks them up one by one. It is one tuple, because threads may judge at
        # once.
        self._record: tuple[tuple[int, int], dict[str, Die]] | None = None
        self.asked = 0

    def own(self) -> EncounterJudge:
        """Return this judge, or a twin if its timeline is lent, so that the timeline may be extended."""
        return self.twin() if self.timeline.lent else self

    def on(self, timeline: Timeline) -> EncounterJudge:
        """Return the same judge over another timeline of that encounter."""
        judge = copy(self)
        judge.timeline = timeline
        return judge

    def for_ruling(self, visibility: str) -> EncounterJudge:
        """Return a judge for a ruling of that visibility: its dice are salted if that, or anything so far, is hidden.

        That includes the dice that everybody sees, because only later is it known what a ruling reveals about whom.
        """
        if visibility == PUBLIC or self._salted:
            return self
        judge = copy(self)
        judge._salted = True  # noqa: SLF001 - same class
        return judge

    def twin(self) -> EncounterJudge:
        """Return another judge of the same encounter, with a timeline of its own."""
        return self.on(self.timeline.copy())

    def foresee(
        self, head: Play | Correction, *, keep: bool = False, on_progress: Callable[[], object] = bool
    ) -> tuple[Change, list[RejudgedRuling]]:
        """Return the change that the head would make, and the outcomes of the rulings from there on.

        No die is drawn that is not in the log. With `keep`, the result is kept for the write that follows the preview.
        Raises as `rejudge` does.
        """
        steps = head.steps if isinstance(head, Correction) else (head.command, head.after)
        key = (self.timeline.version, head.turns, steps)
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is None or foreseen[0] != key:
            from mam_events.history.judge.rejudge import rejudge  # noqa: PLC0415 - only corrections need it

            change = plan_change(self.timeline, head)
            rejudged = rejudge(self.timeline, change, self.without_drawing(), settling=True, on_progress=on_progress)
            foreseen = (key, change, rejudged)
        if keep:
            self._foreseen = foreseen
        return foreseen[1:]

    def rejudge(self, head: Play | Correction) -> list[RejudgedRuling]:
        """Return the outcomes as `foresee` does, with the necessary dice drawn."""
        change, rejudged = self.foresee(head)
        if not (rejudged and rejudged[-1].undrawn):
            return rejudged
        from mam_events.history.judge.rejudge import rejudge  # noqa: PLC0415 - as above

        return rejudge(self.timeline, change, self, known=rejudged[:-1], settling=True)

    def supposing(self, faces: Mapping[str, int]) -> EncounterJudge:
        """Return a judge for whom the dice with those keys show these faces, unless they are in the log."""
        return self.without_drawing(faces)

    def without_drawing(self, supposed: Mapping[str, int] = MappingProxyType({})) -> EncounterJudge:
        """Return a judge that draws no die that is not in the log, but may have some `supposed`."""
        return EncounterJudge(self.timeline, self._rules, self._seeds, self._encounter, draws=False, supposed=supposed)

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die on record, or draw it.

        Raises Refused with `no_draw` in a closed fight, NewSeedNeeded if the seed was revealed or is not in the store,
        and DieNotDrawn if this judge may not draw.
        """
        self.asked += 1
        if drawn_die := self._drawn(ruling).get(key):
            return drawn_die
        if self.timeline.state.status == "closed":
            raise Refused("no_draw/closed", fields=(field,))
        if key in self._supposed:
            return Die(key, kind, self._supposed[key], "drawn")
        if not self.draws:
            raise DieNotDrawn(key)
        index = self.timeline.index
        secret = None if index.revealed else self.secret()
        if secret is None:
            raise NewSeedNeeded
        from mam_events.history.seed import draw, salt_of_die, seed_of  # noqa: PLC0415 - only drawing needs it

        words = (word for number, word in index.words if number <= ruling)
        salt = salt_of_die(secret, key) if self._salted or index.hides else ""
        return Die(key, kind, draw(seed_of(secret), words, key, salt), "drawn", salt)

    def _drawn(self, ruling: int) -> dict[str, Die]:
        record, place = self._record, (self.timeline.version, ruling)
        if record is None or record[0] != place:
            record = self._record = (place, self.timeline.drawn(ruling))
        return record[1]

    def seed(self) -> str:
        """Return the seed that dice are drawn from, as a closing reveals it (hex), or "" if this store has none.

        Raises as `secret` does.
        """
        from mam_events.history.seed import seed_of  # noqa: PLC0415 - as above

        return seed_of(self.secret() or b"").hex()

    def secret(self) -> bytes | None:
        """Return the secret that the dice are drawn from, if this store holds it.

        Raises VerificationFailed if the stored secret matches no commitment.
        """
        *before, commitment = self.timeline.commitments or [""]
        if self._secret is None or self._secret[0] != commitment:
            from mam_events.history.seed import check_secret, is_committed  # noqa: PLC0415 - as above

            seed = self._seeds.get(self._encounter)
            if seed is None or is_committed(seed, before):
                return None
            check_secret(seed, commitment)
            self._secret = (commitment, seed)
        return self._secret[1]

    def spent_seed(self) -> str:
        """Return the seed in this store (hex) that is used no more once the log commits to a new one.

        Returns "" if there is none, or if the log has revealed it.
        """
        from mam_events.history.seed import is_committed, seed_of  # noqa: PLC0415 - as above

        seed, commitments = self._seeds.get(self._encounter), self.timeline.commitments
        is_known = is_committed(seed, commitments[:-1] if self.timeline.index.revealed else commitments)
        return seed_of(seed).hex() if seed and is_known else ""

    def draw_from(self, secret: bytes) -> None:
        """Draw from that secret; the log commits to it, and it will be stored with the dice drawn from it."""
        self._secret = (self.timeline.commitments[-1], secret)
