"""Long fights for the benchmarks: the same exchange again and again, written through the real log."""

from __future__ import annotations

from pathlib import Path

from mam_events.commands import Attack, BeginTurn, Command, EndTurn, Initiative, Join, Open, Ready, Resolve
from mam_events.log.combat_log import CombatLog

FIGHTERS = ("modre", "clone")


def begin(log: CombatLog, encounter: str) -> None:
    """Open an encounter of two combatants who always miss each other."""
    for command in (Open(), *(Join(name, hp=6) for name in FIGHTERS), Initiative(first="modre", reason="benchmark")):
        log.execute(encounter, command)


def next_command(log: CombatLog, encounter: str) -> Command:
    """Return the command with which the fight goes on: begin, ready, attack, resolve, end."""
    state = log.at(encounter)
    if state.exchange:
        return Resolve(state.exchange.id, 1, 6)
    if state.turn is None:
        assert state.next_up is not None  # noqa: S101 - nobody ever falls in this fight
        return BeginTurn(state.next_up)
    name = state.turn.combatant
    pools = state.combatants[name].pools
    if not state.turn.refreshed and not state.turn.acted:
        defense = min(3, pools.defense)
        return Ready(name, defense, min(3 - defense, pools.other_used))
    if not state.turn.acted:
        return Attack(name, FIGHTERS[1 - FIGHTERS.index(name)], modifier=2)
    return EndTurn(name)


def fight_on(log: CombatLog, encounter: str, rulings: int) -> None:
    """Continue the fight until the log holds `rulings` rulings."""
    while log.execute(encounter, next_command(log, encounter)).number < rulings:
        pass


def long_log(folder: Path, name: str, rulings: int) -> Path:
    """Return the path of a new store with one fight of `rulings` rulings."""
    path = folder / f"{name}.db"
    with CombatLog.open(path) as log:
        begin(log, "fight")
        fight_on(log, "fight", rulings)
    return path
