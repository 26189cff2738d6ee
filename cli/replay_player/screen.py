"""A replay on a screen: the current frame, the log around it, all points, and the position in the fight."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from cli.output import render
from cli.replay_player.frame_text import (
    frame_bookkeeping,
    frame_sentence_lines,
    other_event_sentences,
    pool_lines,
    standing_rows,
)
from cli.replay_player.player import JUMP_TARGETS, Player
from projections.phrases import moment_words

if TYPE_CHECKING:
    from projections.rulings.frames import Frame

PLAYER_KEYS = (
    ("Space k", "play, pause"),
    ("< >  or  - +", "slower, faster; slowest of all: as fast as it happened"),
    ("← →  or  , .", "one ruling"),
    ("j l", "one turn, also Shift ← →"),
    ("[ ]", "one round"),
    ("Home End", "first, last"),
    ("17 Enter", "ruling 17"),
    ("h f", "next hit, next fall"),
    ("d c", "next dispute, next correction"),
    ("x", "the ruling that decided it"),
    ("/ n N", "search; the next, the one before"),
    ("e", "as it stands, as it was played, both"),
    ("↑ ↓", "the rest of a long ruling"),
    ("?  q", "these keys, leave"),
)
ALL_KEYS = "Space play   ← → ruling   j l turn   [ ] round   h hit   / search   ? keys   q leave"
FEW_KEYS = "Space play  ← → ruling  ? keys  q leave"
SIGNS = {"correction": "↶", "dispute": "?", "hit": "◆", "fall": "↓"}
"""The signs on the way through the fight, the weightiest last."""
HEADER_LINES = FOOTER_LINES = 2
MIN_MOMENT_LINES = 5
"""The minimum number of lines of a frame; if the points leave fewer, they scroll with it."""
NARROW = 80
MIN_LOG_LINES = 3
"""The minimum number of free lines for showing the log around the frame."""


def render_screen(player: Player, width: int, height: int) -> list[str]:
    """Return the screen as lines, at most `height` lines of at most `width` columns."""
    room = max(height - HEADER_LINES - FOOTER_LINES, 1)
    below = _everybody(player.frame, player, width, room)
    if player.help or len(below) > room - MIN_MOMENT_LINES:
        below = [] if player.help else below
        body = (
            [f"  {keys.ljust(14)}{what}"[:width] for keys, what in PLAYER_KEYS]
            if player.help
            else _frame(player, width)
        )
        body = _in_sight(player, [*body, *below], room)
        below = []
    else:
        body = _in_sight(player, _frame(player, width), room - len(below) - 1)
        body += _around(player, width, room - len(below) - len(body) - 1)
    empty = [""] * (room - len(body) - len(below))
    return [_head(player, width), "", *body, *empty, *below, _way(player, width), _prompt(player, width)]


def _head(player: Player, width: int) -> str:
    reading = f"   {player.reading}" if player.reading else ""
    place = f"   ruling {player.frame.number}   {player.at + 1} of {len(player.film)}{reading}"
    title = textwrap.shorten(player.title, max(width - len(place), 1), placeholder="…")
    return render.paint(f"{title}{place}"[:width], "strong")


def _in_sight(player: Player, body: list[str], room: int) -> list[str]:
    """Return as much of a frame as fits, and how many lines are above and below it."""
    if len(body) <= room:
        player.top = player.rest = 0
        return body
    rows = max(room - 1, 1)
    player.top = min(player.top, len(body) - rows)
    player.rest = len(body) - rows - player.top
    more = [f"{count} {where}" for count, where in ((player.top, "above ↑"), (player.rest, "below ↓")) if count]
    return [*body[player.top : player.top + rows], f"… more lines: {', '.join(more)}"]


def _frame(player: Player, width: int) -> list[str]:
    frame = player.frame
    if frame.hidden:
        return [frame_sentence_lines(frame)]
    acting = player.names.get(frame.acting, "")
    when = moment_words(frame.round, frame.turn) or "before the first round"
    lines = [f"{when}{f': {acting}' if acting else ''}"[:width], *frame_bookkeeping(frame, width, 2)]
    by = f"   by {frame.by}" if frame.by else ""
    dead = bool(frame.struck or frame.void or frame.restored_by)
    lines += render.wrap_lines(
        f"{frame_sentence_lines(frame)}{by}",
        width,
        "struck" if dead else "",
        upto=len(frame.sentence) if frame.sentence else 0,
    )
    for sentence in other_event_sentences(frame):
        lines += textwrap.wrap(sentence, width, initial_indent="  ", subsequent_indent="    ")
    return lines


def _everybody(frame: Frame, player: Player, width: int, room: int) -> list[str]:
    """Return all points, always in the same order, and the turn order of a round in which initiative is rolled."""
    wide = max((len(player.names.get(name, name)) for name in frame.after), default=0)
    rows = [pool_lines(frame, player.names, [name], width, wide) for name, pools in frame.after.items() if pools.total]
    # On a narrow screen changes have a line of their own, which stays empty without changes.
    lines = 2 if width < NARROW and 2 * len(rows) <= room - 2 * MIN_MOMENT_LINES else 1
    cells = [line for row in rows for line in (*row, *[""] * (lines - len(row)))]
    return [*cells, *standing_rows(frame, width)]


def _around(player: Player, width: int, room: int) -> list[str]:
    """Return the log around the current frame, as far as it fits."""
    if room < MIN_LOG_LINES:
        return []
    lines = room - 1
    first = min(max(player.at - lines // 2, 0), max(len(player.film) - lines, 0))
    visible, here = [], 0
    for at, frame in enumerate(player.film[first : first + lines], first):
        visible += [render.paint(_cut(f"{'':8}– {sentence}", width), "faint") for sentence in frame.bookkeeping]
        sign, here = ("▸", len(visible)) if at == player.at else (" ", here)
        text = "  ".join(filter(None, (player.log_lines.get(frame.number, ""), *frame.marks)))
        line = _cut(f"{sign} #{frame.number:<4} {text}", width)
        visible.append(render.paint(line, "strong" if at == player.at else "faint"))
    # Bookkeeping adds lines, so cut to those around the current frame.
    start = min(max(here - lines // 2, 0), max(len(visible) - lines, 0))
    return ["", *visible[start : start + lines]]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _way(player: Player, width: int) -> str:
    """Return the whole fight from left to right: rounds, hits, falls, disputes, corrections, and the position."""
    room = max(width - 2, 10)
    last = max(len(player.film) - 1, 1)
    cells = ["·"] * room
    weights = ["·", "|", *SIGNS.values()]
    for i, frame in enumerate(player.film):
        signs = [SIGNS[mark.name] for mark in JUMP_TARGETS.values() if mark.on(frame)]
        at = i * (room - 1) // last
        cells[at] = max(cells[at], "|" if "round" in frame.ticks else "·", *signs, key=weights.index)
    cells[player.at * (room - 1) // last] = "●"
    return "".join(cells)


def _prompt(player: Player, width: int) -> str:
    if player.sought is not None:
        return f"look for: {player.sought}"[:width]
    if player.typed:
        return f"ruling {player.typed}, then Enter"[:width]
    if player.said:
        return player.said[:width]
    if player.playing:
        speed = f"{player.speed:g} ×" if player.speed else "as fast as it happened"
        return f"playing, {speed}   Space pause   < > speed   q leave"[:width]
    return (ALL_KEYS if len(ALL_KEYS) <= width else FEW_KEYS)[:width]
