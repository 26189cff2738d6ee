"""A fight judged again as it would have gone if one die had fallen otherwise, with nothing written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.deciding.decide import decide
from mam_events.deciding.judging import Judging
from mam_events.dice import SIDES, Die, check_face, die_key
from mam_events.errors import Refused
from mam_events.rulings.changes import Change
from mam_events.rulings.entries import dice_of
from mam_events.rulings.rejudging import Rejudged, rejudge
from mam_events.shapes import without_faces
from mam_events.state import is_again

if TYPE_CHECKING:
    from mam_events.rulings.supposing import HypotheticalJudge
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter


class Otherwise(Struct, frozen=True):
    """A die on record, another face of it, and its ruling judged with that."""

    die: Die
    face: int
    judging: Judging


class _AsTheyFell:
    """The dice of one ruling by key, whoever threw them; one that is not among them is a public one."""

    __slots__ = ("_faces", "_judge", "ruling")

    def __init__(self, ruling: int, faces: Mapping[str, int], judge: HypotheticalJudge) -> None:
        self.ruling = ruling
        self._faces = faces
        self._judge = judge

    def roll(self, slot: str, kind: str, *, field: str, thrown: int | None = None, index: int = 0) -> Die:
        """The die of that slot; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, slot, index, kind)
        if thrown is not None:
            check_face(thrown, kind, field)
            return Die(key, kind, thrown, "thrown")
        if key in self._faces:
            return Die(key, kind, self._faces[key], "hypothetical")
        return self._judge.die(self.ruling, key, kind, field)


def dice_on_record(timeline: Timeline, number: int) -> dict[str, Die]:
    """The dice that count in that ruling as it now stands, by key, in the order in which they fell."""
    events = timeline.entries[number].outcome.events(timeline.decoders)
    return {die.key: die for event in events for die in dice_of(event)}


def fallen_otherwise(timeline: Timeline, judge: HypotheticalJudge, number: int) -> Iterator[Otherwise]:
    """That ruling with every other face of every one of its dice: the last die first, and of each the nearest face
    first.

    Nothing where today's rules make of the same dice another ruling than is on record: then the dice are not to blame.
    """
    place = timeline.place[number]
    before = timeline.state_before(place)
    dice = dice_on_record(timeline, number)
    faces = {key: die.face for key, die in dice.items()}
    if before.ruleset is None or not dice:
        return
    command, ruleset = without_faces(timeline.command(number)), judge.ruleset(before)

    def judged(changed: Mapping[str, int]) -> Judging | None:
        try:
            return decide(before, command, ruleset, _AsTheyFell(number, {**faces, **changed}, judge))
        except Refused:
            return None

    as_it_fell = judged({})
    if as_it_fell is None or not is_again(as_it_fell.state, timeline.states[place]):
        return
    for die in reversed(dice.values()):
        others = (face for face in range(1, SIDES[die.kind] + 1) if face != die.face)
        for face in sorted(others, key=lambda face, fell=die.face: abs(face - fell)):  # type: ignore[misc]  # mypy knows no default of a lambda
            if found := judged({die.key: face}):
                yield Otherwise(die, face, found)


def ends_otherwise(
    timeline: Timeline, judge: HypotheticalJudge, number: int, watch: Callable[[], object] = bool
) -> Iterator[tuple[Otherwise, Encounter]]:
    """The same, where it makes another fight, with that fight as it would stand by now; `watch` is called for every
    ruling that is judged behind it.
    """
    # Most faces of a die come to the same, and the fight behind that is judged once.
    ends = [(timeline.states[timeline.place[number]], timeline.state)]
    for other in fallen_otherwise(timeline, judge, number):
        end = next((end for state, end in ends if is_again(other.judging.state, state)), None)
        if end is None:
            end = _end(timeline, judge, number, other.judging, watch)
            ends.append((other.judging.state, end))
        if end is not timeline.state:
            yield other, end


def ends_as_recorded(timeline: Timeline, judge: HypotheticalJudge, number: int) -> bool:
    """True if today's rules make of all that stands behind that ruling what is on record."""
    place = timeline.place[number]
    change = Change(place + 1, len(timeline.order), timeline.order)
    found = rejudge(timeline, change, judge)
    return not found or is_again(found[-1].state, timeline.state)


def _end(
    timeline: Timeline, judge: HypotheticalJudge, number: int, judging: Judging, watch: Callable[[], object]
) -> Encounter:
    """The fight by now, if that ruling had come out so; the very state on record where it is itself again."""
    place = timeline.place[number]
    known = Rejudged(number, "changed", tuple(judging.events), command=judging.command, state=judging.state)
    change = Change(place, place, timeline.order)
    last = rejudge(timeline, change, judge, known=[known], settling=True, watch=watch)[-1]
    same = is_again(last.state, timeline.states[timeline.place[last.ruling]])
    return timeline.state if same else last.state
