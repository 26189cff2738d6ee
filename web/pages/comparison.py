"""Two fights side by side as one page that opens from disk; their final states show without any script."""

from __future__ import annotations

import base64
import zlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

import msgspec

from web.pages.bundle import content_security_policy, script_of, styles_of
from web.pages.markup import escape_markup
from web.pages.replay import STYLES

if TYPE_CHECKING:
    from projections.pages.comparison_page import Column, ComparisonPage, ComparisonRow
    from projections.pages.replay_entries import ReplayEntry

_PLACES = (("first", "A", ""), ("second", "B", " b"))


def render_comparison_page(page: ComparisonPage) -> str:
    """Return the HTML page of a comparison."""
    script = script_of("replay", "compare_page")
    style = styles_of("tokens.css", *(f"replay/{name}.css" for name in STYLES))
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(page), 9)).decode()
    shared = files("web").joinpath("replay")
    return Template(shared.joinpath("compare.html").read_text("utf-8")).substitute(
        policy=content_security_policy(script, style),
        title=escape(page.title or page.columns[0].name),
        heading=escape_markup(page.title or page.columns[0].name),
        facts=escape_markup(page.sentences[0]),
        style=style,
        signs=shared.joinpath("signs.svg").read_text("utf-8"),
        sides="".join(_side(page, at) for at in (0, 1)),
        rows="".join(_row(row, parts=at == page.parting) for at, row in enumerate(page.rows)),
        pair=packed,
        script=script,
    )


def _side(page: ComparisonPage, at: int) -> str:
    """Return the final state of one of the two fights as HTML."""
    column, (name, letter, more) = page.columns[at], _PLACES[at]
    rows = [row.first if row.alike and row.first else getattr(row, name) for row in page.rows]
    entries: list[ReplayEntry] = [entry for entry in rows if entry and not entry.frame.hidden]
    last = entries[-1] if entries else None
    name = escape_markup(column.name)
    caption = escape_markup(column.caption)
    head = f'<h2><span class="tag{more}">{letter}</span> {name}</h2><p class="label">{caption}</p>'
    html = f'<p class="duelline">№ {last.frame.number} {escape_markup(last.lead)}</p>' if last else ""
    points = "".join(_points(column, who, last) for who in last.frame.after) if last else ""
    now = f'<div class="now">{html}</div><div>{points}</div>'
    return f'<section class="side{more}" aria-label="{letter}: {escape(column.name)}">{head}{now}</section>'


def _points(column: Column, who: str, last: ReplayEntry) -> str:
    pools = msgspec.to_builtins(last.frame.after[who])
    text = ", ".join(f"{count} {pool.replace('_', ' ')}" for pool, count in pools.items() if count)
    person = column.people.get(who)
    return f'<p class="label">{escape_markup(person.name if person else who)}: {escape_markup(text or "no points")}</p>'


def _row(row: ComparisonRow, *, parts: bool) -> str:
    parting = '<p class="part"><span>here they differ</span></p>' if parts else ""
    cells = "".join(
        f'<span class="cell"><span class="tag{more}">{letter}</span><span>{_line(entry)}</span></span>'
        for name, letter, more in _PLACES
        if (entry := getattr(row, name))
    )
    if row.alike and row.first:
        cells = f'<span class="both-fights">{_line(row.first)}</span>'
    return f'{parting}<div class="row{" same" if row.alike else ""}">{cells}</div>'


def _line(entry: ReplayEntry) -> str:
    return escape_markup("  ".join((f"№ {entry.frame.number}", *filter(None, (entry.line, *entry.frame.marks)))))
