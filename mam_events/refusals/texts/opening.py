"""Opening, joining, house rules, closing."""

TEXTS: dict[str, str] = {
    "already_open": "This encounter has already been opened.",
    "bad_target/no_target": "Exchange {action} has no target who could be hurt.",
    "bad_target/own_mount": "{who} cannot be their own mount.",
    "duplicate_item": 'Two things are called "{thing}".',
    "idle_field": "The {weapon} has a {field}, which counts nothing for the kind {kind}: give it the kind {kinds:or}, or leave its {field} out.",
    "not_enough_in_pool/to_move": "{combatant} has {held} points in {pool}, not {points}.",
    "not_in_edition/elsewhere": "There is no {command} under {preset}, only under {having:each or}.",
    "nothing_to_change": "Name an option and how it is read from now on.",
    "number_as_id": "{number} is a number and names nothing: a thing begins with its name, and numbers stand behind theirs.",
    "out_of_turn/not_in_order": "{turn} is not in the turn order.",
    "overloaded": "The {weapon} cannot be loaded with {loaded}: it holds {capacity} (its shots).",
    "reason_missing/rules": "Changing the rules takes a reason.",
    "seen_by_all/closing": "A fight is closed for everybody: close it where all may know of it.",
    "seen_by_all/rules": "The rules are the same for all, who reckon with them: change them where all may know of it.",
    "unknown_preset": 'There is no preset "{wrong}"; {near}',
    "unknown_speed": "There is no speed {speed}; the speeds are 1/4 (0.25), 1/2 (0.5), 1, 2 and 3.",
}
