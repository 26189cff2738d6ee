"""Parts of short orders: fields whose names may be cut, and things that are called by a name with capitals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from mam_events.errors import BadInput, nearest
from mam_events.notation.fields import fields_by_name, shapes_by_name
from mam_events.notation.long_form import plain, read_parts
from mam_events.notation.places import LETTERS, PARTS
from mam_events.notation.words import CUT, Quoted, Said, Value, ranked
from mam_events.shapes import Shape

SHORT_FIELDS = {"at": "attack", "df": "defense", "cp": "character_points", "fp": "fate_points", "w": "weapon"}
"""Short names of fields that could not be cut so."""


def field_named(kind: type[Struct], key: str, place: str) -> str:
    """The field that a name is, whole or cut to where it is unique; raises BadInput."""
    names = fields_by_name(kind)
    low = key.lower()
    short = [name for name in (SHORT_FIELDS.get(low, ""), *LETTERS.get(low, ())) if name in names]
    rank, found = ranked(low, names)
    if rank == CUT and short:
        return short[0]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f'"{key}" is {", ".join(found)}: which?', place=place, wrong=key, allowed=found)
    raise BadInput(f'there is no "{key}" here; {nearest(low, names)}', place=place, wrong=key, allowed=names)


def short_part(value: Value, shape: Shape, place: str) -> Any:
    """A part of an order, or a table, as it was typed; raises BadInput."""
    if isinstance(shape.kind, type) and issubclass(shape.kind, Struct) and isinstance(value, tuple):
        said = _spelt(shape.kind, value, place)
        return read_parts(shape.kind, said, PARTS.get(shape.kind.__name__, ()), place)
    return plain(_in_small_letters(value, shape), shape, place)


def _in_small_letters(value: Value, shape: Shape) -> Value:
    """Typed, capitals count in text alone."""
    if not isinstance(value, str) or isinstance(value, Quoted) or shape.words or shape.inner.words:
        return value
    return value.lower()


def _spelt(kind: type[Struct], words: Sequence[Said], place: str) -> list[Said]:
    """The words of a part with fields by their whole names, and a name with capitals as id and name."""
    said = []
    for word in words:
        name = field_named(kind, word.key, place) if word.key else ""
        said.append(Said(name, _in_small_letters(word.value, shapes_by_name(kind)[name])) if name else word)
    if PARTS.get(kind.__name__, ())[:2] == ("id", "name"):
        return called(said)
    return said


def called(words: Sequence[Said]) -> list[Said]:
    """The words with the id in front: a name with capitals, or in quotes, is id and name in one."""
    if not words or words[0].key or not isinstance(words[0].value, str):
        return list(words)
    name = str(words[0].value)
    low = "-".join(name.lower().split())
    if name == low:
        second = words[1] if len(words) > 1 and not words[1].key else Said("", "-")
        if second.word and second.word != second.word.lower():
            return [words[0], Said("", Quoted(second.word)), *words[2:]]
        return list(words) if isinstance(second.value, Quoted) else [words[0], Said("", "-"), *words[1:]]
    if len(words) > 1 and not words[1].key and isinstance(words[1].value, Quoted):
        return [Said("", low), *words[1:]]
    return [Said("", low), Said("", Quoted(name)), *words[1:]]
