"""The replay page: the frames, the result, corrections and disputes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from projections.pages.replay_entries import without_dice_sums
from tests.cli.calls import Mam
from tests.web.conftest import EXAMPLES, OpenPage, current_number

PRINTED = "modre-and-the-clone"
FIGHTS = [file.stem for file in sorted(EXAMPLES.glob("*.toml")) if "\nencounter" in file.read_text()]


@pytest.mark.parametrize(
    "fight",
    [PRINTED, *(pytest.param(fight, marks=pytest.mark.slow) for fight in FIGHTS if fight != PRINTED)],
)
def test_the_page_shows_the_same_as_the_frames_at_every_step(
    mam: Mam, table: Path, open_page: OpenPage, fight: str
) -> None:
    mam("play", str(EXAMPLES / f"{fight}.toml"))
    mam("replay", "--html", "fight.html")
    frames = [json.loads(line) for line in mam("replay", "--json").out.splitlines()]
    page = open_page(table / "fight.html", f"#at={frames[0]['number']}")
    for frame in frames:
        assert current_number(page) == frame["number"]
        text = page.locator("mam-card .headline").inner_text().replace("’", "'").replace("−", "-")
        # The headline is what it came to, wherever that stands in the sentence of the frame.
        assert text in without_dice_sums(frame["sentence"])
        for name, pools in frame.get("after", {}).items():
            for pool, count in pools.items():
                counter = page.locator(f'.counters [data-who="{name}"][data-pool="{pool}"] .count')
                if counter.count():
                    assert int(counter.inner_text()) == count
        page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_the_result_lists_who_left_apart_from_who_fell(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "bridge")
    for line in ("join mara heroes hp=8", "join bo heroes hp=6", "join grey wolves hp=6", "join red wolves hp=5"):
        mam("do", line, "-e", "bridge")
    mam("do", "initiative first=mara reason=quick; n.", "-e", "bridge")
    mam("do", "damage bo 6 fang", "-e", "bridge")
    mam("do", "grey flees", "-e", "bridge")
    mam("new", "cave", "--from-fight", "bridge")
    mam("do", "initiative first=mara reason=quick; n.", "-e", "cave")
    mam("do", "red leaves", "-e", "cave")
    columns = {}
    for fight in ("bridge", "cave"):
        mam("replay", "--html", f"{fight}.html", "-e", fight)
        page = open_page(table / f"{fight}.html")
        lists = {kind: page.locator(f".result-sides .{kind} li").all_inner_texts() for kind in ("falls", "departures")}
        columns[fight] = {kind: [words.split("\n") for words in texts] for kind, texts in lists.items()}
        assert page.locator(".result-sides .left .mark").count() == 0
        plain = open_page(table / f"{fight}.html", java_script_enabled=False).locator("body").inner_text()
        assert ("grey left in round 1" if fight == "bridge" else "bo was down already") in plain
        assert ("grey fell" in plain, "red fell" in plain) == (False, False)
    assert columns == {
        "bridge": {"falls": [["bo", "down, round 1"]], "departures": [["grey", "left, round 1"]]},
        "cave": {"falls": [["bo", "down already"]], "departures": [["red", "left, round 1"]]},
    }
    expect(page.locator(".before-it")).to_have_text("It goes on from bridge (ruling 10: grey left).")
    assert page.locator(".moments .line").all_inner_texts() == [
        "8\nThe game master says that red is out of the fight: Left the fight\nleft the fight"
    ]
    report = mam("report", "-e", "cave").out
    assert "Who fell\n  nobody\n" in report
    assert "Who left\n  #8  red leaves the fight in round 1\n" in report


@pytest.mark.slow
def test_a_correction_shows_only_what_changed(mam: Mam, table: Path, open_page: OpenPage) -> None:
    """The last sentence of a changed ruling may be the same: Bandit 1 is down either way."""
    mam("play", str(EXAMPLES / "the-toll-bridge.score"))
    mam("amend", "5", "hp=7", "--reason", "counted again", "--yes")
    mam("replay", "--html", "bridge.html")
    card = open_page(table / "bridge.html", "#at=110").locator("mam-card")
    takes = "Bandit 1 takes 4 damage: "
    after, before = (
        f"{takes}1 point from ready and 2 points from defense; 1 point more than was left",
        f"{takes}2 points from defense; 2 points more than was left",
    )
    joins = "Bandit 1 joins for bandits with "
    expect(card.locator(".errata li")).to_have_text(
        [
            f"№ 5changed{joins}7 hit points: 7 ready (was: {joins}6 hit points: 6 ready)",
            f"№ 54changed{after} (was: {before})",
        ]
    )
    expect(card.locator(".same-change")).to_have_text("№ 12, № 15, № 39, № 40: other totals.")
    assert card.inner_text().count("counted again") == 1


@pytest.mark.slow
def test_the_page_opens_on_the_result(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "the-toll-bridge.score"))
    for order in (
        "begin-turn cora",
        "adjust --reason arrow --condition bandit-4=incapacitated",
        "close --reason enough --yes",
    ):
        mam(*order.split())
    mam("replay", "--html", "bridge.html")
    page = open_page(table / "bridge.html")
    card = page.locator("mam-card")
    expect(card.locator(".headline")).to_have_text("Heroes won.")
    expect(card.locator(".consequences")).to_have_text("Enough.")
    heroes = card.locator(".result-sides section").first
    expect(heroes.locator("h3")).to_have_text("heroes")
    expect(heroes.locator(".person-name")).to_have_text(["Cora", "Anka", "Bram"])
    expect(heroes.locator(".falls li")).to_have_text(["Ankadown, round 1", "Bramdown, round 3"])
    assert card.locator(".moments li").count() == 3
    # It stands after the last ruling, and has no address: a link to the page opens on it.
    page.keyboard.press("ArrowLeft")
    assert current_number(page) == 112
    page.keyboard.press("ArrowRight")
    expect(card.locator(".headline")).to_have_text("Heroes won.")
    page.keyboard.press("ArrowRight")
    expect(card.locator(".headline")).to_have_text("Heroes won.")
    expect(page).to_have_url(re.compile(r"bridge\.html#$"))
    card.locator(".moments .line").first.click()
    assert current_number(page) < 112
    # As it was played that night, there is no result yet that knows of corrections.
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    page.get_by_text("As played", exact=True).click()
    assert current_number(page) == 112


@pytest.mark.slow
def test_combatants_named_first_in_the_result_have_the_first_cards(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "alley")
    for line in ("join grey thugs hp=6", "join red thugs hp=6", "join mara heroes hp=8", "join bo heroes hp=6"):
        mam("do", line, "-e", "alley")
    mam("do", "initiative first=red reason=quick; n.", "-e", "alley")
    mam("do", "damage grey 6 fang", "-e", "alley")
    mam("replay", "--html", "alley.html", "-e", "alley")
    page = open_page(table / "alley.html")
    expect(page.locator(".result-sides h3")).to_have_text(["heroes", "thugs"])
    expect(page.locator(".fighter h3")).to_have_text(["mara", "bo", "red", "grey"])
    plain = open_page(table / "alley.html", java_script_enabled=False)
    expect(plain.locator(".fighter h3")).to_have_text(["mara", "bo", "red", "grey"])
    # At a ruling they stand in the order of turns, but for those whom it is about.
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".fighter h3")).to_have_text(["grey", "red", "mara", "bo"])


@pytest.mark.slow
def test_the_page_says_why_fewer_rulings_count_than_were_written(mam: Mam, table: Path, open_page: OpenPage) -> None:
    for order in ("new cellar", "join ana --hp 6", "join rat --hp 5", "initiative --first ana --reason quick"):
        mam(*order.split())
    mam("do", "n; a rat p1; 4 2; .; n", "-e", "cellar")
    mam("replay", "--html", "all.html")
    expect(open_page(table / "all.html").locator("mam-catchword .label")).to_have_text("9 rulings, as it stands now")
    for order in ("undo 6 --only --yes", "join cat --hp 3", "undo 11 --yes"):
        mam(*order.split())
    mam("replay", "--html", "some.html")
    page = open_page(table / "some.html")
    sentence = "7 of 12 rulings count: 2 were undone, 1 became void, 2 are corrections."
    label = page.locator("mam-catchword .label")
    expect(page.locator("mam-card .card-head")).to_contain_text("12 rulings")
    expect(label).to_have_text(sentence)
    page.keyboard.press("ArrowLeft")
    expect(label).to_have_text("7 of 7, as it stands now")
    expect(label).to_have_attribute("title", sentence)
    page.get_by_text("Both", exact=True).click()
    expect(label).to_contain_text("of 12, undone ones too")


@pytest.mark.slow
def test_corrections_can_be_read_in_three_ways(duel: Path, open_page: OpenPage) -> None:
    page = open_page(duel, "#at=17&reading=stands")
    lines = page.locator("mam-log .line")
    assert lines.count() == 12
    expect(page.locator("mam-log .turns")).to_have_count(5)
    expect(page.locator("mam-log .omission")).to_have_count(2)
    expect(page.locator("mam-card .note")).to_contain_text("Changed by № 22")
    page.get_by_text("As played", exact=True).click()
    assert lines.count() == 22
    expect(page.locator("mam-card .note")).to_contain_text("Corrected since in № 22: changed")
    expect(page.locator("mam-card .moves .consequences")).to_contain_text("4 points from defense")
    page.get_by_text("Both", exact=True).click()
    expect(page.locator("mam-log .ghost")).to_have_count(3)
    page.locator('mam-log [data-to="8"]').click()
    expect(page.locator("mam-card .note")).to_contain_text("Undone by Ana in № 22: “it should have missed”")


@pytest.mark.slow
def test_turns_without_orders_are_merged_into_one_line(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "alley")
    for line in ("join ann heroes hp=6", "join bo heroes hp=6", "join grey thugs hp=6"):
        mam("do", line, "-e", "alley")
    mam("do", "initiative first=ann reason=quick; n; .; n; .; n; a ann p1; 4 2; .; n; .; n", "-e", "alley")
    mam("replay", "--html", "alley.html", "-e", "alley")
    page = open_page(table / "alley.html", "#at=9&reading=stands")
    log = page.locator("mam-log")
    expect(log.locator(".turns")).to_have_text(
        [
            "№ 6 to 10 · ann does nothing; bo does nothing; grey’s turn begins",
            "№ 13 · grey’s turn ends. Round 1 ends",
            "№ 14 to 16 · ann does nothing; bo’s turn begins",
        ]
    )
    # The moment is marked in the line that it is folded into.
    expect(log.locator("[aria-current]")).to_have_attribute("data-all", "6 7 8 9 10")
    page.keyboard.press("/")
    page.keyboard.type("bo's turn")
    expect(log.locator(".line")).to_have_count(3)
    page.keyboard.press("Escape")
    page.get_by_text("Both", exact=True).click()
    expect(log.locator(".turns")).to_have_count(0)


@pytest.mark.slow
def test_undone_lines_merge_only_if_one_correction_undid_them(mam: Mam, table: Path, open_page: OpenPage) -> None:
    for order in (
        "new cellar",
        "join ana --hp 6 --side heroes",
        "join rat --hp 5 --side vermin",
        "amend 3 hp=6 --yes",
        "join bat --hp 2 --side vermin",
        "undo 5 --yes",
        "join cat --hp 3 --side vermin",
        "amend 7 hp=4 --yes",
        "undo 8 --yes",
        "initiative --first ana --reason quick",
        "begin-turn ana",
        "attack ana rat --power 1",
        "resolve 4 2",
        "end-turn",
        "begin-turn rat",
        "amend 12 power=2 --yes",
        "amend 10 reason=quickest --yes",
        "undo 13 --yes",
        "undo 15 --yes",
    ):
        mam(*order.split())
    mam("replay", "--html", "cellar.html")
    gaps = open_page(table / "cellar.html", "#at=1&reading=stands").locator("mam-log .omission")
    expect(gaps).to_have_text(
        [
            "Who joined was corrected: № 4 to 6, 8 and 9",
            "№ 12 and 13 undone by № 18",
            "№ 15 undone by № 19",
            re.compile("^№ 16 .* amends 12"),
            re.compile("^№ 17 .* amends 10"),
            re.compile("^№ 18 .* undoes 12 .* and 13"),
            re.compile("^№ 19 .* undoes 15"),
        ]
    )


@pytest.mark.slow
def test_a_dispute_links_to_its_ruling_and_to_its_decision(mam: Mam, duel: Path, open_page: OpenPage) -> None:
    mam("dispute", "17", "--claim", "he was behind the table", "--by", "Ben")
    mam("answer", "23", "tables hide nobody")
    mam("rule-on", "23", "--uphold")
    mam("dispute", "20", "--claim", "too fast")
    mam("replay", "--html", "duel.html", "--force")
    page = open_page(duel, "#at=1&reading=both")
    for where in (20, 23, 26):
        page.keyboard.press("d")
        assert current_number(page) == where
        if where == 20:
            expect(page.locator("mam-card .note")).to_contain_text("Disputed in № 26.")
    page.locator('mam-log [data-to="23"]').click()
    note = page.locator("mam-card .note")
    expect(note).to_contain_text("About № 17: Modre → Clone · Ice Blade")
    expect(note).to_contain_text("Decided in № 25.")
    note.locator("button").first.click()
    assert current_number(page) == 17


@pytest.mark.slow
def test_possible_reactions_are_shown_between_an_action_and_its_result(
    mam: Mam, table: Path, open_page: OpenPage
) -> None:
    mam("play", str(EXAMPLES / "the-footbridge.toml"))
    mam("replay", "--html", "bridge.html")
    page = open_page(table / "bridge.html", "#at=16")
    window = page.locator("mam-card .window")
    expect(window).to_contain_text("The slash has come to 18, and its result is not declared.")
    expect(window.locator("li")).to_have_text(
        ["WWrenmay interrupt", "LLoutmay move up, for some reactions", "OOafmay move up, for some reactions"]
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(window).to_have_count(0)


@pytest.mark.slow
def test_a_tie_in_the_order_shows_what_broke_it(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "four-of-a-kind.toml"))
    mam("replay", "--html", "ties.html")
    tie = open_page(table / "ties.html", "#at=14").locator("mam-fighters .tie").first
    expect(tie).to_have_text("tie at 12, broken by an ability to go first")


@pytest.mark.slow
def test_the_two_combatants_concerned_are_shown_first(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("play", str(EXAMPLES / "the-toll-bridge.score"))
    mam("replay", "--html", "bridge.html")
    for width in (390, 1440):
        page = open_page(table / "bridge.html", "#at=67", width=width)
        for at in (67, 68):
            assert current_number(page) == at
            names = page.locator("mam-fighters .fighter h3")
            assert names.all_text_contents()[:2] == ["Bandit 4", "Bram"]
            assert names.count() == 7
            assert page.locator("mam-strip div > span").all_text_contents() == ["▸Bandit 4", "Bram"]
            page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_a_defender_of_another_is_shown_with_die_and_sum(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "ford")
    for line in ("join chief foes hp=8", "join finn heroes hp=6", "join bram heroes hp=6"):
        mam("do", line)
    mam("do", "initiative first=chief reason=quick; chief; a finn p1 m1")
    mam("do", "bram parries 7")
    mam("resolve", "1", "--interference-die", "8=5")
    mam("replay", "--html", "fight.html")
    for width in (390, 1280):
        page = open_page(table / "fight.html", "#at=9", width=width)
        right = page.locator("mam-card .who.r").inner_text().split("\n")
        assert right[1] == "bram"
        assert "parries for finn" in right[-1]
        assert page.locator("mam-card .duel .die").count() == 2
        assert page.locator("mam-card .sum.right-sum .total .n").inner_text() == "5"


@pytest.mark.slow
def test_a_correction_lists_void_rulings_of_a_dead_combatant_once(mam: Mam, table: Path, open_page: OpenPage) -> None:
    mam("new", "ford")
    for line in ("join mara heroes hp=6", "join wolf foes hp=6", "initiative first=mara reason=quick", "mara."):
        mam("do", line)
    mam("adjust", "--condition", "wolf=dead", "--reason", "a trap")
    mam("undo", "--yes")
    for line in ("wolf", "a mara p1", "mara d1", "resolve 3 4", "end-turn wolf"):
        mam("do", line)
    mam("redo", "--yes")
    last_number = mam("log", "--json").lines[-1]["number"]
    gone = [line["number"] for line in mam("log", "--json").lines if line.get("void")]
    assert len(gone) > 3
    mam("replay", "--html", "fight.html")
    page = open_page(table / "fight.html", f"#at={last_number}")
    assert page.locator(".errata li b.void").count() == 0
    assert "are void: wolf can’t act any more then." in page.locator(".same-change").inner_text().replace("'", "’")


@pytest.mark.slow
def test_a_result_begins_with_a_capital_and_nobody_out_is_to_declare(
    mam: Mam, table: Path, open_page: OpenPage
) -> None:
    mam("new", "brawl", "--preset", "ron_d6")
    for line in ("join Rook a code=(perception=2D)", "join Thug b code=(perception=2D)", "ro rook 5 4 thug 2 1"):
        mam("do", line)
    mam("adjust", "--condition", "thug=out", "--reason", "fled")
    mam("close", "--reason", "the thugs are beaten")
    mam("replay", "--html", "fight.html")
    page = open_page(table / "fight.html")
    assert page.locator("mam-card .consequences").first.inner_text() == "The thugs are beaten."
    assert [words.split("\n") for words in page.locator(".rung .st").all_inner_texts()][-1] == ["out of the fight"]
