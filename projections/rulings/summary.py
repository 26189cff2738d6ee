"""A ruling in a sentence or two, and who undid it, for every view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from mam_events import events as e
from mam_events.commands import Adjust, EndTurn
from mam_events.history.timeline.rulings import Ruling
from mam_events.visibility import can_see
from projections.phrases import count_words, end_sentence, join_numbers
from projections.rulings.bookkeeping import new_passed_turns
from projections.rulings.command_text import (
    branch_sentence,
    capitalized_command_clause,
    command_clause,
    correction_sentence,
    note_sentence,
)
from projections.rulings.index import RulingContext, RulingIndex
from projections.sentences import headline

Kind = Literal["play", "correction", "note", "branch"]
KINDS: dict[type[e.Head], Kind] = {e.Play: "play", e.Correction: "correction", e.Note: "note", e.Branch: "branch"}


class StruckBy(Struct, frozen=True):
    """The correction or the branch that strikes a ruling: its number, its author and its reason ("" if hidden)."""

    by: int
    who: str = ""
    why: str = ""


def sentence_of(ruling: Ruling, index: RulingIndex) -> str:
    """Return the outcome of a ruling in a few sentences."""
    return _SENTENCES[type(ruling.head)](ruling, index)


def struck_of(ruling: Ruling, index: RulingIndex) -> StruckBy | None:
    """Return the correction that strikes a ruling, as far as it is visible to the view."""
    head = ruling.struck_head
    if not ruling.struck_by:
        return None
    if head is None or not can_see(index.view, head.visibility):
        return StruckBy(ruling.struck_by)
    why = head.reason if isinstance(head, e.Correction) else "not part of this branch"
    return StruckBy(ruling.struck_by, head.by, index.redactor.text(why))


def sees_outcome(rejudged: e.RulingRejudged, index: RulingIndex) -> bool:
    """Return True if the view may know the new outcome of a ruling."""
    ruling = index.ruling(rejudged.ruling)
    if ruling is None or not ruling.unveiled:
        return can_see(index.view, rejudged.visibility) and (ruling is None or index.redactor.shows(ruling))
    return index.redactor.shows(ruling)


def _played(ruling: Ruling, index: RulingIndex) -> str:
    if ruling.is_void and ruling.rejudged:
        what, why = f"Void: {command_clause(ruling, index)}", index.redactor.why(ruling.rejudged)
        return f"{end_sentence(what)} {end_sentence(why)}"
    if not ruling.events:
        return end_sentence(capitalized_command_clause(ruling, index))
    sentence = headline(ruling.events, RulingContext(index, ruling))
    reason = ruling.command.reason if isinstance(ruling.command, Adjust | EndTurn) else ""
    return end_sentence(f"{sentence.rstrip('.')}: {index.redactor.text(reason)}") if reason else sentence


def _corrected(ruling: Ruling, index: RulingIndex) -> str:
    return f"{correction_sentence(ruling, index)}{_became(ruling, index)}"


def _became(ruling: Ruling, index: RulingIndex) -> str:
    """Return the rulings that a correction made void or changed, and the number of turns that pass because of it."""
    names_by: dict[str, list[int]] = {}
    replaced = [step for outcome in ruling.outcomes for step in outcome.replaced]
    count = 0
    for outcome in ruling.outcomes:
        if sees_outcome(outcome.rejudged, index):
            names_by.setdefault(outcome.rejudged.verdict, []).append(outcome.rejudged.ruling)
        count += len(new_passed_turns(index.redactor.bookkeeping(outcome.bookkeeping), replaced))
    labels = (("Void now", "void"), ("Changed", "changed"))
    lines = [f" {label}: {join_numbers(names_by[verdict])}." for label, verdict in labels if verdict in names_by]
    turns = f" {count_words(count, 'turn')} pass{'es' * (count == 1)}." if count else ""
    return f"{''.join(lines)}{turns}"


_SENTENCES: dict[type[e.Head], Callable[[Ruling, RulingIndex], str]] = {
    e.Play: _played,
    e.Correction: _corrected,
    e.Note: note_sentence,
    e.Branch: branch_sentence,
}
