"""Many fights judged again under other rules: a result for each, and a summary of all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.errors import MamError
from mam_events.events import AttackResolved, Verdict
from mam_events.history.judge.verdicts import compare
from mam_events.history.judge.what_if import DIFFERING, recorded_pair, rejudge_under
from projections.analysis.what_if import FightEnding, fight_ending
from projections.visibility.redaction import Redactor

if TYPE_CHECKING:
    from mam_events.history.judge.rejudgement import RejudgedRuling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution, for intervals of 95 %."""
SHOWN_FIGHTS = 5
"""The most fights that are listed of those that change most, and of those that were not judged."""
RECORDED = ("stands", "carried")


class RunOutcome(Struct, frozen=True):
    """The outcome of one fight: how it ended, its attacks, and how many of them hit, fully or by half."""

    winner: str
    rounds: int
    falls: tuple[tuple[str, int], ...]
    attacks: int
    hits: int
    halves: int


class Rerun(Struct, frozen=True):
    """A fight judged again: how many `rulings` are recorded, changed or void, and the fight as played and supposed.

    Of a branch only its own rulings count. `hypothetical` is the number of dice that nobody threw, `first` the first
    ruling that differs (0: none). `rulesets` are the fingerprints of the rules as begun and as supposed.
    `attacks_recorded` is the number of supposed attacks that come out as recorded. For a simulated fight, rulings that
    are alike under both rules count as recorded. `refused` says in a sentence why the fight could not be judged ("": it
    was); it then has only a name and a `seal`.
    """

    fight: str
    seal: str
    rulings: int = 0
    recorded: int = 0
    changed: int = 0
    void: int = 0
    hypothetical: int = 0
    moved_on: int = 0
    first: int = 0
    attacks_recorded: int = 0
    rulesets: tuple[str, str] = ("", "")
    played: RunOutcome | None = None
    supposed: RunOutcome | None = None
    refused: str = ""

    @property
    def flips(self) -> bool:
        """True if the winner differs, or if only one of the two has a winner."""
        return bool(self.played and self.supposed and self.played.winner != self.supposed.winner)


class Share(Struct, frozen=True):
    """A count out of a total, with the 95 % Wilson interval of the share."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share as a number from 0 to 1."""
        return self.count / self.of if self.of else 0.0


class Figure(Struct, frozen=True):
    """A share, and the share of its data that is still on record."""

    share: Share
    recorded: Share


class Summary(Struct, frozen=True):
    """A summary of a corpus under other rules: the numbers of fights and rulings, and what differs.

    `corpus` is the SHA-256 of all seals in order. `rulesets` are the rules as played and as supposed: the fingerprint,
    or the SHA-256 of the fingerprints of all fights in order if there are several. Of the judged fights it counts those
    that flip (`flips`), that last another number of rounds (`rounds_differ`), in which others fall or at another time
    (`falls_differ`), and in which any ruling differs (`touched`). Hit rates and mean rounds are given as played and as
    supposed. `recorded` is the share still on record, `most` are the fights that change most. `not_judged` is the
    number of fights that were not judged, and `refused` lists the first of them. `simulated` names the policy and seed
    of simulated fights ("": people played them); only then `winners` has for each side, and for none (""), how often it
    alone is left.
    """

    fights: int
    rulings: int
    corpus: str
    rulesets: tuple[str, str]
    house_rules: Mapping[str, str]
    flips: Figure
    rounds_differ: Figure
    falls_differ: Figure
    touched: Figure
    hits: tuple[Figure, Figure]
    halves: tuple[Figure, Figure]
    rounds: tuple[float, float]
    recorded: Share
    hypothetical: int
    moved_on: int
    most: tuple[Rerun, ...]
    not_judged: int
    refused: tuple[Rerun, ...]
    simulated: str = ""
    winners: Mapping[str, tuple[Share, Share]] = {}


def rerun(fight: str, timeline: Timeline, rules: Rulebook, house_rules: Mapping[str, str]) -> Rerun:
    """Judge a fight again under those house rules."""
    try:
        what_if = rejudge_under(timeline, rules, house_rules)
    except MamError as no:
        return Rerun(fight, timeline.seal, refused=no.sentence)
    begun = what_if.before.ruleset
    return replace(
        _compared(
            fight,
            timeline.seal,
            [pair.played for pair in what_if.pairs],
            [pair.supposed for pair in what_if.pairs],
            [pair.verdict for pair in what_if.pairs],
            since=timeline.branched_at,
        ),
        hypothetical=sum(pair.hypothetical for pair in what_if.pairs),
        moved_on=len(what_if.moved_on),
        rulesets=(begun.fingerprint, rules.changed(begun, house_rules).pinned.fingerprint) if begun else ("", ""),
    )


def fight_outcome(fight: str, seal: str, was: Timeline, now: Timeline) -> Rerun:
    """Compare two simulated fights under different rules, each to its own end.

    `seal` stands for party, dice and choices.
    """
    recorded_pairs, hypothetical_pairs = (
        [recorded_pair(timeline, number) for number in timeline.order] for timeline in (was, now)
    )
    # The openings always differ, because they pin the rules. Rulings after the end of the other fight have no equal.
    both = zip_longest(recorded_pairs[1:], hypothetical_pairs[1 : len(recorded_pairs)])
    verdicts: list[Verdict] = [compare(one.events, other.events) if other else "void" for one, other in both]
    rulesets = (was.states[0].ruleset, now.states[0].ruleset)
    result = _compared(fight, seal, recorded_pairs[1:], hypothetical_pairs[1:], verdicts)
    return replace(result, rulesets=tuple(pinned.fingerprint for pinned in rulesets if pinned))


def _compared(
    fight: str,
    seal: str,
    recorded_pairs: Sequence[RejudgedRuling],
    hypothetical_pairs: Sequence[RejudgedRuling],
    verdicts: Sequence[Verdict],
    since: int = 0,
) -> Rerun:
    """Return the rerun from two ways of a fight and the verdicts on the first; skip rulings up to `since`."""
    own = [(one.ruling, verdict) for one, verdict in zip(recorded_pairs, verdicts, strict=True) if one.ruling > since]
    counts = Counter(verdict for _, verdict in own)
    both = zip(hypothetical_pairs, verdicts, strict=False)
    alike = [one for one, verdict in both if one.ruling > since and verdict in RECORDED]
    return Rerun(
        fight,
        seal,
        rulings=len(own),
        recorded=len(alike),
        changed=counts["changed"],
        void=counts["void"],
        first=next((ruling for ruling, verdict in own if verdict in DIFFERING), 0),
        attacks_recorded=sum(len(_outcomes(one)) for one in alike),
        played=_way(recorded_pairs, since),
        supposed=_way(hypothetical_pairs, since),
    )


def _outcomes(rejudged: RejudgedRuling) -> list[str]:
    return [event.outcome for event in rejudged.events if isinstance(event, AttackResolved)]


def _way(rejudged: Sequence[RejudgedRuling], since: int) -> RunOutcome:
    end: FightEnding = fight_ending(((one.ruling, one.state) for one in rejudged), Redactor("gm"))
    outcomes = [outcome for one in rejudged if one.ruling > since for outcome in _outcomes(one)]
    falls = tuple((fall.combatant, fall.round) for fall in end.falls if not fall.left)
    return RunOutcome(end.winner, end.rounds, falls, len(outcomes), outcomes.count("full"), outcomes.count("half"))


def wilson_interval(count: int, of: int) -> Share:
    """Return a share with its interval (Wilson 1927); from 0 to 1 if `of` is 0."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    share, z2 = count / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    wide = Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return Share(count, of, max(0.0, middle - wide), min(1.0, middle + wide))


_OTHERWISE: Mapping[str, Callable[[Rerun, RunOutcome, RunOutcome], bool]] = {
    "flips": lambda one, _was, _now: one.flips,
    "rounds_differ": lambda _, was, now: was.rounds != now.rounds,
    "falls_differ": lambda _, was, now: was.falls != now.falls,
    "touched": lambda one, _was, _now: bool(one.first),
}
"""The predicates for the fights that a field of the summary counts, by field."""


def kept_share_words(summary: Summary) -> str:
    """Return the label for the share of the data that is unchanged."""
    return "alike in both" if summary.simulated else "on record"


class Tally:
    """A running summary of many fights under the same house rules.

    It keeps only the fights that it lists, and depends on nothing but the fights and their order.
    """

    def __init__(self, house_rules: Mapping[str, str], simulated: str = "") -> None:
        self._house_rules = house_rules
        self._simulated = simulated
        self._fights = 0
        self._counts: Counter[str] = Counter()
        self._ways: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._winners: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._seals = hashlib.sha256()
        self._rulesets = (_Named(), _Named())
        self._most: list[Rerun] = []
        self._refused: list[Rerun] = []

    def add(self, one: Rerun) -> None:
        """Add a fight."""
        self._fights += 1
        self._seals.update(one.seal.encode())
        if one.played is None or one.supposed is None:
            self._counts["not_judged"] += 1
            self._refused = [*self._refused, one][:SHOWN_FIGHTS]
            return
        for name in ("rulings", "recorded", "hypothetical", "moved_on", "attacks_recorded"):
            self._counts[name] += getattr(one, name)
        for name, is_other in _OTHERWISE.items():
            if is_other(one, one.played, one.supposed):
                self._counts.update({name: 1, f"{name}/rulings": one.rulings, f"{name}/recorded": one.recorded})
        for way, total in zip((one.played, one.supposed), self._ways, strict=True):
            total.update(attacks=way.attacks, hits=way.hits, halves=way.halves, rounds=way.rounds)
        if self._simulated:
            for way, winners in zip((one.played, one.supposed), self._winners, strict=True):
                winners[way.winner] += 1
        for fingerprint, ruleset_name in zip(one.rulesets, self._rulesets, strict=True):
            ruleset_name.add(fingerprint)
        if one.first:
            self._most = sorted((*self._most, one), key=_change, reverse=True)[:SHOWN_FIGHTS]

    def summary(self) -> Summary:
        """Return the summary of all fights that were added."""
        counts, (was, now), (won, wins) = self._counts, self._ways, self._winners
        total = self._fights - counts["not_judged"]
        everything = (
            wilson_interval(was["attacks"], was["attacks"]),
            wilson_interval(counts["attacks_recorded"], now["attacks"]),
        )

        def of_fights(name: str) -> Figure:
            return Figure(
                wilson_interval(counts[name], total),
                wilson_interval(counts[f"{name}/recorded"], counts[f"{name}/rulings"]),
            )

        def of_attacks(name: str) -> tuple[Figure, Figure]:
            return (
                Figure(wilson_interval(was[name], was["attacks"]), everything[0]),
                Figure(wilson_interval(now[name], now["attacks"]), everything[1]),
            )

        return Summary(
            fights=self._fights,
            rulings=counts["rulings"],
            corpus=self._seals.hexdigest(),
            rulesets=(self._rulesets[0].name, self._rulesets[1].name),
            house_rules=self._house_rules,
            flips=of_fights("flips"),
            rounds_differ=of_fights("rounds_differ"),
            falls_differ=of_fights("falls_differ"),
            touched=of_fights("touched"),
            hits=of_attacks("hits"),
            halves=of_attacks("halves"),
            rounds=(was["rounds"] / total if total else 0.0, now["rounds"] / total if total else 0.0),
            recorded=wilson_interval(counts["recorded"], counts["rulings"]),
            hypothetical=counts["hypothetical"],
            moved_on=counts["moved_on"],
            most=tuple(self._most),
            not_judged=counts["not_judged"],
            refused=tuple(self._refused),
            simulated=self._simulated,
            winners={
                side: (wilson_interval(won[side], total), wilson_interval(wins[side], total))
                for side in sorted({*won, *wins})
            },
        )


class _Named:
    """A name for many fingerprints: the fingerprint itself if all are equal, otherwise the SHA-256 of all."""

    def __init__(self) -> None:
        self._only: str | None = ""
        self._all = hashlib.sha256()

    def add(self, fingerprint: str) -> None:
        """Add a fingerprint."""
        self._all.update(fingerprint.encode())
        self._only = fingerprint if self._only in ("", fingerprint) else None

    @property
    def name(self) -> str:
        """The name; "" if there is no fingerprint."""
        return self._all.hexdigest() if self._only is None else self._only


def summary(reruns: Iterable[Rerun], house_rules: Mapping[str, str]) -> Summary:
    """Return the summary of all those fights."""
    tally = Tally(house_rules)
    for one in reruns:
        tally.add(one)
    return tally.summary()


def _change(one: Rerun) -> tuple[bool, float]:
    """Return the sort key of a change: fights that flip first, then by the share of rulings that differ."""
    return one.flips, (one.changed + one.void) / one.rulings
