"""Tables for typing: on a terminal of its own or in this process, and lines that begin fights."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path

import pexpect
import pyte
import pytest

from cli.shell.repl import Repl
from mam_events.commands import name_of
from mam_events.events import Note
from mam_events.fights import FightFile, play
from mam_events.log.combat_log import CombatLog

PATIENCE = 60.0
"""Seconds after which a silent table counts as stuck."""
JOINS = 'new duel\njoin modre "Modre" a pc hp=6 w=(Ice-Blade pow=3 at=1 reach=1)\njoin Clone b hp=6\ninit\n'
"""Lines that begin a fight of Modre and the Clone."""
BEGUN = 'init first=modre reason="he knew"'
"""The line that begins the first round of the fight of `asked`."""
ALLEY = (
    "new alley ron_d6\njoin Rook a code=(perception=2D brawling=3D agility=2D)\n"
    "join Thug b code=(perception=2D brawling=2D agility=2D)\nro rook 5 4 thug 2 1\n"
    "rook 2; punch thug v5 4 4\nr success\n"
)
"""A fight of Ron d6 in which Rook has one action left."""


def given_orders(log: CombatLog, encounter: str) -> list[tuple[str, str]]:
    """Return the orders that count, in their places, and then the notes, each with the person who gave it."""
    timeline = log.timeline(encounter)
    orders = [(name_of(timeline.command(number)), entry.head.by) for number, entry in timeline.living()]
    return [*orders, *((head.kind, head.by) for head in timeline.heads if isinstance(head, Note))]


def orders_by(log: CombatLog, fight_file: FightFile, by: str) -> list[tuple[str, str]]:
    """Return the orders and notes of a fight, with `by` as the author of lines after the joins that have none."""
    seated = 1 + len(fight_file.joins)
    orders = given_orders(log, fight_file.encounter)
    return [*orders[:seated], *((what, who if who not in ("", fight_file.by) else by) for what, who in orders[seated:])]


def assert_same_fight(table: Path, fight_file: FightFile, by: str) -> None:
    """Check that the table has the same fight as the recorded one."""
    replayed_log = CombatLog.open("sqlite://")
    play(replayed_log, fight_file)
    with CombatLog.open(table / "mam.db") as log:
        state, replayed_state = log.at(fight_file.encounter), replayed_log.at(fight_file.encounter)
        assert state.combatants == replayed_state.combatants
        assert (state.order, state.round, state.had_turn) == (
            replayed_state.order,
            replayed_state.round,
            replayed_state.had_turn,
        )
        assert (state.turn, state.exchange, state.status) == (
            replayed_state.turn,
            replayed_state.exchange,
            replayed_state.status,
        )
        assert given_orders(log, fight_file.encounter) == orders_by(replayed_log, fight_file, by)


class Terminal:
    """The table on a terminal of its own, and what stands on its screen."""

    def __init__(self, folder: Path, *words: str, rows: int = 24, columns: int = 80) -> None:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAM_")}
        environment |= {"TERM": "xterm", "NO_COLOR": "1", "XDG_STATE_HOME": str(folder / "state")}
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "cli.app", "table", *words],
            cwd=str(folder),
            env=environment | {"PYTHONPATH": str(Path(__file__).parents[3])},
            encoding="utf-8",
            dimensions=(rows, columns),
        )
        # The program asks the terminal for the position of the cursor; send the answer.
        self.screen.write_process_input = self.child.send

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def see(self, text: str) -> str:
        """Read on until that stands on the screen."""
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} never came:\n{self.shown}"
            with suppress(pexpect.TIMEOUT):
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.2))
        return self.shown

    def answered(self) -> None:
        """Read on until an empty prompt stands below everything else."""
        end = time.monotonic() + PATIENCE
        while not re.search(r"(?:mam|closed|r[0-9][^\n]*)>\n+[^\n]*", self._below()):
            assert time.monotonic() < end, f"no prompt came:\n{self.shown}"
            with suppress(pexpect.TIMEOUT):
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.2))

    def _below(self) -> str:
        """Return the cursor's line and the lines below it, or "" if something was typed on that line."""
        rows = [line.rstrip() for line in self.screen.display]
        is_quiet = self.screen.cursor.x == len(rows[self.screen.cursor.y]) + 1
        return "\n".join(rows[self.screen.cursor.y :]) if is_quiet else ""

    def type(self, line: str, *texts: str) -> None:
        """Type a line, and read until those texts are on the screen.

        Until its first letter stands there, none has been answered.
        """
        self.child.send(f"{line}\r")
        with suppress(pexpect.TIMEOUT):
            self.stream.feed(self.child.read_nonblocking(1, timeout=2))
        for text in texts:
            self.see(text)

    def leave(self) -> int:
        end = time.monotonic() + PATIENCE
        while self.child.isalive():
            assert time.monotonic() < end, f"nobody leaves:\n{self.shown}"
            with suppress(pexpect.TIMEOUT, pexpect.EOF, OSError):
                self.child.send("\x04")
                self.stream.feed(self.child.read_nonblocking(4096, timeout=0.5))
        self.child.close()
        return int(self.child.exitstatus or 0)


def typed_at(repl: Repl, capsys: pytest.CaptureFixture[str], *lines: str) -> str:
    """Type those lines, and return the answer to the last."""
    for line in lines:
        capsys.readouterr()
        repl.answer(line)
    return "".join(capsys.readouterr())
