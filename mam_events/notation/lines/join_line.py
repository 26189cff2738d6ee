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
_HIT_POINTS = re.compile(r"(?:hp:?([0-9]{1,9})|([0-9]{1,9})hp)\Z")
MAX_JOINS = 100
"""The most combatants of a kind that join at once."""


def parse_join_lines(parsed: ParsedOrder, people: Collection[str]) -> list[ParsedOrder]:
    """Return a join of several of a kind, `join rat foes hp=2 count=3`, as one join for each; any other order as it is.

    Each gets a number that none of those `people` has. Raises BadInput.
    """
    counts = [token for token in parsed.words if token.key == "count"]
    if not counts or parsed.words[0].word.lower() != "join":
        return [parsed]
    number = str(counts[0].value)
    if counts[1:] or not number.isdecimal() or len(number) > MOST_DIGITS or not 1 <= int(number) <= MAX_JOINS:
        raise BadInput(f"count must be one number, 1 to {MAX_JOINS}.", place="join", wrong=number)
    who, *rest = id_from_name([token for token in parsed.words[1:] if token.key != "count"]) or [WordToken("", "")]
    name = (
        str(rest.pop(0).value) if rest and (rest[0].is_dash or isinstance(rest[0].value, TextToken)) else NO_VALUE_WORD
    )
    if name == NO_VALUE_WORD and (name_token := next((token for token in rest if token.key == "name"), None)):
        rest.remove(name_token)
        name = str(name_token.value)
    name = str(who.value).capitalize() if name == NO_VALUE_WORD else name
    free = (n for n in range(1, len(people) + MAX_JOINS + 1) if f"{who.value}-{n}" not in people)
    words = [WordToken("", "join")]
    return [
        parsed._replace(
            words=(*words, WordToken("", f"{who.value}-{n}"), WordToken("", TextToken(f"{name} {n}")), *rest)
        )
        for n in (next(free) for _ in range(int(number)))
    ]


def with_count(parsed: ParsedOrder, sides: Callable[[], Collection[str]]) -> ParsedOrder:
    """Return a join with the number of a kind as its count: `join 3 Bandits`, `join two orcs`, `join Rat x3`.

    Raises BadInput for a number before a word that is no plural, or that is one of the `sides` and could also be the
    name.
    """
    if not parsed.words or parsed.words[0].word.lower() != "join":
        return parsed
    first, *words = parsed.words
    times = [token for token in words if not token.key and _TIMES.match(token.word.lower())]
    if len(times) == 1 and words[0] is not times[0]:
        words = [token for token in words if token is not times[0]]
        return parsed._replace(words=(first, *words, WordToken("count", times[0].word[1:])))
    if [token.word.lower() for token in words[1:2]] == ["x"]:
        del words[1]
    leading = words[0].word.lower() if words else ""
    if leading == "one" and words[1:]:
        return parsed._replace(words=(first, *words[1:]))
    number = NUMBERS.get(leading, leading.removesuffix("x"))
    if not number.isdecimal() or len(words) < len(("number", "kind")) or not words[1].word.isalpha():
        return parsed
    # A kind of several words has capitals: `3 Cave Rats`.
    capitals = list(takewhile(lambda token: token.word.isalpha() and not token.word.islower(), words[1:]))
    name_tokens = capitals or words[1:2]
    *before, kind = (token.word for token in name_tokens)
    # `join 7 foes` could also mean one combatant called 7 on that side.
    names_side = not any(token.word and not token.key for token in words[2:3]) and kind in sides()
    if names_side or singular_form(kind) == kind:
        name = " ".join([*before, singular_form(kind).capitalize()])
        forms = f"join {name} SIDE … count={number}, or join {name}-{number} SIDE … for one of that name"
        what = " ".join([words[0].word, *before, kind])
        raise BadInput(
            f'"{what}" could be a name, or a number and a name. Type {forms}.', place="join", wrong=words[0].word
        )
    one = [WordToken("", word) for word in (*before, singular_form(kind))]
    return parsed._replace(words=(first, *one, *words[1 + len(name_tokens) :], WordToken("count", number)))


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
    fields, slots = Fields(Join, "join", find, short_part, lambda _, name: name.lower()), list(slots_of("join"))
    after = with_amounts(Join, _with_hit_points(words[1:]), lambda _, __: False)
    rest = id_from_name([*words[:1], *_with_things(_with_codes(after))])
    while rest:
        word = rest.pop(0)
        flag = word.word.replace("-", "_")
        if word.key:
            fields.say(_full_kind(as_code(_as_thing(word))))
        elif word.word.lower() == HIDDEN_WORD:
            fields.put("visibility", "gm")
        elif (field := _THING_WORDS.get(word.word.lower())) and rest and rest[0].word:
            part, rest = _read_thing(rest, field) or (WordToken(field, tuple(rest[:1])), rest[1:])
            fields.say(part)
        elif flag in fields.shapes and fields.shapes[flag].kind is bool:
            fields.put(flag, True)  # noqa: FBT003 - the value of a flag
        elif slots in ([], ["kind"]) and (thing := _read_thing([word, *rest])):
            part, rest = thing
            fields.say(part)
        elif not slots or (slots[0] == "kind" and _is_no_kind(word)):
            forms = f"w=({word.value} power=1) for a weapon, or a name and = before it, like side={word.value}"
            raise BadInput(f'"{word.value}" is unclear here. Type {forms}.', place="join", wrong=str(word.value))
        else:
            slot = slots.pop(0)
            if not word.is_dash:
                value = _full_kind(WordToken(slot, word.value)).value
                fields.put(slot, short_part(value, fields.shapes[slot], f"join: {slot}"))
    for weapon in fields.found.get("weapon", ()):
        _check_weapon(weapon)
    return make_long_order(Join, fields.found)


def _is_no_kind(word: WordToken) -> bool:
    """Return True for a word that is no kind of combatant, nor a mistyped one."""
    kinds, low = field_specs(Join)["kind"].choices, word.word.lower()
    return bool(low) and not match_prefix(low, kinds, len("np")) and not closest_name(low, kinds)


def check_codes(fight: LineContext, newcomer: Command) -> None:
    """Raise BadInput for a code whose name is the beginning of a skill that actions use: `per=3D`."""
    actions = fight.ruleset.tables.rd6_actions if fight.ruleset.edition.counts_actions else {}
    skills = {"perception", "agility", *(skill for row in actions.values() for skill in row.skills)}
    for name in getattr(newcomer, "code", {}) if actions else ():
        matches = sorted(skill for skill in skills if skill.startswith(name.lower()))
        if matches and not any(name.lower() in skill.split() for skill in skills):
            raise BadInput(f'No code is called "{name}". Did you mean {either_or(matches)}?', place="join", wrong=name)


def _check_weapon(weapon: Mapping[str, object]) -> None:
    """Raise BadInput for a bow or a gun without a range or a kind, and for a weapon with a code in its name."""
    name = str(weapon.get("name") or weapon.get("id", ""))
    if CODE.match(name.rpartition(" ")[2]):
        code = name.rpartition(" ")[2]
        message = f"A code belongs to a skill, as in melee-combat={code}. For what a weapon adds, type power=2."
        raise BadInput(f'No weapon is called "{name}". {message}', place="join", wrong=name)
    if is_launcher_name(name) and not weapon.keys() & {"kind", "range", "shots", "reload"}:
        raise BadInput(
            f"{name} has no range. Type w=({name} … range=30) to shoot, or w=({name} … kind=hand) if it only strikes.",
            place="join",
            wrong=name,
        )


def _full_kind(token: WordToken) -> WordToken:
    """Return the word with an abbreviated kind of combatant in full: `boss`; any other word as it is."""
    if token.key != "kind" or not isinstance(token.value, str):
        return token
    kinds = match_prefix(token.value.lower(), field_specs(Join)["kind"].choices, len("np"))
    return token._replace(value=kinds[0]) if len(kinds) == 1 else token


def _as_thing(token: WordToken) -> WordToken:
    """Return a thing given only by its name as a part: `w=Dagger`; any other word as it is."""
    return token._replace(value=(WordToken("", token.value),)) if _thing_field(token) else token


def _thing_field(token: WordToken) -> str:
    """Return the field that a thing given only by its name is for: `weapon` for `w=Dagger`; "" for any other word."""
    if not token.key or not isinstance(token.value, str) or token.is_dash or "," in token.value:
        return ""
    rank, matches = match_words(token.key.lower(), fields_by_name(Join))
    field = matches[0] if rank == EXACT and matches else SHORT_FIELDS.get(token.key.lower(), "")
    return field if field in _THINGS else ""


def _with_things(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with each thing given by its name, and the fields after it, as a part: `weapon=axe pow=3`."""
    tokens, rest = [], list(words)
    while rest:
        token = rest.pop(0)
        field = _thing_field(token)
        if field and (thing := _read_thing([WordToken("", token.value), *rest], field)):
            token, rest = thing
        tokens.append(token)
    return tokens


def _with_hit_points(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with hit points in other forms as a field: `hp4`, `hp:4`, `4hp` and `4 hp`."""
    tokens: list[WordToken] = []
    for at, token in enumerate(words):
        before = tokens[-1].word if tokens else ""
        follows = words[at + 1].word if words[at + 1 :] else ""
        if match := _HIT_POINTS.match(token.word.lower()):
            tokens.append(WordToken("hp", match[1] or match[2], token.comma))
        elif token.word.lower() == "hp" and before.isdecimal() and not follows.isdecimal():
            tokens[-1] = WordToken("hp", before, token.comma)
        else:
            tokens.append(token)
    return tokens


def as_code(token: WordToken) -> WordToken:
    """Return a code with its own key as an entry of the codes: `perception=3D`; any other word as it is."""
    if isinstance(token.value, tuple) and token.key and field_named(Join, token.key, "join") == "code":
        return token._replace(value=tuple(_with_codes(token.value)))
    a_code = isinstance(token.value, str) and CODE.match(token.value) and not token.key.startswith("code.")
    return (
        token._replace(key=f"code.{token.key}")
        if a_code and not match_words(token.key.lower(), fields_by_name(Join))[1]
        else token
    )


def _with_codes(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with each name and the code after it joined, without a sign between: `agility 4D+1`."""
    tokens: list[WordToken] = []
    for token in words:
        before = tokens[-1] if tokens else WordToken("", "")
        name = before.word.lower().removesuffix(":")
        if CODE.match(token.word) and not token.key and name.replace("-", "").isalpha():
            tokens[-1] = WordToken(name, token.word)
        else:
            tokens.append(token)
    return tokens


HIDDEN_WORD = "hidden"
"""The word for a combatant whom only the game master sees."""
_THING_WORDS = {"weapon": "weapon", "w": "weapon", "armor": "armor", "armour": "armor", "item": "item"}
"""Words before the name of a thing: `weapon longbow`."""
_THINGS: Mapping[str, type[Struct]] = {"weapon": Weapon, "armor": ArmorPiece, "item": Item}
"""The fields for things that a combatant brings along, and their types."""


def _read_thing(words: Sequence[WordToken], field: str = "") -> tuple[WordToken, list[WordToken]] | None:
    """Return a thing without parentheses, `shield parry=1`, as a part, and the words after it; None if there is none.

    Raises BadInput if it could be of several types and no `field` is given.
    """
    for kind in _THINGS.values():
        words = [*words[:1], *with_amounts(kind, words[1:], lambda _, __: False, cuts=True)]
    name = list(takewhile(lambda token: token.word and not token.key and not token.is_dash, words))
    if len(name) > 1 and any(token.word.islower() for token in name):
        return None
    kinds = field_specs(Join)["kind"].choices
    if not name or match_prefix(name[0].word.lower(), kinds) or closest_name(name[0].word.lower(), kinds):
        return None
    after = words[len(name) :]
    counts = {field: len(list(takewhile(partial(_is_of, kind), after))) for field, kind in _THINGS.items()}
    most = max(counts.values())
    matches = [field for field, count in counts.items() if count == most]
    if not most:
        return None
    if "weapon" in matches and any(match_words(token.key, ["power"])[1] for token in after[:most]):
        # A power means a weapon: other things need one only to be heaved, and rarely state it.
        matches = ["weapon"]
    part = (*name, *after[:most])
    if field in matches:
        matches = [field]
    if len(matches) > 1:
        line = " ".join(f"{token.key}={token.value}" if token.key else token.word for token in part)
        ways = either_or([f"{field}=({line})" for field in matches])
        raise BadInput(f"Say what {' '.join(token.word for token in name)} is. Type {ways}.", place="join")
    return WordToken(matches[0], part), list(after[most:])


def _is_of(kind: type[Struct], token: WordToken) -> bool:
    """Return True for a word that sets a field of such a thing."""
    low, own = token.key.lower(), fields_by_name(kind)
    if not low or not isinstance(token.value, str):
        return False
    rank, names = match_words(low, own)
    bearers = match_words(low, fields_by_name(Join))
    if bearers[0] == EXACT and bearers[1] and rank != EXACT:
        return False
    return len(names) == 1 or SHORT_FIELDS.get(low, "") in own
