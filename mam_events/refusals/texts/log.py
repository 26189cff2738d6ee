"""The log, its fights and its input."""

TEXTS: dict[str, str] = {
    "encounter_exists/branched": 'There is already an encounter "{encounter}"; give the branch another id.',
    "encounter_exists/opened": 'There is already an encounter "{encounter}"; give this one another id.',
    "encounter_exists/played": 'There is already an encounter "{encounter}"; play this under another id.',
    "key_reused": 'The command id "{command_id}" was given to ruling {number}, for something else.',
    "name_taken/corrected": "{other:both} and {one:both} would both be in this fight, and two of one name cannot be told apart: give one of them another name first.",
    "name_taken/new": "{other:both} is in this fight, and two of one name cannot be told apart. {free}",
    "needs_bookkeeping/file": "Ruling {number} counts only by bookkeeping of correction {correction}, which a fight file can't say. Export it as a score as it was played.",
    "needs_bookkeeping/new_seed": "Ruling {number} counts only by bookkeeping of correction {correction}, which no order says. Ruling {unsaid} draws the dice from a new seed, so it can't be written as it was played either. Export the log itself.",
    "needs_bookkeeping/proposal": "Ruling {number} counts only by bookkeeping of correction {correction}, which no order says. Ruling {unsaid} proposes an order, so it can't be written as it was played either. Export the log itself.",
    "needs_bookkeeping/score": "Ruling {number} counts only by bookkeeping of correction {correction}, which no order says. Export the log itself.",
    "no_draw/behind_a_die": "Order {order} draws a die: what stands behind it is sent once that has fallen.",
    "no_draw/behind_a_ruling": "Order {order} is a ruling: what stands behind it is sent once that has been given.",
    "not_as_played/drawn": "Ruling {number} would draw {die} anew; export the fight as it stands, or the log itself.",
    "not_as_played/drawn_late": "Ruling {number} would come out otherwise: a correction drew {die}; export the fight as it stands, or the log itself.",
    "not_as_played/new_seed": "Ruling {number} draws the dice from a new seed, which no line says: write it as it stands.",
    "not_as_played/otherwise": "Ruling {number} would come out otherwise; export the fight as it stands, or the log itself.",
    "not_as_played/proposal": "Ruling {number} proposes an order, which no line says: write it as it stands.",
    "not_as_played/refused": "Played again, its lines are refused: {reason}; export the fight as it stands, or the log itself.",
}
