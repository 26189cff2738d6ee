"""The luck of everybody in a fight: its dice against their exact expectation, and the die that decided the fight."""

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
"""Of fewer dice nothing is said: anything may happen to four."""
MOST_JUDGED = 10_000
"""So many rulings are judged again in search of the die that decided."""
NOT_ONES_OWN = {"armor", "opposition"}
"""The roles of dice of which more is no better for whoever they are rolled for."""
WILD = ("-wild", "-bought")
"""The ends of the roles of dice of a code that explode, where the house has that."""
EXPLODED = "-exploded"
EXPLOSIONS = 12
"""So often a die may explode in a reckoning: a thirteenth time is less likely than one in ten billion."""
EXPLODING_MEAN = 4.2
EXPLODING_VARIANCE = 10.64
"""Those of a d6 that is thrown again and added as often as it shows a six."""
FACES_COUNT = ("d20", "d10")
"""The dice that count as they fall, also where the highest face of others counts as nothing (MAM-DICE-03)."""
HIT_CHANCES = {"full": 1.0, "half": 0.5, "fail": 0.0}


class DiceLuck(Struct, frozen=True):
    """The dice of one combatant: how many, the sum of their faces, its exact mean and standard deviation, and how
    likely such dice come to that much or more, where they are above the mean, else to that little or less (None: there
    are too few to say so).

    `hits` are those of `attacks` with half a hit as a half, `expected_hits` the average over every way in which their
    dice might have fallen.
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
    def lucky(self) -> bool:
        """True if its dice are above their mean."""
        return self.faces > self.mean


class DecidingDie(Struct, frozen=True):
    """The last die of a fight that felled or spared somebody, and with another face another side, or nobody alone,
    would be left able: its ruling, whose and what for, the face that fell, the nearest `otherwise`, and who would have
    won ("": nobody alone) in place of the `winner`.

    `felled` and `spared` are names: those who went down in that ruling and would not have with the other face, and
    those who would have. Both are empty only where nobody is down in the end: then it is the die that cost most points.
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
    """The luck of everybody who rolled, of `few` dice and more; the only side with anybody able ("": there is none),
    and the die that decided it (None: none did alone, or there is nothing decided, or not all of it is seen). `tried`
    is the ruling up to which one was looked for from the end on (0: up to the beginning), `undone` are the dice that
    were drawn and that a correction took back.
    """

    fortunes: tuple[DiceLuck, ...]
    few: int
    winner: str
    decider: DecidingDie | None
    tried: int = 0
    undone: tuple[UndoneDie, ...] = ()


def luck(timeline: Timeline, rules: Rulebook, screen: Redactor, watch: Callable[[], object] = bool) -> Luck:
    """The luck of a fight as it now counts, as far as that view sees; `watch` is called twice for every living play."""
    plays = list(living_plays(timeline))
    shown = [ruling for ruling in plays if screen.shows(ruling)]
    fortunes = tuple(_fortunes(timeline, rules, shown, screen, watch))
    winner = _winner(timeline.state, screen)
    # Of a fight that is hidden in part, what would have come of a die would tell of the rest.
    asks = winner and len(shown) == len(plays)
    decider, tried = _decider(timeline, rules, screen, winner, watch) if asks else (None, 0)
    return Luck(fortunes, FEW, winner, decider, tried, undone_dice(timeline, screen))


def _fortunes(
    timeline: Timeline, rules: Rulebook, shown: Iterable[Ruling], screen: Redactor, watch: Callable[[], object]
) -> Iterator[DiceLuck]:
    throws: dict[str, list[_Throw]] = defaultdict(list)
    hits: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for ruling in shown:
        events = map(screen.read, ruling.events)
        for name, throw in _throws(
            (die for event in events for die in dice_of(event)), ruleset_for(rules, ruling.before)
        ):
            throws[name].append(throw)
        for name, came, expected in _hits(rules, ruling):
            hits[name].append((came, expected))
        watch()
    for combatant in screen.combatants(timeline.state):
        if throws[combatant.id]:
            yield _fortune(combatant.id, combatant.name, throws[combatant.id], hits[combatant.id])


class _Throw(NamedTuple):
    """One die as it fell: its sides and its face; it may be one that `explodes`, or a `further` one that such a die
    brought.
    """

    sides: int
    face: int
    explodes: bool
    further: bool


def _throws(dice: Iterable[Die], ruleset: Ruleset) -> Iterator[tuple[str, _Throw]]:
    """Every die that tells of luck, by whose it is."""
    explodes = ruleset.get("rd6_wild_die") == "explode_on_six"
    zero = ruleset.get("substitute_zero_face") == "highest_counts_as_zero"
    for die in {die.key: die for die in dice}.values():
        key = read_key(die.key)
        if key.role not in NOT_ONES_OWN and not (zero and die.kind not in FACES_COUNT):
            wild, further = explodes and key.role.endswith(WILD), key.role.endswith(EXPLODED)
            yield key.roller, _Throw(SIDES[die.kind], die.face, wild, further)


def _fortune(combatant: str, name: str, throws: Sequence[_Throw], hits: Sequence[tuple[float, float]]) -> DiceLuck:
    faces = sum(throw.face for throw in throws)
    # What a die brings that explodes is in the mean of that die.
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
        sum(came for came, _ in hits),
        sum(expected for _, expected in hits),
    )


def chance_of(faces: int, plain: Sequence[int], wild: int = 0) -> float:
    """The chance that plain dice of those sides, and so many d6 that explode, come to that sum, or to one farther from
    their mean on the same side.
    """
    ways = [1]
    for sides in plain:
        running, more = 0, []
        for at in range(len(ways) + sides - 1):
            running += (ways[at] if at < len(ways) else 0) - (ways[at - sides] if at >= sides else 0)
            more.append(running)
        ways = more
    whole = prod(plain)
    # From the least sum on: each die shows one at least.
    chances = [way / whole for way in ways]
    for _ in range(wild):
        chances = _with_wild(chances)
    mean = sum(sides + 1 for sides in plain) / 2 + wild * EXPLODING_MEAN
    above = faces - len(plain) - wild
    return fsum(chances[above:] if faces >= mean else chances[: above + 1])


def _with_wild(chances: Sequence[float]) -> list[float]:
    """The same with one exploding die more: one of five faces falls, or a six and it all over again."""
    found: list[float] = []
    for at in range(len(chances) + 6 * EXPLOSIONS):
        once = fsum(chances[max(0, at - 4) : at + 1])
        found.append((once + (found[at - 6] if at >= 6 else 0)) / 6)  # noqa: PLR2004 - the face that explodes
    return found


def _hits(rules: Rulebook, ruling: Ruling) -> Iterator[tuple[str, float, float]]:
    """Those who struck in that ruling, whether it hit, and how much of a hit was to be expected; none where the ways in
    which its dice may fall are not few.
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
    """Those who struck, and what of a hit it was."""
    for event in events:
        if isinstance(event, e.AttackResolved | e.CounterattackResolved) and before.exchange:
            number = event.action if isinstance(event, e.CounterattackResolved) else event.exchange
            action = before.exchange.action(number)
            if action and not action.manipulation:
                yield action.combatant, HIT_CHANCES[event.outcome]


def _winner(state: Encounter, screen: Redactor) -> str:
    """The only side with anybody able, or the only one able where he is of no side; "" where there is no such one."""
    standing = list(fight_ending([(0, state)], screen).standing.items())
    if len(standing) != 1:
        return ""
    ((side, able),) = standing
    return side or (state.combatants[able[0]].name if len(able) == 1 else "")


def _decider(
    timeline: Timeline, rules: Rulebook, screen: Redactor, winner: str, watch: Callable[[], object]
) -> tuple[DecidingDie | None, int]:
    """The die, and the ruling up to which it was looked for from the end on (0: up to the beginning)."""
    judge = RecordedJudge(timeline, rules)
    judged: list[None] = []

    def turned(ruling: Ruling, *, fates: bool) -> DecidingDie | None:
        up = _able(ruling.after)
        # A harmless miss may turn a fight by what everybody does after it, but no table would say that it decided.
        others = ends_differently(
            timeline,
            judge,
            ruling.number,
            lambda: judged.append(None),
            lambda state: not fates or _able(state) != up,
        )
        for other, end in others:
            instead = _winner(end, screen)
            if instead != winner and ends_as_recorded(timeline, judge, ruling.number):
                return _decided_by(ruling, other, winner, instead)
        return None

    plays = [*living_plays(timeline)][::-1]
    for ruling in plays:
        if len(judged) > MOST_JUDGED:
            return None, ruling.number
        if found := turned(ruling, fates=True):
            return found, 0
        watch()
    down = any(who.condition in ("incapacitated", "dead") for who in timeline.state.combatants.values())
    for ruling in () if down else sorted(filter(_harm, plays), key=_harm, reverse=True):
        if len(judged) > MOST_JUDGED:
            return None, plays[0].number
        if found := turned(ruling, fates=False):
            return found, 0
    return None, 0


def _decided_by(ruling: Ruling, other: AlternateFace, winner: str, instead: str) -> DecidingDie:
    key: DieKey = read_key(other.die.key)
    people = ruling.after.combatants
    now, then = _able(ruling.after), _able(other.judging.state)
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
        instead,
        felled=tuple(people[who].name for who in then if who not in now),
        spared=tuple(people[who].name for who in now if who not in then),
    )


def _able(state: Encounter) -> list[str]:
    return [name for name, who in state.combatants.items() if who.condition == "able"]


def _harm(ruling: Ruling) -> int:
    """The points of stun and damage that a ruling brought."""
    return sum(event.stun + event.damage for event in ruling.events if isinstance(event, e.WoundInflicted))
