"""A terminal and a shell with fights that have begun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.session import Session
from cli.shell.repl import Repl
from tests.cli.calls import Mam
from tests.cli.shell.tables import JOINS, Terminal


@pytest.fixture
def duel(table: Path) -> Iterator[Terminal]:
    """Yield a terminal with a fight that has begun."""
    terminal = Terminal(table)
    terminal.see("mam>")
    for line, then in zip(JOINS.splitlines(), ("opens", "Modre joins", "Clone joins", "next Modre>"), strict=True):
        terminal.type(line, then)
    yield terminal
    terminal.child.close(force=True)


@pytest.fixture
def asking_shell(mam: Mam, table: Path) -> Iterator[Repl]:
    """Yield a shell that may ask questions, in a fight with two combatants of the same reach and an ally."""
    mam("table", stdin="new duel\njoin Modre a hp=6\njoin Clone b hp=6\njoin Rook b hp=6 w=(Sabre at=1)\n")
    session = Session()
    session.store, session.encounter_name, session.quiet = str(table / "mam.db"), "duel", True
    yield Repl(session, lambda: True, lambda _: "")
    session.log().close()
