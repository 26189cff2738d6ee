"""A line split into its orders and their words, before their meaning is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple, Union
from unicodedata import decimal

from mam_events.errors import BadInput
from mam_events.notation.lexer.normalize import MAX_LINE_LENGTH, normalize_line
from mam_events.sanitize import is_clean

EXACT, CUT = 0, 1
MAX_ORDERS = 100
"""The most orders that are given at once, as a line or as a list; they occupy the store until the last one is done."""
NO_VALUE_WORD = "-"
MOST_DIGITS = 9
MOST_PARTS = 1_000
"""The most words, brackets and signs of one order without text: more than any combatant's sheet needs."""
DEEPEST = 8
"""The greatest depth of nested parentheses."""

_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+)
    | (?P<remark>\{[^}]*\})
    | (?P<parting>;)
    | (?P<opening>\()
    | (?P<closing>\))
    | (?P<faces>\[[^\[\]]*\])
    | (?P<text>"(?:[^"\\]|\\.)*(?:"|\\?\Z))
    | (?P<key>(?:~?\#[0-9]+|[^\W_][\w.-]*)=)
    | (?P<word>[^ \t"()\[\]{};]+)""",
    re.VERBOSE,
)
_FACES = re.compile(r"[0-9]{1,9}(?:,[0-9]{1,9})*,?\Z")
"""Faces as people read them out: separated by blanks or commas."""
_DIGIT = re.compile(r"\d")
"""A digit of any script; people type those of their own."""
_RULING = re.compile(r"#?([0-9]{1,9})\Z")
_ESCAPED = re.compile(r"\\(.)")
_UNFINISHED = {
    "(": "A parenthesis is not closed. Add a )",
    "[": "The brackets around the dice are not closed. Add a ]",
    "{": "A remark must be closed with } on its own line",
}


SAYING = ("note", "dispute", "answer")
"""Orders that state something: the words after them are text, with quotes or without."""


REASONED = ("close",)
"""Orders that take nothing but a reason: the words after them are the reason, with `because` or without."""

BECAUSE = "because"
"""The word before the reason of any other order, which is text without quotes."""
CONFIRM_MARK = "!"
"""The mark at the end of a line that confirms a correction, whatever it changes."""


class TextToken(str):
    """Text that stood in quotes, which is taken literally."""

    __slots__ = ()


class DiceToken(str):
    """The inside of brackets: faces of dice."""

    __slots__ = ()


TokenValue = Union[str, "tuple[WordToken, ...]"]
"""A word, `TextToken` text, `DiceToken`, or the inside of parentheses."""


class WordToken(NamedTuple):
    """One word of an order, and the field that it names ("": it has no key)."""

    key: str
    value: TokenValue
    comma: bool = False
    """True if a comma followed the word; it separates words as a blank does."""

    @property
    def is_dash(self) -> bool:
        """True for a dash, which stands for no value."""
        return self.value == NO_VALUE_WORD and not isinstance(self.value, TextToken)

    @property
    def word(self) -> str:
        """The word if it has no key; "" for text, faces, parentheses and a word with a key."""
        bare = not self.key and isinstance(self.value, str) and not isinstance(self.value, TextToken | DiceToken)
        return str(self.value) if bare else ""


class ParsedOrder(NamedTuple):
    """One order as it was written; `ends` is True if it also ends the turn."""

    text: str
    words: tuple[WordToken, ...]
    ends: bool = False


def orders_in(line: str, *, most: int | None = MAX_ORDERS) -> list[ParsedOrder]:
    """Return the orders of a line.

    The last quote of a text may be missing at the end. Raises BadInput for an invalid line, and for one that is empty
    or too long.
    """
    line = normalize_line(line)
    if not is_clean(line.replace("\t", " "), MAX_LINE_LENGTH):
        raise BadInput(
            "The line has a character that cannot be used, such as an accent separate from its letter. Type it again."
        )
    orders = [_order(tokens) for tokens in _parted(line) if tokens]
    if not orders:
        raise BadInput("There is no order in this line.")
    if most is not None and len(orders) > most:
        raise BadInput(f"A line has at most {most} orders, not {len(orders)}.")
    return orders


class _Token(NamedTuple):
    kind: str
    text: str
    blank: bool
    """True if a blank precedes it."""


def _parted(line: str) -> list[list[_Token]]:
    """Return the tokens of each order."""
    orders: list[list[_Token]] = [[]]
    at, blank, depth = 0, True, 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            char = line[at]
            raise BadInput(f"{_UNFINISHED.get(char, f'There is one {char} too many. Leave it out')}.", wrong=char)
        kind, at = str(match.lastgroup), match.end()
        depth += {"opening": 1, "closing": -1}.get(kind, 0)
        if kind == "parting" and not depth:
            orders.append([])
        elif kind == "parting":
            raise BadInput("A ; separates orders and cannot be inside parentheses.")
        elif kind == "word" and match[0].endswith("?"):
            # A word with ? shows that somebody asks something, whatever else the line means.
            raise BadInput(
                "A line with a ? only asks and does nothing. To write a text with a ?, put the text in quotes.",
                wrong=match[0],
            )
        elif kind not in ("blank", "remark"):
            text = match[0] if kind != "word" or match[0].isascii() else _DIGIT.sub(_as_ascii, match[0])
            orders[-1].append(_Token(kind, text, blank))
            if len(orders[-1]) > MOST_PARTS and orders[-1][0].text.lower() not in SAYING:
                raise BadInput(f"An order has at most {MOST_PARTS:,} words and signs.")
        blank = kind in ("blank", "remark", "parting")
    return orders


def _as_ascii(digit: re.Match[str]) -> str:
    return str(decimal(digit[0]))


def _order(tokens: list[_Token]) -> ParsedOrder:
    text = _joined(tokens)
    tokens = _with_text(tokens) if tokens[0].text.lower() in SAYING else _with_reason(tokens)
    _check_quotes(tokens)
    ends = tokens[-1].kind == "word" and tokens[-1].text.endswith(".")
    if ends:
        *tokens, last = tokens
        if last.text != ".":
            tokens.append(last._replace(text=last.text[:-1]))
    return ParsedOrder(text, _words([part for token in tokens for part in _apart(token)]), ends)


def _joined(tokens: Iterable[_Token]) -> str:
    return "".join(" " * token.blank + token.text for token in tokens).strip()


def _with_text(tokens: list[_Token]) -> list[_Token]:
    """Return the words of a note with its text in quotes; without quotes, the text goes up to the first named field."""
    numbered = any(_RULING.match(one.text.removesuffix(":")) for one in tokens[2:3])
    if numbered and [one.text.lower() for one in tokens[:2]] == ["dispute", "ruling"]:
        tokens = [tokens[0], *tokens[2:]]
    if len(tokens) > 1 and _RULING.match(tokens[1].text.removesuffix(":")):
        # The colon in `dispute 42: he was behind cover` is dropped.
        tokens = [tokens[0], tokens[1]._replace(text=tokens[1].text.removesuffix(":")), *tokens[2:]]
    about = len(tokens) > 1 and bool(_RULING.match(tokens[1].text))
    first = 1 + about
    end = next((at for at, token in enumerate(tokens) if token.kind == "key" and token.blank), len(tokens))
    text_tokens = tokens[first:end]
    if not text_tokens or (text_tokens[0].kind == "text" and len(text_tokens) == 1) or _joined(text_tokens) == ".":
        return tokens
    text = _ESCAPED.sub(r"\1", _joined(text_tokens))
    inside = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    return [*tokens[:first], _Token("text", quoted_text(inside), blank=True), *tokens[end:]]


def _check_quotes(tokens: Sequence[_Token]) -> None:
    """Raise BadInput for text with a quote inside that ends it: a word follows without a blank."""
    for text, word in pairwise(tokens):
        if (text.kind, word.kind, word.blank) == ("text", "word", False) and word.text[0].isalnum():
            raise BadInput(r'Type a quote inside a text as \", as in "he said \"no\"".', wrong=word.text)


def _with_reason(tokens: list[_Token]) -> list[_Token]:
    """Return the words of an order with its reason in quotes.

    A reason without quotes goes from `because` up to the first named field or the confirmation mark.
    """
    if tokens[0].text.lower() in REASONED and [
        one for one in tokens[1:2] if one.kind == "word" and one.text != CONFIRM_MARK
    ]:
        reasoned = tokens[1].text.lower() == BECAUSE
        tokens = tokens if reasoned else [tokens[0], _Token("word", BECAUSE, blank=True), *tokens[1:]]
    depth, at = 0, 0
    for at, token in enumerate(tokens):
        depth += {"opening": 1, "closing": -1}.get(token.kind, 0)
        if at and not depth and token.kind == "word" and token.blank and token.text.lower() == BECAUSE:
            break
    else:
        return tokens
    rest = tokens[at + 1 :]
    end = next(
        (at for at, token in enumerate(rest) if token.blank and (token.kind == "key" or token.text == CONFIRM_MARK)),
        len(rest),
    )
    reason_tokens = rest[:end]
    if not reason_tokens:
        raise BadInput(f"The reason after {BECAUSE} is missing.", wrong=BECAUSE)
    # The reason in `because of the fire` keeps its `because`.
    whole_words = tokens[at : at + 1 + end] if reason_tokens[0].text.lower() == "of" else reason_tokens
    text = (
        reason_tokens
        if reason_tokens[0].kind == "text"
        else [_Token("text", quoted_text(_joined(whole_words)), blank=True)]
    )
    return [*tokens[:at], *text, *rest[end:]]


def _apart(token: _Token) -> list[_Token]:
    """Return faces that are joined by commas as separate tokens; anything else as it is."""
    if token.kind != "word" or not token.blank or not _FACES.match(token.text):
        return [token]
    *faces, last = (face for face in token.text.split(",") if face)
    # A comma after the last face may separate orders.
    return [token._replace(text=face) for face in (*faces, last + "," * token.text.endswith(","))]


def _words(tokens: list[_Token]) -> tuple[WordToken, ...]:
    """Return the words that those tokens make; parentheses become words within a word."""
    open_ones: list[tuple[str, list[WordToken]]] = [("", [])]
    key = ""
    for token, after in zip_longest(tokens, tokens[1:]):
        if key and (token.blank or token.kind in ("key", "closing")):
            break
        words = open_ones[-1][1]
        if token.kind == "key":
            key = token.text[:-1]
            continue
        if token.kind == "opening":
            open_ones.append((key, []))
            if len(open_ones) > DEEPEST:
                raise BadInput("There are too many parentheses inside each other.")
        elif token.kind == "closing":
            if len(open_ones) == 1:
                raise BadInput("There is one ) too many. Leave it out.", wrong=")")
            inner, inner_tokens = open_ones.pop()
            open_ones[-1][1].append(WordToken(inner, tuple(inner_tokens)))
        else:
            words += _parted_word(key, token, after)
        key = ""
    if key:
        raise BadInput(
            f"The value after {key}= is missing. Type it directly after the =, or - for none.", wrong=f"{key}="
        )
    if len(open_ones) > 1:
        raise BadInput(f"{_UNFINISHED['(']}.", wrong="(")
    return tuple(open_ones[0][1])


def _parted_word(key: str, token: _Token, after: _Token | None) -> list[WordToken]:
    """Return the word that a token makes, without a comma after it; none for a comma alone."""
    word = token.text.rstrip(",") if token.kind == "word" else token.text
    if word == token.text:
        return [WordToken(key, _value(token))]
    if key and after and after.kind == "word" and (_RULING.match(after.text) or not word.isdecimal()):
        raise BadInput(f"Type a list without blanks: {key}={word},{after.text}.", wrong=token.text)
    return [WordToken(key, word, comma=True)] if word else []


def _value(token: _Token) -> str:
    if token.kind == "faces":
        return DiceToken(token.text[1:-1])
    if token.kind == "text":
        closed = re.search(r'(?<!\\)(?:\\\\)*"\Z', token.text[1:])
        inside = token.text[1:-1] if closed else token.text[1:]
        return TextToken(_ESCAPED.sub(r"\1", inside).removesuffix("" if closed else "\\"))
    return token.text


def match_words(word: str, pool: Iterable[str], least: int = 1) -> tuple[int, list[str]]:
    """Return the words of a pool that match a word, preceded by the rank: `EXACT`, or `CUT` for an abbreviation.

    An abbreviation has at least `least` letters. Dashes and underscores are the same.
    """
    words = list(dict.fromkeys(pool))
    key = word.replace("-", "_")
    exact = [one for one in words if one.replace("-", "_") == key]
    if exact:
        return EXACT, exact
    return CUT, [one for one in words if len(word) >= least and one.replace("-", "_").startswith(key)]


def match_prefix(word: str, pool: Iterable[str], least: int = 1) -> list[str]:
    """Return the words of a pool that a word may mean, in full or abbreviated."""
    return match_words(word, pool, least)[1]


def ruling_number(word: str, *, marked: bool = False) -> int | None:
    """Return the number of a ruling that a word means: `#17`, or 17 unless it must be `marked`; None for others."""
    match = _RULING.match(word)
    return int(match[1]) if match and (not marked or word.startswith("#")) else None


def number_in_front(rest: list[WordToken]) -> int | None:
    """Remove the number of a ruling from the front of those words, and return it; None if there is none."""
    number = ruling_number(rest[0].word) if rest else None
    if number is not None:
        rest.pop(0)
    return number


def parse_number(word: str) -> int:
    """Return a word of digits as a number, or raise BadInput if it is too long."""
    if len(word) > MOST_DIGITS:
        raise BadInput(f"A number has at most {MOST_DIGITS} digits here.", wrong=word)
    return int(word)


def quoted_text(text: str) -> str:
    """Return a text as it is written in a line."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
