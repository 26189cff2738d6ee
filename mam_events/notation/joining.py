"""Combatants as they are typed: `join Dov travellers pc hp=9 w=(Lance pow=3 reach=3)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mam_events.commands import Join
from mam_events.errors import BadInput
from mam_events.notation.long_form import LongOrder, order_of, plain
from mam_events.notation.parts import called, check_table, field_named, short_part
from mam_events.notation.places import SLOTS
from mam_events.notation.words import Said
from mam_events.shapes import shapes


def joined(words: Sequence[Said]) -> LongOrder:
    """The joining that those words say; raises BadInput."""
    shaped, slots = shapes(Join), list(SLOTS["join"])
    found: dict[str, Any] = {}
    for word in called(words):
        name, _, part = word.key.partition(".")
        if not name:
            _bare(found, word, slots)
            continue
        field = field_named(Join, name, "join")
        shape = shaped[field]
        if part:
            check_table(shape, field, "join")
            found.setdefault(field, {})[part] = plain(word.value, shape.inner, f"join: {field}")
        elif field in found and not shape.several:
            raise BadInput(f"{field} is said twice.", place="join", wrong=field)
        elif shape.several and isinstance(word.value, tuple):
            found.setdefault(field, []).append(short_part(shape.inner, word.value, f"join: {field}"))
        else:
            found[field] = short_part(shape, word.value, f"join: {field}")
    return order_of(Join, found)


def _bare(found: dict[str, Any], word: Said, slots: list[str]) -> None:
    flag = word.word.replace("-", "_")
    if flag in shapes(Join) and shapes(Join)[flag].kind is bool:
        found[flag] = True
    elif not slots:
        raise BadInput(f'nothing stands bare there any more, so what is "{word.value}"?', place="join")
    else:
        name = slots.pop(0)
        if word.word == "-":
            return
        found[name] = plain(word.value, shapes(Join)[name], f"join: {name}")
