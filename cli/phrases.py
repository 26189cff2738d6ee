"""Lines as people type them who do not know the commands yet, and the lines that they mean."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cli.session import Session


class Phrase(NamedTuple):
    """A line as it is typed and as it is meant, and the sentence that answers it, where the usual one does not do.

    Words in capitals stand for what was typed; what is typed behind a phrase stays behind it.
    """

    typed: str
    meant: str
    told: str = ""


class Meant(NamedTuple):
    """The line that was meant, ready to type, and the sentence with it ("": the usual one)."""

    line: str
    told: str


PHRASES = (
    Phrase("help WORDS", "WORDS --help"),
    Phrase("rewind WORDS", "undo WORDS --rewind"),
    Phrase("undo --ruling N", "undo N"),
    Phrase("dispute N --claim WORDS", "note WORDS --dispute --about N"),
    Phrase("dispute N WORDS", "note WORDS --dispute --about N"),
    Phrase("STRIKE ANY --points N", "STRIKE ANY --power N"),
)
"""The first that fits is what was meant."""

_END = "\x1f"
_BARE = f"[^-{_END}][^{_END}]*"
_SEVERAL: Mapping[str, str] = {"WORDS": f"(?:{_BARE}{_END})*", "ANY": f"(?:[^{_END}]*{_END})*?"}
"""Capitals for any number of words: bare ones, or all there are."""
_ONE: Mapping[str, str | Callable[[Session], Iterable[str]]] = {
    "N": "#?[0-9]+",
    "STRIKE": "attack|counterattack",
}
"""Capitals for one word or a part of it; some of it only the fight can tell."""
_CAPITALS = re.compile(f"((?:{'|'.join((*_SEVERAL, *_ONE))})(?![A-Z]))")
_BEFORE = re.compile(f"(?:(?:--store|--encounter|-e|--by|--as){_END}[^{_END}]*{_END}|-[^{_END}]*{_END})*")
"""Options before the command, with their values."""


def phrase_meant(session: Session) -> Meant | None:
    """The line that was meant by the one that was typed; None where it is no such phrase, or nobody knows."""
    line = "".join(word + _END for word in session.arguments)
    before = _BEFORE.match(line)
    start = before.end() if before else 0
    try:
        found = ((phrase, _read(phrase, line[start:], session)) for phrase in PHRASES)
        return next((_line(line[:start] + said, phrase) for phrase, said in found if said), None)
    except Exception:  # noqa: BLE001 - a fight that cannot be read stands in the way, and what was wrong is told first
        return None


def _line(said: str, phrase: Phrase) -> Meant:
    return Meant(shlex.join(("mam", *said.split(_END)[:-1])), phrase.told)


def _read(phrase: Phrase, line: str, session: Session) -> str:
    """The line as that phrase means it, wherever it stands in it; "" where it does not."""
    if not re.match(_pattern(phrase.typed.split()[0], session), line):
        return ""
    pattern = re.compile("".join(_pattern(word, session) for word in phrase.typed.split()))
    said = line
    # What is said several times in one line is read as often; what means itself again is not read for ever.
    for _ in session.arguments:
        if found := pattern.match(said):
            said = _filled(phrase, found) + said[found.end() :]
    return said if said != line else ""


def _pattern(word: str, session: Session) -> str:
    """The expression that a word of a phrase is found by, each of its capitals in a group."""
    if word in _SEVERAL:
        return f"({_SEVERAL[word]})"
    return "".join(f"({_kind(part, session)})" if part in _ONE else part for part in _CAPITALS.split(word)) + _END


def _kind(name: str, session: Session) -> str:
    kind = _ONE[name]
    return kind if isinstance(kind, str) else "|".join(map(re.escape, kind(session))) or "(?!)"


def _filled(phrase: Phrase, found: re.Match[str]) -> str:
    """The meaning of a phrase, with what was typed for its capitals: for those that stand twice in their order."""
    typed: dict[str, list[str]] = {}
    for name, text in zip(_CAPITALS.findall(phrase.typed), found.groups(), strict=True):
        typed.setdefault(name, []).append(text)
    words = (_CAPITALS.sub(lambda name: typed[name[0]].pop(0), word) for word in phrase.meant.split())
    return "".join(word if word.endswith(_END) or not word else word + _END for word in words)
