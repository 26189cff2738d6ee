"""`mam diff`: encounters, exports, and fights as of a ruling."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam

DUEL = "modre-and-the-clone"


@pytest.mark.usefixtures("fight")
def test_diff_of_a_branch_shows_what_is_the_same_and_what_differs(mam: Mam) -> None:
    mam.run_all("branch --at 14 --id second --by Ana", "end-turn")
    lines = mam("diff", DUEL, "second").out.splitlines()
    assert lines[0] == f"{DUEL} and second are the same up to ruling 21; second has 2 rulings more."
    rows = {line.split("  ")[0]: line.split() for line in lines if line}
    assert rows["rounds"] == ["rounds", "2", "2"]
    assert " ".join(rows["Clone"]) == "Clone R0 D3 O0 S1 X2 R3 D3 O0 S0 X0"
    assert any(line.startswith("The first that differs is 15, by 22 of second: Ana branches off") for line in lines)
    assert any(line.split()[:1] == ["17"] and f"only in {DUEL}" in line and "2 stun" in line for line in lines)
    at = lines.index("Only in second:")
    assert [line.split()[0] for line in lines[at + 1 :]] == ["#22", "#23"]


@pytest.mark.usefixtures("fight")
def test_diff_accepts_a_fight_as_of_a_ruling_and_an_export(mam: Mam, table: Path) -> None:
    mam.run_all("export -o before.ndjson", "undo 6 --yes")
    for before in (f"{DUEL}@21", "before.ndjson"):
        (document,) = mam("diff", before, DUEL, "--json").lines
        assert (document["shared"], document["same"], document["first"]["name"]) == (21, False, before)
        assert [(one["ruling"], one["verdict"]) for one in document["differing"]][-1] == (17, "changed")
        assert document["cause"]["ruling"] == 22
        assert {row["combatant"] for row in document["second"]["pools"]} == {"modre", "clone"}
    assert f"{DUEL}@21 has 12 rulings more" in mam("diff", "before.ndjson@9", f"{DUEL}@21").out
    assert "nothing differs" in mam("diff", "before.ndjson", "before.ndjson", "--store", "none.db").out
    assert not (table / "none.db").exists()


@pytest.mark.usefixtures("fight")
def test_diff_says_that_fights_are_unrelated_and_refuses_bad_sources(mam: Mam, table: Path) -> None:
    mam("new", "other", "--set", "half_success=never")
    output = mam("diff", DUEL, "other").out
    assert output.startswith(f"{DUEL} and other are two different fights.")
    assert [line.split()[0] for line in output.splitlines() if "never" in line] == ["half_success"]
    assert 'There is no encounter "modre"' in mam("diff", "modre", "other", code=4).err
    assert "There is no ruling 99. The newest is 1." in mam("diff", "other@99", DUEL, code=4).err
    (table / "junk").write_text("junk", encoding="utf-8")
    assert "not an export of mam-events" in mam("diff", "junk", DUEL, code=2).err
    mam("note", "psst", "--hidden", "-e", DUEL)
    (table / "public.ndjson").write_text(mam("export", "-e", DUEL, "--as", "public").out, encoding="utf-8")
    assert "hides some of its rulings" in mam("diff", "public.ndjson", DUEL, code=1).err
    assert 'There is no side "nobody"' in mam("diff", "other", DUEL, "--as", "nobody", code=4).err
    mam("diff", DUEL, code=2)


@pytest.mark.usefixtures("fight")
def test_diff_shows_a_view_only_what_its_log_shows(mam: Mam) -> None:
    mam.run_all("join spy --hp 4 --hidden", "branch --at 21 --id second", "note psst --hidden")
    output = mam("diff", DUEL, "second", "--as", "public").out
    assert "spy" not in output
    assert "psst" not in output
    assert "spy" in mam("diff", DUEL, "second").out
