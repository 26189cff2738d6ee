"""Commands and events with their texts read by the kinds of their fields (`values`): what people said, what the rules
reason, whom it names. Names of fields, choices and numbers stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct, inspect
from msgspec.structs import replace

from mam_events.events import Modifier
from mam_events.refusals.references import Reference

Reads = Mapping[str, Callable[[str], str]]
"""The treatment of a text, by its kind: `said`, `reasoned`, or of an id what it is the id of; of any other it stays."""
_Walk = Callable[[Any, Reads], Any]
_Part = TypeVar("_Part", bound=Struct)


def read(part: _Part, reads: Reads) -> _Part:
    """The same with its texts read so; itself where none reads otherwise, for a default that is built anew would be
    written out.
    """
    if isinstance(part, Modifier) and not part.rule:
        # What no rule gives is the game master's word.
        return replace(part, name=reads["said"](part.name))
    found = ((name, getattr(part, name), walk) for name, walk in _plan(type(part)).items())
    changed = {name: new for name, value, walk in found if (new := walk(value, reads)) != value}
    return replace(part, **changed) if changed else part


def reasons(part: Struct) -> list[str]:
    """The rules' own words in it, as they stand before what people said."""
    found: list[str] = []

    def reasoned(why: str) -> str:
        found.append(why.partition(": ")[0])
        return why

    read(part, {"reasoned": reasoned, "said": str})
    return found


def read_field(kind: type[Struct], field: str, value: Any, reads: Reads) -> Any:
    """A plain value read as that field of such a struct."""
    walk = _plan(kind).get(field)
    return walk(value, reads) if walk else value


@cache
def _plan(kind: type[Struct]) -> dict[str, _Walk]:
    """The fields of a struct in which a text may stand, each with how it is gone through."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)  # noqa: S101 - as the annotation says
    walks = {field.name: _walk(field.type) for field in info.fields}
    return {name: walk for name, walk in walks.items() if walk}


def _walk(info: inspect.Type, text: str = "") -> _Walk | None:
    """The way a value of that type is gone through; None where no such text is in it."""
    match info:
        case inspect.Metadata():
            extra = info.extra or {}
            return _walk(info.type, text or extra.get("words", "") or (extra.get("names") or ("",))[0])
        case inspect.StrType() if text:
            return lambda value, reads: reads[text](value) if text in reads else value
        case inspect.StructType() if issubclass(info.cls, Reference):
            # A message is told to each reader by its references.
            return None
        case inspect.StructType():
            return lambda value, reads: _struct(info.cls, value, reads)
        case inspect.VarTupleType():
            each = _walk(info.item_type)
            return each and (lambda values, reads: tuple(each(value, reads) for value in values))
        case inspect.DictType():
            keys, values = _walk(info.key_type) or _same, _walk(info.value_type) or _same
            if keys is values:
                return None
            return lambda table, reads: {keys(key, reads): values(value, reads) for key, value in table.items()}
        case inspect.UnionType():
            one = next(filter(None, map(_walk, info.types)), None)
            return one and (lambda value, reads: None if value is None else one(value, reads))
    return None


def _struct(kind: type[Struct], value: Any, reads: Reads) -> Any:
    if isinstance(value, Struct):
        return read(value, reads)
    return {name: read_field(kind, name, inner, reads) for name, inner in value.items()}


def _same(value: Any, _: Reads) -> Any:
    return value
