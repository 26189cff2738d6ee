"""Plain output: nothing that does not exist, and nothing that does not change."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def held(mam: Mam) -> None:
    """Let Ada take Ort in a hold, in rounds with speed: seven rulings."""
    mam("new", "duel", "--preset", "mam_speed")
    mam("join", *shlex.split("ada --name Ada --side us --hp 9 --size 1"))
    mam("join", *shlex.split("ort --name Ort --side them --hp 9"))
    mam.run_all("initiative --first ada --reason x", "begin-turn", "manipulate ort --follow-up hold")


@pytest.mark.usefixtures("held")
def test_a_resolved_hold_names_the_combatant_who_is_held(mam: Mam) -> None:
    assert "[14] = 14 vs 10 · success · by 1 · Ort is held (hold-6), -1 on rolls" in mam("resolve", "14").out


@pytest.mark.usefixtures("held")
def test_a_drawn_die_is_explained_and_a_thrown_one_is_not(mam: Mam) -> None:
    assert "* marks a die that mam drew" in mam("resolve").err
    mam("undo")
    assert "drawn" not in mam("resolve", "14").err


@pytest.mark.usefixtures("held")
def test_without_points_the_audit_mentions_no_points(mam: Mam) -> None:
    mam.run_all("resolve 14", "end-turn", "begin-turn", "attack ada --double-power", "resolve 19")
    assert "point" not in mam("audit", "7").out + mam("audit", "11").out


@pytest.mark.usefixtures("modres_turn")
def test_with_points_the_audit_shows_zero_points_spent(mam: Mam) -> None:
    mam.run_all("attack clone --power 2", "resolve 5 1")
    output = mam("audit", "7").out
    assert "+0 points on the attack" in output
    assert "points from ready" in output


@pytest.mark.usefixtures("modres_turn")
def test_a_preview_shows_only_the_pools_that_change(mam: Mam) -> None:
    mam("attack", "clone", "--power", "2")
    output = mam("undo", "--preview").out
    assert "  Modre  R6" in output
    assert "  Clone  R" not in output


def test_several_combatants_get_a_plural_verb(mam: Mam) -> None:
    mam("new", "duel", "--preset", "mam_speed")
    for who, side in (("ada", "us"), ("bo", "us"), ("ort", "them")):
        mam("join", who, "--side", side, "--hp", "9")
    mam.run_all("stalk ada ort 20", "establish-surprise")
    assert "ada and bo have the same reach" in mam("initiative", code=1).err
    assert "the advantage is with ada, bo" in mam("initiative", "--surprise", "ada", code=1).err
    mam.run_all("initiative --circumstance ada", "begin-turn")
    assert "at most 1 action at speed 1, not 2" in mam("declare-combo", "2", code=1).err


def test_both_results_of_an_action_are_suggested_only_once(mam: Mam) -> None:
    mam("new", "quay", "--preset", "ron_d6")
    mam("join", "lio", "--side", "lio", "--code", "perception=3D", "--code", "agility=3D", "--code", "melee=3D")
    mam.run_all("join rat --side rat --code perception=3D --code agility=3D --code melee=3D", "round")
    mam.run_all("initiative roll --all --dice lio=6,6,5 --dice rat=1,1,1", "declare lio")
    mam("act", "--action", "slash", "--skill", "melee", "--target", "rat", "--difficulty", "5", "--dice", "3,3,3")
    mam.run_all("move-up rat --because gm_allows --reason quick", "interrupt rat --action dodge --code 3D --dice 5,5,5")
    error = mam("result", "success").err
    steps = error.partition("next: ")[2].splitlines()[0].split(", or ")
    assert len(steps) == len(set(steps)) > 1
