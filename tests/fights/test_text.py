from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.commands import Act, Join
from mam_events.errors import BadInput
from mam_events.text import clean_fields, clean_text, is_clean, printable


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("plain Ω — text", "plain Ω — text"),
        ("a\x1b[31mred", "a[31mred"),
        ("a\x00b\x7fc\x9bd", "abcd"),
        ("\u202eevil\u202c \u2066x\u2069 \u200e\u200f", "evil x "),
        ("one\ntwo\r\nthree\tfour\u2028five\u2029six\x85seven", "one two three four five six seven"),
        ("Zoe\u0308", "Zo\u00eb"),
        (
            "a zero\u200dwidth joiner and an emoji 👩\u200d🚀 stay",
            "a zero\u200dwidth joiner and an emoji 👩\u200d🚀 stay",
        ),
    ],
)
def test_controls_and_marks_of_direction_go_and_everything_else_stays(typed: str, kept: str) -> None:
    assert clean_text(typed) == kept


@pytest.mark.parametrize("typed", ["na\udcefve", "half \ud83d of a character", "\udcff"])
def test_bytes_that_are_no_text_are_refused_and_never_dropped(typed: str) -> None:
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        clean_text(typed)
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        clean_fields(Join, {"weapon": [{"id": "x", "name": typed}]})
    assert not is_clean(typed)
    assert printable(typed).count("?") == 1


@given(st.text(max_size=100))
def test_cleaned_text_can_be_ordered_stored_and_is_clean(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    act = msgspec.convert({"do": "act", "combatant": "a", "what": cleaned}, Act)
    assert msgspec.json.decode(msgspec.json.encode(act), type=Act) == act


def test_free_text_is_cleaned_wherever_it_stands_and_names_never() -> None:
    fields = {
        "combatant": "a\x00",
        "name": "A\x00",
        "weapon": [{"id": "x\x00", "name": "X\x00", "power": 1}],
        "body": {"reach": 1},
        "hp": 3,
        "visibility": "gm\x00",
        "unknown": "\x00",
    }
    assert clean_fields(Join, fields) == fields | {"name": "A", "weapon": [{"id": "x\x00", "name": "X", "power": 1}]}


def test_what_does_not_fit_is_left_to_the_reader() -> None:
    fields = {"name": 3, "weapon": "axe", "body": [1]}
    assert clean_fields(Join, fields) == fields
