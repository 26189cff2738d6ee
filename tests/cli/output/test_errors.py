"""The report of an error, which must not fail itself."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NoReturn

import pytest

from cli.errors import failure_of, report_failure
from cli.session import Session
from mam_events.errors import NotFound, Refused
from mam_events.refusals.arguments import TextArgument, text_fragment
from mam_events.refusals.texts import refusals
from tests.cli.calls import Mam

ROOT = Path(__file__).parents[3]
CODES = list(refusals())
"""Every code of a refusal."""
BLIND = """\
encounter = "blind"
preset = "ron_d6"
combatants = [{ id = "ana", code = { agility = "3D" } }, { id = "bo", code = { agility = "3D" } }]
commands = [{ do = "round" }, { do = "roll-initiative", combatants = ["ana"] }]
"""
TOLD = "blind.toml:4: ana has no Perception to roll"


def test_the_list_of_codes_is_not_empty() -> None:
    assert {"perception_missing", "out_of_turn", "encounter_exists", "unknown_preset"} < set(CODES)


@pytest.mark.parametrize("broken", [NotFound("There is no log."), KeyError("ana")], ids=["told", "a fault"])
@pytest.mark.parametrize("code", CODES)
def test_an_error_is_reported_even_if_the_log_cannot_be_opened(
    code: str, broken: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Session, **__: object) -> NoReturn:
        raise broken

    monkeypatch.setattr(Session, "log", fail)
    for words, view, fight in product((["play", "x.toml"], ["attack"]), ("gm", "public"), ("", "duel")):
        session = Session()
        session.arguments, session.view, session.after = words, view, 3
        session.speak_of(fight)
        assert (
            report_failure(
                Refused.saying(code, text_fragment("quoted", sentence=TextArgument("No."))), session, as_json=False
            )
            == 1
        )


@pytest.fixture
def blind(table: Path) -> None:
    (table / "blind.toml").write_text(BLIND)


@pytest.mark.usefixtures("blind")
def test_a_refused_fight_file_in_a_new_store_is_reported_in_one_sentence(mam: Mam, table: Path) -> None:
    result = mam("play", "blind.toml", code=1)
    assert result.err.startswith(TOLD)
    assert len(result.err.splitlines()) == 1
    assert mam("play", "blind.toml", "--json", code=1).error["code"] == "perception_missing"
    assert not (table / "mam.db").exists()


@pytest.mark.usefixtures("blind")
def test_a_refused_fight_file_gives_no_hint_about_another_fight(mam: Mam) -> None:
    mam.run_all("new other --preset ron_d6", "join zed --code agility=2D")
    result = mam("play", "blind.toml", code=1)
    assert result.err.startswith(TOLD)
    assert "next:" not in result.err
    assert "next: mam amend 2 code.perception=2D" in mam("play", "blind.toml", "--keep-going", code=1).err


@pytest.mark.parametrize("code", CODES)
def test_an_error_in_a_file_suggests_no_order(code: str) -> None:
    session = Session()
    session.arguments, session.reads_fight = ["play", "x.toml"], True
    hint = failure_of(Refused.saying(code, text_fragment("quoted", sentence=TextArgument("No."))), session).next
    works_anywhere = hint.startswith("mam rules ") or hint.endswith(
        (" --help", "mam encounters", "mam export", "--id NAME")
    )
    assert works_anywhere or not hint


@pytest.mark.parametrize("view", ["gm", "public", "side:heroes"])
def test_a_missing_fight_is_reported_alike_to_every_view(mam: Mam, view: str) -> None:
    mam("new", "duel")
    for words in (["pools"], ["log"], ["undo"], ["move", "ana", "1"]):
        result = mam("--as", view, *words, "-e", "nope", code=4)
        assert 'There is no encounter "nope" in this log. Known: duel.' in result.err
    assert mam("--as", view, "log", "-e", "nope", "--json", code=4).error["allowed"] == ["duel"]
