"""A fight in figures: each combatant's attacks and their results, points spent by purpose, and harm dealt and taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from mam_events import events as e
from mam_events.history.timeline.rulings import Ruling
from projections.reports.report import attacker_of
from projections.rulings.index import RulingContext, RulingIndex


class Figures(Struct, frozen=True, omit_defaults=True):
    """The figures of one combatant: `attacks` and counterattacks with their results, and points dealt, taken and spent.

    `stun` and `damage` are parts of `taken`; `spent` is by purpose.
    """

    combatant: str
    name: str
    attacks: int = 0
    hits: int = 0
    halves: int = 0
    misses: int = 0
    dealt: int = 0
    taken: int = 0
    stun: int = 0
    damage: int = 0
    spent: dict[str, int] = {}


def statistics(counting: Iterable[Ruling], index: RulingIndex) -> tuple[Figures, ...]:
    """Return the figures of all visible combatants, from the visible rulings that count."""
    counters: dict[str, Counter[str]] = {}
    points_spent: dict[str, Counter[str]] = {}
    last = None
    for ruling in counting:
        last = ruling.after
        scene = RulingContext(index, ruling)
        for event in ruling.events if index.redactor.shows(ruling) else ():
            if isinstance(event, e.HitPointsSpent):
                points = event.to_defense + event.to_other_used
                points_spent.setdefault(event.combatant, Counter())[event.purpose] += points
            elif isinstance(event, e.AttackResolved | e.CounterattackResolved):
                number = event.action if isinstance(event, e.CounterattackResolved) else event.exchange
                action = scene.action(number)
                if action and not action.manipulation:
                    counters.setdefault(action.combatant, Counter()).update({"attacks": 1, _CAME[event.outcome]: 1})
            elif isinstance(event, e.WoundInflicted):
                harm = {"stun": event.stun, "damage": event.damage, "taken": event.stun + event.damage}
                counters.setdefault(event.combatant, Counter()).update(harm)
                if attacker := attacker_of(event, scene):
                    counters.setdefault(attacker, Counter())["dealt"] += event.stun + event.damage
    everybody = index.redactor.combatants(last) if last else ()
    return tuple(
        Figures(
            one.id,
            one.name,
            spent=dict(points_spent.get(one.id, Counter())),
            **dict(counters.get(one.id, Counter())),
        )
        for one in everybody
    )


_CAME = {"full": "hits", "half": "halves", "fail": "misses"}
