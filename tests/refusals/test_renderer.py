"""Arguments and additions of a text."""

from __future__ import annotations

import pytest

from mam_events.errors import Refused
from mam_events.refusals.arguments import CombatantArgument, Given, Id, RulingArgument, list_argument, text_fragment
from mam_events.refusals.texts import texts

BO = CombatantArgument("bo-2", "Bo the Bold")
NUMBERS = list_argument([RulingArgument(3), RulingArgument(7), RulingArgument(9)])


@pytest.mark.parametrize(
    ("text", "value", "sentence"),
    [
        ("{it}", BO, "Bo the Bold"),
        ("after 3 {it}", Id("bo-2"), "after 3 bo-2"),
        ("{it:both} is here", BO, "Bo the Bold (bo-2) is here"),
        ("{it:and}", NUMBERS, "3, 7 and 9"),
        ("{it:,}", NUMBERS, "3, 7, 9"),
        ("{it:,}", list_argument([RulingArgument(3)]), "3"),
        ("{it:and}.", list_argument([BO, text_fragment("unfinished/more", more=2)]), "Bo the Bold and 2 more."),
    ],
)
def test_a_placeholder_formats_its_argument(
    monkeypatch: pytest.MonkeyPatch, text: str, value: Given, sentence: str
) -> None:
    monkeypatch.setitem(texts(), "tried", text)
    assert Refused("tried", it=value).sentence == sentence


def test_words_may_be_added_after_a_sentence_with_its_place() -> None:
    error = Refused("not_countered").at("order 2")
    error.followed_by(" Nothing was written.")
    assert str(error) == "order 2: Nothing has been declared that could be changed. Nothing was written."
