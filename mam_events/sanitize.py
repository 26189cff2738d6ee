"""Free text from people, sanitized at the edge: characters that confuse a terminal or reverse a line are removed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, get_args, get_origin
from unicodedata import category, combining, is_normalized, normalize

from msgspec import json

from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec, field_spec, field_specs
from mam_events.values import HIDDEN_CHARACTERS, SLUG, outcome_of_word

RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""The Unicode blocks of letters written from right to left, for a pattern; the pages' scripts have the same."""
TEXT_LENGTH = 2000
NAME_LENGTH = 200
"""The most characters of free text, and those of a person's name or a command id."""

# Patterns that are only used for new text are compiled at first use.
_BREAKS = "[\t\n\x0b\x0c\r\x85\u2028\u2029]+"
# C0 and C1 controls, and marks that change the direction of writing.
_STRIPPED = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_FRACTION = r"\s*([0-9]{1,9})\s*/\s*([1-9][0-9]{0,8})\s*"
_SIGNS = {"¼": "1/4", "½": "1/2", "¾": "3/4"}
_METRES = r"\s*([+-]?(?:[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30}))\s*(?:m|metres?|meters?)\s*"
# Surrogates, which Python makes of bytes that are not text.
_HALVES = "[\ud800-\udfff]"

# Characters of no width, which may stand in the middle of a word.
_ZERO_WIDTH = "[\xad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]"
# All characters of `_BREAKS`, `_STRIPPED` and `_HALVES`.
_UNCLEAN = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
# Every row may have escaped quotes and backslashes: they hide nothing.
_HIDING = re.compile(r'\\[^"\\]')


def clean_text(text: str) -> str:
    """Return the text in composed characters (NFC), without control and bidirectional characters.

    One name thus has one spelling. A line break or a tab becomes one space. Raises BadInput for bytes that are not
    UTF-8, because nobody can tell what they mean, and as `to_nfc` does.
    """
    if re.search(_HALVES, text):
        raise BadInput(f'"{printable(text)}" is not UTF-8 text.')
    return to_nfc(re.sub(_STRIPPED, "", re.sub(_BREAKS, " ", text)))


_TWO_SIGNS = "\u0f73\u0f75\u0f81"
MAX_COMBINING = 30
"""The most combining characters on one letter, as in UAX 15 (stream-safe text)."""


def to_nfc(text: str) -> str:
    """Return the text in composed characters (NFC).

    Raises BadInput for too many combining characters on one letter: ordering them takes quadratic time.
    """
    if text.isascii():
        return text
    stacked = 0
    for sign in text:
        stacked = stacked + 1 if combining(sign) or sign in _TWO_SIGNS else 0
        if stacked > MAX_COMBINING:
            raise BadInput(f"One letter has more than {MAX_COMBINING} accents or other marks. Remove some.")
    return normalize("NFC", text)


ID_LENGTH = 64
"""The most characters of an id."""
_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ħ": "h",
        "ŧ": "t",
        "\u0131": "i",
    }
)
"""Letters that don't decompose, and their spelling with a-z."""


_ACCENTS = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
"""Combining characters without which a letter is still the same letter."""


def name_key(name: str) -> str:
    """Return a name in the form for comparison (`zoe`, `rat-2`, `勇者`).

    The key has the letters and digits of any script in lower case, without accents, with a dash for everything between
    them. For a name of symbols only, the key is those that keyboards don't have; "" if there are none.
    """
    if name.isascii():
        return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    if len(name) > NAME_LENGTH:
        # No name is so long, and decomposing it would take quadratic time.
        return ""
    text = re.sub(_ZERO_WIDTH, "", name.casefold())
    plain = re.sub(_ACCENTS, "", normalize("NFKD", text)).translate(_LETTERS)
    key = "".join(sign if sign.isalnum() or category(sign)[0] == "M" else " " for sign in plain)
    return "-".join(key.split()) or re.sub(rf"[{HIDDEN_CHARACTERS}\x00-\x7f]", "", plain)


def make_id(name: str) -> str:
    """Return the id for a name: `rat-2` for "Rat #2"; "" if none of its letters and digits can be in one."""
    key = name_key(name)
    id_ = re.sub("[^a-z0-9]+", "-", key).strip("-")[:ID_LENGTH].strip("-")
    # Digits alone don't stand for a name that has letters.
    return id_ if re.search("[a-z]", id_) or not any(map(str.isalpha, key)) else ""


def shows_nothing(text: str) -> bool:
    """Return True for a text without visible characters, unless it is empty."""
    return bool(re.fullmatch(f"[{HIDDEN_CHARACTERS}]+", text))


def printable(text: str) -> str:
    """Return the text for a terminal: cleaned, with a question mark for each byte that is not UTF-8."""
    return clean_text(re.sub(_HALVES, "?", text))


def is_clean(text: str, longest: int = TEXT_LENGTH) -> bool:
    """Return True if free text may be stored: `clean_text` would not change it."""
    if text.isascii() and text.isprintable():
        return len(text) <= longest
    return len(text) <= longest and not re.search(_UNCLEAN, text) and is_normalized("NFC", text)


def check_text(text: object, place: str, longest: int = TEXT_LENGTH) -> str:
    """Return the text if it may be stored; raise BadInput otherwise.

    It is invalid if `clean_text` would change it, if it is too long or no text, or if it has no visible characters.
    """
    if not isinstance(text, str) or not is_clean(text, longest):
        raise BadInput(
            f"This must be plain text of at most {longest} characters (NFC), without control characters.",
            place=place,
        )
    if shows_nothing(text):
        raise BadInput("This text shows nothing. Leave it out, or write something.", place=place)
    return text


def is_clean_state(state: bytes) -> bool:
    """Return True if `clean_text` would change nothing in the JSON of a row, written out or as an escape.

    Raises MsgspecError or ValueError for invalid JSON.
    """
    # In JSON every control character is escaped, except DEL.
    if state.isascii() and b"\\" not in state and b"\x7f" not in state:
        return True
    decoded = state.decode()
    escaped = texts_in(json.decode(state)) if _HIDING.search(decoded) else ()
    return all(is_clean(text, len(text)) for text in (decoded, *escaped))


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a plain value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def clean_fields(kind: Any, value: Any) -> Any:
    """Return a plain value with its free texts cleaned; `kind` is its later type, which shows where they are.

    Metres may have their unit, numbers may be fractions (1/4, ½). Names (slugs), and anything that doesn't fit the
    type, are left alone: the reader reports their errors.
    """
    return _cleaned(field_spec(kind), value)


def _cleaned(of: FieldSpec, value: Any) -> Any:
    if isinstance(value, str):
        return _clean_typed(of, value)
    if isinstance(value, list | tuple) and get_origin(of.kind) in (tuple, list):
        inner = field_spec(get_args(of.kind)[0])
        return [_cleaned(inner, element) for element in value]
    if of.structs and isinstance(value, Mapping):
        return _clean_struct(field_specs(of.structs[0]), value)
    return value


def _clean_typed(of: FieldSpec, value: str) -> str:
    if of.unit == "metres" and (match := re.fullmatch(_METRES, value)):
        return match[1]
    if of.words == "said":
        return clean_text(value)
    if of.kind is Decimal and (match := re.fullmatch(_FRACTION, _SIGNS.get(value, value))):
        return str(Decimal(match[1]) / Decimal(match[2]))
    choices = () if of.is_list else of.choices
    return value if value in choices else outcome_of_word(value, choices) or value


def _clean_struct(shaped: Mapping[str, FieldSpec], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields cleaned, with values moved to their own fields.

    A name given as an id, and a flag given as a number, go to the field of the id or the flag.
    """
    for field, of in shaped.items():
        if of.id_of:
            fields = _with_id(fields, field, of.id_of)
        elif of.flag and fields.get(field) == of.flag:
            fields = {name: one for name, one in fields.items() if name != field} | {of.flag: True}
    return {name: _cleaned(shaped[name], part) if name in shaped else part for name, part in fields.items()}


def _with_id(fields: Mapping[str, Any], field: str, name_field: str) -> Mapping[str, Any]:
    """Return the fields with the id made from the name, if the name replaces it or is given alone."""
    value, name = fields.get(field), fields.get(name_field)
    title = name if value is None else value
    if not isinstance(title, str) or not title or (value and re.match(SLUG, title)) or re.search(_UNCLEAN, title):
        return fields
    id_ = make_id(title)
    # Leave a name without letters a-z unchanged: the deserializer's error says what an id is.
    return {**fields, field: id_, name_field: name or clean_text(title)} if id_ else fields
