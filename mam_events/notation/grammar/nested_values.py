"""Parts of short orders: fields whose names may be abbreviated, and things that have a capitalized name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from itertools import takewhile
from typing import Any

from msgspec import Struct

from mam_events.errors import BadInput
from mam_events.field_specs import FieldSpec
from mam_events.notation.grammar.fields import fields_by_name, shapes_by_name
from mam_events.notation.grammar.long_form import read_parts, to_plain
from mam_events.notation.grammar.vocabulary import ORDER_LETTERS, PARTS
from mam_events.notation.hints.advice import FIELD_ADVICE
from mam_events.notation.lexer.lexer import CUT, NO_VALUE_WORD, TextToken, TokenValue, WordToken, match_words
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import make_id
from mam_events.state import ArmorPiece
from mam_events.values import SLUG

SHORT_FIELDS = {
    "at": "attack",
    "att": "attack",
    "df": "defense",
    "cp": "character_points",
    "fp": "fate_points",
    "w": "weapon",
    "diff": "difficulty",
    "mod": "modifier",
    "pow": "power",
}
"""Short names of fields that are no beginnings of the full names, or beginnings of several."""
CODE = re.compile(r"[0-9]{1,2}[dD](\+[12])?\Z")
"""A dice code as it is typed."""
_AMOUNT = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?m?\Z")
_NUMBER = re.compile("#?[0-9]+$")
_PLAIN = re.compile(SLUG)
PARTICLES = ("of", "the", "de", "du", "la", "le", "der", "von", "van")
"""Small words within a name."""
_SMALL = re.compile("[a-z][a-z0-9_-]*")
"""The beginning of a word that is not part of a name: a side, a kind, a flag."""


def field_named(kind: type[Struct], key: str, place: str) -> str:
    """Return the field that a name means, in full or as a unique abbreviation; raise BadInput otherwise."""
    names = fields_by_name(kind)
    low = key.lower()
    short = [name for name in (SHORT_FIELDS.get(low, ""), *ORDER_LETTERS.get(low, ())) if name in names]
    rank, matches = match_words(low, names)
    if rank == CUT and short:
        return short[0]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise BadInput(f'"{key}" could be {", ".join(matches)}. Which one?', place=place, wrong=key, allowed=matches)
    advice = FIELD_ADVICE.get(low) or suggestion_text(low, names)
    raise BadInput(f'There is no "{key}" here. {advice}', place=place, wrong=key, allowed=names)


def with_amounts(
    kind: type[Struct],
    words: Sequence[WordToken],
    is_taken: Callable[[str, Sequence[WordToken]], bool],
    *,
    cuts: bool = False,
) -> list[WordToken]:
    """Return the words with each name of a number field, or its letter, joined with the number after it: `power 2`.

    Words that mean something else after the words before them (`is_taken`) stay as they are. With `cuts` the name may
    be abbreviated: `pow 2 at 1`.
    """
    tokens: list[WordToken] = []
    for token in words:
        before = tokens[-1] if tokens else WordToken("", "")
        low = before.word.lower().removesuffix(":").replace("-", "_")
        name = _amount_named(kind, low) or (_amount_named(kind, _cut_field(kind, low)) if cuts else "")
        amount = token.word.removeprefix("=")
        if name and _AMOUNT.match(amount) and not is_taken(before.word.lower(), tokens[:-1]):
            tokens[-1] = WordToken(name, amount)
        elif not (name and token.word == "="):
            tokens.append(token)
    return tokens


def with_flags(kind: type[Struct], words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with two words that name a flag joined into one: `from above`."""
    flags = {name for name, shape in shapes_by_name(kind).items() if shape.kind is bool}
    tokens: list[WordToken] = []
    for token in words:
        name = f"{tokens[-1].word}_{token.word}".lower() if tokens and tokens[-1].word and token.word else ""
        if name in flags:
            tokens[-1] = token._replace(value=name)
        else:
            tokens.append(token)
    return tokens


def _amount_named(kind: type[Struct], word: str) -> str:
    """Return the number field with that name or letter; "" if there is none, and for faces."""
    specs = shapes_by_name(kind)
    names = [name for name in (word, SHORT_FIELDS.get(word, ""), *ORDER_LETTERS.get(word, ())) if name in specs]
    shape = specs[names[0]] if names else None
    counts = shape and (shape.kind in (int, Decimal) or shape.is_number_or_word) and shape.unit != "face"
    return names[0] if counts else ""


def _cut_field(kind: type[Struct], word: str) -> str:
    """Return the only field whose name begins with that word or has it as its short name; "" for none."""
    matches = [SHORT_FIELDS[word]] if word in SHORT_FIELDS else match_words(word, fields_by_name(kind))[1]
    return matches[0] if len(matches) == 1 and len(word) > 1 else ""


def short_part(value: TokenValue, shape: FieldSpec, place: str) -> Any:
    """Return a part of an order, or a table, as it was typed; raise BadInput if it is invalid."""
    if isinstance(shape.kind, type) and issubclass(shape.kind, Struct) and isinstance(value, tuple):
        tokens = _spelt(shape.kind, value, place)
        return read_parts(shape.kind, tokens, PARTS.get(shape.kind.__name__, ()), place)
    return to_plain(_in_small_letters(value, shape), shape, place)


def _in_small_letters(value: TokenValue, shape: FieldSpec) -> TokenValue:
    """Return a typed value in small letters; only in text do capitals matter."""
    if not isinstance(value, str) or isinstance(value, TextToken) or shape.words or shape.inner.words:
        return value
    return value.lower()


def _spelt(kind: type[Struct], words: Sequence[WordToken], place: str) -> list[WordToken]:
    """Return the words of a part with full field names, and a capitalized name as id and name."""
    tokens = []
    for word in [
        *words[:1],
        *map(partial(_with_choice, kind), with_amounts(kind, words[1:], lambda _, __: False, cuts=True)),
    ]:
        name = field_named(kind, word.key, place) if word.key else ""
        tokens.append(WordToken(name, _in_small_letters(word.value, shapes_by_name(kind)[name])) if name else word)
    if PARTS.get(kind.__name__, ())[:2] == ("id", "name"):
        _check_name(kind, tokens, place)
        _check_numbers(kind, tokens, place)
        return id_from_name(tokens)
    return tokens


def _with_choice(kind: type[Struct], token: WordToken) -> WordToken:
    """Return a word that is a choice of only one field as that field: `bow` as `kind=bow`."""
    fields = [name for name, shape in shapes_by_name(kind).items() if token.word in (shape.choices or ())]
    return WordToken(fields[0], token.word) if token.word and len(fields) == 1 else token


def _check_name(kind: type[Struct], words: Sequence[WordToken], place: str) -> None:
    """Raise BadInput for a name of several small words without quotes.

    The second word could also be a mistyped flag.
    """
    if not words or not _PLAIN.match(words[0].word):
        return
    specs = shapes_by_name(kind)
    more = [token.word for token in takewhile(lambda token: _SMALL.fullmatch(token.word), words[1:])]
    if more and more[0] not in specs:
        name = " ".join([words[0].word, *takewhile(lambda word: word not in specs, more)])
        raise BadInput(f'Put a name of several words in quotes, like ("{name}" …).', place=place, wrong=more[0])


def _check_numbers(kind: type[Struct], words: Sequence[WordToken], place: str) -> None:
    """Raise BadInput for armor with a number without a key, which could be either of its two."""
    number = next((token.word for token in words if token.word.isdecimal()), "")
    if number and kind is ArmorPiece:
        name = " ".join(token.word for token in words if token.word and not token.key and not token.word.isdecimal())
        example_text = f"armor=({name or 'Hide'} cover=4 absorption={number})"
        raise BadInput(
            f"{number} could be the cover of the armor or its absorption. Type something like `{example_text}`.",
            place=place,
            wrong=number,
        )


def _without_quotes(name: str) -> str:
    """Return a name without the single quotes around it, which people type for double ones."""
    return name[1:-1] if len(name) > len("''") and name[0] == name[-1] == "'" else name


def id_from_name(words: Sequence[WordToken]) -> list[WordToken]:
    """Return the words with an id at the front: a name in quotes or with capitals gives both the id and the name.

    The words after a capitalized name belong to it, unless they are plain small words or have a key.
    """
    if not words or words[0].key or not isinstance(words[0].value, str):
        return list(words)
    first, *rest = words
    has_number = bool(rest) and bool(_NUMBER.match(rest[0].word))
    if first.word and _PLAIN.match(first.word) and not has_number:
        name, rest = _name_of(rest)
        return [first, WordToken("", TextToken(name) if name else NO_VALUE_WORD), *rest]
    if first.word:
        more, rest = _name_of(rest) if not _is_text(rest) else ("", rest)
        first = WordToken("", TextToken(_without_quotes(f"{first.word} {more}".rstrip())))
    name = str(rest.pop(0).value) if _is_text(rest) else str(first.value)
    if not (id_ := make_id(str(first.value))):
        raise BadInput(
            f'"{name}" has no letter from a to z, so it needs a short name before it, like hero "{name}".', wrong=name
        )
    return [WordToken("", id_), WordToken("", TextToken(name)), *rest]


def _name_of(words: list[WordToken]) -> tuple[str, list[WordToken]]:
    """Return the name at the front of those words ("": none), and the words after it."""
    if _is_text(words):
        return str(words[0].value), words[1:]
    end = 0
    while end < len(words):
        # The small words in `Finn of the Hills` belong to the name.
        small = len(list(takewhile(lambda token: token.word.lower() in PARTICLES, words[end:])))
        capital = words[end + small].word if end + small < len(words) else ""
        if not capital or words[end + small].is_dash or _SMALL.match(capital) or (small and not capital[0].isalpha()):
            break
        end += small + 1
    return " ".join(token.word for token in words[:end]), words[end:]


def _is_text(words: Sequence[WordToken]) -> bool:
    return bool(words) and not words[0].key and isinstance(words[0].value, TextToken)
