"""The replay player without a terminal: its keys, its speed and its screen."""

from __future__ import annotations

import click
import msgspec
import pytest

from cli.replay_player.frame_text import pool_lines
from cli.replay_player.player import Player, ReplayVariant
from cli.replay_player.screen import render_screen
from cli.replay_player.terminal import parse_keys
from mam_events.state import Pools
from projections.rulings.frames import Frame
from tests.cli.calls import Mam


def frame(number: int, round_: int, turn: int) -> Frame:
    return Frame(number=number, round=round_, turn=turn, sentence=f"Ruling {number}.", after={"ana": Pools(ready=1)})


FILM = [frame(1, 0, 0), frame(2, 1, 1), frame(3, 1, 1), frame(4, 1, 2), frame(5, 2, 1), frame(8, 2, 1)]


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ("", 1),
        ("left", 1),
        ("right right", 3),
        (". . ,", 2),
        ("l", 2),
        ("l l", 4),
        ("end j", 5),
        ("end j j", 4),
        ("]", 2),
        ("] ]", 5),
        ("] ] ]", 8),
        ("end [", 5),
        ("end [ [", 2),
        ("end home", 1),
        ("4 enter", 4),
        ("7 enter", 8),
        ("9 9 9 enter", 8),
        ("4 right", 2),
        ("4 2 backspace enter", 4),
        ("enter", 1),
        ("x", 1),
        ("? right", 2),
        ("l ? escape", 2),
    ],
)
def test_every_key_goes_to_its_frame(keys: str, at: int) -> None:
    player = Player("duel", FILM, {"ana": "Ana"})
    for key in keys.split():
        player.press(key)
    assert player.film[player.at].number == at
    assert not player.done


@pytest.mark.parametrize("key", ["q", "escape"])
def test_one_key_leaves_the_player(key: str) -> None:
    player = Player("duel", FILM, {})
    player.press(key)
    assert player.done


@pytest.mark.parametrize("size", [(80, 24), (40, 8), (200, 60)])
def test_a_screen_fits_its_terminal(size: tuple[int, int]) -> None:
    width, height = size
    player = Player("duel", FILM, {"ana": "Ana"})
    for key in ("", "?", "?", "7"):
        player.press(key)
        lines = render_screen(player, width, height)
        assert len(lines) == height
        assert max(map(len, lines)) <= width


def test_changes_are_printed_below_a_line_that_is_too_short() -> None:
    pools, names = {"ana": Pools(ready=6)}, {"ana": "Ana the Long-winded"}
    frame = Frame(number=1, before=pools, after=pools, changed={"ana": {"ready": -4, "defense": 1, "other_used": 3}})
    beside, below = pool_lines(frame, names, ["ana"]), pool_lines(frame, names, ["ana"], 60)
    assert (len(beside), len(below)) == (1, 2)
    assert max(map(len, below)) <= 60
    assert "".join(below).split() == beside[0].split()


def test_keys_are_parsed_from_terminal_input() -> None:
    assert list(parse_keys(b"\x1b[D\x1b[Cq17\r\x7f")) == ["left", "right", "q", "1", "7", "enter", "backspace"]
    assert list(parse_keys(b"\x1bOD\x1b[1~\x1b[4~\x1b[H")) == ["left", "home", "end", "home"]
    assert list(parse_keys(b"\x1b")) == ["escape"]
    assert list(parse_keys(b"\x1b[15~q\x1b[<0;1;1Mq\xc3\xa4")) == ["q", "q"]


SEEN = [
    Frame(number=1, sentence="Ana joins", at="2026-01-01T20:00:00Z"),
    Frame(number=2, sentence="Ana hits Bo", ticks=("hit",), at="2026-01-01T20:00:03Z"),
    Frame(number=3, sentence="Bo falls", ticks=("hit", "fall"), at="2026-01-01T21:00:00Z"),
    Frame(number=4, sentence="Bo disputes", do="dispute", at="2026-01-01T21:00:00Z"),
    Frame(number=5, sentence="Ana undoes 3", kind="correction"),
]


@pytest.mark.parametrize(
    ("keys", "at", "reading"),
    [
        ("h", 2, ""),
        ("h h", 3, ""),
        ("h h h", 3, "There is no other hit."),
        ("f", 3, ""),
        ("d", 4, ""),
        ("c", 5, ""),
        ("c c", 5, "There is no other correction."),
        ("x", 3, ""),
        ("/ B o enter", 2, ""),
        ("/ B o enter n", 3, ""),
        ("/ B o enter n N", 2, ""),
        ("/ B o enter N", 2, 'No line before this one has "bo".'),
        ("/ B x backspace o enter", 2, ""),
        ("/ q escape right", 2, ""),
        ("n", 1, ""),
        ("e", 1, "as it stands"),
        ("end e", 4, "as it stands"),
        ("end e e", 4, "both"),
        (">", 1, "speed 2 ×"),
        ("- - -", 1, "as fast as it happened"),
        ("+ + + + +", 1, "speed 8 ×"),
    ],
)
def test_keys_jump_to_marked_frames_and_change_the_reading(keys: str, at: int, reading: str) -> None:
    sentences = {frame.number: frame.sentence for frame in SEEN}
    readings = {
        "both": lambda: ReplayVariant(SEEN, sentences),
        "as it stands": lambda: ReplayVariant(SEEN[:4], sentences),
    }
    player = Player("duel", SEEN, {}, sentences=sentences, readings=readings, decided=lambda: 3)
    for key in keys.split():
        player.press(key)
    assert (player.frame.number, player.said) == (at, reading)
    assert not player.done


def test_the_player_plays_at_the_chosen_speed() -> None:
    player = Player("duel", SEEN, {})
    assert player.pause() is None
    player.press(" ")
    assert player.pause() == 1.4
    player.press(">")
    assert player.pause() == 0.7
    for _ in range(4):
        player.press("<")
    assert (player.speed, player.pause()) == (0, 3)
    player.tick()
    assert (player.frame.number, player.pause()) == (2, 8)
    player.tick()
    assert (player.frame.number, player.pause()) == (3, 0.2)
    player.press("k")
    assert player.pause() is None
    player.press("end")
    player.press("k")
    assert (player.frame.number, player.playing) == (1, True)
    for _ in range(4):
        player.tick()
    assert (player.frame.number, player.playing) == (5, False)


@pytest.mark.parametrize(("size", "around"), [((60, 20), 8), ((80, 24), 14), ((120, 40), 21)])
@pytest.mark.usefixtures("fight")
def test_the_log_is_shown_around_the_moment_and_points_keep_their_place(
    mam: Mam, size: tuple[int, int], around: int
) -> None:
    film = [msgspec.json.decode(line, type=Frame) for line in mam("replay", "--json").out.splitlines()]
    player, places = Player("duel", film, {"modre": "Modre", "clone": "Clone"}), set()
    for at in range(4, len(film)):
        player.press("home")
        player.step(at)
        lines = [click.unstyle(line) for line in render_screen(player, *size)]
        places.add(tuple(lines.index(line) for line in lines if line.startswith(("    Modre ", "    Clone "))))
        rulings = [line for line in lines if line.startswith(("  #", "▸ #"))]
        assert sum(line.startswith("▸") for line in rulings) == bool(rulings)
        if film[at].number == 18:
            assert len(rulings) == around
    assert len(places) == 1
