"""The views of the command line: marks, moments, and output into a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.calls import Mam

DUEL = "modre-and-the-clone"


@pytest.mark.usefixtures("fight")
def test_the_log_prints_one_line_per_ruling(mam: Mam) -> None:
    assert mam("log").out.splitlines()[16] == (
        "#17  r2 t1   Modre → Clone · Ice Blade · [6]+2+1 = 9 vs [4]+2+1 = 7 · "
        "hit · stun 2, damage 2 · the counterattack misses"
    )
    assert mam("log", "--last", "2").out.count("\n") == 2
    assert len(mam("log", "--at", "9").out.splitlines()) == 9
    assert len(mam("log", "--at", "round:1").out.splitlines()) == 12


@pytest.mark.usefixtures("fight")
def test_rulings_that_do_not_count_are_marked_with_who_and_why(mam: Mam) -> None:
    mam.run_all("undo 6 --yes --by Ana --reason 'tie rule'", "dispute 17 That was a 5")
    lines = mam("log").out.splitlines()
    assert lines[5].endswith("↶ by Ana: tie rule")
    place = lines.index("             – Clone readies only the points that are there.")
    assert lines[place + 1].startswith("#11")
    assert lines[place + 1].endswith("Clone moves no points to ready  ~ changed by 22")
    assert any(line.startswith("#17") and line.endswith("~ changed by 22  ? disputed by 23") for line in lines)
    assert [line["struck"] for line in mam("log", "--json").lines[5:9]] == [True, True, True, False]
    mam.run_all("undo 22", "undo 6 --strict --yes")
    assert "✗ void: Defense has 0 points to give" in mam("log").out.splitlines()[10]


@pytest.mark.usefixtures("fight")
def test_no_view_prints_an_escape_code_into_a_pipe(mam: Mam) -> None:
    mam("undo", "6", "--yes")
    views = ("log", "pools", "order", "audit", "replay", "report", "options", "encounters")
    for view in (*views, "undo --preview", "rules show", "rules list", "verify"):
        assert "\x1b" not in mam(*view.split()).out, view


@pytest.mark.usefixtures("fight")
def test_at_shows_the_fight_as_it_counts_and_as_of_as_it_was_known(mam: Mam) -> None:
    mam("undo", "6", "--yes")

    def ready(*words: str) -> int:
        return int(mam("pools", "--json", *words).lines[0]["pools"]["ready"])

    assert ready("--at", "8") == 6
    assert ready("--at", "8", "--as-of", "21") == 0
    assert ready("--as-of", "6") == 0
    assert mam("order", "--at", "round:1", "--json").lines[0]["round"] == 1
    assert "↶" not in mam("log", "--as-of", "21").out
    assert mam("report", "--as-of", "21", "--json").lines[0]["struck"] == 0
    assert len(mam("replay", "--json", "--at", "8").lines) == 8
    assert len(mam("audit", "--json", "--as-of", "8").lines) == 8


@pytest.mark.usefixtures("fight")
def test_the_audit_shows_each_number_with_its_rule(mam: Mam) -> None:
    assert "+1 Ice Blade (MAM-ATK-02)" in mam("audit", "17").out
    entries = mam("audit", "--json", "--last", "2").lines
    assert [entry["number"] for entry in entries] == [20, 21]
    assert mam("audit", "99", code=4).err


@pytest.mark.usefixtures("fight")
def test_the_replay_prints_frames_into_a_pipe(mam: Mam) -> None:
    mam("undo", "20", "--yes")
    frames = mam("replay", "--json").lines
    assert [frame["number"] for frame in frames] == list(range(1, 23))
    assert frames[19]["struck"]["by"] == 22
    assert frames[16]["changed"] == {"clone": {"defense": -4, "stun": 2, "damage": 2}}
    output = mam("replay").out
    assert "    Clone  R0 D0 O2 S2 X2  OOSSXX  (defense -4, stun +2, damage +2)" in output
    assert "↶ by 22" in output
    living = mam("replay", "--living", "--json").lines
    assert [frame["number"] for frame in living] == list(range(1, 20))


@pytest.mark.usefixtures("fight")
def test_a_frame_repeats_nothing(mam: Mam) -> None:
    lines = [line.strip() for line in mam("replay").out.splitlines()]
    assert "Round 2 begins." not in lines, "the sentence of 13 says it already"
    assert "Modre rolls 6 (thrown) for the attack" in " ".join(lines)


@pytest.mark.usefixtures("fight")
def test_a_moment_may_be_the_number_of_a_note(mam: Mam) -> None:
    before = mam("pools", "--at", "21").out
    mam("note", "a pause")
    assert mam("pools", "--at", "22").out == before


@pytest.mark.usefixtures("fight")
def test_a_combatant_who_is_hidden_later_is_hidden_at_earlier_moments(mam: Mam) -> None:
    mam("amend", "3", "visibility=gm", "--yes")
    for view in ("pools", "replay", "order", "report"):
        for words in ((), ("--as-of", "9")):
            output = mam(view, *words, "--as", "public").out.lower().replace("modre-and-the-clone", "")
            assert "clone" not in output, (view, words)


@pytest.mark.usefixtures("fight")
def test_a_ruling_that_came_back_unchanged_has_no_mark_in_any_view(mam: Mam) -> None:
    mam("undo", "6", "--yes")
    assert "~ changed by 22" in mam("log").out
    assert "~ changed by 22" in mam("replay").out
    mam("redo")
    for view in (mam("log").out, mam("replay").out):
        assert "~" not in view
        assert "✗" not in view


@pytest.mark.usefixtures("fight")
def test_the_report_sums_up_the_fight_on_one_page(mam: Mam) -> None:
    mam.run_all("adjust --condition clone=out --reason 'It ran away'", "dispute 21 --claim 'Was that legal?' --by Ben")
    mam.run_all("undo 22 --only --reason 'It came back' --yes", "redo")
    output = mam("report").out
    for fact in (
        "Modre and the Clone (modre-and-the-clone)",
        "open, 2 rounds, 25 rulings",
        "  Clone  R0 D3 O0 S1 X2  DDDSXX  out",
        "#22  Clone leaves the fight in round 2",
        "#17  Modre: Clone takes 2 stun and 2 damage",
        "Ben disputes 21",
        "It came back",
        "Rules: mam_pools",
        "as the preset has them",
    ):
        assert fact in output, fact


@pytest.mark.usefixtures("fight")
def test_every_option_can_be_typed_and_is_accepted(mam: Mam) -> None:
    offers = mam("options", "--json").lines
    assert {offer["status"] for offer in offers} == {"allowed"}
    filled = {
        "NAME --hp POINTS": "wolf --hp 3",
        "REASON": "x",
        "WHAT": "nothing",
        "MODIFIER": "1",
        "OPTION=READING": "half_success=never",
    }
    for offer in offers:
        words = offer["type"].removeprefix("mam ")
        for blank, value in filled.items():
            words = words.replace(blank, value)
        mam(*words.split(), *(["--yes"] if words.startswith(("close", "heal")) else []))
        mam("undo", "--yes")
    assert "may not" not in mam("options").out
    blocked_offers = [
        offer for offer in mam("options", "clone", "--all", "--json").lines if offer["status"] == "blocked"
    ]
    assert {offer["combatant"] for offer in blocked_offers} == {"clone"}
    assert all(offer["why"] and offer["code"] for offer in blocked_offers)


@pytest.mark.usefixtures("modres_turn")
def test_options_follow_the_fight_through_an_exchange(mam: Mam) -> None:
    assert "mam attack modre clone --modifier 1\n" in mam("options").out
    assert "--power + --modifier = 1 to 6" in mam("options").out
    assert "POINTS 1 to 6, --straight" in mam("options").out
    mam("attack", "clone", "--power", "2")
    output = mam("options").out
    assert output.startswith("Exchange 6: Modre attacks Clone. Reactions come before the dice.")
    for order in ("mam defend clone 1", "mam parry clone", "mam counterattack clone", "mam resolve"):
        assert order in output
    mam.run_all("resolve", "close --yes")
    assert "The encounter is closed." in mam("options").out


def test_a_bar_has_one_letter_per_point_and_is_scaled_beyond_twenty(mam: Mam) -> None:
    mam("new", "duel")
    result = mam("join", "troll", "--hp", "60", "--pools", "ready=1,defense=30,other_used=27,stun=1,damage=1")
    bar = result.out.splitlines()[1].split("  ")[-1]
    assert len(bar) == 20
    assert [letter for letter in "RDOSX" if letter in bar] == list("RDOSX")
    assert bar == "".join(sorted(bar, key="RDOSX".index))
    assert abs(bar.count("D") - bar.count("O")) <= 1


def test_views_of_an_empty_fight_say_so(mam: Mam) -> None:
    mam("new", "duel")
    assert mam("pools").out == "Nobody has joined yet.\n"
    assert mam("order").out.startswith("Nobody has joined yet.")
    assert mam("options").out.startswith("Nobody has joined yet.")
    assert "no round yet" in mam("report").out
    assert len(mam("replay", "--json").lines) == 1


def test_rules_are_listed_shown_and_checked(mam: Mam, table: Path) -> None:
    assert mam("rules", "list", "--json").lines[0]["preset"] == "mam_pools"
    options = {line["option"]: line for line in mam("rules", "show", "--set", "half_success=never", "--json").lines}
    assert options["half_success"]["reading"] == "never"
    assert options["half_success"]["default"] == "exact_tie"
    assert set(options["half_success"]["readings"]) == {"exact_tie", "never", "one_of_two_rolls"}
    assert "half_success = never  * house rule; the preset has exact_tie" in (
        mam("rules", "show", "--set", "half_success=never").out
    )
    assert "or exact_tie" in mam("rules", "show", "--set", "half_success=never", "--all").out
    (table / "house.toml").write_text(
        'preset = "mam_pools"\n[house_rules]\nhalf_sucess = "never"\nwound_order = "stun_frist"\n', encoding="utf-8"
    )
    result = mam("rules", "check", "house.toml", code=1)
    assert 'house.toml:3: There is no option "half_sucess". Did you mean "half_success"?' in result.err
    assert 'house.toml:4: "wound_order" cannot be "stun_frist". Did you mean "stun_first"?' in result.err
    problems = mam("rules", "check", "house.toml", "--json", code=1).lines[0]["problems"]
    assert [problem["code"] for problem in problems] == ["unknown_option", "unknown_reading"]
    (table / "house.toml").write_text('preset = "mam_pols"\n', encoding="utf-8")
    assert 'Did you mean "mam_pools"?' in mam("rules", "check", "house.toml", code=1).err
    (table / "house.toml").write_text('[house_rules]\nhalf_success = "never"\n', encoding="utf-8")
    assert "mam_pools with 1 house rule." in mam("rules", "check", "house.toml").out


def test_every_view_shows_holds_riders_and_who_is_on_the_ground(mam: Mam) -> None:
    mam("new", "inn")
    for name, *more in (("bay", "--training", "trained"), ("rook",), ("rat",), ("lin", "--mount", "bay")):
        mam("join", name, "--hp", "9", *more)
    mam.run_all("initiative --first rook --reason x", "begin-turn")
    mam("manipulate", "rook", "rat", "--follow-up", "hold", "--points", "3", "--modifier", "2")
    assert "rat   R9 D0 O0 S0 X0  RRRRRRRRR  held by rook (hold-8)" in mam("resolve", "6", "1").out
    assert mam("undo", "--json").lines[0]["moved"] == ["rook", "rat"]
    mam.run_all("redo", "drop rook")
    words = {
        "bay": ["ridden by lin"],
        "rook": ["on the ground", "holds rat (hold-8)"],
        "rat": ["held by rook (hold-8)"],
        "lin": ["rides bay"],
    }

    def doing(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
        return {row["combatant"]: [one["words"] for one in row["doing"]] for row in rows if row["doing"]}

    assert doing(mam("pools", "--json").lines) == words
    assert doing(mam("order", "--json").lines[0]["rows"]) == words
    assert doing(mam("undo", "--preview", "--json").lines[0]["combatants"]) == words | {"rook": words["rook"][1:]}
    frame = mam("replay", "--json").lines[-1]
    assert {who: [one["words"] for one in activities] for who, activities in frame["doing"].items()} == words
    for view in ("pools", "order", "report"):
        lines = mam(view).out.splitlines()
        assert all(any(who in line and ", ".join(texts) in line for line in lines) for who, texts in words.items()), (
            view
        )
    assert "no longer: rook on the ground\n" in mam("undo", "--preview").out
