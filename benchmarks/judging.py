"""The speed of judging again: a long fight, the odds of an exchange, and the whole check of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from benchmarks.measure import Line, pair
from mam_events.commands import Attack, BeginTurn, Initiative, Join, Open, Resolve
from mam_events.decider.decide import decide
from mam_events.decider.dice_outcomes import dice_outcomes
from mam_events.events import is_head
from mam_events.history.judge.dice_source import RulingDice
from mam_events.history.judge.judge import EncounterJudge
from mam_events.history.judge.rejudge import rejudge
from mam_events.history.seal import part_hash
from mam_events.history.timeline.change import Change
from mam_events.log.combat_log import CombatLog
from mam_events.state import EMPTY_ENCOUNTER, Encounter
from mam_events.store import decoders
from mam_events.verification import judge_again, verify

SIDES = 20


def judging(long: Path) -> Iterator[Line]:
    """Yield the time of judging every ruling again, of the odds of two d20, and of verifying and judging a log."""
    with CombatLog.open(long) as log:
        timeline = log.timeline("fight")
        judge = EncounterJudge(timeline, lambda: log.rules, log.application.seeds, "fight", draws=False)
        again = _again(judge)
        events = [timeline.entries[number].outcome.events(timeline.decoders) for number in timeline.order]

        def evolved() -> Encounter:
            state = EMPTY_ENCOUNTER
            for found in events:
                for event in found:
                    state = event.apply(state)
            return state

        found = pair(again, evolved, 9)
        work = f"{timeline.number:,} rulings judged again"
        yield Line(work, "evolving their events", found.ratio, 15, 10, found.first, found.second, "fight")
        yield _odds(log)
        yield _verified(log, again)


def _again(judge: EncounterJudge) -> Callable[[], object]:
    timeline = judge.timeline
    whole = Change(0, 0, timeline.order)
    return lambda: rejudge(timeline, whole, judge)


def _odds(log: CombatLog) -> Line:
    """Return the time of all outcomes of an exchange of two d20 at once, against deciding each with its faces given."""
    fighters = (Join("ana", hp=6), Join("bo", hp=6))
    commands = (Initiative(first="ana", reason="quick"), BeginTurn("ana"), Attack("ana", "bo", power=1))
    for command in (Open(house_rules={"combat_die": "d20"}), *fighters, *commands):
        log.execute("odds", command)
    timeline = log.timeline("odds")
    state, number = timeline.state, timeline.number
    assert state.ruleset is not None  # noqa: S101 - it has been opened
    ruleset = log.rules.in_force(state.ruleset)
    judge = EncounterJudge(timeline, lambda: log.rules, log.application.seeds, "odds", draws=False)

    def ours() -> int:
        return sum(1 for _ in dice_outcomes(state, Resolve(number), ruleset, number + 1))

    def limit() -> None:
        for attack, defense in product(range(1, SIDES + 1), repeat=2):
            decide(state, Resolve(number, attack, defense), ruleset, RulingDice(number + 1, judge))

    assert ours() == SIDES**2  # noqa: S101 - otherwise the two do not do the same work
    found = pair(ours, limit, 15)
    work = f"odds of an exchange of two d20, {SIDES**2} ways"
    return Line(work, "deciding each with its faces given", found.ratio, 1.2, 1.0, found.first, found.second, "odds")


def _verified(log: CombatLog, again: Callable[[], object]) -> Line:
    """Return the time of `mam verify --judge` against its minimum.

    The minimum is to hash every row, fold every event and judge every command.
    """
    rows = log.application.rows("fight")
    decode = decoders()

    def ours() -> None:
        verify(rows, rules=log.rules)
        judge_again(rows, log.rules)

    def limit() -> None:
        state = EMPTY_ENCOUNTER
        for _, topic, body in rows:
            part_hash("", [(topic, body)])
            event = decode[topic](body)
            if not is_head(topic):
                state = event.apply(state)
        again()

    found = pair(ours, limit, 7)
    work, least = "verify --judge of a long fight", "SHA-256 of its rows + fold + judging again"
    return Line(work, least, found.ratio, 1.3, 1.1, found.first, found.second, "log")
