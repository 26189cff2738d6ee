"""Fields that go without saying in an order, by the name under which a field asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mam_events.errors import BadInput, Refused

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.state import Encounter


class Asked(NamedTuple):
    """The order in which something goes without saying, and what was said of it."""

    session: Session
    do: str
    said: Mapping[str, Any]


Unsaid = Callable[[Asked, "Encounter"], object]


def whose_turn(state: Encounter) -> str:
    """The combatant whose turn it is; refused with `out_of_turn` between turns."""
    from mam_events.deciding.checks import under_way

    under_way(state)
    if state.turn is None:
        raise between_turns(state, "MAM-ORDER-02")
    return state.turn.combatant


def between_turns(state: Encounter, rule: str) -> Refused:
    """The answer to whoever means the one whose turn it is, where it is nobody's: who is next."""
    if state.next_up is None:
        return Refused(
            "out_of_turn/nobody" if state.order else "out_of_turn/before_initiative", rule=rule, fields=("combatant",)
        )
    due = state.combatants[state.next_up]
    return Refused("out_of_turn/between", due=due, rule=rule, fields=("combatant",))


def who_begins(state: Encounter) -> str:
    """The combatant whose turn may begin: the next one, or the one acting, so that the rules say what is in the way.

    Refused with `out_of_turn` where there is none.
    """
    from mam_events.deciding.checks import under_way

    under_way(state)
    due = state.turn.combatant if state.turn else state.next_up
    if due is None:
        raise Refused("out_of_turn/none_left" if state.order else "out_of_turn/unsettled", rule="MAM-ORDER-03")
    return due


def open_exchange(state: Encounter) -> int:
    """The number of the exchange that is not resolved yet; refused with `no_such_exchange`."""
    from mam_events.deciding.checks import under_way

    under_way(state)
    if state.exchange is None:
        raise Refused("no_such_exchange/none", fields=("exchange",))
    return state.exchange.id


def attacked_one(state: Encounter) -> str:
    """The target of the open attack; refused with `no_such_exchange` where there is none."""
    open_exchange(state)
    target = state.exchange.root.target if state.exchange else ""
    if not target:
        raise Refused("not_the_target/no_attack")
    return target


def on_the_floor(state: Encounter) -> str:
    """The combatant who acted last and has actions left, else the one whose turn it is; refused with `out_of_turn`."""
    from mam_events.deciding.checks import under_way

    under_way(state)
    if not state.acting:
        raise between_turns(state, "RD6-ACT-02")
    return state.acting


def turn_under_way(state: Encounter) -> str:
    """The combatant whose turn of the round it is; refused with `out_of_turn` between turns."""
    if state.turn is None:
        on_the_floor(state)
    return state.turn.combatant if state.turn else state.acting


def open_action(state: Encounter) -> int:
    """The last action whose result is open; refused with `window_not_open`."""
    from mam_events.deciding.checks import under_way

    under_way(state)
    if not state.window.open:
        raise Refused("window_not_open/nothing", rule="RD6-ACT-04", fields=("exchange",))
    return state.window.open[-1].id


def whose_turn_comes(state: Encounter) -> str:
    """The combatant whose turn comes next; refused with `out_of_turn` where nobody's does."""
    from mam_events.deciding.checks import under_way

    under_way(state)
    if state.next_up is None:
        raise Refused("out_of_turn/round_done" if state.order else "out_of_turn/none_comes", rule="RD6-INIT-04")
    return state.next_up


def _whose_or_next(state: Encounter) -> str:
    """The combatant whose turn it is, else the one who is next."""
    if state.turn is None and state.next_up:
        return state.next_up
    return whose_turn(state)


def _declared(state: Encounter) -> int:
    from mam_events.notation.unsaid import declared_last

    return declared_last(state)


def who_rolls(roll: str, asked: Asked, state: Encounter) -> str:
    """The rider who owes that roll, else the only one there is; raises BadInput where it could be several."""
    from cli.acting import required

    riding = [who for who in asked.session.screen().combatants(state) if who.status.mount and not who.gone]
    found = [who.id for who in riding if getattr(who.status.saddle, roll)] or [who.id for who in riding]
    if len(found) > 1:
        raise BadInput(f"Say who rolls, {' or '.join(found)}.", place="COMBATANT")
    return required(found[0] if found else None, "COMBATANT")


def seat(asked: Asked, state: Encounter) -> str:
    """The vehicle that the driver sits in; refused with `not_the_driver` where there is none."""
    found = state.combatants.get(asked.said.get("driver") or whose_turn(state))
    if found is None or not found.status.mount:
        raise Refused("not_the_driver/which", rule="MAM-VEH-02", fields=("vehicle",))
    return found.status.mount


def only_weapon(asked: Asked, state: Encounter) -> str:
    """The only weapon that an order can be about; a usage error where it could be about none or several."""
    from cli.acting import required
    from cli.offering import offered

    combatant = asked.said.get("combatant") or whose_turn(state)
    mine = [offer for offer in offered(asked.session, asked.do) if offer.combatant == combatant]
    weapons = {
        choice for offer in mine for field in offer.fields if field.name == "weapon" for choice in field.choices or ()
    }
    return required(weapons.pop() if len(weapons) == 1 else None, "WEAPON")


def turn_of_either(asked: Asked, state: Encounter) -> str:
    """The combatant whose turn it is, of a round of Ron d6 or of any other fight."""
    return turn_under_way(state) if asked.session.counts_actions() else whose_turn(state)


def who_moves(asked: Asked, state: Encounter) -> str:
    """The one who acts, in a round of Ron d6 or in any other fight."""
    return on_the_floor(state) if asked.session.counts_actions() else whose_turn(state)


def _of_state(found: Callable[[Encounter], object]) -> Unsaid:
    return lambda _, state: found(state)


UNSAID: Mapping[str, Unsaid] = {
    "whose turn": _of_state(whose_turn),
    "whose turn, of either kind": turn_of_either,
    "whose turn or next": _of_state(_whose_or_next),
    "who begins": _of_state(who_begins),
    "who is attacked": _of_state(attacked_one),
    "who acts": _of_state(on_the_floor),
    "who moves": who_moves,
    "whose turn comes": _of_state(whose_turn_comes),
    "who owes a riding roll": partial(who_rolls, "riding"),
    "who owes a handling roll": partial(who_rolls, "handling"),
    "what the driver sits in": seat,
    "the only weapon": only_weapon,
    "the open exchange": _of_state(open_exchange),
    "the open action": _of_state(open_action),
    "what was declared": _of_state(_declared),
}
