"""The odds of an order that is not given yet: every way in which its dice may fall, judged as the order would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Command, Resolve, RollInitiative, exchange_of
from mam_events.deciding.odds import cases
from mam_events.errors import Refused
from mam_events.events import Play
from mam_events.rulings.history import Ruling
from mam_events.rulings.ruling_judge import ruleset_for
from mam_events.visibility import can_see, of_play
from projections.casebook import Casebook, Scene
from projections.odds import Odds, odds

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.deciding.odds import Case
    from mam_events.rules.rulebook import Rulebook
    from mam_events.rulings.timeline import Timeline
    from mam_events.state import Encounter
    from projections.screen import Screen


def foretold(
    timeline: Timeline,
    rules: Rulebook,
    state: Encounter,
    screen: Screen,
    order: Command,
    watch: Callable[[], object] = bool,
) -> Odds:
    """The odds of that order in that state, as the next ruling; one that begins an exchange is taken to be resolved as
    it stands. `watch` is called for every way that is judged.

    Raises as the order would, and Refused `hidden` for what the view would not see.
    """
    # What is declared stands in the fight itself, and what was before is named in no odds.
    casebook = Casebook((), screen)
    parts = [_odds(rules, state, casebook, timeline.number + 1, part, watch) for part in _apart(order)]
    return sum(parts[1:], parts[0])


def _apart(order: Command) -> list[Command]:
    """The parts of an order whose dice have nothing to do with one another: each one's roll for initiative."""
    if not isinstance(order, RollInitiative):
        return [order]
    names = dict.fromkeys(order.combatants)
    dice = {name: {name: order.dice[name]} if name in order.dice else {} for name in names}
    return [replace(order, combatants=(name,), dice=dice[name], again={}) for name in names]


def _odds(
    rules: Rulebook, state: Encounter, casebook: Casebook, ruling: int, order: Command, watch: Callable[[], object]
) -> Odds:
    """The odds of that order as the next ruling, to which `casebook` knows all that was before."""
    view = casebook.screen.view
    found: list[Case] = []
    for case in cases(state, order, ruleset_for(rules, state, order), ruling, watch):
        _check_seen(view, state, order, case)
        exchange = case.judging.state.exchange if case.judging else None
        if case.judging is None or exchange is None or exchange.id != exchange_of(order, ruling) == ruling:
            found.append(case)
            continue
        after, then = case.judging.state, Resolve(ruling)
        casebook.declare(case.judging.events)
        for way in cases(after, then, ruleset_for(rules, after), ruling + 1, watch):
            _check_seen(view, after, then, way)
            found.append(replace(way, probability=way.probability * case.probability))
    head = Play.of(order, ruling=ruling, at="", by="", seal="")
    after = next((case.judging.state for case in found if case.judging), state)
    return odds(found, state, Scene(casebook, Ruling(ruling, head, state, after, "public", command=order)))


def _check_seen(view: str, state: Encounter, order: Command, case: Case) -> None:
    """Refuse the odds of what the view would not see if it came to that: they would tell of somebody hidden."""
    events = case.judging.events if case.judging else ()
    if not can_see(view, of_play(order, state, events)):
        raise Refused("hidden", "These odds tell of what is hidden.")
