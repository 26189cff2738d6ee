"""Points as they are spoken: `2 on power and 1 on the modifier`, `3 points of power`, as `p2 m1` and `p3`."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.notation.words import Said

_LETTERS = {
    **dict.fromkeys(("power", "force", "strength"), "p"),
    **dict.fromkeys(("modifier", "blow", "roll", "attack", "aim", "stroke"), "m"),
}
"""Words for what points go to, and the letter that they wear for it."""
_BETWEEN = ("point", "points", "on", "in", "into", "to", "for", "of", "the", "his", "her", "their", "its", "my")
_JOINING = ("and", "with", "&")


def with_points(words: Sequence[Said]) -> Sequence[Said]:
    """Return the words with points and what they go to as a number with its letter; as they are where none is so."""
    found: list[Said] = []
    at, spoken = 0, False
    while at < len(words):
        said = words[at]
        end = at + 1
        while said.word.isdecimal() and end < len(words) and words[end].word.lower() in _BETWEEN and end < at + 4:
            end += 1
        kind = _LETTERS.get(words[end].word.lower(), "") if said.word.isdecimal() and end < len(words) else ""
        # `power 2 modifier 1` says it in front; `roll` alone behind a number could be an order.
        led = bool(found) and (found[-1].word.lower() in _LETTERS or found[-1].word == "=")
        if kind and not led and (end > at + 1 or words[end].word.lower() in ("power", "modifier", "force", "strength")):
            while found and found[-1].word.lower() in _JOINING:
                found.pop()
            found.append(Said("", f"{kind}{said.word}", words[end].comma))
            at, spoken = end + 1, True
        else:
            found.append(said)
            at += 1
    return found if spoken else words
