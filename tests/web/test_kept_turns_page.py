"""The page of a fight with passed turns: bookkeeping, the summary and seals."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam
from tests.projections.raids import HIT, raid
from tests.web.conftest import OpenPage

PASSED = "Nobody played Wolf’s turn in round 1: it passes."
KEPT = "Round 1 keeps the order in which it was played: Fox begins now."


def page_of(mam: Mam, table: Path, *words: str, hidden: str = "") -> Path:
    """Write the page of the raid, in which ruling 27 undoes the hit."""
    with CombatLog.open(table / "mam.db") as log:
        raid(log, hidden=hidden)
        log.undo("fight", HIT, by="Ben", reason="it should not have gone down")
    mam("replay", "--html", "raid.html", *words)
    return table / "raid.html"


def bookkeeping_lines(page: Page) -> list[str]:
    return page.locator("mam-log .quiet").all_inner_texts()


@pytest.mark.slow
def test_bookkeeping_is_shown_only_in_readings_that_have_it(mam: Mam, table: Path, open_page: OpenPage) -> None:
    page = open_page(page_of(mam, table), "#at=15&reading=stands")
    lines = bookkeeping_lines(page)
    assert lines[:2] == [KEPT, PASSED]
    assert len(lines) == 5
    before = page.locator("mam-card .bookkeeping")
    expect(before).to_have_text(PASSED)
    # The passed turn belongs to the first round, so it comes before the heading of the second.
    places = page.locator("mam-log").inner_text()
    assert places.index("14") < places.index(PASSED) < places.index("Second round")
    page.get_by_text("Both", exact=True).click()
    assert bookkeeping_lines(page) == lines
    page.get_by_text("As played", exact=True).click()
    assert bookkeeping_lines(page) == []
    expect(before).to_have_count(0)
    # Bookkeeping is no ruling: it has no number and no link.
    expect(page.locator("mam-log .quiet [data-to], mam-log .quiet .number")).to_have_count(0)


@pytest.mark.slow
def test_a_correction_begins_with_its_summary(mam: Mam, table: Path, open_page: OpenPage) -> None:
    page = open_page(page_of(mam, table), "#at=27&reading=both")
    card = page.locator("mam-card")
    expect(card.locator(".summary li")).to_have_text(
        [
            "Wolf is up again from ruling 10 on.",
            "Wolf has 2 turns that nobody played (rounds 1 and 2).",
            "No ruling changes, none becomes void.",
        ]
    )
    expect(card.locator(".errata li")).to_have_text(
        [
            f"№ 13stands{KEPT}",
            f"№ 15stands{PASSED}",
            f"№ 19stands{KEPT.replace('1', '2')}",
            f"№ 21stands{PASSED.replace('1', '2')}",
            f"№ 25stands{KEPT.replace('1', '3')}",
        ]
    )
    expect(card.locator(".same-change")).to_have_text("№ 14, № 20, № 26: another turn is now the last of the round.")
    summary, details = (card.locator(name).bounding_box() for name in (".summary", ".errata"))
    assert summary
    assert details
    assert summary["y"] + summary["height"] <= details["y"]
    page.keyboard.press("/")
    page.keyboard.type("nobody played wolf")
    expect(page.locator("mam-log .line")).to_have_count(2)


@pytest.mark.slow
def test_bookkeeping_is_sealed(mam: Mam, table: Path, open_page: OpenPage) -> None:
    expect(open_page(page_of(mam, table)).locator("mam-seal")).to_contain_text("nothing was altered.")


@pytest.mark.slow
@pytest.mark.parametrize("view", ["public", "side:heroes", "gm"])
def test_a_view_that_does_not_see_the_wolf_gets_only_proofs(
    mam: Mam, table: Path, open_page: OpenPage, view: str
) -> None:
    file = page_of(mam, table, "--as", view, hidden="wolf")
    page = open_page(file, "#at=15&reading=both")
    seal = page.locator("mam-seal")
    expect(seal).to_contain_text("nothing was altered.")
    assert len(bookkeeping_lines(page)) == (5 if view == "gm" else 0)
    expect(page.locator("mam-card .bookkeeping")).to_have_count(1 if view == "gm" else 0)
    text = file.read_text()
    book = zlib.decompress(base64.b64decode(text.partition('id="book">')[2].partition("</script>")[0])).decode()
    if view != "gm":
        expect(seal).to_contain_text("only as hashes")
        assert not [word for word in ("Wolf", "wolf", "RulingMended") if word in book]
        page.keyboard.press("End")
        assert "passes" not in page.locator("mam-card").inner_text()


@pytest.mark.slow
def test_without_script_bookkeeping_and_the_summary_are_shown(mam: Mam, table: Path, open_page: OpenPage) -> None:
    page = open_page(page_of(mam, table), java_script_enabled=False)
    assert len(bookkeeping_lines(page)) == 5
    expect(page.locator("mam-card .summary li")).to_have_count(3)


@pytest.mark.slow
def test_the_copied_text_of_a_fight_has_its_bookkeeping(mam: Mam, table: Path, open_page: OpenPage) -> None:
    page = open_page(page_of(mam, table), "#at=15&reading=stands")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("mam-share > button").click()
    page.get_by_text("Copy the fight as text").click()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    at = lines.index("                 – Nobody played Wolf's turn in round 1: it passes.")
    assert lines[at + 1].startswith("№ 15")
