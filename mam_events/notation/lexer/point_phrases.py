"""Points as they are spoken: `2 on power and 1 on the modifier`, `3 points of power`, as `p2 m1` and `p3`."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.notation.lexer.lexer import WordToken
from mam_events.notation.lexer.spacing import ARTICLES

_LETTERS = {
    **dict.fromkeys(("power", "force", "strength"), "p"),
    **dict.fromkeys(("modifier", "mod", "blow", "roll", "attack", "aim", "stroke"), "m"),
}
"""Words for the use of points, and the letter in front of the number for it."""
_BETWEEN = ("point", "points", "on", "in", "into", "to", "for", "of", *ARTICLES)
_ALONE = ("power", "modifier", "mod", "force", "strength")
_JOINING = ("and", "with", "&")


def parse_point_phrases(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words with points and their use as a number with its letter.

    They stay as they are if there are none, and if the number comes second: `power 2`.
    """
    tokens: list[WordToken] = []
    at, done, has_points, sure = 0, 0, False, False
    while at < len(words):
        led = at > done and words[at - 1].word.lower() in (*_LETTERS, "=")
        end = at if led else _end_of_points(words, at)
        if end == at:
            tokens.append(words[at])
            at += 1
            continue
        sure = sure or end > at + 1
        while tokens and tokens[-1].word.lower() in _JOINING:
            tokens.pop()
            sure = True
        tokens.append(WordToken("", f"{_LETTERS[words[end].word.lower()]}{words[at].word}", words[end].comma))
        next_word = words[end + 1].word if words[end + 1 :] else ""
        at = done = end + 1
        has_points = sure or not next_word.isdecimal()
    return tokens if has_points else words


def _end_of_points(words: Sequence[WordToken], at: int) -> int:
    """Return the place of the word for the use of the points there, or `at` if there are no points."""
    if not words[at].word.isdecimal():
        return at
    end = at + 1
    while end < min(len(words), at + 4) and words[end].word.lower() in _BETWEEN:
        end += 1
    kind = words[end].word.lower() if end < len(words) else ""
    # A bare number before `roll` could belong to an order.
    return end if kind in _LETTERS and (end > at + 1 or kind in _ALONE) else at
