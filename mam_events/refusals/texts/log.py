"""The log, its fights and its input."""

TEXTS: dict[str, str] = {
    "encounter_exists/branched": 'There is already an encounter "{encounter}". Give the branch another id.',
    "encounter_exists/opened": 'There is already an encounter "{encounter}". Give this one another id.',
    "encounter_exists/played": 'There is already an encounter "{encounter}". Play this under another id.',
    "key_reused": 'The command id "{command_id}" already belongs to ruling {number}, which does something else. Use another id.',
    "name_taken/corrected": "{other:both} and {one:both} would both be in this fight with the same name. Give one of them another name first.",
    "name_taken/new": "{other:both} is already in this fight, and two combatants cannot share a name. {free}",
    "needs_bookkeeping/file": "Ruling {number} counts only because of correction {correction}, and a fight file cannot express that. Export the fight as a score, as it was played.",
    "needs_bookkeeping/new_seed": "Ruling {number} counts only because of correction {correction}, and no order can express that. The fight as it was played cannot be written either: ruling {unsaid} draws dice from a new seed. Export the log itself.",
    "needs_bookkeeping/proposal": "Ruling {number} counts only because of correction {correction}, and no order can express that. The fight as it was played cannot be written either: ruling {unsaid} proposes an order. Export the log itself.",
    "needs_bookkeeping/score": "Ruling {number} counts only because of correction {correction}, and no order can express that. Export the log itself.",
    "no_draw/behind_a_die": "Order {order} draws a die. Send the orders after it once that die has been drawn.",
    "no_draw/behind_a_ruling": "Nothing can follow order {order} in one list. Send it alone first, and the other orders after it.",
    "not_as_played/drawn": "This fight cannot be exported as played: ruling {number} drew {die}, and playing it again would draw another face. Export the fight as it stands, or the log itself.",
    "not_as_played/drawn_late": "Played again, ruling {number} would come out differently, because a correction drew {die}. Export the fight as it stands, or the log itself.",
    "not_as_played/new_seed": "Ruling {number} draws the dice from a new seed, and no line can express that. Export the fight as it stands.",
    "not_as_played/otherwise": "Played again, ruling {number} would come out differently. Export the fight as it stands, or the log itself.",
    "not_as_played/proposal": "Ruling {number} proposes an order, and no line can express that. Export the fight as it stands.",
    "not_as_played/refused": "Played again, the lines of this fight are refused: {reason}. Export the fight as it stands, or the log itself.",
}
