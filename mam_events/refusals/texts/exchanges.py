"""Reactions, interference, the dice of an exchange."""

TEXTS: dict[str, str] = {
    "already_answered": "Exchange {action} has already been answered, so it must be resolved.",
    "already_answered/passed": "{combatant} lets it come already.",
    "bad_target/not_attacker": "A counterattack strikes the attacker, {exchange_root_combatant}, and nobody else.",
    "bad_target/own_action": "{combatant} cannot interfere with their own action.",
    "combo_late": "{combatant}'s combo has begun; what is left of it need not be done.",
    "exceeds_maximum/raised_defense": "The attack used {root} points, so at most {room} more may go into defense against it.",
    "missile_weapon": "Nobody tackles with the {weapon}: to shoot at whoever acts, interfere with it.",
    "mixed_interference": "An interfering attack takes power and modifier; points and bonus are for other interference.",
    "mixed_interference/no_weapon": "Power, modifier and distance belong to an interfering attack: name its weapon.",
    "not_a_vehicle": "{vehicle} is not a vehicle, and only vehicles ram; an animal attacks by itself.",
    "not_countered/another": "Only whoever was interrupted by a counterattack may change a declared action; exchange {action} of {exchange_root_actor} must be resolved.",
    "not_countered/combo": "No counterattack came before {combatant}'s combo, so it stays as declared.",
    "not_in_edition/prepared_first": "A counterattack must be prepared under these rules, in a turn of its own (prepare-counterattack).",
}
