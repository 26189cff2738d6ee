"""The visibility of what belongs to the open exchange: it is as hidden as every ruling in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mam_events.commands import Command, Join, Pass, ThrowDie, actor_of
from mam_events.errors import Refused
from mam_events.history.timeline.dependencies import rulings_of_exchange
from mam_events.history.timeline.rulings import visibility_now, visibility_of_basis
from mam_events.references import names_in, rulings_named
from mam_events.visibility import PUBLIC, narrowest, of_command

if TYPE_CHECKING:
    from mam_events.history.corrections.corrections import SeesRuling
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.state import Encounter


def with_seen_exchange(timeline: Timeline, state: Encounter, sees: SeesRuling) -> Encounter:
    """Return the fight with only those parts of its open exchange that somebody `sees`."""
    exchange = state.exchange
    if exchange is None or not timeline.index.hides:
        return state
    numbers = rulings_of_exchange(timeline, exchange.id, len(timeline.order))
    hidden = [timeline.command(number) for number in numbers if not sees(number)]
    if not hidden:
        return state
    unseen = {actor_of(command) for command in hidden}
    visible_exchange = replace(
        exchange,
        actions=tuple(action for action in exchange.actions if sees(action.id)),
        defended={who: points for who, points in exchange.defended.items() if who not in unseen},
        passed=tuple(who for who in exchange.passed if who not in unseen),
    )
    return replace(state, exchange=visible_exchange)


def of_proposal(timeline: Timeline, order: Command, sees: SeesRuling) -> str:
    """Return the visibility of an order that is only proposed.

    It is as narrow as its own, that of those whom it names, and the current one of the rulings that its author `sees`.
    Other effects count only once the order is given; before, they would reveal something.
    """
    people, joins = timeline.state.combatants, isinstance(order, Join)
    references = [name for name in names_in(order) if not (joins and name.field == "combatant")]
    whom = [str(name.value) for name in references if name.kinds == ("combatant",)]
    return narrowest(
        order.visibility,
        *(people[name].visibility for name in whom if name in people),
        *(
            visibility_now(timeline, number)
            for number in rulings_named(order)
            if 0 < number <= timeline.number and sees(number)
        ),
    )


def check_answer_seen(timeline: Timeline, command: Command) -> None:
    """Raise Refused with `seen_by_all` for a hidden die or `pass` in an exchange that is not hidden.

    What others may still do there depends on it.
    """
    if not isinstance(command, ThrowDie | Pass) or command.visibility == PUBLIC:
        return
    default = of_command(replace(command, visibility=PUBLIC), timeline.state)
    if narrowest(default, visibility_of_basis(timeline, command, len(timeline.order))) == PUBLIC:
        raise Refused("seen_by_all/pass_or_die", fields=("visibility",))
