"""Two fights side by side as one page that opens from disk: where both stand at last is there without any script."""

from __future__ import annotations

import base64
import zlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

import msgspec

from web.pages.bundle import policy, script_of, styles_of
from web.pages.markup import escaped
from web.pages.replay import STYLES

if TYPE_CHECKING:
    from projections.pages.comparison_page import Column, Facing, Row
    from projections.pages.replay_entries import Leaf

_PLACES = (("first", "A", ""), ("second", "B", " b"))


def page(found: Facing) -> str:
    """The page of those two."""
    script = script_of("replay", "comparing")
    style = styles_of("tokens.css", *(f"replay/{name}.css" for name in STYLES))
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(found), 9)).decode()
    shared = files("web").joinpath("replay")
    return Template(shared.joinpath("compare.html").read_text("utf-8")).substitute(
        policy=policy(script, style),
        title=escape(found.title or found.columns[0].name),
        heading=escaped(found.title or found.columns[0].name),
        facts=escaped(found.told[0]),
        style=style,
        signs=shared.joinpath("signs.svg").read_text("utf-8"),
        sides="".join(_side(found, at) for at in (0, 1)),
        rows="".join(_row(row, parts=at == found.parting) for at, row in enumerate(found.rows)),
        pair=packed,
        script=script,
    )


def _side(found: Facing, at: int) -> str:
    """One of the two as it stands at last."""
    column, (name, letter, more) = found.columns[at], _PLACES[at]
    told = [row.first if row.alike and row.first else getattr(row, name) for row in found.rows]
    shown: list[Leaf] = [leaf for leaf in told if leaf and not leaf.frame.hidden]
    last = shown[-1] if shown else None
    name = escaped(column.name)
    head = f'<h2><span class="tag{more}">{letter}</span> {name}</h2><p class="lab">{escaped(column.said)}</p>'
    said = f'<p class="duelline">№ {last.frame.number} {escaped(last.lead)}</p>' if last else ""
    points = "".join(_points(column, who, last) for who in last.frame.after) if last else ""
    now = f'<div class="now">{said}</div><div>{points}</div>'
    return f'<section class="side{more}" aria-label="{letter}: {escape(column.name)}">{head}{now}</section>'


def _points(column: Column, who: str, last: Leaf) -> str:
    pools = msgspec.to_builtins(last.frame.after[who])
    told = ", ".join(f"{count} {pool.replace('_', ' ')}" for pool, count in pools.items() if count)
    person = column.people.get(who)
    return f'<p class="lab">{escaped(person.name if person else who)}: {escaped(told or "no points")}</p>'


def _row(row: Row, *, parts: bool) -> str:
    parting = '<p class="part"><span>here they part</span></p>' if parts else ""
    cells = "".join(
        f'<span class="cell"><span class="tag{more}">{letter}</span><span>{_line(leaf)}</span></span>'
        for name, letter, more in _PLACES
        if (leaf := getattr(row, name))
    )
    if row.alike and row.first:
        cells = f'<span class="one">{_line(row.first)}</span>'
    return f'{parting}<div class="row{" same" if row.alike else ""}">{cells}</div>'


def _line(leaf: Leaf) -> str:
    return escaped("  ".join((f"№ {leaf.frame.number}", *filter(None, (leaf.line, *leaf.frame.marks)))))
