"""The known name that was probably meant, and the hint at it: `did you mean "clone"?`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SUGGESTION_LIMIT = 12
"""The number of known names that a hint lists."""

A_WORD = 4
"""From so many letters on, a hint names those of which what was typed is a part, or that are a part of it."""


OTHER_FIRST = 0.7
"""A word with another first letter must be so much alike to be meant."""

MISTYPED = 0.8
"""An order must be so much like what was typed to be proposed for it."""

LONGEST_NAME = 200
"""The longest word for which the nearest known one is looked for."""

SHORTEST_NAME = 3
"""The shortest word that may be mistyped; of a shorter one only the beginning is looked for."""

NONE = "there are none yet."
"""The hint where nothing is known."""


def closest_name(name: str, known: Iterable[str]) -> str:
    """The known name that is most like another; "" where none is like it."""
    from difflib import get_close_matches  # noqa: PLC0415 - most processes refuse nothing

    names = [other for other in dict.fromkeys(known) if len(other) > 1]
    if len(name) > LONGEST_NAME:
        # Nobody mistypes so much, and to compare it takes long.
        return ""
    if len(name) < SHORTEST_NAME:
        # In a word so short too little is alike.
        names = [other for other in names if other.startswith(name.lower())]
    close = get_close_matches(name, names, cutoff=0.6) or get_close_matches(name.lower(), names, cutoff=0.6)
    # Few mistype the first letter, and `house` is not `close`.
    close = [other for other in close if other[:1].lower() == name[:1].lower() or _near(name.lower(), other)]
    close.sort(key=lambda other: other[:1].lower() != name[:1].lower())
    found = close[:1] or _alike(name, names)
    return found[0] if len(found) == 1 else ""


def _near(name: str, other: str) -> bool:
    """True for words that are alike but for a letter or two."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - as in `closest_name`

    return SequenceMatcher(None, name.lower(), other.lower()).ratio() >= OTHER_FIRST


def is_mistyped(name: str, other: str) -> bool:
    """True for a word that is another with a letter or two mistyped or swapped, and hardly a word of its own."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - as in `closest_name`

    return sorted(name) == sorted(other) or SequenceMatcher(None, name, other).ratio() >= MISTYPED


def _alike(name: str, known: Sequence[str]) -> list[str]:
    """The names of which that is a part, or that are a part of it."""
    low = name.lower()
    return [
        other for other in known if (len(name) >= A_WORD and low in other) or (len(other) >= A_WORD and other in low)
    ]


def likely_names(name: str, known: Iterable[str]) -> list[str]:
    """The known names of which one was probably meant: the nearest, or those that are alike."""
    names = list(dict.fromkeys(known))
    close = closest_name(name, names)
    return [close] if close else _alike(name, names)[:SUGGESTION_LIMIT]


def suggestion_text(name: str, known: Iterable[str], most: int | None = SUGGESTION_LIMIT) -> str:
    """A hint naming the nearest known name, and otherwise so many of the known ones: `did you mean "clone"?`."""
    names = list(dict.fromkeys(known))
    if not names:
        return NONE
    if found := likely_names(name, names):
        quoted = [f'"{one}"' for one in found]
        return f"did you mean {' or '.join(quoted)}?"
    return f"known: {', '.join(names[:most])}{', …' if names[:most] != names else ''}."
