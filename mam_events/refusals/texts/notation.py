"""Orders as lines."""

TEXTS: dict[str, str] = {
    "bad_target/nobody_concerned": 'Nobody in "{those}" has anything to {verb} now.',
    "bad_target/left_already": "{who} {how:dead=is already dead|out=has already left the fight}.",
    "below_required_amount/in_vain": "Say how many points. Without any, this cannot succeed.",
    "below_required_amount/none_ready": "{who} has no points that could become ready now.",
    "no_such_exchange/nothing_open": "No attack or other action is open, so there is nothing to {deed}.",
    "not_countered": "Nothing has been declared that could be changed.",
    "not_enough_in_pool/nothing_to_heal": "{who} has neither damage nor stun to heal.",
    "not_enough_in_pool/nothing_to_lose": "{who} has no points left to lose.",
    "not_open": 'The encounter "{encounter}" is not open. Open it first.',
    "not_yours/by_or_id": "Only the game master gives {field}=. The program knows who you are.",
    "not_yours/dice": "Only the game master says whether dice are thrown or drawn.",
    "not_yours/own_last": "You can undo your own newest line (u). For anything older, dispute it, and the game master corrects it.",
    "out_of_turn/due_later": "{upcoming} comes before {actor} here. To let that turn pass first, type: after {after} {name}.",
    "out_of_turn/nobody_next": "Nobody is left who can take a turn.",
    "out_of_turn/none_to_end": "No turn is running that a full stop could end. Leave the full stop out.",
    "out_of_turn/none_to_end_before": "No turn is running that a full stop could end. Type n to begin {upcoming}'s turn.",
    "out_of_turn/not_named": "It is {other}'s turn, but this line is {who}'s. Put the name first: {mine} {order}, or {name} {order}.",
    "out_of_turn/other_next": "{upcoming} is next, not {who}. Type n alone to begin {upcoming}'s turn.",
    "out_of_turn/init_next": "Initiative must be settled first. Type init.",
    "out_of_turn/round_next": "Nobody is next. Type ro to begin a round.",
}
