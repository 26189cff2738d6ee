"""A fight of two against two in which a felling hit is undone: the Wolf is up again, its turns were not played."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import Attack, BeginTurn, Command, EndTurn, Initiative, Join, Open, Resolve
from mam_events.log.combat_log import CombatLog
from mam_events.state import Weapon

SWORD = Weapon("sword", name="Sword", power=3, attack=1)
PARTY = (
    Join("ana", name="Ana", side="heroes", hp=6, weapon=(SWORD,)),
    Join("bram", name="Bram", side="heroes", hp=6),
    Join("wolf", name="Wolf", side="pack", hp=6),
    Join("fox", name="Fox", side="pack", hp=6),
)
HIT = 9
"""The ruling by which the Wolf goes down."""


def raid(log: CombatLog, encounter: str = "fight", *, hidden: str = "") -> None:
    """Play three rounds, in which the Wolf has no turn; only the game master sees the combatant named `hidden`."""
    party = [replace(join, visibility="gm") if join.combatant == hidden else join for join in PARTY]
    commands: list[Command] = [
        *(Open(title="The raid"), *party, Initiative(first="ana", reason="she saw them first")),
        *(BeginTurn("ana"), Attack("ana", "wolf", "sword", power=6), Resolve(8, attack_die=6, defense_die=1)),
        EndTurn("ana"),
    ]
    for name in ("bram", "fox", *("ana", "bram", "fox") * 2):
        commands += (BeginTurn(name), EndTurn(name))
    log.execute_all(encounter, commands, by="Ben")
