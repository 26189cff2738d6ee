"""Hints for missing and impossible faces."""

from __future__ import annotations

import shlex

import pytest

from tests.cli.calls import Mam
from tests.cli.hints.test_synonyms import begin_fight, next_of


@pytest.fixture
def alley(mam: Mam) -> None:
    """Begin a round of Ron d6 with Lio and a guard."""
    mam.run_all("new alley --preset ron_d6", "join lio --code perception=3D --code agility=2D --code brawling=3D")
    mam.run_all("join guard --code perception=2D --code agility=2D", "round --yes")
    mam("initiative", "roll", "--all", "--dice", "lio=5,5,5", "--dice", "guard=1,1")


def filled(line: str) -> list[str]:
    return shlex.split(line.replace("FACE", "3").replace("N", "3").removeprefix("mam "))


def test_an_insert_into_a_closed_fight_asks_for_the_missing_faces(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 6", "ort --side them --hp 6", preset="mam_pools")
    mam.run_all("attack ort 1", "close --yes")
    assert next_of(mam("resolve", "3", "--after", "6", code=1)) == "mam resolve 3 --after 6 FACE"


@pytest.mark.usefixtures("alley")
def test_a_hint_replaces_only_the_impossible_face(mam: Mam) -> None:
    mam("declare", "lio")
    result = mam("act", "--action", "punch", "--target", "guard", "--difficulty", "7", "--dice", "1,7,3", code=1)
    assert "The dice have no face 7: a d6 shows 1 to 6." in result.err
    assert next_of(result) == "mam act --action punch --target guard --difficulty 7 --dice 1,N,3"
    mam(*filled(next_of(result)))
    mam.run_all("result success", "round --yes")
    result = mam("initiative", "roll", "--all", "--dice", "lio=1,2,3", "--dice=guard=9,1", code=1)
    assert next_of(result) == "mam initiative roll --all --dice lio=1,2,3 --dice=guard=N,1"


def test_a_hint_replaces_an_impossible_face_without_its_option_too(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 6", "ort --side them --hp 6", preset="mam_pools")
    mam("attack", "ort", "1")
    assert next_of(mam("resolve", "3", "9", code=1)) == "mam resolve 3 FACE"
