"""`mam status`, `rule`, `help` and `roster`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len

from mam_events.rules.build_data import build_rule_texts_json
from mam_events.rules.rulebook import DATA, rule_texts, sources
from tests.cli.calls import Mam
from tests.notation.evenings import FOLDER


@pytest.mark.usefixtures("modres_turn")
def test_status_shows_whose_move_it_is_and_the_points_of_everybody(mam: Mam) -> None:
    mam("do", "a ice p4 m2")
    output = mam("status").out
    assert "Exchange 6: Modre attacks Clone" in output
    assert "▸ Modre  R0 D2 O4 S0 X0" in output
    mam("dispute", "6", "too far away", "--by", "Ben")
    assert "? 7: Ben disputes 6" in mam("status").out
    told_of = mam("status", "--json").lines[0]
    assert [one["combatant"] for one in told_of["standings"]] == ["modre", "clone"]
    assert told_of["disputes"][0]["ruling"] == 7


def test_status_of_every_edition_shows_holds_riders_and_remaining_actions(mam: Mam) -> None:
    for name in ("toll-bridge", "dock"):
        mam("play", "-q", str(FOLDER / f"{name}.toml"))
    mam("branch", "--at", "39", "--id", "half", "-e", "evening")
    half = mam("status", "-e", "half").out
    assert "held by Grob" in half or "choked by Grob" in half
    assert "rides Storm" in half
    assert "0 of 1 actions left" in mam("status", "-e", "dock").out


@pytest.mark.usefixtures("modres_turn")
def test_status_shows_when_an_effect_ends(mam: Mam) -> None:
    mam("do", "evade")
    assert "~ Modre: evasion (+2) until the end of the next turn [MAM-MNV-01]" in mam("status").out


@pytest.mark.usefixtures("modres_turn")
def test_a_view_sees_its_own_status(mam: Mam) -> None:
    mam("join", "spy", "--hp", "3", "--hidden")
    assert "spy" in mam("status").out
    assert "spy" not in mam("status", "--as", "public").out


def test_every_rule_has_a_text_and_the_generated_file_is_current() -> None:
    assert set(rule_texts()) == set(sources())
    assert all(rule.text for rule in rule_texts().values())
    assert (DATA / "rule_texts.json").read_bytes() == build_rule_texts_json(), (
        "the pages of the rules have changed: run make rules"
    )


def test_a_rule_is_shown_with_its_options_and_its_source(mam: Mam) -> None:
    output = mam("rule", "mam-intf-06").out
    assert output.startswith("MAM-INTF-06  Parry\n")
    assert "parry_modifiers" in output
    assert "source: " in output
    assert "MAM-INTF-06" in mam("rule", "parry").out
    assert "MAM-ATK-06" in mam("rule", "ready-weapon").out
    assert mam("rule", "half_success").out
    assert "Did you mean" in mam("rule", "MAM-ATK-6", code=4).err


@pytest.mark.usefixtures("modres_turn")
def test_a_rule_is_shown_with_the_readings_of_the_fight(mam: Mam) -> None:
    assert "parry_point_pool = other_used" in mam("rule", "MAM-INTF-06").out


def test_help_finds_commands_and_rules_by_a_word(mam: Mam) -> None:
    assert "mam stay-mounted" in mam("help", "saddle").out
    assert mam("help", "attack").out == mam("attack", "--help").out
    assert "Nothing was" in mam("help", "flurb", code=4).err


@pytest.mark.usefixtures("modres_turn")
def test_a_character_is_saved_to_a_sheet_and_joins_by_name(mam: Mam, table: Path) -> None:
    mam("roster", "--add", "modre")
    assert (table / "roster" / "modre.toml").exists()
    assert mam("roster").out.startswith("modre  Modre, hp 6, ice-blade")
    mam.run_all("new second", "join modre")
    assert [one["name"] for one in mam("pools", "--json").lines] == ["Modre"]
    assert "is already in" in mam("roster", "--add", "modre", "-e", "duel", code=2).err


@pytest.mark.usefixtures("modres_turn")
def test_an_unreadable_sheet_does_not_hide_the_other_sheets(mam: Mam, table: Path) -> None:
    mam.run_all("roster --add modre", "roster --add clone")
    roster = table / "roster"
    shutil.copy(roster / "clone.toml", roster / "copy.toml")
    (roster / "._goblin.toml").write_bytes(b"\x00\x05\x16\x07")
    (roster / "gone.toml").symlink_to(roster / "nowhere.toml")
    (roster / "wide.toml").write_bytes("combatants = []".encode("utf-16"))
    (roster / "half.toml").write_text("[[combatants")
    (roster / "folder.toml").mkdir()
    mam("new", "second")
    result = mam("join", "modre")
    for name in ("gone", "wide", "half", "folder"):
        assert f"roster/{name}.toml" in result.err
    assert "goblin" not in result.err
    assert [one["name"] for one in mam("pools", "--json").lines] == ["Modre"]
    assert "roster/wide.toml: This is UTF-16 text. Save it as UTF-8" in mam("join", "wide", code=2).err
    assert '"clone" is already in roster/clone.toml.' in mam("join", "clone", code=2).err
    roster_result = mam("roster")
    assert [line.split()[0] for line in roster_result.out.splitlines()] == ["clone", "modre"]
    assert roster_result.err.count("This sheet is skipped.") == 4
    assert '"clone" is already in roster/clone.toml.' in roster_result.err
    assert [one["fault"] for one in mam("roster", "--json").lines if "fault" in one][-1].startswith("roster/copy.toml:")


@pytest.mark.usefixtures("modres_turn")
def test_several_combatants_join_with_count_and_get_numbered_names(mam: Mam) -> None:
    mam("join", "goblin", "--count", "3", "--hp", "4", "--side", "foes")
    names = [one["name"] for one in mam("pools", "--json").lines]
    assert names[-3:] == ["Goblin 1", "Goblin 2", "Goblin 3"]
    mam("join", "goblin", "--count", "2", "--hp", "4")
    assert [one["combatant"] for one in mam("pools", "--json").lines][-2:] == ["goblin-4", "goblin-5"]


@pytest.mark.usefixtures("modres_turn")
def test_columns_align_wide_names_and_show_an_id_that_differs_from_the_name(mam: Mam) -> None:
    mam.run_all("do 'join hero \"勇者ロト\" hp=3'", "do 'join d1 \"🐉 Smaug\" hp=3'", "do 'join Zoë hp=3'")
    lines = mam("status").out.splitlines()
    assert any("Zoë  " in line and "(zoe)" not in line for line in lines)
    hero, dragon, zoe = (next(line for line in lines if name in line) for name in ("勇者ロト (hero)", "(d1)", "Zoë"))
    assert {cell_len(line[: line.index("R3 ")]) for line in (hero, dragon, zoe)} == {cell_len(hero[: hero.index("R3")])}
