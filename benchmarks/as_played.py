"""The cost of a correction that keeps turns as they were played, in a long fight of three against four."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from benchmarks.measure import Line, pair
from mam_events.commands import Attack, BeginTurn, Command, EndTurn, Initiative, Join, Open, Ready, Resolve
from mam_events.events import Amend, Restore
from mam_events.history.judge.judge import EncounterJudge
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.timeline.change import Change
from mam_events.log.combat_log import CombatLog

FIGHT = "raid"
HEROES, BANDITS = ("hero-1", "hero-2", "hero-3"), ("bandit-1", "bandit-2", "bandit-3", "bandit-4")
JOINED, HIT = 2, 12
"""The ruling by which the first hero joined, and the one by which the first bandit fell."""
TURNS = 31
BAR, AIM = 1.1, 1.0


def as_played(folder: Path, rulings: int) -> Iterator[Line]:
    """Yield the cost of corrections that undo the felling hit and keep the turns as they were played.

    The first line compares it with judging the same rulings where nothing differs. The other two compare an undo with
    its restore, and a preview, with an amendment that also makes every later ruling be judged again.
    """
    with CombatLog.open(folder / "raid.db") as log:
        raid(log, rulings)
        timeline = log.timeline(FIGHT)
        judge = EncounterJudge(timeline, lambda: log.rules, log.application.seeds, FIGHT, draws=False)
        missed, richer = [Amend(HIT, {"outcome": "fail"})], [Amend(JOINED, {"hp": 7})]
        at = timeline.place[HIT]
        control = Change(at, at, timeline.order)
        kept = replace(control, touched=frozenset({HIT}), steps=tuple(missed), turns="as_played")
        passed = sum(step.what == "passed" for found in rejudge(timeline, kept, judge) for step in found.bookkeeping)
        assert passed  # noqa: S101 - otherwise nothing is measured
        later = len(timeline.order) - at
        # A passed turn adds a begin and an end that nobody played; both are judged like any other ruling.
        each = later / (later + 2 * passed)
        found = pair(lambda: rejudge(timeline, kept, judge), lambda: rejudge(timeline, control, judge), TURNS)
        work = f"{later:,} rulings and {passed} passed turns judged as played, each"
        yield Line(work, "the same without a change", found.ratio * each, BAR, AIM, found.first, found.second, "fight")
        found = pair(_there_and_back(log, missed), _there_and_back(log, richer), TURNS)
        work, least = "a felling hit undone and restored, each", "other hit points, and restored"
        yield Line(work, least, found.ratio * each, BAR, AIM, found.first, found.second, "correction")
        found = pair(lambda: log.preview(FIGHT, missed), lambda: log.preview(FIGHT, richer), TURNS)
        # Only the first preview judges the rulings that differ twice, the second time as they stand.
        work, least = "preview of a felling hit undone, each", "preview of other hit points, judged once"
        yield Line(work, least, found.ratio * each, 2 * BAR, 2 * AIM, found.first, found.second, "correction")


def _there_and_back(log: CombatLog, steps: list[Amend]) -> Callable[[], object]:
    def corrected() -> object:
        number = log.correct(FIGHT, steps).number
        return log.correct(FIGHT, [Restore(number)])

    return corrected


def raid(log: CombatLog, rulings: int) -> None:
    """Let the first bandit fall at once and the other six miss each other, until the log holds `rulings` rulings."""
    joins = (Join(name, side="heroes" if name in HEROES else "bandits", hp=6) for name in (*HEROES, *BANDITS))
    first, fallen = HEROES[0], BANDITS[0]
    opening = (Open(), *joins, Initiative(first=first, reason="benchmark"), BeginTurn(first))
    for command in (*opening, Attack(first, fallen, power=6), Resolve(HIT - 1, 6, 1)):
        log.execute(FIGHT, command)
    while log.execute(FIGHT, _next(log)).number < rulings:
        pass


def _next(log: CombatLog) -> Command:
    """Return the command with which the fight goes on: begin, ready, attack somebody of the other side, miss, end."""
    state = log.at(FIGHT)
    if state.exchange:
        return Resolve(state.exchange.id, 1, 6)
    if state.turn is None:
        assert state.next_up is not None  # noqa: S101 - six of them never fall
        return BeginTurn(state.next_up)
    name = state.turn.combatant
    pools = state.combatants[name].pools
    if not state.turn.refreshed and not state.turn.acted:
        defense = min(3, pools.defense)
        return Ready(name, defense, min(3 - defense, pools.other_used))
    if not state.turn.acted:
        return Attack(name, BANDITS[1] if name in HEROES else HEROES[0], modifier=2)
    return EndTurn(name)
