"""A fight as one page that opens from disk: its last moment stands there without any script."""

from __future__ import annotations

import base64
import re
import zlib
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

import msgspec

from mam_events.visibility import GAME_MASTER
from projections.wording import counted
from web.inlining import policy, script_of, styles_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.book import Book
    from projections.leaves import Leaf

STYLES = (
    "sheet",
    "head",
    "plate",
    "exchange",
    "points",
    "log",
    "foot",
    "gloss",
    "rounds",
    "compare",
    "drawn",
    "widths",
)
"""The style sheets of the page; what differs by width comes last."""
LINES = 200
"""Of a longer log so many lines, the last, stand on the page that runs no script."""


def page(book: Book) -> str:
    """The page of that book."""
    script = script_of("replay", "page")
    style = styles_of("tokens.css", *(f"replay/{name}.css" for name in STYLES))
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(book), 9)).decode()
    facts = [book.rules, counted(len(book.leaves), "ruling"), counted(max(map(_round, book.leaves)), "round")]
    if book.view != GAME_MASTER:
        facts.append(f"as {book.view.replace(':', ' ')}")
    last = next((leaf for leaf in reversed(book.leaves) if not leaf.frame.hidden), book.leaves[-1])
    shared = files("web").joinpath("replay")
    return Template(shared.joinpath("replay.html").read_text("utf-8")).substitute(
        policy=policy(script, style),
        title=escape(_typeset(book.title or book.encounter)),
        facts=escape(" · ".join(filter(None, facts))),
        style=style,
        signs=shared.joinpath("signs.svg").read_text("utf-8"),
        last=_said(last),
        fighters="".join(_fighters(book, last)),
        lines="".join((_MORE if book.leaves[LINES:] else "", *map(_line, book.leaves[-LINES:]))),
        seal=book.seal,
        book=packed,
        script=script,
    )


_MORE = '<p class="more lab">…</p>'


def _typeset(text: str) -> str:
    """With curly apostrophes, as the page sets all words."""
    return re.sub(r"(?<=\w)'", "’", text)


def _round(leaf: Leaf) -> int:
    return leaf.frame.round


def _said(leaf: Leaf) -> str:
    head = f'<p class="plate-head lab">№ {leaf.frame.number}</p>'
    summary = "".join(f"<li>{escape(_typeset(words))}</li>" for words in leaf.summary)
    summed = f'<ul class="summary">{summary}</ul>' if summary else ""
    return f'{head}<h2 class="said short">{escape(_typeset(leaf.lead))}</h2>{summed}'


def _fighters(book: Book, leaf: Leaf) -> Iterator[str]:
    """Everybody as they stand at last: who acts, what they do, the points of each pool that has any."""
    places = {place.combatant: place for place in leaf.order}
    for who, pools in leaf.frame.after.items():
        person, place = book.people[who], places.get(who)
        doing = [one.words for one in leaf.frame.doing.get(who, ())]
        held = [f"{count} {pool.replace('_', ' ')}" for pool, count in msgspec.to_builtins(pools).items() if count]
        facts = [person.side, place.reason or place.status if place else "", *held, *doing]
        told = escape(_typeset(" · ".join(filter(None, facts))))
        yield f'<section class="fighter"><h3>{escape(_typeset(person.name))}</h3><p class="lab">{told}</p></section>'


def _line(leaf: Leaf) -> str:
    frame = leaf.frame
    told = escape(_typeset("  ".join(filter(None, (leaf.line, *frame.marks)))))
    before = "".join(f'<p class="quiet">{escape(_typeset(words))}</p>' for words in frame.bookkeeping)
    line = f'<p class="line"><span class="no">{frame.number}</span><span></span><span class="t">{told}</span></p>'
    return f"{before}{line}"
