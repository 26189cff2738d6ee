"""Three evenings as data: the fight, and the lines that play it."""

from __future__ import annotations

from pathlib import Path

from mam_events.fights import FightFile, load_fight
from mam_events.log.combat_log import CombatLog

FOLDER = Path(__file__).parent / "evenings"
NAMES = ("printed", "toll-bridge", "dock")


def fight(name: str) -> FightFile:
    """Return that evening's fight, as the log kept it."""
    return load_fight(FOLDER / f"{name}.toml")


def lines(name: str) -> list[str]:
    """Return the lines to type after everybody has joined."""
    return (FOLDER / f"{name}.lines.txt").read_text(encoding="utf-8").splitlines()


def joins(name: str) -> list[str]:
    """Return the lines by which everybody joins."""
    return (FOLDER / f"{name}.joins.txt").read_text(encoding="utf-8").splitlines()


def typed_lines(name: str) -> list[str]:
    """Return the lines that a beginner typed that evening, with mistakes and questions, or [] if there are none."""
    file = FOLDER / f"{name}.typed.txt"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def seated(name: str) -> tuple[CombatLog, str]:
    """Return a log in which that fight is open and everybody has joined, and the fight's id."""
    fight_file = fight(name)
    log = CombatLog.open("sqlite://")
    for order in (fight_file.opening, *fight_file.joins):
        log.execute(fight_file.encounter, order.what, by=fight_file.by if order.by is None else order.by)  # type: ignore[arg-type]  # no remark
    return log, fight_file.encounter
