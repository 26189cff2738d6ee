"""An explanation of a ruling: its declarations, dice, numbers, readings and corrections, and its near misses.

A near miss is the least change of a die that would have changed the ruling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mam_events.dice import SIDES, Die, read_key
from mam_events.events import Event, InitiativeEstablished, Play
from mam_events.history.judge.other_dice import alternate_faces, dice_on_record
from mam_events.history.judge.other_readings import matches_record, other_readings
from mam_events.history.judge.what_if import HypotheticalJudge
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import Ruling, events_before
from mam_events.visibility import can_see, of_play
from projections.analysis.attribute_history import CausingCorrection, corrections_of
from projections.analysis.odds import OutcomeClassifier, summed_totals
from projections.rulings.audit import AuditEntry, AuditRoll, entry_of
from projections.rulings.index import RulingContext, RulingIndex
from projections.rulings.log_lines import LogLine, log_line
from projections.sentences import headline, outcome_difference

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter


class DecisiveOption(Struct, frozen=True):
    """An option whose reading decided a ruling: with any of the `others` it would have come out differently.

    `means` is the sentence of the reading, `rules` are the rules that the option belongs to.
    """

    option: str
    reading: str
    means: str
    rules: tuple[str, ...]
    others: tuple[str, ...]


class NearMiss(Struct, frozen=True):
    """The faces nearest to the one that fell that would have changed the ruling: all of `least` to `most` give `what`.

    `whose` and `role` are the owner and the role of the die.
    """

    die: Die
    whose: str
    role: str
    least: int
    most: int
    what: str

    @property
    def distance(self) -> int:
        """The distance from the face that fell to the nearest of those faces."""
        return min(abs(self.die.face - face) for face in (self.least, self.most))

    @property
    def faces(self) -> str:
        """The faces in words: `a 4 or more`, `an 8`, `2 to 4`."""
        first = f"{'an' if self.least in _AN else 'a'} {self.least}"
        if self.least == self.most:
            return first
        if self.most == SIDES[self.die.kind]:
            return f"{first} or more"
        if self.least == 1:
            return f"{'an' if self.most in _AN else 'a'} {self.most} or less"
        return f"{self.least} to {self.most}"


_AN = (8, 11, 18)


class RulingExplanation(Struct, frozen=True):
    """An explanation of a ruling: its line, its audit entry, its earlier declarations and its corrections.

    `difference` is what the corrections changed ("": nothing). If the ruling counts and today's rules judge it as then,
    it is `judged` and has more: `counting` are the options that decided it, `dice` is the number of dice whose other
    faces were tried, and `nearly` are the near misses, the nearest first. `further` says that some faces would have
    needed a die that nobody threw. `withheld` says that parts of the explanation are hidden from the view.
    """

    line: LogLine
    entry: AuditEntry
    declared: tuple[LogLine, ...] = ()
    corrected: tuple[CausingCorrection, ...] = ()
    difference: str = ""
    judged: bool = False
    counting: tuple[DecisiveOption, ...] = ()
    dice: int = 0
    nearly: tuple[NearMiss, ...] = ()
    further: bool = False
    withheld: bool = False


def explain_ruling(
    timeline: Timeline,
    index: RulingIndex,
    number: int,
    rules: Callable[[], Rulebook],
    on_progress: Callable[[], object] = bool,
) -> RulingExplanation:
    """Explain a ruling that is visible to the view; `index` must have every ruling of the timeline.

    `on_progress` is called once each time the ruling is judged again.
    """
    ruling = index.ruling(number)
    assert ruling is not None  # noqa: S101 - the index has every ruling
    line, entry = log_line(ruling, index), entry_of(ruling, index)
    if not isinstance(ruling.head, Play):
        return RulingExplanation(line, entry)
    explanation = RulingExplanation(
        line,
        entry,
        tuple(_declared(timeline, index, ruling)),
        tuple(corrections_of(ruling, index)),
        _difference(timeline, index, ruling),
    )
    if not ruling.lives or not matches_record(timeline, rules(), number):
        return explanation
    other = _Otherwise(timeline, index, ruling, rules(), on_progress, entry.rolls)
    counting, nearly = tuple(other.counting()), other.nearly()
    return replace(
        explanation,
        judged=True,
        counting=counting,
        dice=other.dice,
        nearly=nearly,
        further=other.further,
        withheld=other.withheld,
    )


def _declared(timeline: Timeline, index: RulingIndex, ruling: Ruling) -> Iterator[LogLine]:
    """Yield the lines of the earlier declarations in the same exchange, in story order, without hidden ones."""
    place = timeline.place
    for number in sorted(timeline.exchange(ruling.number), key=lambda one: place[one]):
        other = index.visible_ruling(number)
        if other and place[number] < place[ruling.number]:
            yield log_line(other, index)


def _difference(timeline: Timeline, index: RulingIndex, ruling: Ruling) -> str:
    """Return what a correction changed in a ruling; "" if nothing."""
    if not ruling.changed_by or ruling.is_void:
        return ""
    before, scene = events_before(timeline, ruling.number, ruling.events), RulingContext(index, ruling)
    return outcome_difference(before, ruling.events, scene, scene)


class _Face(NamedTuple):
    """Another face of a die that changes something, in words; `decides` says that it changes an outcome."""

    face: int
    decides: bool
    what: str


class _Otherwise:
    """The other ways in which one ruling might have come out, as far as they are visible to the view."""

    def __init__(
        self,
        timeline: Timeline,
        index: RulingIndex,
        ruling: Ruling,
        rules: Rulebook,
        on_progress: Callable[[], object],
        rolls: Sequence[AuditRoll],
    ) -> None:
        self._timeline, self._ruling, self._rules = timeline, ruling, rules
        self._watch, self._rolls = on_progress, rolls
        self._view, self._scene = index.view, RulingContext(index, ruling)
        self._teller = OutcomeClassifier(self._scene)
        self.withheld = self.further = False
        self.dice = 0

    def counting(self) -> Iterator[DecisiveOption]:
        """Yield the options that decided the ruling."""
        options_by_rule: dict[str, list[str]] = {}
        was = dict(self._decided(self._ruling.events))
        for other in other_readings(self._timeline, self._rules, self._ruling.number):
            self._watch()
            outcome = other.outcome
            # Nobody knows the faces of dice that were not thrown.
            is_hypothetical = any(die.source == "hypothetical" for event in outcome.events for die in dice_of(event))
            if is_hypothetical or not self._may_tell(outcome.events):
                continue
            if outcome.code or self._difference_of(outcome.events, outcome.state, was):
                options_by_rule.setdefault(other.option, []).append(other.reading)
        pinned = self._ruling.before.ruleset
        readings = self._rules.in_force(pinned) if pinned else {}
        for name, others in options_by_rule.items():
            option = self._rules.options[name]
            means = option.readings[readings[name]]
            yield DecisiveOption(name, readings[name], means, option.rules, tuple(others))

    def nearly(self) -> tuple[NearMiss, ...]:
        """Return the near misses of each die; if some change an outcome, only those."""
        was = dict(self._decided(self._ruling.events))
        faces: dict[str, list[_Face]] = {}
        on_record = dice_on_record(self._timeline, self._ruling.number)
        judge = HypotheticalJudge(self._timeline, self._rules)
        for other in alternate_faces(self._timeline, judge, self._ruling.number):
            self._watch()
            self.dice = len(on_record)
            events = other.judging.events
            if any(die.key not in on_record for event in events for die in dice_of(event)):
                self.further = True
            elif self._may_tell(events) and (description := self._difference_of(events, other.judging.state, was)):
                faces.setdefault(other.die.key, []).append(_Face(other.face, *description))
        decides = any(face.decides for description in faces.values() for face in description)
        misses = [
            one
            for key, die in on_record.items()
            for one in self._nearest(die, [face for face in faces.get(key, ()) if face.decides == decides])
        ]
        return tuple(sorted(misses, key=lambda one: one.distance))

    def _difference_of(self, events: Sequence[Event], state: Encounter, was: dict[str, str]) -> tuple[bool, str] | None:
        """Return the difference that other events make, and whether it changes an outcome; None if there is none."""
        turned = [f"{subject} {word}" for subject, word in self._decided(events) if was.get(subject) != word]
        if turned:
            return True, "; ".join(turned)
        state_recorded = self._ruling.after
        if (state.combatants, state.turn_order) == (state_recorded.combatants, state_recorded.turn_order):
            return None
        orders = [event for event in events if isinstance(event, InitiativeEstablished)]
        return False, headline(tuple(orders or events), self._scene).rstrip(".")

    def _decided(self, events: Sequence[Event]) -> Iterator[tuple[str, str]]:
        """Yield all that the events decide, as subject and outcome in words."""
        read = [self._scene.redactor.read(event) for event in events]
        for one in self._teller.decided(read):
            yield one.subject, one.words[one.outcome]
        for subject, difficulty, total in summed_totals(read, self._scene):
            if difficulty is not None:
                yield subject, f"{'reaches' if total >= difficulty else 'falls short of'} {difficulty}"

    def _nearest(self, die: Die, faces: Sequence[_Face]) -> Iterator[NearMiss]:
        """Yield the nearest faces that change something, each extended to its neighbors with the same effect.

        There are two results if faces on both sides are equally near.
        """
        what = {one.face: one.what for one in faces}
        distance = min((abs(face - die.face) for face in what), default=0)
        key = read_key(die.key)
        roll_name = next((roll.what for roll in self._rolls if roll.key == die.key), key.role)
        for step in (-1, 1):
            least = most = die.face + step * distance
            if least not in what:
                continue
            while what.get(least - 1) == what[most]:
                least -= 1
            while what.get(most + 1) == what[least]:
                most += 1
            yield NearMiss(die, self._scene.name(key.roller), roll_name, least, most, what[least])

    def _may_tell(self, events: Sequence[Event]) -> bool:
        """Return True if the view would see a ruling with those events; otherwise set `withheld`."""
        command = self._ruling.command
        if self._view == "gm" or command is None or can_see(self._view, of_play(command, self._ruling.before, events)):
            return True
        self.withheld = True
        return False
