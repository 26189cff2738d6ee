"""`mam branch`, and dice after an import."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def duel(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --hp 30", "join bo --hp 30", "initiative --first ana --reason 'She is awake'")
    mam.run_all("begin-turn ana", "attack ana bo --modifier 1", "resolve")


@pytest.mark.usefixtures("duel")
def test_a_branch_names_its_origin_and_becomes_the_current_fight(mam: Mam) -> None:
    result = mam("branch", "--at", "6", "--id", "second", "--by", "Ana")
    leaves = "Ana branches off duel after 6 (ana attacks bo with the body) and goes on here with its own dice"
    assert result.out == f"#8   r1 t1   {leaves}\n"
    assert '"second" is now the newest fight here.' in result.err
    assert "next: mam resolve" in result.err
    assert "#7   r1 t1   ana → bo" in mam("log", "7").out
    assert mam("log", "7").out.rstrip().endswith("↶ by Ana: not part of this branch")
    assert "↶" not in mam("log", "7", "-e", "duel").out
    (branch,) = (line for line in mam("encounters", "--json").lines if line["encounter"] == "second")
    assert (branch["branch_of"], branch["behind"]) == ("duel", 6)
    assert "branch of duel after 6" in mam("encounters").out
    (entry,) = mam("audit", "8", "--json").lines
    assert (entry["kind"], entry["do"], entry["asked"]["parent"]) == ("branch", "branch", "duel")
    assert mam("replay", "--json").lines[-1]["do"] == "branch"
    assert mam("verify", "--all", "--judge").code == 0
    assert "Ana branches off duel" in mam("log", "8", "--as", "public").out


@pytest.mark.usefixtures("duel")
def test_a_branch_of_the_whole_fight_has_its_corrections_too(mam: Mam) -> None:
    mam("amend", "7", "outcome=fail", "--yes")
    mam("note", "the lamp goes out")
    said = mam("branch", "--id", "second")
    assert "branches off duel after 7" in said.out
    assert "The branch has all 9 rulings of duel. The last order that counts is 7." in said.err
    assert "The last order" not in mam("branch", "--at", "7", "--id", "third", "-e", "duel").err


@pytest.mark.usefixtures("duel")
def test_hints_after_a_branch_name_the_branch_not_its_origin(mam: Mam, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "next: mam resolve, or" in mam("branch", "--at", "6", "--id", "second", "-e", "duel").err
    monkeypatch.setenv("MAM_ENCOUNTER", "duel")
    still_duel = "Commands use duel, because the environment variable MAM_ENCOUNTER names it."
    for words in ((), ("-e", "duel")):
        result = mam("branch", "--at", "6", "--id", f"third{len(words)}", *words)
        assert f"{still_duel} For third{len(words)}, add -e third{len(words)}." in result.err
        assert "is meant" not in result.err
        assert f"next: mam resolve -e third{len(words)}, or" in result.err
    mam("export", "-o", "duel.ndjson")
    assert f"{still_duel} For fourth, add -e fourth." in mam("import", "duel.ndjson", "--id", "fourth").err


@pytest.mark.usefixtures("duel")
def test_verify_of_a_branch_counts_dice_drawn_in_the_original_fight(mam: Mam) -> None:
    mam("branch", "--id", "second")
    before = 'dice drawn before, in "duel": 2, which cannot be checked until that seed is revealed'
    assert before in mam("verify").out
    mam.run_all("attack ana bo --modifier 1", "resolve")
    output = mam("verify").out
    assert before in output
    assert "dice drawn: 2, which can be checked once `mam close` has revealed the seed" in output
    mam("close", "--yes")
    output = mam("verify", "-e", "second").out
    assert "2 of 4 drawn dice match the committed seed" in output
    assert before in output
    mam("close", "--yes", "-e", "duel")
    assert "4 of 4 drawn dice" in mam("verify", "-e", "second").out


@pytest.mark.usefixtures("duel")
def test_a_branch_at_an_invalid_ruling_is_refused_with_a_valid_one(mam: Mam) -> None:
    mam("undo")
    result = mam("branch", "--at", "7", "--id", "second", code=1)
    assert "Ruling 7 was undone by 8, so no branch can begin after it. The last ruling before it" in result.err
    assert "next: mam branch --id second --at 6" in result.err
    mam("branch", "--id", "duel", code=1)
    mam("branch", "--id", "Second", code=2)
    mam("branch", "--at", "soon", "--id", "second", code=2)
    mam("branch", "--at", "9", "--id", "second", code=4)
    for view in ("public", "all"):
        assert "fight, so only the game master" in mam("branch", "--id", "second", "--as", view, code=2).err
    assert [line["encounter"] for line in mam("encounters", "--json").lines] == ["duel"]
    (first,) = mam("branch", "--id", "second", "--command-id", "k", "--json").lines
    (retry,) = mam("branch", "--id", "second", "--command-id", "k", "--json").lines
    assert retry == first | {"repeated": True}


@pytest.mark.usefixtures("duel")
def test_an_import_says_that_it_draws_from_a_new_seed(mam: Mam, table: Path) -> None:
    mam.run_all("attack ana bo --modifier 1", "export -o duel.ndjson")
    result = mam("import", "duel.ndjson", "--store", "other.db")
    assert "the first die drawn here gets a new seed" in result.err
    assert "the first die drawn here gets a new seed" in mam("verify", "--store", "other.db").out
    result = mam("resolve", "--store", "other.db")
    first_line, ending = result.out.splitlines()[:2]
    assert first_line.split(None, 3)[-1] == (
        "From here on dice are drawn from a new seed. The one before was revealed, or is in another store"
    )
    assert ending.startswith("#10")
    assert "dice drawn before, where this was exported: 2" in mam("verify", "--store", "other.db").out
    with sqlite3.connect(table / "other.db") as store:
        assert store.execute("SELECT count(*) FROM seeds").fetchone() == (1,)
    store.close()


@pytest.mark.usefixtures("duel")
def test_a_branch_with_a_taken_id_suggests_another_id(mam: Mam) -> None:
    error = mam("branch", "--at", "6", "--id", "duel", code=1).err
    assert error.endswith("next: mam branch --at 6 --id NAME\n")
