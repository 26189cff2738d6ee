"""The life of a dispute: somebody disputes a ruling, others answer, and somebody decides it, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mam_events.commands import Adjust
from mam_events.errors import BadInput, Hint, Refused
from mam_events.events import Correction, Head, Note, Play


def check_note(
    note: Note,
    heads: Sequence[Head | None],
    disputes: Mapping[int, int],
    sees: Callable[[int], bool],
    counts: Callable[[int], bool],
) -> None:
    """Refuse a note that cannot follow those heads (None: one that is hidden here): with `no_dispute` or
    `dispute_closed` what is said in no open dispute, with `no_correction` a decision by what has corrected nothing
    since.

    `disputes` tells of every dispute the ruling that decided it (0: none), `counts` of a correction that nothing has
    taken back. Somebody who `sees` the rulings of some numbers is told of those alone what would do. Raises BadInput
    for a dispute about nothing, and for fields that are another kind's.
    """
    if note.rule and note.kind != "dispute":
        raise BadInput("only a dispute names a rule or an option.", place="rule")
    if note.corrections and note.kind != "decision":
        raise BadInput("only a decision names corrections.", place="corrections")
    if note.kind == "dispute" and not note.about:
        raise BadInput("a dispute is about a ruling; give its number.", place="about")
    if note.kind in ("comment", "dispute") or (note.about and heads[note.about - 1] is None):
        return
    decision, dispute = disputes.get(note.about), heads[note.about - 1] if note.about else None
    if decision is None or not isinstance(dispute, Note):
        found = [number for number, decided in disputes.items() if not decided and sees(number)]
        told = f"open now: {_numbers(found)}" if found else "none is open, so dispute the ruling first"
        raise Refused("no_dispute", f"Ruling {note.about} is no dispute; {told}.", fields=("about",))
    if decision:
        raise Refused(
            "dispute_closed",
            f"Dispute {note.about} was decided by {decision}; dispute ruling {dispute.about} anew.",
            fields=("about",),
            hints=(Hint("dispute", {"ruling": dispute.about}),),
        )
    if note.kind == "decision":
        _check_decision(note, dispute, heads, sees, counts)


def _check_decision(
    note: Note,
    dispute: Note,
    heads: Sequence[Head | None],
    sees: Callable[[int], bool],
    counts: Callable[[int], bool],
) -> None:
    if note.visibility != dispute.visibility:
        raise BadInput("whoever sees a dispute sees that it is decided.", place="visibility")
    since = enumerate(heads[dispute.ruling :], dispute.ruling + 1)
    fit = [n for n, head in since if head is None or (corrects(head) and counts(n))]
    for number in (number for number in note.corrections if number not in fit):
        known = [n for n in fit if sees(n)]
        told = f"such are {_numbers(known)}" if known else "there is none, so correct the ruling first"
        raise Refused(
            "no_correction",
            f"Ruling {number} is no correction that was made after dispute {dispute.ruling} and counts; {told}.",
            fields=("corrections",),
        )


def disputed(note: Note) -> dict[int, int]:
    """The dispute that a note opens, with 0, or decides, with its own number; nothing of any other note."""
    return {"dispute": {note.ruling: 0}, "decision": {note.about: note.ruling}}.get(note.kind, {})


def corrects(head: Head) -> bool:
    """True for a correction, and for a play that does the same: an insert, or the game master's word."""
    return isinstance(head, Correction) or (isinstance(head, Play) and (head.after > 0 or head.kind is Adjust))


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
