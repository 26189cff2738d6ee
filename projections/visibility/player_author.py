"""The author of lines who does not see the whole fight: their lines are read as far as their view goes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.errors import Refused
from mam_events.notation.author import LineAuthor
from mam_events.notation.context import LineContext
from mam_events.refusals.arguments import Term
from mam_events.visibility import can_see
from projections.visibility.legal_orders import offers

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.history.corrections.corrections import SeesRuling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter
    from projections.visibility.redaction import Redactor
    from projections.visibility.viewer import Viewer

ViewerOf = Callable[["Timeline"], "Viewer"]
"""A function that returns the author's view of the fight as it stands."""


class PlayerAuthor(LineAuthor):
    """An author with a limited view, for their `own` combatants; no reading of their lines names somebody hidden."""

    knows_all = False

    def __init__(self, seat_of: ViewerOf, own: Collection[str] = ()) -> None:
        self._seat_of = seat_of
        self._own = own

    def fight(self, timeline: Timeline, state: Encounter, rules: Rulebook) -> LineContext:
        """Return the fight as the author knows it."""
        assert state.ruleset is not None  # noqa: S101 - the fight is open
        redactor = self._seat_of(timeline).redactor
        legal = partial(offers, rules, state, redactor)
        return LineContext(visible_state(state, redactor, self._own), rules.in_force(state.ruleset), legal, self._own)

    def sees(self, timeline: Timeline) -> SeesRuling:
        """Return a predicate for the rulings that the author sees."""
        return self._seat_of(timeline).sees

    def view(self, timeline: Timeline) -> str:
        """Return the author's view of the fight."""
        return self._seat_of(timeline).view

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Refuse an order that names somebody hidden, with the same error as for an unknown name."""
        self._seat_of(timeline).check_named(command, command.__struct_fields__)

    def check_about(self, timeline: Timeline, number: int) -> None:
        """Refuse to refer to a ruling that the author may not see."""
        self._seat_of(timeline).check_shown(number)

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Refuse a note that its author could not see."""
        view = self._seat_of(timeline).view
        if not can_see(view, visibility):
            raise Refused("not_yours/seen", view=Term(view), fields=("seen",))


def visible_state(state: Encounter, redactor: Redactor, own: Collection[str] = ()) -> Encounter:
    """Return the state without hidden combatants, and without declarations by or against them.

    A hidden exchange stays if one of the view's `own` combatants is its target and its attacker is visible.
    """
    people = {one.id: one for one in redactor.combatants(state)}

    def is_known(*names: str) -> bool:
        return all(not name or name in people for name in names)

    def is_open_to(number: int, *names: str) -> bool:
        return is_known(*names) and not redactor.veils(number)

    exchange, turn, window = state.exchange, state.turn, state.window
    if exchange and not is_open_to(exchange.id, exchange.root.combatant, exchange.root.target):
        reacts = exchange.root.target in own and is_known(exchange.root.combatant)
        exchange = exchange if reacts else None
    if turn and not is_known(turn.combatant):
        turn = None
    return replace(
        state,
        combatants=people,
        order=tuple(filter(is_known, state.order)),
        this_round=tuple(filter(is_known, state.this_round)),
        turn=turn,
        exchange=exchange,
        window=replace(
            window,
            open=tuple(one for one in window.open if is_open_to(one.id, one.combatant, one.target)),
            floor=window.floor if is_known(window.floor) else "",
            early=tuple(filter(is_known, window.early)),
        ),
    )
