"""Combatants as they are typed: `join Dov travellers pc hp=9 w=(Lance pow=3 reach=3)`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mam_events.commands import Join
from mam_events.errors import BadInput
from mam_events.notation.fields import Fields
from mam_events.notation.long_form import LongOrder, order_of
from mam_events.notation.parts import called, field_named, short_part
from mam_events.notation.places import SLOTS
from mam_events.notation.words import Said


def joined(words: Sequence[Said]) -> LongOrder:
    """The joining that those words say; raises BadInput."""
    find = partial(field_named, Join, place="join")
    said, slots = Fields(Join, "join", find, short_part, lambda _, name: name), list(SLOTS["join"])
    for word in called(words):
        flag = word.word.replace("-", "_")
        if word.key:
            said.say(word)
        elif flag in said.shapes and said.shapes[flag].kind is bool:
            said.put(flag, True)  # noqa: FBT003 - the value of a flag
        elif not slots:
            raise BadInput(f'nothing stands bare there any more, so what is "{word.value}"?', place="join")
        else:
            slot = slots.pop(0)
            if not word.nothing:
                said.put(slot, short_part(word.value, said.shapes[slot], f"join: {slot}"))
    return order_of(Join, said.found)
