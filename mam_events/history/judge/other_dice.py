"""One ruling, and its fight, judged again as if one die had shown another face; nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from mam_events.decider.decide import prepare
from mam_events.decider.engine import Decision
from mam_events.dice import SIDES, Die, DieNotDrawn, check_face, die_key
from mam_events.errors import Refused
from mam_events.field_specs import without_faces
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.what_if import HypotheticalJudge
from mam_events.history.timeline.change import Change
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import Encounter, is_same_state
from mam_events.state.updates import with_faces_open


class AlternateFace(Struct, frozen=True):
    """A die on record, another face of it, and its ruling judged as if the die had shown that face."""

    die: Die
    face: int
    judging: Decision


class RecordedJudge(HypotheticalJudge):
    """A judge that knows only the dice on record: it raises DieNotDrawn for any other, and makes none up."""

    __slots__ = ()

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die on record, or raise DieNotDrawn if there is none."""
        recorded_die = super().die(ruling, key, kind, field)
        if recorded_die.source == "hypothetical":
            raise DieNotDrawn(key)
        return recorded_die


class _AsTheyFell:
    """The dice of one ruling by key, whoever threw them; the judge provides any others."""

    __slots__ = ("_faces", "_judge", "ruling")

    def __init__(self, ruling: int, faces: Mapping[str, int], judge: HypotheticalJudge) -> None:
        self.ruling = ruling
        self._faces = faces
        self._judge = judge

    def roll(self, slot: str, kind: str, *, field: str, face: int | None = None, index: int = 0) -> Die:
        """Return the die of that slot; see `mam_events.dice.Dice`."""
        key = die_key(self.ruling, slot, index, kind)
        if face is not None:
            return Die(key, kind, check_face(face, kind, field), "thrown")
        if key in self._faces:
            return Die(key, kind, self._faces[key], "hypothetical")
        return self._judge.die(self.ruling, key, kind, field)


def dice_on_record(timeline: Timeline, number: int) -> dict[str, Die]:
    """Return the dice that count in that ruling as it now stands, by key, in the order in which they fell."""
    events = timeline.entries[number].outcome.events(timeline.decoders)
    return {die.key: die for event in events for die in dice_of(event)}


def alternate_faces(timeline: Timeline, judge: HypotheticalJudge, number: int) -> Iterator[AlternateFace]:
    """Yield every other face of every die of that living ruling, judged in its place, with nothing after it.

    The last die comes first, and for each die the nearest face. If a face needs more dice than fell, they come from
    `judge`: a HypotheticalJudge draws a public one, and with a RecordedJudge that face is left out. Yields nothing if
    today's rules give another ruling for the same dice: then the dice are not the cause.
    """
    place = timeline.place[number]
    before, recorded = timeline.state_before(place), timeline.states[place]
    dice = dice_on_record(timeline, number)
    faces = {key: die.face for key, die in dice.items()}
    if before.ruleset is None or not dice:
        return
    try:
        open_dice = with_faces_open(before), without_faces(timeline.command(number))
        decide = prepare(*open_dice, judge.ruleset(before))
        as_it_fell = decide(_AsTheyFell(number, faces, judge))
    except (Refused, DieNotDrawn):
        return
    if not is_same_state(as_it_fell.state, recorded):
        return
    for die in reversed(dice.values()):
        for face in nearest_first(die):
            try:
                yield AlternateFace(die, face, decide(_AsTheyFell(number, {**faces, die.key: face}, judge)))
            except (Refused, DieNotDrawn):
                continue


def nearest_first(die: Die) -> list[int]:
    """Return the faces that a die has but did not show, the nearest first; of two equally near, the lower first."""
    others = [face for face in range(1, SIDES[die.kind] + 1) if face != die.face]
    return sorted(others, key=lambda face: abs(face - die.face))


def ends_differently(
    timeline: Timeline,
    judge: HypotheticalJudge,
    number: int,
    on_progress: Callable[[], object] = bool,
    wanted: Callable[[Encounter], bool] = lambda _: True,
) -> Iterator[tuple[AlternateFace, Encounter]]:
    """Yield every other face of a die of that ruling that leads to another fight, with the state of that fight.

    The order is that of `alternate_faces`. `on_progress` is called once for every later ruling that is judged again.
    Only faces are tried whose state after the ruling is `wanted`.
    """
    recorded = timeline.states[timeline.place[number]]
    # Most faces of a die lead to the same state, so the fight after each state is judged only once.
    ends: list[tuple[Encounter, Encounter | None]] = [(recorded, None)]
    for other in alternate_faces(timeline, judge, number):
        state = other.judging.state
        if not wanted(state):
            continue
        ending = next((ending for ending in ends if is_same_state(state, ending[0])), None)
        if ending is None:
            ending = state, _end(timeline, judge, number, other.judging, on_progress)
            ends.append(ending)
        if ending[1] is not None:
            yield other, ending[1]


def ends_as_recorded(timeline: Timeline, judge: HypotheticalJudge, number: int) -> bool:
    """Return True if today's rules give the recorded result for everything after that ruling."""
    place = timeline.place[number]
    rejudged = rejudge(timeline, Change(place + 1, len(timeline.order), timeline.order), judge)
    return not rejudged or (not rejudged[-1].undrawn and is_same_state(rejudged[-1].state, timeline.state))


def _end(
    timeline: Timeline, judge: HypotheticalJudge, number: int, judging: Decision, on_progress: Callable[[], object]
) -> Encounter | None:
    """Return the current state of the fight if that ruling had come out this way.

    Returns None if the fight is the same again, or if a die would have to be drawn.
    """
    place = timeline.place[number]
    ending = RejudgedRuling(number, "changed", tuple(judging.events), command=judging.command, state=judging.state)
    change = Change(place, place, timeline.order, supposed=True)
    last = rejudge(timeline, change, judge, known=[ending], settling=True, on_progress=on_progress)[-1]
    same = is_same_state(last.state, timeline.states[timeline.place[last.ruling]])
    return None if same or last.undrawn else last.state
