"""The faces that a new order owes whose dice were thrown at the table: none of them is drawn without a word."""

from __future__ import annotations

from collections.abc import Sequence

from mam_events.dice import read_key
from mam_events.errors import Refused
from mam_events.events import ArmorChecked, Event
from mam_events.history.timeline.entries import dice_of
from mam_events.state import Encounter


def check_missing_dice(state: Encounter, events: Sequence[Event]) -> None:
    """Refused with `die_needed` where all dice were thrown but the one that somebody's armor is compared with.

    Whoever throws knows by then that it hit, so the answer tells nothing. What is judged again is not asked: an
    amendment may need a die that nobody could have thrown (MAM-ARM-02).
    """
    compared = (event.die for event in events if type(event) is ArmorChecked)
    drawn = next((die for die in compared if die and die.source == "drawn"), None)
    exchange = state.exchange
    if drawn is None or (exchange and read_key(drawn.key).roller in exchange.drawing):
        return
    others = {die.source for event in events if type(event) is not ArmorChecked for die in dice_of(event)}
    if others == {"thrown"}:
        wearer = state.combatants[read_key(drawn.key).roller]
        raise Refused("die_needed", wearer=wearer, rule="MAM-ARM-02", fields=(f"armor_die.{wearer.id}",))
