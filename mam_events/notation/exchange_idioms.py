"""Words of the table while an exchange waits for its dice: nobody reacts, whose die shows what, how it comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mam_events.commands import Resolve
from mam_events.notation.dice import is_face
from mam_events.notation.line_context import Fight
from mam_events.notation.words import Said, Written
from mam_events.shapes import shapes
from mam_events.values import OUTCOME_WORDS, outcome_meant

Read = Callable[[Fight, Sequence[Said], Sequence[str]], Written | None]
"""A way to read words, with the same in small letters, as an order in words of the log; None where they are none."""
_NOTHING = [
    one.split()
    for one in (
        *("nobody reacts", "no one reacts", "no reaction", "no reactions", "nobody helps", "nobody steps in"),
        "no one steps in",
    )
]
_BEARING = (["does", "nothing"], ["takes", "it"], ["does", "not", "react"], ["doesn't", "react"])
_SAYING = ("it's", "its", "that's", "thats", "a", "the", "it", "is")
"""Words around how an exchange comes out."""
_ROLLING = ("rolls", "rolled", "throws", "threw")
_DICE = ("dice", "die")
SPOKEN_IN_EXCHANGES = (
    *(*_ROLLING, *_DICE, *_SAYING[:4], *(word for words in OUTCOME_WORDS for word in words)),
    *("roll", "nobody", "no", "does", "takes", "react", "and", "for"),
)
"""Words one of which stands in every such order."""


def _passes(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `nobody reacts`, and `orc 1 does nothing` of whoever is attacked, as the pass that it is."""
    del words
    exchange = fight.state.exchange
    if exchange is None or not exchange.root.target or "pass" not in fight.orders:
        return None
    said = next((words for words in _BEARING if list(low[-len(words) :]) == words), [])
    who = fight.people.one(" ".join(low[: -len(said)])) if said else ""
    passes = list(low) in _NOTHING or who == exchange.root.target
    return Written("", (Said("", f"{exchange.root.target}:"), Said("", "pass"))) if passes else None


def _outcome(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `it's a miss` as the outcome of the open exchange, by the game master's word."""
    del words
    said = [word for word in low if word not in _SAYING]
    if len(said) != 1 or low[0] == "is" or fight.state.exchange is None or "attack" not in fight.orders:
        return None
    ways = [way for way in shapes(Resolve)["outcome"].choices if way]
    found = outcome_meant(said[0], ways)
    return Written("", (Said("", "resolve"), Said("outcome", found))) if found else None


def _roll(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `roll the dice` as the roll that is waited for."""
    del words
    alone = low[0] == "roll" and not [word for word in low[1:] if word not in ("it", "the", "them", *_DICE)]
    return Written("", (Said("", "r"),)) if alone and fight.state.exchange and "roll" not in fight.orders else None


def _rolls(fight: Fight, words: Sequence[Said], low: Sequence[str]) -> Written | None:
    """Return `kara rolls 5, orc 1 rolls 3`, `2 for the orc, 4 for Kara`, `4 and 2` and `dice 3 5` as dice are typed."""
    faces = [at for at, word in enumerate(low) if is_face(word)]
    if not faces or (fight.state.exchange is None and not fight.state.window.open):
        return None
    kept = [said._replace(comma=False) for said in words if said.word.lower() not in (*_ROLLING, "and", "a")]
    if len(faces) < 2:  # noqa: PLR2004 - one face alone is typed as it is
        return None
    if all(is_face(said.word) or said.word.lower() in _DICE for said in kept):
        return Written("", tuple(said for said in kept if is_face(said.word)))
    if low[1:2] == ["for"] and faces[0] == 0:
        return Written("", tuple(_turned(words)))
    return Written("", tuple(kept)) if any(word in _ROLLING for word in low[1:]) else None


def _turned(words: Sequence[Said]) -> Iterator[Said]:
    """Yield each face that stands in front of `for` behind the name that follows."""
    face: Said | None = None
    for at, said in enumerate(words):
        behind = words[at + 1].word.lower() if words[at + 1 :] else ""
        if is_face(said.word) and behind == "for":
            yield from filter(None, [face])
            face = said
        elif said.word.lower() not in ("for", "and"):
            yield said._replace(comma=False)
    yield from filter(None, [face])


EXCHANGE_READERS: Sequence[Read] = (_passes, _outcome, _roll, _rolls)
"""The ways to read what is said while an exchange is open."""
