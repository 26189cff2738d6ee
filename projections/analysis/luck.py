"""The luck of everybody in a fight: their dice against the exact expectation, and the die that decided the fight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import fsum, prod
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from mam_events import events as e
from mam_events.dice import SIDES, Die, DieKey, read_key
from mam_events.history.judge.other_dice import AlternateFace, RecordedJudge, ends_as_recorded, ends_differently
from mam_events.history.judge.ruling_judge import ruleset_for
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import Ruling, living_plays
from projections.analysis.odds import possible_outcomes
from projections.analysis.undone_dice import UndoneDie, undone_dice
from projections.analysis.what_if import fight_ending

if TYPE_CHECKING:
    from mam_events.decider.engine import Ruleset
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor

FEW = 5
"""The least number of dice for which luck is reported."""
MOST_JUDGED = 10_000
"""The most rulings that are judged again in search of the deciding die."""
NOT_ONES_OWN = {"armor", "opposition"}
"""The roles of dice whose high faces do not help the combatant they are rolled for."""
WILD = ("-wild", "-bought")
"""The endings of the roles of dice that explode, if the house rules have exploding dice."""
EXPLODED = "-exploded"
EXPLOSIONS = 12
"""The most explosions of one die that are counted: a 13th is less likely than one in ten billion."""
EXPLODING_MEAN = 4.2
EXPLODING_VARIANCE = 10.64
"""Mean and variance of a d6 that is rolled again and added each time it shows a six."""
FACES_COUNT = ("d20", "d10")
"""The dice that count at face value even if the highest face of the others counts as zero (MAM-DICE-03)."""
HIT_CHANCES = {"full": 1.0, "half": 0.5, "fail": 0.0}


class DiceLuck(Struct, frozen=True):
    """The dice of one combatant: their number, the sum of their `faces`, and its exact mean and standard deviation.

    `chance` is how likely the same dice come to that sum or a more extreme one: to more if it is above the mean, else
    to less (None: there are too few dice). `hits` are the hits of `attacks`, where a half hit counts 0.5;
    `expected_hits` is the average over all ways in which their dice might have fallen.
    """

    combatant: str
    name: str
    dice: int
    faces: int
    mean: float
    deviation: float
    chance: float | None
    attacks: int = 0
    hits: float = 0.0
    expected_hits: float = 0.0

    @property
    def is_lucky(self) -> bool:
        """True if the dice are above their mean."""
        return self.faces > self.mean


class DecidingDie(Struct, frozen=True):
    """The last die that decided the fight: with another face, `winner` would not have won.

    It must have felled or spared somebody. `face` fell; with `otherwise`, the nearest face that changes the result,
    `instead` would have won ("": nobody alone). `felled` are the names of those who went down in that ruling and would
    not have with the other face; `spared` are those who would have. Both are empty only if nobody is down at the end:
    then it is the die that cost most points.
    """

    ruling: int
    key: str
    kind: str
    combatant: str
    name: str
    role: str
    face: int
    otherwise: int
    winner: str
    instead: str
    felled: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()


class Luck(Struct, frozen=True):
    """The luck of everybody who rolled, the `winner`, and the die that decided the fight.

    Luck is reported from `few` dice on. `winner` is the only side with anybody able ("": there is none). `decider` is
    None if no single die decided, if there is no winner, or if parts of the fight are hidden. The search for it went
    from the end back to ruling `tried` (0: to the beginning). `undone` are the dice that were drawn and then undone by
    a correction.
    """

    fortunes: tuple[DiceLuck, ...]
    few: int
    winner: str
    decider: DecidingDie | None
    tried: int = 0
    undone: tuple[UndoneDie, ...] = ()


def luck(timeline: Timeline, rules: Rulebook, redactor: Redactor, on_progress: Callable[[], object] = bool) -> Luck:
    """Return the luck of a fight as it now counts, as far as it is visible; call `on_progress` twice per play."""
    plays = list(living_plays(timeline))
    visible_plays = [ruling for ruling in plays if redactor.shows(ruling)]
    fortunes = tuple(_fortunes(timeline, rules, visible_plays, redactor, on_progress))
    winner = _winner(timeline.state, redactor)
    # If parts of the fight are hidden, the effect of another face could reveal them.
    asks = winner and len(visible_plays) == len(plays)
    decider, tried = _decider(timeline, rules, redactor, winner, on_progress) if asks else (None, 0)
    return Luck(fortunes, FEW, winner, decider, tried, undone_dice(timeline, redactor))


def _fortunes(
    timeline: Timeline,
    rules: Rulebook,
    rulings: Iterable[Ruling],
    redactor: Redactor,
    on_progress: Callable[[], object],
) -> Iterator[DiceLuck]:
    throws: dict[str, list[_Throw]] = defaultdict(list)
    hits: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for ruling in rulings:
        events = map(redactor.read, ruling.events)
        for name, throw in _throws(
            (die for event in events for die in dice_of(event)), ruleset_for(rules, ruling.before)
        ):
            throws[name].append(throw)
        for name, actual, expected in _hits(rules, ruling):
            hits[name].append((actual, expected))
        on_progress()
    for combatant in redactor.combatants(timeline.state):
        if throws[combatant.id]:
            yield _fortune(combatant.id, combatant.name, throws[combatant.id], hits[combatant.id])


class _Throw(NamedTuple):
    """A die as it fell; `explodes` marks a die that may explode, `further` a die that an explosion added."""

    sides: int
    face: int
    explodes: bool
    further: bool


def _throws(dice: Iterable[Die], ruleset: Ruleset) -> Iterator[tuple[str, _Throw]]:
    """Yield every die that counts for luck, with the id of its roller."""
    explodes = ruleset.get("rd6_wild_die") == "explode_on_six"
    zero = ruleset.get("substitute_zero_face") == "highest_counts_as_zero"
    for die in {die.key: die for die in dice}.values():
        key = read_key(die.key)
        if key.role not in NOT_ONES_OWN and not (zero and die.kind not in FACES_COUNT):
            wild, is_further = explodes and key.role.endswith(WILD), key.role.endswith(EXPLODED)
            yield key.roller, _Throw(SIDES[die.kind], die.face, wild, is_further)


def _fortune(combatant: str, name: str, throws: Sequence[_Throw], hits: Sequence[tuple[float, float]]) -> DiceLuck:
    faces = sum(throw.face for throw in throws)
    # The mean of an exploding die already includes the dice that it adds.
    own = [throw for throw in throws if not throw.further]
    plain = [throw.sides for throw in own if not throw.explodes]
    wild = len(own) - len(plain)
    variance = sum(sides**2 - 1 for sides in plain) / 12 + wild * EXPLODING_VARIANCE
    return DiceLuck(
        combatant,
        name,
        len(throws),
        faces,
        sum(sides + 1 for sides in plain) / 2 + wild * EXPLODING_MEAN,
        variance**0.5,
        chance_of(faces, plain, wild) if len(own) >= FEW else None,
        len(hits),
        sum(actual for actual, _ in hits),
        sum(expected for _, expected in hits),
    )


def chance_of(faces: int, plain: Sequence[int], wild: int = 0) -> float:
    """Return the chance that the dice come to that sum, or to one farther from their mean on the same side.

    `plain` are the numbers of sides of plain dice, `wild` is the number of exploding d6.
    """
    ways = [1]
    for sides in plain:
        running, more = 0, []
        for at in range(len(ways) + sides - 1):
            running += (ways[at] if at < len(ways) else 0) - (ways[at - sides] if at >= sides else 0)
            more.append(running)
        ways = more
    total = prod(plain)
    # The list starts at the least sum: each die shows at least one.
    chances = [way / total for way in ways]
    for _ in range(wild):
        chances = _with_wild(chances)
    mean = sum(sides + 1 for sides in plain) / 2 + wild * EXPLODING_MEAN
    above = faces - len(plain) - wild
    return fsum(chances[above:] if faces >= mean else chances[: above + 1])


def _with_wild(chances: Sequence[float]) -> list[float]:
    """Return the chances of all sums with one more exploding d6."""
    result: list[float] = []
    for at in range(len(chances) + 6 * EXPLOSIONS):
        once = fsum(chances[max(0, at - 4) : at + 1])
        result.append((once + (result[at - 6] if at >= 6 else 0)) / 6)  # noqa: PLR2004 - the face that explodes
    return result


def _hits(rules: Rulebook, ruling: Ruling) -> Iterator[tuple[str, float, float]]:
    """Yield each striker in a ruling with the hit they scored and the hit to be expected (full 1, half 0.5).

    Nothing is yielded if there are too many ways in which the dice may fall.
    """
    expected: dict[str, float] = defaultdict(float)
    ways = possible_outcomes(ruling, rules)
    for case in ways:
        for name, hit in _strikes(case.judging.events, ruling.before) if case.judging else ():
            expected[name] += float(case.probability) * hit
    if ways:
        for name, hit in _strikes(ruling.events, ruling.before):
            yield name, hit, expected[name]


def _strikes(events: Iterable[e.Event], before: Encounter) -> Iterator[tuple[str, float]]:
    """Yield each striker with the hit that they scored (full 1, half 0.5, miss 0)."""
    for event in events:
        if isinstance(event, e.AttackResolved | e.CounterattackResolved) and before.exchange:
            number = event.action if isinstance(event, e.CounterattackResolved) else event.exchange
            action = before.exchange.action(number)
            if action and not action.manipulation:
                yield action.combatant, HIT_CHANCES[event.outcome]


def _winner(state: Encounter, redactor: Redactor) -> str:
    """Return the only side with anybody able, or the only one able if they have no side; "" if there is none."""
    standing = list(fight_ending([(0, state)], redactor).standing.items())
    if len(standing) != 1:
        return ""
    ((side, able),) = standing
    return side or (state.combatants[able[0]].name if len(able) == 1 else "")


def _decider(
    timeline: Timeline, rules: Rulebook, redactor: Redactor, winner: str, on_progress: Callable[[], object]
) -> tuple[DecidingDie | None, int]:
    """Return the deciding die, and the ruling at which the search from the end stopped (0: it was complete)."""
    judge = RecordedJudge(timeline, rules)
    marks: list[None] = []

    def turned(ruling: Ruling, *, fates: bool) -> DecidingDie | None:
        up = _able(ruling.after)
        # A harmless miss may change the end through later actions, but no table would say that it decided the fight.
        others = ends_differently(
            timeline,
            judge,
            ruling.number,
            lambda: marks.append(None),
            lambda state: not fates or _able(state) != up,
        )
        for other, end in others:
            other_winner = _winner(end, redactor)
            if other_winner != winner and ends_as_recorded(timeline, judge, ruling.number):
                return _decided_by(ruling, other, winner, other_winner)
        return None

    plays = [*living_plays(timeline)][::-1]
    for ruling in plays:
        if len(marks) > MOST_JUDGED:
            return None, ruling.number
        if die := turned(ruling, fates=True):
            return die, 0
        on_progress()
    down = any(who.condition in ("incapacitated", "dead") for who in timeline.state.combatants.values())
    for ruling in () if down else sorted(filter(_harm, plays), key=_harm, reverse=True):
        if len(marks) > MOST_JUDGED:
            return None, plays[0].number
        if die := turned(ruling, fates=False):
            return die, 0
    return None, 0


def _decided_by(ruling: Ruling, other: AlternateFace, winner: str, other_winner: str) -> DecidingDie:
    key: DieKey = read_key(other.die.key)
    people = ruling.after.combatants
    able_before, able_after = _able(ruling.after), _able(other.judging.state)
    return DecidingDie(
        ruling.number,
        other.die.key,
        other.die.kind,
        key.roller,
        people[key.roller].name if key.roller in people else key.roller,
        key.role.partition("-")[0],
        other.die.face,
        other.face,
        winner,
        other_winner,
        felled=tuple(people[who].name for who in able_after if who not in able_before),
        spared=tuple(people[who].name for who in able_before if who not in able_after),
    )


def _able(state: Encounter) -> list[str]:
    return [name for name, who in state.combatants.items() if who.condition == "able"]


def _harm(ruling: Ruling) -> int:
    """Return the points of stun and damage that a ruling inflicted."""
    return sum(event.stun + event.damage for event in ruling.events if isinstance(event, e.WoundInflicted))
