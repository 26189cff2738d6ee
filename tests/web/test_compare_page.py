"""The page that compares two fights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.cli.calls import Mam
from tests.web.conftest import EXAMPLES, OpenPage


@pytest.fixture
def branch(mam: Mam, table: Path) -> Path:
    """Return a page that compares the printed fight with a branch in which the Clone defends."""
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"), "--id", "duel")
    mam("branch", "--at", "15", "--id", "second", "--by", "Ana")
    for order in ("defend clone 3", "resolve --attack-die 6 --defense-die 4", "end-turn modre"):
        mam(*order.split())
    mam("replay", "-e", "duel", "--against", "second", "--html", "both.html")
    return table / "both.html"


@pytest.fixture
def whatif_page(mam: Mam, table: Path) -> Path:
    """Return a page that compares a fight with itself under another rule, which makes an order void."""
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"), "--id", "dark")
    mam("whatif", "--set", "half_success=never", "--html", "what.html")
    return table / "what.html"


def shown_texts(page: Page) -> list[str]:
    """Return the texts that both sides now show."""
    return page.locator("mam-compare .now").all_inner_texts()


def at(page: Page) -> str:
    """Return the number on the ribbon."""
    return page.locator(".ribbon b").inner_text()


@pytest.mark.slow
def test_both_sides_go_to_the_same_ruling(branch: Path, open_page: OpenPage) -> None:
    page = open_page(branch, "#at=15")
    one, other = shown_texts(page)
    assert one == other
    assert "Modre attacks Clone" in one
    expect(page.locator("mam-compare .difference")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("mam-compare .none")).to_contain_text("unchanged since № 15")
    page.keyboard.press("ArrowRight")
    assert [text.split()[1] for text in shown_texts(page)] == ["counterattacks", "reacts:"]
    page.get_by_role("button", name="Next ruling").click()
    assert [text.split()[1] for text in page.locator("mam-compare .duo").all_inner_texts()] == ["hit", "miss"]
    clone = page.locator("mam-compare .mini", has_text="Clone")
    expect(clone.nth(0)).to_contain_text("≠ 2 more other used, 2 more stun, 2 more damage")
    expect(clone.nth(1)).to_contain_text("≠ 6 more defense")
    assert "at=17" in page.url
    page.locator("mam-pairs .row", has_text="turn ends").last.click()
    assert at(page) == "18"
    for key, where in (("ArrowLeft", "17"), ("Home", "1"), ("x", "16"), ("h", "17"), ("End", "21"), ("[", "13")):
        page.keyboard.press(key)
        assert at(page) == where, key


@pytest.mark.slow
def test_a_tap_on_the_ruler_moves_both_sides(branch: Path, open_page: OpenPage) -> None:
    page = open_page(branch, "#at=1", width=360, height=780, has_touch=True)
    box = page.locator("mam-timeline").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 17.5 / 22, box["y"] + box["height"] / 2)
    assert at(page) == "17"
    expect(page.locator("mam-strip p")).to_have_count(2)


@pytest.mark.slow
def test_the_page_differs_where_diff_and_whatif_differ(
    mam: Mam, branch: Path, whatif_page: Path, open_page: OpenPage
) -> None:
    differs = json.loads(mam("diff", "duel", "second", "--json").out)["differing"][0]["ruling"]
    changes = json.loads(mam("whatif", "--set", "half_success=never", "--json").out)["first"]
    for file, number in ((branch, differs), (whatif_page, changes)):
        page = open_page(file)
        page.keyboard.press("x")
        assert at(page) == str(number)
        verdicts = page.locator("mam-parting ~ .row .number").all_inner_texts()
        # In a branch the first row is the branch itself.
        assert str(number) in [text.strip() for text in verdicts[:2]]
        before = page.locator(".row:has(~ mam-parting)")
        expect(before.first).to_contain_text("are alike in both")
        assert all("same" in (name or "") for name in before.evaluate_all("all => all.map((one) => one.className)"))


@pytest.mark.slow
def test_equal_rulings_are_folded_until_they_are_opened(branch: Path, open_page: OpenPage) -> None:
    page = open_page(branch)
    rows = page.locator("mam-pairs [data-row]")
    row_count = rows.count()
    page.get_by_text("are alike in both").click()
    assert rows.count() == row_count + 13
    page = open_page(branch)
    page.keyboard.press("Home")
    expect(page.locator("mam-pairs [data-row]")).to_have_count(row_count + 13)


@pytest.mark.slow
def test_void_rulings_are_explained_in_words(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"), "--id", "dark")
    mam("whatif", "--set", "drawn_bow_movement=forbidden", "--html", "bow.html")
    page = open_page(table / "bow.html", "#at=22")
    side = page.locator("mam-compare .side.b")
    expect(side.locator(".note")).to_contain_text("void: Lin holds the Longbow drawn")
    expect(page.locator("mam-compare .side").first.locator(".note")).to_have_count(0)
    expect(page.locator("mam-pairs [aria-current]")).to_contain_text("void: Lin holds the Longbow drawn")


@pytest.mark.slow
def test_other_bookkeeping_is_shown_only_on_its_side(whatif_page: Path, open_page: OpenPage) -> None:
    page = open_page(whatif_page, "#at=29")
    sentence = "Raider readies only the points that are there."
    one, other = (page.locator("mam-compare .side").nth(side) for side in (0, 1))
    expect(one.locator(".quiet")).to_have_count(0)
    expect(other.locator(".quiet")).to_have_text(sentence)
    row = page.locator("mam-pairs [aria-current] .cell")
    expect(row.nth(0).locator(".quiet")).to_have_count(0)
    expect(row.nth(1).locator(".quiet")).to_have_text(sentence)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_its_window(branch: Path, whatif_page: Path, open_page: OpenPage, scheme: str) -> None:
    for file in (branch, whatif_page):
        for width in (320, 700, 1440):
            page = open_page(file, "#at=17", width=width, color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            paper = page.locator("mam-book .page").evaluate("one => getComputedStyle(one).backgroundColor")
            assert (paper == "rgb(250, 244, 230)") == (scheme == "light")


@pytest.mark.slow
def test_without_script_the_page_shows_how_both_ended(whatif_page: Path, open_page: OpenPage) -> None:
    page = open_page(whatif_page, java_script_enabled=False)
    expect(page.locator("mam-compare .side")).to_have_count(2)
    expect(page.locator("mam-compare .side").first).to_contain_text("Raider: ")
    expect(page.locator("mam-pairs .row")).to_have_count(38)
    expect(page.locator("mam-pairs .part")).to_have_count(1)
