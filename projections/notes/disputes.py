"""Disputes: what was disputed and why, the answers, and how it was decided.

A row has only plain values, so that it can be cached; `precedents` reads the rows of any encounters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from mam_events.history.timeline.rulings import rulings
from projections.phrases import join_words
from projections.rulings.command_text import ruling_words
from projections.rulings.index import RulingIndex

if TYPE_CHECKING:
    from mam_events.decider.ruleset_data import Option
    from mam_events.history.timeline.timeline import Timeline
    from projections.visibility.redaction import Redactor


class DisputeReply(Struct, frozen=True):
    """An answer in a dispute: its ruling, its author, its time (UTC, ISO 8601) and its text."""

    ruling: int
    by: str
    at: str
    text: str


class Dispute(Struct, frozen=True, kw_only=True):
    """A dispute: its own number, the number and words of the ruling that it is `about`, the claim, and its `rule`.

    `rule` is the rule or option that it names ("": none). `decision` is the ruling that closed it (0: it is open), with
    author, time and reason. `corrections` are those that settled it (none: the ruling stands); `taken_back` are those
    of them that no longer count.
    """

    ruling: int
    about: int
    what: str
    claim: str
    rule: str
    by: str
    at: str
    open: bool = True
    answers: tuple[DisputeReply, ...] = ()
    decision: int = 0
    decided_by: str = ""
    decided_at: str = ""
    reason: str = ""
    corrections: tuple[int, ...] = ()
    taken_back: tuple[int, ...] = ()


class Precedent(Struct, frozen=True):
    """A decided dispute and its encounter."""

    encounter: str
    dispute: Dispute


def disputes(timeline: Timeline, redactor: Redactor) -> tuple[Dispute, ...]:
    """Return the disputes of an encounter that are visible to the view, in order of number."""
    return disputes_in(RulingIndex(rulings(timeline), redactor)) if timeline.disputes else ()


def disputes_in(index: RulingIndex) -> tuple[Dispute, ...]:
    """Return the disputes in rulings that have already been read, in order of number."""
    return tuple(_row(number, index) for number in index.disputes)


def _row(number: int, index: RulingIndex) -> Dispute:
    (dispute, *notes), text = index.disputes[number], index.redactor.text
    row = Dispute(
        ruling=number,
        about=dispute.about,
        what=ruling_words(dispute.about, index),
        claim=text(dispute.text),
        rule=dispute.rule,
        by=dispute.by,
        at=dispute.at,
        answers=tuple(
            DisputeReply(note.ruling, note.by, note.at, text(note.text)) for note in notes if note.kind == "answer"
        ),
    )
    if not index.decision(number):
        return row
    decision = notes[-1]
    return replace(
        row,
        open=False,
        decision=decision.ruling,
        decided_by=decision.by,
        decided_at=decision.at,
        reason=text(decision.text),
        corrections=decision.corrections,
        taken_back=tuple(number for number in decision.corrections if index.taken_back(number)),
    )


def decision_words(row: Dispute) -> str:
    """Return the decision of a dispute in a few words: `open`, `upheld`, `corrected by 23 (undone)`."""
    if row.open:
        return "open"
    numbers = (f"{number} (undone)" if number in row.taken_back else f"{number}" for number in row.corrections)
    return f"corrected by {join_words([*numbers])}" if row.corrections else "upheld"


def precedents(
    rows: Iterable[tuple[str, Dispute]], names: Collection[str] | None = None, words: Iterable[str] = ()
) -> list[Precedent]:
    """Return the decided disputes of many encounters, the newest decision first.

    Only disputes that name a rule or option in `names` (None: any) and that contain all the words, in any case.
    """
    sought = [word.casefold() for word in words]
    results = [
        Precedent(encounter, row)
        for encounter, row in rows
        if row.decision and (names is None or row.rule in names) and _has_text(row, sought)
    ]
    # "Z" sorts after ".": without it, times with fractions of a second sort after those without.
    results.sort(key=lambda one: (one.dispute.decided_at.removesuffix("Z"), one.dispute.decision), reverse=True)
    return results


def related_rules(name: str, options: Mapping[str, Option]) -> set[str]:
    """Return a rule with the options about it, or an option with the rules that it is about."""
    if name in options:
        return {name, *options[name].rules}
    return {name, *(option for option, row in options.items() if name in row.rules)}


def _has_text(row: Dispute, sought: Iterable[str]) -> bool:
    text = "\n".join((row.claim, *(reply.text for reply in row.answers), row.reason)).casefold()
    return all(word in text for word in sought)
