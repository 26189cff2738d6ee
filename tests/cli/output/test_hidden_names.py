"""Hidden combatants named by a view that does not see them."""

from __future__ import annotations

import json

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def ford(mam: Mam) -> Mam:
    """Start a fight with speed in which Ana and Bo face a hidden foe, Zqx."""
    mam.run_all("new ford --preset mam_speed", "join ana --hp 9 --side us", "join bo --hp 9 --side us")
    mam("join", "zqx", "--name", "Zqx", "--hp", "9", "--side", "foes", "--visibility", "gm")
    return mam


ORDERS = [
    "escape ana hold-3 --holder WHO",
    "take-position bo clinch WHO",
    "join q --hp 3 --mount WHO",
    "delay-turn bo WHO",
    "adjust --riding bo=WHO --reason x",
    "adjust --turn WHO --reason x",
    "adjust --condition WHO=dead --reason x",
    "adjust --hold bo=grip:1:1:WHO --reason x",
    "adjust --position bo=clinch:WHO --reason x",
    "initiative --first WHO --reason x",
    "check WHO hard",
]


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_about_a_hidden_combatant_is_refused_like_an_unknown_one(ford: Mam, order: str) -> None:
    def error_for(name: str) -> str:
        words = [word.replace("WHO", name) for word in order.split()]
        return ford(*words, "--as", "public", code=1).err.replace(name, "WHO")

    hidden = error_for("zqx")
    assert hidden == error_for("vwy")
    assert 'Nobody called "WHO" is in this fight. Known: ana, bo.' in hidden


@pytest.mark.parametrize("words", ["ana WHO", "WHO", "WHO hold-3"])
def test_a_hold_of_a_hidden_combatant_is_refused_like_an_unknown_one(ford: Mam, words: str) -> None:
    for order in ("escape", "release"):
        hidden, nobody = (
            ford(order, *words.replace("WHO", name).split(), "--as", "public", code=1).err.replace(name, "WHO")
            for name in ("zqx", "vwy")
        )
        assert hidden == nobody


@pytest.mark.parametrize("order", ["redo N", "undo N", "amend N reason=x", "check bo hard --after N"])
def test_the_kind_of_a_hidden_ruling_is_not_shown(ford: Mam, order: str) -> None:
    ford.run_all("note 'they lie in wait' --hidden", "undo 4 --yes")
    for number in ("4", "5", "6"):
        result = ford(*order.replace("N", number).split(), "--as", "public", code=1)
        assert f"Ruling {number} is hidden from you." in result.err


def test_only_the_game_master_sees_a_surprise_by_a_hidden_combatant(ford: Mam) -> None:
    ford.run_all("stalk zqx ana --die 20", "establish-surprise")
    assert "surprised" in ford("log").out
    assert "surprised" not in ford("log", "--as", "public").out


@pytest.mark.parametrize("order", ["initiative", "take-posture bo evading", "options --all --json"])
def test_a_refusal_does_not_name_who_stalked_while_hidden(ford: Mam, order: str) -> None:
    ford.run_all("join cy --hp 9 --side foes", "stalk ana cy --die 6 --hidden")
    result = ford(*order.split(), "--as", "public", code=0 if order.startswith("options") else 1)
    assert "The surprise is not settled yet. Settle it first (establish-surprise)" in result.out + result.err
    assert "stalked" not in result.out + result.err


@pytest.mark.parametrize("deed", ["drop-item zqx scythe", "adjust --hold zqx=grip:1:1:ana --reason x"])
def test_options_ignore_what_a_hidden_combatant_drops_or_holds(mam: Mam, deed: str) -> None:
    mam.run_all("new ford", "join ana --hp 9", "join bo --hp 9", "join zqx --hp 9 --weapon id=scythe --hidden")
    before = mam("options", "--all", "--json", "--as", "public").out
    mam(*deed.split(), "--hidden") if deed.startswith("adjust") else mam(*deed.split())
    assert mam("log", "--last", "1", "--as", "public").out.split() == ["#5", "▒", "hidden"]
    assert mam("options", "--all", "--json", "--as", "public").out == before


def test_options_ignore_what_a_hidden_attacker_prevents(mam: Mam) -> None:
    messages = set()
    for fight, more in (("ford", ()), ("mill", ("--weapon", "id=scythe"))):
        mam("new", fight, "--preset", "mam_speed")
        mam("join", "ana", "--hp", "9")
        mam("join", "zqx", "--hp", "9", "--hidden", *more)
        mam.run_all("initiative --first zqx --reason x", "begin-turn zqx", "attack zqx ana --weapon body")
        messages.add(mam("options", "--all", "--json", "--as", "public").out)
    assert len(messages) == 1


def test_an_item_dropped_by_a_hidden_combatant_is_not_found(ford: Mam) -> None:
    ford.run_all("join spy --hp 9 --side foes --weapon id=scythe --hidden", "initiative --first ana --reason x")
    ford("begin-turn", "ana")
    before = ford("pick-up-item", "ana", "scythe", "--as", "public", code=1).err
    ford("drop-item", "spy", "scythe")
    assert ford("pick-up-item", "ana", "scythe", "--as", "public", code=1).err == before


def test_a_refusal_does_not_reveal_that_a_hidden_action_is_open(mam: Mam) -> None:
    """RD6-ACT-04."""
    mam.run_all("new ford --preset ron_d6", "join ana --code perception=3D", "join bo --code perception=3D", "round")
    mam.run_all("initiative roll ana bo --dice ana=5,5,4 --dice bo=1,2,3", "declare ana")
    order = ("interrupt", "bo", "99", "--action", "communicate", "--as", "public", "--json")
    before = mam(*order, code=1).err
    assert "None is open now." in before
    mam("act", "ana", "--action", "punch", "--code", "4D", "--dice", "1,2,3,4", "--hidden")
    assert mam(*order, code=1).err == before


def test_an_action_named_like_a_hidden_combatant_is_still_offered(mam: Mam) -> None:
    mam.run_all("new ford --preset ron_d6", "join ana --code perception=3D")
    mam.run_all("join ready --name Vess --code perception=2D --hidden", "round", "initiative roll ana --dice ana=1,2,3")
    mam("declare", "ana")
    suggestions = map(json.loads, mam("options", "ana", "--json", "--as", "public").out.splitlines())
    fields = next(offer["fields"] for offer in suggestions if offer["do"] == "perform")
    choices = {field["name"]: field.get("choices") for field in fields}
    assert "ready" in choices["action"]
    assert choices["target"] == ["", "ana"]


def test_a_player_is_told_to_wait_for_somebody_hidden(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --hp 6", "join spy --hp 5 --visibility gm")
    mam.run_all("initiative --first spy --reason x", "begin-turn")
    turn = "it is the turn of somebody hidden."
    assert f"ana cannot do this now: {turn}" in mam("move", "ana", "1", "--as", "public", code=1).err
    assert (
        "It is the turn of somebody hidden. Wait until it is over." in mam("begin-turn", "--as", "public", code=1).err
    )
    assert "It is spy's turn. End it first (end-turn)." in mam("begin-turn", code=1).err
