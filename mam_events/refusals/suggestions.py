"""The known name that was probably meant, and the hint that suggests it: `Did you mean "clone"?`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SUGGESTION_LIMIT = 12
"""The number of known names that a hint lists."""

A_WORD = 4
"""The fewest letters for which a hint lists names that contain the typed word or are contained in it."""


OTHER_FIRST = 0.7
"""The similarity needed to suggest a word with another first letter."""

MISTYPED = 0.8
"""The similarity needed to suggest an order for a mistyped one."""

LONGEST_NAME = 200
"""The longest word for which the closest known name is looked for."""

SHORTEST_NAME = 3
"""The shortest word that may be mistyped; for a shorter one only the beginning is compared."""

KNOWN = "Known"
"""The word before the known names."""

PRONOUNS = frozenset(("nobody", "somebody", "anybody", "everybody"))
"""Words that are no mistyped `body`."""

NONE = "There are none yet."
"""The hint if nothing is known."""


def closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most similar to `name`; "" if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - most processes refuse nothing

    names = [other for other in dict.fromkeys(known) if len(other) > 1]
    if len(name) > LONGEST_NAME or name.lower() in PRONOUNS:
        # Such a long word is rarely mistyped, and comparing it takes long.
        return ""
    if len(name) < SHORTEST_NAME:
        # Such a short word is similar to too many others.
        names = [other for other in names if other.startswith(name.lower())]
    close = get_close_matches(name, names, cutoff=0.6) or get_close_matches(name.lower(), names, cutoff=0.6)
    # Few people mistype the first letter: `house` does not mean `close`.
    close = [other for other in close if other[:1].lower() == name[:1].lower() or _is_near(name.lower(), other)]
    close.sort(key=lambda other: other[:1].lower() != name[:1].lower())
    matches = close[:1] or _alike(name, names)
    return matches[0] if len(matches) == 1 else ""


def _is_near(name: str, other: str) -> bool:
    """Return True for words that differ in only a letter or two."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - as in `closest_name`

    return SequenceMatcher(None, name.lower(), other.lower()).ratio() >= OTHER_FIRST


def is_mistyped(name: str, other: str) -> bool:
    """Return True if one word is probably the other with a letter or two mistyped or swapped."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - as in `closest_name`

    return sorted(name) == sorted(other) or SequenceMatcher(None, name, other).ratio() >= MISTYPED


def _alike(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that contain that name or are contained in it."""
    low = name.lower()
    return [
        other
        for other in known
        if low not in PRONOUNS and ((len(name) >= A_WORD and low in other) or (len(other) >= A_WORD and other in low))
    ]


def likely_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that were probably meant: the closest one, or the similar ones."""
    names = list(dict.fromkeys(known))
    close = closest_name(name, names)
    return [close] if close else _alike(name, names)[:SUGGESTION_LIMIT]


def suggestion_text(name: str, known: Iterable[str], most: int | None = SUGGESTION_LIMIT, *, label: str = KNOWN) -> str:
    """Return a hint with the closest known name, or else with up to `most` known names: `Did you mean "clone"?`."""
    names = list(dict.fromkeys(known))
    if not names:
        return NONE
    if matches := likely_names(name, names):
        texts = [f'"{one}"' for one in matches]
        return f"Did you mean {' or '.join(texts)}?"
    return f"{label}: {', '.join(names[:most])}{', …' if names[:most] != names else ''}."
