"""A combatant's statistics beside its hit points, and its current activity."""

from decimal import Decimal
from typing import ClassVar, Literal, get_args

from msgspec import Struct

from mam_events.state.equipment import ArmorPiece
from mam_events.state.mounts import Saddle, Temper
from mam_events.values import CombatantRef, RulingRef, SaidTextField, ThingRef

Position = Literal[
    "standing",
    "on_ground",
    "aiming_standing",
    "aiming_on_ground",
    "clinch",
    "ground_fighting",
    "dominant_standing",
    "dominant_on_ground",
]
"""One position at a time (MAM-POS-01); strategic and cautious attacks are chosen with the attack, and end with it."""


class Statistics(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The statistics of a combatant beside its hit points; distances in metres, none if the table keeps no map.

    `speed` is ¼, ½, 1, 2 or 3 (MAM-TURN-02 to -04), `movement` metres per turn (None: as far as the table allows),
    `power` its strength to throw and lift, `lengths` its height, length and wingspan (MAM-MNP-09), `abilities` its
    ability modifiers by name, `toughness` what it bears unhurt. `training` is that of a mount: `trained` to fight,
    `untrained`, a `vehicle`, or empty.
    """

    speed: Decimal = Decimal(1)
    size: int = 0
    power: int = 0
    toughness: int | None = None
    movement: Decimal | None = None
    hand_reach: Decimal | None = None
    lengths: tuple[Decimal, ...] = ()
    abilities: dict[str, int] = {}
    armor: tuple[ArmorPiece, ...] = ()
    training: str = ""

    def ability(self, name: str) -> int:
        """Return the modifier of that ability; 0 if it has none."""
        return self.abilities.get(name, 0)


Moment = Literal["start", "end"]
"""The part of a turn at which an effect ends."""


class Effect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A bonus or penalty that ends by itself.

    It ends at the `moment` of the combatant's own turn number `turn` (0: no turn), with round `round` (0: no round),
    or, if `once`, with the next roll it counts for. `applies` says which rolls it is added to: defenses, or every
    combat roll. An effect without a `rule` is the game master's word, and its `source` is the reason.
    """

    totals: ClassVar[tuple[str, ...]] = ("turn", "round")
    source: SaidTextField
    value: int
    rule: str
    applies: Literal["defense", "combat"] = "defense"
    turn: int = 0
    moment: Moment = "end"
    round: int = 0
    once: bool = False


class Status(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The current activity of a combatant, beside its pools.

    - `grappling`: the one its position binds it to; `dominant_over` is the same one if it has the upper hand
    - `turns`: the number of its own turns that have begun
    - `crawled`: points spent on moves on the ground since its last turn began
    - `moved`, `straight`: metres since then, in all and in one straight line
    - `charges`: metres of that line before the last attack of each attacker, itself or a rider (MAM-ATK-07)
    - `skips_owed`: turns it must skip (MAM-TURN-05)
    - `prepared`: true if it waits to counterattack (MAM-CTR-01)
    - `aiming`: the weapon it aims with (MAM-POS-02; the game master's word names none)
    - `drawn`: the bow that it holds drawn (MAM-ARC-01)
    - `loading`: its turn in which it last loaded a weapon that takes turns to load (MAM-ARC-03)
    - `heaving`: the thing it began to heave in its turn `heaving_since`
    - `lost_turn`: the turn that a heave takes from it (MAM-THR-03)
    - `mount`: whom it rides, with `saddle`; `temper` is that of a ridden animal
    - `cause`: the given reason why it can't act (RD6-INIT-07); `by_word` is true if that is the game master's word
    - `held_down_by`: those who tackled or pinned it (RD6-LIST-tackle)
    """

    position: Position = "standing"
    grappling: CombatantRef = ""
    dominant_over: CombatantRef = ""
    effects: tuple[Effect, ...] = ()
    turns: int = 0
    moved: Decimal = Decimal(0)
    crawled: int = 0
    straight: Decimal = Decimal(0)
    charges: dict[CombatantRef, Decimal] = {}
    skips_owed: int = 0
    prepared: bool = False
    aiming: ThingRef = ""
    drawn: ThingRef = ""
    loading: int = 0
    heaving: ThingRef = ""
    heaving_since: int = 0
    lost_turn: int = 0
    mount: CombatantRef = ""
    saddle: Saddle = Saddle()
    temper: Temper = Temper()
    cause: str = ""
    by_word: bool = False
    held_down_by: tuple[CombatantRef, ...] = ()

    @property
    def aims(self) -> bool:
        """True if it aims, with `aiming` or with the next weapon it shoots."""
        return self.position in ("aiming_standing", "aiming_on_ground")

    def effect(self, source: str) -> Effect | None:
        """Return the newest effect of that source, or None."""
        for effect in reversed(self.effects):
            if effect.source == source:
                return effect
        return None


GrappleKind = Literal["hold", "choke", "wrench"]
GRIPS: tuple[GrappleKind, ...] = get_args(GrappleKind)
"""The kinds of grapple, which go on for as long as they are maintained (MAM-MNP-05, MAM-MNP-06)."""


class Grapple(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A lasting hold: its points stay in other used or are paid every turn (MAM-POOL-07, `hold_maintenance`).

    `held` is the one it holds, `modifier` the penalty on their rolls, `power` the hit of a choke or wrench every round
    (MAM-MNP-05, MAM-MNP-06). `weapon` is the weapon that holds, which `lies` with the held one if it was thrown.
    `armor` are the pieces under the grip, `maintained` the round in which it was last taken or maintained, `hit` the
    round of its last hit. `exchange` is the ruling that declared it (0: the game master did).
    """

    totals: ClassVar[tuple[str, ...]] = ("maintained",)
    id: str
    points: int
    modifier: int = 0
    held: CombatantRef = ""
    kind: GrappleKind = "hold"
    power: int = 0
    weapon: ThingRef = ""
    lies: bool = False
    armor: tuple[ThingRef, ...] = ()
    maintained: int = 0
    hit: int = 0
    exchange: RulingRef = 0

    @property
    def is_by_hand(self) -> bool:
        """True if the holder itself holds someone, not a thrown weapon."""
        return bool(self.held) and not self.lies and bool(self.weapon or not self.exchange)
