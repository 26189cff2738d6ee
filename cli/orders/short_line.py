"""Orders in the notation of the table: `attack clone p1`, `ready o4`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.orders.syntax import command_field_specs
from mam_events.commands import COMMANDS
from mam_events.notation.grammar.long_form import actor_field
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.grammar.vocabulary import ORDER_LETTERS, OWN_NUMBER, VERBS
from mam_events.notation.lexer.lexer import quoted_text


def short_word(do: str, field: str) -> str:
    """Return the word for a field of an order in a line.

    It is `p` for power, the name of a flag, "" for a bare word, and the name with an equals sign for other fields.
    """
    own = OWN_NUMBER.get(do, ())
    if field in slots_of(do) or field == actor_field(COMMANDS[do]) or own[:1] == (field,):
        return ""
    if field in command_field_specs(do) and command_field_specs(do)[field].kind is bool:
        return field
    letter = next((letter for letter, names in ORDER_LETTERS.items() if field in names), "")
    return letter or f"{field}="


def short_line(do: str, fields: Mapping[str, Any]) -> str:
    """Return an order as a line that begins with its actor; a value of None is left out."""
    actor = actor_field(COMMANDS[do])
    who = fields.get(actor) or ""
    verb = fields.get(VERBS.get(do, ""))
    words = [who, str(verb).replace("_", "-") if verb else do]
    rest = {name: value for name, value in fields.items() if name != actor and value is not None}
    if verb:
        del rest[VERBS[do]]
    bare = True
    for slot in slots_of(do):
        # After an omitted slot, a bare value would be read as that slot.
        bare = bare and (slot in rest or slot == VERBS.get(do))
        if bare and slot in rest:
            words.append(_value(do, slot, rest.pop(slot)))
    words += [part for name, value in rest.items() for part in _field(do, name, value)]
    return " ".join(filter(None, words))


def _field(do: str, name: str, value: Any) -> Iterator[str]:
    word = short_word(do, name)
    if value is True:
        yield name
    elif value is False or value in ("", ()):
        return
    elif isinstance(value, Mapping):
        yield from (f"{name}.{key}={_value(do, name, inner)}" for key, inner in value.items())
    elif isinstance(value, list | tuple):
        yield f"{name}={','.join(str(one) for one in value)}"
    else:
        # A value that can't be bare gets its name.
        yield f"{word or ('' if OWN_NUMBER.get(do, ())[:1] == (name,) else f'{name}=')}{_value(do, name, value)}"


def _value(do: str, name: str, value: Any) -> str:
    text = str(value)
    words = command_field_specs(do)[name].words if name in command_field_specs(do) else False
    return quoted_text(text) if words and name not in ("what", "skill") else text
