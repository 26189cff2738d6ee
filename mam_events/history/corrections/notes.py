"""The life of a dispute, and of a proposal: somebody begins it, others answer, and somebody decides it, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mam_events.commands import Adjust, Command, read_command
from mam_events.errors import BadInput, CommandHint, Refused
from mam_events.events import Correction, Head, Note, Play
from mam_events.history.timeline.note_targets import OPENING_KINDS
from mam_events.refusals.arguments import RulingArgument, Several, list_argument

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline


def open_disputes(timeline: Timeline) -> list[int]:
    """Return the numbers of the disputes that nobody has decided."""
    open_numbers = [number for number, decided in timeline.disputes.items() if not decided]
    heads = {number: timeline.heads[number - 1] for number in open_numbers}
    return [number for number, head in heads.items() if isinstance(head, Note) and head.kind == "dispute"]


def check_note(
    note: Note,
    heads: Sequence[Head | None],
    disputes: Mapping[int, int],
    sees: Callable[[int], bool],
    counts: Callable[[int], bool],
) -> None:
    """Raise Refused for a note that cannot follow those heads; a head that is hidden here is None.

    The code is `no_dispute` or `dispute_closed` for a note that belongs to no open dispute or proposal. It is
    `no_correction` for a decision by a ruling that has corrected nothing since, or by no play. `disputes` maps every
    dispute to the ruling that decided it (0: none); `counts` is True for a correction that is not undone. The refusal
    suggests only rulings that somebody `sees`. Raises BadInput for a dispute about nothing, and for fields of another
    kind of note.
    """
    if note.rule and note.kind != "dispute":
        raise BadInput("Only a dispute names a rule or an option.", place="rule")
    if note.corrections and note.kind != "decision":
        raise BadInput("Only a decision names corrections.", place="corrections")
    if note.order and note.kind != "proposal":
        raise BadInput("Only a proposal has an order.", place="order")
    if note.kind == "proposal" and not note.order:
        raise BadInput("A proposal needs an order.", place="order")
    if note.kind == "dispute" and not note.about:
        raise BadInput("A dispute needs the number of a ruling.", place="about")
    if note.kind in ("comment", *OPENING_KINDS) or (note.about and heads[note.about - 1] is None):
        return
    decision, dispute = disputes.get(note.about), heads[note.about - 1] if note.about else None
    if decision is None or not isinstance(dispute, Note):
        raise _no_dispute(note.about, [n for n, decided in disputes.items() if not decided and sees(n)])
    if decision:
        raise _closed(dispute, decision)
    if note.kind == "decision":
        _check_decision(note, dispute, heads, sees, counts)


def _no_dispute(number: int, others: Sequence[int]) -> Refused:
    """Return the refusal of a note that belongs to no dispute, with the open ones as suggestions."""
    if others:
        return Refused("no_dispute/others", number=RulingArgument(number), those=_numbers(others), fields=("about",))
    return Refused("no_dispute/none", number=RulingArgument(number), fields=("about",))


def _closed(dispute: Note, decision: int) -> Refused:
    """Return the refusal of a note in a dispute or proposal that was decided by that ruling."""
    number, decided = RulingArgument(dispute.ruling), RulingArgument(decision)
    if dispute.kind == "proposal":
        return Refused("dispute_closed/proposal", number=number, decision=decided, fields=("about",))
    return Refused(
        "dispute_closed/dispute",
        number=number,
        decision=decided,
        about=RulingArgument(dispute.about),
        fields=("about",),
        hints=(CommandHint("dispute", {"ruling": dispute.about}),),
    )


def _check_decision(
    note: Note,
    dispute: Note,
    heads: Sequence[Head | None],
    sees: Callable[[int], bool],
    counts: Callable[[int], bool],
) -> None:
    proposed = dispute.kind == "proposal"
    since = enumerate(heads[dispute.ruling :], dispute.ruling + 1)
    settles = _is_play if proposed else is_correction
    fit = [n for n, head in since if head is None or (settles(head) and counts(n))]
    for number in (number for number in note.corrections if number not in fit):
        if visible := [n for n in fit if sees(n)]:
            raise Refused(
                "no_correction/other_plays" if proposed else "no_correction/others",
                number=RulingArgument(number),
                since=RulingArgument(dispute.ruling),
                those=_numbers(visible),
                fields=("corrections",),
            )
        raise Refused(
            "no_correction/no_plays" if proposed else "no_correction/none",
            number=RulingArgument(number),
            since=RulingArgument(dispute.ruling),
            fields=("corrections",),
        )


def _is_play(head: Head) -> bool:
    return isinstance(head, Play)


def proposed_order(head: Head) -> Command:
    """Return the order that was proposed.

    Raises Refused with `no_proposal` for a ruling that proposes none, and BadInput for an order that cannot be read any
    more.
    """
    if not isinstance(head, Note) or head.kind != "proposal":
        raise Refused("no_proposal", number=RulingArgument(head.ruling), fields=("about",))
    return read_command(head.order, place=f"proposal {head.ruling}")


def is_correction(head: Head) -> bool:
    """Return True for a correction, and for a play with the same effect: an insert, or a game master's adjustment."""
    return isinstance(head, Correction) or (isinstance(head, Play) and (head.after > 0 or head.kind is Adjust))


def _numbers(numbers: Sequence[int]) -> Several:
    return list_argument(map(RulingArgument, numbers))
