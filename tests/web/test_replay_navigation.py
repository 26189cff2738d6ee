"""Navigation on the replay page: keys, links, search, and windows of every width."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.calls import Mam
from tests.web.conftest import EXAMPLES, OpenPage, current_number


@pytest.mark.slow
def test_every_key_navigates_or_opens_a_dialog(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=1&reading=both")
    for key, where in (
        ("ArrowRight", 2), (".", 3), (",", 2), ("ArrowLeft", 1), ("End", 22), ("Home", 1), ("l", 5), ("l", 10),
        ("j", 5), ("Shift+ArrowRight", 10), ("Shift+ArrowLeft", 5), ("]", 13), ("[", 5), ("h", 17), ("Home", 1),
        ("c", 6),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert current_number(page) == where, key
    page.keyboard.type("17")
    page.keyboard.press("Enter")
    assert current_number(page) == 17
    page.keyboard.press("e")
    expect(page.locator("mam-readings :checked")).to_have_value("stands")
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


@pytest.mark.slow
def test_a_click_on_a_number_explains_it(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=17&reading=stands")
    page.locator('.counters [data-who="clone"][data-pool="stun"]').click()
    gloss = page.locator("mam-explanation")
    expect(gloss).to_contain_text("Clone, stun: 2")
    expect(gloss.locator("dt")).to_have_text(["+2", "2"])
    page.keyboard.press("Escape")
    expect(page.locator('.counters [data-who="clone"][data-pool="stun"]')).to_be_focused()
    page.locator("mam-card .sum .total").first.click()
    expect(gloss).to_contain_text("MAM-ATK-02")


@pytest.mark.slow
def test_a_link_opens_its_ruling(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=3&reading=both")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("at=4"))
    page_copy = open_page(duel, page.url.partition("#")[1] + page.url.partition("#")[2])
    assert current_number(page_copy) == 4
    # A link from before the correction shows the ruling as it was, and that it was corrected.
    older = open_page(duel, "#at=17&v=21")
    expect(older.locator("mam-card .note")).to_contain_text("Corrected since")


@pytest.mark.slow
def test_a_link_to_an_unknown_place_is_ignored(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=4&reading=toString")
    assert current_number(page) == 4
    for nowhere in ("#moment", "#at=99&reading=valueOf", "#at=", "#reading=both"):
        page.evaluate(f"location.hash = '{nowhere}'")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert current_number(page) == 4


@pytest.mark.slow
def test_a_link_made_before_a_correction_says_so(mam: Mam, duel: Path, open_page: OpenPage) -> None:
    mam("redo", "--yes")
    mam("replay", "--html", "again.html")
    copy = duel.with_name("again.html")
    note = open_page(copy, "#at=17&v=22").locator("mam-card .note")
    expect(note.first).to_contain_text("Corrected since the link to it was made, at № 22")
    # What a correction changed and another put back is as it was: it has no mark.
    page = open_page(copy, "#at=11")
    expect(page.locator("mam-card .note")).to_have_count(0)
    expect(page.locator('mam-log [data-to="11"] [role=img]')).to_have_count(0)
    page = open_page(copy, "#at=22&v=22&reading=both")
    expect(page.locator("mam-card .note").first).to_contain_text("Corrected since in № 23: undone")


@pytest.mark.slow
def test_without_script_the_last_ruling_is_shown(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, java_script_enabled=False)
    expect(page.locator("mam-card")).to_contain_text("The fight goes on in round 2.")
    expect(page.locator("mam-card")).to_contain_text("Ana undoes 6")
    expect(page.locator("mam-log .line")).to_have_count(22)
    expect(page.locator("mam-fighters .fighter")).to_have_text(
        [
            "Modreheroes · next · 3 ready · 2 defense · 1 other used",
            "Clonefoes · acting · 3 defense · 1 stun · 2 damage",
        ]
    )


@pytest.mark.slow
def test_a_ruling_can_be_copied_as_text_and_saved_as_a_picture(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=17&reading=both")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    share = page.locator("mam-share > button")
    share.click()
    page.get_by_text("Copy the fight as text").click()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Modre and the Clone\n\n№ 1")
    assert "Modre → Clone · Ice Blade · [6]+2+1 = 9 vs [4]+2+1 = 7 · hit" in text
    share.click()
    page.get_by_text("Copy a link to this moment").click()
    assert page.evaluate("navigator.clipboard.readText()") == f"{duel.as_uri()}#at=17&v=22&reading=both"
    for kind, begins in (("SVG", b"<svg "), ("PNG", b"\x89PNG")):
        share.click()
        with page.expect_download() as saved:
            page.get_by_text(f"({kind})").click()
        assert saved.value.suggested_filename == f"duel-17.{kind.lower()}"
        assert Path(saved.value.path()).read_bytes().startswith(begins)


@pytest.mark.slow
def test_the_log_can_be_searched(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=1&reading=stands")
    page.keyboard.press("/")
    page.keyboard.type("clone's TURN")
    lines = page.locator("mam-log .line")
    assert lines.count() == 3
    page.keyboard.press("Enter")
    assert current_number(page) == 10
    page.keyboard.press("Enter")
    assert current_number(page) == 12
    page.locator("mam-search input").fill("")
    page.locator("mam-search select").select_option("blows and rolls")
    assert lines.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, *(pytest.param(width, marks=pytest.mark.slow) for width in (320, 360, 768))])
def test_nothing_is_wider_than_the_window(mam: Mam, table: Path, open_page: OpenPage, width: int) -> None:
    mam("play", str(EXAMPLES / "the-toll-bridge.score"))
    mam("replay", "--html", "bridge.html")
    page = open_page(table / "bridge.html", width=width, reduced_motion="reduce")
    for fragment in ("", "#at=1&reading=both", "#at=54&reading=both", "#at=109&reading=both"):
        page.goto(f"{(table / 'bridge.html').as_uri()}{fragment}")
        assert page.evaluate("document.documentElement.scrollWidth") == width, fragment


@pytest.mark.slow
def test_on_a_phone_the_result_has_no_bars_and_the_title_clears_the_tabs(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, width=390, height=844)
    assert page.locator("mam-strip").inner_text() == ""
    title, tabs = page.locator(".head h1").bounding_box(), page.locator(".readings").bounding_box()
    assert title is not None
    assert tabs is not None
    assert tabs["y"] - (title["y"] + title["height"]) >= 4
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert page.locator("mam-strip .bar").count()
