"""Combatants as they are typed: `join Dov travellers pc hp=9 w=(Lance pow=3 reach=3)`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial

from mam_events.commands import Join
from mam_events.errors import BadInput
from mam_events.notation.fields import Fields, fields_by_name
from mam_events.notation.long_form import LongOrder, order_of
from mam_events.notation.parts import CODE, called, field_named, short_part, with_amounts
from mam_events.notation.places import SLOTS
from mam_events.notation.words import MOST_DIGITS, NOTHING, Quoted, Said, Written, ranked

_TIMES = re.compile(r"x[0-9]{1,3}\Z")
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=2
    )
}
"""Numbers in words, as people say how many join."""
MOST = 100
"""So many of a kind join at once, at most."""


def joinings(written: Written, people: Collection[str]) -> list[Written]:
    """Return a joining of several of a kind, `join rat foes hp=2 count=3`, as one for each, under a number of its own
    that none of those `people` has; any other order as it is. Raises BadInput.
    """
    counts = [said for said in written.words if said.key == "count"]
    if not counts or written.words[0].word.lower() != "join":
        return [written]
    number = str(counts[0].value)
    if counts[1:] or not number.isdecimal() or len(number) > MOST_DIGITS or not 1 <= int(number) <= MOST:
        raise BadInput(f"count is one number, 1 to {MOST}.", place="join", wrong=number)
    who, *rest = called([said for said in written.words[1:] if said.key != "count"]) or [Said("", "")]
    name = str(rest.pop(0).value) if rest and (rest[0].nothing or isinstance(rest[0].value, Quoted)) else NOTHING
    if name == NOTHING and (named := next((said for said in rest if said.key == "name"), None)):
        rest.remove(named)
        name = str(named.value)
    name = str(who.value).capitalize() if name == NOTHING else name
    free = (n for n in range(1, len(people) + MOST + 1) if f"{who.value}-{n}" not in people)
    words = [Said("", "join")]
    return [
        written._replace(words=(*words, Said("", f"{who.value}-{n}"), Said("", Quoted(f"{name} {n}")), *rest))
        for n in (next(free) for _ in range(int(number)))
    ]


def with_count(written: Written) -> Written:
    """Return a joining with the number of a kind as its count: `join 3 Bandits`, `join two orcs`, `join Rat x3`.

    Raises BadInput for a number before one that is no plural, which could as well be the name.
    """
    if not written.words or written.words[0].word.lower() != "join":
        return written
    first, *words = written.words
    times = [said for said in words if not said.key and _TIMES.match(said.word.lower())]
    if len(times) == 1 and words[0] is not times[0]:
        words = [said for said in words if said is not times[0]]
        return written._replace(words=(first, *words, Said("count", times[0].word[1:])))
    number = NUMBERS.get(words[0].word.lower(), words[0].word) if words else ""
    if not number.isdecimal() or len(words) < len(("number", "kind")) or not words[1].word.isalpha():
        return written
    kind = words[1].word
    # `join 7 foes` could be one called 7 of that side.
    names_side = kind.islower() and not any(said.word and not said.key for said in words[2:3])
    if names_side or not kind.lower().endswith("s"):
        name = kind.removesuffix("s").capitalize()
        told = f"join {name} SIDE … count={number}, or join {name}-{number} SIDE … for one of that name"
        raise BadInput(f'"{number} {kind}" could be so many, or a name: {told}.', place="join", wrong=words[0].word)
    one = Said("", f"{kind[:-3]}f" if kind.lower().endswith("ves") else kind[:-1])
    return written._replace(words=(first, one, *words[2:], Said("count", number)))


def joined(words: Sequence[Said]) -> LongOrder:
    """The joining that those words say; raises BadInput."""
    find = partial(field_named, Join, place="join")
    said, slots = Fields(Join, "join", find, short_part, lambda _, name: name.lower()), list(SLOTS["join"])
    for word in called([*words[:1], *with_amounts(Join, words[1:], lambda _: False)]):
        flag = word.word.replace("-", "_")
        if word.key:
            said.say(_as_code(word))
        elif flag in said.shapes and said.shapes[flag].kind is bool:
            said.put(flag, True)  # noqa: FBT003 - the value of a flag
        elif not slots:
            raise BadInput(f'nothing stands bare there any more, so what is "{word.value}"?', place="join")
        else:
            slot = slots.pop(0)
            if not word.nothing:
                said.put(slot, short_part(word.value, said.shapes[slot], f"join: {slot}"))
    return order_of(Join, said.found)


def _as_code(said: Said) -> Said:
    """A code said by itself as an entry of the codes: `perception=3D`; any other word as it is."""
    a_code = isinstance(said.value, str) and CODE.match(said.value)
    return (
        said._replace(key=f"code.{said.key}")
        if a_code and not ranked(said.key.lower(), fields_by_name(Join))[1]
        else said
    )
