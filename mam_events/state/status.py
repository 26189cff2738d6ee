"""A combatant's build beside its hit points, and its doing just now."""

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
"""One at a time (MAM-POS-01); strategic and cautious attacks are taken together with the attack, and end with it."""


class Statistics(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The build of a combatant beside its hit points; distances in metres, none where the table keeps no map.

    `speed` is ¼, ½, 1, 2 or 3 (MAM-TURN-02 to -04), `movement` metres a turn (None: as far as the table lets it),
    `power` what it throws and lifts with, `lengths` its height, length and wingspan (MAM-MNP-09), `abilities` its
    ability modifiers by name, `toughness` what it bears unhurt,
    `training` what it is to a rider: `trained` to fight, `untrained`, a `vehicle`, or nothing.
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
        """The modifier of that ability; 0 where it has none."""
        return self.abilities.get(name, 0)


Moment = Literal["start", "end"]
"""The part of a turn at which an effect ends."""


class Effect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A bonus or penalty that ends by itself: at the `moment` of the combatant's own turn number `turn` (0: not so), or
    with round `round` (0: not so), or, if `once`, with the next roll it counts for.

    `applies` says to which rolls it is added: defenses, or every combat roll. One without a `rule` is the game master's
    word, and its `source` the reason.
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
    """The doing of a combatant just now, beside its pools.

    `grappling` is whom its position binds it to, and `dominant_over` the same one where it has the upper hand;
    `turns` is how many of its own have begun; since the last one began, `crawled` are the points that moves on the
    ground took, `moved` and `straight` metres, the second in one straight line, `charges` how many of those were behind
    whoever last attacked out of that run, itself or a rider
    (MAM-ATK-07); `skips_owed` how many turns it must skip (MAM-TURN-05); `prepared` whether it waits to
    counterattack (MAM-CTR-01); `aiming` the weapon it aims with (MAM-POS-02; the game master's word names none),
    `drawn` the bow that it holds drawn (MAM-ARC-01), `loading` the number of its turn in which it last loaded what
    takes turns to load (MAM-ARC-03), `heaving` what it has begun to heave in its turn number `heaving_since`,
    `lost_turn` the number of the turn that a heave takes from it (MAM-THR-03), `mount` whom it rides, `saddle` how;
    `temper` is that of a ridden animal. `cause` is what keeps it from acting, where that was said (RD6-INIT-07),
    `by_word` whether it is the game master's word, and `held_down_by` who tackled or pinned it (RD6-LIST-tackle).
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
        """True if it aims, with `aiming` or with whatever it shoots next."""
        return self.position in ("aiming_standing", "aiming_on_ground")

    def effect(self, source: str) -> Effect | None:
        """The newest effect of that source, or None."""
        for effect in reversed(self.effects):
            if effect.source == source:
                return effect
        return None


GrappleKind = Literal["hold", "choke", "wrench"]
GRIPS: tuple[GrappleKind, ...] = get_args(GrappleKind)
"""A hold or a hiding place that goes on for as long as it is kept up (MAM-MNP-05, MAM-MNP-06)."""


class Grapple(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A hold that goes on: the points it takes, which stay in other used or are paid anew (MAM-POOL-07,
    `hold_maintenance`), whom it holds, the modifier it takes off the held one's rolls, and of a choke or wrench the
    power of its hit every round (MAM-MNP-05, MAM-MNP-06).

    `weapon` is what it holds with, which `lies` with the held one if it was thrown. `armor` are the pieces that lie
    under the grip, `maintained` the round in which it was last taken or kept up, `hit` the one in which it last hit.
    `exchange` is the ruling that declared it (0: the game master did).
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
    def by_hand(self) -> bool:
        """True if the holder has hold of somebody itself, and no missile has."""
        return bool(self.held) and not self.lies and bool(self.weapon or not self.exchange)
