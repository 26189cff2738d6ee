"""An index of the heads of a timeline, for facts that are needed again and again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mam_events.commands import Close, Join, Open
from mam_events.events import Branch, Head, Play
from mam_events.visibility import PUBLIC

_INDEXED = frozenset({Open, Join, Close})
"""The commands that join somebody, give words for dice, or reveal the seed."""


class TimelineIndex(Struct, frozen=True):
    """An index of the first `heads` heads, including struck ones.

    It holds the plays by which somebody joined, the words that people gave for the dice, each with its ruling, whether
    the seed has been revealed, and whether any ruling is hidden from somebody.
    """

    heads: int = 0
    joins: tuple[int, ...] = ()
    words: tuple[tuple[int, str], ...] = ()
    revealed: bool = False
    hides: bool = False


def extend_index(index: TimelineIndex, heads: Sequence[Head], branches: Sequence[Branch]) -> TimelineIndex:
    """Return the index of all those heads, given that of the first ones.

    `branches` are those heads that committed to a new seed.
    """
    new_heads = heads[index.heads :]
    plays = [(head, head.kind) for head in new_heads if isinstance(head, Play) and head.kind in _INDEXED]
    # A closing reveals the seed of its time, not a seed committed to since.
    since = branches[-1].ruling if branches else 0
    # Decode only commands with a word: decoding them all would slow down the start of a short process.
    words = ((head.ruling, getattr(head.command, "word", "")) for head, _ in plays if b'"word"' in bytes(head.raw))
    closed = (head.ruling > since for head, kind in plays if kind is Close)
    return TimelineIndex(
        len(heads),
        (*index.joins, *(head.ruling for head, kind in plays if kind is Join)),
        (*index.words, *((number, word) for number, word in words if word)),
        (index.revealed and since <= index.heads) or any(closed),
        index.hides or any(head.visibility != PUBLIC for head in new_heads),
    )
