"""Hints and refusals in Ron d6 on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam, Rows
from tests.cli.orders.conftest import next_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("faces", [("rook=5,4", "thug=2,3"), ("rook=2,3", "thug=5,4")])
def test_every_hint_of_a_round_is_accepted_until_the_next_round(mam: Mam, faces: tuple[str, str]) -> None:
    result = mam("new", "alley", "--preset", "ron_d6")
    assert "mam join NAME --code perception=3D" in next_of(result.err)
    for name in ("rook", "thug"):
        result = mam("join", name, "--code", "perception=2D", "--code", "agility=2D", "--code", "brawling=3D")
    for begins in ("round", "initiative roll --all", "declare", "act", "result"):
        hint = next_of(result.err).removeprefix("next: mam ").split(", or mam ")[0]
        assert hint.startswith(begins), (hint, begins)
        dice = [word for face in faces for word in ("--dice", face)] if begins.startswith("initiative") else []
        result = mam(*hint.split(), *dice)
    assert next_of(result.err).startswith("next: mam declare")


@pytest.mark.usefixtures("alley")
def test_a_combatant_without_a_move_gets_the_hint_to_count_the_metres(mam: Mam) -> None:
    mam("declare")
    hint = next_of(mam("move", "rook", "1", "--after", "7", code=1).err)
    assert hint == "next: mam move rook --metres METRES --counts --after 7"
    mam(*hint.replace("METRES", "1").removeprefix("next: mam ").split(), "--yes")


@pytest.mark.usefixtures("alley")
def test_a_combatant_without_perception_gets_the_hint_to_amend_it(mam: Mam) -> None:
    mam("join", "owl", "--code", "percepton=2D")
    result = mam("initiative", "roll", "owl", code=1)
    assert next_of(result.err) == "next: mam amend 7 code.perception=2D"
    mam(*next_of(result.err).removeprefix("next: mam ").split())
    mam("initiative", "roll", "owl")


@pytest.mark.usefixtures("alley")
def test_after_move_up_the_reaction_is_suggested(mam: Mam) -> None:
    mam("declare")
    assert "mam wait" not in mam("act", "rook", "--action", "throw", "--target", "thug", "--code", "3D").err
    result = mam("move-up", "thug", "--because", "catch")
    assert next_of(result.err) == "next: mam interrupt thug --action catch --code CODE"
    assert "mam interrupt thug --action catch --code CODE" in mam("options", "thug").out
    mam("interrupt", "thug", "--action", "catch", "--code", "2D")


@pytest.mark.usefixtures("alley")
def test_wait_is_suggested_to_those_with_an_action_left_for_later(mam: Mam) -> None:
    assert "mam wait" not in next_of(mam("declare").err)
    assert "mam wait thug" in next_of(mam("declare", "thug", "--actions", "2").err)


@pytest.mark.usefixtures("alley")
def test_a_merged_skill_without_an_action_left_is_refused(mam: Mam) -> None:
    mam.run_all("declare", "act --action run_away")
    assert (
        "RD6-ACT"
        in mam("roll-related", "rook", "search", "4", "--primary", "dodge", "--code", "3D", "--merged", code=1).err
    )


def test_a_fight_that_rolls_initiative_suggests_a_perception_code_at_join(mam: Mam) -> None:
    result = mam("new", "bout", "--set", "initiative_method=ron_d6")
    assert next_of(result.err) == "next: mam join NAME --hp POINTS --code perception=2D"


@pytest.mark.usefixtures("alley")
def test_values_that_are_not_text_are_refused(mam: Mam, rows: Rows) -> None:
    before = rows()
    for words in (("move", "rook", "\udcff"), ("act", "rook", "--action", "move", "--metres", "\udcff")):
        mam(*words, code=2)
    assert "cannot be used" in mam("amend", "2", 'movement="\\ud800"', code=2).err
    assert rows() == before


@pytest.mark.usefixtures("alley")
def test_hints_keep_the_dice_that_were_typed(mam: Mam) -> None:
    mam("declare")
    punch = ("act", "--action", "punch")
    assert next_of(mam(*punch, "--dice", "4,2,6", code=1).err) == "next: mam act --action punch --dice 4,2,6,N"
    assert next_of(mam(*punch, "--dice=4", code=1).err) == "next: mam act --action punch --dice=4,N,N"
    assert "next: " not in mam(*punch, "--dice", "4,2,2,5", code=1).err


def test_hints_keep_the_dice_of_other_combatants(mam: Mam) -> None:
    mam.run_all("new duel --preset ron_d6", "join ada --code perception=2D", "join ort --code perception=2D")
    mam("round", "--yes")
    words = ("initiative", "roll", "--all", "--dice", "ada=4,2")
    result = mam(*words, "--dice", "ort=4,6", code=1)
    assert next_of(result.err) == f"next: mam {' '.join(words)} --dice ort=4,6,N"


def test_a_misspelt_weapon_key_gets_a_suggestion(mam: Mam) -> None:
    mam("new", "duel")
    assert 'Did you mean "attack"?' in mam("join", "a", "--hp", "5", "--weapon", "id=axe,atack=2", code=2).err


def test_a_refused_order_is_named_as_it_was_typed(mam: Mam) -> None:
    mam("new", "duel")
    assert (
        'The rules of this fight, mam_pools, have no order "act". It works only under ron_d6.'
        in mam("act", "a", "--action", "dodge", code=1).err
    )


def test_of_several_codes_the_wrong_one_is_named(mam: Mam) -> None:
    mam("new", "alley", "--preset", "ron_d6")
    result = mam("join", "dee", "--code", "perception=2D", "--code", "agility=100D", code=2)
    assert result.err.splitlines()[-1].startswith("join: --code agility must be a dice code like 3D,")
    assert result.err.splitlines()[-1].endswith("not '100D'.")


@pytest.mark.usefixtures("swing")
def test_an_interrupter_without_actions_left_is_not_suggested_next(mam: Mam) -> None:
    mam.run_all("interrupt rook --action dodge --dice 1,2,3", "result success")
    result = mam("result", "failure")
    assert next_of(result.err).startswith("next: mam declare brute")
    assert "must also say how many actions" in mam("act", "--action", "communicate", code=1).err


@pytest.mark.usefixtures("alley")
def test_invalid_ron_d6_orders_are_refused_with_advice(mam: Mam) -> None:
    mam("declare", "rook")
    assert "Did you mean" in mam("act", "rook", "--action", "doge", code=1).err
    assert "three pips are a die" in mam("act", "rook", "--action", "use", "--code", "3D+3", code=2).err
    assert "action with --action" in mam("act", "rook", "dodge", code=2).err
    assert (
        "--dice takes faces, as in --dice 4,2, not"
        in mam("act", "rook", "--action", "dodge", "--dice", "4,x", code=2).err
    )
    assert "Name those who roll, or use --all." in mam("initiative", "roll", code=2).err
    assert "Everybody who can act has already rolled." in mam("initiative", "roll", "--all", code=1).err
    assert "There are no hit points" in mam("join", "late", "--hp", "6", code=1).err
    assert "There are no hit points in this fight" in mam("pools").out
    assert (
        "--points does nothing with --action. Leave it out."
        in mam("act", "rook", "--action", "dodge", "--points", "2", code=2).err
    )


def test_ron_d6_options_are_refused_in_other_editions(mam: Mam) -> None:
    mam.run_all("new duel", "join ann --hp 4")
    assert (
        "--target works only in a fight under Ron d6. Leave it out."
        in mam("act", "ann", "climb", "--target", "ann", code=2).err
    )
    assert 'The rules of this fight, mam_pools, have no order "round"' in mam("round", code=1).err
    assert "is longest_reach" in mam("initiative", "roll", "ann", code=1).err


def test_a_pool_fight_that_rolls_initiative_suggests_it_every_round(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "first-on-the-stairs.toml"))
    result = mam("undo", "12", "--rewind", "--yes")
    assert next_of(result.err).startswith("next: mam initiative roll --all")
    result = mam("initiative", "roll", "--all", "--dice", "modre=1,2,3", "--dice", "clone=2,2,2")
    assert next_of(result.err) == "next: mam begin-turn modre"
    assert "total" in mam("order").out


@pytest.mark.usefixtures("alley")
def test_a_skill_given_as_dice_suggests_the_skill_option(mam: Mam) -> None:
    mam("declare", "rook")
    error = mam("act", "rook", "--action", "slash", "--code", "melee", code=2).err
    assert '--code takes dice, like 3D+1, not "melee". For the skill, type --skill melee-combat.' in error


@pytest.mark.usefixtures("alley")
def test_refusals_in_ron_d6_name_rules_of_ron_d6(mam: Mam) -> None:
    for line in ("move --metres 2", "end-turn", "wait", "end-turn thug", "act --action use"):
        assert "[RD6-" in mam(*line.split(), code=1).err
    mam("incapacitate", "rook")
    for line in ("wait rook", "move rook --metres 2", "declare rook"):
        assert "[RD6-INIT-07]" in mam(*line.split(), code=1).err
