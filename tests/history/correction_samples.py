"""Corrections of every kind as values, to apply the same one to several logs of a fight."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from mam_events.commands import Command
from mam_events.decider.checks import is_allowed
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.errors import Refused
from mam_events.events import Amend, Event, Restore, Step, Strike
from mam_events.history.judge.rejudgement import RejudgedRuling
from mam_events.history.judge.verdicts import reason_words
from mam_events.history.judge.void_causes import cause_of
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.combat_log import CombatLog
from mam_events.log.results import Answer
from mam_events.state import Encounter
from mam_events.store import build_events
from tests.fights.tables import ERRORS, Table
from tests.play import random_adjustment

FIGHT = "fight"
NUMBERS = ("attack_die", "defense_die", "die", "points", "power", "modifier", "defense", "other_used")
"""Fields of commands that an amendment changes."""


class SampleCorrection(NamedTuple):
    """A correction of `steps`, or a `command` that is inserted after a ruling (0: at the end)."""

    steps: tuple[Step, ...] = ()
    command: Command | None = None
    after: int = 0

    def apply(self, log: CombatLog) -> Answer:
        """Apply the correction to a log and return the answer, or raise the log's error."""
        if self.command is None:
            return log.correct(FIGHT, self.steps, by="Ana")
        return log.execute(FIGHT, self.command, by="Ana", after=self.after)

    def undo(self, answer: Answer) -> SampleCorrection:
        """Return the correction that undoes this one, given the answer to it."""
        return SampleCorrection((Restore(answer.number) if self.command is None else Strike(answer.number),))


class Standing(NamedTuple):
    """One living ruling: its command, and either its events or why it is void and because of which ruling."""

    ruling: int
    command: Command
    events: tuple[Event, ...]
    void: str
    because: int


def standings(timeline: Timeline) -> tuple[list[Standing], Encounter]:
    """Return the living history in order, and the fight at its end."""
    results = []
    for number, entry in timeline.living():
        outcome, void = entry.outcome, ""
        if outcome.is_void and outcome.rejudged:
            void = f"{outcome.rejudged.code}: {reason_words(outcome.rejudged)}"
        events = outcome.events(timeline.decoders)
        results.append(Standing(number, timeline.command(number), events, void, cause_of(timeline, number)))
    return results, timeline.state


def table_after(random: Random, steps: int) -> Table:
    """Return a table after that many random steps, under a random preset and random house rules."""
    table = Table(random, secrets=True)
    for _ in range(steps):
        table.step()
    return table


def copied(log: CombatLog) -> CombatLog:
    """Copy the fight into a log of its own."""
    other = CombatLog.open("sqlite://", entropy=bytes, clock=log._clock)  # noqa: SLF001 - a twin has the same clock
    other.application.save(*build_events(FIGHT, log.application.rows(FIGHT)), seed=log.application.seeds.get(FIGHT))
    return other


def living_plays(timeline: Timeline) -> list[int]:
    """Return the plays that are alive, without the opening."""
    return [number for number in timeline.order if number > 1 and timeline.lives(number)]


def strike(table: Table) -> SampleCorrection:
    """Strike any living play, even if other rulings depend on it."""
    return SampleCorrection((Strike(table.random.choice(living_plays(table.log.timeline(FIGHT)))),))


def amend(table: Table) -> SampleCorrection:
    """Amend a number in any living play."""
    timeline = table.log.timeline(FIGHT)
    fields = {n: [f for f in NUMBERS if hasattr(timeline.command(n), f)] for n in living_plays(timeline)}
    number = table.random.choice([n for n, names in fields.items() if names])
    patch = {table.random.choice(fields[number]): table.random.randint(0, 6)}
    return SampleCorrection((Amend(number, patch),))


def insert(table: Table) -> SampleCorrection:
    """Insert an order that was legal after any living play."""
    timeline, rules = table.log.timeline(FIGHT), table.log.rules
    after = table.random.choice([1, *living_plays(timeline)])
    state = timeline.states[timeline.place[after]]
    assert state.ruleset is not None
    ruleset = rules.in_force(state.ruleset)
    offers = [one for one in legal_commands(state, ruleset) if isinstance(one, Template)]
    offers = [one for one in offers if one.do not in ("open", "join", "change-rules", "close", "roll-initiative")]
    command = table.fill(table.random.choice(offers))
    if not is_allowed(ruleset.edition.mechanics[type(command)].check, state, ruleset, command):
        # A template describes each field alone, and seldom which values fit together.
        raise Refused("nobody_joined")
    return SampleCorrection(command=command, after=after)


def adjust(table: Table) -> SampleCorrection:
    """Return an adjustment by the game master, at the end or in the past."""
    timeline = table.log.timeline(FIGHT)
    after = table.random.choice([0, *living_plays(timeline)[2:]])
    state = timeline.states[timeline.place[after]] if after else timeline.state
    return SampleCorrection(command=random_adjustment(state, table.random), after=after)


def restore(table: Table) -> SampleCorrection:
    """Undo any correction that is in force."""
    active = [number for number, holds in table.log.timeline(FIGHT).active.items() if holds]
    return SampleCorrection((Restore(table.random.choice(active)),))


KINDS: tuple[Callable[[Table], SampleCorrection], ...] = (strike, amend, insert, adjust, restore)


def random_correction(
    table: Table, kind: Callable[[Table], SampleCorrection], tries: int = 8
) -> tuple[SampleCorrection, Answer] | None:
    """Return a random correction of that kind that the log accepted, and its answer; None after `tries` errors."""
    for _ in range(tries):
        try:
            correction = kind(table)
            return correction, correction.apply(table.log)
        except (*ERRORS, IndexError):
            # There is nothing to correct, or the correction is not allowed.
            continue
    return None


def verdicts(answer: Answer) -> dict[int, RejudgedRuling]:
    """Return the verdicts on all other rulings, by ruling."""
    return {entry.ruling: entry for entry in answer.rejudged}
