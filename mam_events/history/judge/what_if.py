"""A fight judged again under other rules, with nothing written.

It uses the same commands and the dice on record. A die that nobody threw comes from a public source and is marked
hypothetical.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.dice import Die
from mam_events.errors import Refused
from mam_events.events import Strike, Verdict
from mam_events.history.judge.rejudge import rejudge, rejudge_one, with_causes
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.ruling_judge import RulingJudge
from mam_events.history.judge.verdicts import compare_as_played, is_same_reason
from mam_events.history.seed import draw
from mam_events.history.timeline.change import SUPPOSED, Change
from mam_events.history.timeline.entries import dice_of
from mam_events.state import Encounter

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.decider.engine import Ruleset
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook

DIFFERING = ("changed", "void")
NO_HOUSE_RULES: Mapping[str, str] = MappingProxyType({})


class RulingPair(Struct, frozen=True):
    """One living ruling judged twice by today's program: as `played`, and as `supposed` under other rules.

    `verdict` compares the second with the first.
    """

    played: RejudgedRuling
    supposed: RejudgedRuling
    verdict: Verdict

    @property
    def ruling(self) -> int:
        """The number of the ruling."""
        return self.played.ruling

    @property
    def has_moved_on(self) -> bool:
        """True if it differs from the record even as played, because the program's rules have changed."""
        return self.played.verdict != "stands"

    @property
    def hypothetical(self) -> int:
        """The number of dice in the supposed outcome that nobody threw or drew."""
        return sum(die.source == "hypothetical" for event in self.supposed.events for die in dice_of(event))


class WhatIfFight(Struct, frozen=True):
    """A fight from place `first` of the living order on: every living ruling as played, and under the `house_rules`.

    `before` is the state before that place. `blamed` are the house rules that by themselves cause the first difference,
    or all of them if none does alone.
    """

    house_rules: Mapping[str, str]
    first: int
    before: Encounter
    pairs: tuple[RulingPair, ...]
    blamed: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[RulingPair, ...]:
        """The pairs whose two outcomes differ."""
        return tuple(pair for pair in self.pairs if pair.verdict in DIFFERING)

    @property
    def moved_on(self) -> tuple[int, ...]:
        """The rulings that differ from the record only because the program's rules have changed."""
        return tuple(pair.ruling for pair in self.pairs if pair.has_moved_on)

    @property
    def played(self) -> Encounter:
        """The state of the fight as it was played, by today's program."""
        return self.pairs[-1].played.state if self.pairs else self.before

    @property
    def supposed(self) -> Encounter:
        """The state of the fight as it would be."""
        return self.pairs[-1].supposed.state if self.pairs else self.before


class HypotheticalJudge(RulingJudge):
    """A judge of a complete fight, with `house_rules` applied on top of the rules in force.

    A die that is not on record comes from a public source, keyed by the encounter's commitment and those rules: the
    same for everybody who asks, and different from those of the encounter's own seed.
    """

    __slots__ = ("_rulebook", "_seed", "_timeline", "house_rules")

    def __init__(self, timeline: Timeline, rules: Rulebook, house_rules: Mapping[str, str] = NO_HOUSE_RULES) -> None:
        super().__init__(lambda: rules)
        self._timeline = timeline
        self._rulebook = rules
        self.house_rules = house_rules
        self._seed = b""

    def ruleset(self, state: Encounter, command: Command | None = None) -> Ruleset:
        """Return the rules supposed in that state; raise Refused as `Rulebook.changed` does."""
        in_force = super().ruleset(state, command)
        if self.house_rules:
            in_force = self._rulebook.changed(in_force.pinned, self.house_rules)
        self._seed = hashlib.sha256(f"{state.commitment}/{in_force.pinned.fingerprint}".encode()).digest()
        return in_force

    def die(self, ruling: int, key: str, kind: str, field: str) -> Die:
        """Return the die on record, or the public one with that key."""
        on_record = self._timeline.drawn(ruling).get(key)
        return on_record or Die(key, kind, draw(self._seed, (), key), "hypothetical")


def rejudge_under(
    timeline: Timeline,
    rules: Rulebook,
    house_rules: Mapping[str, str],
    *,
    first: int = 0,
    on_progress: Callable[[], object] = bool,
) -> WhatIfFight:
    """Return the fight from that place on under those house rules, beside the fight as it was played.

    Today's program judges both, so changes by newer rules of the program are kept apart. `on_progress` is called once
    per judgement. Raises Refused as `Rulebook.ruleset` does for unknown or contradictory house rules.
    """
    before = timeline.state_before(first)
    if before.ruleset is None and timeline.order:
        # The opening pins the rules and stays as it was played.
        before, first = timeline.states[0], max(first, 1)
    HypotheticalJudge(timeline, rules, house_rules).ruleset(before)
    change = Change(first, len(timeline.order), timeline.order)
    played = _again(timeline, rules, change, NO_HOUSE_RULES, on_progress)
    supposed = _again(timeline, rules, replace(change, supposed=True), house_rules, on_progress)
    pairs = _paired(played, supposed)
    at = next((at for at, pair in enumerate(pairs) if pair.verdict in DIFFERING), None)
    if at is None:
        return WhatIfFight(house_rules, first, before, pairs)
    state = pairs[at - 1].played.state if at else before
    return WhatIfFight(house_rules, first, before, pairs, _blamed(timeline, rules, house_rules, pairs[at], state))


def rejudge_unchanged(timeline: Timeline, rules: Rulebook, *, on_progress: Callable[[], object] = bool) -> WhatIfFight:
    """Return the fight as today's program judges it, with nothing supposed, beside the fight on record.

    `on_progress` is called once per judgement.
    """
    first = min(1, len(timeline.order))
    change = Change(first, len(timeline.order), timeline.order)
    now = _again(timeline, rules, change, NO_HOUSE_RULES, on_progress)
    pairs = tuple(RulingPair(recorded_pair(timeline, one.ruling), one, one.verdict or "stands") for one in now)
    return WhatIfFight(NO_HOUSE_RULES, first, timeline.state_before(first), pairs)


def recorded_pair(timeline: Timeline, number: int) -> RejudgedRuling:
    """Return that play as it is on record, as if it had just been judged."""
    outcome, state = timeline.entries[number].outcome, timeline.states[timeline.place[number]]
    void = outcome.rejudged if outcome.is_void else None
    events = outcome.events(timeline.decoders)
    if void is None:
        return RejudgedRuling(number, "stands", events, state=state)
    return RejudgedRuling(number, "stands", events, void.why, void.code, state=state, reason=void.reason)


def without_play(
    timeline: Timeline, rules: Rulebook, number: int, *, on_progress: Callable[[], object] = bool
) -> WhatIfFight:
    """Return the fight from that living play on as if it had not been given, beside the fight as it was played.

    `on_progress` is called as in `rejudge_under`.
    """
    first = timeline.place[number]
    change = Change(first, len(timeline.order), timeline.order)
    played = [one for one in _again(timeline, rules, change, NO_HOUSE_RULES, on_progress) if one.ruling != number]
    # Keep turns as an undo of the play would.
    strike_change = replace(change, strikes=frozenset({number}), steps=(Strike(number),), turns="as_played")
    supposed = _again(timeline, rules, strike_change, NO_HOUSE_RULES, on_progress)
    return WhatIfFight(NO_HOUSE_RULES, first, timeline.state_before(first), _paired(played, supposed))


def _paired(played: Sequence[RejudgedRuling], supposed: Sequence[RejudgedRuling]) -> tuple[RulingPair, ...]:
    return tuple(RulingPair(was, now, _verdict(was, now)) for was, now in zip(played, supposed, strict=True))


def _blamed(
    timeline: Timeline, rules: Rulebook, house_rules: Mapping[str, str], pair: RulingPair, state: Encounter
) -> tuple[str, ...]:
    """Return the house rules that alone change that ruling in that state, or all of them if none does."""
    blamed_rulings = []
    for option, reading in house_rules.items():
        judge = HypotheticalJudge(timeline, rules, {option: reading})
        try:
            judge.ruleset(state)
        except Refused:
            # Alone, this reading contradicts another one, which a second house rule changes too.
            continue
        rejudged_alone = rejudge_one(pair.ruling, timeline, SUPPOSED, judge, state)
        if _verdict(pair.played, rejudged_alone) in DIFFERING:
            blamed_rulings.append(option)
    return tuple(blamed_rulings or house_rules)


def _again(
    timeline: Timeline,
    rules: Rulebook,
    change: Change,
    house_rules: Mapping[str, str],
    on_progress: Callable[[], object],
) -> Sequence[RejudgedRuling]:
    rejudged = rejudge(timeline, change, HypotheticalJudge(timeline, rules, house_rules), on_progress=on_progress)
    return with_causes(timeline, change, rejudged)


def _verdict(played: RejudgedRuling, supposed: RejudgedRuling) -> Verdict:
    """Return the verdict on a supposed ruling, compared with the same ruling as played."""
    if supposed.code:
        return "stands" if played.code == supposed.code and is_same_reason(played, supposed) else "void"
    return compare_as_played(None if played.code else played.events, supposed.events)
