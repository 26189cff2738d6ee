"""Separators of lists in a text."""

from __future__ import annotations

import pytest

from mam_events.refusals import renderer
from mam_events.refusals.arguments import Message, Term, list_argument
from mam_events.refusals.renderer import render_message

ABC = list_argument(map(Term, "abc"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{those:and}", "a, b and c"),
        ("{those:or}", "a, b or c"),
        ("{those:each and}", "a and b and c"),
        ("{those:each or}", "a or b or c"),
        ("{those:,}", "a, b, c"),
    ],
)
def test_a_list_has_the_separator_of_its_text(text: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "text_of", lambda _key: text)
    assert render_message(Message("code", {"those": ABC})) == words
