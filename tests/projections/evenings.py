"""Random legal fights with undo, redo, strikes, inserts, amendments, adjustments and disputes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

from msgspec.structs import replace

from mam_events.commands import Command, Initiative, Open
from mam_events.errors import MamError
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from tests.play import PARTY, random_adjustment, random_command

NAMES = {"ana": "Sister Ana", "bo": "Brother Bo", "wolf": "The Grey"}
NAMED_PARTY = tuple(replace(join, name=NAMES[join.combatant]) for join in PARTY)


def open_fight(log: CombatLog, encounter: str, party: tuple[Command, ...] = NAMED_PARTY) -> None:
    for command in (Open(), *party, Initiative(first="ana", reason="first at the door")):
        log.execute(encounter, command, by="Ben")


def play(log: CombatLog, encounter: str, rng: Random) -> None:
    state = log.timeline(encounter).state
    if state.ruleset is None:
        return
    command = random_command(state, log.rules.in_force(state.ruleset), rng)
    if command:
        log.execute(encounter, command, by="Ben")


def adjust(log: CombatLog, encounter: str, rng: Random) -> None:
    log.execute(encounter, random_adjustment(log.timeline(encounter).state, rng), by="Ana")


def insert(log: CombatLog, encounter: str, rng: Random) -> None:
    timeline = log.timeline(encounter)
    after = rng.choice(timeline.order[3:])
    log.execute(encounter, random_adjustment(timeline.states[timeline.place[after]], rng), by="Ana", after=after)


def amend(log: CombatLog, encounter: str, rng: Random) -> None:
    timeline = log.timeline(encounter)
    rolled = [n for n in timeline.order if timeline.lives(n) and hasattr(timeline.command(n), "attack_die")]
    if rolled:
        log.correct(
            encounter, [Amend(rng.choice(rolled), {"attack_die": rng.randint(1, 6)})], by="Ana", reason="misread"
        )


def undo(log: CombatLog, encounter: str, _: Random) -> None:
    log.undo(encounter, by="Ana")


def redo(log: CombatLog, encounter: str, _: Random) -> None:
    log.redo(encounter, by="Ana")


def strike(log: CombatLog, encounter: str, rng: Random) -> None:
    number = rng.randint(5, log.timeline(encounter).number)
    log.undo(encounter, number, by="Ana", reason="never happened", rewind=rng.random() < 0.2)


def dispute(log: CombatLog, encounter: str, rng: Random) -> None:
    log.note(encounter, "a tie?", kind="dispute", about=rng.randint(1, log.timeline(encounter).number), by="Ben")


THINGS: tuple[Callable[[CombatLog, str, Random], None], ...] = (adjust, insert, amend, undo, redo, strike, dispute)


def evening(log: CombatLog, encounter: str, seed: int, moves: int = 80) -> None:
    """Play one, always the same for a seed but for the dice that are drawn."""
    rng = Random(seed)
    if encounter not in log.encounters():
        open_fight(log, encounter)
    for _ in range(moves):
        what = play if rng.random() < 0.75 else rng.choice(THINGS)
        # Not everything that is tried at a table is allowed; what is refused leaves the log as it was.
        with suppress(MamError):
            what(log, encounter, rng)
