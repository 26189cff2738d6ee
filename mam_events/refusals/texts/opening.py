"""Opening, joining, house rules, closing."""

TEXTS: dict[str, str] = {
    "already_open": "This encounter is already open.",
    "bad_target/no_target": "Action {action} has no target that could be hurt.",
    "bad_target/own_mount": "{who} cannot be both rider and mount.",
    "duplicate_item": 'Two things are called "{thing}". Rename one of them.',
    "idle_field": "The {weapon} has a value for {field}, which does nothing for a weapon of the kind {kind}. Give it the kind {kinds:or}, or leave {field} out.",
    "not_enough_in_pool/to_move": "{combatant} has {held:point} in {pool}, not {points}.",
    "not_in_edition/elsewhere": 'The rules of this fight, {preset}, have no order "{command}". It works only under {having:and}.',
    "nothing_to_change": "Name an option and its new reading.",
    "number_as_id": 'A thing cannot be called "{number}": a name begins with a letter. Write a number after the name it belongs to.',
    "out_of_turn/not_in_order": "{turn} is not in the turn order.",
    "overloaded": "The {weapon} cannot be loaded with {loaded}: it holds {capacity} (its shots).",
    "reason_missing/rules": "To change the rules, give a reason.",
    "seen_by_all/closing": "A fight is closed for everybody, so the closing cannot be hidden.",
    "seen_by_all/rules": "The rules are the same for all, so a change of them cannot be hidden.",
    "unknown_preset": 'There is no preset "{wrong}". {near}',
    "unknown_speed": "There is no speed {speed}. The speeds are 1/4 (0.25), 1/2 (0.5), 1, 2 and 3.",
}
