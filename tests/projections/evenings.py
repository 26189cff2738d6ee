"""Random legal fights with undo, redo, strikes, inserts, amendments, adjustments and disputes."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from mam_events.commands import Command, Initiative, Open
from mam_events.log.combat_log import CombatLog
from tests.fights.tables import Table
from tests.play import PARTY

NAMES = {"ana": "Sister Ana", "bo": "Brother Bo", "wolf": "The Grey"}
NAMED_PARTY = tuple(replace(join, name=NAMES[join.combatant]) for join in PARTY)


def open_fight(log: CombatLog, encounter: str, party: tuple[Command, ...] = NAMED_PARTY) -> None:
    log.execute_all(encounter, [Open(), *party, Initiative(first="ana", reason="first at the door")], by="Ben")


class Evening(Table):
    """A table that continues an open fight in a log; its joins stay."""

    oldest = 5

    def __init__(self, random: Random, log: CombatLog, encounter: str) -> None:
        self.random, self.secrets, self.log, self.encounter, self.waiting = random, False, log, encounter, []


def evening(log: CombatLog, encounter: str, seed: int, moves: int = 80) -> None:
    """Play one, always the same for a seed but for the dice that are drawn."""
    if encounter not in log.encounters():
        open_fight(log, encounter)
    table = Evening(Random(seed), log, encounter)
    for _ in range(moves):
        table.step()
