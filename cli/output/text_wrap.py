"""Text in the cells of a terminal: folded at its width, with names from right to left isolated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mam_events.sanitize import RIGHT_TO_LEFT

_RUN = re.compile(f"[{RIGHT_TO_LEFT}](?:[ ’'\"\u200c\u200d-]?[{RIGHT_TO_LEFT}])*")
_CHUNK = re.compile(r"[ \t]+|[^ \t]+")
ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def isolate_rtl(text: str) -> str:
    """Return the text with its right-to-left parts isolated.

    An arrow between two Hebrew names then points from the first to the second.
    """
    return text if text.isascii() else _RUN.sub(rf"{ISOLATE}\g<0>{POP_ISOLATE}", text)


def text_width(text: str) -> int:
    """Return the columns that a plain text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text.replace(ISOLATE, "").replace(POP_ISOLATE, ""))


def wrap(text: str, columns: int, indent: int = 0) -> list[str]:
    """Return the lines of a text folded at that many columns, those after the first indented.

    A character without a column of its own is never separated from the one before it.
    """
    lines: list[str] = []
    line, used = "", 0
    for chunk in _CHUNK.findall(text):
        blank, takes = chunk.isspace(), text_width(chunk)
        if blank and not line.strip() and lines:
            continue
        if used + takes <= columns:
            line, used = line + chunk, used + takes
            continue
        if blank:
            lines, line, used = [*lines, line], " " * indent, indent
            continue
        if line.strip() and takes <= columns - (indent if lines else 0):
            lines, line, used = [*lines, line], " " * indent, indent
        for grapheme in _graphemes(chunk):
            if used + text_width(grapheme) > columns and line.strip():
                lines, line, used = [*lines, line], " " * indent, indent
            line, used = line + grapheme, used + text_width(grapheme)
    return [part.rstrip(" \t") for part in [*lines, *([line] if line.strip() or not lines else [])]]


def truncate(text: str, columns: int) -> str:
    """Return as much of the beginning of a text as fits into that many columns."""
    result, used = "", 0
    for grapheme in _graphemes(text):
        used += text_width(grapheme)
        if used > columns:
            break
        result += grapheme
    return result


def _graphemes(word: str) -> Iterator[str]:
    """Yield the characters of a word, each with the following ones that take no column."""
    grapheme = ""
    for character in word:
        if grapheme and text_width(character):
            yield grapheme
            grapheme = ""
        grapheme += character
    yield grapheme
