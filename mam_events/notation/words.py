"""A line taken apart into its orders and their words, before anything is known of what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Union
from unicodedata import decimal

from mam_events.errors import BadInput
from mam_events.text import is_clean

EXACT, CUT = 0, 1
LONGEST = 20_000
"""The most characters of one line: a combatant with all that it carries is one."""
NOTHING = "-"
MOST_DIGITS = 9
DEEPEST = 8
"""The most parentheses that may stand in one another."""

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+)
    | (?P<remark>\{[^}]*\})
    | (?P<parting>;)
    | (?P<opening>\()
    | (?P<closing>\))
    | (?P<faces>\[[^\[\]]*\])
    | (?P<text>"(?:[^"\\]|\\.)*(?:"|\\?\Z))
    | (?P<key>(?:~?\#[0-9]+|[A-Za-z0-9][A-Za-z0-9_.-]*)=)
    | (?P<word>[^ \t"()\[\]{};]+)""",
    re.VERBOSE,
)
_FACES = re.compile(r"[0-9]{1,9}(?:,[0-9]{1,9})*,?\Z")
"""Faces as dice are read out: with blanks or commas between them."""
_DIGIT = re.compile(r"\d")
"""A digit of any script; people type those of their own."""
_RULING = re.compile(r"#?([0-9]{1,9})\Z")
_ESCAPED = re.compile(r"\\(.)")
_UNFINISHED = {
    "(": "a parenthesis is not closed",
    "[": "the brackets of the dice are not closed",
    "{": "a remark is not closed; it ends on its line",
}


class Quoted(str):
    """Text that stood in quotes: words to be taken as they are."""

    __slots__ = ()


class Faces(str):
    """The inside of brackets: faces of dice."""

    __slots__ = ()


Value = Union[str, "tuple[Said, ...]"]
"""A word, `Quoted` text, `Faces`, or what stood in parentheses."""


class Said(NamedTuple):
    """One word of an order, and the field that it was said to be of ("": it stands bare)."""

    key: str
    value: Value

    @property
    def nothing(self) -> bool:
        """True for a dash, which says nothing."""
        return self.value == NOTHING and not isinstance(self.value, Quoted)

    @property
    def word(self) -> str:
        """The word that stands bare; "" for text, faces, parentheses and for what has a key."""
        bare = not self.key and isinstance(self.value, str) and not isinstance(self.value, Quoted | Faces)
        return str(self.value) if bare else ""


class Written(NamedTuple):
    """One order as it was written; `ends` tells that the turn is over with it."""

    text: str
    words: tuple[Said, ...]
    ends: bool = False


def orders_in(line: str) -> list[Written]:
    """The orders of a line; raises BadInput for what is no line, and for one in which nothing stands.

    The last quote of a text may be missing at the end.
    """
    if len(line) > LONGEST:
        raise BadInput(f"a line has at most {LONGEST} characters, not {len(line)}.")
    if not is_clean(line.replace("\t", " "), LONGEST):
        raise BadInput("a line is plain composed text (NFC), without control characters.")
    found = [_order(tokens) for tokens in _parted(line) if tokens]
    if not found:
        raise BadInput("there is no order in this line.")
    return found


class _Token(NamedTuple):
    kind: str
    text: str
    blank: bool
    """True if a blank stands before it."""


def _parted(line: str) -> list[list[_Token]]:
    """The tokens of each order."""
    orders: list[list[_Token]] = [[]]
    at, blank, depth = 0, True, 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            said = line[at]
            raise BadInput(f"{_UNFINISHED.get(said, f'nothing is open that {said} could close')}.", wrong=said)
        kind, at = str(match.lastgroup), match.end()
        depth += {"opening": 1, "closing": -1}.get(kind, 0)
        if kind == "parting" and not depth:
            orders.append([])
        elif kind == "parting":
            raise BadInput("a ; stands between orders, not in parentheses.")
        elif kind not in ("blank", "remark"):
            text = match[0] if kind != "word" or match[0].isascii() else _DIGIT.sub(_as_ascii, match[0])
            orders[-1].append(_Token(kind, text, blank))
        blank = kind in ("blank", "remark", "parting")
    return orders


def _as_ascii(digit: re.Match[str]) -> str:
    return str(decimal(digit[0]))


def _order(tokens: list[_Token]) -> Written:
    text = "".join(" " * token.blank + token.text for token in tokens).strip()
    ends = tokens[-1].kind == "word" and tokens[-1].text.endswith(".")
    if ends:
        *tokens, last = tokens
        if last.text != ".":
            tokens.append(last._replace(text=last.text[:-1]))
    return Written(text, _words([part for token in tokens for part in _apart(token)]), ends)


def _apart(token: _Token) -> list[_Token]:
    """Faces that stand together with commas between them, each by itself; anything else as it is."""
    if token.kind != "word" or not token.blank or not _FACES.match(token.text):
        return [token]
    return [token._replace(text=face) for face in token.text.split(",") if face]


def _words(tokens: list[_Token]) -> tuple[Said, ...]:
    """The words that those tokens are, parentheses as words in a word."""
    open_ones: list[tuple[str, list[Said]]] = [("", [])]
    key = ""
    for token in tokens:
        if key and (token.blank or token.kind in ("key", "closing")):
            break
        words = open_ones[-1][1]
        if token.kind == "key":
            key = token.text[:-1]
            continue
        if token.kind == "opening":
            open_ones.append((key, []))
            if len(open_ones) > DEEPEST:
                raise BadInput("parentheses are nested too deep here.")
        elif token.kind == "closing":
            if len(open_ones) == 1:
                raise BadInput("nothing is open that ) could close.", wrong=")")
            inner, said = open_ones.pop()
            open_ones[-1][1].append(Said(inner, tuple(said)))
        else:
            words.append(Said(key, _value(token)))
        key = ""
    if key:
        raise BadInput(f"nothing stands behind {key}=; without a blank goes its value, - for none.", wrong=f"{key}=")
    if len(open_ones) > 1:
        raise BadInput(f"{_UNFINISHED['(']}.", wrong="(")
    return tuple(open_ones[0][1])


def _value(token: _Token) -> str:
    if token.kind == "faces":
        return Faces(token.text[1:-1])
    if token.kind == "text":
        closed = re.search(r'(?<!\\)(?:\\\\)*"\Z', token.text[1:])
        inside = token.text[1:-1] if closed else token.text[1:]
        return Quoted(_ESCAPED.sub(r"\1", inside).removesuffix("" if closed else "\\"))
    return token.text


def spoken(line: str) -> set[str]:
    """Every word and every text of a line, as it was typed and in small letters; nothing where it is no line."""
    try:
        waiting = [word for order in orders_in(line) for word in order.words]
    except BadInput:
        return set()
    found: set[str] = set()
    while waiting:
        key, value = waiting.pop()
        found.add(key)
        if isinstance(value, tuple):
            waiting += value
        else:
            found.add(str(value))
    return {form for one in found for form in (one, one.lower())}


def ranked(word: str, pool: Iterable[str], least: int = 1) -> tuple[int, list[str]]:
    """The words of a pool that a word is, else those that it is the beginning of, from so many letters on; and which of
    both. Dashes and underscores are the same.
    """
    words = list(dict.fromkeys(pool))
    spelt = word.replace("-", "_")
    exact = [one for one in words if one.replace("-", "_") == spelt]
    if exact:
        return EXACT, exact
    return CUT, [one for one in words if len(word) >= least and one.replace("-", "_").startswith(spelt)]


def cut(word: str, pool: Iterable[str], least: int = 1) -> list[str]:
    """The words of a pool that a word may mean, whole or cut."""
    return ranked(word, pool, least)[1]


def ruling_number(word: str, *, marked: bool = False) -> int | None:
    """The number of a ruling that a word is, `#17` or (where it need not be `marked`) 17; None for any other word."""
    match = _RULING.match(word)
    return int(match[1]) if match and (not marked or word.startswith("#")) else None


def number_in_front(rest: list[Said]) -> int | None:
    """The number of a ruling at the front of those words, which is taken out of them."""
    number = ruling_number(rest[0].word) if rest else None
    if number is not None:
        rest.pop(0)
    return number


def whole(word: str) -> int:
    """A word of digits as a number; raises BadInput for one that is too long to be any."""
    if len(word) > MOST_DIGITS:
        raise BadInput(f"a number has at most {MOST_DIGITS} digits here.", wrong=word)
    return int(word)


def quoted_text(text: str) -> str:
    """Text as it is written in a line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
