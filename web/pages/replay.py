"""A fight as one page that opens from disk; its result and its final state show without any script."""

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
from projections.phrases import count_words, join_words
from web.pages.bundle import content_security_policy, script_of, styles_of
from web.pages.markup import escape_markup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.pages.replay_entries import ReplayEntry
    from projections.pages.replay_page import ReplayPage
    from projections.reports.result import ResultFall

STYLES = (
    "base",
    "header",
    "card",
    "exchange",
    "points",
    "log",
    "footer",
    "explanation",
    "rounds",
    "compare",
    "graphics",
    "responsive",
)
"""The style sheets of the page; what differs by width comes last."""
LINES = 200
"""The maximum number of log lines shown without scripts; a longer log shows its last ones."""


def render_replay_page(page: ReplayPage, *, live: bool = False) -> str:
    """Return the HTML page of a replay; a `live` page, which is served, also shows later rulings."""
    script = script_of("replay", "replay_page")
    style = styles_of("tokens.css", *(f"replay/{name}.css" for name in STYLES))
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(page), 9)).decode()
    facts = [page.rules, count_words(len(page.entries), "ruling"), count_words(max(map(_round, page.entries)), "round")]
    if page.view != GAME_MASTER:
        facts.append(f"as {page.view.replace(':', ' ')}")
    last = next((entry for entry in reversed(page.entries) if not entry.frame.hidden), page.entries[-1])
    shared = files("web").joinpath("replay")
    return Template(shared.joinpath("replay.html").read_text("utf-8")).substitute(
        policy=content_security_policy(script, style, live=live),
        live=" data-live" if live else "",
        title=escape(_typeset(page.title or page.encounter)),
        heading=escape_markup(_typeset(page.title or page.encounter)),
        facts=escape_markup(" · ".join(filter(None, facts))),
        style=style,
        signs=shared.joinpath("signs.svg").read_text("utf-8"),
        last=_result(page) + _card_html(last),
        fighters="".join(_fighters(page, last)),
        lines="".join((_MORE if page.entries[LINES:] else "", *map(_line, page.entries[-LINES:]))),
        seal=page.seal,
        book=packed,
        script=script,
    )


_MORE = '<p class="more label">…</p>'


def _typeset(text: str) -> str:
    """Return the text with curly apostrophes."""
    return re.sub(r"(?<=\w)'", "’", text)


def _round(entry: ReplayEntry) -> int:
    return entry.frame.round


def _result(page: ReplayPage) -> str:
    """Return the result as text, or "" for a fight that has not begun."""
    result = page.result
    if result is None:
        return ""
    stand = [f"{side}: {join_words([page.people[who].name for who in able])}" for side, able in result.standing.items()]
    fates = [_fell(page.people[one.combatant].name, one) for one in result.fallen]
    fates += [f"{page.people[one.combatant].name} left{_when(one)}" for one in result.left]
    before = f"It goes on from {result.before}." if result.before else ""
    lines = filter(None, [result.reason, before])
    items = "".join(f"<li>{escape_markup(_typeset(words))}</li>" for words in (*lines, *stand, *fates))
    return f'<h2 class="headline short">{escape_markup(_typeset(result.lead))}</h2><ul>{items}</ul>'


def _fell(name: str, fall: ResultFall) -> str:
    return f"{name} was down already" if fall.already else f"{name} fell{_when(fall)}"


def _when(fall: ResultFall) -> str:
    return f" in round {fall.round}" if fall.round else " before the first round"


def _card_html(entry: ReplayEntry) -> str:
    head = f'<p class="card-head label">№ {entry.frame.number}</p>'
    summary = "".join(f"<li>{escape_markup(_typeset(words))}</li>" for words in entry.summary)
    summed = f'<ul class="summary">{summary}</ul>' if summary else ""
    return f'{head}<h2 class="headline short">{escape_markup(_typeset(entry.lead))}</h2>{summed}'


def _fighters(page: ReplayPage, entry: ReplayEntry) -> Iterator[str]:
    """Return each combatant's final state as HTML: who acts, what they do, the points of each pool that has any."""
    places = {place.combatant: place for place in entry.order}
    for who, person in page.people.items():
        if (pools := entry.frame.after.get(who)) is None:
            continue
        place = places.get(who)
        doing = [one.words for one in entry.frame.doing.get(who, ())]
        texts = [f"{count} {pool.replace('_', ' ')}" for pool, count in msgspec.to_builtins(pools).items() if count]
        facts = [person.side, place.reason or place.status if place else "", *texts, *doing]
        text = escape_markup(_typeset(" · ".join(filter(None, facts))))
        name = escape_markup(_typeset(person.name))
        yield f'<section class="fighter"><h3>{name}</h3><p class="label">{text}</p></section>'


def _line(entry: ReplayEntry) -> str:
    frame = entry.frame
    text = escape_markup(_typeset("  ".join(filter(None, (entry.line, *frame.marks)))))
    before = "".join(f'<p class="quiet">{escape_markup(_typeset(words))}</p>' for words in frame.bookkeeping)
    number = f'<span class="number">{frame.number}</span>'
    return f'{before}<p class="line">{number}<span></span><span class="sentence">{text}</span></p>'
