"""`mam odds`."""

from __future__ import annotations

import pytest

from tests.cli.calls import Mam, Rows


@pytest.mark.usefixtures("modres_turn")
def test_odds_before_a_declaration_equal_odds_after_it(mam: Mam, rows: Rows) -> None:
    before = rows()
    result = mam("odds", "attack", "clone", "1", "1", "-q")
    assert rows() == before
    mam("attack", "clone", "1", "1")
    assert mam("odds", "-q").out == result.out == mam("odds", "resolve", "-q").out
    assert result.out.splitlines() == [
        "Modre's attack on Clone: hit 72%, half hit 11%, miss 17%; needs a die at most 1 lower than the other",
        "Clone takes about 1.6 damage and 1.6 stun.",
        "(36 ways for the dice to fall, each judged)",
    ]


@pytest.mark.usefixtures("modres_turn")
def test_odds_after_an_earlier_ruling_are_those_of_its_open_exchange(mam: Mam) -> None:
    mam("attack", "clone", "1", "1")
    number = str(mam("log", "--json").lines[-1]["number"])
    then = mam("odds").out
    mam("resolve", "3", "4")
    err = mam("odds", "--after", number, code=2).err
    assert f"next: mam odds resolve --after {number}\n" in err
    assert mam("odds", "resolve", "--after", number).out == then


@pytest.mark.usefixtures("modres_turn")
def test_odds_with_a_given_face_vary_only_the_other_dice(mam: Mam) -> None:
    mam("attack", "clone", "1", "1")
    one_die = mam("odds", "resolve", "2", "-q").out
    assert "hit 50%, half hit 17%, miss 33%" in one_die
    assert "(6 ways for the dice to fall, each judged)" in one_die
    assert "(no die is open)" in mam("odds", "resolve", "2", "2", "-q").out


@pytest.mark.usefixtures("modres_turn")
def test_odds_refuse_an_order_with_the_same_error_as_the_order(mam: Mam, rows: Rows) -> None:
    before = rows()
    for words in (["attack", "clone", "7"], ["resolve", "3"], ["attack", "nobody", "1"]):
        odds_result, order_result = (mam(*start, *words, "-q", code=None) for start in (["odds"], []))
        assert (odds_result.code, odds_result.err) == (order_result.code, order_result.err)
        assert odds_result.code != 0
    assert rows() == before


def test_odds_of_summed_dice_show_the_total(mam: Mam) -> None:
    mam.run_all("new yard --preset ron_d6", "join rook --name Rook --code perception=1D --code brawling=2D")
    assert "next: mam odds --help\n" in mam("odds", code=2).err
    mam("round")
    assert "next: mam odds initiative roll --all\n" in mam("odds", code=2).err
    combined = mam("odds", "initiative", "roll", "--all", "-q").out
    assert combined.startswith("Rook's initiative: 4.2 on average, nine in ten from 1 to 11\n")
    mam.run_all("initiative roll --all --dice rook=3", "declare")
    output = mam("odds", "act", "rook", "--action", "punch", "--difficulty", "8", "-q").out
    assert output.startswith("Rook's punch: 7.7 on average, nine in ten from 3 to 15; reaches 8 in 44%\n")
    totals = mam("odds", "act", "rook", "--action", "punch", "--difficulty", "8", "--json").lines[0]["odds"]["totals"][
        0
    ]
    assert sum(totals["chances"].values()) == pytest.approx(1)
    assert totals["reaches"] == pytest.approx(16 / 36)
    error = mam("odds", code=2).err
    assert "Name the order whose odds you want" in error
    assert "next: mam odds act rook --action " in error
    mam(*error.rpartition("next: mam ")[2].split())


@pytest.mark.usefixtures("modres_turn")
def test_odds_of_a_view_ignore_hidden_interference(mam: Mam) -> None:
    mam.run_all("join spy --name Spy --hp 6 --hidden", "attack clone 1 1")
    before = mam("odds", "--as", "public", "-q").out
    assert "hit" in before
    mam("interfere", "spy", "--points", "1")
    assert mam("odds", "--as", "public", "-q").out == before
    assert "Spy's interference" in mam("odds", "-q").out


@pytest.mark.usefixtures("modres_turn")
def test_a_manipulation_that_cannot_succeed_has_no_odds(mam: Mam) -> None:
    assert "cannot succeed" in mam("odds", "manipulate", "clone", "--follow-up", "hold", "--modifier", "1", code=1).err
    assert "success" in mam("odds", "manipulate", "clone", "--follow-up", "hold", "--points", "1", "-q").out
