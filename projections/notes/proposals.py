"""Proposals: what somebody proposes, the answers, and the decision."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from mam_events.history.timeline.rulings import rulings
from mam_events.history.timeline.timeline import Timeline
from projections.notes.disputes import DisputeReply
from projections.rulings.command_text import proposal_fields, proposal_words
from projections.rulings.index import RulingIndex
from projections.visibility.redaction import Redactor


class Proposal(Struct, frozen=True, kw_only=True):
    """A proposal: its own number, the order in words (`what`) and in fields, author, time (UTC, ISO 8601) and `text`.

    `decision` is the ruling that closed it (0: it is open), with author and reason. `accepted_as` is the play that it
    became (0: it was refused).
    """

    ruling: int
    what: str
    order: dict[str, Any]
    by: str
    at: str
    text: str
    open: bool = True
    answers: tuple[DisputeReply, ...] = ()
    decision: int = 0
    decided_by: str = ""
    reason: str = ""
    accepted_as: int = 0


def proposals(timeline: Timeline, redactor: Redactor) -> tuple[Proposal, ...]:
    """Return the proposals of an encounter that are visible to the view, in order of number."""
    if not timeline.disputes:
        return ()
    index = RulingIndex(rulings(timeline), redactor)
    return tuple(_row(number, index) for number in index.proposals)


def _row(number: int, index: RulingIndex) -> Proposal:
    (proposal, *notes), text = index.proposals[number], index.redactor.text
    decided = next((note for note in notes if note.kind == "decision"), None)
    return Proposal(
        ruling=number,
        what=proposal_words(proposal, index),
        order=proposal_fields(proposal, index),
        by=proposal.by,
        at=proposal.at,
        text=text(proposal.text),
        open=decided is None,
        answers=tuple(
            DisputeReply(note.ruling, note.by, note.at, text(note.text)) for note in notes if note.kind == "answer"
        ),
        decision=decided.ruling if decided else 0,
        decided_by=decided.by if decided else "",
        reason=text(decided.text) if decided else "",
        accepted_as=decided.corrections[0] if decided and decided.corrections else 0,
    )
