"""Checks, contests and rest on the command line."""

from __future__ import annotations

import pytest

from mam_events.decider.rule_tables import Difficulties
from tests.cli.calls import Mam

pytestmark = pytest.mark.usefixtures("modres_turn")


def test_a_difficulty_is_a_number_or_a_word(mam: Mam) -> None:
    assert "[14]+6 = 20 vs 15 · success" in mam("check", "modre", "hard", "--modifier", "6", "--die", "14").out
    assert "[14] = 14 vs -3 · success" in mam("check", "modre", "--die", "14", "--", "-3").out
    assert "[14] = 14 vs 10 · success" in mam("check", "modre", "--die", "14").out
    assert 'No difficulty is called "hart". Did you mean "hard"?' in mam("check", "modre", "hart", code=1).err


def test_a_difficulty_that_is_nearly_a_number_is_refused(mam: Mam) -> None:
    for near_number in ("1.5", "12a", "99999999999"):
        assert "DIFFICULTY must be a whole number" in mam("check", "modre", near_number, code=2).err


def test_the_help_names_every_difficulty(mam: Mam) -> None:
    output = mam("check", "--help").out
    assert all(word in output for word in Difficulties.__struct_fields__)


def test_a_zero_of_a_ten_sided_die_counts_as_ten(mam: Mam) -> None:
    ten = ("--kind", "d10", "--die", "0", "--confirmation-die", "0")
    assert "[10]→20 = 20 (then [10]) vs 30 · success" in mam("check", "modre", "30", *ten).out
    assert "The die has no face 0: a d20 shows 1 to 20." in mam("check", "modre", "--die", "0", code=1).err


def test_several_circumstances_may_be_given(mam: Mam) -> None:
    words = ("--circumstance", "favourable", "--circumstance", "hostile")
    assert "[14]+2 = 16 vs 14 · success" in mam("check", "modre", *words, "--die", "14").out
    (document,) = mam("audit", "6", "--json").lines
    assert document["asked"]["circumstance"] == ["favourable", "hostile"]


def test_a_situation_of_the_game_master_is_in_the_line_and_in_the_audit(mam: Mam) -> None:
    result = mam(
        "check", "modre", "12", "--situation", "-2 wet rope", "--situation", "+1 a friend holds it", "--die", "14"
    )
    assert "[14] -2 wet rope +1 a friend holds it = 13 vs 12 · success" in result.out
    assert "-2 wet rope (the game master), +1 a friend holds it (the game master): 13" in mam("audit", "6").out
    (document,) = mam("audit", "6", "--json").lines
    assert document["asked"]["situation"] == ["-2 wet rope", "+1 a friend holds it"]
    assert "13 vs 12" not in mam("amend", "6", "situation=-3 wet rope", "--yes").out
    assert "[14] -3 wet rope = 11 vs 12 · failure" in mam("log").out


def test_an_invalid_situation_is_refused_with_an_example(mam: Mam) -> None:
    assert '"+2 outreached"' in mam("check", "modre", "--situation", "wet rope", code=2).err
    assert "Known: modre, clone" in mam("check", "modre", "--situation", "oda +2 wet rope", code=1).err


def test_contests_and_rests_are_possible_out_of_turn(mam: Mam) -> None:
    output = mam("contest", "clone", "modre", "--tie", "both_ways", "--die", "12", "--opponent-die", "8").out
    assert "Clone ↔ Modre · Clone [12] = 12 vs 10 · Modre [8] = 8 vs 10 · Clone: success, Modre: failure" in output
    mam("adjust", "--move", "clone:ready:damage:3", "--reason", "oil")
    rest = ("--opposition", "1", "--opposition", "3", "--die", "3", "--opposing-die", "2")
    output = mam("heal", "clone", "2", *rest, "--yes").out
    assert "[3]+2 = 5 vs 6 of [2]+4 = 6 · failure" in output
    assert "R3 D0 O1 S0 X2" in output


def test_an_opponent_may_be_given_by_name(mam: Mam) -> None:
    assert "Modre ↔ Clone" in mam("contest", "modre", "Clone").out
    assert 'Did you mean "clone"?' in mam("contest", "modre", "Clonn", code=1).err


def test_a_contest_with_a_hidden_combatant_is_refused_like_an_unknown_one(mam: Mam) -> None:
    mam("join", "wolf", "--hp", "4", "--hidden")
    hidden = mam("contest", "modre", "wolf", "--as", "public", code=1).err
    assert hidden.replace("wolf", "wulf") == mam("contest", "modre", "wulf", "--as", "public", code=1).err
    assert "wolf" not in mam("options", "--as", "public").out


def test_options_list_rolls_after_the_orders_of_the_turn(mam: Mam) -> None:
    commands = [line.split()[1] for line in mam("options", "--all").out.splitlines() if line.startswith("mam ")]
    assert commands.index("end-turn") < commands.index("check") < commands.index("contest") < commands.index("heal")
