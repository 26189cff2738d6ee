"""Duties that are suggested first: riders' rolls, changed actions, surprises, the seed."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.calls import CliResult, Mam


def hint(result: CliResult) -> str:
    return result.advice


@pytest.fixture
def rider(mam: Mam) -> None:
    """Join a rider on an untrained horse, and a foe who attacks the horse."""
    mam.run_all("new f --preset mam_speed", "join horse --hp 20 --training untrained --size 2")
    mam.run_all("join rider --hp 9 --mount horse", "join foe --hp 9", "initiative --first foe --reason quick")
    mam.run_all("begin-turn foe", "attack foe horse")


@pytest.mark.usefixtures("rider")
def test_an_owed_riding_roll_is_suggested_before_everything_else(mam: Mam) -> None:
    result = mam("resolve", "1")
    assert "animal handling" in result.out
    assert hint(result) == "mam restrain-mount rider"
    assert hint(mam("end-turn", code=1)) == "mam restrain-mount rider"
    assert "restrain-mount" in mam("options").out.partition("\n\n")[2].splitlines()[0]
    mam("restrain-mount", "rider", "9")
    assert "restrain-mount" not in hint(mam("move", "foe", "1"))


@pytest.mark.usefixtures("rider")
def test_a_rider_gets_no_hint_to_attack_their_own_mount(mam: Mam) -> None:
    mam.run_all("resolve 1", "restrain-mount rider 9", "end-turn foe", "skip-turn horse --reason 'it stands'")
    result = mam("begin-turn", "rider")
    assert "attack rider foe" in result.err
    assert "attack rider horse" not in result.err


def test_a_suggested_attack_prefers_targets_that_are_up_and_of_other_sides(mam: Mam) -> None:
    mam("new", "f")
    for name, side in (("ana", "heroes"), ("ben", "heroes"), ("wolf", "foes"), ("orc", "foes")):
        mam("join", name, "--hp", "6", "--side", side)
    mam("initiative", "--first", "ana", "--reason", "quick")
    assert "attack ana wolf" in mam("begin-turn", "ana").err
    assert "attack ana orc" in mam("adjust", "--condition", "wolf=incapacitated", "--reason", "a trap").err
    assert "attack ana ben" in mam("adjust", "--condition", "orc=incapacitated", "--reason", "a trap").err


def test_in_an_empty_fight_join_is_suggested_first(mam: Mam) -> None:
    mam("new", "f")
    assert hint(mam("begin-turn", "a", code=1)).startswith("mam join NAME")


def test_options_say_that_an_action_must_be_changed(mam: Mam) -> None:
    mam.run_all("new f --preset mam_speed", "join a --hp 9 --weapon id=sw,power=2", "join b --hp 9 --size 1")
    mam.run_all("initiative --first b --reason quick", "begin-turn b", "prepare-counterattack b", "begin-turn a")
    mam.run_all("attack a b --weapon sw --mode powerful", "adjust --position a=on_ground --reason thrown", "end-turn b")
    assert "must be changed first" in mam("options").out.splitlines()[0]
    assert "must be changed first" in mam("order").out


def test_verify_reports_a_missing_seed(mam: Mam, table: Path) -> None:
    mam("new", "f")
    assert "seed" not in mam("verify").out
    with sqlite3.connect(table / "mam.db") as store:
        store.execute("DELETE FROM seeds")
    store.close()
    assert "the seed of the dice is not in this store, so the first die drawn here gets a new seed" in mam("verify").out
    document = json.loads(mam("verify", "--json").out)
    assert (document["committed"], document["seed_here"]) == (True, False)


def test_naming_who_begins_reports_an_unsettled_surprise(mam: Mam) -> None:
    mam.run_all("new f --preset mam_speed", "join a --hp 9 --ability stealth=9", "join b --hp 9", "stalk a b 6")
    assert "a's surprise of b was never settled" in mam("initiative", "--first", "b", "--reason", "so be it").out
    assert "never settled" not in mam("--as", "public", "log").out


def test_after_close_the_report_is_suggested(mam: Mam) -> None:
    mam.run_all("new f", "join a --hp 9")
    assert hint(mam("close", "--yes")).startswith("mam report")
    assert hint(mam("resolve", code=1)) == "mam report"
    assert hint(mam("next", code=1)) == "mam undo 3"
