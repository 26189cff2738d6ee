"""The toolbar and the prompt of the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.session import Session
from cli.shell.toolbar import Toolbar
from tests.cli.calls import Mam
from tests.cli.shell.tables import ALLEY, JOINS


def toolbar_lines(table: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> list[str]:
    """Return the lines of the toolbar on a screen of that width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    session = Session()
    session.store, session.quiet = str(table / "mam.db"), True
    try:
        return "".join(part[1] for part in Toolbar(session).text()).split("\n")
    finally:
        session.log().close()


def test_the_toolbar_marks_omitted_combatants(mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joins = "".join(f"join Rat{n} foes hp=6\n" for n in range(8))
    mam("table", stdin=f"{JOINS}{joins}damage rat0 6\ndamage rat1 6\ndamage rat2 6\nmodre\na rat3 ice p4 m2\n")
    *people, odds = toolbar_lines(table, monkeypatch, 200)
    assert "Rat0 R0 D0 O0 S0 X6 incapacitated" in " ".join(people)
    assert "…" not in " ".join(people)
    assert "needs" in odds
    # With little room, the fallen are listed only by name, and then the odds without the needed difference.
    *people, odds = toolbar_lines(table, monkeypatch, 75)
    assert "✗Rat0 │ ✗Rat1 │ ✗Rat2" in " │ ".join(people)
    assert "Rat7" in people[-1]
    assert toolbar_lines(table, monkeypatch, 60)[-1] == "Modre's attack on Rat3: 83%"
    *people, odds = lines = toolbar_lines(table, monkeypatch, 24)
    assert (len(lines), people[-1][-3:], odds[-1]) == (4, "│ …", "…")
    assert max(map(len, lines)) <= 24


def test_prompt_and_status_show_the_same_round_between_rounds(mam: Mam) -> None:
    mam("table", stdin=f"{JOINS}modre.\nclone\nend-turn clone\n")
    with Session() as session:
        session.quiet = True
        assert "r2 next Modre" in Toolbar(session).prompt()
    assert "Round 2: Modre is next." in mam("status").out


def test_the_toolbar_shows_the_remaining_actions(mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mam("table", stdin=ALLEY)
    assert "▸Rook 1/2 left" in toolbar_lines(table, monkeypatch, 80)[0]


def test_the_toolbar_counts_the_fallen_of_a_crowd(mam: Mam) -> None:
    mam("table", stdin=JOINS + "join 10 Rats c hp=2\ndamage rat-1 2 axe\ndamage rat-2 2 axe\n")
    with Session() as session:
        session.quiet = True
        text = "".join(words for _, words, *_ in Toolbar(session).text())
    assert "2 down" in text
    assert "Rat 1 " not in text
    assert "Rat 3 R2" in text


def test_the_toolbar_says_how_to_roll_for_an_open_round(mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mam("table", stdin=ALLEY.partition("ro rook")[0])
    mam("round")
    assert toolbar_lines(table, monkeypatch, 80)[-1].endswith("type ri to roll")
