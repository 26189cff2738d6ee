"""Words as people space them: `p2m2`, `p 2`, `20 m`, and names behind an article."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mam_events.notation.places import LETTERS, OWN_WORDS
from mam_events.notation.words import Quoted, Said

_LETTERED = rf"(?:[{''.join(LETTERS)}][+-]?[0-9]{{1,6}})"
_RUN = re.compile(rf"{_LETTERED}{{2,}}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
ARTICLES = ("the", "with", "his", "her", "their", "its", "my")
"""Words in front of a name that say nothing."""
SILENT = (*ARTICLES, "a", "an", "at", "against", "w")
"""Words that say nothing where they mean nothing else: `punch at the thug`, `interferes w spear`."""
PREPOSITIONS = ("at", "against", "from", "of", "on")
"""Words that say nothing between an order and whom it is about: `shoots at the orc`, `free of the wolf`."""
METRES = ("m", "metres", "meters")


def with_spacing(
    words: Sequence[Said], is_name: Callable[[str], bool], is_order: Callable[[str], bool]
) -> tuple[Said, ...]:
    """Return the words with a blank between numbers that wear a letter, and none between a letter and its number.

    Only behind an order: in front of it a letter is one itself. What `is_name` knows stays as it is.
    """
    found: list[Said] = []
    ordered = False
    silent: tuple[str, ...] = ARTICLES
    at = 0
    while at < len(words):
        said, word = words[at], _bare(words[at])
        following = _bare(words[at + 1]) if at + 1 < len(words) else ""
        at += 1
        if ordered and _RUN.fullmatch(word) and not is_name(word):
            found += [Said("", part) for part in re.findall(_LETTERED, word)]
        elif ordered and word in LETTERS and _NUMBER.fullmatch(following) and not is_name(word):
            found.append(Said("", f"{word}{following}", words[at].comma))
            at += 1
        elif ordered and word.isdecimal() and following in METRES and not _takes_number(words[at + 1 :]):
            found.append(Said("", f"{word}m", words[at].comma))
            at += 1
        elif word in silent and is_name(_named(words[at:])) and not is_name(f"{word} {following}"):
            continue
        else:
            found.append(said)
        if not ordered and is_order(word):
            # What stands behind a word of the log may be why.
            ordered, silent = True, ARTICLES if word.removesuffix("s") in OWN_WORDS else (*ARTICLES, *PREPOSITIONS)
    return tuple(found)


def _named(words: Sequence[Said]) -> str:
    """The first of those words that is no article; "" for none."""
    return next((word for word in map(_bare, words) if word not in ARTICLES), "")


def _bare(said: Said) -> str:
    return "" if said.key or isinstance(said.value, Quoted) else said.word.lower()


def _takes_number(behind: Sequence[Said]) -> bool:
    """Return True where the letter in front wears the number behind it."""
    return bool(behind) and bool(_NUMBER.fullmatch(_bare(behind[0])))
