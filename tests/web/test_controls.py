"""Controls of the page by mouse and touch, and unusual names."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.cli.calls import Mam
from tests.web.conftest import EXAMPLES, OpenPage, current_number

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
BUTTONS = (("next", 6), ("back", 5), ("turn", 10), ("turnBack", 5), ("last", 22), ("first", 1))
"""The buttons at the bottom, each with the ruling that it leads to, pressed in this order from ruling 5."""


@pytest.mark.slow
def test_every_button_works_with_the_mouse(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=5&reading=both")
    for name, where in BUTTONS:
        page.locator(f'mam-playback [data-do="{name}"]').click()
        assert current_number(page) == where, name
    page.locator("mam-catchword button").click()
    assert current_number(page) == 2
    page.locator('mam-log [data-to="9"]').click()
    assert current_number(page) == 9
    ruler = page.locator("mam-timeline").bounding_box()
    assert ruler is not None
    middle = ruler["y"] + ruler["height"] / 2
    page.mouse.move(ruler["x"] + 2, middle)
    expect(page.locator("mam-timeline .tooltip")).to_contain_text("№ 1")
    page.mouse.down()
    assert current_number(page) == 1
    page.mouse.move(ruler["x"] + ruler["width"] / 2, middle, steps=4)
    assert current_number(page) == 12
    page.mouse.up()
    page.mouse.move(ruler["x"] + 2, middle)
    assert current_number(page) == 12
    curve = page.locator("mam-fighters .curve").first
    curve.click(position={"x": 2, "y": 5})
    assert current_number(page) == 1
    page.keyboard.press("End")
    page.locator("mam-fighters .name").first.click()
    expect(page.locator("mam-fighters [data-chosen]")).to_have_count(1)
    expect(page.locator("mam-log .dim")).not_to_have_count(0)


@pytest.mark.slow
def test_every_button_works_by_touch(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=5&reading=both", **PHONE)
    for name, where in BUTTONS:
        button = page.locator(f'mam-playback [data-do="{name}"]')
        if button.is_visible():
            button.tap()
            assert current_number(page) == where, name
    assert current_number(page) == 5
    page.locator("mam-catchword button").tap()
    assert current_number(page) == 6
    page.locator('mam-log [data-to="17"]').tap()
    assert current_number(page) == 17
    page.locator("mam-card .sum .total").first.tap()
    expect(page.locator("mam-explanation")).to_contain_text("MAM-ATK-02")
    page.touchscreen.tap(180, 20)
    expect(page.locator("mam-explanation")).to_be_hidden()
    ruler = page.locator("mam-timeline").bounding_box()
    assert ruler is not None
    page.touchscreen.tap(ruler["x"] + ruler["width"] - 3, ruler["y"] + ruler["height"] / 2)
    assert current_number(page) == 22
    page.get_by_text("As it stands", exact=True).tap()
    expect(page.locator("mam-readings :checked")).to_have_value("stands")


@pytest.mark.slow
def test_the_replay_plays_to_the_end(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=19&reading=both")
    for _ in range(4):
        page.keyboard.press(">")
    expect(page.locator("mam-playback .x")).to_have_text("8 ×")
    page.keyboard.press(" ")
    expect(page.locator("mam-playback .play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("mam-card .card-head b")).to_have_text("So far")
    expect(page.locator("mam-playback .play")).to_have_attribute("aria-label", "Play")
    page.locator("mam-playback .speed").click()
    expect(page.locator("mam-playback .x")).to_have_text("as it happened")
    page.locator("mam-playback .play").click()
    expect(page.locator("mam-card .card-head b")).not_to_have_text("So far")
    page.keyboard.press("k")
    expect(page.locator("mam-playback .play")).to_have_attribute("aria-label", "Play")


@pytest.mark.slow
def test_the_live_region_is_silent_during_playback(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=3&reading=both")
    page.keyboard.press("ArrowRight")
    assert page.locator("mam-live").text_content() == page.evaluate(
        "document.querySelector('mam-book').reader.entry.lead"
    )
    page.keyboard.press("<")
    page.keyboard.press("k")
    page.keyboard.press("ArrowRight")
    assert page.locator("mam-live").text_content() == ""


WICKED = ("</script><b>Ann</b>", 'O\'Neil "the" <Red>', "🗡️ 忍者 & Söhne", "${jndi}$title", "<!--<script>")


@pytest.mark.slow
def test_html_in_names_is_escaped(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "wicked", "--title", "</title><script>alert(1)</script> 'quoted' $seal")
    for at, name in enumerate(WICKED):
        mam("join", f"w{at}", "--name", name, "--hp", "6", "--side", f"s{at}")
    mam("initiative", "--first", "w0", "--reason", "<img src=x onerror=alert(2)>")
    mam("begin-turn", "w0")
    mam("note", "</script><script>alert(3)</script>")
    mam("replay", "--html", "wicked.html")
    page = open_page(table / "wicked.html", "#at=6")
    expect(page.locator("h1")).to_have_text("</title><script>alert(1)</script> 'quoted’ $seal", use_inner_text=True)
    text = page.locator("mam-fighters").inner_text()
    for name in WICKED:
        assert name.replace("'", "’") in text
    assert page.locator("mam-book script, mam-book img, mam-book b:text('Ann')").count() == 0
    expect(page.locator("mam-seal")).to_contain_text("nothing was altered")


def overflow(page: Page) -> int:
    """Return the number of pixels by which the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.slow
def test_nothing_scrolls_sideways_at_320(duel: Path, open_page: OpenPage) -> None:
    for at in (1, 8, 17, 22):
        assert overflow(open_page(duel, f"#at={at}&reading=both", width=320, height=600)) <= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "fragment", ["#at=abc&v=-1&reading=constructor&theme=x", "#at=999", "#at=-1&v=1e9", "#%", "#at"]
)
def test_an_invalid_address_opens_the_end(duel: Path, open_page: OpenPage, fragment: str) -> None:
    page = open_page(duel, fragment)
    expect(page.locator("mam-card .headline")).to_have_text("The fight goes on in round 2.")
    page.keyboard.press("ArrowLeft")
    assert current_number(page) == 21


@pytest.mark.slow
def test_theme_and_help_have_buttons(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=17", color_scheme="light")
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--sheet')"
    light = page.evaluate(paper)
    page.locator("[data-do=theme]").click()
    assert page.evaluate(paper) != light
    page.locator("[data-do=keys]").click()
    expect(page.locator("dialog")).to_contain_text("whose view this is")
    page.get_by_text("Close", exact=True).click()
    expect(page.locator("dialog")).to_be_hidden()


@pytest.mark.slow
def test_the_printed_page_is_light_and_complete(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "the-toll-bridge.score"))
    mam("replay", "--html", "bridge.html")
    page = open_page(table / "bridge.html", "#at=68&theme=dark", color_scheme="dark")
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--ink')"
    dark = page.evaluate(ink)
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ink) == "#231a12" != dark
    expect(page.locator("mam-figures details")).to_have_attribute("open", "")
    expect(page.locator("mam-log .line")).to_have_count(109)
    for selector in (".point", ".odds .throws"):
        assert page.locator(selector).first.evaluate("one => getComputedStyle(one).printColorAdjust") == "exact"
    expect(page.locator("mam-playback")).to_be_hidden()
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(ink) == dark
    assert page.locator("mam-figures details").get_attribute("open") is None


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False])
def test_right_to_left_names_keep_their_places(mam: Mam, table: Path, open_page: OpenPage, *, script: bool) -> None:
    hero, foe = "שרה בת-טובים", "משה כהן"
    mam("new", "bridge", "--title", f"{hero} at dawn")
    mam("join", "sara", "--name", hero, "--hp", "6", "--side", "heroes")
    mam("join", "moshe", "--name", foe, "--hp", "6", "--side", "foes")
    for order in (
        "initiative --first sara --reason quick",
        "begin-turn sara",
        "attack sara moshe --power 1",
        "resolve 6 1",
    ):
        mam(*order.split())
    mam("replay", "--html", "bridge.html")
    page = open_page(table / "bridge.html", "#at=7", java_script_enabled=script)
    assert page.title() == f"{hero} at dawn"
    expect(page.locator("h1 bdi")).to_have_text(hero)
    expect(page.locator("mam-card .headline").last).to_contain_text(f"{hero}’s attack on {foe} hits")
    line = page.locator("mam-log .line").last
    names = line.locator("bdi")
    expect(names).to_have_text([hero, foe])
    first_box, second_box = (names.nth(at).bounding_box() for at in (0, 1))
    assert first_box is not None
    assert second_box is not None
    assert first_box["x"] + first_box["width"] < second_box["x"]
    if script:
        assert page.locator("mam-fighters .fighter").first.get_attribute("aria-label") == hero
        text = page.evaluate("document.querySelector('mam-share').transcript()")
        assert f"\u2068{hero}\u2069 → \u2068{foe}\u2069 ·" in text


@pytest.mark.slow
def test_a_crest_shows_the_first_grapheme_of_a_name(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "party")
    for who, name in (("fritz", "🇩🇪 Fritz"), ("etienne", "É́tienne"), ("yoshi", "勇者ロト")):
        mam("join", who, "--name", name, "--hp", "6")
    mam("replay", "--html", "party.html")
    crests = open_page(table / "party.html").locator("mam-fighters .badge text")
    assert set(crests.all_text_contents()) == {"🇩🇪", "É́", "勇"}
