"""The fields of an order as its Struct describes them: type, description, unit, choices, default in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields, replace

if TYPE_CHECKING:
    from mam_events.values import Owner

_Order = TypeVar("_Order", bound=Struct)

_UNITS = {
    ("combatant",): "combatant",
    ("ruling",): "n",
    ("thing",): "id",
    ("grapple",): "id",
    ("thing", "grapple"): "id",
}
"""The placeholder for the name of something in the fight."""


class FieldSpec(Struct, frozen=True):
    """A field as people know it; `hint` is its whole type.

    - `kind`: its plain type, `description`: what it is for, `unit`: the unit that it counts
    - `names`: the kinds of things that it names (`combatant`)
    - `unsaid`: its value if it is left out ("": none), `least`: its lowest value
    - `words`: `said` for people's words, "" for no text
    - `owner`: who may say it (None: not stated), `reserved`: the values for the game master only
    - `id_of`: the field with the name that this is the id of ("": none)
    - `flag`: for a number, the field that is true if its name replaces the number
    """

    hint: Any
    kind: Any
    description: str
    unit: str
    names: tuple[str, ...]
    unsaid: str
    least: int | None
    words: Literal["", "said"] = ""
    owner: Owner | None = None
    reserved: tuple[str, ...] = ()
    id_of: str = ""
    flag: str = ""

    @property
    def is_number_or_word(self) -> bool:
        """True if it is a whole number or a word."""
        return isinstance(self.kind, list)

    @property
    def kinds(self) -> list[Any]:
        """Its possible plain types."""
        return self.kind if self.is_number_or_word else [self.kind]

    @property
    def structs(self) -> list[type[Struct]]:
        """Its possible types that have fields of their own."""
        return [kind for kind in self.kinds if isinstance(kind, type) and issubclass(kind, Struct)]

    @property
    def is_person(self) -> bool:
        """True if it names one or more combatants, or is a table by combatant."""
        return self.names == ("combatant",)

    @property
    def is_list(self) -> bool:
        """True if it is a list."""
        return get_origin(self.kind) is tuple

    @property
    def is_table(self) -> bool:
        """True if it is a table."""
        return get_origin(self.kind) is dict

    @property
    def has_faces(self) -> bool:
        """True if it holds the faces of dice."""
        return self.is_list and self.unit == "face"

    @property
    def key(self) -> FieldSpec:
        """The key type of a table; for anything else the field itself."""
        return field_spec(get_args(self.kind)[0]) if self.is_table else self

    @property
    def inner(self) -> FieldSpec:
        """The type of the elements of a list, or of the values of a table; for anything else the field itself."""
        return field_spec(get_args(self.kind)[-1 if self.is_table else 0]) if self.is_list or self.is_table else self

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible words, or those of each element of a list; none if any word is possible."""
        kind = self.inner.kind if self.is_list else self.kind
        return tuple(word for word in get_args(kind) if word) if get_origin(kind) is Literal else ()


@cache
def field_specs(kind: type[Struct]) -> Mapping[str, FieldSpec]:
    """Return the fields of a command, or of any other struct, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: field_spec(hints[name]) for name in kind.__struct_fields__}


def field_spec(hint: Any) -> FieldSpec:
    """Return the spec of a type hint."""
    parts = list(alternatives(hint))
    plain = parts[0][0] if len(parts) == 1 else [kind for kind, _ in parts]
    metas: list[Any] = [meta for _, metas in parts for meta in reversed(metas)]
    extra: dict[str, Any] = {key: value for meta in reversed(metas) for key, value in (meta.extra or {}).items()}
    names = extra.get("names", ())
    unit = _UNITS.get(names, "") or extra.get("unit", "")
    if get_origin(plain) in (tuple, dict):
        of = field_spec(get_args(plain)[0])
        names = names or of.names
        unit = unit or (of.unit if get_origin(plain) is tuple else "")
    return FieldSpec(
        hint,
        plain,
        next((meta.description for meta in metas if meta.description), ""),
        unit,
        names,
        extra.get("unsaid", ""),
        next((meta.ge for meta in metas if meta.ge is not None), None),
        extra.get("words", ""),
        extra.get("owner"),
        extra.get("reserved", ()),
        extra.get("id_of", ""),
        extra.get("flag", ""),
    )


def alternatives(hint: Any) -> Iterator[tuple[Any, tuple[Meta, ...]]]:
    """Yield the plain types of a hint, without None, each with its metadata, the innermost first."""
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        yield from ((kind, (*nearer, *metas)) for kind, nearer in alternatives(inner))
    elif get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            if part is not NoneType:
                yield from alternatives(part)
    else:
        yield hint, ()


def without_faces(command: _Order) -> _Order:
    """Return the same command without the faces of its dice."""
    return replace(
        command,
        **{
            field.name: field.default if field.default_factory is NODEFAULT else field.default_factory()
            for field in face_fields(type(command))
        },
    )


@cache
def face_fields(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a command that take faces."""
    shaped = field_specs(kind)
    return tuple(field for field in fields(kind) if "face" in (shaped[field.name].unit, shaped[field.name].inner.unit))
