"""What the game master is told of rulings that are hidden, and how they are shown."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.typed import Mam, Said

KNIFE = ("--weapon", "id=fang,power=1")


def to_show(said: Said) -> list[str]:
    """The order that shows what is hidden, as it is told."""
    told = next(line for line in said.err.splitlines() if "to show it, " in line)
    return shlex.split(told.partition("to show it, mam ")[2])


def hidden(mam: Mam) -> list[int]:
    return [line["number"] for line in mam("log", "--as", "public", "--json").lines if line.get("hidden")]


@pytest.fixture
def ambush(mam: Mam) -> None:
    mam("new", "ambush")
    mam("join", "ana", "--hp", "6")
    mam("join", "rat", "--hp", "6", "--hidden", *KNIFE)
    mam("initiative", "--first", "rat", "--reason", "It lies in wait")
    mam("begin-turn", "rat")
    mam("attack", "rat", "ana", "--modifier", "1")
    mam("resolve", "6", "1")
    mam("end-turn", "rat")


@pytest.mark.usefixtures("ambush")
def test_whoever_is_revealed_is_seen_in_what_it_did_once_that_is_amended_too(mam: Mam) -> None:
    before = mam("log", "--as", "public").out
    said = mam("amend", "3", "visibility=public", "--yes")
    assert "still hidden from the players: 4, 5, 6, 7 and 8;" in said.err
    assert hidden(mam) == [4, 5, 6, 7, 8, 9]
    mam(*to_show(said))
    assert hidden(mam) == [9, 10], "corrections of what was hidden stay hidden"
    assert "rat attacks ana" in mam("log", "--as", "public").out
    assert "rat attacks ana" in mam("audit", "--as", "public").out
    mam("undo")
    mam("undo")
    assert mam("log", "--as", "public").out.startswith(before)


@pytest.mark.usefixtures("ambush")
def test_a_ruling_that_still_concerns_somebody_hidden_is_not_shown(mam: Mam) -> None:
    mam("amend", "5", "visibility=public", "6", "visibility=public", "--yes")
    assert {5, 6} <= set(hidden(mam))
    assert "rat" not in mam("audit", "--as", "public").out


@pytest.mark.usefixtures("ambush")
def test_an_export_ships_what_was_revealed(mam: Mam) -> None:
    said = mam("amend", "3", "visibility=public", "--yes")
    assert "AttackDeclared" not in mam("export", "--as", "public").out
    mam(*to_show(said))
    assert mam("export", "--as", "public").out.count("AttackDeclared") == 1


@pytest.mark.usefixtures("ambush")
def test_the_game_master_is_told_that_a_deed_in_the_open_is_hidden(mam: Mam) -> None:
    mam("begin-turn", "ana")
    said = mam("attack", "ana", "rat", "--modifier", "1")
    assert (
        "hidden from the players with rat: to show it, mam amend 3 visibility=public 10 visibility=public" in said.err
    )
    mam(*to_show(said))
    assert 10 not in hidden(mam)


@pytest.mark.usefixtures("ambush")
def test_of_what_somebody_hidden_does_nobody_needs_to_be_told(mam: Mam) -> None:
    mam("begin-turn", "ana")
    mam("end-turn", "ana")
    assert "hidden" not in mam("begin-turn", "rat").err
    assert "hidden" not in mam("attack", "rat", "ana", "--modifier", "1", "--as", "public", code=1).err


def test_initiative_is_rolled_apart_for_whoever_is_hidden(mam: Mam) -> None:
    mam("new", "docks", "--preset", "ron_d6")
    codes = ("--code", "perception=2D", "--code", "agility=3D")
    for name in ("mara", "jory"):
        mam("join", name, *codes)
    mam("join", "lookout", *codes, "--hidden")
    assert "next: mam initiative roll mara jory" in mam("round").err
    said = mam("initiative", "roll", "--all")
    assert "hidden from the players with lookout" in said.err
    assert "roll apart: mam initiative roll mara jory" in said.err
    mam("undo")
    said = mam("initiative", "roll", "mara", "jory")
    assert "hidden" not in said.err
    assert "mara rolls" in mam("log", "--as", "public").out
    mam("initiative", "roll", "lookout")
    assert hidden(mam)[-1] == 9
