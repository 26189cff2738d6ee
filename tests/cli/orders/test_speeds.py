"""Rounds with speed on the command line: hints and views."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def giant(mam: Mam) -> None:
    """Play the giant and the duellist to the end: the giant owes three turns, and the duellist is next."""
    mam("play", str(EXAMPLES / "giant-and-duellist.toml"))


@pytest.fixture
def three(mam: Mam) -> None:
    """Play the three in a row, and rewind to the start of Mira's counterattack."""
    mam("play", str(EXAMPLES / "three-in-a-row.toml"))
    mam("undo", "16", "--rewind", "--yes")


@pytest.mark.usefixtures("giant")
def test_a_combatant_who_owes_skips_gets_the_hint_to_skip(mam: Mam) -> None:
    assert "next: mam skip-turn grum" in mam("skip-turn", "oda").err
    assert "next: mam skip-turn grum" in mam("begin-turn").err
    assert "must skip 3 turns" in mam("order").out
    assert mam("attack", "grum", "oda", code=1).err.count("must skip this turn") == 1
    assert "3 turns" not in mam("skip-turn").out
    assert mam("order", "--json").lines[0]["rows"][0]["skips_owed"] == 2


@pytest.mark.usefixtures("three")
def test_a_counterattack_is_shown_in_options_and_order(mam: Mam) -> None:
    sentence = "Round 1: Mira counterattacks. What Rook declared waits until that is over."
    assert mam("options").out.startswith(sentence)
    result = mam("order")
    assert result.out.startswith(sentence)
    assert "interrupted" in result.out
    assert mam("order", "--json").lines[0]["interrupted"] == "rook"
    suggestions = [line.partition("  ")[0] for line in mam("options").out.splitlines()]
    assert suggestions.count("mam attack mira rook") == 1


@pytest.mark.usefixtures("three")
def test_after_a_counterattack_the_attacker_resolves_or_changes_its_action(mam: Mam) -> None:
    assert "next: mam resolve, or mam change-action rook" in mam("end-turn").err
    assert "may still be changed" in mam("options").out
    mam("change-action")
    assert "mam attack rook" in mam("options").out
    assert mam("change-action", code=1).err


@pytest.mark.usefixtures("three")
def test_every_option_in_a_counterattack_is_accepted(mam: Mam) -> None:
    lines = [line.split("  ")[0].split() for line in mam("options", "mira").out.splitlines()]
    commands = [words[1:] for words in lines if words[:1] == ["mam"] and not {"WHAT", "METRES"} & set(words)]
    assert len(commands) > 1
    for words in commands:
        mam(*words)
        mam("undo")


def test_after_stalking_establish_surprise_is_suggested(mam: Mam) -> None:
    mam.run_all("new ford --preset mam_speed", "join anka --hp 6 --side anka", "join bram --hp 6 --side bram")
    assert "next: mam establish-surprise" in mam("stalk", "anka", "bram", "--die", "15").err
    assert "anka has surprised bram" in mam("establish-surprise").out
    mam("initiative")
    assert mam("order").out.splitlines()[1] == "anka begins (surprise). [MAM-ORDER-04]"
    assert mam("take-posture", "bram", "evading", code=1).err


def test_if_nobody_found_anybody_initiative_needs_a_reason(mam: Mam) -> None:
    mam.run_all("new ford --preset mam_speed", "join anka --hp 6 --side anka", "join bram --hp 6 --side bram")
    mam.run_all("stalk anka bram --die 2", "stalk bram anka --die 2")
    assert "next: mam initiative --reason WHY" in mam("establish-surprise").err
    assert "so there is no combat" in mam("initiative", code=1).err
    assert "but the game master begins combat: a dog barks" in mam("initiative", "--reason", "a dog barks").out


def test_a_move_by_metres_alone_is_accepted_if_no_points_are_spent(mam: Mam) -> None:
    mam.run_all("new ford --preset mam_speed", "join anka --hp 6 --side anka", "join bram --hp 6 --side bram")
    mam.run_all("initiative --circumstance anka", "begin-turn")
    assert "moves 3 m" in mam("move", "--metres", "3").out
    assert "moves 1 m" in mam("move", "anka", "--metres", "1").out
    assert "METRES" in mam("move", "anka", code=2).err
