"""Faces that hints ask for: where nothing is drawn any more, and where a die has no such face."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.test_meant import begun, next_of
from tests.cli.typed import Mam


@pytest.fixture
def alley(mam: Mam) -> None:
    """Lio and a guard in a round of Ron d6 that was closed, and opened again."""
    mam("new", "alley", "--preset", "ron_d6")
    mam("join", "lio", "--code", "perception=3D", "--code", "agility=2D", "--code", "brawling=3D")
    mam("join", "guard", "--code", "perception=2D", "--code", "agility=2D")
    mam("round")
    mam("initiative", "roll", "--all", "--dice", "lio=5,5,5", "--dice", "guard=1,1")
    mam("close")
    mam("undo")


def filled(line: str) -> list[str]:
    return shlex.split(line.replace("FACE", "3").replace("N", "3").removeprefix("mam "))


@pytest.mark.usefixtures("alley")
def test_what_is_next_asks_for_the_dice_that_can_no_longer_be_drawn(mam: Mam) -> None:
    said = mam("declare", "lio", "--actions", "2")
    assert next_of(said).startswith("mam act lio --action punch --target guard --dice N,N, or mam wait lio")
    assert "\nmam act lio --action punch --target guard --dice N,N\n" in mam("options").out
    no = mam("act", "--action", "punch", "--target", "guard", "--difficulty", "9", code=1)
    assert next_of(no) == "mam act --action punch --target guard --difficulty 9 --dice N,N"
    mam(*filled(next_of(no)))
    mam("result", "success")
    assert next_of(mam("round")).splitlines()[0] == "mam initiative roll --all --dice lio=N,N,N --dice guard=N,N"
    no = mam("initiative", "roll", "lio", code=1)
    assert next_of(no) == "mam initiative roll lio --dice lio=N,N,N"
    mam(*filled(next_of(no)))


def test_an_exchange_asks_for_the_faces_that_nothing_draws(mam: Mam) -> None:
    begun(mam, "ada --side us --hp 6", "ort --side them --hp 6", preset="mam_pools")
    mam("close")
    mam("undo")
    assert "next: mam resolve FACE FACE, or mam defend ort 1" in mam("attack", "ort", "1").err
    assert next_of(mam("resolve", "3", code=1)) == "mam resolve 3 FACE"


@pytest.mark.usefixtures("alley")
def test_a_face_that_no_die_has_is_the_one_to_be_said_anew(mam: Mam) -> None:
    mam("declare", "lio")
    no = mam("act", "--action", "punch", "--target", "guard", "--difficulty", "7", "--dice", "1,7,3", code=1)
    assert "The dice have no face 7: a d6 shows 1 to 6." in no.err
    assert next_of(no) == "mam act --action punch --target guard --difficulty 7 --dice 1,N,3"
    mam(*filled(next_of(no)))
    mam("result", "success")
    mam("round")
    no = mam("initiative", "roll", "--all", "--dice", "lio=1,2,3", "--dice=guard=9,1", code=1)
    assert next_of(no) == "mam initiative roll --all --dice lio=1,2,3 --dice=guard=N,1"


def test_a_face_that_stands_bare_is_said_anew_as_well(mam: Mam) -> None:
    begun(mam, "ada --side us --hp 6", "ort --side them --hp 6", preset="mam_pools")
    mam("attack", "ort", "1")
    assert next_of(mam("resolve", "3", "9", code=1)) == "mam resolve 3 FACE"


def test_faces_are_asked_for_where_an_order_has_tables_that_go_without_saying(mam: Mam) -> None:
    mam("new", "fight", "--preset", "mam_d20")
    mam("join", "ana", "--toughness", "4", "--weapon", "id=sword,power=3")
    mam("join", "bo", "--toughness", "4", "--armor", "id=plate,cover=10,absorption=3")
    mam("initiative", "--first", "ana", "--reason", "quick")
    mam("begin-turn")
    mam("close")
    mam("undo")
    assert "next: mam resolve FACE --armor-die bo=N" in mam("attack", "ana", "bo").err
