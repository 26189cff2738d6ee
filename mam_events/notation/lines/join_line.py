"""Combatants as they are typed: `join Dov travellers pc hp=9 w=(Lance pow=3 reach=3)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import takewhile

from msgspec import Struct

from mam_events.commands import Command, Join
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.log.newcomers import is_launcher_name
from mam_events.notation.context import LineContext
from mam_events.notation.grammar.fields import Fields, fields_by_name
from mam_events.notation.grammar.long_form import LongOrder, make_long_order
from mam_events.notation.grammar.names import either_or
from mam_events.notation.grammar.nested_values import (
    CODE,
    SHORT_FIELDS,
    field_named,
    id_from_name,
    short_part,
    with_amounts,
)
from mam_events.notation.grammar.positional_fields import slots_of
from mam_events.notation.grammar.vocabulary import NUMBERS
from mam_events.notation.lexer.lexer import (
    EXACT,
    MOST_DIGITS,
    NO_VALUE_WORD,
    ParsedOrder,
    TextToken,
    WordToken,
    match_prefix,
    match_words,
)
from mam_events.refusals.suggestions import closest_name
from mam_events.state import ArmorPiece, Item, Weapon

_TIMES = re.compile(r"x[0-9]{1,3}\Z")
MAX_JOINS = 100
"""The most combatants of a kind that join at once."""


def parse_join_lines(written: ParsedOrder, people: Collection[str]) -> list[ParsedOrder]:
    """Return a join of several of a kind, `join rat foes hp=2 count=3`, as one join for each; any other order as it is.

    Each gets a number that none of those `people` has. Raises BadInput.
    """
    counts = [said for said in written.words if said.key == "count"]
    if not counts or written.words[0].word.lower() != "join":
        return [written]
    number = str(counts[0].value)
    if counts[1:] or not number.isdecimal() or len(number) > MOST_DIGITS or not 1 <= int(number) <= MAX_JOINS:
        raise BadInput(f"count must be one number, 1 to {MAX_JOINS}.", place="join", wrong=number)
    who, *rest = id_from_name([said for said in written.words[1:] if said.key != "count"]) or [WordToken("", "")]
    name = (
        str(rest.pop(0).value) if rest and (rest[0].nothing or isinstance(rest[0].value, TextToken)) else NO_VALUE_WORD
    )
    if name == NO_VALUE_WORD and (named := next((said for said in rest if said.key == "name"), None)):
        rest.remove(named)
        name = str(named.value)
    name = str(who.value).capitalize() if name == NO_VALUE_WORD else name
    free = (n for n in range(1, len(people) + MAX_JOINS + 1) if f"{who.value}-{n}" not in people)
    words = [WordToken("", "join")]
    return [
        written._replace(
            words=(*words, WordToken("", f"{who.value}-{n}"), WordToken("", TextToken(f"{name} {n}")), *rest)
        )
        for n in (next(free) for _ in range(int(number)))
    ]


def with_count(written: ParsedOrder, sides: Callable[[], Collection[str]]) -> ParsedOrder:
    """Return a join with the number of a kind as its count: `join 3 Bandits`, `join two orcs`, `join Rat x3`.

    Raises BadInput for a number before a word that is no plural, or that is one of the `sides` and could also be the
    name.
    """
    if not written.words or written.words[0].word.lower() != "join":
        return written
    first, *words = written.words
    times = [said for said in words if not said.key and _TIMES.match(said.word.lower())]
    if len(times) == 1 and words[0] is not times[0]:
        words = [said for said in words if said is not times[0]]
        return written._replace(words=(first, *words, WordToken("count", times[0].word[1:])))
    if [said.word.lower() for said in words[1:2]] == ["x"]:
        del words[1]
    leading = words[0].word.lower() if words else ""
    if leading == "one" and words[1:]:
        return written._replace(words=(first, *words[1:]))
    number = NUMBERS.get(leading, leading.removesuffix("x"))
    if not number.isdecimal() or len(words) < len(("number", "kind")) or not words[1].word.isalpha():
        return written
    # A kind of several words has capitals in all of them: `3 Cave Rats`.
    capitals = list(takewhile(lambda said: said.word.isalpha() and not said.word.islower(), words[1:]))
    named = capitals or words[1:2]
    *before, kind = (said.word for said in named)
    # `join 7 foes` could be one called 7 of that side.
    names_side = not any(said.word and not said.key for said in words[2:3]) and kind in sides()
    if names_side or singular_form(kind) == kind:
        name = " ".join([*before, singular_form(kind).capitalize()])
        told = f"join {name} SIDE … count={number}, or join {name}-{number} SIDE … for one of that name"
        what = " ".join([words[0].word, *before, kind])
        raise BadInput(f'"{what}" could be a number of them or a name. Type {told}.', place="join", wrong=words[0].word)
    one = [WordToken("", word) for word in (*before, singular_form(kind))]
    return written._replace(words=(first, *one, *words[1 + len(named) :], WordToken("count", number)))


_IN_F = ("wolves", "elves", "dwarves", "thieves", "halves", "calves", "shelves")
_ENDINGS = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("ss", "ss"), ("s", ""))


def singular_form(plural: str) -> str:
    """Return the singular of a word; the same word if it is no plural."""
    low = plural.lower()
    if any(low.endswith(one) for one in _IN_F):
        return f"{plural[:-3]}f"
    ending = next(((end, one) for end, one in _ENDINGS if low.endswith(end)), ("", ""))
    return f"{plural[: len(plural) - len(ending[0])]}{ending[1]}"


def parse_join_line(words: Sequence[WordToken]) -> LongOrder:
    """Return the join that those words mean; raise BadInput if they are invalid."""
    find = partial(field_named, Join, place="join")
    said, slots = Fields(Join, "join", find, short_part, lambda _, name: name.lower()), list(slots_of("join"))
    rest = id_from_name([*words[:1], *_with_codes(with_amounts(Join, words[1:], lambda _, __: False))])
    while rest:
        word = rest.pop(0)
        flag = word.word.replace("-", "_")
        if word.key:
            said.say(_kind_said(as_code(_as_thing(word))))
        elif word.word.lower() == HIDDEN_WORD:
            said.put("visibility", "gm")
        elif (field := _THING_WORDS.get(word.word.lower())) and rest and rest[0].word:
            part, rest = _thing_said(rest, field) or (WordToken(field, tuple(rest[:1])), rest[1:])
            said.say(part)
        elif flag in said.shapes and said.shapes[flag].kind is bool:
            said.put(flag, True)  # noqa: FBT003 - the value of a flag
        elif slots in ([], ["kind"]) and (thing := _thing_said([word, *rest])):
            part, rest = thing
            said.say(part)
        elif not slots or (slots[0] == "kind" and _is_no_kind(word)):
            told = f"w=({word.value} power=1) for a weapon, FIELD={word.value} for anything else"
            raise BadInput(f'"{word.value}" is unclear. Type {told}.', place="join", wrong=str(word.value))
        else:
            slot = slots.pop(0)
            if not word.nothing:
                value = _kind_said(WordToken(slot, word.value)).value
                said.put(slot, short_part(value, said.shapes[slot], f"join: {slot}"))
    for weapon in said.found.get("weapon", ()):
        _check_weapon(weapon)
    return make_long_order(Join, said.found)


def _is_no_kind(word: WordToken) -> bool:
    """Return True for a word that is no kind of combatant, nor a mistyped one."""
    kinds, low = field_specs(Join)["kind"].choices, word.word.lower()
    return bool(low) and not match_prefix(low, kinds, len("np")) and not closest_name(low, kinds)


def check_codes(fight: LineContext, newcomer: Command) -> None:
    """Raise BadInput for a code whose name is the beginning of a skill that actions use: `per=3D`."""
    actions = fight.ruleset.tables.rd6_actions if fight.ruleset.edition.counts_actions else {}
    known = {"perception", "agility", *(skill for row in actions.values() for skill in row.skills)}
    for name in getattr(newcomer, "code", {}) if actions else ():
        meant = sorted(skill for skill in known if skill.startswith(name.lower()))
        if meant and not any(name.lower() in skill.split() for skill in known):
            raise BadInput(f'No code is called "{name}". Did you mean {either_or(meant)}?', place="join", wrong=name)


def _check_weapon(weapon: Mapping[str, object]) -> None:
    """Raise BadInput for a bow or a gun without a range or a kind, and for a weapon with a code in its name."""
    name = str(weapon.get("name") or weapon.get("id", ""))
    if CODE.match(name.rpartition(" ")[2]):
        code = name.rpartition(" ")[2]
        told = f"A code belongs to a skill, as in melee-combat={code}. For what a weapon adds, type power=2."
        raise BadInput(f'No weapon is called "{name}". {told}', place="join", wrong=name)
    if is_launcher_name(name) and not weapon.keys() & {"kind", "range", "shots", "reload"}:
        raise BadInput(
            f"{name} has no range. Type w=({name} … range=30) to shoot, or w=({name} … kind=hand) if it only strikes.",
            place="join",
            wrong=name,
        )


def _kind_said(said: WordToken) -> WordToken:
    """Return the word with an abbreviated kind of combatant in full: `boss`; any other word as it is."""
    if said.key != "kind" or not isinstance(said.value, str):
        return said
    kinds = match_prefix(said.value.lower(), field_specs(Join)["kind"].choices, len("np"))
    return said._replace(value=kinds[0]) if len(kinds) == 1 else said


def _as_thing(said: WordToken) -> WordToken:
    """Return a thing given only by its name as a part: `w=Dagger`; any other word as it is."""
    if not isinstance(said.value, str) or said.nothing or "," in said.value:
        return said
    rank, found = match_words(said.key.lower(), fields_by_name(Join))
    field = found[0] if rank == EXACT and found else SHORT_FIELDS.get(said.key.lower(), "")
    return said._replace(value=(WordToken("", said.value),)) if field in _THINGS else said


def as_code(said: WordToken) -> WordToken:
    """Return a code with its own key as an entry of the codes: `perception=3D`; any other word as it is."""
    if isinstance(said.value, tuple) and said.key and field_named(Join, said.key, "join") == "code":
        return said._replace(value=tuple(_with_codes(said.value)))
    a_code = isinstance(said.value, str) and CODE.match(said.value) and not said.key.startswith("code.")
    return (
        said._replace(key=f"code.{said.key}")
        if a_code and not match_words(said.key.lower(), fields_by_name(Join))[1]
        else said
    )


def _with_codes(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with each name and the code after it joined, without a sign between: `agility 4D+1`."""
    found: list[WordToken] = []
    for said in words:
        before = found[-1] if found else WordToken("", "")
        name = before.word.lower().removesuffix(":")
        if CODE.match(said.word) and not said.key and name.replace("-", "").isalpha():
            found[-1] = WordToken(name, said.word)
        else:
            found.append(said)
    return found


HIDDEN_WORD = "hidden"
"""The word for a combatant whom only the game master sees."""
_THING_WORDS = {"weapon": "weapon", "w": "weapon", "armor": "armor", "armour": "armor", "item": "item"}
"""Words before the name of a thing: `weapon longbow`."""
_THINGS: Mapping[str, type[Struct]] = {"weapon": Weapon, "armor": ArmorPiece, "item": Item}
"""The fields for things that a combatant brings along, and their types."""


def _thing_said(words: Sequence[WordToken], field: str = "") -> tuple[WordToken, list[WordToken]] | None:
    """Return a thing without parentheses, `shield parry=1`, as a part, and the words after it; None if there is none.

    Raises BadInput if it could be of several types and no `field` is given.
    """
    for kind in _THINGS.values():
        words = [*words[:1], *with_amounts(kind, words[1:], lambda _, __: False, cuts=True)]
    name = list(takewhile(lambda said: said.word and not said.key and not said.nothing, words))
    if len(name) > 1 and any(said.word.islower() for said in name):
        return None
    kinds = field_specs(Join)["kind"].choices
    if not name or match_prefix(name[0].word.lower(), kinds) or closest_name(name[0].word.lower(), kinds):
        return None
    behind = words[len(name) :]
    counts = {field: len(list(takewhile(partial(_is_of, kind), behind))) for field, kind in _THINGS.items()}
    most = max(counts.values())
    found = [field for field, count in counts.items() if count == most]
    if not most:
        return None
    if "weapon" in found and any(match_words(said.key, ["power"])[1] for said in behind[:most]):
        # A thing has power only if it is heaved, which is rarely stated.
        found = ["weapon"]
    part = (*name, *behind[:most])
    if field in found:
        found = [field]
    if len(found) > 1:
        told = " ".join(f"{said.key}={said.value}" if said.key else said.word for said in part)
        ways = either_or([f"{field}=({told})" for field in found])
        raise BadInput(f"What is {' '.join(said.word for said in name)}? Type {ways}.", place="join")
    return WordToken(found[0], part), list(behind[most:])


def _is_of(kind: type[Struct], said: WordToken) -> bool:
    """Return True for a word that sets a field of such a thing."""
    low, own = said.key.lower(), fields_by_name(kind)
    if not low or not isinstance(said.value, str):
        return False
    rank, names = match_words(low, own)
    bearers = match_words(low, fields_by_name(Join))
    if bearers[0] == EXACT and bearers[1] and rank != EXACT:
        return False
    return len(names) == 1 or SHORT_FIELDS.get(low, "") in own
