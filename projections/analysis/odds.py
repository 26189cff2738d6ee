"""The odds of a roll before it is made: the chance of each outcome, the face that is needed, the expected harm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from math import fsum, prod
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from mam_events import events as e
from mam_events.commands import Resolve
from mam_events.decider.dice_outcomes import dice_outcomes
from mam_events.dice import SIDES, read_key
from mam_events.errors import Refused
from mam_events.field_specs import without_faces
from mam_events.history.judge.ruling_judge import ruleset_for
from mam_events.history.timeline.entries import dice_of
from mam_events.state.updates import with_faces_open
from projections.sentences.dice_text import HIT_WORDS, RESULTS
from projections.sentences.types import phrase_for
from projections.sentences.words import exchange_words

if TYPE_CHECKING:
    from mam_events.decider.dice_outcomes import DiceOutcome
    from mam_events.dice import Die
    from mam_events.history.timeline.rulings import Ruling
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.rulings.index import RulingContext
    from projections.sentences.types import Sentences

BEGINS = {"full": "yes", "fail": "no"}
MOST_WAYS = 400
"""The most ways in which the dice of an exchange may fall if its odds are shown beside it: two d20."""


class Chances(Struct, frozen=True):
    """The chances of one decision: its subject, and how likely it comes out `full`, `half` or `fail`.

    `words` are the outcomes in words. `needs` is what the one deciding die must show for `full`, or the difference of
    two dice ("": there is no such simple condition).
    """

    subject: str
    chances: dict[str, float]
    words: dict[str, str]
    needs: str = ""


class Total(Struct, frozen=True):
    """A total of dice that are added up: its average, the chance of each total, and the chance to reach `difficulty`.

    `difficulty` and `reaches` are None if there is no difficulty.
    """

    subject: str
    average: float
    chances: dict[int, float]
    difficulty: int | None = None
    reaches: float | None = None

    @property
    def usual(self) -> tuple[int, int]:
        """The least and the greatest usual total: 5 % of the rolls are below, 5 % above."""
        return self._beyond(1), self._beyond(-1)

    def _beyond(self, step: int) -> int:
        tail = 0.05
        for total in sorted(self.chances)[::step]:
            tail -= self.chances[total]
            if tail < 0:
                return total
        return max(self.chances)


class Harm(Struct, frozen=True):
    """The expected harm of a combatant in points, and how likely they are down afterwards; recovery is negative."""

    combatant: str
    name: str
    stun: float
    damage: float
    down: float


class Odds(Struct, frozen=True):
    """The odds of everything that the open dice decide, over the number of `ways` in which they may fall.

    `left_out` is the chance of the ways that were too unlikely to be followed to their end.
    """

    chances: tuple[Chances, ...]
    harm: tuple[Harm, ...]
    ways: int
    left_out: float
    totals: tuple[Total, ...] = ()

    def __add__(self, other: Odds) -> Odds:
        """Return the odds of two things that have no die in common."""
        return Odds(
            self.chances + other.chances,
            self.harm + other.harm,
            self.ways + other.ways,
            max(self.left_out, other.left_out),
            self.totals + other.totals,
        )


class DecidedOutcome(NamedTuple):
    """One decision: its subject, its outcome, and the words for each outcome."""

    subject: str
    outcome: str
    words: Mapping[str, str]


class _Fell(NamedTuple):
    """One way in which all dice fell, whether it is a full success, and the totals of the rolls."""

    dice: tuple[Die, ...]
    full: bool
    totals: tuple[int, ...] = ()


def odds(odds_rows: Iterable[DiceOutcome], before: Encounter, scene: RulingContext) -> Odds:
    """Return the odds over those cases; `before` is the state before the dice fall, `scene` names the combatants."""
    ways, left_out = 0, 0.0
    outcomes: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    falls: dict[str, list[_Fell]] = defaultdict(list)
    words: dict[str, Mapping[str, str]] = {}
    totals: dict[tuple[str, int | None], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    harm: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    teller = OutcomeClassifier(scene)
    for case in odds_rows:
        ways += 1
        chance = float(case.probability)
        if case.judging is None:
            left_out += chance
            continue
        for one in teller.decided(case.judging.events):
            outcomes[one.subject][one.outcome].append(chance)
            sums = tuple(event.total for event in case.judging.events if isinstance(event, e.RollMade))
            falls[one.subject].append(_Fell(case.dice, one.outcome == "full", sums))
            words[one.subject] = one.words
        for subject, difficulty, total in summed_totals(case.judging.events, scene):
            totals[subject, difficulty][total].append(chance)
        for name, hurt in _hurt(before, case.judging.state):
            harm[name].append(tuple(chance * worth for worth in hurt))
    return Odds(
        tuple(
            Chances(subject, {o: fsum(chances[o]) for o in chances}, dict(words[subject]), _needs(falls[subject], ways))
            for subject, chances in outcomes.items()
        ),
        tuple(
            Harm(name, scene.name(name), *map(fsum, zip(*hurts, strict=True)))
            for name, hurts in harm.items()
            if any(map(any, hurts))
        ),
        ways,
        left_out,
        tuple(_total(subject, chances, difficulty) for (subject, difficulty), chances in totals.items()),
    )


def possible_outcomes(ruling: Ruling, rules: Rulebook) -> tuple[DiceOutcome, ...]:
    """Return every way in which the dice of an exchange might have fallen when it was resolved.

    Returns () if there are more than MOST_WAYS, if no dice decided it, or if newer rules of the program refuse it.
    """
    command, before = ruling.command, ruling.before
    kinds = [SIDES[die.kind] for event in ruling.events for die in dice_of(event)]
    if not isinstance(command, Resolve) or command.outcome or not kinds or prod(kinds) > MOST_WAYS:
        return ()
    try:
        open_dice = with_faces_open(before), without_faces(command)
        return tuple(dice_outcomes(*open_dice, ruleset_for(rules, before), ruling.number))
    except Refused:
        return ()


class OutcomeClassifier:
    """A classifier of what events decide, in the words of a scene; it caches the words."""

    def __init__(self, scene: RulingContext) -> None:
        self._scene = scene
        self._known: dict[tuple[object, ...], tuple[str, Mapping[str, str]]] = {}

    def decided(self, events: Iterable[e.Event]) -> Iterator[DecidedOutcome]:
        """Yield all that the events decide; a manipulation that cannot shift anybody counts as failed."""
        scene = self._scene
        events = tuple(events)
        in_vain = {one.combatant for one in events if isinstance(one, e.ManipulationResolved) and not one.effective}
        for event in events:
            kind = type(event)
            if kind in OUTCOME_SENTENCES:
                about = (kind, *(getattr(event, field, "") for field in SUBJECT_FIELDS))
                if about not in self._known:
                    self._known[about] = phrase_for(OUTCOME_SENTENCES, event, scene), _words(event, scene)
                subject, words = self._known[about]
                outcome = event.outcome  # type: ignore[attr-defined]  # all events of that table have one
                yield DecidedOutcome(
                    subject, "fail" if in_vain and _manipulates(event, in_vain, scene) else outcome, words
                )
            if isinstance(event, e.ContestResolved):
                subject = f"{scene.name(event.opponent)}'s contest with {scene.name(event.combatant)}"
                yield DecidedOutcome(subject, event.opponent_outcome, RESULTS)
            elif isinstance(event, e.InitiativeEstablished) and event.dice:
                for name in event.order:
                    begins = "full" if name == event.order[0] else "fail"
                    yield DecidedOutcome(f"{scene.name(name)} begins", begins, BEGINS)


def _manipulates(event: e.Event, people: Collection[str], scene: RulingContext) -> bool:
    """Return True if the event belongs to a manipulation by one of those people."""
    number = getattr(event, "action", None) or getattr(event, "exchange", None)
    action = scene.action(number) if number else None
    return action is not None and action.manipulation is not None and action.combatant in people


def _words(event: e.Event, scene: RulingContext) -> Mapping[str, str]:
    """Return the words for each outcome: a strike hits or misses, anything else succeeds or fails."""
    if not isinstance(event, STRIKE_EVENTS):
        return RESULTS
    number = event.action if isinstance(event, e.CounterattackResolved) else event.exchange
    action = scene.action(number) if not isinstance(event, e.ThrownBodyStruck) else None
    return RESULTS if action and action.manipulation else HIT_WORDS


def _check_subject(event: e.SuccessRolled, scene: RulingContext) -> str:
    return f"{scene.name(event.combatant)}'s check{f' ({event.what})' if event.what else ''}"


def _exchange_subject(event: e.AttackResolved | e.ActionResolved, scene: RulingContext) -> str:
    return exchange_words(event.exchange, scene)


def _reaction_subject(event: e.CounterattackResolved | e.InterferenceResolved, scene: RulingContext) -> str:
    action = scene.action(event.action)
    kind = "tackle" if action and action.manipulation else action.kind if action else "reaction"
    return f"{scene.name(action.combatant) if action else f'Ruling {event.action}'}'s {kind}"


STRIKE_EVENTS = (e.AttackResolved, e.CounterattackResolved, e.ThrownBodyStruck)
OUTCOME_SENTENCES: Sentences = {
    e.ActionResolved: _exchange_subject,
    e.AttackResolved: _exchange_subject,
    e.RamResolved: _exchange_subject,
    e.CounterattackResolved: _reaction_subject,
    e.InterferenceResolved: _reaction_subject,
    e.ThrownBodyStruck: "{thrown}, thrown into {target}",
    e.SuccessRolled: _check_subject,
    e.ContestResolved: "{combatant}'s contest with {opponent}",
    e.HealingRolled: "{combatant}'s attempt to heal",
    e.InstantStandResolved: "{combatant}'s attempt to stand up at once",
    e.StealthRolled: "{combatant}'s stalking of {target}",
    e.RidingResolved: "{combatant}'s attempt to stay on {mount}",
    e.MountRestraintResolved: "{combatant}'s attempt to hold {mount}",
}
"""The events that decide something, with the words for the subject of each."""
SUBJECT_FIELDS = ("exchange", "action", "combatant", "target", "opponent", "mount", "what", "thrown")
"""The fields on which the words for a subject depend."""
SUMS: Sentences = {
    e.InitiativeRolled: "{combatant}'s initiative",
    e.ActionPerformed: "{combatant}'s {action:s}",
    e.FreeRollMade: "{combatant}'s roll for {what:s}",
    e.RelatedSkillRolled: "{combatant}'s {skill:s}",
    e.PointSpent: "{combatant}'s roll with the point",
}
"""The events with dice that are added up, with the words for the subject of each."""


def summed_totals(events: Iterable[e.Event], scene: RulingContext) -> Iterator[tuple[str, int | None, int]]:
    """Yield each total of dice that are added up: its subject, its difficulty if it has one, and the total."""
    for event in events:
        if isinstance(event, e.CodeRolled) and event.roll:
            # For a die bought with a point, the total of the whole roll counts.
            event_spent = event if isinstance(event, e.PointSpent) else None
            raised = scene.ruling.before.window.action(event_spent.exchange) if event_spent else None
            difficulty = raised.difficulty if raised else getattr(event, "difficulty", None)
            yield (
                phrase_for(SUMS, event, scene),
                difficulty,
                (event_spent.total if event_spent else 0) or event.roll.total,
            )


def _total(subject: str, chances_by_total: Mapping[int, list[float]], difficulty: int | None) -> Total:
    chances = {total: fsum(chances_by_total[total]) for total in sorted(chances_by_total)}
    average = fsum(total * chance for total, chance in chances.items()) / fsum(chances.values())
    reaches = None if difficulty is None else fsum(chances[total] for total in chances if total >= difficulty)
    return Total(subject, average, chances, difficulty, reaches)


def _hurt(before: Encounter, after: Encounter) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """Yield each combatant who changed, with the points of stun and damage they took, and 1 if they went down."""
    for name, now in after.combatants.items():
        was = before.combatants.get(name)
        if was is not None and was is not now and (was.pools, was.condition) != (now.pools, now.condition):
            down = was.condition == "able" and now.condition != "able"
            yield name, (now.pools.stun - was.pools.stun, now.pools.damage - was.pools.damage, down)


def _needs(falls: Sequence[_Fell], ways: int) -> str:
    """Return the face that the one deciding die must show, or how it must compare to another die if two decide."""
    if len(falls) != ways:
        return ""
    if len({fell.full for fell in falls}) == 1:
        return "" if falls[0].full else _out_of_reach(falls)
    faces = [({die.key: die.face for die in fell.dice}, fell.full) for fell in falls]
    always = [die.key for die in falls[0].dice if all(die.key in fell for fell, _ in faces)]
    for key in always:
        least = _least((fell[key], full) for fell, full in faces)
        if least is not None:
            return f"{least} or more" if least < SIDES[read_key(key).kind] else f"a {least}"
    for key, other in permutations(always, 2):
        least = _least((fell[key] - fell[other], full) for fell, full in faces)
        if least is not None:
            return _difference(least)
    return ""


def _out_of_reach(falls: Sequence[_Fell]) -> str:
    """Return the best total against the least one that it must beat, if it cannot succeed; "" for other rolls."""
    if {len(fell.totals) for fell in falls} != {2}:
        return ""
    best, least = max(fell.totals[0] for fell in falls), min(fell.totals[1] for fell in falls)
    return f"impossible: at best {best} against at least {least}" if best < least else ""


def _least(values: Iterable[tuple[int, bool]]) -> int | None:
    """Return the value from which on everything succeeds and below which nothing does; None if there is none."""
    good: list[int] = []
    bad: list[int] = []
    for value, full in set(values):
        (good if full else bad).append(value)
    return min(good) if min(good) > max(bad) else None


def _difference(least: int) -> str:
    if least > 0:
        return f"a die at least {least} higher than the other"
    return f"a die at most {-least} lower than the other" if least else "a die at least as high as the other"
