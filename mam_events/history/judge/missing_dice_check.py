"""The check that a new order gives all its faces if its dice were thrown at the table; none is drawn silently."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.dice import read_key
from mam_events.errors import Refused
from mam_events.events import ArmorChecked, Event
from mam_events.history.timeline.entries import dice_of
from mam_events.state import Encounter


def check_missing_dice(state: Encounter, events: Sequence[Event]) -> None:
    """Raise Refused with `die_needed` if all dice were thrown except the one that is compared with somebody's armor.

    The thrower knows by then that the strike hit, so the answer reveals nothing. Rulings that are judged again are not
    checked: an amendment may need a die that nobody could have thrown (MAM-ARM-02).
    """
    compared = (event.die for event in events if type(event) is ArmorChecked)
    drawn_die = next((die for die in compared if die and die.source == "drawn"), None)
    exchange = state.exchange
    if drawn_die is None or (exchange and read_key(drawn_die.key).roller in exchange.drawing):
        return
    others = {die.source for event in events if type(event) is not ArmorChecked for die in dice_of(event)}
    if others == {"thrown"}:
        wearer = state.combatants[read_key(drawn_die.key).roller]
        raise Refused("die_needed", wearer=wearer, rule="MAM-ARM-02", fields=(f"armor_die.{wearer.id}",))
