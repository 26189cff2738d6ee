"""The suggested next steps."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mam_events.commands import Open
from mam_events.log.combat_log import CombatLog
from mam_events.rules.rulebook import rulebook
from projections.state.pools import spends_points
from tests.cli.calls import CliResult, Mam


def hint(result: CliResult) -> str:
    """Return the first suggested command."""
    return result.advice.removeprefix("mam ").split(", or ")[0]


def begin_fight(mam: Mam, *combatants: str, preset: str = "mam_speed") -> None:
    mam("new", "duel", "--preset", preset)
    for combatant in combatants:
        mam("join", *shlex.split(combatant))
    first = combatants[0].split()[0]
    mam("initiative", "--first", first, "--reason", "x")


def test_the_resolution_suggested_for_an_attack_on_armor_is_accepted(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9 --armor id=plate,cover=10,absorption=3", preset="mam_d20")
    mam("begin-turn")
    step = hint(mam("attack", "ada", "ort"))
    assert step == "resolve"
    mam(*shlex.split(step))


def test_an_archer_gets_the_hint_to_draw_the_bow(mam: Mam) -> None:
    begin_fight(mam, "lin --side us --hp 9 --weapon id=bow,kind=bow,power=2,range=60", "ort --side them --hp 9")
    assert hint(mam("begin-turn")).startswith("draw-bow lin bow")


def test_a_held_combatant_gets_the_hint_to_escape(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9")
    mam("adjust", "--hold", "ort=grip:0:1:ada", "--reason", "x")
    assert hint(mam("begin-turn")).startswith("escape ada grip")


@pytest.mark.parametrize(("view", "hints"), [("gm", ["next: mam stay-mounted zqx"]), ("public", [])])
def test_an_owed_riding_roll_is_suggested_only_to_views_that_see_the_rider(
    mam: Mam, view: str, hints: list[str]
) -> None:
    horse = "horse --side us --hp 9 --training trained"
    begin_fight(mam, "ort --side them --hp 9", horse, "zqx --side us --hp 9 --mount horse --visibility gm")
    mam.run_all("begin-turn ort", "attack ort horse")
    result = mam("resolve", "1", "--as", view)
    assert [line.split(" --die")[0] for line in result.err.splitlines() if line.startswith("next: ")] == hints
    assert ("stay-mounted" in result.err) == (view == "gm")


def test_options_that_need_no_turn_are_listed_once_after_the_others(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 9", "ort --side them --hp 9")
    mam("begin-turn")
    assert "mam check" not in mam("options").out
    in_turn, at_any_time = mam("options", "--all").out.partition("\nwho ")[0].split("At any time:\n")
    assert "mam attack ada ort" in in_turn
    assert "mam check" not in in_turn
    assert at_any_time.count("mam contest") == at_any_time.count("mam check") == 1


def test_a_dropped_weapon_must_be_picked_up_before_it_is_readied(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9 --weapon id=knife,name=Knife", "ort --hp 9")
    mam("begin-turn")
    assert 'ada has not dropped "knife' in mam("pick-up-item", "knife", code=1).err
    mam("drop-item", "knife")
    assert "ada has dropped the Knife. Pick it up first" in mam("ready-weapon", "knife", code=1).err


def test_a_posture_is_refused_until_stalking_is_settled(mam: Mam) -> None:
    """MAM-SURP-04."""
    mam.run_all("new duel --preset mam_speed", "join ada --hp 9", "join ort --hp 9", "stalk ada ort --die 1")
    assert "not settled yet" in mam("take-posture", "ada", "evading", code=1).err
    mam.run_all("establish-surprise", "take-posture ada evading")


def test_part_of_an_option_name_suggests_all_options_with_it(mam: Mam) -> None:
    assert 'Did you mean "charge_' in mam("new", "duel", "--set", "charge=1", code=1).err


def test_a_negative_distance_is_refused(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    mam("begin-turn")
    assert "is not a possible distance" in mam("move", "ada", "--metres=-0", code=1).err


def test_a_preview_names_the_difference_if_the_sentence_is_the_same(mam: Mam) -> None:
    horse = "horse --side us --hp 12 --training trained --movement 10"
    lance = "ana --side us --hp 9 --mount horse --ability riding=9 --weapon id=lance,name=Lance,power=2,reach=3"
    begin_fight(mam, horse, lance, "ort --side them --hp 30", preset="mam_pools")
    mam.run_all("begin-turn horse", "move horse 4 --straight", "end-turn", "begin-turn ana")
    mam("attack", "ana", "ort", "--weapon", "lance", "--power", "1", "--modifier", "1")
    output = mam("undo", "7", "--preview").out
    attack = next(line for line in output.splitlines() if "Lance" in line)
    assert "(was:" not in attack
    assert "with another charge" in attack


def test_a_combatant_cannot_clinch_with_itself(mam: Mam) -> None:
    """MAM-POS-05."""
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    assert "cannot be their own partner" in mam("adjust", "--position", "ada=clinch:ada", "--reason", "x", code=1).err


def test_a_refusal_because_of_wounds_shows_how_badly_somebody_is_hurt(mam: Mam) -> None:
    """MAM-COMBO-05."""
    begin_fight(mam, "ada --hp 6", "ort --hp 9", preset="mam_d20")
    mam.run_all("adjust --move ada:ready:damage:4 --reason x", "begin-turn")
    result = mam("attack", "ada", "ort", "--mode", "powerful", code=1)
    assert "ada is hurt (stun and damage 4, toughness 3)" in result.err


def test_a_move_without_points_is_shown_in_metres(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    mam.run_all("begin-turn", "move ada --metres 4.0", "undo")
    assert "(ada moves 4 m)" in mam("log", "--last", "1").out


def test_under_toughness_rules_join_takes_only_toughness(mam: Mam) -> None:
    assert "next: mam join NAME --toughness NUMBER" in mam("new", "mill", "--preset", "mam_d20").err
    assert "joins with 8 hit points\n  sable  H8 S0 X0  HHHHHHHH" in mam("join", "sable", "--toughness", "4").out
    assert "--toughness NUMBER" in mam("join", "berrin", code=2).err
    mam("new", "ford", "--preset", "mam_speed")
    assert "--toughness NUMBER" not in mam("join", "sable", "--toughness", "4", code=2).err


def test_editions_without_points_show_hit_points_and_wounds(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    assert "H9" not in mam("begin-turn").out, "nobody was hurt"
    assert "manipulates ort with the body to hold\n" in mam("manipulate", "ada", "ort", "--follow-up", "hold").out
    mam.run_all("undo", "adjust --move ort:ready:stun:2 --move ort:ready:damage:3 --reason x")
    assert "  ort  H4 S2 X3  HHHHSSXXX\n" in mam("report").out
    output = mam("pools").out
    assert output.splitlines()[0].split() == ["combatant", "name", "side", "hp", "left", "stun", "damage", "is"]
    assert "HHHHSSXXX" in output
    assert "ready" not in output
    assert "(stun +2, damage +3)" in mam("replay", "--plain").out
    assert "mam act ada WHAT\n" in mam("options").out
    assert mam("pools", "--json").lines[1]["pools"] == {
        "ready": 4,
        "defense": 0,
        "other_used": 0,
        "stun": 2,
        "damage": 3,
    }


@pytest.mark.parametrize("preset", rulebook().presets)
def test_points_are_spent_only_if_the_edition_charges_for_actions(preset: str) -> None:
    with CombatLog.open("sqlite://") as log:
        state = log.execute("duel", Open(preset=preset)).state
    assert spends_points(state) == bool(rulebook().edition(preset).economy.charged(1))


def refused(result: CliResult) -> str:
    """Return the commands that an error suggests."""
    return result.advice.removeprefix("mam ")


def test_the_order_that_a_refusal_suggests_is_accepted(mam: Mam) -> None:
    weapons = "ada --hp 9 --weapon id=sword,name=Sword,readied=no --weapon id=bow,kind=bow,power=2,range=60"
    begin_fight(mam, weapons, "ort --hp 9")
    mam("begin-turn")
    for order, step in (
        (("attack", "ort", "--weapon", "sword"), "ready-weapon ada sword"),
        (("attack", "ort", "--weapon", "bow"), "draw-bow ada bow"),
        (("attack", "ort"), "draw-bow ada bow"),
    ):
        assert refused(mam(*order, code=1)) == step
        mam(*step.split())
        mam("undo")
    mam("attack", "ort", "--weapon", "body")
    step = refused(mam("resolve", "18", "3", code=1))
    assert step == "resolve 18"
    mam(*step.split())
    assert refused(mam("rest", code=1)) == "end-turn ada"


@pytest.mark.usefixtures("modres_turn")
def test_a_forgotten_reaction_is_suggested_after_the_attack(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve 6 1")
    step = refused(mam("defend", "clone", "2", code=1))
    assert step == "defend clone 2 --after 6"
    mam(*step.split(), "--yes")


def test_hints_name_the_fight_if_another_one_is_open(mam: Mam) -> None:
    mam.run_all("new other", "new duel")
    result = mam("close", "--yes", "-e", "duel")
    assert "next: mam report -e duel\nundo it: mam undo -e duel" in result.err
    mam("undo", "-e", "duel")
    result = mam("close", "--yes")
    assert "next: mam report -e duel\nundo it: mam undo -e duel" in result.err
    mam("undo", "-e", "duel")


def test_a_combatant_with_a_melee_code_gets_the_hint_to_use_it(mam: Mam) -> None:
    mam("new", "dock", "--preset", "ron_d6")
    for name, side in (("vera", "us"), ("guard", "them")):
        codes = ("--code", "perception=2D", "--code", "agility=3D", "--code", "melee=4D")
        mam("join", name, "--side", side, *codes)
    mam.run_all("round", "initiative roll --all --dice vera=5,5 --dice guard=1,2")
    step = hint(mam("declare"))
    assert "--skill melee" in step
    assert "communicate" not in step


def test_an_invalid_rules_file_suggests_showing_its_preset(mam: Mam, table: Path) -> None:
    (table / "fight.toml").write_text('encounter = "a"\npreset = "mam_speed"\nhouse_rules = { reach_ties = "x" }\n')
    assert refused(mam("rules", "check", "fight.toml", code=1)) == "rules show mam_speed"


def test_undo_only_of_a_begun_turn_suggests_rewind(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    mam("begin-turn")
    step = refused(mam("undo", "4", "--only", code=1))
    assert step == "undo 4 --rewind"
    mam(*step.split(), "--yes")


def test_a_failed_verification_does_not_suggest_verifying(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    for order in (("verify", "--seal", "0" * 64), ("verify", "-e", "duel", "--seal", "0" * 64)):
        assert "next: " not in mam(*order, code=5).err


def test_dice_are_suggested_as_the_exchange_takes_them(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9 --armor id=plate,cover=10,absorption=3", preset="mam_d20")
    mam.run_all("begin-turn", "act ada shouts")
    assert refused(mam("resolve", "18", "3", code=1)) == "resolve"
    mam.run_all("undo", "attack ada ort")
    assert refused(mam("resolve", "18", "3", code=1)) == "resolve 18 --armor-die ort=FACE"


def test_a_reaction_is_suggested_after_an_attack_only_if_it_was_allowed(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 9")
    mam.run_all("begin-turn", "attack ada ort", "resolve 3")
    assert "--after" not in refused(mam("counterattack", "ort", code=1)), "it had to be prepared"


def test_a_suggested_reaction_spends_no_more_points_than_there_were(mam: Mam) -> None:
    begin_fight(mam, "ada --hp 9", "ort --hp 4", preset="mam_pools")
    mam.run_all("begin-turn", "attack ada ort --power 1", "resolve 6 1")
    assert refused(mam("defend", "ort", "9", code=1)) == "defend ort 1 --after 6"


def test_initiative_is_suggested_for_those_who_can_roll(mam: Mam) -> None:
    mam.run_all("new dock --preset ron_d6", "join vera --code perception=2D", "join crate")
    step = hint(mam("round"))
    assert step == "initiative roll vera"
    mam(*step.split())


@pytest.mark.parametrize(
    ("preset", "step"), [("mam_pools", "--hp POINTS"), ("mam_d20", "--toughness NUMBER"), ("ron_d6", "--code")]
)
def test_the_suggested_join_asks_for_what_the_edition_counts(mam: Mam, preset: str, step: str) -> None:
    mam("new", "duel", "--preset", preset)
    order = ("round",) if preset == "ron_d6" else ("initiative",)
    assert f"join NAME {step}" in refused(mam(*order, code=1))


def test_hints_in_json_name_the_fight(mam: Mam) -> None:
    mam.run_all("new duel", "new other", "close --yes")
    assert mam("note", "x", "-e", "other", "--json").lines[0]["next"] == ["mam report -e other"]


def test_an_archer_with_a_drawn_bow_gets_the_hint_to_lower_it(mam: Mam) -> None:
    mam.run_all("new wood", "join pim --hp 6 --weapon id=bow,kind=bow,power=3,range=20", "join rat --hp 6")
    mam.run_all("initiative --first pim --reason 'a surprise'", "begin-turn", "draw-bow pim bow")
    step = refused(mam("attack", "rat", "--weapon", "body", "--power", "1", code=1))
    assert step == "lower-bow pim --points 1"
    mam(*step.split())


def test_in_an_exchange_the_hint_drops_the_drawn_bow_not_the_sword(mam: Mam) -> None:
    """MAM-ARC-01: in an exchange no bow is let down."""
    begin_fight(
        mam,
        "pim --hp 6 --weapon id=sword,power=2 --weapon id=bow,kind=bow,power=3,range=20",
        "rat --hp 6",
        preset="mam_pools",
    )
    mam.run_all("begin-turn", "draw-bow pim bow --points 1", "end-turn", "begin-turn", "attack rat pim --power 1")
    strike = ("counterattack", "pim", "--weapon", "sword", "--power", "1")
    step = refused(mam(*strike, code=1))
    assert step == "drop-item pim bow"
    mam(*step.split())
    mam(*strike)


def test_the_hint_readies_the_weapon_that_was_typed(mam: Mam) -> None:
    begin_fight(mam, "pim --hp 6 --weapon id=axe,readied=no --weapon id=sword,readied=no", "rat --hp 6")
    mam("begin-turn")
    for weapon in ("axe", "sword"):
        assert refused(mam("attack", "pim", "rat", "--weapon", weapon, code=1)).startswith(f"ready-weapon pim {weapon}")


@pytest.mark.usefixtures("modres_turn")
def test_a_join_on_a_missing_mount_suggests_joining_the_mount_first(mam: Mam) -> None:
    assert refused(mam("join", "ort", "--hp", "3", "--mount", "nag", code=1)) == "join nag --hp POINTS"
    assert refused(mam("attack", "modre", "nag", "--power", "1", code=1)) == "pools"


@pytest.mark.usefixtures("modres_turn")
def test_a_preview_suggests_the_command_that_does_it(mam: Mam) -> None:
    mam("attack", "clone", "--power", "2")
    step = hint(mam("undo", "6", "--preview"))
    assert step.startswith("undo 6 --expect 6:")
    mam(*step.split())
    step = hint(mam("attack", "clone", "--preview", "--power", "2", "--after", "5"))
    assert "--preview" not in step
    mam(*step.split())


@pytest.mark.usefixtures("modres_turn")
def test_resolve_shows_how_each_drawn_face_can_be_given(mam: Mam) -> None:
    mam.run_all("join ort --hp 3", "attack clone --power 2", "tackle ort --points 1")
    error = mam("resolve", "6", "2").err
    assert "its face with the order: ATTACK_DIE 1 to 6, DEFENSE_DIE 1 to 6, --interference-die 8=1 to 6" in error


def test_options_begin_with_the_suggested_orders(mam: Mam) -> None:
    for order in (
        "new duel",
        "join ada --hp 9 --weapon id=knife",
        "join ort --hp 9",
        "initiative --first ada --reason x",
        "begin-turn",
        "attack ort --power 2",
        "defend 1",
        "resolve 1 6",
        "new quay --preset ron_d6",
        "join lio --side us --code perception=3D --code agility=3D --code brawling=3D",
        "join rat --side them --code perception=2D --code agility=2D --code dodge=3D",
        "round",
        "initiative roll --all --dice lio=6,6,5 --dice rat=1,1",
        "declare --actions 2",
        "wait",
        "declare rat",
        "act rat --action dodge --dice 3,2,1",
    ):
        steps = mam(*order.split(), "--json").lines[-1]["next"]
        suggestions = [line for line in mam("options").out.splitlines() if line.startswith("mam ")]
        first = list(dict.fromkeys(step.split()[1] for step in steps))[:2]
        assert [line.split()[1] for line in suggestions[: len(first)]] == first, order


@pytest.mark.usefixtures("modres_turn")
def test_ready_is_offered_only_if_points_can_become_ready(mam: Mam) -> None:
    """MAM-PHASE-02."""
    assert "mam ready" not in mam("options", "--all").out
    for order in ("attack clone --power 2", "resolve 1 6", "end-turn", "begin-turn", "end-turn", "begin-turn"):
        mam(*order.split())
    assert "mam ready modre --other-used 2" in mam("options").out


@pytest.mark.usefixtures("modres_turn")
def test_a_closed_fight_offers_only_the_orders_that_still_work(mam: Mam) -> None:
    mam.run_all("close --yes", "adjust --move clone:ready:stun:1 --reason 'the roof came down'")
    for words in ((), ("clone", "--all")):
        suggestions = [line for line in mam("options", *words).out.splitlines() if line.startswith("mam ")]
        assert suggestions == ["mam report", "mam replay", "mam undo 6", "mam adjust --reason REASON", "mam new NAME"]
    step = refused(mam("attack", "clone", "2", code=1))
    assert step == "undo 6"
    mam(*step.split(), "--yes")
    mam("attack", "clone", "2")


def test_a_fate_point_for_more_actions_suggests_declaring_more(mam: Mam) -> None:
    """RD6-LIM-02."""
    mam.run_all("new dock --preset ron_d6", "join vera --code perception=2D --code agility=3D --fate-points 1", "round")
    result = mam("initiative", "roll", "--all")
    assert hint(result) == "declare vera"
    assert "#4   r1      vera rolls 2D" in result.out, "no turn has begun yet"
    step = hint(mam("spend", "vera", "fate"))
    assert step == "declare vera --actions 4"
    mam(*step.split())


@pytest.mark.usefixtures("modres_turn")
def test_a_misspelt_word_is_replaced_by_the_nearest_name(mam: Mam) -> None:
    for order, suggestion, code in (
        ("attack clon 2", "attack clone 2", 1),
        ("attack clone 2 --weapon ice-blad", "attack clone 2 --weapon ice-blade", 1),
        ("attack clone 2 --mode cautous", "attack clone 2 --mode cautious", 2),
        ("attack clone --powr 2", "attack clone --power 2", 2),
        ("atack clone 2", "attack clone 2", 2),
        ("amend 2 hpp=7", "amend 2 hp=7", 2),
        ("amend 2 hp=7 -e dual", "amend 2 hp=7 -e duel", 4),
        ("adjust --move clon:ready:stun:1 --reason clon,too", "adjust --move clone:ready:stun:1 --reason clone,too", 1),
        ("new e --set charge_scope=first_atack", "new e --set charge_scope=first_attack", 1),
    ):
        step = refused(mam(*order.split(), code=code))
        assert step == suggestion
        if not order.startswith("adjust"):
            mam(*step.split(), *(["--yes"] if order.startswith("amend") else []))
            mam("undo", "-e", "duel") if order.startswith("a") else None


@pytest.mark.usefixtures("modres_turn")
def test_a_reaction_at_the_wrong_place_suggests_the_right_place(mam: Mam) -> None:
    mam("join", "ort", "--hp", "3")
    assert refused(mam("interfere", "ort", "--points", "1", "--after", "5", code=1)) == "log"
    mam("attack", "clone", "2")
    assert refused(mam("interfere", "modre", "--after", "7", code=1)) == "interfere clone --points 1 --after 7"
    mam("resolve", "6", "1")
    for words, step in (
        ("interfere ort", "interfere ort --points 1 --after 7"),
        ("interfere ort --points 1 --after 8", "interfere ort --points 1 --after 7"),
        ("defend 2 --after 8", "defend 2 --after 7"),
    ):
        assert refused(mam(*words.split(), code=1)) == step
        mam(*step.split(), "--yes")
        mam("undo", "--yes")


@pytest.mark.usefixtures("modres_turn")
def test_nothing_is_suggested_after_a_note(mam: Mam) -> None:
    mam("note", "It rains.")
    assert "Ruling 6 is not an order" in mam("move", "modre", "1", "--after", "6", code=1).err
    assert refused(mam("move", "modre", "1", "--after", "6", code=1)) == "log"


def test_a_missing_skill_suggests_the_nearest_skill_or_adding_it(mam: Mam) -> None:
    mam.run_all("new dock --preset ron_d6", "join ort --code perception=2D")
    mam.run_all("join vera --code perception=3D --code agility=3D --code melee-combat=4D", "round")
    mam.run_all("initiative roll --all --dice vera=5,5,5 --dice ort=1,1", "declare")
    slash = "act vera --action slash --target ort --difficulty 9"
    assert refused(mam(*slash.split(), "--skill", "mele", code=1)) == f"{slash} --skill melee-combat"
    assert refused(mam(*slash.split(), "--code", "melee", code=2)) == f"{slash} --skill melee-combat"
    step = refused(mam(*slash.split(), "--skill", "rope use", code=1))
    assert step == "amend 3 code.rope-use=2D"
    mam(*step.split(), "--yes")
    mam(*slash.split(), "--skill", "rope use")
