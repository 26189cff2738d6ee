"""Checks of the visible rows of an export that hides others.

Contents that no log has are refused; those that only a hidden row could explain are reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from mam_events.errors import VerificationFailed
from mam_events.events import CombatantJoined, Event, Play
from mam_events.state import Pools
from mam_events.verification.name_checks import Checked, unknown_names
from mam_events.verification.seal_chain import RulingRows
from mam_events.verification.timeline_checks import check_combatant


def check_unverifiable(
    parts: Sequence[RulingRows], decoded: Sequence[Sequence[Event | None]], first: int
) -> tuple[str, ...]:
    """Return a sentence for each combatant whose join or points the visible rows don't explain.

    From ruling `first` on it reports combatants who join in no visible row, and points that differ from those at the
    join. Both are possible: with someone hidden in the order, a late join is hidden too.

    Raises VerificationFailed for contents that are never written, whatever is hidden: points that are not the
    combatant's hit points at the join, or below 0, and rulings that did not exist yet.
    """
    facts = list(_visible_items(parts, decoded))
    points: defaultdict[str, set[int]] = defaultdict(set)
    for number, event in facts:
        if isinstance(event, CombatantJoined):
            check_combatant(number, event.combatant)
            points[event.combatant.id].add(event.combatant.hp)
    problems: dict[str, str] = {}
    for number, event, name in unknown_names(facts):
        if isinstance(name.value, int):
            raise VerificationFailed(
                f"Ruling {number} names ruling {name.value} ({type(event).__name__}), which did not exist yet."
            )
        if number >= first and name.kinds == ("combatant",):
            problems.setdefault(name.value, f'Ruling {number} names "{name.value}", who joins in no visible ruling.')
    for number, event in facts:
        pools = getattr(event, "pools", None)
        if not isinstance(pools, Pools):
            continue
        who = getattr(event, "combatant", "")
        if min(msgspec.structs.astuple(pools)) < 0:
            raise VerificationFailed(
                f"After ruling {number} {who} has less than 0 points in a pool. This program never writes that."
            )
        if number >= first and who in points and pools.total not in points[who]:
            numbers = " or ".join(map(str, sorted(points[who])))
            problems.setdefault(
                who,
                f"After ruling {number} the points of {who} are {pools.total} in all, but {numbers} where they join.",
            )
    return tuple(problems.values())


def _visible_items(parts: Sequence[RulingRows], decoded: Sequence[Sequence[Event | None]]) -> Iterator[Checked]:
    """Yield every visible command and event, with its ruling."""
    for part, events in zip(parts, decoded, strict=True):
        for event in events:
            if isinstance(event, Play):
                yield part.number, event.command
            elif event is not None:
                yield part.number, event
