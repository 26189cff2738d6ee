"""The conversion of plain mappings to typed values.

Errors name the place, the nearest known key and the allowed values.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from threading import RLock
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from mam_events.errors import BadInput
from mam_events.field_specs import alternatives, field_specs
from mam_events.refusals.suggestions import suggestion_text
from mam_events.values import Slug

T = TypeVar("T")

LEARNING = RLock()
"""The lock held wherever msgspec may see a type for the first time.

msgspec builds its information about a type piece by piece; another thread that uses an incomplete one crashes the
process.
"""


# Errors shorten the wrong value, because it may be very long or deeply nested.
class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Return a whole number as text, or a fixed text if it has more digits than Python converts."""
        try:
            return super().repr_int(x, level)
        except ValueError:
            return "a number without end"


SHORTENER = _Short()
SHORTENER.maxstring = SHORTENER.maxother = 80


def quote_value(name: str) -> str:
    """Return a value in quotes; of a long one only the beginning and the end."""
    return f'"{name}"' if len(name) <= SHORTENER.maxstring else f'"{name[:40]}…{name[-20:]}"'


class TypeMismatch(Struct, frozen=True):
    """The first part of a value that doesn't fit its type: the steps that lead there, and what it must be.

    `apart` is true if the words are a sentence of their own; `missing` is a field that is not there; `wrong` and
    `allowed` are those of an error.
    """

    steps: tuple[str | int, ...]
    words: str
    apart: bool = False
    missing: str = ""
    wrong: str = ""
    allowed: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence for an error."""
        where = _path(self.steps)
        words = f'"{self.missing}" is missing' if self.missing else self.words
        end = "" if words.endswith((".", "?")) else "."
        if self.apart or self.missing:
            return f"{where}: {words}{end}" if where else f"{words}{end}"
        return f"{where or 'value'} {words}{end}"

    def error(self, place: str) -> BadInput:
        """Return the error for this mismatch."""
        return BadInput(self.sentence, place=place, wrong=self.wrong, allowed=self.allowed)


def parse_json(text: bytes, *, place: str = "") -> Any:
    """Return the value of a JSON text; raise BadInput if it is invalid or an object has a duplicate field."""
    try:
        value = msgspec.json.decode(text)
        check_duplicate_fields(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"This is not JSON: {error}.", place=place) from None
    except BadInput as error:
        raise BadInput(error.fault, place=place, wrong=error.wrong) from None
    return value


def check_duplicate_fields(text: bytes) -> None:
    """Raise BadInput if an object in that JSON has a duplicate field: parsers differ in which value they use.

    Raises MsgspecError, UnicodeDecodeError or RecursionError for invalid JSON.
    """
    # Fast path: a text that encodes back to the same bytes has lost no duplicate field.
    if msgspec.json.encode(msgspec.json.decode(text)) != text:
        json.loads(text, object_pairs_hook=unique_keys, parse_int=str)


def unique_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object, as the hook of `json.loads`; raise BadInput for a duplicate field."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise BadInput(f"{quote_value(twice)} is given twice in one pair of braces. Give it once.", wrong=twice)
    return mapping


def read_as(kind: type[T], fields: Mapping[str, Any], *, place: str = "") -> T:
    """Convert `fields` to a value of that type; raise BadInput for anything that doesn't fit exactly."""
    try:
        with LEARNING:
            return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise find_mismatch(kind, fields, error).error(place) from None
    except UnicodeEncodeError:
        raise BadInput("This text has a character that cannot be used.", place=place) from None
    except RecursionError:
        raise BadInput("There are too many lists and tables inside each other here.", place=place) from None


class _Named(msgspec.Struct, frozen=True):
    encounter: Slug


def encounter_id(name: str) -> str:
    """Return the name if it is a valid id of an encounter; raise BadInput otherwise."""
    return read_as(_Named, {"encounter": name}).encounter


def find_mismatch(kind: Any, value: Any, error: msgspec.ValidationError) -> TypeMismatch:
    """Return the first part of a value that doesn't fit that type, after msgspec raised that error."""
    mismatch = _misfit(kind, value, ())
    return mismatch or TypeMismatch((), f"{error}", apart=True)


def _fits(kind: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, TypeError, ValueError):
        return False
    return True


def _misfit(kind: Any, value: Any, steps: tuple[str | int, ...]) -> TypeMismatch | None:
    if _fits(kind, value):
        return None
    if isinstance(value, Mapping) and (tagged := _by_tag(kind)):
        return _in_tagged(tagged, value, steps)
    plain, metas = _matching_type(kind, value)
    origin = get_origin(plain)
    if origin is Literal:
        return _no_choice(value, tuple(str(choice) for choice in get_args(plain) if choice), steps)
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return _in_struct(plain, value, steps)
    if origin is dict:
        keys, values = get_args(plain)
        return _in_table(keys, values, value, steps)
    if origin in (list, tuple, frozenset, set):
        return _in_list(get_args(plain), metas, value, steps)
    wrong = value if isinstance(value, str) else ""
    return TypeMismatch(steps, _must(plain, metas, value, optional=_fits(kind, None)), wrong=wrong)


def _no_choice(value: Any, choices: tuple[str, ...], steps: tuple[str | int, ...]) -> TypeMismatch:
    words = f"{SHORTENER.repr(value)} is not among the choices. {suggestion_text(str(value), choices, None)}"
    return TypeMismatch(steps, words, apart=bool(steps), wrong=str(value), allowed=choices)


def _by_tag(kind: Any) -> dict[str, type[msgspec.Struct]]:
    """Return the structs of a union by their tags; none if it is no union of such structs."""
    structs = [part for part, _ in alternatives(kind) if isinstance(part, type) and issubclass(part, msgspec.Struct)]
    return {str(one.__struct_config__.tag): one for one in structs if one.__struct_config__.tag} if structs[1:] else {}


def _in_tagged(
    kinds: Mapping[str, type[msgspec.Struct]], value: Mapping[str, Any], steps: tuple[str | int, ...]
) -> TypeMismatch | None:
    field = f"{next(iter(kinds.values())).__struct_config__.tag_field}"
    if field not in value:
        return TypeMismatch(steps, "", missing=field)
    tag = value[field]
    if not isinstance(tag, str) or tag not in kinds:
        return _no_choice(tag, tuple(kinds), (*steps, field))
    return _in_struct(kinds[tag], value, steps)


def _in_struct(kind: type[msgspec.Struct], value: Any, steps: tuple[str | int, ...]) -> TypeMismatch | None:
    if not isinstance(value, Mapping):
        return TypeMismatch(steps, _other("a table", value))
    config, shaped = kind.__struct_config__, field_specs(kind)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, inner in value.items():
        if name in fields:
            if mismatch := _misfit(shaped[fields[name].name].hint, inner, (*steps, name)):
                return mismatch
        elif name != config.tag_field and config.forbid_unknown_fields:
            names = tuple(fields)
            words = (
                f"There is no {quote_value(str(name))} here. {suggestion_text(str(name), names, None)}"
                if names
                else "Nothing belongs here"
            )
            return TypeMismatch(steps, words, apart=True, wrong=str(name), allowed=names)
    lacking = (name for name, field in fields.items() if field.required and name not in value)
    return next((TypeMismatch(steps, "", missing=name) for name in lacking), None)


def _in_table(keys: Any, values: Any, value: Any, steps: tuple[str | int, ...]) -> TypeMismatch | None:
    if not isinstance(value, Mapping):
        return TypeMismatch(steps, _other("a table", value))
    for name, inner in value.items():
        if not _fits(keys, name):
            choices = tuple(str(choice) for choice in get_args(_matching_type(keys, name)[0]))
            if choices:
                words = f"There is no {quote_value(str(name))} here. {suggestion_text(str(name), choices, None)}"
                return TypeMismatch(steps, words, apart=True, wrong=str(name), allowed=choices)
            return TypeMismatch(steps or ("a table",), "The names in it must be lower-case", apart=True)
        if mismatch := _misfit(values, inner, (*steps, name)):
            return mismatch
    return None


def _in_list(
    items: tuple[Any, ...], metas: Sequence[msgspec.Meta], value: Any, steps: tuple[str | int, ...]
) -> TypeMismatch | None:
    if not isinstance(value, list | tuple):
        return TypeMismatch(steps, _other("a list", value))
    for meta in metas:
        if meta.min_length is not None and len(value) < meta.min_length:
            return TypeMismatch(steps, "must name at least one")
        if meta.max_length is not None and len(value) > meta.max_length:
            return TypeMismatch(steps, f"must have at most {meta.max_length} entries, not {len(value)}")
    several = len(items) > 1 and items[-1] is not Ellipsis
    if several and len(value) != len(items):
        return TypeMismatch(steps, f"must be a list of {len(items)} entries, not {len(value)}")
    each = zip(items, value, strict=True) if several else ((items[0], inner) for inner in value)
    mismatches = (_misfit(kind, inner, (*steps, at)) for at, (kind, inner) in enumerate(each))
    return next(filter(None, mismatches), None)


def _must(kind: Any, metas: Sequence[msgspec.Meta], value: Any, *, optional: bool) -> str:
    """Return what a single value must be, and what it is instead."""
    if kind is int and isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,9}\.[0-9]{1,9}", value):
        # `amend 21 points=2.5` gives a fraction as text.
        return f"must be a whole number{' or nothing' * optional}, not {value}"
    if isinstance(value, bool) or not isinstance(value, _FITTING.get(kind, object)):
        what = _KINDS.get(kind, getattr(kind, "__name__", str(kind))) + " or nothing" * optional
        return (
            f"must be {what}, not the text {SHORTENER.repr(value)}" if isinstance(value, str) else _other(what, value)
        )
    if kind is int and not isinstance(value, int):
        return "must be a whole number, not a fraction"
    got = f", not {SHORTENER.repr(value)}"
    for meta in metas:
        if meta.ge is not None and value < meta.ge:
            return f"must be {'a whole number of ' if kind is int else ''}{meta.ge} or more{got}"
        if meta.le is not None and value > meta.le:
            return f"must be at most {meta.le}{got}"
        if meta.max_length is not None and len(value) > meta.max_length:
            return f"must be at most {meta.max_length} characters long{got}"
        if meta.pattern is not None and not re.search(meta.pattern, value):
            return f"must be {(meta.extra or {}).get('must', 'text of another form')}{got}"
    requirement = next(
        (meta.extra["must"] for meta in metas if meta.extra and "must" in meta.extra), "a number like 2.5"
    )
    return f"must be {requirement}{got}" if kind is Decimal else f"must be something else{got}"


_KINDS: dict[Any, str] = {
    int: "a whole number",
    float: "a number",
    Decimal: "a number",
    str: "text",
    bool: "true or false",
    type(None): "nothing",
}
_FITTING: dict[Any, Any] = {
    bool: bool,
    int: (int, float, Decimal),
    Decimal: (int, float, Decimal, str),
    str: str,
    float: (int, float),
}


def _other(what: str, value: Any) -> str:
    kinds: dict[Any, str] = {Mapping: "a table", list | tuple: "a list", bool: _KINDS[bool], **_KINDS}
    return f"must be {what}, not {next((name for kind, name in kinds.items() if isinstance(value, kind)), 'that')}"


def _matching_type(hint: Any, value: Any) -> tuple[Any, tuple[msgspec.Meta, ...]]:
    """Return the one of its possible types that the value has, or else the first, with its constraints."""
    parts = list(alternatives(hint))
    alike = (part for part in parts if part[0] in (int, str, Decimal, float, bool) and isinstance(value, part[0]))
    return next(alike, parts[0])


def _path(steps: Sequence[str | int]) -> str:
    """Return the steps as a person reads them: `weapon 2, range` for the range of the second weapon."""
    path_text = ""
    for before, step in pairwise(("", *steps)):
        if isinstance(step, int):
            path_text += f" {step + 1}"
        else:
            path_text += f"{', ' if isinstance(before, int) else '.' if path_text else ''}{step}"
    return path_text.strip()
