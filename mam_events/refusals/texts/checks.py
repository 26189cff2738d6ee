"""Questions to every order: whose turn it is, with what it is done, on whom."""

TEXTS: dict[str, str] = {
    "awaits_die": "{who} has not thrown yet: they give their die or leave it to be drawn (throw-die), or the game master resolves it without them.",
    "below_required_amount": "Say how many points: this takes one at least.",
    "dice_thrown": "A die of exchange {action} is thrown already, so nothing more is decided in it: it is resolved, or the throw is taken back.",
    "encounter_closed": "This encounter is closed; taking back the closing opens it again.",
    "exceeds_maximum": "A reaction may use no more points than the action that it answers: {cap}, not {points}.",
    "exchange_open": "Exchange {action} must be resolved first.",
    "no_combat": "Neither found the other, so no combat takes place. They may stalk again, or the game master may begin it all the same by settling initiative with a reason.",
    "no_encounter": "This encounter has not been opened.",
    "no_such_exchange": "There is no open exchange {number}: nothing has been declared.",
    "no_such_exchange/2": "Exchange {number} is not open; the open one is {action}.",
    "nobody_joined": "Nobody has joined yet; somebody must join first.",
    "not_yours/2": "What you order may be hidden from other sides at most.",
    "not_yours/3": "A die fell for it, so that only the game master takes it back; dispute it.",
    "not_yours/4": "Disputes and proposals are the game master's to decide.",
}
