"""Verification by the replay page: seals, views, hidden combatants, drawn dice and damaged files."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.cli.calls import Mam
from tests.web.conftest import OpenPage, repack_book


def test_the_page_verifies_the_log(duel: Path, open_page: OpenPage) -> None:
    seal = open_page(duel).locator("mam-seal")
    expect(seal).to_contain_text("22 rulings (76 rows): nothing was altered. The dice shown are those of the log.")
    expect(seal).to_have_attribute("data-state", "whole")


@pytest.mark.slow
def test_a_page_for_a_view_shows_what_it_may_see_and_verifies_the_rest(
    mam: Mam, table: Path, open_page: OpenPage
) -> None:
    for order in (
        "new cellar",
        "join ana --hp 6 --side heroes",
        "join rat --hp 6 --side vermin",
        "join wyrm --name Fafnir --hp 9 --hidden",
        "initiative --first ana --reason quick",
        "begin-turn ana",
        "check rat hard --die 3 --hidden --after 4 --yes",
        "attack ana rat --power 1",
        "resolve 4 2",
    ):
        mam(*order.split())
    mam("replay", "--html", "all.html")
    mam("replay", "--html", "table.html", "--as", "public")
    file = (table / "table.html").read_text()
    book = zlib.decompress(base64.b64decode(file.partition('id="book">')[2].partition("</script>")[0])).decode()
    assert not [text for text in (file, book) for word in ("Fafnir", "wyrm") if word in text]
    page = open_page(table / "table.html", "#at=9")
    expect(page.locator("mam-seal")).to_contain_text("9 rulings (")
    expect(page.locator("mam-seal")).to_contain_text("only as hashes): nothing was altered.")
    expect(page.locator(".head .sub")).to_contain_text("as public")
    page.keyboard.press("v")
    expect(page.locator("mam-explanation")).to_contain_text("This page shows what everybody may know.")
    page.keyboard.press("Escape")
    page.locator('mam-log [data-to="4"]').click()
    expect(page.locator("mam-card")).to_contain_text("hidden")
    assert "Fafnir" in open_page(table / "all.html").locator("mam-log").inner_text()

    def forge(book: dict[str, Any]) -> None:
        at = next(at for at, row in enumerate(book["rows"]) if '"hash"' in row)
        book["rows"][at] = re.sub(r'(?<="hash":")..', "00", book["rows"][at])

    broken = open_page(repack_book(table / "table.html", forge)).locator("mam-seal")
    expect(broken).to_contain_text("The check fails at ruling 4")


LATER = {
    "said": ("note 'look, Fafnir'", "a rat p1; 3 4.", "dispute 7 'wyrm did it'"),
    "renamed": ("amend 4 name=Smaug", "note 'where is Smaug'", "amend 4 name=Worm"),
    "attacked": ("a wyrm p1", "wyrm: d 1", "3 4", "amend 7 power=2", "u 7", "redo"),
    "void": ("a wyrm p1; 3 4", "amend 2 hp=1"),
    "attacks": (".", "n", ".", "n", "a ana p1; ana: d 1; 3 4", "u 11", "redo", "amend 4 hp=8"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fight", list(LATER))
def test_a_page_verifies_after_a_combatant_was_hidden_later(
    mam: Mam, table: Path, open_page: OpenPage, fight: str
) -> None:
    for order in (
        "new cellar",
        "join ana --hp 9 --side heroes",
        "join rat --hp 6 --side vermin",
        "join wyrm --name Fafnir --hp 9 --weapon id=maw,power=1",
        "initiative --first ana --reason quick",
        "begin-turn ana",
    ):
        mam(*order.split())
    for line in LATER[fight]:
        mam("do", line.replace("'", '"'), "--yes")
    mam("amend", "4", "visibility=gm", "--yes")
    mam("replay", "--html", "table.html", "--as", "public")
    packed = (table / "table.html").read_text().partition('id="book">')[2].partition("</script>")[0]
    book = zlib.decompress(base64.b64decode(packed)).decode()
    assert not [word for word in ("Fafnir", "wyrm", "maw", "Smaug", "Worm") if word in book]
    expect(open_page(table / "table.html").locator("mam-seal")).to_contain_text("nothing was altered.")


@pytest.mark.slow
def test_drawn_dice_are_proven_by_the_seeds_that_were_revealed(mam: Mam, table: Path, open_page: OpenPage) -> None:
    for order in (
        "new drawn --word apple",
        "join ana --hp 6 --side x",
        "join bo --hp 6 --side y --word pear",
        "initiative --first ana --reason quick",
        "begin-turn ana",
        "attack ana bo --power 1",
        "resolve",
        "close --yes",
        "undo",
        "attack ana bo --power 1",
        "resolve",
        "close --yes",
    ):
        mam(*order.split())
    document = json.loads(mam("verify", "--json").out)
    mam("replay", "--html", "drawn.html")
    seal = open_page(table / "drawn.html").locator("mam-seal")
    assert document["drawn"] == document["proven"] == 4
    expect(seal).to_contain_text(f"The revealed seed proves {document['proven']} of {document['drawn']} drawn dice")


@pytest.mark.slow
def test_a_damaged_file_says_so(duel: Path, browser: Browser) -> None:
    page = browser.new_page()

    def tear(book: dict[str, Any]) -> None:
        book["entries"] = []

    for change in (dict[str, Any].clear, tear):
        page.goto(repack_book(duel, change).as_uri())
        expect(page.locator(".sub")).to_have_text("This file is damaged and cannot be read. Ask for it again.")
    page.close()


@pytest.mark.slow
def test_a_die_typed_in_a_note_is_shown_as_text(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "notes")
    mam("note", "I threw a [6*] · hit")
    mam("replay", "--html", "notes.html")
    line = open_page(table / "notes.html").locator('mam-log [data-to="2"]')
    expect(line).to_contain_text("I threw a [6*] · hit")
    expect(line.locator("svg.in-line, b")).to_have_count(0)
