"""Words as people space them: `p2m2`, `p 2`, `20 m`, and names after an article."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mam_events.notation.grammar.vocabulary import LOG_KEYWORDS, ORDER_LETTERS
from mam_events.notation.lexer.lexer import TextToken, WordToken

_LETTERED = rf"(?:[{''.join(ORDER_LETTERS)}][+-]?[0-9]{{1,6}})"
_RUN = re.compile(rf"{_LETTERED}{{2,}}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
ARTICLES = ("the", "with", "his", "her", "their", "its", "my")
"""Words before a name that are ignored."""
INDEFINITE = ("a", "an")
"""Articles that are letters too: after an order and before another word, they are no order and no abbreviation."""
SILENT = (*ARTICLES, *INDEFINITE, "at", "against", "w")
"""Words that are ignored unless they mean something else: `punch at the thug`, `interferes w spear`."""
PREPOSITIONS = ("at", "against", "from", "of", "on", "into", "through", "upon", "toward", "towards")
"""Words that are ignored between an order and its target: `shoots at the orc`, `free of the wolf`."""
METRES = ("m", "metres", "meters", "metre", "meter")
MEASURING = ("at", "from", "over")
"""Words before a distance."""
_DISTANCE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?m")
_JOINING = ("and", "then", "because", "for", "in", "to", "&")
"""Words before which no article stands, in addition to the silent ones."""
_NO_THING = re.compile(rf"{_LETTERED}|[#+-]?[0-9].*|-")
"""Numbers of any kind, and a dash: no article stands before them."""


def with_spacing(
    words: Sequence[WordToken],
    is_name: Callable[[str], bool],
    is_order: Callable[[str], bool],
    is_whole: Callable[[str], bool] = lambda _: False,
    is_attack: Callable[[str], bool] = lambda _: False,
) -> tuple[WordToken, ...]:
    """Return the words with a blank between lettered numbers, none between a letter and its number, and no articles.

    This applies only after an order; before it a letter is an order itself. A word for which `is_name` is True stays as
    it is, and so does a letter that `is_whole`, the full name of somebody. After a word that `is_attack`, a number
    after `at` is a distance.
    """
    tokens: list[WordToken] = []
    words = _with_distances(words, is_name, is_order, is_attack)
    has_order = own = False
    silent: tuple[str, ...] = ARTICLES
    at = 0
    while at < len(words):
        token, word = words[at], _bare(words[at])
        following = _bare(words[at + 1]) if at + 1 < len(words) else ""
        at += 1
        if has_order and _RUN.fullmatch(word) and not is_name(word):
            tokens += [WordToken("", part) for part in re.findall(_LETTERED, word)]
        elif has_order and word in ORDER_LETTERS and _NUMBER.fullmatch(following) and not is_name(word):
            tokens.append(WordToken("", f"{word}{following}", words[at].comma))
            at += 1
        elif word in silent and is_name(_named(words[at:])) and not is_name(f"{word} {following}"):
            continue
        elif (
            has_order
            and word in INDEFINITE
            and not (is_whole(word) or _ends_with_separator(tokens))
            and _is_article(words[at - 1 :])
        ):
            # The words after a log keyword may be a reason, unless they name somebody.
            if own and not is_name(following):
                tokens.append(token)
        else:
            tokens.append(token)
        if not has_order and is_order(word):
            # The words after a log keyword may be a reason.
            has_order, own = True, word.removesuffix("s") in LOG_KEYWORDS
            silent = ARTICLES if own else (*ARTICLES, *PREPOSITIONS)
    return tuple(tokens)


def _with_distances(
    words: Sequence[WordToken],
    is_name: Callable[[str], bool],
    is_order: Callable[[str], bool],
    is_attack: Callable[[str], bool],
) -> Sequence[WordToken]:
    """Return the words with a number of metres joined, and without the words around it: `from 9 metres away`."""
    tokens: list[WordToken] = []
    has_order = measured = attacks = False
    at = 0
    while at < len(words):
        word, following = _bare(words[at]), _bare(words[at + 1]) if at + 1 < len(words) else ""
        at += 1
        if has_order and word in MEASURING and _is_distance(words[at:]):
            measured = True
            continue
        if attacks and word in MEASURING and following.isdecimal() and not is_name(_named(words[at + 1 :])):
            # In `at 15`, the number is a distance and not a die.
            tokens.append(WordToken("", f"{following}m", words[at].comma))
            at += 1
            continue
        if word == "away" and tokens and _DISTANCE.fullmatch(_bare(tokens[-1])):
            continue
        # After the points of an attack, no number stands alone, so an `m` after one means metres.
        sure = measured or following != "m" or _is_lettered(tokens) or not _takes_number(words[at + 1 :])
        if has_order and word.isdecimal() and following in METRES and sure:
            tokens.append(WordToken("", f"{word}m", words[at].comma))
            at += 1
        else:
            tokens.append(words[at - 1])
        attacks = attacks or (not has_order and is_attack(word))
        has_order, measured = has_order or is_order(word), False
    return tokens


def _is_article(words: Sequence[WordToken]) -> bool:
    """Return True for a letter before another word that is no number, preposition or letter: `combo 2 a b`."""
    following = _bare(words[1]) if words[1:] else ""
    if words[0].comma or len(following) <= 1 or following in (*SILENT, *PREPOSITIONS, *_JOINING):
        return False
    return not _NO_THING.fullmatch(following)


def _ends_with_separator(before: Sequence[WordToken]) -> bool:
    """Return True if the words before a word end with a separator of orders, so a letter may be the next order."""
    return bool(before) and (before[-1].comma or _bare(before[-1]) in _JOINING)


def _named(words: Sequence[WordToken]) -> str:
    """Return the first of those words that is no article, or ""."""
    return next((word for word in map(_bare, words) if word not in (*ARTICLES, *INDEFINITE)), "")


def _bare(token: WordToken) -> str:
    return "" if token.key or isinstance(token.value, TextToken) else token.word.lower()


def _is_distance(words: Sequence[WordToken]) -> bool:
    """Return True for words that begin with a number of metres."""
    first, second = (*map(_bare, words[:2]), "", "")[:2]
    return bool(_DISTANCE.fullmatch(first)) or (first.isdecimal() and second in METRES)


def _is_lettered(before: Sequence[WordToken]) -> bool:
    """Return True if the last word before a word is a lettered number; after one, no number stands alone."""
    return bool(before) and bool(re.fullmatch(_LETTERED, _bare(before[-1])))


def _takes_number(after: Sequence[WordToken]) -> bool:
    """Return True if the letter in front belongs to the number after it."""
    return bool(after) and bool(_NUMBER.fullmatch(_bare(after[0])))
