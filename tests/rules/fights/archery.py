"""Fights for the options of archery, throwing, range and darkness."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginHeave,
    BeginTurn,
    Body,
    Command,
    DrawBow,
    EndTurn,
    Initiative,
    Join,
    LowerBow,
    Move,
    Resolve,
)
from mam_events.state import Weapon
from tests.fighters import CLONE
from tests.rules.fights import Fight

LONGBOW = Weapon("longbow", name="Longbow", kind="bow", power=3, range=Decimal(140))
MUSKET = Weapon("musket", name="Musket", kind="gun", power=5, range=Decimal(60))
# Nobody has power here, so the thrown weapon must be light.
DART = Weapon("dart", name="Dart", kind="thrown", power=1, heft=-3, launcher_reach=Decimal(2))
BOULDER = Weapon("boulder", name="Boulder", power=4, heft=-2, unwieldy=True, throw_reach=Decimal(1))
LIN = Join(
    "lin",
    name="Lin",
    side="heroes",
    seat=0,
    hp=9,
    body=Body(reach=Decimal(2)),
    weapon=(LONGBOW, MUSKET, DART, BOULDER),
)

WATCH: tuple[Command, ...] = (LIN, CLONE, Initiative(), BeginTurn("lin"))
"""Rulings 2 to 5: Lin and the Clone are there, and Lin's first turn has begun."""
ROUND: tuple[Command, ...] = (EndTurn("lin"), BeginTurn("clone"), EndTurn("clone"), BeginTurn("lin"))
"""Four rulings later it is Lin's turn again."""

SHOT = Attack("lin", "clone", "musket", modifier=1)
DRAWN = (*WATCH, DrawBow("lin", "longbow"))
IN_THE_DARK = replace(SHOT, light="total_darkness", darkness=2)
BLURRED = replace(SHOT, light="very_dim", circumstance=("unfavourable",))
HEAVE = Attack("lin", "clone", "boulder", modifier=1, thrown="heave")
HURLED = (*WATCH, replace(SHOT, weapon="dart", thrown="powerful", distance=Decimal(8)), Resolve(6))
"""Over 8 m: 2 × 6 + 2 = 14 m is the range by default, 18 m or 16 m otherwise."""

FIGHTS: dict[tuple[str, str], Fight] = {
    ("darkness_stacks_with_circumstances", "no"): Fight((*WATCH, BLURRED, Resolve(6))),
    ("darkness_values", "gm_up_to"): Fight((*WATCH, IN_THE_DARK, Resolve(6))),
    ("drawn_bow_movement", "forbidden"): Fight((*DRAWN, Move("lin", points=1))),
    ("drawn_bow_release", "forbidden"): Fight((*DRAWN, LowerBow("lin"))),
    ("heave_resolution_turn", "first_turn"): Fight((*WATCH, BeginHeave("lin", "boulder"), *ROUND, HEAVE, Resolve(11))),
    ("powerful_throw_launcher", "double_with_launcher_only"): Fight(HURLED),
    ("powerful_throw_launcher", "double_with_launcher_then_add"): Fight(HURLED),
    ("range_beyond_maximum", "extrapolate"): Fight((*WATCH, replace(SHOT, distance=Decimal(63)), Resolve(6))),
}
