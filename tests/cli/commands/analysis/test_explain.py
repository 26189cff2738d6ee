"""`mam explain` and `mam blame`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam


@pytest.mark.usefixtures("fight")
def test_explain_of_a_number_lists_the_changes_that_sum_to_it(mam: Mam) -> None:
    for at in (3, 8, 17, 19, 21):
        pools_by_name = {row["combatant"]: row["pools"] for row in mam("pools", "--at", str(at), "--json").lines}
        for who, pools in pools_by_name.items():
            for pool, points in pools.items():
                (document,) = mam("explain", f"{who}.{pool}", "--at", str(at), "--json").lines
                assert document["value"] == points == sum(one["change"] for one in document["changes"])
    out = mam("explain", "clone.stun", "--at", "19").out.splitlines()
    assert out[0] == "Clone's stun is 1 after ruling 19:"
    assert out[1].startswith("  #17  r2 t1  +2 = 2  Modre → Clone · Ice Blade · [6]+2+1 = 9")
    assert out[2].startswith("  #19  r2 t2  -1 = 1  Clone's turn begins.")


@pytest.mark.usefixtures("fight")
def test_explain_accepts_the_pool_names_that_the_tables_show(mam: Mam) -> None:
    same = {mam("explain", f"clone.{name}").out for name in ("other_used", "other used", "other-used", "O")}
    assert len(same) == 1
    lines = mam("explain", "clone").out.splitlines()
    assert "clone.damage is 2" in lines
    assert all(mam("explain", line.split()[0]).code == 0 for line in lines)
    assert 'clone has no number called "stunn". Did you mean "stun"?' in mam("explain", "clone.stunn", code=2).err
    assert 'Did you mean "clone"?' in mam("explain", "clon.stun", code=1).err
    assert "There is no ruling 99" in mam("explain", "99", code=4).err
    assert mam("explain", "#17").out == mam("explain", "17").out


@pytest.mark.usefixtures("fight")
def test_blame_shows_the_ruling_that_set_each_fact(mam: Mam) -> None:
    facts = {fact["fact"]: fact for fact in mam("blame", "clone", "--json").lines}
    assert (facts["stun"]["value"], facts["stun"]["ruling"]) == ("1", 19)
    assert (facts["damage"]["ruling"], facts["hp"]["ruling"]) == (17, 3)
    assert mam("blame", "modre", "--at", "16").out.count("in hand: Ice Blade") == 1
    assert 'Did you mean "modre"?' in mam("blame", "modr", code=1).err


@pytest.mark.usefixtures("fight")
def test_explain_of_a_ruling_that_does_not_count_shows_who_and_why(mam: Mam) -> None:
    mam("undo", "11", "--only", "--yes", "--by", "Ben", "--reason", "he never did")
    assert "It does not count:\n    undone by 22 by Ben: he never did" in mam("explain", "11").out
    assert "It does not count:\n    judged again by 22: void" in mam("explain", "16").out
    assert "By a correction:\n    #22 Ben undoes 11" in mam("explain", "17").out
    assert "least change" not in mam("explain", "16").out
    assert "least change" in mam("explain", "17").out
    mam("redo", "--yes")
    assert "itself undone by 23" in mam("explain", "22").out


def test_explain_of_an_import_is_the_same_as_of_the_fight(fight: Path, mam: Mam) -> None:
    outputs = [mam("explain", what).out for what in ("clone.stun", "17")]
    Path("fight.jsonl").write_text(mam("export").out, encoding="utf-8")
    mam("import", "fight.jsonl", "--store", "other.db")
    assert [mam("explain", what, "--store", "other.db").out for what in ("clone.stun", "17")] == outputs
    assert fight.exists()


def test_explain_and_blame_show_only_the_number_of_a_hidden_ruling(mam: Mam) -> None:
    mam.run_all("new ambush", "join ana --hp 6", "join rat --hp 6 --hidden --weapon id=fang,power=1")
    mam.run_all("initiative --first rat --reason 'It lies in wait'", "begin-turn rat")
    mam.run_all("attack rat ana --modifier 1 --power 2", "resolve 6 1")
    out = mam("explain", "ana.damage", "--as", "public").out
    assert "rat" not in out
    assert out.splitlines()[1].split() == ["#7", f"+{out.split()[3][:-1]}", "=", out.split()[3][:-1], "▒", "hidden"]
    assert "Ruling 7 is hidden from you." in mam("explain", "7", "--as", "public", code=1).err
    assert "Nobody called" in mam("explain", "rat.ready", "--as", "public", code=1).err
    assert "Nobody called" in mam("blame", "rat", "--as", "public", code=1).err
    assert "rat" not in mam("blame", "ana", "--as", "public").out
    (by,) = {fact["by"] for fact in mam("blame", "ana", "--as", "public", "--json").lines if fact["ruling"] == 7}
    assert by == ""


@pytest.mark.usefixtures("fight")
def test_explain_of_a_ruling_refuses_at(mam: Mam) -> None:
    assert "--at goes with a value of a combatant" in mam("explain", "17", "--at", "3", code=2).err


@pytest.mark.usefixtures("fight")
def test_explain_counts_wounds_and_blame_shows_the_position(mam: Mam) -> None:
    assert mam("explain", "clone.wounds", "--json").lines[0]["value"] == 3
    rulings = {line["fact"]: line["ruling"] for line in mam("blame", "clone", "--json").lines}
    assert (rulings["wounds"], rulings["standing"]) == (19, 3)
    mam("adjust", "--position", "clone=on_ground", "--reason", "he slipped")
    rulings = {line["fact"]: line["ruling"] for line in mam("blame", "clone", "--json").lines}
    assert rulings["on the ground"] == 22
    assert "standing" not in rulings
