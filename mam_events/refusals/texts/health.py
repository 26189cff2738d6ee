"""Hit points, wounds, armor, rest."""

TEXTS: dict[str, str] = {
    "circular_layers": "One of {pieces:each and} must be the outermost, which nothing overlaps.",
    "circular_layers/itself": '"{piece}" cannot overlap itself; leave that out for the outermost piece.',
    "exceeds_maximum/days_of_rest": "At most {most} days of rest count for one attempt, not {rest_days}.",
    "factor_above_five": "An adverse factor opposes with {most} at most, not with {max_opposition}; several add up.",
    "hit_points_missing": "Nothing says what {who} bears: give the hit points (hp), or the athletic modifiers they come from.",
    "hit_points_missing/in_name": 'Nothing says what {who} bears ("{number}" is a part of the name there): give the hit points (hp), or the athletic modifiers they come from.',
    "hit_points_twice": "Give either the hit points (hp) or the athletic modifiers they come from, not both.",
    "idle_armor/absorbs_nothing": "Without absorption the {piece} takes nothing off a hit: give it both, such as cover {cover} and absorption {absorption}.",
    "idle_armor/covers_nothing": "Without cover the {piece} never blocks: give it both, such as cover {cover} and absorption {absorption}.",
    "idle_die": "Both sides roll the die that combat rolls use (combat_die), so no other kind can be chosen.",
    "idle_die/difficulty": "The opposition does not roll here: it is a difficulty.",
    "not_enough_ready/to_spend": "{wanted} points would be spent and {ready} are ready; at most {ready} can be.",
    "not_healthy/single_quick": "{combatant} is not healthy, and these rules count a single quick action as a combo.",
    "not_healthy/strenuous": "{combatant} is hurt (stun and damage {hurt}), and {deed} is strenuous; quick attacks and manipulations are not.",
    "not_healthy/strenuous_by_toughness": "{combatant} is hurt (stun and damage {hurt}, toughness {toughness}), and {deed} is strenuous; quick attacks and manipulations are not.",
    "pools_do_not_sum": "{combatant}'s pools add up to {total}, but must add up to the {hp} hit points.",
    "reserve_short": "{combatant}'s other used is {short} short of what is carried and held: drop something or let go of a hold first.",
    "unknown_armor": '"{piece}" lies under "{wrong}", which is no piece of this armor; {near}',
    "unknown_pool": 'There is no pool "{pool}"; the five are {pools:,}.',
}
