"""Events about armor."""

from msgspec import Struct

from mam_events.dice import Die
from mam_events.events.base import InformationalEvent
from mam_events.values import CombatantRef, RulingRef, SaidTextField


class Layer(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A piece of armor compared with a die: the cover so far, including this piece, and what it would absorb."""

    name: SaidTextField
    running_cover: int
    absorption: int
    complete: bool = False


class ArmorChecked(InformationalEvent, frozen=True):
    """Armor was compared with a die: the piece that blocked ("" for none) and what it absorbs (MAM-ARM-02).

    `action` is the strike, `layers` the pieces in the order of comparison, `die` the armor's own die, if it has one
    (`armour_roll_source`).
    """

    totals = ("absorption", "layers")
    exchange: RulingRef
    combatant: CombatantRef
    face: int
    piece: SaidTextField
    absorption: int
    action: RulingRef = 0
    layers: tuple[Layer, ...] = ()
    die: Die | None = None
