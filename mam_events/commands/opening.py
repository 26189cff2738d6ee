"""Orders about the encounter as a whole."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from mam_events.commands.base import Command
from mam_events.state import ArmorPiece, Item, SharpnessClass, Weapon
from mam_events.values import (
    Code,
    CombatantId,
    Face,
    Metres,
    Modifier,
    OptionalCombatantId,
    OptionalSlug,
    Points,
    Slug,
    Text,
    Training,
)


class Open(Command, frozen=True):
    """Begin an encounter under a preset and house rules; `commitment` is the SHA-256 of the seed its dice come from.

    `ruleset` is what the table calls its house rules ("": nothing).
    """

    preset: Slug = "mam_pools"
    house_rules: dict[Slug, Slug] = {}
    title: Text = ""
    commitment: str = ""
    word: Text = ""
    ruleset: OptionalSlug = ""


class ChangeRules(Command, frozen=True):
    """From here on read those options so: the game master's word in the middle of a fight, with a reason."""

    house_rules: dict[Slug, Slug]
    reason: Text


class Body(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The bare body as a weapon: its own two modifiers (MAM-ATK-03), power, sharpness and reach in metres."""

    attack: Modifier = 0
    defense: Modifier = 0
    power: Modifier = 0
    sharpness: Modifier = 0
    sharpness_class: SharpnessClass | None = field(default=None, name="class")
    reach: Metres = Decimal(0)


class Join(Command, frozen=True):
    """A combatant comes into the fight, with `hp` hit points or the athletic modifiers they come from (MAM-HP-01).

    `speed` is ¼, ½, 1, 2 or 3 (MAM-TURN-02 to -04). `movement` (a turn; None: as far as the table lets it),
    `hand_reach` and `length` (height, length and wingspan, MAM-MNP-09) are metres. `power` is what it throws and lifts
    with, `toughness` what it bears unhurt, `ability` its ability modifiers by name (`riding`, `stealth`),
    `training` what it is to a rider; `mount` is whom it rides from the start, in one seat with it. From `code` on
    are the fields of Ron d6: see `mam_events.state.rounds.Faculties`.
    """

    combatant: CombatantId
    name: Text = ""
    side: Slug = "all"
    kind: Literal["pc", "npc", "boss_npc"] = "npc"
    seat: Points | None = None
    hp: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    athletic: tuple[Modifier, ...] = ()
    stride: Metres = Decimal(1)
    absorption: Modifier = 0
    parry: Modifier = 0
    encumbrance: Points = 0
    body: Body = Body()
    weapon: tuple[Weapon, ...] = ()
    item: tuple[Item, ...] = ()
    pools: dict[Slug, Points] = {}
    mount: OptionalCombatantId = ""
    word: Text = ""
    speed: Decimal = Decimal(1)
    size: Modifier = 0
    power: Modifier = 0
    toughness: Points | None = None
    movement: Metres | None = None
    hand_reach: Metres | None = None
    length: Annotated[tuple[Metres, ...], Meta(max_length=10)] = ()
    ability: dict[Slug, Modifier] = {}
    armor: tuple[ArmorPiece, ...] = ()
    training: Training = ""
    code: dict[Slug, Code] = {}
    search_ranks: Points = 0
    quickness_ranks: Annotated[int, Meta(ge=0, le=1000)] = 0
    allotment: Annotated[int, Meta(ge=1, le=1000)] = 1
    go_first: bool = False
    special: bool = False
    group: OptionalSlug = ""
    character_points: Points = 0
    fate_points: Points = 0


class Initiative(Command, frozen=True):
    """Settle who begins (MAM-ORDER-03): by reach, by surprise, by `circumstance` or by the game master's `first`.

    `same_seat` is the order in which those take their turns who share a seat (MAM-GEN-01, `same_seat_order`).
    """

    boundary = True
    surprise: tuple[CombatantId, ...] = ()
    circumstance: OptionalCombatantId = ""
    first: OptionalCombatantId = ""
    reason: Text = ""
    tie_die: dict[CombatantId, Face] = {}
    same_seat: tuple[CombatantId, ...] = ()


class Close(Command, frozen=True):
    """End the encounter and reveal its seed; after this nothing is drawn any more."""

    reason: Text = ""
    seed: str = ""
