"""The equipment of a combatant: weapons, armor, and other things."""

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from mam_events.values import OWN_ID, Metres, Modifier, Natural, OptionalSlug, Points, Slug, Text, description

SharpnessClass = Literal["sharp", "ordinary", "padded"]
WeaponKind = Literal["hand", "thrown", "bow", "crossbow", "gun"]
BODY = "body"


class Weapon(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something to strike and defend with, including the bare body."""

    id: Annotated[Slug, OWN_ID, description("The id that orders use, lower case; every one once.")]
    name: Annotated[Text, description("What people call it.")] = ""
    power: Annotated[Modifier, description("What it adds to the power of a hit (MAM-ATK-05).")] = 0
    attack: Annotated[Modifier, description("What it adds to an attack (MAM-ATK-02).")] = 0
    defense: Annotated[Modifier, description("What it adds to a defense (MAM-ATK-03).")] = 0
    sharpness: Annotated[
        Modifier,
        description("At -2 the first two points of a hit are stun. From 0 up, all points are damage (MAM-WND-03)."),
    ] = 0
    sharpness_class: Annotated[
        SharpnessClass | None, description("Its kind of sharpness, in place of a number (MAM-WND-04).")
    ] = field(default=None, name="class")
    reach: Annotated[Metres, description("How far it reaches, in metres (MAM-ORDER-03).")] = Decimal(0)
    parry: Annotated[Modifier, description("What it adds to a parry (MAM-INTF-06).")] = 0
    encumbrance: Annotated[Points, description("What it weighs, in points (MAM-POOL-06).")] = 0
    readied: Annotated[bool, description("Whether it is in hand; if not, it is taken in hand first (MAM-ATK-06).")] = (
        True
    )
    kind: Annotated[WeaponKind, description("How it strikes (hand).")] = "hand"
    range: Annotated[Metres, description("How far it carries, in metres, where it is thrown or shot (MAM-ATK-08).")] = (
        Decimal(0)
    )
    attached: Annotated[
        bool, description("It is part of the body: it cannot be dropped or taken away (MAM-MNP-04).")
    ] = False
    heft: Annotated[Modifier, description("How heavy it is: the heavier, the shorter it flies (MAM-THR-04).")] = 0
    unwieldy: Annotated[bool, description("It can only be heaved, which takes two turns (MAM-THR-03).")] = False
    throw_reach: Annotated[Metres, description("Its own reach where it is heaved, in metres (MAM-THR-03).")] = Decimal(
        0
    )
    launcher_reach: Annotated[
        Metres, description("The reach of a sling or a spear thrower, in metres (MAM-THR-01, -02).")
    ] = Decimal(0)
    lever: Annotated[bool, description("A crossbow that is not drawn by hand (MAM-ARC-03).")] = False
    shots: Annotated[
        Natural, description("How many a crossbow or gun holds; 0 for a gun that need not be loaded (MAM-ARC-02).")
    ] = 0
    reload: Annotated[Natural, description("How many more turns loading it takes (MAM-ARC-03).")] = 0
    loaded: Annotated[Natural, description("The shots that are in it now.")] = 0
    winding: Annotated[Natural, description("How many turns of loading are still to come.")] = 0
    holds: Annotated[
        bool, description("A missile that can hold somebody, as a net does and most do not (MAM-MNP-03).")
    ] = False
    quick: Annotated[bool, description("Ron d6: it can be used several times in a round (RD6-MAP-05).")] = False
    uses: Annotated[
        Natural, description("Ron d6: how often at most; 0 for as often as there are actions (RD6-MAP-05).")
    ] = 0

    @property
    def is_missile(self) -> bool:
        """True if it hits from a distance: thrown, shot or slung."""
        return self.kind != "hand"

    @property
    def shoots(self) -> bool:
        """True if it is drawn or loaded before it is shot."""
        return self.kind in ("bow", "crossbow", "gun")


class Item(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of equipment that isn't a weapon."""

    id: Annotated[Slug, OWN_ID, description("The id that orders use, lower case; every one once.")]
    name: Annotated[Text, description("What people call it.")] = ""
    encumbrance: Annotated[Points, description("What it weighs, in points (MAM-POOL-06).")] = 0
    power: Annotated[Modifier, description("Its power where it is heaved at somebody (MAM-THR-03).")] = 0
    heft: Annotated[Modifier, description("How heavy it is: the heavier, the shorter it flies (MAM-THR-04).")] = 0
    unwieldy: Annotated[bool, description("It can only be heaved, which takes two turns (MAM-THR-03).")] = False
    throw_reach: Annotated[Metres, description("Its own reach where it is heaved, in metres (MAM-THR-03).")] = Decimal(
        0
    )
    quick: Annotated[bool, description("Ron d6: it can be used several times in a round (RD6-MAP-05).")] = False
    uses: Annotated[
        Natural, description("Ron d6: how often at most; 0 for as often as there are actions (RD6-MAP-05).")
    ] = 0


class ArmorPiece(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of armor (MAM-ARM-01)."""

    id: Annotated[Slug, OWN_ID, description("The id that orders use, lower case; every one once.")]
    name: Annotated[Text, description("What people call it.")] = ""
    cover: Annotated[
        Points,
        Meta(extra={"flag": "complete"}),
        description(
            "It blocks if this, plus the cover of what absorbs more, reaches the natural defense die (MAM-ARM-02)."
        ),
    ] = 0
    absorption: Annotated[Points, description("What it takes off the power of a hit (MAM-ARM-03).")] = 0
    under: Annotated[OptionalSlug, description("The piece that lies wholly over it, by its id (MAM-ARM-05).")] = ""
    complete: Annotated[bool, description("It covers everything (`complete_cover`).")] = False
    encumbrance: Annotated[Points, description("What it weighs, in points (MAM-POOL-06).")] = 0
    attached: Annotated[bool, description("It is part of the body, as a hide or a shell; it cannot be taken off.")] = (
        False
    )
