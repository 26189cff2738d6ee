"""Marks for what became of a ruling, shown at the end of its line: struck, void, amended, changed, disputed."""

from __future__ import annotations

from collections.abc import Callable

from mam_events import events as e
from mam_events.history.timeline.rulings import Ruling
from mam_events.visibility import PUBLIC
from projections.phrases import because_of, join_words
from projections.rulings.index import RulingIndex
from projections.rulings.summary import struck_of

HIDDEN_TEXT = "▒ hidden"
"""The only text of a ruling that the view may not see."""


def marks_of(ruling: Ruling, index: RulingIndex) -> tuple[str, ...]:
    """Return the marks of a ruling, each a sign with its meaning in words, so that nothing depends on color."""
    return tuple(mark for marks in _MARKS for mark in marks(ruling, index))


def _inserted_mark(ruling: Ruling, _: RulingIndex) -> list[str]:
    after = ruling.head.after if isinstance(ruling.head, e.Play) else 0
    return [f"↳ after {after}"] if after else []


def _struck_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    cause = struck_of(ruling, index)
    return [f"↶ by {cause.who or cause.by}{because_of(cause.why)}"] if cause else []


def _restored_mark(ruling: Ruling, _: RulingIndex) -> list[str]:
    return [f"↷ undone by {ruling.restored_by}"] if ruling.restored_by else []


def _void_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    rejudged = ruling.rejudged
    if rejudged is None or rejudged.verdict != "void" or ruling.struck_by:
        return []
    because = f" (because of {ruling.because})" if ruling.because else ""
    return [f"✗ void: {index.redactor.why(rejudged).rstrip('.')}{because}"]


def _amended_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    amended_by = index.amended_by.get(ruling.number)
    return (
        [f"~ amended by {join_words([str(number) for number in amended_by])}"] if amended_by and ruling.amended else []
    )


def _changed_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    if not ruling.changed_by or ruling.is_void:
        return []
    # "amended by" already says it.
    amended = ruling.amended and ruling.changed_by in index.amended_by.get(ruling.number, ())
    return [] if amended else [f"~ changed by {ruling.changed_by}"]


def _disputed_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    disputes = index.open_disputes(ruling.number)
    return [f"? disputed by {join_words([str(number) for number in disputes])}"] if disputes else []


def _dispute_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    if ruling.number not in index.disputes:
        return []
    decision = index.decision(ruling.number)
    return [f"§ decided by {decision}" if decision else "? open"]


def _decision_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    settling = ruling.head.corrections if isinstance(ruling.head, e.Note) else ()
    corrections = ((number, index.taken_back(number)) for number in settling)
    return [f"↷ correction {number} was undone by {by}" for number, by in corrections if by]


def _answered_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    answers = index.answered_by.get(ruling.number)
    return [f"§ answered by {join_words([str(number) for number in answers])}"] if answers else []


def _visibility_mark(ruling: Ruling, index: RulingIndex) -> list[str]:
    visibility = index.redactor.visibility(ruling)
    return [] if visibility == PUBLIC else [f"◑ {visibility} only"]


_MARKS: tuple[Callable[[Ruling, RulingIndex], list[str]], ...] = (
    _inserted_mark,
    _struck_mark,
    _restored_mark,
    _void_mark,
    _amended_mark,
    _changed_mark,
    _disputed_mark,
    _dispute_mark,
    _decision_mark,
    _answered_mark,
    _visibility_mark,
)
