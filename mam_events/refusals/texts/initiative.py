"""The order of turns."""

TEXTS: dict[str, str] = {
    "already_rolled": "{combatant} has rolled {total} for this round; a Character Point would add a die to that.",
    "dice_idle": "{who} does not roll again that often: leave out the extra dice.",
    "dice_idle/2": "Ties that no factor breaks go by the roster at this table; nobody rolls again.",
    "dice_tied": "{roller} ties again: throw {code} once more, and give those faces too.",
    "group_of_others": "{combatant} is a player character and rolls alone; groups are for the game master's characters (npc, boss_npc).",
    "initiative_settled": "Initiative has been settled for the whole fight; it can only be taken back.",
    "initiative_settled/2": "The order of this round was settled in another way; initiative is rolled from the next one on.",
    "nobody_named": "Say who rolls.",
    "order_idle": "Those who share a seat take their turns in the order in which they joined; leave their order out.",
    "order_idle/2": "The order goes by rolled totals at this table; leave {field:surprise=surprise|circumstance=circumstance|tie_die=tie_die|same_seat=same_seat} out.",
    "out_of_fight": "{combatant} is {condition:able=able|incapacitated=incapacitated|dead=dead|out=out} and has no place in the order.",
    "reason_missing": "Overriding initiative takes a reason.",
    "roll_initiative": "Initiative is rolled at this table; without a roll the game master may only say who is first, with a reason.",
    "round_not_begun": "A round must begin first.",
    "turns_begun": "The first turn of this round has begun, and initiative is settled by then.",
}
