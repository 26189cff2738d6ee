"""Riding and vehicles."""

TEXTS: dict[str, str] = {
    "already_mounted": "{combatant} already rides {combatant_status_mount}; dismount first.",
    "bad_target/in_vehicle": "{target} sits in {vehicle} and cannot be rammed with it.",
    "charge_taken": "{combatant}'s rider has used its speed for a charge instead of its attack, until its next turn.",
    "held_back": "{combatant} is held back in this round, or until it is attacked.",
    "mounted": "{combatant} rides {combatant_status_mount}, and {deed} is done on foot: dismount first; the mount moves in a turn of its own.",
    "no_driver": "Nobody drives {combatant}; somebody must get in first (mount).",
    "no_roll_owed": "{rider} owes no riding roll: one is owed when a trained animal has attacked or defended itself.",
    "not_mounted": "{rider} rides nobody.",
    "not_the_driver": "{who} does not sit in {what}; get in first (mount).",
    "nothing_to_restrain": "{animal} neither fights nor runs by itself.",
    "running": "{combatant} tries to run in this round, and can only move.",
    "will_not_fight": "{combatant} is not trained to fight, and does not while somebody rides it.",
    "will_not_fight/vehicle": "{combatant} is a vehicle and does not fight by itself; its driver may ram with it (ram).",
}
