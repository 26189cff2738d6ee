"""The log, its fights and its input."""

TEXTS: dict[str, str] = {
    "encounter_exists/branched": 'There is already an encounter "{encounter}". Give the branch another id.',
    "encounter_exists/opened": 'There is already an encounter "{encounter}". Give this one another id.',
    "encounter_exists/played": 'There is already an encounter "{encounter}". Play this under another id.',
    "key_reused": 'The command id "{command_id}" already belongs to ruling {number}, which does something else. Use another id.',
    "name_taken/corrected": "{other:both} and {one:both} would both be in this fight with the same name. Give one of them another name first.",
    "name_taken/new": "{other:both} is already in this fight, and two combatants cannot share a name. {free}",
    "needs_bookkeeping/file": "Ruling {number} counts only because of correction {correction}, which a fight file can't say. Export it as a score as it was played.",
    "needs_bookkeeping/new_seed": "Ruling {number} counts only because of correction {correction}, which no order can say. Ruling {unsaid} draws the dice from a new seed, so the fight can't be written as it was played either. Export the log itself.",
    "needs_bookkeeping/proposal": "Ruling {number} counts only because of correction {correction}, which no order can say. Ruling {unsaid} proposes an order, so the fight can't be written as it was played either. Export the log itself.",
    "needs_bookkeeping/score": "Ruling {number} counts only because of correction {correction}, which no order can say. Export the log itself.",
    "no_draw/behind_a_die": "Order {order} draws a die. Send the rest once that die has fallen.",
    "no_draw/behind_a_ruling": "Nothing can follow order {order} in one list. Send it alone, then the rest.",
    "not_as_played/drawn": "Ruling {number} drew {die}, and a replay would draw a new one. Export the fight as it stands, or the log itself.",
    "not_as_played/drawn_late": "Played again, ruling {number} would come out differently, because a correction drew {die}. Export the fight as it stands, or the log itself.",
    "not_as_played/new_seed": "Ruling {number} draws the dice from a new seed, which no line can say. Export the fight as it stands.",
    "not_as_played/otherwise": "Played again, ruling {number} would come out differently. Export the fight as it stands, or the log itself.",
    "not_as_played/proposal": "Ruling {number} proposes an order, which no line can say. Export the fight as it stands.",
    "not_as_played/refused": "Played again, the lines of this fight are refused: {reason}. Export the fight as it stands, or the log itself.",
}
