"""The printed tables as values: the columns of each, and the rows that it must have."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct, field

from mam_events.commands import Quality
from mam_events.errors import BadInput
from mam_events.events import Interval
from mam_events.state import Position
from mam_events.values import Circumstance

DeedKind = Literal[
    "quick_attack",
    "powerful_attack",
    "strategic_attack",
    "cautious_attack",
    "quick_throw",
    "powerful_throw",
    "heave",
    "manipulation",
    "hold",
    "maintain",
    "act",
    "ready_weapon",
    "pick_up",
    "evade",
    "stand",
    "instant_stand",
    "drop",
    "rest",
    "aim",
    "stop_aiming",
    "take_position",
    "draw_bow",
    "fire_bow",
    "powerful_shot",
    "strategic_shot",
    "cautious_shot",
    "begin_heave",
    "lower_bow",
    "load",
    "unload",
    "ram",
    "mount",
    "dismount",
    "prepare",
    "move",
]
"""A kind of action of Mano a Mano."""

Substitute = Literal["d12", "d10", "d8", "d6"]
"""A die that stands for a d20 (MAM-DICE-01, MAM-DICE-02)."""

InTheDark = Literal["grapple", "strike", "distance"]
"""A kind of attack, as the rule on darkness distinguishes them (MAM-ATK-09)."""

EvasionSource = Literal["evasion", "cautious", "resting"]
"""A bonus to the defense until the end of the next turn (MAM-MNV-01, MAM-POS-02)."""

ActionKind = Literal["strike", "grapple", "missile", "other"]
"""A kind of action, as the rule on positions distinguishes them (MAM-POS-02); `other` neither strikes nor grapples."""

Stance = Position | Literal["strategic"]
"""A row of the table of positions: a position, or the stance that is taken together with an attack."""


class CircumstanceRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a circumstance: on the difficulty, and on the roll."""

    difficulty: int = 0
    success: int = 0


class DarknessRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of darkness on the difficulty of a kind of attack.

    The value for total darkness is the most that it may add.
    """

    very_dim: int
    total_darkness: int


class DeedRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of action: its name, its rule and its limits. `deeds.toml` explains each field."""

    name: str
    rule: str
    attack: bool = False
    quick: Literal["never", "extended", "always"] = "never"
    by_option: Literal["", "drop_action_cost"] = ""
    free: bool = False
    cost: int = 1
    goes_on: bool = False
    strenuous: bool = False
    standing: bool = False
    stance: bool = False
    begins: tuple[Position, ...] = field(default=(), name="from")
    loose: bool = False
    hands: bool = False
    afoot: bool = False
    drawn: bool = False
    heaving: bool = False


class SubstituteRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of the faces of a die that stands for a d20. `dice_substitutes.toml` explains them."""

    factor: int
    from_one: bool
    confirmed_above: int


class Difficulties(Struct, frozen=True, forbid_unknown_fields=True):
    """The difficulty levels of a task, whoever tries it (MAM-DIFF-01)."""

    easy: int
    moderate: int
    hard: int
    extreme: int
    heroic: int


class InstantStandBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus of an instant stand, by the readings of `instant_stand_bonus`."""

    two: int
    five: int


class InstantStandTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Standing up at once (MAM-MNV-05): a modifier above `automatic_above` needs no roll."""

    automatic_above: int
    bonus: InstantStandBonus


class RestraintRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The difficulty of the roll to hold an animal, unhurt or with any stun or damage (MAM-MNT-02, MAM-MNT-03)."""

    unhurt: int
    hurt: int


class Mounts(Struct, frozen=True, forbid_unknown_fields=True):
    """Difficulties of riding, and of holding an animal by its training (MAM-MNT-01 to -03)."""

    stay_mounted: int
    trained: RestraintRow
    untrained: RestraintRow


class Inferior(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus of a position where the other side is the one it dominates (MAM-POS-05)."""

    attack: int
    defense: int


class Reread(Struct, frozen=True, forbid_unknown_fields=True):
    """The modifiers that an option puts in place of a row's; None keeps them."""

    attack: dict[ActionKind, int] | None = None
    defense: dict[ActionKind, int] | None = None


class Rereadings(Struct, frozen=True, forbid_unknown_fields=True):
    """The changes to a row where `ground_modifiers` is read as `two_point`, or `position_table_source` as `table`."""

    two_point: Reread = Reread()
    table: Reread = Reread()


class PositionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A position: its name, where it leads, and its modifiers of rolls. `positions.toml` explains each field."""

    name: str
    on_ground: bool = False
    above: bool = False
    aimed: Position | None = None
    lost: Position | None = None
    grapple: bool = False
    dominant: bool = False
    other_side: Position | None = None
    inferior: Inferior | None = None
    attack: dict[ActionKind, int] = {}
    defense: dict[ActionKind, int] = {}
    readings: Rereadings = Rereadings()


Frequency = Literal["always", "maybe", "never"]


class ListedAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action that takes time in Ron d6 (RD6-LIST). `rd6_actions.toml` explains each field."""

    rolls: Frequency
    skills: tuple[str, ...]
    physical: Frequency = "always"
    free: bool = False
    thrown: bool = False
    lets_go: bool = False
    handles: bool = False
    takes_up: bool = False
    disarms: bool = False
    later_than_thrower: bool = False
    frees: bool = False
    leaves: bool = False
    moves: bool = False
    holds_down: bool = False
    holds_down_whole: bool = False


class RestTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of natural healing (MAM-REST-01 to -04).

    They are the points that come back without a roll, the most days of rest that count, and the most that an adverse
    factor opposes with.
    """

    recovery: int
    most_days: int
    most_opposition: int


class Tables(Struct, frozen=True, forbid_unknown_fields=True):
    """All printed tables, by file name; they are the same in every ruleset.

    Raises BadInput for a missing row.
    """

    circumstances: dict[Circumstance, CircumstanceRow]
    darkness: dict[InTheDark, DarknessRow]
    deeds: dict[DeedKind, DeedRow]
    dice_substitutes: dict[Substitute, SubstituteRow]
    difficulties: Difficulties
    evasion: dict[EvasionSource, int]
    instant_stand: InstantStandTable
    mounts: Mounts
    positions: dict[Stance, PositionRow]
    rd6_actions: dict[str, ListedAction]
    rest: RestTable
    rest_intervals: dict[Quality, Interval]

    def __post_init__(self) -> None:
        for table, rows in ROWS.items():
            for row in rows:
                if row not in getattr(self, table):
                    raise BadInput(
                        f'"{row}" is missing; every one of {", ".join(rows)} has a row.', place=table_path(table)
                    )


ROWS: dict[str, tuple[str, ...]] = {
    "circumstances": get_args(Circumstance),
    "darkness": get_args(InTheDark),
    "deeds": get_args(DeedKind),
    "dice_substitutes": get_args(Substitute),
    "evasion": get_args(EvasionSource),
    "positions": (*get_args(Position), "strategic"),
    # The rules use only these actions by name; people type the names of the others.
    "rd6_actions": ("catch", "communicate", "dodge", "drop", "escape", "parry", "ready", "use", "wait"),
    "rest_intervals": get_args(Quality),
}
"""The rows that each table must have, because the rules look them up by name."""


def table_path(table: str) -> str:
    """Return the path of a table's file, as messages name it."""
    return f"tables/{table}.toml"
