"""A corpus under other rules as one page without scripts, which contains everything that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from math import ceil
from string import Template
from typing import Literal

from msgspec import Struct

from projections.corpus.summary import Figure, Rerun, RunOutcome, Share, Summary, kept_share_words
from projections.phrases import count_words, join_words, winner_sentence
from web.pages.bundle import styles_of
from web.pages.markup import escape_markup

CorpusVariant = Literal["a", "b"]
"""`a` is as played, with hollow round marks; `b` is under the other rules, with full pointed ones."""
_WORDS: dict[CorpusVariant, str] = {"a": "as played", "b": "what if"}
_MIDDLE = {1: (20,), 2: (12, 28)}
"""The heights of the marks in a row with that many marks, in pixels."""
FIGHTS = {
    "flips": "the result differs",
    "rounds_differ": "the rounds differ",
    "falls_differ": "the falls differ",
    "touched": "any ruling differs",
}

_RECORDED = (
    "judged again, nothing written. Orders and dice are as played. Under other rules people would have acted "
    "differently, so each figure also shows how much of its data is still as played."
)
_SIMULATED = (
    "fought under both rules with the same dice, each to its own end. Each figure also shows how much of its data is "
    "alike in both."
)


class PlotRow(Struct, frozen=True):
    """A row of a plot: its label, a share for each variant, and a note on how much stayed the same."""

    label: str
    shares: dict[CorpusVariant, Share]
    note: str = ""


def render_corpus_page(summaries: Sequence[Summary], option: str = "") -> str:
    """Return the HTML page of one summary, or of one summary for each reading of `option`."""
    first = summaries[0]
    fixed = {name: reading for name, reading in first.house_rules.items() if name != option}
    what = join_words([*([f"every reading of {option}"] if option else []), *(f"{k} = {v}" for k, v in fixed.items())])
    fights = f"{count_words(first.fights, 'fight')}, {count_words(first.rulings, 'ruling')}"
    facts = [("Corpus", first.corpus), ("As played", first.rulesets[0])]
    facts += [(one.house_rules[option] if option else "Supposed", one.rulesets[1]) for one in summaries]
    plates = _sweep(summaries, option) if option else _one(first)
    return Template(files("web").joinpath("corpus.html").read_text("utf-8")).substitute(
        tokens=styles_of("tokens.css"),
        title=escape(f"On trial: {what}"),
        lead=escape_markup(
            f"{fights} {_SIMULATED if first.simulated else _RECORDED} Intervals are of 95 % (Wilson)."
            + (f" The program played these fights: {first.simulated}." if first.simulated else "")
        ),
        facts="".join(
            f"<dt>{escape_markup(name)}</dt><dd>{escape_markup(value)}</dd>" for name, value in facts if value
        ),
        plates="".join(plates),
        foot=_foot(summaries),
    )


def _one(summary: Summary) -> Iterable[str]:
    counts = [(words, getattr(summary, name)) for name, words in FIGHTS.items()]
    if summary.winners:
        yield _won(summary)
    yield _shares("Fights that come out differently", [_counted(words, figure, summary) for words, figure in counts])
    yield _shares(
        "How often attacks hit", [_rated("in full", summary.hits, summary), _rated("by half", summary.halves, summary)]
    )
    yield _rounds([("rounds, on average", summary)])
    yield _most(summary)


def _sweep(summaries: Sequence[Summary], option: str) -> Iterable[str]:
    rows = [(one.house_rules[option], one) for one in summaries if one.flips.share.of]
    for name, words in FIGHTS.items():
        yield _shares(f"Fights: {words}", [_counted(reading, getattr(one, name), one) for reading, one in rows])
    yield _shares("Attacks that hit in full", [_rated(reading, one.hits, one) for reading, one in rows])
    yield _shares("Attacks that hit by half", [_rated(reading, one.halves, one) for reading, one in rows])
    yield _rounds(rows)
    for reading, one in rows:
        if one.winners:
            yield _won(one, f", {option} = {reading}")
        if one.most:
            yield _most(one, f", {option} = {reading}")


def _won(summary: Summary, under: str = "") -> str:
    """Return a chart of the winners under both rule sets."""
    rows = [PlotRow(winner_sentence(side), {"a": was, "b": now}) for side, (was, now) in summary.winners.items()]
    return _shares(f"Who is left{under}", rows)


def _counted(label: str, figure: Figure, summary: Summary) -> PlotRow:
    return PlotRow(label, {"b": figure.share}, _note(figure.recorded, summary) if figure.recorded.of else "")


def _rated(label: str, figures: tuple[Figure, Figure], summary: Summary) -> PlotRow:
    return PlotRow(label, {"a": figures[0].share, "b": figures[1].share}, _note(figures[1].recorded, summary))


def _note(share: Share, summary: Summary) -> str:
    return f'<br><span class="note">{percent(share.share)} of it {kept_share_words(summary)}</span>'


def _plate(title: str, *parts: str) -> str:
    return f"<section><h2>{escape_markup(title)}</h2>{''.join(parts)}</section>"


def _key(branches: Iterable[CorpusVariant], mark: str) -> str:
    signs = {"a": '<circle cx="10" cy="8" r="6" class="a"/>', "b": '<path d="M10 1l7 7-7 7-7-7z" class="b"/>'}
    if mark == "bar":
        signs = {"a": _bar("a", "100%", 1, 14), "b": _bar("b", "100%", 1, 14)}
    items = (f'<li><svg aria-hidden="true">{signs[one]}</svg>{_WORDS[one]}</li>' for one in branches)
    return f'<ul class="key">{"".join(items)}</ul>'


def _shares(title: str, rows: Sequence[PlotRow]) -> str:
    """Return a chart of shares with their confidence intervals, on a scale from 0 to 100 %."""
    branches = [branch for branch in _WORDS if any(branch in row.shares for row in rows)]
    axis = '<div class="axis" aria-hidden="true"><span>0 %</span><span>50 %</span><span>100 %</span></div>'
    return _plate(title, _key(branches, "share"), axis, *map(_row, rows))


def _row(row: PlotRow) -> str:
    parts = [f"{_WORDS[branch]} {share_text(share)}" for branch, share in row.shares.items()]
    heights = _MIDDLE[len(row.shares)]
    marks = "".join(_mark(branch, share, y) for (branch, share), y in zip(row.shares.items(), heights, strict=True))
    return _line(row.label, f"{''.join(_grid())}{marks}", parts, row.note)


def _line(label: str, svg: str, lines: Sequence[str], more: str = "") -> str:
    words = f"<title>{escape(label)}</title><desc>{escape('; '.join(lines))}</desc>"
    picture = f'<svg class="track" role="img">{words}{svg}</svg>'
    figures = "<br>".join(map(escape_markup, lines))
    figures_html = f'<div class="figure small">{figures}{more}</div>'
    return f'<div class="row"><div>{escape_markup(label)}</div>{picture}{figures_html}</div>'


def _grid() -> Iterable[str]:
    for at in (0, 25, 50, 75, 100):
        yield f'<line x1="{at}%" x2="{at}%" y1="0" y2="40" class="{"grid" if at else "base"}"/>'


def _mark(branch: CorpusVariant, share: Share, y: int) -> str:
    """Return the SVG mark of a share on the line of its confidence interval."""
    low, at, high = (f"{100 * value:.2f}%" for value in (share.low, share.share, share.high))
    ends = "".join(f'<line x1="{x}" x2="{x}" y1="{y - 4}" y2="{y + 4}" class="{branch}"/>' for x in (low, high))
    sign = '<circle r="6" class="a"/>' if branch == "a" else '<path d="M0 -7l7 7-7 7-7-7z" class="b"/>'
    line = f'<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" class="{branch}"/>'
    return f'{line}{ends}<svg x="{at}" y="{y}">{sign}</svg>'


def _rounds(rows: Sequence[tuple[str, Summary]]) -> str:
    """Return a chart of the mean number of rounds under both rule sets."""
    most = max(1, ceil(max((mean for _, one in rows for mean in one.rounds), default=1)))
    axis = f'<div class="axis" aria-hidden="true"><span>0</span><span>{most}</span></div>'
    marks = []
    for label, one in rows:
        bars = "".join(
            _bar(branch, f"{100 * mean / most:.2f}%", y, 14)
            for branch, mean, y in zip(_WORDS, one.rounds, (4, 22), strict=True)
        )
        parts = [f"{_WORDS[branch]} {mean:.1f}" for branch, mean in zip(_WORDS, one.rounds, strict=True)]
        marks.append(_line(label, f"{''.join(_grid())}{bars}", parts, _note(one.recorded, one)))
    return _plate("Rounds", _key(_WORDS, "bar"), axis, *marks)


def _bar(branch: CorpusVariant, width: str, y: int, height: int) -> str:
    outer = f'<rect x="0" y="{y}" width="{width}" height="{height}" class="bar-{branch}"/>'
    inner = f'<rect x="0" y="{y + 5}" width="{width}" height="{height - 10}" class="bar-b-in"/>'
    return outer + (inner if branch == "b" else "")


def _most(summary: Summary, under: str = "") -> str:
    if not summary.most:
        return _plate("No fight changes", "<p>Every ruling comes out as it did.</p>")
    heads = ("fight", "differs from", "changed", "void", kept_share_words(summary), "as played", "what if")
    rows_html = "".join(f"<tr>{''.join(_cells(one, heads))}</tr>" for one in summary.most)
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return _plate(
        f"Fights that change most{under}", f"<table><thead><tr>{head}</tr></thead><tbody>{rows_html}</tbody></table>"
    )


def _cells(one: Rerun, heads: Sequence[str]) -> Iterable[str]:
    text = f"{one.recorded} of {one.rulings}"
    values = (one.fight, f"№ {one.first}", one.changed, one.void, text, _ended(one.played), _ended(one.supposed))
    for head, value in zip(heads, values, strict=True):
        kind = "" if head in ("fight", "as played", "what if") else ' class="n"'
        yield f'<td data-of="{head}"{kind}>{escape_markup(str(value))}</td>'


def _ended(way: RunOutcome | None) -> str:
    """Return the end of a fight in words, or "" if it has none."""
    if way is None:
        return ""
    falls = join_words([f"{who} in round {when}" for who, when in way.falls])
    return f"{winner_sentence(way.winner)} after {count_words(way.rounds, 'round')}" + (
        f"; down: {falls}" if falls else ""
    )


def _foot(summaries: Sequence[Summary]) -> str:
    lines = []
    hypothetical, moved_on = (sum(getattr(one, name) for one in summaries) for name in ("hypothetical", "moved_on"))
    if hypothetical:
        lines.append(f"{hypothetical} of its dice were never thrown: they come from a public seed.")
    if moved_on:
        lines.append(f"{count_words(moved_on, 'ruling')} differ only because the rules of this program are newer.")
    least = max(summaries, key=lambda one: one.not_judged)
    lines += [f"{one.fight}: not judged. {one.refused}" for one in least.refused]
    if least.not_judged > len(least.refused):
        lines.append(f"{least.not_judged - len(least.refused)} more could not be judged.")
    return "".join(f"<p>{escape_markup(line)}</p>" for line in lines or ["All of them could be judged."])


def share_text(share: Share) -> str:
    """Return a share with its interval and counts, as printed next to its mark."""
    return f"{percent(share.share)} ({percent(share.low)} to {percent(share.high)}), {share.count} of {share.of}"


def percent(share: float) -> str:
    """Return a share as a percentage: `12.5 %`."""
    return f"{share:.1%}".replace("%", " %")
