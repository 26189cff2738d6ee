"""Ties of initiative: the chain of factors that orders those with the same total (RD6-TIE-01 to RD6-TIE-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from mam_events.decider.engine import Ruleset
from mam_events.events import TieBroken
from mam_events.rules.rolls.dice_codes import code_of
from mam_events.state import Combatant, RolledEntry

COMPARED = ("perception", "search", "agility", "dodge")
"""The codes of the chain, in its order, between an ability to go first and special equipment (RD6-TIE-01)."""


MOST_AGAIN = 50
"""The most times that a tie is rolled again before the roster breaks it; fair dice practically never get there."""


class TieEntry(Struct, frozen=True):
    """One roll with the tie factors of its roller; `place` is its place in the roster."""

    entry: RolledEntry
    roller: Combatant
    special: bool
    place: int

    def factors(self) -> tuple[tuple[str, int, str], ...]:
        """Return the name, value and words of each factor of the chain, the most important first (RD6-TIE-01)."""
        codes = tuple((name, code_of(self.roller, name)) for name in COMPARED)
        return (
            ("go_first", int(self.roller.faculties.go_first), _yes_or_no(self.roller.faculties.go_first)),
            *((name, code.value, str(code)) for name, code in codes),
            ("special", int(self.special), _yes_or_no(self.special)),
            *(("reroll", total, str(total)) for total in self.entry.again),
        )

    def key(self, ruleset: Ruleset) -> tuple[int, ...]:
        """Return the sort key of the order, the smallest first; the roster comes last."""
        always = ruleset["rd6_go_first_scope"] == "always" and self.roller.faculties.go_first
        worths = (-worth for _, worth, _ in self.factors())
        return (-int(always), -self.entry.total, *worths)


def _yes_or_no(has: bool) -> str:  # noqa: FBT001 - it has no other argument
    return "yes" if has else "no"


def tie_entries(
    entries: Sequence[RolledEntry], combatants: Mapping[str, Combatant], special: Sequence[str]
) -> tuple[TieEntry, ...]:
    """Return the rolls with their rollers, whose codes break ties (RD6-TIE-01)."""
    roster = {name: place for place, name in enumerate(combatants)}
    return tuple(
        TieEntry(
            entry,
            combatants[entry.roller],
            not set(special).isdisjoint(entry.combatants) or combatants[entry.roller].faculties.special,
            roster[entry.combatants[0]],
        )
        for entry in entries
    )


def sort_by_total(entries: Sequence[TieEntry], ruleset: Ruleset) -> tuple[TieEntry, ...]:
    """Return the highest total first (RD6-INIT-04); the chain breaks ties, then the roster (`rd6_unbroken_tie`)."""
    return tuple(sorted(entries, key=lambda one: (*one.key(ruleset), one.place)))


def next_reroll(entries: Sequence[TieEntry], ruleset: Ruleset) -> tuple[TieEntry, ...]:
    """Return the next ones to roll again: those still tied after the chain and their earlier second rolls."""
    alike: dict[object, list[TieEntry]] = {}
    for one in sort_by_total(entries, ruleset):
        but_for_rerolls = (factor for factor in one.factors() if factor[0] != "reroll")
        alike.setdefault((one.entry.total, *but_for_rerolls), []).append(one)
    for one, equal in ((one, group) for group in alike.values() for one in group):
        again = one.entry.again
        if not code_of(one.roller, COMPARED[0]).dice or len(again) == MOST_AGAIN:
            # Pips alone give the same total every time (`rd6_zero_dice`), and dice may be loaded.
            continue
        # A combatant who has rolled again more often is tied too, as far as both have rolled.
        if any(other is not one and other.entry.again[: len(again)] == again for other in equal):
            return tuple(other for other in equal if other.entry.again == again)
    return ()


def ties(sorted_entries: Sequence[TieEntry]) -> tuple[TieBroken, ...]:
    """Return the tie breakers of each two neighbours in the order with the same total."""
    return tuple(
        _broken(ahead, later) for ahead, later in pairwise(sorted_entries) if ahead.entry.total == later.entry.total
    )


def _broken(ahead: TieEntry, later: TieEntry) -> TieBroken:
    for (name, worth, words), (_, other, against) in zip(ahead.factors(), later.factors(), strict=False):
        if worth != other:
            return TieBroken(ahead.roller.id, later.roller.id, name, words, against)
    return TieBroken(ahead.roller.id, later.roller.id, "roster_order")
