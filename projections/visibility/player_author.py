"""Lines typed by somebody who may not see the whole fight: read as far as his view goes."""

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
"""The seat of whoever types, in the fight as it stands then."""


class PlayerAuthor(LineAuthor):
    """Somebody who types in a view of their own, for their `own` combatants; whom they may not know of stands in no
    reading of their lines.
    """

    knows_all = False

    def __init__(self, seat_of: ViewerOf, own: Collection[str] = ()) -> None:
        self._seat_of = seat_of
        self._own = own

    def fight(self, timeline: Timeline, state: Encounter, rules: Rulebook) -> LineContext:
        """The fight as he knows it."""
        assert state.ruleset is not None  # noqa: S101 - the fight is open
        screen = self._seat_of(timeline).screen
        legal = partial(offers, rules, state, screen)
        return LineContext(visible_state(state, screen, self._own), rules.in_force(state.ruleset), legal, self._own)

    def sees(self, timeline: Timeline) -> SeesRuling:
        """The rulings that he sees."""
        return self._seat_of(timeline).sees

    def view(self, timeline: Timeline) -> str:
        """The view that he has of the fight."""
        return self._seat_of(timeline).view

    def check_order(self, timeline: Timeline, command: Command) -> None:
        """Refuse an order that names somebody of whom he may not know, as if there were nobody so called."""
        self._seat_of(timeline).check_named(command, command.__struct_fields__)

    def check_about(self, timeline: Timeline, number: int) -> None:
        """Refuse to speak of a ruling that he may not see."""
        self._seat_of(timeline).check_shown(number)

    def check_visible(self, timeline: Timeline, visibility: str) -> None:
        """Refuse a note that he could not see himself."""
        view = self._seat_of(timeline).view
        if not can_see(view, visibility):
            raise Refused("not_yours/seen", view=Term(view), fields=("seen",))


def visible_state(state: Encounter, screen: Redactor, own: Collection[str] = ()) -> Encounter:
    """The fight without those of whom the view may not know, and without what is declared by them or against them; an
    exchange that is hidden from it is known to whoever is attacked in it, one of their `own`.
    """
    people = {one.id: one for one in screen.combatants(state)}

    def known(*names: str) -> bool:
        return all(not name or name in people for name in names)

    def open_to_it(number: int, *names: str) -> bool:
        return known(*names) and not screen.veils(number)

    exchange, turn, window = state.exchange, state.turn, state.window
    if exchange and not open_to_it(exchange.id, exchange.root.combatant, exchange.root.target):
        reacts = exchange.root.target in own and known(exchange.root.combatant)
        exchange = exchange if reacts else None
    if turn and not known(turn.combatant):
        turn = None
    return replace(
        state,
        combatants=people,
        order=tuple(filter(known, state.order)),
        this_round=tuple(filter(known, state.this_round)),
        turn=turn,
        exchange=exchange,
        window=replace(
            window,
            open=tuple(one for one in window.open if open_to_it(one.id, one.combatant, one.target)),
            floor=window.floor if known(window.floor) else "",
            early=tuple(filter(known, window.early)),
        ),
    )
