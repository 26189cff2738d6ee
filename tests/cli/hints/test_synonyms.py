"""Synonyms of commands, and words that need no option."""

from __future__ import annotations

import shlex

import pytest

from cli.hints.synonyms import COMMAND_SYNONYMS
from cli.registry import COMMANDS_BY_NAME
from tests.cli.calls import CliResult, Mam

HORSE = "horse --side us --hp 9 --training trained"
RIDER = "ana --side us --hp 9 --ability riding=5 --mount horse"


def next_of(result: CliResult) -> str:
    return result.advice


def begin_fight(mam: Mam, *combatants: str, preset: str = "mam_speed") -> None:
    mam("new", "duel", "--preset", preset)
    for combatant in combatants:
        mam("join", *shlex.split(combatant))
    mam("initiative", "--first", combatants[0].split()[0], "--reason", "x")
    mam("begin-turn")


def test_every_synonym_means_an_existing_command() -> None:
    assert not set(COMMAND_SYNONYMS) & set(COMMANDS_BY_NAME)
    assert {order.split()[0] for orders in COMMAND_SYNONYMS.values() for order in orders} <= set(COMMANDS_BY_NAME)


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("hit ort", "mam attack ort"),
        ("--store mam.db shoot ada ort --mode powerful", "mam --store mam.db attack ada ort --mode powerful"),
        ("hold ort", "mam manipulate ort --follow-up hold"),
        ("throw ort --light lit", "mam manipulate ort --follow-up throw --light lit"),
        ("manipulate ort --hold", "mam manipulate ort --follow-up hold"),
        ("attack ort --powerful", "mam attack ort --mode powerful"),
        ("attack ort --very-dim", "mam attack ort --light very_dim"),
        ("end turn", "mam end-turn"),
    ],
)
def test_a_synonym_is_answered_with_the_matching_command(mam: Mam, line: str, suggestion: str) -> None:
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9 --size -1")
    result = mam(*line.split(), code=2)
    assert "Did you mean" in result.err
    assert next_of(result) == suggestion
    mam(*shlex.split(suggestion)[1:])


def test_a_synonym_depends_on_the_edition_of_the_named_fight(mam: Mam) -> None:
    mam("new", "quay", "--preset", "ron_d6")
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9")
    assert next_of(mam("shoot", "ort", code=2)) == "mam attack ort"
    assert next_of(mam("shoot", "ort", "-e", "quay", code=2)) == "mam act --action shoot --target ort -e quay"
    assert next_of(mam("dodge", "ort", "-e", "quay", code=2)) == "mam act ort --action dodge -e quay"


def test_a_synonym_is_understood_without_a_fight(mam: Mam) -> None:
    assert next_of(mam("shoot", code=2)).startswith("mam attack")


@pytest.mark.parametrize("word", ["find", "search"])
def test_looking_for_a_word_suggests_the_help(mam: Mam, word: str) -> None:
    assert next_of(mam(word, "saddle", code=2)) == "mam help saddle"


def test_a_word_that_is_like_no_command_is_not_completed(mam: Mam) -> None:
    said = mam("fond", "3", code=2)
    assert "Did you mean" not in said.err
    assert next_of(said) == "mam --help"


def test_a_misspelt_command_is_completed_only_if_one_is_meant(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9")
    assert next_of(mam("mov", "12", code=2)) == "mam move 12"
    assert next_of(mam("replay", "--plain", "--last", "2", code=2)) == "mam replay --help"
    assert next_of(mam("new", "alley", "--sid", "thieves", code=2)) == "mam new --help"


@pytest.mark.parametrize("line", ["serve -e duel", "backup --encounter duel"])
def test_a_command_about_the_whole_store_takes_no_encounter(mam: Mam, line: str) -> None:
    name, option, _ = line.split()
    assert f"mam {name} is not about one fight, so it takes no {option}." in mam(*line.split(), code=2).err


@pytest.mark.usefixtures("modres_turn")
def test_an_option_without_a_value_is_refused_with_its_meaning(mam: Mam) -> None:
    result = mam("initiative", "--surprise", code=2)
    assert "--surprise needs COMBATANT after it: who ambushed (MAM-ORDER-04)." in result.err
    assert next_of(result) == "mam initiative --surprise COMBATANT"
    assert next_of(mam("attack", "clone", "--power", "--modifier", "1", code=2)) == "mam attack --help"


@pytest.mark.usefixtures("modres_turn")
def test_a_missing_argument_is_refused_with_its_meaning(mam: Mam) -> None:
    assert "POINTS is missing: ready points that go into defense." in mam("defend", code=2).err
    assert "COMBATANT is missing: whose point it is." in mam("spend", code=2).err


@pytest.mark.parametrize("line", ["manipulate clone", "manipulate clone --follow-up hold", "attack clone"])
@pytest.mark.usefixtures("modres_turn")
def test_an_order_without_points_is_suggested_with_one(mam: Mam, line: str) -> None:
    result = mam(*line.split(), code=1)
    assert "Say how many" in result.err
    assert next_of(result).startswith(f"mam {line} --po")
    mam(*shlex.split(next_of(result))[1:])


@pytest.mark.usefixtures("modres_turn")
def test_without_a_point_left_none_is_suggested(mam: Mam) -> None:
    mam("move", "6")
    assert "--po" not in next_of(mam("attack", "clone", code=1))


@pytest.mark.usefixtures("modres_turn")
def test_attack_accepts_points_without_options(mam: Mam) -> None:
    assert "4 points on power, 2 on the modifier" in mam("attack", "clone", "4", "2").out
    mam("undo")
    assert "with the ice-blade: 3 points on power" in mam("attack", "modre", "clone", "3").out
    mam("undo")
    assert "POWER is given twice" in mam("attack", "clone", "4", "--power", "1", code=2).err
    assert "attacks Clone with the ice-blade: 4 points on power" in mam("attack", "4").out


def test_a_combatant_whose_name_is_a_number_can_be_named(mam: Mam) -> None:
    begin_fight(mam, "1 --side us --hp 9", "2 --side them --hp 9", preset="mam_pools")
    assert "1 attacks 2 with the body: 3 points on power" in mam("attack", "1", "2", "3").out


def test_a_face_needs_no_option_if_only_a_die_is_missing(mam: Mam) -> None:
    mam("new", "duel", "--preset", "mam_speed")
    mam("join", *RIDER.replace("--mount horse", "").split())
    mam("join", "ort", "--side", "them", "--hp", "9")
    assert "[17]" in mam("stalk", "ana", "ort", "17").out
    assert "DIE is given twice" in mam("stalk", "ana", "ort", "17", "--die", "3", code=2).err


def test_stay_mounted_applies_to_the_rider_who_owes_the_roll(mam: Mam) -> None:
    begin_fight(
        mam, "ort --side them --hp 9", HORSE, RIDER, f"{HORSE.replace('horse', 'pony')}", "bo --hp 9 --mount pony"
    )
    assert "ana owes no riding roll" in mam("stay-mounted", code=1).err
    mam.run_all("attack ort horse", "resolve 12")
    assert "[7]+5" in mam("stay-mounted", "7").out
    mam("undo")
    assert "[4]+5" in mam("stay-mounted", "--die", "4").out


def test_restrain_mount_applies_to_the_only_rider(mam: Mam) -> None:
    begin_fight(mam, HORSE, RIDER, "ort --side them --hp 9")
    assert "[9]" in mam("restrain-mount", "9").out


def test_a_hidden_rider_is_not_found(mam: Mam) -> None:
    begin_fight(mam, "ort --side them --hp 9", HORSE, f"{RIDER} --visibility gm")
    mam.run_all("attack ort horse", "resolve 12")
    assert "Nobody has to do that now" in mam("--as", "public", "stay-mounted", "7", code=2).err


def test_declare_accepts_the_number_of_actions_without_an_option(mam: Mam) -> None:
    mam.run_all("new quay --preset ron_d6", "join lio --code perception=3D --code agility=3D", "round")
    mam("initiative", "roll", "--all")
    assert "takes 2 actions" in mam("declare", "2").out
    mam("undo")
    assert "takes 3 actions" in mam("declare", "lio", "3").out


BOW = "--weapon id=bow,name=Bow,kind=bow,power=2,range=60"


def test_the_only_possible_weapon_is_the_default(mam: Mam) -> None:
    weapon = "--weapon id=dirk,name=Dirk,readied=no"
    begin_fight(mam, f"ada --hp 9 {BOW} {weapon}", "ort --hp 9")
    assert "draws the Bow" in mam("draw-bow").out
    mam("undo")
    assert "takes the Dirk in hand" in mam("ready-weapon", "ada").out


def test_of_several_weapons_one_must_be_named(mam: Mam) -> None:
    begin_fight(mam, f"ada --hp 9 {BOW} {BOW.replace('=bow,n', '=short,n')}", "ort --hp 9")
    assert "Which weapon? Type draw-bow bow or draw-bow short." in mam("draw-bow", code=2).err
    assert "draws the Bow" in mam("draw-bow", "short").out


def test_charge_as_an_option_of_attack_is_refused(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    assert "a charge (" in mam("attack", "ort", "--charge", code=2).err


def test_a_bare_action_name_suggests_the_action_option(mam: Mam) -> None:
    mam("new", "quay", "--preset", "ron_d6")
    mam("join", "lio", "--side", "lio", "--code", "perception=3D", "--code", "agility=3D", "--code", "dodge=3D")
    mam.run_all("join rat --side rat --code perception=3D --code agility=3D --code dodge=3D", "round")
    mam.run_all("initiative roll --all --dice lio=6,6,5 --dice rat=1,1,1", "declare lio")
    result = mam("act", "lio", "run-away", code=2)
    assert next_of(result) == "mam act lio --action run_away"
    said_so = mam("act", "lio", "ponder", "--code", "3D", code=2)
    assert "Name the action" in said_so.err
    assert next_of(said_so) == "mam act lio ponder --code 3D --action use"
    assert next_of(mam("act", "--target", "rat", code=2)).startswith("mam act --target rat --action ")
    assert next_of(mam("act", "rat", "ponder", code=2)) == "mam act --help", "it is not his turn"
    mam(*next_of(result).split()[1:])


def test_a_name_after_an_action_is_its_target(mam: Mam) -> None:
    mam.run_all("new quay --preset ron_d6", "join lio --code perception=3D --code agility=3D --code brawling=5D")
    mam.run_all("join vesna --code perception=3D --code agility=3D --code brawling=5D", "round")
    mam.run_all("initiative roll --all --dice lio=5,5,5 --dice vesna=1,1,1", "declare lio --actions 3")
    for line, sentence in (
        ("act cut --action punch vesna", "lio: punch at vesna (cut)"),
        ("act --action punch vesna", "lio: punch at vesna, "),
        ("act lio vesna --action punch", "lio: punch at vesna, "),
    ):
        assert sentence in mam(*line.split()).out
        mam("undo")
    assert "vesna must also" in mam("act", "vesna", "--action", "punch", code=1).err, "before it, who does it"
    assert next_of(mam("act", "loi", "--action", "punch", "vesna", code=1)) == "mam act lio --action punch vesna"
    assert "Nobody called" in mam("act", "cut", "--action", "punch", "--target", "vesna", code=1).err
    assert "lio: use a skill (ponders)" in mam("act", "ponders", "--code", "3D", "--action", "use").out
    mam("undo")
    assert "lio: punch, " in mam("act", "--action", "punch", "lio").out


def test_a_bare_number_is_metres_if_moving_costs_no_points(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 9 --movement 8", "ort --side them --hp 9")
    assert "moves 3.5 m" in mam("move", "3.5", "--straight").out
    assert "moves 4.5 m" in mam("move", "ada", "4.5").out
    assert "METRES is missing" in mam("move", code=2).err


def test_mounting_in_the_turn_of_the_mount_is_refused(mam: Mam) -> None:
    begin_fight(mam, HORSE, "ort --side them --hp 9")
    assert "The rider gets on horse in the rider's own turn" in mam("mount", "horse", code=1).err


@pytest.mark.parametrize(
    ("line", "id_", "name"),
    [("join Lin --hp 3", "lin", "Lin"), ("join 'Sir Lin' --hp 3 --name Lin", "sir-lin", "Lin")],
)
def test_a_name_that_is_no_id_is_converted_to_one(mam: Mam, line: str, id_: str, name: str) -> None:
    mam("new", "duel")
    mam(*shlex.split(line))
    (row,) = mam("pools", "--json").lines
    assert (row["combatant"], row["name"]) == (id_, name)


def test_a_value_that_begins_with_a_dash_names_no_fight(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9")
    assert " -e " not in mam("check", "nobody", "5", "--situation", "-2 the smoke", code=1).err


@pytest.mark.parametrize(
    ("typed_line", "line"),
    [("change-rules half_success=never", "mam rules change half_success=never"), ("perform slash", "mam act slash")],
)
def test_an_order_name_suggests_the_command_of_another_name(mam: Mam, typed_line: str, line: str) -> None:
    assert f"next: {line}" in mam(*typed_line.split(), code=2).err


@pytest.mark.usefixtures("modres_turn")
@pytest.mark.parametrize(("line", "command"), [("status", "status"), ("why 7", "explain 7"), ("log 5", "log 5")])
def test_a_view_typed_in_a_line_suggests_its_command(mam: Mam, line: str, command: str) -> None:
    assert f"a command and not an order. Type mam {command}." in mam("do", line, code=2).err


def test_a_combatant_named_like_a_command_may_act(mam: Mam) -> None:
    mam.run_all("new wood", "do 'join Log heroes hp=4'", "do 'join Rat foes hp=4'")
    mam.run_all("do 'init log because she is first'", "do log")
    assert "Log's turn begins" in mam("log").out
