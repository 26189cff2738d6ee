"""Output on a narrow terminal: nothing is cut."""

from __future__ import annotations

import click
import pytest

from cli.output import render
from cli.replay_player.player import Player
from cli.replay_player.screen import render_screen
from projections.rulings.frames import Frame
from tests.cli.calls import Mam


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print as to a colour terminal of eighty columns."""
    monkeypatch.setattr(render, "is_terminal", lambda: True)
    monkeypatch.setattr(render, "terminal_width", lambda: 80)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.usefixtures("modres_turn", "terminal")
def test_only_the_sentence_is_struck_through_not_its_reason(mam: Mam) -> None:
    mam("undo", "--reason", "too early")
    assert "turn begins\x1b[0m  ↶ by 6: too early\n" in mam("log").out
    parts = render.wrap_lines("a struck sentence  ↶ by 6: because", 12, "struck", 2, upto=len("a struck sentence"))
    assert [click.unstyle(part) for part in parts] == ["a struck", "  sentence", "  ↶ by 6:", "  because"]
    assert [part == click.unstyle(part) for part in parts] == [False, False, True, True]


@pytest.mark.usefixtures("terminal")
def test_a_table_that_is_too_wide_is_printed_row_by_row_without_cuts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names = ("automatic_success_in_opposed_rolls", "versus_fixed_difficulty_and_more", "versus_target_total")
    render.print_table(("option", "mam_pools", "mam_speed"), [names])
    text = click.unstyle(capsys.readouterr().out)
    assert text == f"{names[0]}\n  mam_pools: {names[1]} · mam_speed: {names[2]}\n"
    render.print_table(
        ("encounter", "title", "is"), [("a" * 60, "The long night at the toll bridge", "closed")], fold=(1,)
    )
    assert "title: The long night at the toll bridge · is: closed" in capsys.readouterr().out
    render.print_table(
        ("encounter", "title", "is"), [("a" * 40, "The long night at the toll bridge", "closed")], fold=(1,)
    )
    rows = capsys.readouterr().out.splitlines()
    assert all(len(click.unstyle(row)) <= 80 for row in rows)
    assert "The long night at the toll" in click.unstyle(rows[2])


@pytest.mark.usefixtures("terminal")
def test_a_table_whose_cells_wrap_into_many_lines_is_printed_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    headers, what = ("ruling", "what", "verdict", "why"), "Grob's hold of Anka is resolved"
    render.print_table(headers, [("17", what, "changed", "it fails " * 30)], right=(0,), fold=(1, 3))
    text = click.unstyle(capsys.readouterr().out)
    assert text.startswith(f"17\n  what: {what} · verdict: changed · why: it fails it")
    assert len(text.splitlines()) <= 6
    render.print_table(headers, [("17", what, "changed", "it fails " * 8)], right=(0,), fold=(1, 3))
    assert click.unstyle(capsys.readouterr().out).startswith("ruling  what")


@pytest.mark.usefixtures("terminal")
def test_a_verdict_is_printed_beside_its_ruling_if_no_table_fits(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("17", "Grob's hold is resolved", "changed", "it fails " * 30), ("19", "Anka's turn begins", "carried", "")]
    render.print_table(("ruling", "what", "verdict", "why"), rows, right=(0,), fold=(1, 3), heading=(0, 2))
    text = click.unstyle(capsys.readouterr().out)
    assert text.startswith("17  changed\n    Grob's hold is resolved\n    it fails it fails")
    assert text.endswith("19  carried\n    Anka's turn begins\n")
    assert all(len(row) <= 80 for row in text.splitlines())


@pytest.mark.usefixtures("modres_turn")
def test_rare_orders_out_of_turn_are_listed_only_with_all(mam: Mam) -> None:
    mam("join", "wolf", "--hp", "3", "--weapon", "id=teeth,power=1")
    assert "drop-item modre" in mam("options").out
    assert "wolf" not in mam("options").out.partition("Others may")[2]
    mam("attack", "clone", "--power", "2")
    assert "drop-item" not in mam("options").out
    assert "mam drop-item wolf teeth" in mam("options", "--all").out


@pytest.mark.usefixtures("modres_turn")
def test_options_in_an_exchange_begin_with_the_reactions(mam: Mam) -> None:
    mam("attack", "clone", "--power", "2")
    output = mam("options").out
    orders = [line for line in output.splitlines() if line.startswith("mam ")]
    assert orders[:4] == [
        "mam resolve",
        "mam defend clone 1",
        "mam parry clone",
        "mam counterattack clone --modifier 1",
    ]
    assert len(output.splitlines()) <= 22
    assert "ATTACK_DIE 1 to 6, DEFENSE_DIE 1 to 6" in output
    assert "heal" not in output
    assert "mam check" in mam("options", "--all").out


@pytest.mark.usefixtures("terminal")
def test_pools_that_fit_no_table_are_printed_on_a_line_each(mam: Mam) -> None:
    mam("new", "inn")
    for name in ("kestrel", "odo", "sergeant"):
        mam("join", name, "--name", f"{name.capitalize()} of the Crooked Kettle", "--hp", "20", "--side", "press-gang")
    lines = click.unstyle(mam("pools").out).splitlines()
    assert lines[1] == "  Odo of the Crooked Kettle (odo)            R20 D0 O0 S0 X0  RRRRRRRRRRRRRRRRRRRR"
    assert len(lines) == 4


@pytest.mark.usefixtures("terminal")
def test_lines_wrap_between_words_and_labels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = render.align_columns(["  Odo  R0", "able", "holds the Sergeant of the watch (hold-17)"], 40, indent=6)
    assert rows == ["  Odo  R0  able", "      holds the Sergeant of the watch", "      (hold-17)"]
    # The line has room for "why:", but not for its text.
    render.print_table(("ruling", "what", "why"), [("17", "b" * 65, "because of that")])
    lines = click.unstyle(capsys.readouterr().out).splitlines()
    assert lines == ["17", f"  what: {'b' * 65} ·", "    why: because of that"]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    render.print_notice(
        "This order is not allowed at the moment, because it is nobody's turn yet. [RD6-LIST-01, RD6-LIST-02]"
    )
    render.print_hint(f"mam attack {'modre' * 6} {'clone' * 6} --weapon ice-blade --modifier 1, or mam options")
    assert capsys.readouterr().err.splitlines() == [
        "This order is not allowed at the moment, because it is nobody's turn yet.",
        "  [RD6-LIST-01, RD6-LIST-02]",
        f"next: mam attack {'modre' * 6} {'clone' * 6} \\",
        "    --weapon ice-blade --modifier 1",
        "  or mam options",
    ]


@pytest.mark.usefixtures("modres_turn", "terminal")
def test_a_plain_replay_follows_the_order_of_the_fight_without_repeats(mam: Mam) -> None:
    mam.run_all("attack clone --power 3 --modifier 1", "resolve 5 1", "end-turn")
    mam("adjust", "--move", "clone:ready:other_used:1", "--reason", "It stumbled", "--after", "5", "--yes")
    lines = click.unstyle(mam("replay", "--plain").out).splitlines()
    assert [line.split()[0] for line in lines if line.startswith("#")] == [f"#{n}" for n in (1, 2, 3, 4, 5, 9, 6, 7, 8)]
    assert all(len(line) <= 80 for line in lines)
    assert " ".join(lines).count("Modre attacks Clone") == 1


def test_a_frame_longer_than_the_screen_can_be_scrolled() -> None:
    sentence = " ".join(f"word{n}" for n in range(200))
    player = Player("a-title-that-is-much-too-long-for-it" * 2, [Frame(number=1, sentence=sentence)] * 2, {})
    words: set[str] = set()
    for _ in range(60):
        lines = render_screen(player, 60, 20)
        assert all(len(line) <= 60 for line in lines)
        assert len(lines) == 20
        words |= set(" ".join(lines).split())
        player.press("down")
    assert {f"word{n}" for n in range(200)} <= words
    assert "ruling 1   1 of 2" in render_screen(player, 60, 20)[0]
    assert "above ↑" in " ".join(render_screen(player, 60, 20))
    for _ in range(60):
        player.press("up")
    assert "word0" in " ".join(render_screen(player, 60, 20))
    player.press("down")
    player.press("right")
    assert "word0" in " ".join(render_screen(player, 60, 20))


@pytest.mark.usefixtures("modres_turn", "terminal")
def test_order_and_options_wrap_between_words(mam: Mam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.output.render.terminal_width", lambda: 40)
    mam("attack", "clone", "--power", "2")
    prefix = "Exchange 6: Modre attacks Clone.\n  Reactions come before the dice.\n"
    assert prefix in click.unstyle(mam("order").out)
    text = click.unstyle(mam("options", "clone").out)
    assert prefix in text
    assert all(len(line) <= 40 for line in text.splitlines())
    assert "\nmam interfere clone --weapon body \\\n    --modifier 1\n" in text


@pytest.mark.usefixtures("modres_turn", "terminal")
def test_the_first_lines_of_a_report_and_an_amendment_wrap_between_words(
    mam: Mam, monkeypatch: pytest.MonkeyPatch
) -> None:
    mam.run_all("attack clone --power 3", "undo")
    monkeypatch.setattr(render, "terminal_width", lambda: 40)
    lines = [click.unstyle(line) for line in mam("report").out.splitlines()]
    assert lines[:3] == ["duel", "open, 1 round, 7 rulings, 1 of them", "  corrections, 1 undone"]
    mam("new", "a-duel-at-the-old-bridge", "--title", "The long night at the toll bridge")
    lines = [click.unstyle(line) for line in mam("report").out.splitlines()]
    assert lines[:2] == ["The long night at the toll bridge", "  (a-duel-at-the-old-bridge)"]
    text = click.unstyle(mam("amend", "2", "name=Modre of the seven Bridges", "-e", "duel", "--preview").out)
    assert text.splitlines()[:2] == ["amends 2: name Modre of the seven", "    Bridges (was Modre)"]
