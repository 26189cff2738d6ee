"""The time from a line typed at the table to its answer and the toolbar below it, in a long and a short fight."""

from __future__ import annotations

import io
import itertools
import statistics
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from time import perf_counter

from benchmarks.fights import next_command
from benchmarks.measure import Line, times
from cli.session import Session
from cli.shell.repl import Repl
from cli.shell.toolbar import Toolbar
from mam_events.log.combat_log import CombatLog

LINES = ("n", "a m2", "6 1", "status", "log --last 18", "u", "u", "u")
"""A turn, an attack, its dice and two views, then three undos, so that each round starts from the same fight."""
TURNS = times(15, 4)
WARM_UP = 3


def answers(long: Path, short: Path) -> Iterator[Line]:
    """Yield a line for each of `LINES`: its time in the long fight against its time in the short one."""
    tables = [_Table(path) for path in (long, short)]
    taken: dict[str, tuple[list[float], list[float]]] = {line: ([], []) for line in LINES}
    for turn, (at, table) in itertools.product(range(TURNS), enumerate(tables)):
        for line in LINES:
            seconds = table.answer(line)
            if turn >= WARM_UP:
                taken[line][at].append(seconds)
    many, few = (table.rulings for table in tables)
    for line, (ours, theirs) in taken.items():
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        work, limit = f"`{line}` at the table, {many:,} rulings", f"the same of {few}"
        # The log reads all earlier rulings, because the last ones may refer to any of them.
        bar, aim = (None, None) if line.startswith("log") else (2, 1.2)
        yield Line(work, limit, ratio, bar, aim, statistics.median(ours), statistics.median(theirs), "answer")


class _Table:
    """A shell without a terminal, on an open fight in a store."""

    def __init__(self, store: Path) -> None:
        self._session = Session()
        self._session.store, self._session.quiet = str(store), True
        self._session.encounter_name = "fight"
        log = self._session.log()
        assert isinstance(log, CombatLog)  # noqa: S101 - the store is a file
        while log.at("fight").turn:
            log.execute("fight", next_command(log, "fight"))
        self.rulings = self._session.timeline().number
        self._evening = Repl(self._session, lambda: True)
        self._bar = Toolbar(self._session)

    def answer(self, line: str) -> float:
        """Return the seconds until the shell has answered the line and drawn prompt and toolbar."""
        with redirect_stdout(io.StringIO()) as told, redirect_stderr(told):
            start = perf_counter()
            self._evening.answer(line)
            self._bar.look()
            self._bar.prompt()
            self._bar.text()
            seconds = perf_counter() - start
        if self._evening.refused:
            raise SystemExit(f"{line}: {told.getvalue()}")
        return seconds
