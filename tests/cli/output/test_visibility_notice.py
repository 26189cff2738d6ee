"""Notices to the game master about hidden rulings."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.calls import CliResult, Mam

KNIFE = ("--weapon", "id=fang,power=1")


def suggested_amendment(result: CliResult) -> list[str]:
    """Return the suggested command that shows what is hidden."""
    hint = next(line for line in result.err.splitlines() if "mam amend " in line)
    return shlex.split(hint.partition(": mam ")[2])


def hidden(mam: Mam) -> list[int]:
    return [line["number"] for line in mam("log", "--as", "public", "--json").lines if line.get("hidden")]


@pytest.fixture
def ambush(mam: Mam) -> None:
    mam.run_all("new ambush", "join ana --hp 6")
    mam("join", "rat", "--hp", "6", "--hidden", *KNIFE)
    mam.run_all("initiative --first rat --reason 'It lies in wait'", "begin-turn rat", "attack rat ana --modifier 1")
    mam.run_all("resolve 6 1", "end-turn rat")


@pytest.mark.usefixtures("ambush")
def test_a_revealed_combatant_shows_its_past_once_that_is_amended_too(mam: Mam) -> None:
    before = mam("log", "--as", "public").out
    result = mam("amend", "3", "visibility=public", "--yes")
    assert "Still hidden from the players: 4, 5, 6, 7 and 8." in result.err
    assert hidden(mam) == [4, 5, 6, 7, 8, 9]
    mam(*suggested_amendment(result))
    assert hidden(mam) == [9, 10], "corrections of what was hidden stay hidden"
    assert "rat attacks ana" in mam("log", "--as", "public").out
    assert "rat attacks ana" in mam("audit", "--as", "public").out
    mam.run_all("undo", "undo")
    assert mam("log", "--as", "public").out.startswith(before)


@pytest.mark.usefixtures("ambush")
def test_a_ruling_about_another_hidden_combatant_stays_hidden(mam: Mam) -> None:
    mam("amend", "5", "visibility=public", "6", "visibility=public", "--yes")
    assert {5, 6} <= set(hidden(mam))
    assert "rat" not in mam("audit", "--as", "public").out


@pytest.mark.usefixtures("ambush")
def test_the_notice_lists_living_rulings_of_the_revealed_combatant_once(mam: Mam) -> None:
    mam.run_all("begin-turn ana", "join owl --hp 6 --hidden")
    assert "Still hidden" not in mam("amend", "10", "visibility=public", "--yes").err, "the owl has done nothing yet"
    mam.run_all("undo --yes", "attack ana owl --modifier 1", "undo 6 --yes")
    assert "Still hidden from the players: 4, 5 and 8." in mam("amend", "3", "visibility=public", "--yes").err
    for words in (("amend", "4", "visibility=public"), ("amend", "3", "name=Rattus"), ("undo",), ("undo", "2")):
        assert "Still hidden" not in mam(*words, "--yes").err, words


@pytest.mark.usefixtures("ambush")
def test_an_export_contains_what_was_revealed(mam: Mam) -> None:
    result = mam("amend", "3", "visibility=public", "--yes")
    assert "AttackDeclared" not in mam("export", "--as", "public").out
    mam(*suggested_amendment(result))
    assert mam("export", "--as", "public").out.count("AttackDeclared") == 1


@pytest.mark.usefixtures("ambush")
def test_the_game_master_is_notified_if_a_public_order_is_hidden(mam: Mam) -> None:
    mam.run_all("begin-turn ana", "join owl --hp 6 --hidden")
    result = mam("attack", "ana", "rat", "--modifier", "1")
    assert (
        "Ruling 11 is hidden from the players because rat is hidden. "
        "To reveal rat: mam amend 3 4 5 6 7 8 11 visibility=public"
    ) in result.err
    amendment = mam(*suggested_amendment(result))
    assert "Still hidden" not in amendment.err, "one go reveals all of it"
    assert hidden(mam) == [10, 12], "but the owl, and what it was that was hidden"


def test_the_notice_names_the_join_that_counts(mam: Mam) -> None:
    mam.run_all("new ambush", "join ana --hp 6")
    for _ in range(2):
        mam("join", "rat", "--hp", "6", "--hidden", *KNIFE)
        mam("undo")
    mam("redo")
    assert "To reveal rat: mam amend 5 8 visibility=public" in mam("initiative").err


@pytest.mark.usefixtures("ambush")
def test_no_notice_is_printed_for_orders_that_are_hidden_anyway(mam: Mam) -> None:
    mam("begin-turn", "ana")
    assert "hidden" not in mam("attack", "ana", "rat", "--modifier", "1", "--hidden").err, "it was asked for"
    mam.run_all("undo", "end-turn ana")
    for words in (("begin-turn", "rat"), ("attack", "rat", "ana", "--modifier", "1")):
        assert "hidden" not in mam(*words).err, "whoever is hidden does it"
    assert "hidden" not in mam("defend", "ana", "1").err, "it answers what is hidden"
    assert hidden(mam)[-2:] == [14, 15]
    assert "hidden" not in mam("resolve", "1", "6").err, "nobody does it"


def test_only_the_game_master_gets_the_notice_about_a_hidden_order(mam: Mam) -> None:
    for name, view, has_notice in (("wood", "gm", True), ("hill", "public", False)):
        mam("new", name)
        mam("join", "ana", "--hp", "6")
        mam("join", "rat", "--hp", "6", "--hidden", *KNIFE)
        error = mam("initiative", "--first", "ana", "--reason", "quick", "--as", view, "-e", name).err
        assert ("is hidden from the players because rat is hidden" in error) is has_notice


def test_lines_that_not_everybody_sees_are_marked_with_who_does(mam: Mam) -> None:
    mam.run_all("new docks", "join ana --hp 6 --side watch", "join spy --hp 6 --side watch --visibility side:watch")
    mam.run_all("join rat --hp 6 --hidden", "initiative")
    lines = mam("log").out.splitlines()
    assert [line.partition("◑ ")[2] for line in lines] == ["", "", "side:watch only", "gm only", "gm only"]
    assert [line["visibility"] for line in mam("audit", "--json").lines] == [
        "public",
        "public",
        "side:watch",
        "gm",
        "gm",
    ]
    assert "◑ side:watch only" in mam("log", "--as", "watch").out
    for table in ("pools", "order"):
        output = mam(table).out
        assert ("spy (hidden)" in output, "rat (hidden)" in output, "ana (hidden)" in output) == (True, True, False)
    assert [row["visibility"] for row in mam("pools", "--json").lines] == ["public", "side:watch", "gm"]
    assert [row["visibility"] for row in mam("pools", "--json", "--as", "watch").lines] == ["public", "side:watch"]


def test_hidden_combatants_are_marked_in_a_line_of_pools(mam: Mam) -> None:
    mam("new", "docks")
    assert "\n  ana  R6" in mam("join", "ana", "--hp", "6").out
    assert "\n  rat (hidden)  R6" in mam("join", "rat", "--hp", "6", "--hidden").out
    mam.run_all("initiative --first rat --reason x", "begin-turn")
    lines = mam("attack", "rat", "ana", "1").out.splitlines()
    assert lines[1:] == ["  ana           R6 D0 O0 S0 X0  RRRRRR", "  rat (hidden)  R5 D0 O1 S0 X0  RRRRRO"]


def test_initiative_is_suggested_without_hidden_combatants(mam: Mam) -> None:
    mam("new", "docks", "--preset", "ron_d6")
    codes = ("--code", "perception=2D", "--code", "agility=3D")
    for name in ("mara", "jory"):
        mam("join", name, *codes)
    mam("join", "lookout", *codes, "--hidden")
    assert "next: mam initiative roll mara jory" in mam("round").err
    result = mam("initiative", "roll", "--all")
    assert "is hidden from the players because lookout is hidden" in result.err
    assert "roll separately: mam initiative roll mara jory" in result.err
    mam("undo")
    result = mam("initiative", "roll", "mara", "jory")
    assert "hidden" not in result.err
    assert "mara rolls" in mam("log", "--as", "public").out
    mam("initiative", "roll", "lookout")
    assert hidden(mam)[-1] == 9
