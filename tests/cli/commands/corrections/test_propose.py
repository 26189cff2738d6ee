"""`mam propose`, `accept` and `refuse`."""

from __future__ import annotations

import re

import pytest

from tests.cli.calls import Mam

POTION = ("propose", "adjust", "--condition", "clone=out", "--reason", "The clone fled", "--by", "Ana")


@pytest.mark.usefixtures("fight")
def test_an_accepted_proposal_counts_as_an_order(mam: Mam) -> None:
    result = mam(*POTION)
    number = result.out.split()[0].lstrip("#")
    assert "Ana proposes: the game master's word: The clone fled (condition clone out)" in result.out
    assert f"mam accept {number}" in result.err
    assert "out" not in mam("pools", "--json").lines[1]["condition"]
    assert "The clone fled" in mam("proposals").out
    assert "Clone is out of the fight" in mam("accept", number, "--by", "Kim").out
    assert mam("proposals").out == "No proposal is waiting.\n"
    (row,) = mam("proposals", "--all", "--json").lines
    assert (row["open"], row["accepted_as"], row["by"]) == (False, int(number) + 1, "Ana")
    assert "decided" in mam("refuse", number, code=1).err


@pytest.mark.usefixtures("fight")
def test_a_refused_proposal_stays_in_the_log_with_its_reason(mam: Mam) -> None:
    mam(*POTION)
    (row,) = mam("proposals", "--json").lines
    assert "refuses proposal" in mam("refuse", str(row["ruling"]), "--reason", "It stood").out
    assert "refused: It stood" in mam("proposals", "--all").out
    assert "is not a proposal" in mam("accept", "1", code=1).err


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("words", [("undo",), ("note", "hey"), ("open", "other"), ("close-it",)])
@pytest.mark.parametrize("how", ["odds", "propose"])
def test_only_orders_can_be_proposed_or_given_to_odds(mam: Mam, how: str, words: tuple[str, ...]) -> None:
    before = mam("log", "--json").out
    assert re.search("No such command|There is no", mam(how, *words, code=2).err)
    assert mam("log", "--json").out == before
