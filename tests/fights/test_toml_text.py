from __future__ import annotations

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mam_events.commands import Act, Join, Move
from mam_events.errors import BadInput
from mam_events.sanitize import (
    check_text,
    clean_fields,
    clean_text,
    is_clean,
    make_id,
    name_key,
    printable,
    shows_nothing,
)


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_control_and_direction_characters_are_removed(text: str, expected: str) -> None:
    assert clean_text(text) == expected


@pytest.mark.parametrize("text", ["na\udcefve", "half \ud83d of a character", "\udcff"])
def test_bytes_that_are_not_text_are_refused_not_dropped(text: str) -> None:
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        clean_text(text)
    with pytest.raises(BadInput, match="is not UTF-8 text"):
        clean_fields(Join, {"weapon": [{"id": "x", "name": text}]})
    assert not is_clean(text)
    assert printable(text).count("?") == 1


@given(st.text(max_size=100))
def test_cleaned_text_stays_the_same_and_survives_json(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assume(not shows_nothing(cleaned))
    act = msgspec.convert({"do": "act", "combatant": "a", "what": cleaned}, Act)
    assert msgspec.json.decode(msgspec.json.encode(act), type=Act) == act


def test_too_many_combining_signs_are_refused_before_normalization() -> None:
    """To order them takes the square of their number, and would hold everybody up who waits."""
    assert clean_text("a" + "\u0315\u0300" * 15)[0] == "à"
    with pytest.raises(BadInput, match="more than 30 accents or other marks"):
        clean_text("a" + "\u0315\u0300" * 16)
    with pytest.raises(BadInput, match="more than 30 accents or other marks"):
        clean_text("a" + "\u0f73" * 31)
    assert name_key("é" * 201) == "", "nobody is called so"


def test_a_distance_of_many_digits_is_left_unchanged() -> None:
    assert clean_fields(Move, {"metres": "1" * 30 + "m"}) == {"metres": "1" * 30}
    assert clean_fields(Move, {"metres": "1" * 900_000}) == {"metres": "1" * 900_000}


def test_free_text_is_cleaned_and_ids_are_not() -> None:
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


@pytest.mark.parametrize(
    ("name", "id_text"),
    [
        ("Zoë", "zoe"),
        ("Zoe\u0308", "zoe"),
        ("Łukasz", "lukasz"),
        ("Weiß", "weiss"),
        ("Østen Æ", "osten-ae"),
        ("O'Neil", "o-neil"),
        ("O\u2019Neil", "o-neil"),
        ("Mr. X", "mr-x"),
        ("Rat #2", "rat-2"),
        ("🐉 Smaug", "smaug"),
        ("x" * 70, "x" * 64),
        ("勇者ロト", ""),
        ("Герой 2", ""),
        ("Герой B2", "b2"),
        ("2024", "2024"),
    ],
)
def test_an_id_is_made_of_a_name(name: str, id_text: str) -> None:
    assert make_id(name) == id_text


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Rat #2", "rat-2"),
        ("rat_2", "rat-2"),
        ("Zoë", "zoe"),
        ("Straße", "strasse"),
        ("勇者 ロト", "勇者-ロト"),
        ("Семён", "семен"),
        ("ΟΔΥΣΣΕΥΣ", name_key("Οδυσσεύς")),
        ("रानी", "रानी"),
        ("🐉 Smaug", "smaug"),
        ("🐉", "🐉"),
        ("-", ""),
        ("#!", ""),
        ("\u200b", ""),
    ],
)
def test_names_are_compared_without_accents_and_punctuation(name: str, key: str) -> None:
    assert name_key(name) == key


def test_different_letters_of_other_scripts_stay_different() -> None:
    assert name_key("ガ") != name_key("カ")
    assert name_key("मा") != name_key("मी")


def test_ids_are_made_from_names_and_the_names_are_kept() -> None:
    fields = {"combatant": "Mr. X", "hp": 3, "weapon": [{"id": "Säbel"}, {"name": "Long Bow"}, {"id": "axe"}]}
    assert clean_fields(Join, fields) == {
        "combatant": "mr-x",
        "name": "Mr. X",
        "hp": 3,
        "weapon": [{"id": "sabel", "name": "Säbel"}, {"id": "long-bow", "name": "Long Bow"}, {"id": "axe"}],
    }


@pytest.mark.parametrize("text", [" ", "\u00a0", "\u200b", "\u3164", "\u00ad", "\u2800\u200d"])
def test_a_text_without_a_visible_character_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"do": "join", "combatant": "a", "name": text}, Join)
    with pytest.raises(BadInput, match="This text shows"):
        check_text(text, "by")


def test_fields_of_the_wrong_type_are_left_unchanged() -> None:
    fields = {"name": 3, "weapon": "axe", "body": [1]}
    assert clean_fields(Join, fields) == fields


def test_a_cover_of_complete_becomes_its_own_field() -> None:
    fields = {"combatant": "a", "hp": 3, "armor": [{"id": "mail", "cover": "complete", "absorption": 2}]}
    armor = [{"id": "mail", "absorption": 2, "complete": True}]
    assert clean_fields(Join, fields) == {"combatant": "a", "hp": 3, "armor": armor}
