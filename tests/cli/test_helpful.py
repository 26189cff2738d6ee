"""What a newcomer is told who types something that cannot be: the way out, in words that mean one thing."""

from __future__ import annotations

import pytest

from tests.cli.typed import Mam


@pytest.fixture
def inn(mam: Mam) -> None:
    """Lin with a bow on her back, and a rat; it is Lin's turn."""
    mam("new", "inn")
    mam("join", "lin", "--name", "Lin", "--hp", "9", "--weapon", "id=bow,kind=bow,max_range=50,readied=no")
    mam("join", "rat", "--name", "Rat", "--hp", "9")
    mam("initiative", "--first", "lin", "--reason", "x")
    mam("begin-turn")


@pytest.mark.usefixtures("inn")
def test_a_bow_is_taken_in_hand_before_it_is_drawn(mam: Mam) -> None:
    err = mam("draw-bow", "lin", "bow", code=1).err
    assert "Lin cannot use the bow: it is not in hand yet." in err
    assert "next: mam ready-weapon lin bow" in err
    assert "Lin takes the bow in hand. Lin puts 1" in mam("ready-weapon", "lin", "bow").out
    assert "Lin draws the bow and holds it drawn. Lin puts 1" in mam("draw-bow", "lin", "bow").out
