"""Orders as lines."""

TEXTS: dict[str, str] = {
    "bad_target/nobody_concerned": "There is nobody of {those} whom {verb} could concern now.",
    "bad_target/left_already": "{who} {how:dead=is dead|out=has left the fight} already.",
    "below_required_amount/in_vain": "Say how many points: without any, this can do nothing however it is rolled.",
    "below_required_amount/none_ready": "{who} has no point that could become ready now.",
    "no_such_exchange/nothing_open": "Nobody is being attacked and no other action is open, so there is nothing to {deed}.",
    "not_countered": "Nothing has been declared that could be changed.",
    "not_enough_in_pool/nothing_to_heal": "{who} has neither damage nor stun to heal.",
    "not_enough_in_pool/nothing_to_lose": "{who} has no points left to lose.",
    "not_open": 'The encounter "{encounter}" is not open.',
    "not_yours/by_or_id": "{field}= is the game master's to say: who you are is known.",
    "not_yours/dice": "Whether dice are thrown or drawn is the game master's to say.",
    "not_yours/own_last": "You may take back your own newest line (u); what is older is the game master's to correct: dispute it.",
    "out_of_turn/due_later": "{upcoming} comes before {actor} here. To let that turn pass first: after {after} {name}.",
    "out_of_turn/nobody_next": "Nobody is next.",
    "out_of_turn/none_to_end": "No turn is running, so a full stop ends none.",
    "out_of_turn/none_to_end_before": "No turn is running, so a full stop ends none: n begins {upcoming}'s.",
    "out_of_turn/not_named": "This line is {who}'s, but the turn is {other}'s. Put the name before it: {mine} {order}, or {name} {order}.",
    "out_of_turn/other_next": "{upcoming} is next, not {who}: n alone begins that turn.",
    "out_of_turn/round_next": "Nobody is next; ro begins a round.",
}
