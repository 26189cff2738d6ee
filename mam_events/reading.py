"""Plain mappings into typed values, with errors that name the place, the nearest known key and what is allowed."""

from __future__ import annotations

import re
import reprlib
import types
from collections.abc import Callable, Mapping
from threading import RLock
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from mam_events.errors import BadInput, nearest
from mam_events.values import Slug

T = TypeVar("T")

LEARNING = RLock()
"""Held wherever msgspec may meet a type for the first time: it learns a type piece by piece, and another thread that
reads with what is known by half crashes the process.
"""

_AT = re.compile(r" - at `(?P<path>[^`]*)`$")
_AT_KEY = re.compile(r" - at `key` in `(?P<path>[^`]*)`$")
_WORDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"^Expected `int`(?: \| null)? >= (-?\d+)$"), lambda m: f"must be a whole number of {m[1]} or more"),
    (re.compile(r"^Expected `int`(?: \| null)? <= (-?\d+)$"), lambda m: f"must be at most {m[1]}"),
    (re.compile(r"^Expected `int(?: \| null)?`, got `float`$"), lambda _: "must be a whole number, not a fraction"),
    (re.compile(r"^Invalid decimal string$"), lambda _: "must be a number like 2.5"),
    (re.compile(r"^Expected `decimal(?: \| null)?` >= (\d+)$"), lambda m: f"must be {m[1]} or more"),
    (re.compile(r"^Expected `(?:decimal|float|int)[^`]*` ?(>=|<=) (\S+)$"), lambda m: f"must be {m[1]} {m[2]}"),
    (
        re.compile(r"^Expected `str` matching regex .*\(\[\+-\]\?.*$"),
        lambda _: (
            'must be a number and why, with the name before it where it is another\'s roll: "+2 outreached", '
            '"clone -1 smoke"'
        ),
    ),
    (re.compile(r"^Expected `str` matching regex .*x00.*$"), lambda _: "must be plain text without control characters"),
    (
        re.compile(r"^Expected `str` matching regex .*D\(.*$"),
        lambda _: "must be a dice code like 3D, 3D+1 or 3D+2 (three pips are a die; 99D at most)",
    ),
    (
        re.compile(r"^Expected `str` matching regex .*gm.*$"),
        lambda _: 'must be "public", "gm" or "side:" and the name of a side',
    ),
    (
        re.compile(r"^Expected `str` matching regex .*$"),
        lambda _: "must be a lower-case name: letters a-z, digits, - and _ (like ice-blade)",
    ),
    (re.compile(r"^Expected `array` of length >= 1$"), lambda _: "must name at least one"),
    (re.compile(r"^Expected `str` of length <= (\d+)$"), lambda m: f"must be at most {m[1]} characters long"),
    (re.compile(r"^Expected `([^`]*)`, got `([^`]*)`$"), lambda m: f"must be {_kind(m[1])}, not {_kind(m[2])}"),
)
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "decimal": "a number",
    "str": "text",
    "array": "a list",
    "object": "a table",
    "bool": "true or false",
    "null": "nothing",
}


# What is wrong is shown, but not all of it: it may be as long and as deep as somebody likes.
class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """A whole number, unless it has more digits than Python writes."""
        try:
            return super().repr_int(x, level)
        except ValueError:
            return "a number without end"


SHORT = _Short()
SHORT.maxstring = SHORT.maxother = 80


def quoted(name: str) -> str:
    """What somebody wrote in quotes, and of something endless only how it begins and ends."""
    return f'"{name}"' if len(name) <= SHORT.maxstring else f'"{name[:40]}…{name[-20:]}"'


def read_as(kind: type[T], fields: Mapping[str, Any], *, place: str = "") -> T:
    """`fields` as a value of that type; raises BadInput for anything that does not fit exactly."""
    try:
        with LEARNING:
            return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise BadInput(explain(error, kind, fields), place=place) from None
    except UnicodeEncodeError:
        raise BadInput("there is a character here that is not text.", place=place) from None
    except RecursionError:
        raise BadInput("lists and tables are nested too deep here.", place=place) from None


class _Named(msgspec.Struct, frozen=True):
    encounter: Slug


def encounter_id(name: str) -> str:
    """The name, if it can be the id of an encounter; raises BadInput."""
    return read_as(_Named, {"encounter": name}).encounter


def explain(error: msgspec.ValidationError, kind: type[Any], value: Any = None) -> str:
    """One sentence for what msgspec found: the field, what it must be, what it is, the nearest known name."""
    message = str(error)
    path = ""
    if key := _AT_KEY.search(message):
        return _wrong_key(kind, value, message, _entry(kind, value, key["path"].removeprefix("$")))
    if at := _AT.search(message):
        message, path = message[: at.start()], _entry(kind, value, at["path"].removeprefix("$"))
    inner = _type_at(kind, path)
    if unknown := re.fullmatch(r"Object contains unknown field `([^`]*)`", message):
        known = nearest(unknown[1], inner.__struct_encode_fields__) if inner is not None else ""
        return f"{_where(path)}there is no {quoted(unknown[1])} here; {known}".rstrip("; ")
    if missing := re.fullmatch(r"Object missing required field `([^`]*)`", message):
        return f'{_where(path)}"{missing[1]}" is missing.'
    found = _value_at(value, path)
    if message.startswith("Invalid enum value"):
        choices = filter(None, _choices_at(kind, path))
        return f"{path or 'value'}: {SHORT.repr(found)} is not among the choices; {nearest(str(found), choices)}"
    for pattern, words in _WORDS:
        if match := pattern.match(message):
            got = f", not {SHORT.repr(found)}" if found is not None and ", not " not in words(match) else ""
            return f"{path or 'value'} {words(match)}{got}."
    return f"{_where(path)}{message}."


def _entry(kind: Any, value: Any, path: str) -> str:
    """The path with the first wrong entry of each table in place of `[...]`, which names none."""
    before, anywhere, after = path.removeprefix(".").partition("[...]")
    table, hint = _value_at(value, before), _hint_at(kind, before)
    if not anywhere or not isinstance(table, Mapping) or get_origin(hint) is not dict:
        return path.removeprefix(".")
    inner = get_args(hint)[1]
    for name, entry in table.items():
        try:
            msgspec.convert(entry, inner)
        except msgspec.ValidationError:
            return ".".join(filter(None, (before, name, _entry(inner, entry, after))))
    return path.removeprefix(".")


def _wrong_key(kind: Any, value: Any, message: str, path: str) -> str:
    known = [str(name) for name in get_args(get_args(_hint_at(kind, path))[0])]
    unknown = re.match(r"Invalid enum value '(.*)' - at ", message)
    if unknown and known:
        return f"{_where(path)}there is no {quoted(unknown[1])} here; {nearest(unknown[1], known)}"
    return f"{path or 'a table'}: its keys must be lower-case names."


def _where(path: str) -> str:
    return f"{path}: " if path else ""


def _kind(name: str) -> str:
    return " or ".join(_KINDS.get(part.strip(), part.strip()) for part in name.split("|"))


def _steps(path: str) -> list[str]:
    return re.findall(r"[^.\[\]]+", path.replace("[...]", ".*"))


def _value_at(value: Any, path: str) -> Any:
    for step in _steps(path):
        if isinstance(value, Mapping):
            value = value.get(step, ", ".join(map(str, value.values())) if step == "*" else None)
        elif isinstance(value, list | tuple) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value


def _hint_at(kind: Any, path: str) -> Any:
    for step in _steps(path):
        kind = _plain(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            kind = get_type_hints(kind, include_extras=True).get(step)
        elif get_args(kind):
            kind = get_args(kind)[-1] if get_origin(kind) is dict else get_args(kind)[0]
        else:
            return None
    return _plain(kind)


def _plain(kind: Any) -> Any:
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return _plain(next((part for part in get_args(kind) if part is not type(None)), None))
    return kind


def _type_at(kind: Any, path: str) -> type[msgspec.Struct] | None:
    found = _hint_at(kind, path)
    return found if isinstance(found, type) and issubclass(found, msgspec.Struct) else None


def _choices_at(kind: Any, path: str) -> list[str]:
    return [str(choice) for choice in get_args(_hint_at(kind, path))]
