"""Questions at the table: a line with a question mark asks what a word is, and gives nothing."""

from __future__ import annotations

import re
from typing import NamedTuple

_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|\{[^}]*(?:\}|\Z)|(?P<mark>[ \t]*\?+(?=[ \t;]|\Z))')
"""Text and remarks, in which a question mark asks nothing, or a question mark at the end of a word."""


class Question(NamedTuple):
    """A question: the word that it is about ("": the table as a whole), and the line up to there; the line `stays`
    where something stands before the question mark, which can be given without that.
    """

    word: str
    text: str
    stays: bool


def question_in(line: str) -> Question | None:
    """Return the question that a line asks; None where no word in it ends with a question mark."""
    found = next((match for match in _MARK.finditer(line) if match["mark"]), None)
    if found is None:
        return None
    before = line[: found.start()]
    if not before.strip():
        # Nothing stands before it, so what follows is the question and no order.
        about = line.replace("?", " ").strip()
        return Question(about, about, stays=False)
    return Question(re.split(r"[ \t;]", before)[-1], before, stays=True)
