"""`mam do`: one line of orders at the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.orders.syntax import line_with
from cli.shell.next_words import next_words
from mam_events.errors import CommandHint, Refused
from tests.cli.calls import Mam, Rows

pytestmark = pytest.mark.usefixtures("modres_turn")


def test_a_line_prints_its_long_form_and_stops_where_somebody_may_react(mam: Mam) -> None:
    result = mam("do", "a ice p4 m2 2 1")
    assert result.out.splitlines()[0] == "modre: attack clone ice-blade power=4 modifier=2"
    assert (
        "Clone may counterattack, defend, interfere, parry or tackle. The rest of the line (2 1) was not used"
        in result.err
    )


def test_a_line_needs_no_shell_quotes(mam: Mam) -> None:
    mam("do", "a", "ice", "p4", "m2")
    assert mam("do", "d", "6", "2", "1.").out.startswith("clone: defend 6; resolve [2 1]; modre: end-turn\n")


def test_next_ends_a_turn_and_begins_the_next(mam: Mam) -> None:
    assert mam("next").out.startswith("modre: end-turn; clone: begin-turn\n")
    assert mam("next", "m 1").out.startswith("clone: end-turn; modre: begin-turn; modre: move points=1\n")


def test_undo_undoes_all_rulings_of_a_line(mam: Mam) -> None:
    pools = mam("pools").out
    mam("do", "a ice p4; d 6; 2 1.")
    assert "undo it: mam do u" in mam("next").err
    mam("do", "u")
    assert mam("do", "u").out.startswith("correct -#6 -#7 -#8 -#9\n")
    assert mam("pools").out == pools
    assert "it is Modre's turn" in mam("status").out


def test_json_output_has_the_line_its_rulings_and_who_may_react(mam: Mam) -> None:
    (line,) = mam("do", "a ice p4 m2 2 1", "--json").out.splitlines()
    document = json.loads(line)
    assert document["line"] == ["modre: attack clone ice-blade power=4 modifier=2"]
    assert [ruling["number"] for ruling in document["rulings"]] == [6]
    assert document["unused"] == "2 1"
    assert "defend" in document["may"]["clone"]


def test_an_unclear_line_asks_a_question_and_writes_nothing(mam: Mam, rows: Rows) -> None:
    before = rows()
    assert "Which one?" in mam("do", "st", code=2).err
    assert 'Did you mean "attack"' in mam("do", "attak clone", code=2).err
    assert rows() == before


def test_a_correction_that_changes_later_rulings_needs_yes(mam: Mam, rows: Rows) -> None:
    mam("do", "a ice p4 m2; d 6; 2 1.")
    before = rows()
    assert "--expect 9:" in mam("do", "amend 6 p3", code=2).err
    assert "--expect 9:" in mam("do", "amend 6 p3", "--preview").err
    assert rows() == before
    assert mam("do", "amend 6 p3", "--yes").out.startswith("correct ~#6=(power=3)\n")


def test_with_ask_dice_no_die_is_drawn(mam: Mam) -> None:
    mam("do", "a ice p4 m2; d 6")
    assert "(a d6) is thrown at the table. Type its face." in mam("do", "r", "--ask-dice", code=2).err
    mam("do", "2 1", "--ask-dice")


def test_a_line_of_a_view_always_stops_and_corrects_only_its_newest_line(mam: Mam) -> None:
    result = mam("do", "a ice p4 2 1", "--as", "public")
    assert result.out.startswith("modre: attack clone ice-blade power=4")
    assert "Reactions come first. The rest of the line (2 1) was not used" in result.err
    assert "newest line" in mam("do", "u 6", "--as", "public", code=1).err
    assert "newest line" in mam("do", "after 5 m 1", "--as", "public", code=1).err
    assert mam("do", "u", "--as", "public").out.startswith("correct -#6")


def test_a_repeated_line_is_answered_but_not_written_twice(mam: Mam, rows: Rows) -> None:
    mam("do", "a ice p4 m2; d 6", "--command-id", "k")
    before = rows()
    assert "Nothing was written" in mam("do", "a ice p4 m2; d 6", "--command-id", "k").err
    assert rows() == before
    assert "something else" in mam("do", "a ice p3", "--command-id", "k", code=1).err


def test_a_score_is_written_and_played(mam: Mam) -> None:
    mam.run_all("do 'a ice p4 m2; d 6; 2 1.'", "export --format score -o duel.score", "play duel.score --id again")
    assert mam("pools", "-e", "again").out == mam("pools", "-e", "duel").out
    mam.run_all("do u -e duel", "export --format played -o played.score -e duel", "play played.score --id third")
    assert mam("pools", "-e", "third").out == mam("pools", "-e", "duel").out


def test_a_fight_that_would_replay_differently_is_not_exported_as_played(mam: Mam, tmp_path: Path) -> None:
    """Amend a blow to hit a target whose armor takes a die of its own; no line has that die."""
    mam("new", "race", "--set", "armour_roll_source=separate_die")
    for words in ("ana a hp=6", "bo b hp=6", "cy c hp=6 armor=(coat cover=6 absorption=1)"):
        mam("do", f"join {words}")
    mam.run_all("do 'init first=ana \"so\"'", "do 'a bo p2'", "do '6 1'", "amend 7 target=cy --yes")
    result = mam("export", "--format", "played", "-o", "race.score", code=1)
    assert "ruling 8 drew the d6 for armor of cy, and playing it again would draw another face" in result.err
    assert "next: mam export" in result.err
    assert not (tmp_path / "race.score").exists()
    assert mam("export").out


LINES_WITH = {
    ("undo 5", "--rewind"): "undo 5 rewind",
    ("undo 5 only !", "--rewind"): "undo 5 rewind !",
    ("rest", "--reason", "TEXT"): "rest reason=TEXT",
    ("init circ=ana", "--first", "NAME", "--reason", "TEXT"): "init circ=ana first=NAME reason=TEXT",
}
"""Lines and the options that a refusal asks for, and the line to type next."""


@pytest.mark.parametrize("line", LINES_WITH)
def test_a_hint_repeats_the_words_of_the_line(line: tuple[str, ...]) -> None:
    assert line_with(*line) == LINES_WITH[line]


def test_a_hint_at_the_table_names_every_required_field() -> None:
    hint = CommandHint("perform", {"combatant": "vera", "action": "ready", "equipment": "gun"})
    refusal = Refused("nobody_joined", hints=(hint,))
    assert next_words(refusal, "shoot lio", None) == "vera ready equipment=gun"
    assert next_words(Refused("needs_rewind"), "u 5 !", None) == "u 5 rewind !"


def test_the_next_turn_of_a_closed_fight_is_refused_as_closed(mam: Mam) -> None:
    mam.run_all("new over", "join ana --hp 3", "close --yes")
    error = mam("do", "n", "-e", "over", code=1).err
    assert "This encounter is closed." in error
    assert error.endswith("next: mam undo 3 -e over\n")
