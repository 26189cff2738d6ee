"""Questions at the table: a line with a question mark asks about a word, and gives nothing."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from mam_events.errors import BadInput, Unclear
from mam_events.notation.grammar.dice import is_face
from mam_events.notation.grammar.vocabulary import GROUP_ROLL_FIELDS
from mam_events.notation.lexer.lexer import orders_in

_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|\{[^}]*(?:\}|\Z)|(?P<mark>[ \t]*\?+(?=[ \t;]|\Z))')
"""Quoted text and remarks, in which a question mark asks nothing, or a question mark at the end of a word."""


class Question(NamedTuple):
    """A question about a word ("": the whole table).

    `text` is the line up to the question mark. It `stays` in the prompt if it can be given without the question mark.
    """

    word: str
    text: str
    stays: bool


def question_in(line: str) -> Question | None:
    """Return the question that a line asks; None if no word in it ends with a question mark."""
    mark = next((match for match in _MARK.finditer(line) if match["mark"]), None)
    if mark is None:
        return None
    before = line[: mark.start()]
    if not before.strip():
        # Without a word before the mark, the rest is the question.
        about = line.replace("?", " ").strip()
        return Question(about, about, stays=False)
    return Question(re.split(r"[ \t;]", before)[-1], before, stays=True)


def is_only_question(line: str) -> bool:
    """Return True if the line is one word with its question mark, which nobody means to give without it."""
    question = question_in(line)
    return question is not None and question.stays and question.text.strip() == question.word


class OpenQuestion(NamedTuple):
    """A question in answer to a line; Enter answers it only if it was the `last` output."""

    line: str
    asked: Unclear
    last: bool = True


def question_of(line: str, error: Exception) -> OpenQuestion | None:
    """Return the question in answer to a line; None for any other error."""
    return OpenQuestion(line.strip(), error) if isinstance(error, Unclear) else None


def still_open_question(question: OpenQuestion | None) -> OpenQuestion | None:
    """Return the question after something else was looked at or refused, while nothing was written."""
    return question._replace(last=False) if question else None


def answer_open_question(question: OpenQuestion | None, typed: str) -> str:
    """Return the questioned line with the answer in it, if what was typed is one of the options; else what was typed.

    The answer may be shortened to a unique beginning. An empty line means the usual option, if there is one.
    """
    words = [word for word in typed.lower().replace("-", " ").split() if word not in FILLERS]
    if question is None:
        return typed
    line, unclear, is_last = question
    if typed.strip().lower() in ("", *YES) and unclear.usual and is_last:
        return insert_answer(line, unclear, unclear.usual)
    if not words or unclear.whole or typed.strip().lower() in _NOT_AN_ANSWER:
        return typed
    answer = "-".join(words)
    if unclear.number and _NUMBER.fullmatch(answer):
        return insert_answer(line, unclear, unclear.number.format(answer.removeprefix("p")))
    # If several fields are possible, each answer names its own: `target=goblin-2`.
    values = {one: one.rpartition("=")[2].lower().replace(" ", "-") for one in unclear.allowed}
    matches = [one for one, value in values.items() if value == answer]
    matches = matches or [one for one, value in values.items() if value.startswith(answer)]
    return insert_answer(line, unclear, matches[0]) if len(matches) == 1 else typed


YES = ("yes", "y", "ok")
"""Words that do what Enter would do."""
_NOT_AN_ANSWER = ("u", "n", "r", "q", "no", "nope", "not", "nothing")
"""Words that are not taken for the beginning of an answer: orders of one letter, and refusals."""
_NUMBER = re.compile(r"p?[0-9]{1,4}m?")
_BEHIND = re.compile(r"(?:\s+because\s.*|\s*[.!]+)\Z", re.IGNORECASE)
"""The end of an order: its reason and its full stop."""


def insert_answer(line: str, question: Unclear, answer: str) -> str:
    """Return the line with the answer in the order that the question is about."""
    text = question.place.strip('"') if question.place.startswith('"') else line
    if not question.whole and ";" not in line and text != line and line.count(text) == 1:
        # Without semicolons between orders, the question quotes the order that it is about.
        return line.replace(text, _answered(text, question, answer), 1)
    orders = [one.text for one in orders_in(line)] if ";" in line else [line]
    at = min(question.nth, len(orders) - 1)
    orders[at] = _answered(orders[at], question, answer)
    return "; ".join(orders)


def _answered(order: str, question: Unclear, answer: str) -> str:
    """Return that order with the answer in place of the word in question.

    If only one field is possible, the answer is the bare name without the field, so that it can follow an article.
    """
    if question.word and len({one.partition("=")[0] for one in question.allowed if "=" in one}) == 1:
        answer = answer.partition("=")[2] or answer
    if question.whole:
        return answer
    ends = _BEHIND.search(order)
    text, ending = (order[: ends.start()], ends[0]) if ends else (order, "")
    if question.word:
        line = re.sub(rf"(?<!\w){re.escape(question.word)}(?!\w)", answer, text, count=1, flags=re.IGNORECASE)
    else:
        line = f"{answer} {text}" if question.in_front else f"{text} {answer}"
    return line + ending


FILLERS = ("the", "with", "a", "an", "his", "her", "their", "my")
"""Words of an answer without a meaning."""


class DrawQuestion(NamedTuple):
    """The question whether to draw the dice of a line; `rollers` are those who throw each of them."""

    line: str
    order: str
    rollers: tuple[str, ...]

    @property
    def faces_sentence(self) -> str:
        """The number of faces needed, and whose they are, in order."""
        if len(self.rollers) == 1:
            return "1 die is thrown for this. Type its face."
        count = Counter(self.rollers)
        each = [f"{count[who]} of {who}" if max(count.values()) > 1 else who for who in count]
        order = f", in this order: {', '.join(each)}" if len(count) > 1 else ""
        return f"{len(self.rollers)} dice are thrown for this. Type {len(self.rollers)} faces{order}."


def add_typed_faces(question: DrawQuestion | None, line: str, *, is_elsewhere: bool) -> str:
    """Return the line in question with the typed faces for its dice, in the order of its rollers.

    Any other line is returned unchanged. Raises BadInput for another number of faces, unless they could belong to dice
    `is_elsewhere`.
    """
    faces = line.replace(",", " ").split()
    if question is None or not faces or not all(map(is_face, faces)):
        return line
    if len(faces) != len(question.rollers):
        if is_elsewhere and question.order != "resolve":
            return line
        raise BadInput(question.faces_sentence, place="dice")
    if question.order not in GROUP_ROLL_FIELDS:
        return f"{question.line} [{' '.join(faces)}]"
    faces_by_die: dict[str, list[str]] = {}
    for roller, face in zip(question.rollers, faces, strict=True):
        faces_by_die.setdefault(roller, []).append(face)
    return " ".join((question.line, *(f"{roller} {' '.join(of_one)}" for roller, of_one in faces_by_die.items())))
