"""The fields of an order as its Struct describes them: kind, sentence, unit, choices, what goes without saying."""

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
"""The way a name is called that stands for something in the fight."""


class FieldSpec(Struct, frozen=True):
    """A field as people meet it: its plain type, its sentence, the unit it counts, what it names (`combatant`), what it
    is where it is not said ("": nothing goes without saying), the least that it may be, and the `words` that it is:
    those that somebody `said`, or none (""); whose word it is (None: it does not say),
    the values `reserved` for the game master, the name that it is the id of ("": of none), and of a number the field
    that is true where its name stands in place of the number. `hint` is all of it.
    """

    hint: Any
    kind: Any
    told: str
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
    def number_or_word(self) -> bool:
        """True if it is a whole number or a word."""
        return isinstance(self.kind, list)

    @property
    def kinds(self) -> list[Any]:
        """The plain types that it may be."""
        return self.kind if self.number_or_word else [self.kind]

    @property
    def structs(self) -> list[type[Struct]]:
        """Those of them that have fields of their own."""
        return [kind for kind in self.kinds if isinstance(kind, type) and issubclass(kind, Struct)]

    @property
    def person(self) -> bool:
        """True if it names a combatant, or several, or is a table by them."""
        return self.names == ("combatant",)

    @property
    def several(self) -> bool:
        """True if it is a list."""
        return get_origin(self.kind) is tuple

    @property
    def keyed(self) -> bool:
        """True if it is a table."""
        return get_origin(self.kind) is dict

    @property
    def thrown(self) -> bool:
        """True if it is the faces of dice."""
        return self.several and self.unit == "face"

    @property
    def key(self) -> FieldSpec:
        """The keys' type of a table; of anything else itself."""
        return field_spec(get_args(self.kind)[0]) if self.keyed else self

    @property
    def inner(self) -> FieldSpec:
        """The type of each in a list, or of each value of a table; of anything else itself."""
        return field_spec(get_args(self.kind)[-1 if self.keyed else 0]) if self.several or self.keyed else self

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be, or each of a list; none where it may be any."""
        kind = self.inner.kind if self.several else self.kind
        return tuple(word for word in get_args(kind) if word) if get_origin(kind) is Literal else ()


@cache
def field_specs(kind: type[Struct]) -> Mapping[str, FieldSpec]:
    """The fields of a command, or of any other struct, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: field_spec(hints[name]) for name in kind.__struct_fields__}


def field_spec(hint: Any) -> FieldSpec:
    """A kind of value, with what is said of it."""
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
    """The plain types that a kind of value may be, without nothing, each with what is said of it, the nearest last."""
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
    """The same command with no face given: whatever dice it takes are open."""
    return replace(
        command,
        **{
            field.name: field.default if field.default_factory is NODEFAULT else field.default_factory()
            for field in face_fields(type(command))
        },
    )


@cache
def face_fields(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    """The fields of a command that take faces."""
    shaped = field_specs(kind)
    return tuple(field for field in fields(kind) if "face" in (shaped[field.name].unit, shaped[field.name].inner.unit))
