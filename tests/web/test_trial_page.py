"""The page of a corpus: self-contained, well formed, and equal to its summary."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from projections.corpus.runner import Task, rerun_task
from projections.corpus.summary import Rerun, RunOutcome, Summary, summary
from web.pages.corpus import render_corpus_page

ARCHERS = Path(__file__).parents[2] / "examples" / "archers-in-the-dark.toml"
VOID = {"meta", "br"}
RULES = {"half_success": "never"}


class Reader(HTMLParser):
    """A parsed page: open elements, all elements with their attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def corpus_summary() -> Summary:
    return summary(rerun_task(Task(str(ARCHERS)), [RULES]), RULES)


@pytest.mark.parametrize("option", ["", "half_success"])
def test_a_page_is_self_contained_and_describes_its_charts(corpus_summary: Summary, option: str) -> None:
    reader = Reader(render_corpus_page([corpus_summary], option))
    assert not {tag for tag, _ in reader.seen} & {"script", "link", "img", "iframe", "object"}
    assert not [attrs for _, attrs in reader.seen if {"src", "href"} & attrs.keys()]
    assert not re.search(r"url\(|@import", render_corpus_page([corpus_summary], option))
    pictures = [attrs for tag, attrs in reader.seen if tag == "svg" and attrs.get("role") == "img"]
    assert (
        len(pictures)
        == sum(tag == "title" for tag, _ in reader.seen) - 1
        == sum(tag == "desc" for tag, _ in reader.seen)
    )
    words = " ".join(reader.words)
    assert corpus_summary.corpus in words
    assert set(corpus_summary.rulesets) <= set(reader.words)
    assert "what if 100.0 % (20.7 % to 100.0 %), 1 of 1" in words
    assert "89.2 % of it on record" in words


def test_bars_are_placed_at_their_share(corpus_summary: Summary) -> None:
    places = [
        attrs["x"] for tag, attrs in Reader(render_corpus_page([corpus_summary])).seen if tag == "svg" and "x" in attrs
    ]
    shares = [
        corpus_summary.flips,
        corpus_summary.rounds_differ,
        corpus_summary.falls_differ,
        corpus_summary.touched,
        *corpus_summary.hits,
        *corpus_summary.halves,
    ]
    assert places == [f"{100 * figure.share.share:.2f}%" for figure in shares]


def test_names_are_escaped_in_the_page() -> None:
    one_outcome, other_outcome = (
        RunOutcome("<b>reds</b>", 1, (("<i>", 1),), 1, 1, 0),
        RunOutcome("$title", 1, (), 1, 0, 0),
    )
    bad = "<script>alert(1)</script>&\"'"
    reruns = [
        Rerun(bad, "s", 10, 9, 1, 0, first=1, played=one_outcome, supposed=other_outcome),
        Rerun(bad, "s", refused=bad),
    ]
    reader = Reader(render_corpus_page([summary(reruns, {bad: bad})]))
    assert not {tag for tag, _ in reader.seen} & {"script", "b", "i"}
    assert bad in reader.words
    assert "<b>reds</b> alone stands after 1 round; down: <i> in round 1" in reader.words


def test_a_page_without_fights_is_rendered() -> None:
    assert "No fight changes" in Reader(render_corpus_page([summary([], RULES)])).words
    assert Reader(render_corpus_page([summary([], RULES)], "half_success")).words
