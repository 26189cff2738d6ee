"""Free text as it comes from people: what could confuse a terminal, or turn a line around, is taken out at the edge."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints
from unicodedata import is_normalized, normalize

from msgspec import Struct, json

from mam_events.errors import BadInput

TEXT_LENGTH = 2000
NAME_LENGTH = 200
"""The most characters of free text, and of who gives a command and of a command id."""

# Patterns that only new text is held against are compiled when they are first needed.
_BREAKS = "[\t\n\x0b\x0c\r\x85\u2028\u2029]+"
# The controls C0 and C1, and marks that turn the direction of writing.
_STRIPPED = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_METRES = r"\s*([+-]?[0-9]*\.?[0-9]+)\s*(?:m|metres?|meters?)\s*"
# Halves of characters: what Python makes of bytes that are no text.
_HALVES = "[\ud800-\udfff]"

# All of them at once.
_UNCLEAN = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
# Quotes and backslashes are escaped in honest rows as well, and hide nothing.
_HIDING = re.compile(r'\\[^"\\]')


def clean_text(text: str) -> str:
    """The text in composed characters (NFC), so that one name has one spelling, and without control and bidirectional
    ones; a line break or a tab becomes one space.

    Raises BadInput for bytes that are no text: nobody can tell what was meant, so nothing is left out.
    """
    if re.search(_HALVES, text):
        raise BadInput(f'"{printable(text)}" is not UTF-8 text.')
    return normalize("NFC", re.sub(_STRIPPED, "", re.sub(_BREAKS, " ", text)))


def printable(text: str) -> str:
    """The text as a terminal may show it: cleaned, with a question mark for each byte that is no text."""
    return clean_text(re.sub(_HALVES, "?", text))


def is_clean(text: str, longest: int = TEXT_LENGTH) -> bool:
    """True if it is free text as it may be stored: nothing in it that `clean_text` would take out or change."""
    if text.isascii() and text.isprintable():
        return len(text) <= longest
    return len(text) <= longest and not re.search(_UNCLEAN, text) and is_normalized("NFC", text)


def checked(text: object, place: str, longest: int = TEXT_LENGTH) -> str:
    """The text, if it may be stored; raises BadInput for what `clean_text` would change, for too much, for no text."""
    if not isinstance(text, str) or not is_clean(text, longest):
        raise BadInput(
            f"this is plain text of at most {longest} characters, composed (NFC) and without control characters.",
            place=place,
        )
    return text


def is_clean_state(state: bytes) -> bool:
    """True if there is nothing in the JSON of a row that `clean_text` would change, written out or as an escape.

    Raises MsgspecError or ValueError for what is no JSON.
    """
    # No JSON holds a control character as it stands but DEL.
    if state.isascii() and b"\\" not in state and b"\x7f" not in state:
        return True
    written = state.decode()
    escaped = texts(json.decode(state)) if _HIDING.search(written) else ()
    return all(is_clean(text, len(text)) for text in (written, *escaped))


def texts(value: Any) -> Iterator[str]:
    """Every text in a plain value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def clean_fields(kind: Any, value: Any) -> Any:
    """A plain value with every free text in it cleaned; `kind` is the type it will be read as, and tells where that is.

    Metres may be given with their unit. Names (slugs), numbers, and whatever does not fit the type are left alone: the
    reader says what is wrong with them.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        extra = {key: told for meta in parts[1:] for key, told in (meta.extra or {}).items()}
        if isinstance(value, str) and extra.get("unit") == "metres" and (said := re.fullmatch(_METRES, value)):
            return said[1]
        if isinstance(value, str) and extra.get("words") == "said":
            return clean_text(value)
        return clean_fields(parts[0], value)
    if origin in (Union, types.UnionType):
        for part in parts:
            value = clean_fields(part, value)
    elif origin in (tuple, list) and isinstance(value, list | tuple):
        return [clean_fields(parts[0], element) for element in value]
    elif isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, Mapping):
        hints = _hints(kind)
        return {name: clean_fields(hints.get(name), part) for name, part in value.items()}
    return value


@cache
def _hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
