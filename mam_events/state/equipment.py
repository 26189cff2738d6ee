"""What a combatant carries: weapons, armor, and what only weighs."""

from decimal import Decimal
from typing import Literal

from msgspec import Struct, field

from mam_events.values import Metres, Modifier, Natural, OptionalSlug, Points, Slug, Text

SharpnessClass = Literal["sharp", "ordinary", "padded"]
WeaponKind = Literal["hand", "thrown", "bow", "crossbow", "gun"]
BODY = "body"


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something to strike and defend with, the bare body included; `reach` in metres.

    `sharpness` is a number (-2: the first two points stun, MAM-WND-03); `sharpness_class` names the kind instead
    (MAM-WND-04). `readied` tells whether it is in hand (MAM-ATK-06). `kind` and `range` (metres) belong to what is
    thrown or shot; `attached` is part of the body (MAM-MNP-04). `heft`, `unwieldy` and `throw_reach` (its own reach
    modifier when heaved, metres) settle how far it flies (MAM-THR); `launcher_reach` (metres) is that of a sling or a
    spear thrower. `lever` marks a crossbow that is drawn otherwise than a bow (MAM-ARC-03), `shots` is how many a
    crossbow or gun holds (0: a gun that need not be loaded), `reload` how many more turns loading it takes; `loaded`
    shots are in it now, and `winding` such turns are still to come. What `holds` is a missile that can hold somebody,
    as a net does and most do not (MAM-MNP-03). What is `quick` may be used several times in a round of Ron d6, `uses`
    times at most (0: as often as there are actions, RD6-MAP-05).
    """

    id: Slug
    name: Text = ""
    power: Modifier = 0
    attack: Modifier = 0
    defense: Modifier = 0
    sharpness: Modifier = 0
    sharpness_class: SharpnessClass | None = field(default=None, name="class")
    reach: Metres = Decimal(0)
    parry: Modifier = 0
    encumbrance: Points = 0
    readied: bool = True
    kind: WeaponKind = "hand"
    range: Metres = Decimal(0)
    attached: bool = False
    heft: Modifier = 0
    unwieldy: bool = False
    throw_reach: Metres = Decimal(0)
    launcher_reach: Metres = Decimal(0)
    lever: bool = False
    shots: Natural = 0
    reload: Natural = 0
    loaded: Natural = 0
    winding: Natural = 0
    holds: bool = False
    quick: bool = False
    uses: Natural = 0

    @property
    def missile(self) -> bool:
        """Whether it strikes from a distance: thrown, shot or slung."""
        return self.kind != "hand"

    @property
    def shoots(self) -> bool:
        """Whether it is drawn or loaded, and then shot."""
        return self.kind in ("bow", "crossbow", "gun")


class Item(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of equipment that is no weapon: its encumbrance in points (MAM-POOL-06).

    `power`, `heft`, `unwieldy` and `throw_reach` (metres) matter where it is heaved at somebody (MAM-THR-03), `quick`
    and `uses` where it is used several times in a round (RD6-MAP-05).
    """

    id: Slug
    name: Text = ""
    encumbrance: Points = 0
    power: Modifier = 0
    heft: Modifier = 0
    unwieldy: bool = False
    throw_reach: Metres = Decimal(0)
    quick: bool = False
    uses: Natural = 0


class ArmorPiece(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of armor (MAM-ARM-01): what it covers of a body, what it absorbs, which piece overlaps it completely.

    `complete` covers everything (`complete_cover`); `attached` is part of the body, as a hide or a shell.
    """

    id: Slug
    name: Text = ""
    cover: Points = 0
    absorption: Points = 0
    under: OptionalSlug = ""
    complete: bool = False
    encumbrance: Points = 0
    attached: bool = False
