"""Many fights judged again under other rules: what each comes to, and what all of them say together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, json

from mam_events.archive import import_ndjson
from mam_events.errors import MamError
from mam_events.events import AttackResolved
from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.rulings.supposing import suppose
from projections.screen import Screen
from projections.supposed import Ending, ending

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.rejudging import Rejudged
    from mam_events.rulings.timeline import Timeline

Z = 1.959963984540054
"""The normal quantile of 97.5 %: intervals are of 95 %."""
_NO_TIME = datetime.fromtimestamp(0, UTC)
MOST = 5
"""So many of the fights that change most are told."""


class Way(Struct, frozen=True):
    """A fight one way: how it ended, its attacks, and how many of them hit, in full or by half."""

    winner: str
    rounds: int
    falls: tuple[tuple[str, int], ...]
    attacks: int
    hits: int
    halves: int


class Rerun(Struct, frozen=True):
    """One fight judged again: so many `rulings`, of which so many come out as they did, otherwise, or not at all; how
    many dice are hypothetical; the first ruling that differs (0: none); the fight as it was `played`, and `supposed`.

    `refused` says in a sentence why it could not be judged so ("": it was); then nothing else is known of it but its
    name and `seal`.
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
    played: Way | None = None
    supposed: Way | None = None
    refused: str = ""

    @property
    def flips(self) -> bool:
        """True if another side, or none, or one at all, is the last with anybody able."""
        return bool(self.played and self.supposed and self.played.winner != self.supposed.winner)


class Share(Struct, frozen=True):
    """So many of so many, with the Wilson interval of 95 % around the share."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share itself."""
        return self.count / self.of if self.of else 0.0


class Summary(Struct, frozen=True):
    """A corpus under other rules: how many fights and rulings, the SHA-256 of all seals in their order, how many flip,
    hit rates and mean rounds both ways, how much is still on record, the fights that change most, those refused.
    """

    fights: int
    rulings: int
    corpus: str
    house_rules: Mapping[str, str]
    flips: Share
    touched: Share
    recorded: Share
    hits: tuple[Share, Share]
    halves: tuple[Share, Share]
    rounds: tuple[float, float]
    hypothetical: int
    moved_on: int
    most: tuple[Rerun, ...]
    refused: tuple[Rerun, ...]


def rerun(fight: str, timeline: Timeline, rules: Rulebook, house_rules: Mapping[str, str]) -> Rerun:
    """That fight under those house rules."""
    try:
        found = suppose(timeline, rules, house_rules)
    except MamError as no:
        return Rerun(fight, timeline.seal, refused=no.sentence)
    verdicts = [pair.verdict for pair in found.pairs]
    differing = found.differing
    return Rerun(
        fight,
        timeline.seal,
        rulings=len(verdicts),
        recorded=sum(verdict in ("stands", "carried") for verdict in verdicts),
        changed=verdicts.count("changed"),
        void=verdicts.count("void"),
        hypothetical=sum(pair.hypothetical for pair in found.pairs),
        moved_on=len(found.moved_on),
        first=differing[0].ruling if differing else 0,
        played=_way([pair.played for pair in found.pairs]),
        supposed=_way([pair.supposed for pair in found.pairs]),
    )


def _way(judged: Sequence[Rejudged]) -> Way:
    end: Ending = ending(((one.ruling, one.state) for one in judged), Screen("gm"))
    outcomes = [event.outcome for one in judged for event in one.events if isinstance(event, AttackResolved)]
    falls = tuple((fall.combatant, fall.round) for fall in end.falls)
    return Way(end.winner, end.rounds, falls, len(outcomes), outcomes.count("full"), outcomes.count("half"))


def wilson(count: int, of: int) -> Share:
    """So many of so many with their interval (Wilson 1927); of none, from 0 to 1."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    share, z2 = count / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    wide = Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return Share(count, of, max(0.0, middle - wide), min(1.0, middle + wide))


def summary(found: Iterable[Rerun], house_rules: Mapping[str, str]) -> Summary:
    """The sum of what all of them say; it depends on the fights and their order alone."""
    seals = hashlib.sha256()
    refused: list[Rerun] = []
    most: list[Rerun] = []
    counts = dict.fromkeys(("rulings", "recorded", "hypothetical", "moved_on"), 0)
    fights = judged = flips = touched = 0
    ways: tuple[list[int], list[int]] = ([0, 0, 0, 0], [0, 0, 0, 0])
    for one in found:
        fights += 1
        seals.update(one.seal.encode())
        if one.played is None or one.supposed is None:
            refused.append(one)
            continue
        judged += 1
        flips += one.flips
        touched += bool(one.first)
        for name in counts:
            counts[name] += getattr(one, name)
        for way, total in zip((one.played, one.supposed), ways, strict=True):
            total[:] = map(sum, zip(total, (way.attacks, way.hits, way.halves, way.rounds), strict=True))
        if one.first:
            most = sorted((*most, one), key=_change, reverse=True)[:MOST]
    return Summary(
        fights=fights,
        rulings=counts["rulings"],
        corpus=seals.hexdigest(),
        house_rules=house_rules,
        flips=wilson(flips, judged),
        touched=wilson(touched, judged),
        recorded=wilson(counts["recorded"], counts["rulings"]),
        hits=(wilson(ways[0][1], ways[0][0]), wilson(ways[1][1], ways[1][0])),
        halves=(wilson(ways[0][2], ways[0][0]), wilson(ways[1][2], ways[1][0])),
        rounds=(ways[0][3] / judged if judged else 0.0, ways[1][3] / judged if judged else 0.0),
        hypothetical=counts["hypothetical"],
        moved_on=counts["moved_on"],
        most=tuple(most),
        refused=tuple(refused),
    )


def _change(one: Rerun) -> tuple[bool, float]:
    """The weight of a change: a fight that flips before all others, then by the share that does not come out alike."""
    return one.flips, (one.changed + one.void) / one.rulings


class Task(Struct, frozen=True):
    """A fight to be judged again: an encounter of a store, or (`encounter` is "") that of an export or a fight file."""

    path: str
    encounter: str = ""

    @property
    def name(self) -> str:
        """Its name among the others."""
        return self.encounter or Path(self.path).stem


def tasks(source: str) -> list[Task]:
    """The fights of a store, in the order in which they were begun, or those of a folder by name: every store, export
    and fight file that lies in it. Raises as `CombatLog.open` does, NotFound for a path that is not there.
    """
    path = Path(source)
    if not path.is_dir():
        with CombatLog.open(path, create=False) as log:
            return [Task(str(path), encounter) for encounter in log.encounters()]
    found: list[Task] = []
    for file in sorted(path.iterdir()):
        if file.suffix in (".ndjson", ".toml"):
            found.append(Task(str(file)))
        elif file.suffix in (".db", ".mam"):
            found += tasks(str(file))
    return found


def run(task: Task, house_rules: Mapping[str, str]) -> Rerun:
    """That fight under those house rules, wherever this runs: all it needs is the file."""
    try:
        log, encounter = _opened(task)
        return rerun(task.name, log.timeline(encounter), log.rules, house_rules)
    except MamError as no:
        return Rerun(task.name, "", refused=no.sentence)


def _opened(task: Task) -> tuple[CombatLog, str]:
    if task.encounter:
        return _store(task.path), task.encounter
    if task.path.endswith(".toml"):
        # Played anew by whoever asks, it is the same fight each time: nobody waits for its dice.
        known = hashlib.sha256(Path(task.path).read_bytes()).digest()
        log = CombatLog.open("sqlite://", clock=lambda: _NO_TIME, entropy=lambda size: known[:size])
        return log, play(log, load_fight(task.path), task.name).encounter
    log = CombatLog.open("sqlite://")
    with Path(task.path).open("rb") as lines:
        return log, import_ndjson(log, lines, name=task.path).encounter


@cache
def _store(path: str) -> CombatLog:
    """The store, opened once by a process that judges many of its fights; none is kept in memory."""
    return CombatLog.open(path, create=False, kept=0)


encode: Callable[[Rerun], bytes] = json.Encoder().encode
"""The JSON of one of them."""
