"""Lines as phones, pages and editors give them, converted to plain lines."""

from __future__ import annotations

import re
import shlex

from mam_events.errors import BadInput
from mam_events.sanitize import to_nfc
from mam_events.values import HIDDEN_CHARACTERS

MAX_LINE_LENGTH = 20_000
"""The most characters of a line."""
MOST_QUOTES = 400
"""The most quotes and braces of a line; for each, the rest of the line is searched for its end."""
_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that change the direction of writing; they are copied along with a name."""
_KEPT = re.compile(r'"(?:[^"\\]|\\.)*"|\{[^}]*\}')
"""Text in straight quotes, and remarks, which are kept as they are."""
_HALF_CURLY = re.compile('"([^"\u201c\u201e\u00ab\u201d]*)\u201d')
_UNCLOSED = re.compile('".*')
_CLOSING = {
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u201f": "\u201d",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab\u00bb",
    "\u2039": "\u203a",
    "\u203a": "\u2039\u203a",
    "\u300c": "\u300d",
    "\uff02": "\uff02",
}
"""Quotes that open a text, each with those that close it."""
_BARE = re.compile(f'[^"{{{"".join(_CLOSING)}]+|.')
_PLAIN = {
    **{ord(sign): "'" for sign in "\u2018\u2019\u201a\u201b\u02bc"},
    **{ord(sign): "-" for sign in "\u2010\u2011\u2012\u2013\u2014\u2212"},
    **{0xFF01 + n: chr(0x21 + n) for n in range(0x5E)},
    0x2026: "...",
}
"""Characters that keyboards use instead of the plain ones, including those of full width."""
_ZERO_WIDTH = re.compile("[\u00ad\u180e\u200b\u2060\ufeff]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PROMPT = re.compile(r'(?:mam|closed|r[0-9]{1,6}(?: [^">]*)?)> |[$%\u276f] (?=mam )')
"""The prompt of `mam play` or of a shell, copied along with the typed line."""
_DOING = re.compile("mam[ ]do[ ]")


def lines_in(text: str) -> list[str]:
    """Return the plain lines of a text except empty ones, each without the prompt that it was copied with."""
    lines = (_without_prompt(normalize_line(line)) for line in text.splitlines())
    return [line for line in lines if line]


def one_line(text: str) -> str:
    """Return the one plain line of a text, or raise BadInput if there are several."""
    lines = lines_in(text)
    if len(lines) > 1:
        raise BadInput(f"These are {len(lines)} lines. Type them one by one.")
    return lines[0] if lines else ""


def normalize_line(line: str) -> str:
    """Return a line with plain quotes, blanks and dashes around its texts, in composed characters (NFC)."""
    if len(line) > MAX_LINE_LENGTH:
        raise BadInput(f"A line has at most {MAX_LINE_LENGTH} characters, not {len(line)}.")
    if sum(map(line.count, (*_CLOSING, '"', "{"))) > MOST_QUOTES:
        raise BadInput(f"A line has at most {MOST_QUOTES} quotes and braces.")
    line = to_nfc(_MARKS.sub("", line))
    if line.isascii():
        return line.strip()
    parts: list[str] = []
    at = 0
    while at < len(line):
        if match := _KEPT.match(line, at):
            part, at = match[0], match.end()
        elif half := _HALF_CURLY.match(line, at):
            part, at = f'"{half[1]}"', half.end()
        elif unclosed := _UNCLOSED.match(line, at):
            part, at = unclosed[0], unclosed.end()
        elif line[at] in _CLOSING:
            part, at = _quoted(line, at)
        else:
            bare = _BARE.match(line, at)
            assert bare is not None  # noqa: S101 - it matches anything
            part, at = _BLANKS.sub(" ", _ZERO_WIDTH.sub("", bare[0])).translate(_PLAIN), bare.end()
        parts.append(part)
    return "".join(parts).strip()


def _quoted(line: str, at: int) -> tuple[str, int]:
    """Return the text that a curly or angled quote opens there, in straight quotes, and the place where it ends.

    Quotes may be nested, and the last quote of a line may be missing, or straight.
    """
    close = _closed(line, at)
    straight = None if close else re.compile('([^"]*)"').match(line, at + 1)
    end = close or (straight.end() if straight else len(line))
    inside = line[at + 1 : end - 1] if close or straight else line[at + 1 :]
    inside = _seen(inside)
    escaped = re.sub(r'(?<!\\)"', r"\"", inside)
    return f'"{escaped}"' if close or straight else f'"{escaped}', end


def _seen(text: str) -> str:
    """Return a text without invisible characters at its ends."""
    unseen = re.compile(f"[{HIDDEN_CHARACTERS}]")
    first, last = 0, len(text)
    while first < last and unseen.match(text, first):
        first += 1
    while last > first and unseen.match(text, last - 1):
        last -= 1
    return text[first:last]


def _closed(line: str, at: int) -> int:
    """Return the place where the text ends that a quote opens there, or 0 if nothing closes it."""
    open_ones: list[str] = []
    for place, sign in enumerate(line[at:], at):
        if open_ones and sign in open_ones[-1]:
            open_ones.pop()
        elif sign in _CLOSING:
            open_ones.append(_CLOSING[sign])
        if not open_ones:
            return place + 1
    return 0


def _without_prompt(line: str) -> str:
    prompt = _PROMPT.match(line)
    text = line[prompt.end() :] if prompt else line
    if not _DOING.match(text):
        return text
    try:
        return " ".join(shlex.split(text)[2:])
    except ValueError:
        return _DOING.sub("", text, count=1)
