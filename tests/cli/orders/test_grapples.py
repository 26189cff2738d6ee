"""Orders about holds, with and without naming the hold."""

from __future__ import annotations

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def gripped(mam: Mam) -> None:
    """Let Rat and Bo hold Rook, by adjustments of the game master, in Rook's turn."""
    mam.run_all("new inn", "join rook --hp 9", "join rat --hp 9", "join bo --hp 9")
    mam.run_all("initiative --first rook --reason x", "begin-turn", "adjust --hold rat=grip:1:2:rook --reason x")


WAYS = ("rook", "rook rat", "grip", "rook grip", "--holder rat", "")


@pytest.mark.usefixtures("gripped")
@pytest.mark.parametrize("words", WAYS)
def test_escape_applies_to_the_only_hold(mam: Mam, words: str) -> None:
    mam("escape", *words.split(), "--points", "1")
    assert "rook tries to get out of rat's grip: 1 on manipulating" in mam("log").out


@pytest.mark.usefixtures("gripped")
@pytest.mark.parametrize("words", ["rat", "rat rook", "rat grip"])
def test_release_applies_to_the_only_hold(mam: Mam, words: str) -> None:
    mam("release", *words.split())
    assert mam("log").out.splitlines()[-1].endswith("rat lets go of rook (grip)")


@pytest.mark.usefixtures("gripped")
def test_of_several_holds_one_must_be_named(mam: Mam) -> None:
    mam("adjust", "--hold", "bo=lock:1:0:rook", "--reason", "x")
    for words in ("rook", ""):
        assert "Whom? Type escape rat or escape bo." in mam("escape", *words.split(), "--points", "1", code=2).err
    mam("escape", "rook", "bo", "--points", "1")
    assert "rook tries to get out of bo's lock" in mam("log").out


@pytest.mark.usefixtures("gripped")
def test_a_release_or_escape_without_a_hold_is_refused_with_advice(mam: Mam) -> None:
    assert "rook holds nobody." in mam("release", "rook", code=1).err
    assert "Nobody holds bo." in mam("escape", "bo", code=1).err
    assert "mam escape Rook --points 1" in mam("escape", "Rook", code=1).err


def test_a_hidden_holder_cannot_be_guessed(mam: Mam) -> None:
    mam.run_all("new inn", "join rook --hp 9", "join ghost --hp 9 --hidden", "initiative --first rook --reason x")
    mam.run_all("begin-turn", "adjust --hold ghost=grip:1:2:rook --reason x")
    errors = {words: mam(*words.split(), "--as", "public", code=1).err for words in ("escape rook", "escape rook grip")}
    assert all("Nobody holds rook." in err and "ghost" not in err for err in errors.values()), errors
