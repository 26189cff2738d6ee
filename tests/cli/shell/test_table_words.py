"""Words of the table that are not orders: settings, other fights, decisions about disputes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.session import Session
from cli.shell.repl import Repl
from tests.cli.calls import Mam, Rows
from tests.cli.shell.tables import BEGUN, JOINS, typed_at


def test_undo_applies_to_the_newest_ruling_that_was_shown(
    mam: Mam, table: Path, rows: Rows, capsys: pytest.CaptureFixture[str]
) -> None:
    mam("table", stdin=JOINS)
    sessions = [Session(), Session()]
    for session in sessions:
        session.store, session.encounter_name = str(table / "mam.db"), "duel"
    first, second = (Repl(session, lambda: True) for session in sessions)
    first.answer("modre")
    second.answer("log --last 1")
    second.answer("m 1")
    before = rows()
    first.answer("u")
    assert "newest. The newest is 6" in capsys.readouterr().err
    assert rows() == before
    # Now the table has seen the rulings of others.
    first.mark_shown(6)
    first.answer("u")
    assert "correct -#6" in capsys.readouterr().out
    for session in sessions:
        session.log().close()


def test_fight_switches_to_another_fight(mam: Mam) -> None:
    lines = f'{JOINS}new cave speed "The cave" by=Mira\nfight duel\na ice p4\nfight cav\nfight cave\njoin Rat b hp=3\n'
    result = mam("table", stdin=lines, code=1)
    assert 'Did you mean "cave"?' in result.err
    assert "modre: attack clone" in result.out
    assert "rat" in mam("pools", "-e", "cave").out
    assert "Mira" in mam("audit", "1", "-e", "cave").out
    assert 'Did you mean "duel"?' in mam("table", "duell", code=4).err


def test_nobody_interferes_is_a_setting(mam: Mam) -> None:
    lines = f"{JOINS.replace('init', 'join Wolf b hp=6')}init first=modre reason=so\na clone p4\n"
    assert "Wolf may interfere" in mam("table", stdin=f"{lines}d 6 2 1\n").err
    mam("undo", "2", "--rewind", "--yes")
    more = lines.removeprefix("new duel\n")
    assert "was not used" not in mam("table", stdin=f"nobody interferes\n{more}d 6 2 1\nanybody interferes\n").err


def test_sheets_of_an_empty_roster(mam: Mam) -> None:
    assert "There is no sheet in the folder roster yet" in mam("table", stdin="new cave\nsheets\n").err


def test_a_late_join_shows_the_place_in_the_order(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Rat acts after" in typed_at(asking_shell, capsys, BEGUN, "join Rat c hp=3")
    typed_at(asking_shell, capsys, "modre.", "clone.", "rook.", "rat")
    assert "Ox is next." in typed_at(asking_shell, capsys, "join Ox c hp=3")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("join 2 Rats c hp=3", "Rat 1 and Rat 2 act after Rook, in this order."),
        ("join 10 Rats c hp=3", "Rat 1 to Rat 10 act after Rook, in this order."),
        ("join Ox c hp=3; join Ant c hp=3; join Bee c hp=3", "Ox, Ant and Bee act after Rook, in this order."),
    ],
)
def test_late_joins_show_their_places_in_one_sentence(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str, sentence: str
) -> None:
    assert sentence in " ".join(typed_at(asking_shell, capsys, BEGUN, line).split())


def test_another_fight_repeats_that_nobody_interferes(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Still" not in typed_at(asking_shell, capsys, "new Loft mam_pools")
    assert "type: anybody interferes" in typed_at(asking_shell, capsys, "nobody interferes", "new Attic mam_pools")
    assert "type: anybody interferes" in typed_at(asking_shell, capsys, "fight duel")


@pytest.mark.parametrize("line", ["fights", "list", "fight"])
def test_the_fights_of_the_store_are_listed(asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str) -> None:
    assert "duel" in typed_at(asking_shell, capsys, BEGUN, line)


@pytest.mark.parametrize("line", ["serve", "share"])
def test_sharing_a_fight_shows_the_command_for_another_terminal(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    assert "mam serve --lan --player NAME=" in typed_at(asking_shell, capsys, BEGUN, line)


@pytest.mark.parametrize("line", ["who is next", "who's next", "whose turn is it"])
def test_a_question_about_the_turn_shows_the_status(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    assert typed_at(asking_shell, capsys, BEGUN, line) == typed_at(asking_shell, capsys, BEGUN, "status")


@pytest.mark.parametrize(
    "line", ["the move stands, it was short", "it stands", "rule 8 uphold", "rule on it: uphold", "decide uphold"]
)
def test_it_stands_upholds_the_only_open_dispute(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre moves 1", "dispute 6 too far")
    assert "upholds 6" in typed_at(asking_shell, capsys, line)
    timeline = asking_shell.session.timeline()
    assert not [number for number, is_decided in timeline.disputes.items() if not is_decided]


def test_why_explains_the_last_roll(asking_shell: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre attacks clone p1", "5 2", "modre moves 1")
    assert "power" in typed_at(asking_shell, capsys, "why")
    assert typed_at(asking_shell, capsys, "why") == typed_at(asking_shell, capsys, "explain 8")


@pytest.mark.parametrize(
    "line", ["the rook stands up", "it stands to reason", "the ruling stands not", "that guard stands"]
)
def test_other_sentences_about_standing_decide_no_dispute(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    typed_at(asking_shell, capsys, BEGUN, "modre moves 1", "dispute 6 too far", line)
    timeline = asking_shell.session.timeline()
    assert [number for number, is_decided in timeline.disputes.items() if not is_decided]


def test_an_answer_in_a_decided_dispute_shows_how_to_dispute_again(
    asking_shell: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = (BEGUN, "modre moves 1", "dispute 6 too far", "rule-on 8 uphold")
    assert "next: dispute 6 because …" in typed_at(asking_shell, capsys, *begun, "answer 8 but no")
    assert "disputes 6" in typed_at(asking_shell, capsys, "dispute 6 because no")
