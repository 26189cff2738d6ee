"""Commands about the encounter as a whole."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from mam_events.commands.base import Command
from mam_events.state import ArmorPiece, Item, SharpnessClass, Weapon
from mam_events.values import (
    GM_OWNER,
    OWN_ID,
    Code,
    CombatantId,
    ContinuedFrom,
    Face,
    HitPoints,
    Metres,
    Modifier,
    Natural,
    OptionalCombatantId,
    OptionalSlug,
    Points,
    Slug,
    Speed,
    Text,
    Training,
    description,
)


class Open(Command, frozen=True):
    """Begin an encounter.

    It has a preset, house rules, and dice from a seed of its own.
    """

    given_by = GM_OWNER
    slots = ("preset",)

    preset: Annotated[Slug, description("The edition of the rules (`mam rules list`; mam_pools).")] = "mam_pools"
    house_rules: Annotated[dict[Slug, Slug], description("A house rule (`mam rules show`); repeatable.")] = {}
    title: Annotated[Text, description("What people call it.")] = ""
    commitment: Annotated[str, description("The SHA-256 of the seed of its dice. The log fills it in.")] = ""
    word: Annotated[Text, description("A word of your table, mixed into every drawn die.")] = ""
    ruleset: Annotated[OptionalSlug, description("What the table calls its house rules.")] = ""
    continues: Annotated[ContinuedFrom | None, description("The fight that it continues.")] = None


class ChangeRules(Command, frozen=True):
    """Change the rules of a fight in progress.

    Later rulings use the new rules, earlier ones keep the old.

    It is a ruling like any other: it can be undone, amended, or inserted into the past (--after). All rulings after it
    are then judged again.
    """

    given_by = GM_OWNER

    house_rules: Annotated[dict[Slug, Slug], description("An option and its reading from now on (repeatable).")]
    reason: Annotated[Text, description("The reason, kept in the log.")]


class Body(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The bare body as a weapon."""

    attack: Annotated[Modifier, description("What it adds to an attack (MAM-ATK-02).")] = 0
    defense: Annotated[Modifier, description("What it adds to a defense (MAM-ATK-03).")] = 0
    power: Annotated[Modifier, description("What it adds to the power of a hit (MAM-ATK-05).")] = 0
    sharpness: Annotated[
        Modifier,
        description("At -2 the first two points of a hit are stun. From 0 up, all points are damage (MAM-WND-03)."),
    ] = 0
    sharpness_class: Annotated[
        SharpnessClass | None, description("Its kind of sharpness, in place of a number (MAM-WND-04).")
    ] = field(default=None, name="class")
    reach: Annotated[Metres, description("How far it reaches, in metres (MAM-ORDER-03).")] = Decimal(0)


JoinedAs = Literal["pc", "npc", "boss_npc"]


class Join(Command, frozen=True):
    """Bring a combatant into the fight.

    The options give its hit points, statistics, weapons and armor (MAM-HP-01).
    """

    given_by = GM_OWNER

    bare = ("combatant",)
    slots = ("combatant", "name", "side", "kind")
    examples = (
        'join modre --name "Modre" --hp 6 --weapon id=ice-blade,power=3,attack=1,sharpness=-2,reach=1',
        "join goblin --hp 6 --side foes --seat 2 --body attack=2",
        "join knight --hp 8 --speed 1/2 --armor id=mail,cover=4,absorption=3 --ability riding=4",
        "join rook --kind pc --code perception=3D+1 --code agility=3D --code dodge=4D --search-ranks 3 --fate-points 1",
        "join --from party.toml#goblin",
    )

    actor = ""
    combatant: Annotated[CombatantId, OWN_ID, description("Its id in this fight, lower case.")]
    name: Annotated[Text, description("What it is called.")] = ""
    side: Annotated[Slug, description("Which side it is on, lower case (all).")] = "all"
    kind: Annotated[
        JoinedAs | None,
        description("Whether a player plays it (pc on the side heroes, players or party, else npc)."),
    ] = None
    seat: Annotated[Natural | None, description("Its seat, clockwise from 0 (the next free one, if left out).")] = None
    hp: Annotated[HitPoints | None, description("Its hit points.")] = None
    athletic: Annotated[
        tuple[Modifier, ...],
        description("An athletic ability modifier. Hit points are the sum of the best two (MAM-HP-01)."),
    ] = ()
    stride: Annotated[Metres, description("How far one ready point moves it, in metres (1).")] = Decimal(1)
    absorption: Annotated[Modifier, description("How many points of a hit its body absorbs (0).")] = 0
    parry: Annotated[Modifier, description("Its parry modifier (0).")] = 0
    encumbrance: Annotated[Points, description("The encumbrance of what else it carries, in points (0).")] = 0
    body: Annotated[Body, description("The bare body as a weapon.")] = Body()
    weapon: Annotated[tuple[Weapon, ...], description("A weapon.")] = ()
    item: Annotated[tuple[Item, ...], description("A piece of equipment.")] = ()
    pools: Annotated[dict[Slug, Points], description("Its pools at the start. They add up to its hit points.")] = {}
    mount: Annotated[OptionalCombatantId, description("Whom it rides from the start. Both share a seat.")] = ""
    word: Annotated[Text, description("A word of the player's, mixed into every die drawn from now on.")] = ""
    speed: Annotated[Speed, description("Its speed: 1/4, 1/2, 1, 2 or 3 (1).")] = Decimal(1)
    size: Annotated[Modifier, description("Its size modifier (0).")] = 0
    power: Annotated[Modifier, description("Its power for throwing and lifting (0).")] = 0
    toughness: Annotated[Natural | None, description("How much harm it takes before it is hurt.")] = None
    movement: Annotated[Metres | None, description("How far it moves in a turn, in metres (unknown, if left out).")] = (
        None
    )
    hand_reach: Annotated[Metres | None, description("How far its hand reaches, in metres.")] = None
    length: Annotated[
        Annotated[tuple[Metres, ...], Meta(max_length=10)], description("Its height, length or wingspan, in metres.")
    ] = ()
    ability: Annotated[dict[Slug, Modifier], description("Its abilities.")] = {}
    armor: Annotated[tuple[ArmorPiece, ...], description("A piece of armor.")] = ()
    training: Annotated[Training, description("For mounts and vehicles: trained, untrained or vehicle.")] = ""
    code: Annotated[
        dict[Slug, Code],
        description(
            "Ron d6: the dice codes of attributes and skills (perception, search, agility and dodge break ties)."
        ),
    ] = {}
    search_ranks: Annotated[Natural, description("Ron d6: ranks of search (0).")] = 0
    quickness_ranks: Annotated[Annotated[int, Meta(ge=0, le=1000)], description("Ron d6: ranks of quickness (0).")] = 0
    allotment: Annotated[
        Annotated[int, Meta(ge=1, le=1000)], description("Ron d6: how many actions a round have no penalty (1).")
    ] = 1
    go_first: Annotated[bool, description("Ron d6: an ability puts it first in a tie.")] = False
    special: Annotated[bool, description("Ron d6: its equipment puts it first in a tie.")] = False
    group: Annotated[OptionalSlug, description("Ron d6: the group that shares its initiative roll.")] = ""
    character_points: Annotated[Natural, description("Ron d6: its Character Points (0).")] = 0
    fate_points: Annotated[Natural, description("Ron d6: its Fate Points (0).")] = 0


PLAYERS = ("heroes", "players", "party")
"""The sides whose newcomers are player characters unless their join gives another kind."""


def resolve_kind(join: Join) -> JoinedAs:
    """Return the kind that somebody joins as, by default that of their side; who shares a roll is not a player's."""
    return join.kind or ("pc" if join.side in PLAYERS and not join.group else "npc")


class Initiative(Command, frozen=True):
    """Settle who begins, or roll for it.

    Reach, surprise, circumstances or the game master decide (MAM-ORDER-03).

    If initiative is rolled each round, use `mam initiative roll` (RD6-INIT-01). --first then puts somebody before all
    who rolled.
    """

    given_by = GM_OWNER

    examples = (
        "initiative",
        "initiative --surprise clone",
        "initiative --tie-die modre=4 --tie-die clone=2",
        'initiative --first clone --reason "Modre is asleep"',
        "initiative roll --all",
    )

    boundary = True
    surprise: Annotated[tuple[CombatantId, ...], description("Who ambushed (MAM-ORDER-04).")] = ()
    circumstance: Annotated[OptionalCombatantId, description("The one whom circumstances favour.")] = ""
    first: Annotated[
        OptionalCombatantId, description("Who begins because the game master says so. It needs --reason.")
    ] = ""
    reason: Annotated[Text, description("The reason for --first, or for combat if stalking found nobody.")] = ""
    tie_die: Annotated[dict[CombatantId, Face], description("A die thrown to break a tie (drawn, if left out).")] = {}
    same_seat: Annotated[
        tuple[CombatantId, ...],
        description("Combatants who share a seat, in turn order, if the house rules let the player choose."),
    ] = ()


class Close(Command, frozen=True):
    """End the encounter and reveal the dice seed.

    Everybody can then check the drawn dice, and no more are drawn. If the closing is undone, dice come from a new seed.
    """

    given_by = GM_OWNER

    also_bare = ("reason",)
    examples = ("close", 'close --reason "The clone fled"')

    reason: Annotated[Text, description("Why it ends.")] = ""
    seed: Annotated[str, description("The revealed seed. The log fills it in.")] = ""
