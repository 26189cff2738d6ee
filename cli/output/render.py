"""Printed output: lines, tables and bars; plain and without escape codes unless it goes to a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cli.output import text_wrap
from cli.output.shell_wrap import UNBROKEN, ready_to_copy
from cli.output.text_wrap import isolate_rtl, wrap
from mam_events.sanitize import make_id

if TYPE_CHECKING:
    from mam_events.state import Pools
    from projections.state.activities import Activities, Activity
    from projections.state.pools import PoolRow, PoolStanding

BAR = 20
"""The maximum number of cells of a bar; more points are scaled down."""

MIN_WRAP_WIDTH = 16
"""The minimum width of a column that may fold, unless its content is narrower."""

TALL = 4
"""The maximum mean number of lines per row of a table; its head takes two lines."""

POOL_LETTERS = {"ready": "R", "defense": "D", "other_used": "O", "stun": "S", "damage": "X"}
"""The letter of each pool, in bars and in lines of pools."""

WOUNDS = {"left": "H", "stun": "S", "damage": "X"}
"""The letters of the numbers where no points are spent: hit points left, and wounds."""

_STYLES: dict[str, dict[str, Any]] = {
    "ready": {"fg": "green"},
    "defense": {"fg": "blue"},
    "other_used": {"fg": "yellow"},
    "stun": {"fg": "magenta"},
    "damage": {"fg": "red"},
    "left": {"fg": "green"},
    "struck": {"dim": True, "strikethrough": True},
    "faint": {"dim": True},
    "strong": {"bold": True},
    "bad": {"fg": "red"},
    "good": {"fg": "green"},
}


def is_terminal() -> bool:
    """Return True if stdout is a terminal."""
    return sys.stdout.isatty()


def uses_colour() -> bool:
    """Return True if escape codes may be printed: on a terminal that supports them, unless NO_COLOR is set."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Return the number of columns of the terminal, at least 40."""
    import shutil

    return max(40, shutil.get_terminal_size().columns)


def paint(text: str, style: str) -> str:
    """Return the text in that style, if escape codes may be printed."""
    return click.style(text, **_STYLES[style]) if style and text and uses_colour() else text


def line(text: str, style: str = "", indent: int = 0, upto: int | None = None) -> None:
    """Print one line; on a terminal it is folded at its width, with the rest indented.

    The style applies to the first `upto` characters (None: all).
    """
    for part in wrap_lines(text, wrap_width(), style, indent, upto):
        _echo(part)


def _echo(text: str, *, err: bool = False) -> None:
    """Print one line; on a terminal, names written from right to left are isolated."""
    stream = sys.stderr if err else sys.stdout
    click.echo(isolate_rtl(text) if stream.isatty() else text, err=err, color=None if err else uses_colour())


def wrap_width() -> int:
    """Return the column at which output is folded; 0 (never) if it doesn't go to a terminal."""
    return terminal_width() if is_terminal() else 0


def print_notice(text: str) -> None:
    """Print one line on stderr; on a terminal it is folded at its width."""
    for part in wrap_lines(text, terminal_width() if sys.stderr.isatty() else 0, indent=2):
        _echo(part, err=True)


def print_hint(ways: str, label: str = "next") -> None:
    """Print what to type next after its label, folded on a terminal as `ready_to_copy` does."""
    columns = terminal_width() if sys.stderr.isatty() else 0
    text = f"{label}: {ways}"
    parts = [text]
    if columns and len(text) > columns:
        first, *others = text.split(", or ")
        parts = [row for way in (first, *(f"  or {other}" for other in others)) for row in ready_to_copy(way, columns)]
    for part in parts:
        _echo(part, err=True)


def wrap_lines(text: str, columns: int, style: str = "", indent: int = 0, upto: int | None = None) -> list[str]:
    """Return the lines of a text folded at that many columns (0: not at all), painted as in `line`."""
    parts = [text]
    # Folding would tear the escape codes of a painted bar, so remove them.
    if columns and painted_width(bare := click.unstyle(text)) > columns:
        parts = wrap(bare, columns, indent)
    parts = [part.replace(UNBROKEN, " ") for part in parts]
    # Folding adds and removes blanks, so count the painted characters without them.
    count = sum(not character.isspace() for character in text[:upto])
    painted = []
    for part in parts:
        end = 0
        while end < len(part) and count:
            count -= not part[end].isspace()
            end += 1
        painted.append(paint(part[:end], style) + part[end:])
    return painted


def json_line(value: Any, **first: Any) -> None:
    """Print one JSON object on one line: the keys of `first`, then those of the value."""
    value = first | msgspec.to_builtins(value) if first else value
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        # A file name may contain surrogates, which msgspec rejects.
        import json

        text = json.dumps(msgspec.to_builtins(value))
    click.echo(text)


def print_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    right: Collection[int] = (),
    fold: Collection[int] = (),
    heading: Collection[int] = (),
) -> None:
    """Print a table; `right` are the columns of numbers, `fold` those that a narrow terminal may fold.

    Where a terminal is too narrow for that, or cells fold into too many lines, row by row with every cell below the
    first, or below the cells of its `heading`; nothing is ever cut. In a pipe it is plain columns, which never fold.
    """
    cells = [list(row) for row in rows]
    if is_terminal():
        if not fits_terminal(headers, cells, fold) or not _rich_table(headers, cells, right, fold):
            if heading:
                _under_headings(cells, heading)
            else:
                _stacked(headers, cells)
        return
    widths = [max(painted_width(row[i]) for row in [list(headers), *cells]) for i in range(len(headers))]
    for row in [list(headers), *cells]:
        columns = enumerate(zip(row, widths, strict=True))
        click.echo("  ".join(pad(cell, w, right=i in right) for i, (cell, w) in columns).rstrip())


def fits_terminal(headers: Sequence[str], rows: Sequence[Sequence[str]], fold: Collection[int]) -> bool:
    """Return True if a table of these rows is no wider than the terminal."""
    return _least_width(headers, rows, fold) <= terminal_width()


def _least_width(headers: Sequence[str], rows: Sequence[Sequence[str]], fold: Collection[int]) -> int:
    """Return the minimum number of columns of a table, with two blanks between them."""
    widths = [max(painted_width(row[i]) for row in [headers, *rows]) for i in range(len(headers))]
    return sum(min(w, MIN_WRAP_WIDTH) if i in fold else w for i, w in enumerate(widths)) + 2 * (len(widths) - 1)


def painted_width(text: str) -> int:
    """Return the columns of a painted text on a terminal: two for a wide character, none for a combining one."""
    return text_wrap.text_width(click.unstyle(text))


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Return the text padded to that many columns, on its left for the `right` side."""
    blanks = " " * (columns - painted_width(text))
    return blanks + text if right else text + blanks


def _stacked(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print each row as a heading, its first cell, with the other cells and their headers below it."""
    for first, *others in rows:
        _echo(paint(first, "strong"))
        lines = [_labelled(header, cell) for header, cell in zip(headers[1:], others, strict=True) if cell]
        line(f"  {f'{UNBROKEN}· '.join(lines)}", indent=4)


def _under_headings(rows: Iterable[Sequence[str]], heading: Collection[int]) -> None:
    """Print each row as a heading, with its other cells below it, one per line and without headers."""
    for row in rows:
        _echo("  ".join(paint(row[i], "strong") for i in heading))
        for cell in (cell for i, cell in enumerate(row) if cell and i not in heading):
            line(f"    {cell}", indent=6)


def _labelled(header: str, cell: str) -> str:
    """Return a cell after its header, which stays on a line with the cell's first word."""
    return f"{header}: {cell}".replace(" ", UNBROKEN, header.count(" ") + 1) if header else cell


def _rich_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int], fold: Collection[int]
) -> bool:
    """Print a table with folded cells and return True; print nothing if its rows would be taller than `TALL`."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(
        width=terminal_width(), color_system="standard" if uses_colour() else None, highlight=False, emoji=False
    )
    grid = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for i, header in enumerate(headers):
        grid.add_column(
            header,
            justify="right" if i in right else "left",
            no_wrap=i not in fold,
            overflow="fold",
            min_width=min(MIN_WRAP_WIDTH, max(painted_width(row[i]) for row in [headers, *rows]))
            if i in fold
            else None,
        )
    for row in rows:
        grid.add_row(*(Text.from_ansi(isolate_rtl(cell)) for cell in row))
    lines = console.render_lines(grid, pad=False)
    if len(lines) - 2 > TALL * len(rows):
        return False
    console.print(grid)
    return True


def pool_amounts(pools: Pools, *, with_points: bool) -> dict[str, int]:
    """Return the numbers of a combatant by name.

    They are the five pools, or hit points left, stun and damage where actions cost no points.
    """
    if with_points:
        return {name: getattr(pools, name) for name in POOL_LETTERS}
    return {"left": pools.available, "stun": pools.stun, "damage": pools.damage}


def pool_letters(*, with_points: bool) -> dict[str, str]:
    """Return the letter of each of these numbers."""
    return POOL_LETTERS if with_points else WOUNDS


def bar(pools: Pools, *, with_points: bool) -> str:
    """Return the numbers as a bar, a letter for each point: `DDOOOO`; scaled down beyond `BAR` points."""
    cells = pool_amounts(pools, with_points=with_points)
    total = sum(cells.values())
    if total > BAR:
        cells = _scaled(cells, total)
    return "".join(paint(letter * cells[name], name) for name, letter in pool_letters(with_points=with_points).items())


def _scaled(amounts: dict[str, int], total: int) -> dict[str, int]:
    """Return cells by largest remainder, at least one for each pool that isn't empty."""
    exact = {name: amount * BAR / total for name, amount in amounts.items()}
    cells = {name: max(int(share), 1 if amounts[name] else 0) for name, share in exact.items()}
    for name in sorted(exact, key=lambda name: exact[name] - cells[name], reverse=True):
        if sum(cells.values()) < BAR and amounts[name]:
            cells[name] += 1
    while sum(cells.values()) > BAR:
        largest = max(cells, key=lambda name: cells[name])
        cells[largest] -= 1
    return cells


def pool_numbers_text(pools: Pools, *, with_points: bool) -> str:
    """Return the numbers as letters and digits: `R0 D2 O4 S0 X0`, or `H6 S0 X0`."""
    has = pool_amounts(pools, with_points=with_points)
    return " ".join(
        paint(f"{letter}{has[name]}", name) for name, letter in pool_letters(with_points=with_points).items()
    )


def display_name(name: str, visibility: str) -> str:
    """Return the name of a combatant, marked if they are hidden from others."""
    from mam_events.visibility import PUBLIC

    return name if visibility == PUBLIC else f"{name} (hidden)"


def with_id(id_: str, name: str) -> str:
    """Return the name of a combatant, and their id if it isn't derived from the name."""
    return name if make_id(name) == make_id(id_) else f"{name} ({id_})"


def print_pools(rows: Sequence[PoolRow | PoolStanding], doing: Activities, *, with_points: bool) -> None:
    """Print one line for each combatant: name, pools, bar, condition unless able, and activities."""
    names = [display_name(with_id(row.combatant, row.name), row.visibility) for row in rows]
    wide = max(map(painted_width, names), default=0)
    for name, row in zip(names, rows, strict=True):
        text = f"{pool_numbers_text(row.pools, with_points=with_points)}  {bar(row.pools, with_points=with_points)}"
        condition = condition_words(row.condition, doing.get(row.combatant, ()), able="")
        for part in align_columns([f"  {pad(name, wide)}  {text}", condition], wrap_width(), indent=6):
            _echo(part)


def align_columns(texts: Sequence[str], columns: int, *, between: str = "  ", indent: int = 4) -> list[str]:
    """Return the texts that are not empty side by side; those that don't fit into `columns` (0: any) come below."""
    rows: list[str] = []
    for text in filter(None, texts):
        text_line = f"{rows[-1]}{between}{text}" if rows else text
        if not rows or not columns or painted_width(text_line) <= columns:
            rows[-1:] = [text_line]
        else:
            rows += wrap_lines(f"{' ' * indent}{text}", columns, indent=indent)
    return rows


def condition_words(condition: str, doing: tuple[Activity, ...], able: str = "able") -> str:
    """Return a combatant's condition and activities: `able, on the ground`; `able` is the word for no condition."""
    from projections.state.activities import doing_words

    text = able if condition == "able" else paint(condition, "bad")
    return ", ".join(filter(None, (text, doing_words(doing))))


def pools_in_a_row(rows: Sequence[PoolRow], *, with_points: bool) -> None:
    """Print all pools in one line, below the line of a ruling: `Modre R0 D2 O4 S0 X0   Clone R6 D0 O0 S0 X0`."""
    if rows:
        texts = [f"{row.name} {pool_numbers_text(row.pools, with_points=with_points)}" for row in rows]
        for part in align_columns([f"{' ' * 13}{texts[0]}", *texts[1:]], wrap_width(), between="   ", indent=13):
            _echo(part)


def pools_json(row: PoolRow, doing: Activities) -> dict[str, Any]:
    """Return the pools of one combatant as in JSON output: its fixed keys first."""
    from projections.state.pools import pool_standing

    fields: dict[str, Any] = msgspec.to_builtins(pool_standing(row, doing))
    return fields
