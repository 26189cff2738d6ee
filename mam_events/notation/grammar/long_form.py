"""The long form of an order: it states everything, doesn't depend on the fight, and never changes its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo

from mam_events.commands import COMMANDS, Close, Command, Open, Ready, name_of, read_command
from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec, field_specs
from mam_events.notation.grammar.dice import dice_fields, read_dice, write_dice
from mam_events.notation.grammar.fields import Fields, fields_by_name, shapes_by_name
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.grammar.vocabulary import PARTS
from mam_events.notation.lexer.lexer import (
    NO_VALUE_WORD,
    DiceToken,
    ParsedOrder,
    TextToken,
    TokenValue,
    WordToken,
    quoted_text,
)
from mam_events.notation.orders.open_references import left_out_of, open_references, with_placeholders
from mam_events.refusals.renderer import list_words
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import clean_fields

SEEN = "seen"
"""The word for an order's visibility; its field is called `visibility`."""

IDLE = ("defense", "other_used")
"""The points that become ready; a line names at least one of these fields if none do."""
_EXAMPLES = {
    "Weapon": "weapon=(sword power=3)",
    "Item": "item=(rope encumbrance=1)",
    "ArmorPiece": "armor=(leather cover=3 absorption=2)",
    "Body": "body=(attack=2)",
}
"""Examples of parts as they are typed."""
_PLAIN = re.compile(r"[a-z][a-z0-9_-]*\Z")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+.-]*(?<!\.)\Z")
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}\Z")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([Ee][+-]?[0-9]{1,3})?\Z")


MOST_NAMED = 6
"""The most fields that are suggested for a word."""


class LongOrder(Struct, frozen=True):
    """An order read from its long form.

    `left_out` names the references to what is open when the order is given, `said` the fields that it sets. `of_many`
    is True if a word for many people stood for those it is about.
    """

    command: Command
    left_out: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()
    of_many: bool = False


def actor_field(kind: type[Command]) -> str:
    """Return the field of an order that holds the actor, or "" if it has none."""
    return kind.actor if kind.actor in kind.__struct_fields__ else ""


def default_of(field: FieldInfo) -> Any:
    """Return the default of a field, or NODEFAULT if it is required."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def long_form(command: Command, open_exchange: int = 0) -> str:
    """Return the long form of a command, without references to what is open, and without what only the log knows."""
    kind = type(command)
    actor = actor_field(kind)
    skip = {"visibility", actor, *dice_fields(kind), *_unwritten(command, open_exchange)}
    words = [name_of(command), *_written(command, slots_of(name_of(command)), skip, open_exchange)]
    if isinstance(command, Ready) and len(words) == 1:
        # Without a number, `ready` makes as many points ready as possible.
        words.append(f"{IDLE[0]}=0")
    if command.visibility != "public":
        words.append(f"{SEEN}={command.visibility}")
    if faces := write_dice(command):
        words.append(f"[{faces}]")
    line = " ".join(words)
    return f"{getattr(command, actor)}: {line}" if actor else line


def _unwritten(command: Command, open_exchange: int) -> Iterator[str]:
    yield from (name for name in open_references(type(command)) if getattr(command, name) == open_exchange)
    if getattr(command, "on", "") == "action" and getattr(command, "exchange", 0) == open_exchange:
        yield "exchange"
    if isinstance(command, Open | Close):
        yield from ("commitment", "seed")


def _written(part: Struct, slots: Sequence[str], skip: set[str], open_exchange: int = 0) -> Iterator[str]:
    """Yield the words of an order or of a part of one: slots, then flags and fields that differ from their defaults."""
    kinds, shaped = fields_by_name(type(part)), shapes_by_name(type(part))
    # Always quote the name of a newcomer or a thing: after an id, a plain word could be a side.
    bare = [
        quoted_text(getattr(part, name))
        if name == "name" and getattr(part, name)
        else _slot(getattr(part, name), kinds[name], shaped[name])
        for name in slots
    ]
    rest = [
        word
        for name, field in kinds.items()
        if name not in slots and name not in skip
        for word in _field(name, getattr(part, field.name), field, shaped[name], open_exchange)
    ]
    # A flag is recognized only after all slots are filled.
    if not any(word in kinds for word in rest):
        while bare and bare[-1] == NO_VALUE_WORD and not _is_taken_from_hand(kinds[slots[len(bare) - 1]]):
            bare.pop()
    yield from bare
    yield from rest


def _slot(value: Any, field: FieldInfo, shape: FieldSpec) -> str:
    """Return the text of a value without a key; a dash stands for no value."""
    default = default_of(field)
    if value is None or (value in ("", ()) and value == default):
        return NO_VALUE_WORD
    return _value(value, shape)


def _field(name: str, value: Any, field: FieldInfo, shape: FieldSpec, open_exchange: int) -> Iterator[str]:
    default = default_of(field)
    if value == default and type(value) is type(default):
        return
    if shape.kind is bool:
        yield name if value else f"{name}=no"
    elif value is None:
        yield f"{name}={NO_VALUE_WORD}"
    elif shape.is_list and (_is_part(shape.inner.kind) or shape.inner.words):
        yield from (f"{name}={_value(one, shape.inner)}" for one in value)
    elif _is_part(shape.kind):
        yield f"{name}={_part(value, open_exchange)}"
    else:
        yield f"{name}={_value(value, shape)}"


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _part(part: Struct, open_exchange: int = 0) -> str:
    """Return a part of an order in parentheses."""
    skip = {"exchange"} if open_exchange and getattr(part, "exchange", 0) == open_exchange else set()
    return f"({' '.join(_written(part, PARTS.get(type(part).__name__, ()), skip))})"


def _value(value: Any, shape: FieldSpec) -> str:
    if _is_part(shape.kind):
        return _part(value)
    if shape.is_table:
        return f"({' '.join(f'{key}={_value(one, shape.inner)}' for key, one in value.items())})"
    if shape.is_list:
        return ",".join(_value(one, shape.inner) for one in value) or "()"
    if shape.names == ("ruling",):
        return f"#{value}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | Decimal):
        return str(value)
    return _text(str(value), shape)


def _text(text: str, shape: FieldSpec) -> str:
    """Return a text, in quotes if it would be read as something else without them."""
    number = shape.is_number_or_word and _WHOLE.match(text)
    plain = _PLAIN.match(text) if shape.words else _NAME.match(text)
    return text if plain and not number else quoted_text(text)


def write_patch(kind: type[Command], patch: Mapping[str, Any]) -> str:
    """Return the fields of a patch as they stand in parentheses: `attack_die=5 armor_die=(grob=2)`."""
    shaped = field_specs(kind)
    words = []
    for name, plain_value in patch.items():
        value = msgspec.convert(plain_value, shaped[name].hint) if name in shaped else plain_value
        if value is None or name not in shaped:
            words.append(f"{name}={NO_VALUE_WORD if value is None else quoted_text(str(value))}")
        elif shaped[name].is_list and (_is_part(shaped[name].inner.kind) or shaped[name].inner.words) and value:
            words += [f"{name}={_value(one, shaped[name].inner)}" for one in value]
        else:
            words.append(f"{name}={_value(value, shaped[name])}")
    return " ".join(words)


def read_long(parsed: ParsedOrder) -> LongOrder:
    """Return the order that a long line states, or raise BadInput for any other line.

    It is not checked that the people it names are in the fight.
    """
    words = list(parsed.words)
    if words and isinstance(words[0].value, DiceToken) and not words[0].key:
        words.insert(0, WordToken("", "resolve"))
    actor = ""
    if words and words[0].word.endswith(":"):
        actor = words.pop(0).word[:-1]
    if not words or not words[0].word:
        raise BadInput("An order begins with its name, like attack.", wrong=parsed.text)
    name = words.pop(0).word
    if name not in COMMANDS:
        raise BadInput(f'There is no order "{name}". {suggestion_text(name, COMMANDS)}', wrong=name, allowed=COMMANDS)
    kind = COMMANDS[name]
    fields = _fields_of(kind, words)
    if acting := actor_field(kind):
        if not actor:
            raise BadInput(f"Who does it? Put a name and a colon first: grob: {name} ….", place=name)
        fields[acting] = actor
    elif actor:
        raise BadInput(f"Nobody in particular does that. Leave out {actor}:", place=name)
    return make_long_order(kind, fields)


def make_long_order(kind: type[Command], fields: Mapping[str, Any]) -> LongOrder:
    """Return the order that plain field values make, or raise BadInput if they make none."""
    left_out = left_out_of(kind, fields)
    fields_of_it = clean_fields(kind, with_placeholders(fields, left_out))
    command = read_command({"do": name_of(kind)} | fields_of_it, place=name_of(kind))
    return LongOrder(command, left_out, frozenset(fields))


def _fields_of(kind: type[Command], words: list[WordToken]) -> dict[str, Any]:
    """Return the fields that the words of an order set, without those of the log itself."""
    name = name_of(kind)
    faces: dict[str, Any] = {}
    if words and isinstance(words[-1].value, DiceToken) and not words[-1].key:
        faces = read_dice(kind, str(words.pop().value))
    visibilities = [word.value for word in words if word.key == SEEN]
    if len(visibilities) > 1:
        raise BadInput("Give seen only once.", place=name, wrong=SEEN)
    fields = read_parts(
        kind,
        [word for word in words if word.key != SEEN],
        slots_of(name),
        name,
        skip={actor_field(kind), "visibility", "commitment", "seed", *dice_fields(kind)},
    )
    return fields | ({"visibility": visibilities[0]} if visibilities else {}) | faces


def read_parts(
    kind: type[Struct],
    words: Sequence[WordToken],
    slots: Sequence[str],
    place: str,
    skip: set[str] = frozenset(),  # type: ignore[assignment]  # it is never changed
) -> dict[str, Any]:
    """Return the fields that the words of an order, or of a part of one, set.

    Words without a key fill the slots in order, then set flags; others name their field. Raises BadInput.
    """
    field_infos = {name: field for name, field in fields_by_name(kind).items() if name not in skip}

    def find(name: str) -> str:
        if name not in field_infos:
            sentence = f'There is no "{name}" here. {suggestion_text(name, field_infos)}'
            raise BadInput(sentence, place=place, wrong=name, allowed=field_infos)
        return name

    fields, free = Fields(kind, place, find, to_plain), list(slots)
    for word in words:
        if word.key:
            fields.say(word)
        elif free:
            name = free.pop(0)
            if not word.is_dash:
                fields.put(name, to_plain(word.value, fields.shapes[name], f"{place}: {name}"))
            elif not field_infos[name].required:
                fields.put(name, default_of(field_infos[name]))
        elif word.word in field_infos and fields.shapes[word.word].kind is bool:
            fields.put(word.word, True)  # noqa: FBT003 - the value of a flag
        else:
            bare = word.word or "This text"
            way = next((name for name, shape in fields.shapes.items() if bare.lower() in shape.choices), "")
            kinds = (int, Decimal) if bare.lstrip("+-").isdecimal() else (str,)
            free = [
                name
                for name, shape in fields.shapes.items()
                if name not in fields.found and shape.kind in kinds and not shape.choices
            ]
            value = word.word or "…"
            forms = [f"{way}={bare.lower()}"] if way else [f"{name}={value}" for name in free[:MOST_NAMED]]
            ways = f". Type {list_words(forms, 'or')}." if forms else ", or leave it out."
            raise BadInput(f'Say what "{bare}" is{ways}', place=place, wrong=bare)
    return fields.found


def to_plain(value: TokenValue, shape: FieldSpec, place: str) -> Any:
    """Return a typed value as a plain one of that kind, or raise BadInput if it is of another kind."""
    if isinstance(value, DiceToken):
        raise BadInput("Put the faces of dice at the end, in brackets, like [4 5].", place=place, wrong=str(value))
    if _is_part(shape.kind):
        if not isinstance(value, tuple):
            example = _EXAMPLES.get(shape.kind.__name__, "")
            advice = f"Put the value in parentheses{f', as in {example}' if example else ''}."
            raise BadInput(advice, place=place, wrong=value)
        return read_parts(shape.kind, value, PARTS.get(shape.kind.__name__, ()), place)
    if shape.is_table:
        return _table(value, shape, place)
    if isinstance(value, tuple) and not (shape.is_list and not value):
        raise BadInput("must not be in parentheses.", place=place, wrong="(")
    if shape.is_list:
        parts = () if isinstance(value, tuple) else (value,) if isinstance(value, TextToken) else value.split(",")
        return [to_plain(part, shape.inner, place) for part in parts]
    assert isinstance(value, str)  # noqa: S101 - tables are handled above
    return str(value) if isinstance(value, TextToken) else _single(value, shape, place)


def _table(value: TokenValue, shape: FieldSpec, place: str) -> dict[str, Any]:
    if not isinstance(value, tuple) or not all(word.key for word in value):
        raise BadInput(
            "must be in parentheses: (name=value …).", place=place, wrong=value if isinstance(value, str) else "("
        )
    table: dict[str, Any] = {}
    for word in value:
        if word.key in table:
            raise BadInput(f"{word.key} is given twice. Give it once.", place=place, wrong=word.key)
        table[word.key] = to_plain(word.value, shape.inner, f"{place}.{word.key}")
    return table


def _single(word: str, shape: FieldSpec, place: str) -> Any:
    """Return one plain word as a value of that kind; an invalid one stays a word, which the order reader refuses."""
    if shape.kind is bool:
        if word not in ("yes", "no"):
            raise BadInput(f'must be yes or no, not "{word}".', place=place, wrong=word)
        return word == "yes"
    if shape.names == ("ruling",):
        word = word.removeprefix("#")
    if shape.kind is int or shape.is_number_or_word:
        return int(word) if _WHOLE.match(word) else word
    if shape.unit == "code":
        return word.upper()
    if shape.kind is Decimal:
        return word if _DECIMAL.match(word) else word.removesuffix("m")
    return word


def is_long(order: LongOrder) -> bool:
    """Return True if an order sets everything that the short form could infer, except references to what is open."""
    kind = type(order.command)
    field_infos = fields_by_name(kind)
    return not (kind is Ready and order.said.isdisjoint(IDLE)) and all(
        name in order.said
        for name in slots_of(name_of(kind))
        if field_infos[name].required or _is_taken_from_hand(field_infos[name])
    )


def _is_taken_from_hand(field: FieldInfo) -> bool:
    """Return True for a weapon field that the short form fills with the weapon in hand."""
    return field.name == "weapon" and field.default == ""
