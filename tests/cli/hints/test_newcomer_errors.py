"""Errors for newcomers, with a way out."""

from __future__ import annotations

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def inn(mam: Mam) -> None:
    """Join Lin, with a bow on her back, and a rat, and begin Lin's turn."""
    mam.run_all("new inn", "join lin --name Lin --hp 9 --weapon id=bow,kind=bow,range=50,readied=no")
    mam.run_all("join rat --name Rat --hp 9", "initiative --first lin --reason x", "begin-turn")


@pytest.mark.usefixtures("inn")
def test_a_bow_must_be_in_hand_before_it_is_drawn(mam: Mam) -> None:
    err = mam("draw-bow", "lin", "bow", code=1).err
    assert "Lin cannot use the bow: it is not in hand yet." in err
    assert "next: mam ready-weapon lin bow" in err
    assert "Lin takes the bow in hand. Lin puts 1" in mam("ready-weapon", "lin", "bow").out
    assert "Lin draws the bow and holds it drawn. Lin puts 1" in mam("draw-bow", "lin", "bow").out


@pytest.mark.usefixtures("inn")
def test_a_distance_may_have_a_unit(mam: Mam) -> None:
    mam.run_all("join eve --hp 3 --stride '2 m' --weapon id=whip,reach=3m --length 1.5metres", "undo")
    mam("move", "lin", "2", "--metres", "1.5m")
    assert "Lin moves 1.5 m" in mam("log").out
    assert (
        "distance must be a number like 2.5, not '2,5'."
        in mam("attack", "rat", "--weapon", "body", "--distance", "2,5", code=2).err
    )
    assert "not '2 kg'." in mam("move", "lin", "1", "--metres", "2 kg", code=2).err


@pytest.mark.usefixtures("inn")
def test_an_unknown_die_name_is_refused_with_the_names_of_that_ruling(mam: Mam) -> None:
    mam.run_all("attack rat --weapon body --modifier 1", "resolve 3 4")
    for word in ("die", "dice"):
        err = mam("amend", "7", f"{word}=6", code=2).err
        assert f'Ruling 7 has no "{word}". Use attack_die or defense_die, as in `mam amend 7 attack_die=6`.' in err
    assert 'no "dice" here. Known: combatant' in mam("amend", "5", "dice=6", code=2).err


@pytest.mark.usefixtures("inn")
@pytest.mark.parametrize("words", [("--outcome", "half"), ("outcome=half",)])
def test_an_amendment_of_an_attack_points_to_the_resolution_for_its_fields(mam: Mam, words: tuple[str, ...]) -> None:
    mam("attack", "rat", "--weapon", "body", "--modifier", "1")
    assert 'There is no "outcome" here. Known: attacker' in mam("amend", "6", *words, code=2).err
    mam("resolve", "3", "4")
    err = mam("amend", "6", *words, code=2).err
    assert 'Ruling 6 has no "outcome", but ruling 7 has: `mam amend 7 outcome=half`.' in err
    assert "next:" not in err


@pytest.mark.usefixtures("inn")
def test_an_outcome_can_be_amended_as_an_option(mam: Mam) -> None:
    mam.run_all("attack rat --weapon body --modifier 1", "resolve 3 4", "end-turn")
    assert (
        "--outcome can't be 'maybe'. Choose full, half or fail." in mam("amend", "7", "--outcome", "maybe", code=2).err
    )
    err = mam("amend", "7", "--outcome", "full", code=2).err
    assert "Add --yes to do it" in err
    assert "next: mam amend 7 --outcome full --yes" in err


@pytest.mark.usefixtures("inn")
def test_an_unknown_die_name_also_lists_dice_that_were_not_thrown(mam: Mam) -> None:
    mam.run_all("attack rat --weapon body --modifier 1", "resolve")
    assert "Use attack_die or defense_die or into_die, as in" in mam("amend", "7", "die=6", code=2).err


@pytest.mark.usefixtures("inn")
def test_a_manipulation_that_cannot_succeed_is_refused(mam: Mam) -> None:
    assert "Without any, this cannot succeed" in mam("manipulate", "rat", "--modifier", "1", code=1).err
    assert "it can do nothing" not in mam("manipulate", "rat", "--points", "1").err


def test_a_throw_without_range_suggests_what_the_thrower_lacks(mam: Mam) -> None:
    mam.run_all("new wood", "join ana --hp 6 --weapon id=spear,power=2", "join rat --hp 6")
    mam.run_all("initiative --first ana --reason x", "begin-turn")
    throw = ["attack", "rat", "--weapon", "spear", "--thrown", "quick", "--distance", "1", "--modifier", "1"]
    err = mam(*throw, code=1).err
    assert (
        "too heavy for ana to throw (range 0 m): throwing and power together must be higher than its heft, and the "
        "reach of their hand higher than 0 m." in err
    )
    amended = "amend 2 ability.throwing=1 hand_reach=1"
    assert f"next: mam {amended}\n" in err
    assert f"next: {amended}\n" in mam("table", stdin="a rat spear thrown=quick distance=1 m1\n", code=1).err
    mam("amend", "2", "ability.throwing=1", "--yes")
    err = mam(*throw, code=1).err
    assert "ana can't throw the spear: the range is 0 m, because the reach of their hand is 0 m." in err
    assert "next: mam amend 2 hand_reach=1\n" in err
    mam("amend", "2", "hand_reach=1", "--yes")
    mam(*throw)


@pytest.mark.usefixtures("inn")
def test_an_order_between_turns_is_refused_with_who_is_next(mam: Mam) -> None:
    mam("end-turn")
    for order in ("end-turn", "drop", "ready"):
        err = mam(order, code=1).err
        assert "no turn is in progress and Rat is next to begin" in err or "and Rat is next" in err
        assert "possible now: mam begin-turn rat\n" in err


@pytest.mark.usefixtures("inn")
def test_an_order_that_needs_standing_suggests_standing_up(mam: Mam) -> None:
    mam("drop")
    assert (
        "next: mam stand lin"
        in mam("attack", "rat", "--weapon", "body", "--modifier", "1", "--mode", "powerful", code=1).err
    )


@pytest.mark.usefixtures("inn")
def test_a_reaction_without_an_attack_suggests_interfering(mam: Mam) -> None:
    mam.run_all("join bo --hp 9", "attack lin rat --weapon body --power 1")
    err = mam("defend", "bo", "1", code=1).err
    assert "Action 7 attacks Rat, not bo. bo may interfere with it." in err
    assert "next: mam interfere bo " in err
    assert "Action 7 attacks Rat" in mam("defend", "lin", "1", code=1).err


def test_an_order_of_another_edition_is_refused_before_its_missing_values(mam: Mam) -> None:
    mam.run_all("new one --preset mam_speed", "join ana --hp 9", "join bo --hp 9", "initiative --first ana --reason x")
    mam("begin-turn")
    assert (
        'The rules of this fight, mam_speed, have no order "result". It works only under ron_d6.'
        in mam("result", code=1).err
    )
    mam("attack", "ana", "bo")
    assert "they cannot parry" in mam("parry", code=1).err
    mam("new", "two", "--preset", "ron_d6")
    assert 'The rules of this fight, ron_d6, have no order "resolve".' in mam("resolve", code=1).err


def test_a_missing_code_is_refused_with_the_codes_that_exist(mam: Mam) -> None:
    mam.run_all("new alley --preset ron_d6", "join bo --code perception=1D")
    mam.run_all("join ana --code perception=3D --code melee=4D", "round")
    mam("initiative", "roll", "--all", "--dice", "ana=5,5,5", "--dice", "bo=1")
    err = mam("declare", "--actions", "2", code=1).err
    assert "The dice of Agility set the limit, and ana has no code for it, only for perception 3D, melee 4D." in err
    assert "next: mam declare ana --actions 1" in err
    mam("declare")
    err = mam("act", "ana", "--action", "kick", "--target", "bo", "--difficulty", "5", code=1).err
    assert "ana has no code for " in err
    assert "only for perception 3D, melee 4D. Give one like 3D+1" in err


@pytest.mark.usefixtures("inn")
def test_an_undo_lists_the_rulings_that_became_void(mam: Mam) -> None:
    mam.run_all("ready-weapon lin bow", "draw-bow lin bow", "attack rat --weapon bow --distance 5 --modifier 1")
    err = mam("undo", "6", "--yes").err
    assert "Rulings 7 and 8 no longer fit and are void. To leave 7 out for good: mam undo 7 --only" in err, (
        "she has nothing to draw"
    )
    mam.run_all("redo --yes", "undo 8 --yes", "lower-bow")
    assert "is void. To leave 12 out for good: mam undo 12 --only" in mam("undo", "7", "--yes").err


@pytest.mark.usefixtures("inn")
def test_an_undo_suggests_an_amendment_that_makes_the_void_ruling_legal(mam: Mam) -> None:
    mam("adjust", "--move", "lin:ready:stun:6", "--reason", "The lamp falls")
    mam.run_all("adjust --move lin:stun:ready:4 --reason 'On nobody'", "attack rat --weapon body 5 1")
    result = mam("undo", "7", "--yes")
    hint = "mam amend 8 power=3 modifier=0"
    assert (
        f"Ruling 8 no longer fits and is void. To make it fit again: {hint}. To leave 8 out for good: mam undo 8 --only"
        in result.err
    )
    mam(*hint.split()[1:], "--yes")
    assert "Lin attacks Rat with the body: 3 points on power  ~ amended" in mam("log").out


def test_an_interference_with_no_action_lists_the_open_actions(mam: Mam) -> None:
    mam.run_all("new roof --preset mam_pools", "join ana --hp 6", "join rat --hp 6", "join ort --hp 6")
    mam.run_all("initiative --first ana --reason x", "begin-turn", "act climbs", "interfere rat --points 1")
    result = mam("interfere", "ort", "2", code=1)
    assert (
        "Ruling 2 is not part of action 7, so it cannot be stopped now. If 2 means points, type points=2" in result.err
    )
    assert result.err.endswith("next: mam interfere ort --points 1, or mam interfere ort 8 --points 1\n")
    assert "next: mam interfere ort --points 1\n" in mam("defend", "ort", "1", code=1).err
    assert "interfere ana" not in mam("defend", "rat", "1", code=1).err
    mam("interfere", "ort", "8", "--points", "1")


def test_ready_without_points_to_ready_is_refused(mam: Mam) -> None:
    mam.run_all("new roof --preset mam_pools", "join ana --hp 6", "join rat --hp 6")
    mam.run_all("initiative --first ana --reason x", "begin-turn")
    result = mam("ready", code=1)
    assert (
        "ana has no points that could become ready now. [MAM-PHASE-02]\npossible now: mam attack ana rat" in result.err
    )
    mam("attack", "rat", "--weapon", "body", "1")
    assert "Action 6 is still open" in mam("ready", code=1).err


def test_initiative_is_suggested_only_for_those_with_perception(mam: Mam) -> None:
    mam.run_all("new alley --preset ron_d6", "join lio", "join guard --code perception=2D")
    mam.run_all("join cap --code perception=2D", "round")
    assert "\nmam initiative roll guard cap\n" in mam("options").out
    assert mam("initiative", "roll", code=2).err.endswith("next: mam initiative roll guard cap\n")
    mam("amend", "2", "code.perception=2D", "--yes")
    assert "\nmam initiative roll --all\n" in mam("options").out
    assert mam("initiative", "roll", code=2).err.endswith("next: mam initiative roll --all\n")
    mam("initiative", "roll", "--all")
    assert mam("initiative", "roll", code=2).err.endswith("next: mam initiative roll --help\n"), "all have rolled"


def test_a_hidden_foe_is_not_suggested_as_the_target(mam: Mam) -> None:
    mam("new", "wood")
    for who, *more in (("ana", "--side", "us"), ("rat", "--side", "them", "--hidden"), ("ort", "--side", "them")):
        mam("join", who, "--hp", "6", *more)
    mam("initiative", "--first", "ana", "--reason", "x")
    assert "next: mam attack ana ort --modifier 1" in mam("begin-turn").err


@pytest.mark.usefixtures("inn")
def test_a_note_needs_no_quotes_and_dispute_suggests_the_newest_ruling(mam: Mam) -> None:
    assert "notes: the guard cheated" in mam("note", "the", "guard", "cheated").out
    result = mam("dispute", "--claim", "that was a 5", code=2)
    assert result.err.endswith("next: mam dispute --claim 'that was a 5' 5\n")
    mam("dispute", "--claim", "that was a 5", "5")


@pytest.mark.usefixtures("inn")
def test_an_amendment_without_fields_lists_the_fields(mam: Mam) -> None:
    message = "add FIELD=VALUE. Its fields are surprise, circumstance, first"
    assert message in mam("amend", "4", code=2).err
    mam("note", "so")
    assert "Ruling 6 is a note, and notes cannot be undone or amended." in mam("amend", "6", code=1).err


def test_an_order_of_another_edition_suggests_the_one_of_this_edition(mam: Mam) -> None:
    mam.run_all("new wood", "join ana --hp 6 --side ana", "join rat --hp 6 --side rat")
    assert mam("ambush", "rat", code=2).err.endswith("next: mam initiative --surprise rat\n")
    assert (
        'The rules of this fight, mam_pools, have no order "stalk". It works only under mam_speed and mam_d20.'
        in mam("stalk", "rat", "ana", code=1).err
    )
    mam.run_all("initiative --surprise rat", "begin-turn")
    assert "to hold" in mam("manipulate", "ana", "--follow-up", "hold", "--power", "1", "--modifier", "2").out
    mam.run_all("new road --preset mam_speed", "join ana --hp 6", "join rat --hp 6")
    assert mam("ambush", "rat", "ana", code=2).err.endswith("next: mam stalk rat ana\n")


def test_an_incomplete_join_suggests_a_complete_one(mam: Mam) -> None:
    mam("new", "wood")
    assert mam("join", "rat", code=2).err.endswith("next: mam join rat --hp POINTS\n")
    mam.run_all("join rat --hp 6", "join rat-2 --hp 6")
    assert mam("join", "rat", "--hp", "5", code=1).err.endswith("next: mam join rat-3 --hp 5, or mam amend 2 hp=5\n")
    mam("join", "rat-3", "--hp", "5")
    assert "next: mam join rat-4 --hp POINTS\n" in mam("join", "rat", code=1).err
    mam("close", "--yes")
    assert "next: mam undo" in mam("join", "owl", code=1).err


def test_a_combatant_who_is_up_again_can_play_a_passed_turn(mam: Mam) -> None:
    for line in (
        "new cellar",
        "join rook --hp 6 --weapon id=sabre,power=2,attack=1,reach=1",
        "join rat --hp 4",
        "join cat --hp 6",
        "initiative",
        "begin-turn",
        "attack rat 2 2",
        "resolve 4 5",
        "end-turn",
        "begin-turn cat",
        "attack rook 1 1",
        "resolve 3 3",
        "end-turn",
        "begin-turn rook",
        "end-turn",
    ):
        mam(*line.split())
    result = mam("undo", "7", "--yes")
    assert "Void now" not in result.err
    assert "Bookkeeping: 1 turn passes, 1 round keeps its order." in result.out
    next_line = "after 13 rat: a rook m1; r"
    assert f'  mam do "{next_line}"\n' in result.out
    insertion = mam("do", next_line, "--yes", "--json").lines[0]
    assert [one["number"] for one in insertion["rulings"]] == [17, 18, 19, 20]
    assert insertion["passed"] == []
    assert "it passes" not in mam("log").out
    assert len(mam("log", "--at", "round:1").out.splitlines()) == 18


@pytest.mark.parametrize(
    ("words", "sentence", "advice"),
    [
        ("check ana --difficulty 9", "DIFFICULTY is typed without --difficulty.", "mam check ana 9"),
        ("check --difficulty 9 ana", "DIFFICULTY is typed without --difficulty.", "mam check --help"),
        ("join --combatant zed --hp 4", "COMBATANT is typed without --combatant.", "mam join zed --hp 4"),
    ],
)
def test_an_argument_typed_as_an_option_is_shown_at_its_place(mam: Mam, words: str, sentence: str, advice: str) -> None:
    mam.run_all("new duel", "join ana --hp 6")
    result = mam(*words.split(), code=2)
    assert sentence in result.err
    assert result.advice == advice


def test_nobody_is_not_taken_for_a_mistyped_body(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --hp 6", "join orc --hp 5", "initiative --first ana --reason x", "begin-turn")
    assert 'Did you mean "body"?' in mam("do", "hold bodi", code=2).err
    assert "Did you mean" not in mam("do", "hold nobody", code=2).err
