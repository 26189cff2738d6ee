"""Checks of the story of a log: each ruling follows from the previous ones, and names only those in the fight."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from mam_events.errors import BadInput, MamError, VerificationFailed
from mam_events.events import Branch, Event, Note, Play, fold
from mam_events.history.corrections.branch import check_branch_point
from mam_events.history.timeline.entries import StoredRow
from mam_events.history.timeline.timeline import Timeline
from mam_events.references import names_in
from mam_events.state import BODY, EMPTY_ENCOUNTER, Combatant, Encounter
from mam_events.store import decoders
from mam_events.verification.name_checks import check_event_names
from mam_events.verification.seal_chain import RulingRows

IMPOSSIBLE = (
    msgspec.MsgspecError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    RecursionError,
    BadInput,
)
"""Errors that can happen when a log is followed or judged that was sealed, but not written by this program."""
BETWEEN_THEM = frozenset(Encounter.__struct_fields__) - {"combatants"}
"""Fields of a fight that don't belong to a single combatant."""


def check_story(rows: Sequence[StoredRow], parts: Sequence[RulingRows], decoded: Sequence[Sequence[Any]]) -> None:
    """Check that the rulings make a timeline: every reference exists, every event can be applied."""
    # Plays in turn depend only on the state, so they are added to the timeline only when a later ruling looks back.
    timeline, state = Timeline(decoders()), EMPTY_ENCOUNTER
    # The states that were checked. All states before one of these were checked too.
    states = {id(EMPTY_ENCOUNTER): EMPTY_ENCOUNTER}
    for part, (head, *events) in zip(parts, decoded, strict=True):
        if isinstance(head, Note):
            continue
        try:
            if isinstance(head, Play) and not head.after:
                new = [(state, state := fold(state, events))]
            else:
                timeline.extend(rows[timeline.version : part.rows[0].version - 1])
                _check_branch(timeline, head)
                timeline.extend(rows[timeline.version : part.rows[-1].version])
                state = timeline.state
                new = list(pairwise((EMPTY_ENCOUNTER, *timeline.states)))
        except IMPOSSIBLE:
            raise VerificationFailed(f"Ruling {part.number} does not follow from those before it.") from None
        fresh = {}
        for before, after in reversed(new):
            if id(after) in states:
                break
            fresh[id(after)] = after
            # A play that does not count leaves the state as it is, so there is nothing to check.
            if after is not before:
                _check_fight(part.number, before, after)
        states |= fresh
    timeline.extend(rows[timeline.version :])
    if not isinstance(timeline.heads[0], Play) or timeline.states[0].status == "unopened":
        raise VerificationFailed("Ruling 1 does not open the encounter.")
    check_event_names(timeline)


def _check_branch(timeline: Timeline, head: Event | None) -> None:
    """Check that a branch continues the log before it, after a play from which a fight can continue."""
    if not isinstance(head, Branch):
        return
    if not head.parent:
        if head.left or head.behind:
            raise VerificationFailed(f"Ruling {head.ruling} branches off a fight that it does not name.")
        return
    if head.left != timeline.seal:
        raise VerificationFailed(
            f'Ruling {head.ruling} branches off "{head.parent}", but the rulings before it are not those of '
            f'"{head.parent}".'
        )
    try:
        check_branch_point(timeline, head.behind)
    except MamError as no:
        raise VerificationFailed(f"Ruling {head.ruling} cannot branch off there: {no.sentence}") from None


def _check_fight(number: int, before: Encounter, fight: Encounter) -> None:
    """Check a state; the state `before` has been checked already.

    Each combatant must pass `check_combatant`. Everyone with a place in the order, a turn or a part in a declaration,
    even one interrupted by a counterattack, must be in the fight at that moment. `check_names` checks each event, but
    only that those it names joined at any time.
    """
    for name, one in fight.combatants.items():
        if one is before.combatants.get(name):
            continue
        check_combatant(number, one)
    since = before if before.combatants.keys() <= fight.combatants.keys() else None
    values = (one.value for one in names_in(fight, within=BETWEEN_THEM, since=since) if one.kinds == ("combatant",))
    if not all(name in fight.combatants for name in values):
        raise VerificationFailed(
            f"Ruling {number} names somebody who is not in the fight. This program never writes that."
        )


def check_combatant(number: int, one: Combatant) -> None:
    """Check that no points appear or disappear (MAM-POOL-01) and that the combatant has a body, under any rules."""
    if one.pools.total != one.hp:
        raise VerificationFailed(
            f"After ruling {number} the points of {one.id} are {one.pools.total} in all, but should be {one.hp}."
        )
    if min(msgspec.structs.astuple(one.pools)) < 0:
        raise VerificationFailed(f"After ruling {number} {one.id} has less than 0 points in a pool.")
    if not one.carries(BODY):
        raise VerificationFailed(
            f"After ruling {number} {one.id} has not even a body as a weapon. This program never writes that."
        )
