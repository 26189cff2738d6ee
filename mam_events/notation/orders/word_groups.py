"""Words of an order that belong together: a result and its story, points and their pool, a text of several words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from mam_events.commands import COMMANDS
from mam_events.errors import BadInput
from mam_events.field_specs import field_specs
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.nested_values import CODE
from mam_events.notation.grammar.verbs import MIN_PREFIX
from mam_events.notation.grammar.vocabulary import SAYING_NOTHING
from mam_events.notation.hints.word_hints import LETTERED
from mam_events.notation.lexer.lexer import TextToken, WordToken, match_prefix, ruling_number
from mam_events.values import outcome_of_word

POOL_WORDS = ("defense", "other_used", "other", "used")
"""Words for a pool from which as many points as possible become ready."""
BOTH_POOLS = ("all", "both", "everything")
"""Words for both of these pools."""
POOLS_BY_WORD = {
    "defense": "defense",
    **dict.fromkeys(("other_used", "other", "used"), "other"),
    **dict.fromkeys(BOTH_POOLS, "all"),
}
"""The pool that each of these words names."""
_DOUBTS = ("nothing", "void", "would", "or", "not", "only", "half", "never", "nobody", "no", "r")
"""Words after an outcome that may mean another one."""


def combine_result_story(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words of a result with those after its outcome as the text that describes it."""
    ways = [way for way in field_specs(COMMANDS["result"])["outcome"].choices if way]
    at = next((at for at, token in enumerate(words) if token.word and _outcome(token.word, ways)), None)
    if at is None:
        return words
    ends = next((n for n in range(at + 1, len(words)) if not words[n].word), len(words))
    loose = words[at + 1 : ends]
    has_words = any(not is_face(token.word) and not ruling_number(token.word, marked=True) for token in loose)
    if not has_words or (len(loose) == 1 and _outcome(loose[0].word, ways)):
        return words
    if place := next((n for n, token in enumerate(loose) if CODE.match(token.word)), 0):
        deed = " ".join(token.word for token in loose[place - 1 :])
        raise BadInput(
            f"The roll is an order of its own after the result. Type {words[at].word}; {deed}.", place="result"
        )
    low = [token.word.lower() for token in loose]
    outcome = _outcome(words[at].word, ways)
    doubt = next((word for word in low if word in _DOUBTS or outcome_of_word(word, ways) not in ("", outcome)), "")
    if doubt:
        raise BadInput(
            f'"{doubt}" contradicts {words[at].word}. Type one result, then what happens in quotes.',
            place="result",
            wrong=doubt,
        )
    text = " ".join(f"{token.word}{',' * token.comma}" for token in loose)
    return [*words[: at + 1], WordToken("", TextToken(text)), *words[ends:]]


def combine_pool_points(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return `2 from defense and 1 other` as `d2 o1`; words with at most one number as they are."""
    if sum(token.word.isdecimal() for token in words) < len(("defense", "other_used")):
        return words
    tokens: list[WordToken] = []
    for token in words:
        low = token.word.lower()
        pool = POOLS_BY_WORD.get((match_prefix(low, POOL_WORDS) or [""])[0], "")
        if pool and tokens and tokens[-1].word.isdecimal():
            tokens[-1] = WordToken("", f"{pool[0]}{tokens[-1].word}")
        elif not (low in ("and", "&") or (low in SAYING_NOTHING["ready"] and tokens)):
            tokens.append(token)
    return tokens


def combine_action_text(words: Sequence[WordToken]) -> Sequence[WordToken]:
    """Return the words of a free action with those without a key as its text: `act pull the lever`.

    A number may come first: `act 2 pull the lever`.
    """
    bare = list(takewhile(lambda token: token.word and not token.key, words))
    has_count = bool(bare) and is_face(bare[0].word)
    rest = bare[has_count:]
    ends = len(rest) - len(list(takewhile(_is_number, reversed(rest))))
    if not rest[:ends] or CODE.match(rest[0].word):
        return words
    text = " ".join(f"{token.word}{',' * token.comma}" for token in rest[:ends]).removesuffix(",")
    return [*bare[:has_count], WordToken("", TextToken(text)), *rest[ends:], *words[len(bare) :]]


def _is_number(token: WordToken) -> bool:
    return is_face(token.word) or bool(LETTERED.match(token.word.lower()))


def _outcome(word: str, ways: Sequence[str]) -> str:
    return outcome_of_word(word.lower(), ways) or next(iter(match_prefix(word.lower(), ways, MIN_PREFIX)), "")
