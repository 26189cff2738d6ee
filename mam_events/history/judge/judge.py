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
    """Judges commands of one encounter, and draws the dice that its log does not hold yet.

    With `draws` off a die that is not in the log raises Undrawn: a preview never shows one.
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
        # With what was committed to when it was read: an import may bring rulings that go on from another.
        self._secret: tuple[str, bytes] | None = None
        self._foreseen: tuple[object, Change, list[RejudgedRuling]] | None = None
        # A ruling of many dice asks for those on record one by one. Both in one, for threads may judge at once.
        self._record: tuple[tuple[int, int], dict[str, Die]] | None = None
        self.asked = 0

    def own(self) -> EncounterJudge:
        """This judge, or where it is lent another one, whose timeline may be extended."""
        return self.twin() if self.timeline.lent else self

    def on(self, timeline: Timeline) -> EncounterJudge:
        """Return the same judge over another timeline of that encounter."""
        judge = copy(self)
        judge.timeline = timeline
        return judge

    def for_ruling(self, visibility: str) -> EncounterJudge:
        """Return a judge for a ruling of that visibility: where that, or anything so far, is hidden, dice are salted.

        Also those that everybody sees: only later is it known what a ruling tells, and of whom.
        """
        if visibility == PUBLIC or self._salted:
            return self
        judge = copy(self)
        judge._salted = True  # noqa: SLF001 - another of its kind
        return judge

    def twin(self) -> EncounterJudge:
        """Another judge of the same, whose timeline grows by itself."""
        return self.on(self.timeline.copy())

    def foresee(
        self, head: Play | Correction, *, keep: bool = False, watch: Callable[[], object] = bool
    ) -> tuple[Change, list[RejudgedRuling]]:
        """The change that head would make and the outcomes of the rulings from there on, with no die shown that is not
        in the log; whoever looks before he does it may `keep` it for the deed. Raises as `rejudge` does.
        """
        steps = head.steps if isinstance(head, Correction) else (head.command, head.after)
        asked = (self.timeline.version, head.turns, steps)
        kept, self._foreseen = self._foreseen, None
        if kept is None or kept[0] != asked:
            from mam_events.history.judge.rejudge import rejudge  # noqa: PLC0415 - who corrects nothing starts without it

            change = plan_change(self.timeline, head)
            found = rejudge(self.timeline, change, self.without_drawing(), settling=True, watch=watch)
            kept = (asked, change, found)
        if keep:
            self._foreseen = kept
        return kept[1:]

    def found(self, head: Play | Correction) -> list[RejudgedRuling]:
        """The same, with the dice drawn that it takes."""
        change, found = self.foresee(head)
        if not (found and found[-1].undrawn):
            return found
        from mam_events.history.judge.rejudge import rejudge  # noqa: PLC0415 - as above

        return rejudge(self.timeline, change, self, known=found[:-1], settling=True)

    def supposing(self, faces: Mapping[str, int]) -> EncounterJudge:
        """The same judge, for whom the dice of those keys show these faces, where they are not in the log yet."""
        return self.without_drawing(faces)

    def without_drawing(self, supposed: Mapping[str, int] = MappingProxyType({})) -> EncounterJudge:
        """The same judge, who shows no die that is not in the log, but may have some `supposed`."""
        return EncounterJudge(self.timeline, self._rules, self._seeds, self._encounter, draws=False, supposed=supposed)

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """The die on record, or else drawn; refused with `no_draw` in a closed fight, NewSeedNeeded where the seed was
        revealed or is not in the store.
        """
        self.asked += 1
        if known := self._drawn(ruling).get(key):
            return known
        if self.timeline.state.status == "closed":
            raise Refused("no_draw/closed", fields=(field,))
        if key in self._supposed:
            return Die(key, kind, self._supposed[key], "drawn")
        if not self.draws:
            raise DieNotDrawn(key)
        told = self.timeline.told
        secret = None if told.revealed else self.secret()
        if secret is None:
            raise NewSeedNeeded
        from mam_events.history.seed import draw, salt_of_die, seed_of  # noqa: PLC0415 - who draws none starts without

        words = (word for number, word in told.words if number <= ruling)
        salt = salt_of_die(secret, key) if self._salted or told.hides else ""
        return Die(key, kind, draw(seed_of(secret), words, key, salt), "drawn", salt)

    def _drawn(self, ruling: int) -> dict[str, Die]:
        record, place = self._record, (self.timeline.version, ruling)
        if record is None or record[0] != place:
            record = self._record = (place, self.timeline.drawn(ruling))
        return record[1]

    def seed(self) -> str:
        """Return the seed that dice are drawn from, as a closing reveals it (hex); "" where this store has none.

        Raises as `secret` does.
        """
        from mam_events.history.seed import seed_of  # noqa: PLC0415 - as above

        return seed_of(self.secret() or b"").hex()

    def secret(self) -> bytes | None:
        """Return the secret that the dice are drawn from, if this store holds it.

        Raises VerificationFailed where that is none that was ever committed to.
        """
        *before, commitment = self.timeline.commitments or [""]
        if self._secret is None or self._secret[0] != commitment:
            from mam_events.history.seed import check_secret, is_committed  # noqa: PLC0415 - as above

            found = self._seeds.get(self._encounter)
            if found is None or is_committed(found, before):
                return None
            check_secret(found, commitment)
            self._secret = (commitment, found)
        return self._secret[1]

    def spent_seed(self) -> str:
        """Return the seed in this store (hex) from which nothing comes any more once the log commits to a new one; ""
        where there is none, or the log has revealed it.
        """
        from mam_events.history.seed import is_committed, seed_of  # noqa: PLC0415 - as above

        found, commitments = self._seeds.get(self._encounter), self.timeline.commitments
        known = is_committed(found, commitments[:-1] if self.timeline.told.revealed else commitments)
        return seed_of(found).hex() if found and known else ""

    def draw_from(self, secret: bytes) -> None:
        """Draw from that secret, which is committed to and will be in the store with what is drawn from it."""
        self._secret = (self.timeline.commitments[-1], secret)
