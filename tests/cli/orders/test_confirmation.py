"""The question before an unfinished fight is closed."""

from __future__ import annotations

import pytest

from cli.session import Session
from cli.shell.repl import Repl
from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam
from tests.cli.hints.test_synonyms import begin_fight, next_of

QUESTION = "ada and ort still stand and it is ada's turn. Closing ends the fight and reveals the seed of its dice"


@pytest.fixture(autouse=True)
def duel(mam: Mam) -> None:
    begin_fight(mam, "ada --side us --hp 6", "ort --side them --hp 6", preset="mam_pools")


def status() -> str:
    with CombatLog.open("mam.db") as log:
        return log.at("duel").status


@pytest.mark.parametrize("words", [("close",), ("do", "close"), ("close", "--after", "5")])
def test_close_without_a_terminal_needs_yes(mam: Mam, words: tuple[str, ...]) -> None:
    result = mam(*words, code=2)
    assert QUESTION in " ".join(result.err.split())
    assert next_of(result) == f"mam {' '.join(words)} --yes"
    assert status() == "open"
    mam(*words, "--yes")
    assert status() == "closed"


@pytest.mark.parametrize("words", [("heal", "ada"), ("do", "ada heal")])
def test_a_rest_in_a_fight_needs_yes(mam: Mam, words: tuple[str, ...]) -> None:
    result = mam(*words, code=2)
    assert "ada and ort still fight. A rest takes a week. Add --yes to rest anyway." in " ".join(result.err.split())
    assert mam("log", "--last", "1").out.startswith("#5")
    mam(*words, "--yes")


def test_a_proposed_closing_needs_yes_when_it_is_accepted(mam: Mam) -> None:
    mam("propose", "close")
    assert next_of(mam("accept", "6", code=2)) == "mam accept 6 --yes"
    mam("accept", "6", "--yes")
    assert status() == "closed"


@pytest.mark.parametrize("answer", ["y", "n"])
def test_at_a_terminal_close_asks(mam: Mam, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("cli.commands.corrections.preview.is_interactive", lambda _: True)
    result = mam("close", stdin=f"{answer}\n", code=None)
    assert QUESTION in " ".join(result.err.split())
    assert status() == ("closed" if answer == "y" else "open")


@pytest.mark.parametrize("sure", [True, False])
def test_the_table_asks_before_it_closes(capsys: pytest.CaptureFixture[str], *, sure: bool) -> None:
    with Session() as session:
        evening = Repl(session, lambda: sure, lambda _: "")
        evening.answer("close")
        assert QUESTION in " ".join(capsys.readouterr().err.split())
        assert evening.refused is False
    assert status() == ("closed" if sure else "open")


def test_a_fight_that_is_over_is_closed_at_once(mam: Mam) -> None:
    mam("end-turn")
    for name in ("ada", "ort"):
        mam("adjust", "--condition", f"{name}=incapacitated", "--reason", "it is over")
    mam("close")
    assert status() == "closed"


def test_a_refused_order_is_not_asked_about_first(mam: Mam) -> None:
    mam.run_all("new scrap --preset ron_d6", "join ada --code perception=3D --code agility=3D --code brawling=4D")
    mam.run_all("join ort --code perception=3D --code agility=3D --code brawling=4D", "round")
    mam.run_all("initiative roll --all --dice ada=5,5,5 --dice ort=1,1,1", "declare ada")
    mam("act", "--action", "punch", "--target", "ort", "--difficulty", "5", "--dice", "4,2,1,1")
    assert "waiting for its result" in mam("round", code=1).err
