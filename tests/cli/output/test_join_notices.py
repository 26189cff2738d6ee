"""After a combatant joins, the table learns what looks wrong about it."""

from __future__ import annotations

import pytest

from tests.cli.calls import Mam


@pytest.mark.parametrize(
    ("side", "notice"),
    [
        ("heros", "heros is a new side. If bruno belongs to heroes, type mam amend 4 side=heroes."),
        ("heroes", ""),
        ("wolves", ""),
    ],
)
def test_a_side_that_looks_misspelt_is_pointed_out(mam: Mam, side: str, notice: str) -> None:
    mam.run_all("new duel", "join ana --side heroes --hp 6", "join orc --side foes --hp 5")
    error = mam("join", "bruno", "--side", side, "--hp", "5").err
    assert ("is a new side" in error) == bool(notice)
    assert notice in error
    if notice:
        mam("amend", "4", "side=heroes")
        assert {row["side"] for row in mam("pools", "--json").lines} == {"heroes", "foes"}


def test_a_line_at_the_table_points_out_a_misspelt_side(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --side heroes --hp 6")
    error = mam("table", stdin="join bruno hp=5 side=heros\njoin cora hp=5 side=heros\n").err
    assert error.count("is a new side") == 1, "the second one on that side meant it"
    assert "type amend 3 side=heroes." in error


def test_the_name_of_a_side_of_hidden_combatants_is_not_compared(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --side us --hp 6", "join spy --side heroes --hp 5 --visibility gm")
    assert "is a new side" not in mam("join", "bruno", "--side", "heros", "--hp", "5", "--as", "public").err
    assert "is a new side" in mam("join", "cora", "--side", "herose", "--hp", "5").err
