"""Lists and empty lists in the texts of refusals."""

from __future__ import annotations

import pytest

from mam_events.errors import Refused
from mam_events.refusals import renderer
from mam_events.refusals.arguments import RulingArgument, Term, list_argument

TEXT = {
    "case/none": '"{wrong}" is none; {near:nobody is.}',
    "case/between": "say {those:each or}, not {others:,}.",
}


@pytest.fixture(autouse=True)
def _texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "text_of", TEXT.__getitem__)


def test_a_text_may_have_its_own_words_for_an_empty_list() -> None:
    assert Refused("case/none", wrong="zod", allowed=[]).sentence == '"zod" is none; nobody is.'
    assert Refused("case/none", wrong="zod", allowed=[Term("clone")]).sentence == '"zod" is none; Known: clone.'


def test_a_text_may_choose_the_separator_of_a_list() -> None:
    those, others = list_argument(map(Term, ("a", "b", "c"))), list_argument([RulingArgument(7), RulingArgument(9)])
    assert Refused("case/between", those=those, others=others).sentence == "say a or b or c, not 7, 9."
