"""Names of several words in a line, each replaced by its id, and the places where another order begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise, takewhile

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, word_forms
from mam_events.notation.grammar.names import MOST_WORDS, things_by_name
from mam_events.notation.grammar.verbs import (
    begins_with_order,
    is_attack,
    is_order,
    join_order_words,
    names_order,
    stands_for_order,
    tells_outcome,
)
from mam_events.notation.grammar.vocabulary import (
    BARE_HANDED,
    GROUP_ROLL_FIELDS,
    LIGHT_VERBS,
    LOG_KEYWORDS,
    NUMBERS,
    ORDER_LETTERS,
    ORDINALS,
    PHRASES,
    SYNONYMS,
)
from mam_events.notation.lexer.lexer import DiceToken, TextToken, TokenValue, WordToken
from mam_events.notation.lexer.point_phrases import parse_point_phrases
from mam_events.notation.lexer.spacing import INDEFINITE, SILENT, with_spacing

BETWEEN = ("and", "then", "&")
"""Words between two orders."""
_MEASURE = re.compile(r"[0-9]{1,3}m?")
_NUMBERING = ("no", "no.", "nr", "nr.", "number", "#")
"""Words between a combatant's name and its number."""
LONGEST_ORDER = 100
"""The most words of an order, and names in a list: each is compared with every name of the fight."""


def sole_name(fight: LineContext, words: Sequence[WordToken]) -> str:
    """Return the combatant whose name those words are; "" if they are no name, or an order."""
    called = with_names(fight, words) if words else ()
    if len(called) != 1 or not called[0].word or is_order(fight, called[0].word.lower()):
        return ""
    matches = fight.people.ranked(called[0].word)[1]
    return matches[0] if len(matches) == 1 else ""


def with_names(fight: LineContext, words: Sequence[WordToken]) -> tuple[WordToken, ...]:
    """Return the words with each name of several words replaced by its id, and also a quoted name that comes first.

    Raises BadInput if several have such a name, or if it could be a name followed by a number.
    """
    tokens: list[WordToken] = []
    at = 0
    if (words and tells_outcome(fight, words[0].word.lower())) or begins_with_order(fight, words, "result"):
        # The description of what happens is free text.
        return tuple(words)
    if begins_with_order(fight, words, "join") or begins_with_order(
        fight, join_order_words(fight, tuple(words)), "change-rules"
    ):
        # A newcomer's name is new, and house rules are about nobody: other words are the reason.
        return tuple(words)
    if len(words) > LONGEST_ORDER:
        raise BadInput(f"An order has at most {LONGEST_ORDER} words, not {len(words)}.")
    is_roll = any(begins_with_order(fight, words, do) for do in (*GROUP_ROLL_FIELDS, "round"))
    whole_names = (lambda _: True) if is_roll else partial(_is_somebody, fight, words)
    words = with_spacing(
        _with_phrase(fight, parse_point_phrases(_with_numbers(fight, words))),
        partial(_is_named, fight),
        partial(stands_for_order, fight),
        whole_names,
        partial(is_attack, fight),
    )
    while at < len(words):
        first = words[at]
        if first.key:
            run, value = _named(fight, words[at : at + MOST_WORDS])
            tokens.append(first._replace(value=value))
            at += run
            continue
        name = isinstance(first.value, TextToken) and not first.key and not at and fight.people.whole(first.value)
        # At the start of a line, the word of an order does not begin a longer name.
        most = 1 if not at and is_order(fight, first.word.lower()) else MOST_WORDS
        bare = [token.word for token in words[at : at + most]]
        run, who = (
            (1, name) if name else fight.people.run(bare, allow_numbers=_may_be_numbered(fight, tokens, first.word))
        )
        colon = ":" if words[at + run - 1].word.endswith(":") else ""
        tokens.append(WordToken("", f"{who}{colon}") if who else first)
        at += run
    return tuple(tokens)


def _with_numbers(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with `second brigand`, `brigand two` and `brigand no 2` as `brigand 2`, if that is a name."""
    tokens: list[WordToken] = []
    at = 0
    while at < len(words):
        token, number, after = words[at], "", words[at + 1 :]
        at += 1
        if token.word and not token.comma and fight.people.is_numbered(token.word):
            silent = bool(after) and after[0].word.lower() in _NUMBERING and len(after) > 1
            number = _number_in(after[silent].word if after[silent:] else "")
            at += number != "" and 1 + silent
            if not number and tokens and tokens[-1].word.lower() in ORDINALS:
                number = ORDINALS[tokens.pop().word.lower()]
        tokens.append(token)
        if number:
            tokens[-1:] = [token._replace(comma=False), WordToken("", number, words[at - 1].comma)]
    return tokens


def _number_in(word: str) -> str:
    """Return the digits of a number in words or figures, or "" for any other word."""
    bare = word.lower().removeprefix("#")
    return bare if bare.isdecimal() else NUMBERS.get(bare, "")


def _may_be_numbered(fight: LineContext, before: Sequence[WordToken], word: str) -> bool:
    """Return False for a letter that is an order or belongs to a number, where no name is expected.

    Examples are `mira d 2` and `a rat p 2`.
    """
    letter = word.lower() in SYNONYMS or word.lower() in ORDER_LETTERS
    return len(word) > 1 or not letter or not before or is_order(fight, before[-1].word.lower())


def _with_phrase(fight: LineContext, words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with an order of two words joined, first or after a name: `breaks free`, `tries to escape`."""
    for at, (token, next_token) in enumerate(pairwise(words[: MOST_WORDS + 2])):
        matches = [
            PHRASES[one]
            for one in ((form, next_token.word.lower()) for form in word_forms(token.word.lower()))
            if one in PHRASES
        ]
        if matches:
            one = (token._replace(value=matches[0]),) if matches[0] else ()
            return _with_phrase(fight, (*words[:at], *one, *words[at + 2 :]))
        if (
            "run" in word_forms(token.word.lower())
            and _MEASURE.fullmatch(next_token.word.lower())
            and "perform" not in fight.orders
        ):
            # With a number, `run` is a move and not a flight.
            return (*words[:at], token._replace(value="move"), *words[at + 1 :])
        if _only_introduces(fight, words[at : at + 3]):
            return (*words[:at], *words[at + 2 :])
        if not token.word or is_order(fight, token.word.lower()):
            break
    return words


def _only_introduces(fight: LineContext, words: Sequence[WordToken]) -> bool:
    """Return True for a verb that only introduces the order after its article, unless a thing has that name.

    An example is `throws a punch`.
    """
    does, article, deed = (token.word.lower() for token in (*words, *[WordToken("", "")] * 2)[:3])
    if article not in INDEFINITE or not deed or not word_forms(does).intersection(LIGHT_VERBS):
        return False
    return is_order(fight, deed) and not things_by_name(fight.state.combatants.values()).one(deed)


def _is_named(fight: LineContext, words: str) -> bool:
    """Return True for words that are part of the name of somebody or something."""
    people, things = fight.people, things_by_name(fight.state.combatants.values())
    # One letter may be the beginning of a name: `v 1` is Vera and her die.
    begins = len(words) == 1 and people.ranked(words)[1]
    return bool(words) and bool(begins or any(index.whole(words) or index.having(words) for index in (people, things)))


def _is_all(fight: LineContext, word: str) -> bool:
    """Return True for a word that is the full name or id of somebody or something."""
    return bool(fight.people.whole(word) or things_by_name(fight.state.combatants.values()).whole(word))


def _is_somebody(fight: LineContext, words: Sequence[WordToken], word: str) -> bool:
    """Return True for a word that is a full name, and for `an` if it means Ann.

    It means Ann if nothing before it asks for an article, and nobody else is named.
    """
    if _is_all(fight, word):
        return True
    low = [one.word.lower() for one in words]
    before = low[low.index(word) - 1] if word in low[1:] else ""
    if len(word) == 1 or before in SILENT or not fight.people.ranked(word)[1]:
        return False
    return not any(fight.people.whole(one) for one in low[1:])


def after_separator(words: Sequence[WordToken], at: int) -> tuple[WordToken, ...]:
    """Return the words from there on without those that separate orders; none if there is no separator.

    A comma, `and` and `then` separate orders.
    """
    if not (words[at - 1].comma or words[at].word.lower() in BETWEEN):
        return ()
    while at < len(words) and words[at].word.lower() in BETWEEN:
        at += 1
    return tuple(words[at:])


def begins_order(fight: LineContext, words: Sequence[WordToken], *, sure: bool = False) -> bool:
    """Return True for words that begin with an order, or with a combatant's name and one.

    With `sure`, a name or a number must follow.
    """
    try:
        called = with_names(fight, words)
    except BadInput:
        return False
    first, second, third = (token.word.lower() for token in (*called, *[WordToken("", "")] * 3)[:3])
    if _is_order(fight, first, second):
        return not sure or second.isdecimal() or bool(fight.people.one(second))
    if sure and second in BARE_HANDED and not third:
        # `the bandit's kick` is a reason, not an order.
        return False
    people = fight.people.ranked(first.removesuffix(":"))[1] if first else []
    return len(people) == 1 and _is_order(fight, second, third)


def _is_order(fight: LineContext, word: str, next_word: str) -> bool:
    """Return True for the word of an order; a letter is one only before a combatant's name or a number."""
    if len(word) > 1:
        # A keyword of the log is an order too: `and yields`.
        return names_order(fight, word) or any(form in LOG_KEYWORDS for form in word_forms(word))
    return is_order(fight, word) and (next_word.isdecimal() or bool(fight.people.one(next_word)))


def _named(fight: LineContext, words: Sequence[WordToken]) -> tuple[int, TokenValue]:
    """Return how many words are the value of the field that the first one names, and that value with ids in it.

    Only fields that take people may have a value of several words: a name, or several names separated by commas.
    """
    first, *more = words
    bare = [token.word for token in takewhile(lambda token: token.word, more)]
    is_name = isinstance(first.value, str) and not isinstance(first.value, TextToken | DiceToken)
    if not is_name or not any(name.startswith(first.key.lower()) for name in _people_fields()):
        return 1, first.value
    if str(first.value).count(",") > LONGEST_ORDER:
        raise BadInput(f"{first.key}= can name at most {LONGEST_ORDER} combatants.", wrong=first.key)
    for run in range(len(bare), 0, -1):
        token = " ".join([str(first.value), *bare[:run]])
        people = [fight.people.one(name) for name in token.split(",")]
        if all(people):
            return 1 + run, ",".join(people)
    return 1, first.value


@cache
def _people_fields() -> frozenset[str]:
    """Return the names of fields that take one or several combatants."""
    return frozenset(
        name
        for kind in COMMANDS.values()
        for name, shape in field_specs(kind).items()
        if shape.is_person and not shape.is_table
    )
