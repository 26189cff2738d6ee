"""Opening, joining, house rules, closing."""

TEXTS: dict[str, str] = {
    "already_open": "This encounter has already been opened.",
    "bad_target/5": "Exchange {action} has no target who could be hurt.",
    "bad_target/6": "{found} cannot be their own mount.",
    "no_encounter/2": "This encounter has not been opened.",
    "nothing_to_change": "Name an option and how it is read from now on.",
    "out_of_turn": "{turn} is not in the turn order.",
    "overloaded": "The {weapon} cannot be loaded with {loaded}: it holds {capacity_weapon} (its shots).",
    "reason_missing/2": "Changing the rules takes a reason.",
}
