"""The HTML page that compares two fights."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Mam

EXAMPLES = Path(__file__).parents[3] / "examples"


def page_data(page: Path) -> dict[str, Any]:
    """Return the data in the page that compares two fights."""
    packed = re.findall(r'id="pair">(.*?)</script>', page.read_text(), flags=re.DOTALL)
    document: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed[0])))
    return document


def both_entries(row: dict[str, Any]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return the entries of both fights in a row."""
    first = row.get("first")
    return first, row.get("second", first if row.get("alike") else None)


@pytest.mark.usefixtures("fight")
def test_a_fight_before_a_correction_differs_from_itself_where_diff_shows(mam: Mam, table: Path) -> None:
    mam("undo", "8", "--strict", "--yes", "--by", "Ana", "--reason", "it should have missed")
    mam("replay", "--against", "modre-and-the-clone@21", "--html", "both.html")
    data = page_data(table / "both.html")
    (differs,) = mam("diff", "modre-and-the-clone", "modre-and-the-clone@21", "--json").lines
    assert data["first"] == differs["differing"][0]["ruling"] == 6
    at = data["parting"]
    assert [both_entries(row)[0]["frame"]["number"] for row in data["rows"][: at + 1]] == [1, 2, 3, 4, 5, 6]  # type: ignore[index]  # both fights have each of these
    assert all(row["alike"] and "differences" not in row for row in data["rows"][:at])
    void = next(row for row in data["rows"] if row["first"]["frame"]["number"] == 14)
    marks: list[str] = [
        leaf["frame"].get("marks", [""])[0] if leaf else ""
        for row in (data["rows"][at], void)
        for leaf in both_entries(row)
    ]
    assert marks[:2] == ["↶ by Ana: it should have missed", ""]
    assert marks[2].startswith("✗ void: Other used has 0 points to give")
    assert not marks[3]
    assert [row["first"]["frame"]["number"] for row in data["rows"] if not both_entries(row)[1]] == [22]


@pytest.mark.usefixtures("fight")
def test_a_branch_is_shown_beside_the_orders_of_its_origin(mam: Mam, table: Path) -> None:
    mam("branch", "--at", "15", "--id", "second")
    for order in (
        "defend clone 3", "resolve --attack-die 6 --defense-die 4", "end-turn modre", "note enough", "begin-turn clone"
    ):  # fmt: skip
        mam(*order.split())
    mam("replay", "-e", "modre-and-the-clone", "--against", "second", "--html", "both.html")
    data = page_data(table / "both.html")
    numbers = [tuple(leaf and leaf["frame"]["number"] for leaf in both_entries(row)) for row in data["rows"]]
    assert numbers[15:] == [(None, 22), (16, 23), (17, 24), (18, 25), (19, 27), (20, None), (21, None), (None, 26)]
    assert data["rows"][data["parting"]]["second"]["frame"]["do"] == "branch"
    assert data["rows"][17]["differences"] == {
        "clone": ["2 more other used, 2 more stun, 2 more damage", "6 more defense"]
    }
    (ended,) = (
        row
        for row in data["rows"]
        if both_entries(row)[0] and row.get("alike") and row["first"]["frame"]["number"] == 18
    )
    assert ended["differences"]


def test_a_whatif_page_marks_void_rulings(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"))
    words = ("whatif", "--set", "half_success=never")
    (document,) = mam(*words, "--html", "both.html", "--json").lines
    (expectation,) = mam(*words, "--json").lines
    data = page_data(table / "both.html")
    assert document["first"] == data["first"] == expectation["first"] == 26
    otherwise = {row["first"]["frame"]["number"] for row in data["rows"] if not row.get("alike")}
    assert {one["ruling"] for one in expectation["differing"]} <= otherwise
    voids = {
        row["first"]["frame"]["number"] for row in data["rows"] if row.get("second", {}).get("frame", {}).get("void")
    }
    assert voids == {one["ruling"] for one in expectation["differing"] if one["verdict"] == "void"}
    last = data["rows"][-1]["second"]["frame"]["after"]
    assert last == {one["combatant"]: one["pools"] for one in expectation["pools"]["supposed"]}


def test_dice_that_nobody_threw_are_marked(mam: Mam, table: Path) -> None:
    mam("play", str(EXAMPLES / "layers.toml"))
    mam("whatif", "--set", "armour_roll_source=separate_die", "--html", "both.html")
    data = page_data(table / "both.html")
    marked = [(row["first"], row["second"]) for row in data["rows"] if "[6?]" in row.get("second", {}).get("line", "")]
    assert all("never thrown" in now["frame"]["marks"][-1] for _, now in marked)
    marks = [mark for row in data["rows"] for mark in row.get("second", {}).get("frame", {}).get("marks", [])]
    assert "? 1 die never thrown" in marks
    assert "from a public seed" in data["sentences"][-1]


@pytest.mark.usefixtures("fight")
def test_a_wrong_request_is_refused_and_writes_no_page(mam: Mam, table: Path) -> None:
    assert "--html FILE. To" in mam("replay", "--against", "modre-and-the-clone@9", code=2).err
    (table / "there.html").touch()
    for words in (("replay", "--against", "modre-and-the-clone@9"), ("whatif", "--set", "half_success=never")):
        assert "exists. Use --force to overwrite it" in mam(*words, "--html", "there.html", code=2).err
        mam(*words, "--html", "there.html", "--force")
        assert page_data(table / "there.html")["rows"]
        (table / "there.html").write_text("")
    assert mam("replay", "--against", "nobody", "--html", "new.html", code=None).code
    assert not (table / "new.html").exists()


def test_a_compare_page_of_a_view_contains_nothing_hidden(mam: Mam, table: Path) -> None:
    for order in (
        "new duel", "join ana --hp 6 --side x", "join bo --hp 6 --side y", "join zed --hp 6 --side y --hidden",
        "initiative --first ana --reason quick", "begin-turn ana", "attack ana bo --power 1",
        "resolve --attack-die 5 --defense-die 2", "note a-trap --hidden",
    ):  # fmt: skip
        mam(*order.split())
    mam.run_all("undo 8 --yes", "replay --against duel@9 --html both.html --force --as public")
    data = json.dumps(page_data(table / "both.html"))
    # Ignore the packed data, which is unpacked above: its base64 may contain any word.
    page = re.sub(r'id="pair">.*?</script>', "", (table / "both.html").read_text(), flags=re.DOTALL)
    assert "zed" not in data + page
    assert "a-trap" not in data + page
    result = mam("whatif", "--set", "wound_order=stun_first", "--html", "no.html", "--as", "public", code=1)
    assert "only the game master can try out what" in " ".join(result.err.split())
    assert not (table / "no.html").exists()
