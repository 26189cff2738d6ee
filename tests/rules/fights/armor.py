"""Fights for the options of armor and of the power of attacks."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import Attack, Command, Join, Resolve
from mam_events.state import ArmorPiece
from tests.fighters import CLONE, duel_orders
from tests.rules.fights import Fight

PRESET = "mam_pools"
D20 = {"combat_die": "d20"}
DOUBLE = Attack("modre", "clone", "ice-blade", power=1, modifier=2, double_power=True)
BLADE = replace(DOUBLE, double_power=False)


def strike_orders(
    attack_die: int, defense_die: int, *armor: ArmorPiece, attack: Attack = BLADE, **more: int
) -> tuple[Command, ...]:
    """Strike the Clone, in that armor, with those faces."""
    clone: Join = replace(CLONE, armor=armor, **more)
    return (*duel_orders(clone=clone), attack, Resolve(6, attack_die, defense_die))


MAIL = ArmorPiece("mail", cover=3, absorption=2)
SHELL = ArmorPiece("shell", complete=True, absorption=2)

FIGHTS: dict[tuple[str, str], Fight] = {
    ("armour_block_comparison", "cover_gt_roll"): Fight(strike_orders(6, 3, MAIL)),
    ("armour_block_comparison", "inverted"): Fight(strike_orders(6, 1, MAIL)),
    ("armour_roll_source", "attack_die"): Fight(strike_orders(6, 1, MAIL)),
    ("armour_roll_source", "separate_die"): Fight(strike_orders(6, 5, MAIL)),
    ("armour_roll_with_substitute", "face"): Fight(strike_orders(9, 2, MAIL), {"combat_die": "d20_substitute"}),
    ("body_absorption_stacks", "no"): Fight(strike_orders(6, 1, MAIL, absorption=1)),
    ("complete_cover", "cover_ten"): Fight(strike_orders(19, 11, SHELL), D20),
    ("critical_hit", "on"): Fight(strike_orders(20, 1), D20 | {"automatic_success_in_opposed_rolls": "attacker_only"}),
    ("double_power_attacks", "powerful_only"): Fight(strike_orders(6, 1, attack=DOUBLE)),
    ("double_power_scope", "total_power"): Fight(strike_orders(6, 1, attack=DOUBLE)),
    ("random_damage", "on"): Fight(strike_orders(12, 1, attack=DOUBLE), D20),
}
