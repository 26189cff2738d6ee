"""The share of a fight that a correction voids, over random fights of every preset, with upper limits."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, field

from mam_events.commands import (
    Adjust,
    Command,
    Incapacitate,
    Initiative,
    PoolMove,
    Resolve,
    Result,
    RollInitiative,
    actor_of,
)
from mam_events.errors import BadInput, Refused
from mam_events.events import Amend, Step, Strike
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.results import Preview
from mam_events.state import POOLS, Combatant
from tests.effort import FUZZ
from tests.history.long_fights import FIGHT, PRESETS, LongFight, able, felling
from tests.history.void_codes import VOID_CODES

FIGHTS, SLACK = (200, 1) if FUZZ else (12, 5)
"""With fewer fights the shares vary more."""
RULINGS = {"ron_d6": 150}
LOG_MANUAL = Path(__file__).parents[3] / "docs" / "log.md"
LATER = 15
"""The least number of later rulings for which a correction is measured."""
BARS = {
    "a felling hit undone": 0.01,
    "an initiative amended": 0.01,
    "one ruling struck alone": 0.03,
    "a miss made a felling hit": 0.01,
}
"""The maximum share of later rulings that may become void; if somebody falls, without their own rulings and the answers
to those.
"""


class Figure(Struct):
    """The sum over many corrections of one kind."""

    corrections: int = 0
    later: int = 0
    void: int = 0
    own: int = 0
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)


class Trial(Struct):
    """One correction to be previewed: its steps, or a command inserted after a ruling, that fells `fallen`."""

    kind: str
    at: int
    steps: tuple[Step, ...] = ()
    command: Command | None = None
    fallen: str = ""

    def preview(self, fight: LongFight) -> Preview:
        """Preview the correction, with turns as they were played."""
        if self.command is None:
            return fight.log.preview(FIGHT, self.steps, turns="as_played")
        return fight.log.preview_insert(FIGHT, self.command, self.at, turns="as_played")


def trials(fight: LongFight, random: Random) -> Iterator[Trial]:
    """Yield some corrections of each kind."""
    timeline = fight.timeline
    plays = [number for number in timeline.order if timeline.place[number] > len(fight.log.at(FIGHT).combatants)]
    for number in random_sample(random, felling(fight), 2):
        outcome = "failure" if number in fight.blows else "fail"
        blow = [Strike(fight.blows[number])] if number in fight.blows else []
        yield Trial("a felling hit undone", number, (Amend(number, {"outcome": outcome}), *blow))
    rolls = [n for n in timeline.order if isinstance(timeline.command(n), Initiative | RollInitiative)]
    for number in random_sample(random, rolls, 2):
        command = timeline.command(number)
        if isinstance(command, RollInitiative):
            actor, face = random.choice(command.combatants), random.choice(([1, 1, 2], [6, 6, 5]))
            yield Trial("an initiative amended", number, (Amend(number, {"dice": {actor: face}}),))
        else:
            first = random.choice([name for name in fight.log.at(FIGHT).combatants if name != "horse"])
            yield Trial("an initiative amended", number, (Amend(number, {"first": first}),))
    for number in random_sample(random, plays, 2):
        yield Trial("one ruling struck alone", number, (Strike(number),))
    misses = [n for n in plays[: len(plays) // 2] if isinstance(timeline.command(n), Resolve | Result)]
    for number in random_sample(random, misses, 1):
        fallen, state = target(timeline, number), timeline.states[timeline.place[number]]
        if fallen in able(state):
            combatant = state.combatants[fallen]
            word = Incapacitate(fallen, "after all") if fight.preset == "ron_d6" else all_points_to_damage(combatant)
            yield Trial("a miss made a felling hit", number, command=word, fallen=fallen)


def random_sample(random: Random, some: list[int], count: int) -> list[int]:
    """Return a random sample of at most `count` of them."""
    return random.sample(some, min(count, len(some)))


def all_points_to_damage(combatant: Combatant) -> Adjust:
    """Return an adjustment that turns every point of a combatant into damage."""
    pools = [pool for pool in POOLS if pool != "damage" and getattr(combatant.pools, pool)]
    moves = [PoolMove(combatant.id, pool, "damage", getattr(combatant.pools, pool)) for pool in pools]  # type: ignore[arg-type]  # pools by name
    return Adjust(reason="after all", move=tuple(moves))


def target(timeline: Timeline, number: int) -> str:
    """Return the target of the exchange or action that was resolved there."""
    command = timeline.command(getattr(timeline.command(number), "exchange"))  # noqa: B009 - of two kinds of command
    return getattr(command, "target", "")


def is_own(timeline: Timeline, number: int, fallen: str) -> bool:
    """Return True if the ruling is by or about the fallen, or reacts to them."""
    command = timeline.command(number)
    if fallen in (actor_of(command), getattr(command, "combatant", "")):
        return True
    exchange = getattr(command, "exchange", 0) or getattr(command, "against", 0)
    return bool(exchange) and actor_of(timeline.command(exchange)) == fallen


def measure_fights(preset: str, fights: int, seed: int = 0) -> dict[str, Figure]:
    """Return the figures for that many fights, by kind of correction."""
    figures = {kind: Figure() for kind in BARS}
    for number in range(seed, seed + fights):
        fight = LongFight(preset, number, RULINGS.get(preset, 200))
        for trial in trials(fight, Random(number)):
            measure(fight, trial, figures[trial.kind], f"fight {number}")
    return figures


def measure(fight: LongFight, trial: Trial, figure: Figure, name: str) -> None:
    """Preview one correction and count the void rulings."""
    timeline = fight.timeline
    later = sum(timeline.lives(n) for n in timeline.order[timeline.place[trial.at] + 1 :])
    if later < LATER:
        return
    try:
        preview = trial.preview(fight)
    except (Refused, BadInput):
        return
    figure.corrections += 1
    figure.later += later
    for ruling in preview.rejudged:
        if ruling.verdict != "void":
            continue
        figure.void += 1
        figure.own += bool(trial.fallen) and is_own(timeline, ruling.ruling, trial.fallen)
        key = type(ruling.command).__name__, ruling.code
        figure.codes[key] += 1
        figure.examples.setdefault(key, f"{name}, {trial.at}: {ruling.ruling} {ruling.why}")


def figure_text(figure: Figure, bar: float) -> str:
    """Return a figure as lines of text, with an example of each kind of void ruling."""
    share = (figure.void - figure.own) / max(1, figure.later)
    lines = [
        f"{figure.corrections} corrections, {figure.later} later rulings, {figure.void} void",
        f"    {figure.own} of them the fallen's own; the others are {share:.2%}, of at most {bar:.0%}",
    ]
    for key, count in figure.codes.most_common():
        lines.append(f"    {count:4} {' '.join(key)} ({figure.examples[key]})")
    return "\n".join((*lines, ""))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_correction_makes_few_rulings_void(preset: str) -> None:
    """The figures are printed with their codes; `pytest -s` shows them."""
    figures = measure_fights(preset, FIGHTS)
    for kind, figure in figures.items():
        sys.stdout.write(f"{preset}, {kind}: {figure_text(figure, BARS[kind])}")
    for kind, figure in figures.items():
        assert figure.corrections, kind
        assert figure.void - figure.own <= SLACK * BARS[kind] * figure.later, kind
        assert {code for _, code in figure.codes} <= VOID_CODES.keys(), figure.examples


def test_each_code_of_a_void_ruling_is_in_the_manual() -> None:
    section = LOG_MANUAL.read_text().split("### Rulings that stay void", 1)[1].split("\n## ", 1)[0]
    names = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {code for cell in names for code in re.findall(r"`(\w+)`", cell)} == VOID_CODES.keys()
