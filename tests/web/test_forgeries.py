"""The page detects every forgery that `mam verify` detects, in Node and in a browser."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
from pathlib import Path
from random import Random

import msgspec
import pytest
from playwright.sync_api import expect

from mam_events import commands
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineOptions
from mam_events.notation.submit import give_line
from mam_events.verification import verify_export
from projections.pages.replay_page import ReplayPage
from tests.books import FIGHTS, Book, book_for, entry_of, export_of, hash_lines, place_of, valid_book
from tests.fights.tables import play_random_fight
from tests.forgeries import FORGERIES, UNPROVEN, UNSEEN
from tests.web.conftest import NEEDED, OpenPage, repack_book
from web.pages.replay import render_replay_page

WEB = Path(__file__).parents[2] / "web"
NODE = shutil.which("node")
SCRIPT = """
import { readFileSync } from 'node:fs';
const { verify } = await import(`${process.argv[1]}/replay/verification.js`);
const found = [];
for (const book of JSON.parse(readFileSync(0, 'utf8'))) found.push(await verify(book));
console.log(JSON.stringify(found));
"""


def proofs(*books: Book) -> list[Book]:
    """Return what the checks of the page find in those books, without a page."""
    if NODE is None:
        if NEEDED:
            pytest.fail("There is no Node here, and MAM_BROWSER=1 asks for it.")
        pytest.skip("There is no Node here: the checks of the page are not tried without one.")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    # Node reserves more address space than a test may use.
    process = subprocess.run(
        [NODE, "--input-type=module", "-e", SCRIPT, WEB.as_uri()],
        input=json.dumps(books),
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (hard, hard)),
    )
    results: list[Book] = json.loads(process.stdout)
    return results


def test_the_page_checks_agree_with_verify_on_unchanged_logs() -> None:
    books = [valid_book(fight) for fight in FIGHTS]
    for fight, book, result in zip(FIGHTS, books, proofs(*books), strict=True):
        verified = verify_export(export_of(book).splitlines(keepends=True))
        assert not result["wrong"], (fight, result)
        for name in ("rulings", "rows", "hidden", "drawn", "proven", "salted"):
            assert result[name] == getattr(verified, name), (fight, name)


@pytest.mark.slow
def test_the_page_checks_accept_random_fights() -> None:
    fights = [play_random_fight(Random(seed), close=seed % 2 == 0) for seed in range(8)]
    # In these fights something is revealed, judged by hidden rulings, or inserted after them.
    fights += [play_random_fight(Random(seed), steps=60) for seed in (1016, 1020, 1022, 1119, 1150, 1184, 1207)]
    books = [book_for(*fight, view) for fight in fights for view in ("gm", "public", "side:reds")]
    assert [result for result in proofs(*books) if result["wrong"]] == []


def test_an_outcome_that_names_a_hidden_combatant_is_hidden_everywhere() -> None:
    with CombatLog.open("sqlite://") as log:
        for command in (
            commands.Open(),
            commands.Join("wolf", hp=6, visibility="gm"),
            commands.Join("ana", hp=6),
            commands.Join("bo", hp=6),
        ):
            log.execute("fight", command)
        log.execute("fight", commands.Initiative(first="ana", reason="quick"), after=3)
        log.correct("fight", [Amend(2, {"visibility": "public"})])
        book = book_for(log, "fight", "public")
    assert entry_of(book, 4)["frame"]["hidden"]
    assert '"hash"' in book["rows"][place_of(book, 4)]
    assert entry_of(book, 2, "played")["frame"]["hidden"], "it was, before it was revealed"
    (result,) = proofs(book)
    assert not result["wrong"], result


@pytest.mark.parametrize("undo_line", ["u 7 only", "u 7", "u 3"])
def test_the_page_passes_after_hiding_the_target_of_a_reaction(undo_line: str) -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", commands.Open())
        for line in (
            *("join ana hp=9", "join bo hp=9", "join zqx hp=9", "init first=zqx because x", "zqx: a bo p1", "d 1"),
            *(f"{undo_line} !", "amend 4 visibility=gm !"),
        ):
            give_line(log, "fight", line)
        for view in ("public", "side:reds"):
            book = book_for(log, "fight", view)
            assert entry_of(book, 8)["frame"]["hidden"]
            (result,) = proofs(book)
            assert not result["wrong"], result


ARMED = ("join Ana heroes hp=12 w=(Sword pow=2)", "join Bo foes hp=9", "join Cy foes hp=9")
RENAMED = ("init first=ana because x", "ana: a bo p1", "r 3 4", "amend 3 visibility=gm", 'amend 3 name="Bo two"')
STANDS_AGAIN = ("init first=cy because x", "cy", "a bo p1", "u 7", "a ana p1", "redo", "amend 3 visibility=gm")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((*RENAMED, "amend 3 visibility=public"), id="renamed while hidden, then seen by all"),
        pytest.param((*RENAMED, "amend 3 visibility=side:heroes"), id="renamed while hidden, then seen by some"),
        pytest.param((*RENAMED, "amend 3 visibility=public", 'bo: check "q" v5 3'), id="who rolls after that"),
        pytest.param(STANDS_AGAIN, id="void beside an exchange of somebody hidden"),
    ],
)
def test_the_page_passes_after_a_combatant_was_hidden_for_a_while(lines: tuple[str, ...]) -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", commands.Open())
        for line in (*ARMED, *lines):
            give_line(log, "fight", line, LineOptions(sure=True))
        results = proofs(*(book_for(log, "fight", view) for view in ("public", "side:heroes", "side:foes")))
        assert [one["why"] for one in results if one["wrong"]] == []


def renamed_later(book: Book, name: str) -> Book:
    """Return the page with a combatant renamed everywhere except in the fight as played."""
    forgery_book: Book = json.loads(json.dumps(book).replace('"Bo"', f'"{name}"').replace("Bo ", f"{name} "))
    forgery_book["played"] = [
        *forgery_book["played"],
        *(leaf for leaf in book["entries"] if leaf["frame"]["number"] == 8),
    ]
    return forgery_book


def test_renaming_a_combatant_on_the_page_is_detected() -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", commands.Open())
        for line in (*ARMED, *RENAMED[:3], "note x seen=gm", 'note "y"'):
            give_line(log, "fight", line, LineOptions(sure=True))
        book = book_for(log, "fight", "public")
    assert proofs(renamed_later(book, "Cy"))[0]["wrong"]


def test_a_visible_correction_does_not_excuse_another_forged_die() -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", commands.Open())
        for line in (*ARMED, *RENAMED[:3], 'ana: check "lock" v5 3', "amend 9 4"):
            give_line(log, "fight", line, LineOptions(sure=True))
        book = book_for(log, "fight", "public")
    forgery_book: Book = json.loads(json.dumps(book))
    leaf = entry_of(forgery_book, 8)
    forgery_book["played"] = [*forgery_book["played"], json.loads(json.dumps(leaf))]
    leaf["rolls"][0]["face"], leaf["frame"]["rejudged_by"] = 6, 10
    results = proofs(book, forgery_book)
    assert [bool(one["wrong"]) for one in results] == [False, True]


def test_a_ruling_during_a_hidden_exchange_stays_visible() -> None:
    with CombatLog.open("sqlite://") as log:
        log.execute("fight", commands.Open())
        for line in (*ARMED, *STANDS_AGAIN):
            give_line(log, "fight", line, LineOptions(sure=True))
        assert not entry_of(book_for(log, "fight", "public"), 9)["frame"].get("hidden")


def test_the_page_checks_refuse_every_forgery() -> None:
    results = proofs(*(forgery.forged() for forgery in FORGERIES.values()))
    reasons = {name: one["why"] for name, one in zip(FORGERIES, results, strict=True)}
    assert {name: why for name, why in reasons.items() if FORGERIES[name].why not in why or not why} == {}


def test_the_page_checks_count_what_they_cannot_prove() -> None:
    for result in proofs(
        *(one for forgery in UNPROVEN.values() for one in (valid_book(forgery.fight), forgery.forged()))
    ):
        assert not result["wrong"], result
        assert (result["drawn"], result["revealed"], result["proven"], result["salted"]) == (2, 2, 0, 2)


@pytest.mark.parametrize("name", UNSEEN)
def test_the_page_checks_list_rulings_they_cannot_see(name: str) -> None:
    forgery = UNSEEN[name]
    original, result = proofs(valid_book(forgery.fight), forgery.forged())
    assert (original["wrong"], original["unseen"]) == (0, [])
    assert (result["wrong"], result["unseen"]) == (0, [int(forgery.why)])


@pytest.mark.slow
def test_the_page_says_which_dice_are_not_proven(tmp_path: Path, open_page: OpenPage) -> None:
    seal = open_page(page_of(valid_book("salted"), tmp_path / "fight.html")).locator("mam-seal")
    expect(seal).to_contain_text("The revealed seed proves 0 of 2 drawn dice.")
    expect(seal).to_contain_text("For 2 drawn dice the only proof is a seal that was noted before")


def page_of(book: Book, file: Path) -> Path:
    """Write the page of that book."""
    file.write_text(render_replay_page(msgspec.convert(valid_book("thrown"), ReplayPage)))

    def put(other: Book) -> None:
        other.clear()
        other.update(book)

    return repack_book(file, put)


@pytest.mark.slow
def test_a_forged_page_says_so(tmp_path: Path, open_page: OpenPage) -> None:
    page = open_page(page_of(valid_book("thrown"), tmp_path / "fight.html"))
    expect(page.locator("mam-seal")).to_have_attribute("data-state", "whole")
    for name, forgery in FORGERIES.items():
        page.goto(page_of(forgery.forged(), tmp_path / "fight.html").as_uri() + f"?{name}")
        expect(page.locator("mam-seal"), name).to_contain_text("The check fails at ruling ")
        expect(page.locator("mam-seal"), name).to_contain_text(forgery.why)
        expect(page.locator("mam-seal"), name).to_have_attribute("data-state", "broken")


@pytest.mark.slow
def test_the_page_says_what_it_cannot_check(tmp_path: Path, open_page: OpenPage) -> None:
    """A whole ruling may be hidden, but the page does not vouch for its dice."""
    book = valid_book("public")
    hash_lines(book, 17)
    entry = entry_of(book, 17)
    entry["rolls"][0]["face"] = 4
    entry["line"] = entry["line"].replace("[5!]", "[4!]")
    entry["frame"]["sentence"] = entry["frame"]["sentence"].replace("[5!]", "[4!]")
    seal = open_page(page_of(book, tmp_path / "fight.html")).locator("mam-seal")
    expect(seal).to_contain_text("This page cannot check what it shows of ruling 17, which is hidden.")
    expect(seal).to_have_attribute("data-state", "partial")
    assert proofs(valid_book("public"), book)[0]["unseen"] == []


@pytest.mark.slow
def test_the_page_says_which_drawn_dice_it_cannot_recompute(tmp_path: Path, open_page: OpenPage) -> None:
    book = valid_book("drawn") | {"view": "public"}
    hash_lines(book, 2)
    seal = open_page(page_of(book, tmp_path / "fight.html")).locator("mam-seal")
    expect(seal).to_contain_text("The revealed seed proves 0 of 4 drawn dice.")
    expect(seal).to_contain_text(
        "This page cannot check the drawn dice of rulings 7, 9: they may depend on something hidden"
    )
