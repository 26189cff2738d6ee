"""Hit points, wounds, armor, rest."""

TEXTS: dict[str, str] = {
    "circular_layers": "These pieces of armor overlap in a circle: {pieces:,}. Make one of them the outermost, which lies under nothing.",
    "circular_layers/itself": '"{piece}" cannot lie under itself. For the outermost piece leave out `under`.',
    "exceeds_maximum/days_of_rest": "At most {most} days of rest count for one attempt, not {rest_days}.",
    "factor_above_five": "One adverse factor adds at most {most} to the opposition, not {max_opposition}. Several factors add up.",
    "hit_points_missing": "{who} needs hit points. Give them (hp), or the athletic modifiers they are computed from.",
    "hit_points_missing/in_name": '{who} needs hit points: "{number}" is part of the name there. Give them (hp), or the athletic modifiers they are computed from.',
    "hit_points_twice": "Give either the hit points (hp) or the athletic modifiers they are computed from, not both.",
    "idle_armor/absorbs_nothing": "Without absorption the {piece} takes nothing off a hit. Give cover and absorption, such as cover {cover} and absorption {absorption}.",
    "idle_armor/covers_nothing": "Without cover the {piece} never blocks. Give cover and absorption, such as cover {cover} and absorption {absorption}.",
    "idle_die": "Both sides roll the combat die of the house rules (combat_die). No other kind can be chosen.",
    "idle_die/difficulty": "This is rolled against a fixed difficulty. Leave the opponent's die out.",
    "not_enough_ready/to_spend": "{wanted:point} cannot be spent: only {ready:point is/points are} ready.",
    "not_healthy/single_quick": "{combatant} is not healthy, and under these rules even a single quick action counts as a combo. Choose an action that is not quick.",
    "not_healthy/strenuous": "{combatant} is hurt (stun and damage {hurt}), and {deed} is strenuous. Quick attacks and manipulations are possible.",
    "not_healthy/strenuous_by_toughness": "{combatant} is hurt (stun and damage {hurt}, toughness {toughness}), and {deed} is strenuous. Quick attacks and manipulations are possible.",
    "pools_do_not_sum": "{combatant}'s pools add up to {total}, but must add up to the {hp} hit points.",
    "reserve_short": "{combatant} has {short:point} too few in other used for what they carry and hold. Drop something or let go of a hold first.",
    "unknown_armor": '"{piece}" lies under "{wrong}", which is not a piece of this armor. {near}',
    "unknown_pool": 'There is no pool "{pool}". The five are {pools:,}.',
}
