"""The odds of an order before it is given: every way in which its dice may fall, judged as the order would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Command, EstablishSurprise, Initiative, Resolve, RollInitiative, exchange_of
from mam_events.decider.dice_outcomes import DiceOutcome, dice_outcomes
from mam_events.errors import Refused
from mam_events.events import Play
from mam_events.history.corrections.exchange_visibility import with_seen_exchange
from mam_events.history.judge.ruling_judge import ruleset_for
from mam_events.history.timeline.rulings import Ruling
from mam_events.visibility import can_see, of_play
from projections.analysis.odds import Odds, odds
from projections.rulings.index import RulingContext, RulingIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor


def order_odds(
    timeline: Timeline,
    rules: Rulebook,
    state: Encounter,
    redactor: Redactor,
    order: Command,
    on_progress: Callable[[], object] = bool,
) -> Odds:
    """Return the odds of an order in that state, as the next ruling.

    An exchange that it begins or continues is taken to be resolved as it then stands. `on_progress` is called once for
    each way that is judged. Raises as the order would, and Refused `hidden` if the view would not see the outcome.
    """
    # The state has all that is declared, and odds never name earlier rulings: no ruling needs to be loaded.
    index = RulingIndex((), redactor)
    sees = redactor.sight(timeline)
    entered = exchange_of(order, 0)
    if (entered and state.exchange and state.exchange.id == entered and not sees(entered)) or _tells_all(
        order, redactor
    ):
        raise _hidden()
    state = with_seen_exchange(timeline, state, sees)
    parts = [_odds(rules, state, index, timeline.number + 1, part, on_progress) for part in _apart(order)]
    return sum(parts[1:], parts[0])


def state_after_order(state: Encounter, rules: Rulebook, order: Command, ruling: int) -> Encounter:
    """Return the state after an order, or the same state if the order needs a die; raise as the order would."""
    ways = list(dice_outcomes(state, order, ruleset_for(rules, state, order), ruling))
    judging = ways[0].judging if len(ways) == 1 else None
    return judging.state if judging else state


def _tells_all(order: Command, redactor: Redactor) -> bool:
    """Return True for an order that involves everybody in the fight, if the view may miss somebody."""
    return not redactor.everything and isinstance(order, Initiative | EstablishSurprise)


def _apart(order: Command) -> list[Command]:
    """Return the parts of an order with independent dice: each combatant's roll for initiative."""
    if not isinstance(order, RollInitiative):
        return [order]
    names = dict.fromkeys(order.combatants)
    dice = {name: {name: order.dice[name]} if name in order.dice else {} for name in names}
    return [replace(order, combatants=(name,), dice=dice[name], again={}) for name in names]


def _odds(
    rules: Rulebook,
    state: Encounter,
    index: RulingIndex,
    ruling: int,
    order: Command,
    on_progress: Callable[[], object],
) -> Odds:
    """Return the odds of an order as the next ruling; `index` knows all earlier declarations."""
    view = index.redactor.view
    outcomes: list[DiceOutcome] = []
    for case in dice_outcomes(state, order, ruleset_for(rules, state, order), ruling, on_progress):
        _check_seen(view, state, order, case)
        exchange = case.judging.state.exchange if case.judging else None
        if case.judging is None or exchange is None or exchange.id != exchange_of(order, ruling):
            outcomes.append(case)
            continue
        after, resolve = case.judging.state, Resolve(exchange.id)
        index.declare(case.judging.events)
        for way in dice_outcomes(after, resolve, ruleset_for(rules, after), ruling + 1, on_progress):
            _check_seen(view, after, resolve, way)
            outcomes.append(replace(way, probability=way.probability * case.probability))
    head = Play.of(order, ruling=ruling, at="", by="", seal="")
    after = next((case.judging.state for case in outcomes if case.judging), state)
    return odds(outcomes, state, RulingContext(index, Ruling(ruling, head, state, after, "public", command=order)))


def _check_seen(view: str, state: Encounter, order: Command, case: DiceOutcome) -> None:
    """Refuse the odds if the view would not see the outcome: they would reveal somebody hidden."""
    events = case.judging.events if case.judging else ()
    if not can_see(view, of_play(order, state, events, supposed=True)):
        raise _hidden()


def _hidden() -> Refused:
    return Refused("hidden/odds")
