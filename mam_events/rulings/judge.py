"""The judge of one encounter of a log: dice come from the record or from the seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING

from mam_events.dice import Die, SeedMissing, Undrawn
from mam_events.errors import Refused
from mam_events.events import Correction, Play
from mam_events.rulings.ruling_judge import RulingJudge

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.changes import Change
    from mam_events.rulings.rejudging import Rejudged
    from mam_events.rulings.timeline import Timeline
    from mam_events.store.persistence import SeedRecorder


class EncounterJudge(RulingJudge):
    """Judges commands of one encounter, and draws the dice that its log does not hold yet.

    With `draws` off a die that is not in the log raises Undrawn: a preview never shows one.
    """

    __slots__ = (
        "_encounter",
        "_foreseen",
        "_record",
        "_seed",
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
        # With what was committed to when it was read: an import may bring rulings that go on from another.
        self._seed: tuple[str, bytes] | None = None
        self._foreseen: tuple[object, Change, list[Rejudged]] | None = None
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

    def twin(self) -> EncounterJudge:
        """Another judge of the same, whose timeline grows by itself."""
        return self.on(self.timeline.copy())

    def foresee(
        self, head: Play | Correction, *, keep: bool = False, watch: Callable[[], object] = bool
    ) -> tuple[Change, list[Rejudged]]:
        """The change that head would make and the outcomes of the rulings from there on, with no die shown that is not
        in the log; whoever looks before he does it may `keep` it for the deed. Raises as `rejudge` does.
        """
        steps = head.steps if isinstance(head, Correction) else (head.command, head.after)
        asked = (self.timeline.version, head.turns, steps)
        kept, self._foreseen = self._foreseen, None
        if kept is None or kept[0] != asked:
            from mam_events.rulings.rejudging import rejudge  # noqa: PLC0415 - who corrects nothing starts without it

            change = self.timeline.plan(head)
            found = rejudge(self.timeline, change, self.without_drawing(), settling=True, watch=watch)
            kept = (asked, change, found)
        if keep:
            self._foreseen = kept
        return kept[1:]

    def found(self, head: Play | Correction) -> list[Rejudged]:
        """The same, with the dice drawn that it takes."""
        change, found = self.foresee(head)
        if not (found and found[-1].undrawn):
            return found
        from mam_events.rulings.rejudging import rejudge  # noqa: PLC0415 - as above

        return rejudge(self.timeline, change, self, known=found[:-1], settling=True)

    def supposing(self, faces: Mapping[str, int]) -> EncounterJudge:
        """The same judge, for whom the dice of those keys show these faces, where they are not in the log yet."""
        return self.without_drawing(faces)

    def without_drawing(self, supposed: Mapping[str, int] = MappingProxyType({})) -> EncounterJudge:
        """The same judge, who shows no die that is not in the log, but may have some `supposed`."""
        return EncounterJudge(self.timeline, self._rules, self._seeds, self._encounter, draws=False, supposed=supposed)

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """The die on record, or else drawn; refused with `no_draw` once the seed is revealed, SeedMissing where it is
        not in the store.
        """
        self.asked += 1
        if known := self._drawn(ruling).get(key):
            return known
        if self.timeline.told.revealed:
            raise Refused(
                "no_draw",
                "The seed has been revealed, so nothing is drawn any more: throw the die and give its face.",
                fields=(field,),
            )
        if key in self._supposed:
            return Die(key, kind, self._supposed[key], "drawn")
        if not self.draws:
            raise Undrawn(key)
        seed = self.seed()
        if seed is None:
            raise SeedMissing
        from mam_events.rulings.seed import draw  # noqa: PLC0415 - who draws no die starts without hashes

        words = (word for number, word in self.timeline.told.words if number <= ruling)
        return Die(key, kind, draw(seed, words, key), "drawn")

    def _drawn(self, ruling: int) -> dict[str, Die]:
        record, place = self._record, (self.timeline.version, ruling)
        if record is None or record[0] != place:
            record = self._record = (place, self.timeline.drawn(ruling))
        return record[1]

    def seed(self) -> bytes | None:
        """The secret that the dice are drawn from, if this store holds it.

        Raises VerificationFailed where that is none that was ever committed to.
        """
        *before, commitment = self.timeline.commitments or [""]
        if self._seed is None or self._seed[0] != commitment:
            found = self._seeds.get(self._encounter)
            if found is None or _lapsed(found, before):
                return None
            from mam_events.rulings.seed import check_seed  # noqa: PLC0415 - as above

            check_seed(found, commitment)
            self._seed = (commitment, found)
        return self._seed[1]

    def lapsed_seed(self) -> bytes | None:
        """The secret in this store that dice came from before another was committed to elsewhere; None for none."""
        found = self._seeds.get(self._encounter)
        return found if found and _lapsed(found, self.timeline.commitments[:-1]) else None

    def draw_from(self, seed: bytes) -> None:
        """Draw from that secret, which is committed to and will be in the store with what is drawn from it."""
        self._seed = (self.timeline.commitments[-1], seed)


def _lapsed(seed: bytes, before: Sequence[str]) -> bool:
    """True if that is the seed of one of those commitments, which a later one has taken the place of."""
    if not before:
        return False
    from mam_events.rulings.seed import commitment_of  # noqa: PLC0415 - as above

    return isinstance(seed, bytes) and commitment_of(seed) in before
