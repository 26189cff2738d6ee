"""Idioms while an exchange waits for its dice: nobody reacts, whose die shows what, the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mam_events.commands import Resolve
from mam_events.field_specs import field_specs
from mam_events.notation.context import LineContext, word_forms
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.verbs import tells_outcome
from mam_events.notation.grammar.vocabulary import OBJECTS
from mam_events.notation.lexer.lexer import DiceToken, ParsedOrder, WordToken
from mam_events.values import OUTCOME_WORDS, outcome_of_word

IdiomReader = Callable[[LineContext, Sequence[WordToken], Sequence[str]], ParsedOrder | None]
"""A function that converts words (also given in small letters) to an order in words of the log, or returns None."""
_NOTHING = [
    one.split()
    for one in (
        *("nobody reacts", "no one reacts", "no reaction", "no reactions", "nobody helps", "nobody steps in"),
        *("no one steps in", "no defense", "no defence", "nobody", "no one"),
    )
]
_BEARING = [
    one.split()
    for one in (
        *("just takes it", "takes it", "takes the hit", "takes the blow", "no reaction", "does nothing"),
        *("does not react", "doesn't react", "stands her ground", "stands his ground"),
    )
]
_GUARDING = ("shield", "shields", "cover", "covers", "protect", "protects", "guard", "guards", "defends")
_EVADING = ("jump", "leap", "step", "roll", "dive", "spring", "twist", "sidestep", "brace", "duck")
_BY_ITSELF = ("sidestep", "brace", "duck")
_OUT = ("gets", "out", "of", "the", "way")
_ASIDE = ("aside", "back", "away", "backwards", "for", "out", "cover", "of", "the", "way")
"""Words after a verb for evading."""
_SAYING = ("it's", "its", "that's", "thats", "a", "the", "it", "is")
"""Words around the outcome of an exchange."""
_ROLLING = ("rolls", "rolled", "throws", "threw")
_DICE = ("dice", "die")
SPOKEN_IN_EXCHANGES = (
    *(*_ROLLING, *_DICE, *_SAYING[:4], *(word for words in OUTCOME_WORDS for word in words)),
    *("roll", "nobody", "no", "does", "takes", "react", "stands", "and", "for"),
    *(*_GUARDING, *(form for verb in _EVADING for form in (verb, f"{verb}s"))),
)
"""Words at least one of which every such order contains."""


def _passes(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `nobody reacts`, and `orc 1 does nothing` of the target, as a pass."""
    del words
    exchange = fight.state.exchange
    if exchange is None or not exchange.root.target or "pass" not in fight.orders:
        return None
    phrase = next((words for words in _BEARING if list(low[-len(words) :]) == words), [])
    who = fight.people.one(" ".join(low[: -len(phrase)])) if phrase else ""
    passes = list(low) in _NOTHING or who == exchange.root.target
    return ParsedOrder("", (WordToken("", f"{exchange.root.target}:"), WordToken("", "pass"))) if passes else None


def _outcome(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `it's a miss` as the game master's outcome of the open exchange or action."""
    at = next((at for at, word in enumerate(low) if word not in _SAYING), 0)
    if at and tells_outcome(fight, low[at]):
        # Keep the words from the outcome on.
        return ParsedOrder("", tuple(words[at:]))
    dice = [token for token in words if isinstance(token.value, DiceToken)]
    token = [word for word in low if word and word not in _SAYING]
    if len(token) != 1 or low[0] == "is" or fight.state.exchange is None or "attack" not in fight.orders:
        return None
    ways = [way for way in field_specs(Resolve)["outcome"].choices if way]
    outcome = outcome_of_word(token[0], ways)
    return ParsedOrder("", (WordToken("", "resolve"), WordToken("outcome", outcome), *dice)) if outcome else None


def _roll(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `roll the dice` as the awaited roll."""
    del words
    is_only_roll = low[0] == "roll" and not [
        word for word in low[1:] if word not in ("it", "the", "them", "em", "now", "please", *_DICE)
    ]
    return (
        ParsedOrder("", (WordToken("", "r"),))
        if is_only_roll and fight.state.exchange and "roll" not in fight.orders
        else None
    )


def _rolls(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `kara rolls 5, orc 1 rolls 3`, `2 for the orc, 4 for Kara`, `4 and 2` and `dice 3 5` as typed dice."""
    faces = [at for at, word in enumerate(low) if is_face(word)]
    if not faces or (fight.state.exchange is None and not fight.state.window.open):
        return None
    rest = [token._replace(comma=False) for token in words if token.word.lower() not in (*_ROLLING, "and", "a")]
    if len(faces) < 2:  # noqa: PLR2004 - a single face needs no idiom
        return None
    if all(is_face(token.word) or token.word.lower() in _DICE for token in rest):
        return ParsedOrder("", tuple(token for token in rest if is_face(token.word)))
    if low[1:2] == ["for"] and faces[0] == 0:
        return ParsedOrder("", tuple(_turned(words)))
    return ParsedOrder("", tuple(rest)) if any(word in _ROLLING for word in low[1:]) else None


def _turned(words: Sequence[WordToken]) -> Iterator[WordToken]:
    """Yield the words, with each face before `for` moved after the name that follows."""
    face: WordToken | None = None
    for at, token in enumerate(words):
        next_word = words[at + 1].word.lower() if words[at + 1 :] else ""
        if is_face(token.word) and next_word == "for":
            yield from filter(None, [face])
            face = token
        elif token.word.lower() not in ("for", "and"):
            yield token._replace(comma=False)
    yield from filter(None, [face])


def _guards(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `hal shields her 2` as Hal's interference with the attack on her."""
    exchange = fight.state.exchange
    at = next((at for at, word in enumerate(low) if at and word in _GUARDING), 0)
    who = fight.people.one(" ".join(low[:at])) if at and exchange and "interfere" in fight.orders else ""
    if not exchange or not who or who == exchange.root.target:
        return None
    rest = [token for token in words[at + 1 :] if token.word.lower() not in (*OBJECTS, "the")]
    if rest and fight.people.one(rest[0].word) == exchange.root.target:
        del rest[0]
    elif len(rest) == len(words[at + 1 :]):
        # The words name nobody to protect.
        return None
    return ParsedOrder("", (WordToken("", f"{who}:"), WordToken("", "interfere"), *rest))


def _evades(fight: LineContext, words: Sequence[WordToken], low: Sequence[str]) -> ParsedOrder | None:
    """Return `ilse jumps back 2` of the target as a defense."""
    exchange = fight.state.exchange
    at = next((at for at, word in enumerate(low) if at and _is_evading(word, "".join(low[at + 1 : at + 2]))), 0)
    at = at or next((at for at in range(1, len(low)) if tuple(low[at : at + len(_OUT)]) == _OUT), 0)
    who = fight.people.one(" ".join(low[:at])) if at and exchange and "defend" in fight.orders else ""
    if not exchange or not who or who != exchange.root.target:
        return None
    rest = [token for token in words[at + 1 :] if token.word.lower() not in _ASIDE]
    return ParsedOrder("", (WordToken("", f"{who}:"), WordToken("", "defend"), *rest))


def _is_evading(word: str, next_word: str) -> bool:
    """Return True for a verb of who evades; of most verbs only with `aside` or the like after it."""
    forms = word_forms(word)
    return bool(forms.intersection(_EVADING)) and (bool(forms.intersection(_BY_ITSELF)) or next_word in _ASIDE[:6])


EXCHANGE_READERS: Sequence[IdiomReader] = (_passes, _outcome, _roll, _rolls, _guards, _evades)
"""The readers of idioms for an open exchange."""
