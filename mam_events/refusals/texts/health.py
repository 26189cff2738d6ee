"""Hit points, wounds, armor, rest."""

TEXTS: dict[str, str] = {
    "exceeds_maximum/3": "At most {most} days of rest count for one attempt, not {rest_days}.",
    "factor_above_five": "An adverse factor opposes with {most} at most, not with {max_opposition}; several add up.",
    "hit_points_twice": "Give either the hit points (hp) or the athletic modifiers they come from, not both.",
    "idle_die": "Both sides roll the die that combat rolls use (combat_die), so no other kind can be chosen.",
    "idle_die/2": "The opposition does not roll here: it is a difficulty.",
    "not_enough_ready": "{wanted} points would be spent and {ready} are ready; at most {ready} can be.",
    "not_healthy": "{combatant} is not healthy, and these rules count a single quick action as a combo.",
    "pools_do_not_sum": "{combatant}'s pools add up to {total}, but must add up to the {hp} hit points.",
    "reserve_short": "{combatant}'s other used is {short} short of what is carried and held: drop something or let go of a hold first.",
}
