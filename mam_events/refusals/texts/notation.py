"""Orders as lines."""

TEXTS: dict[str, str] = {
    "below_required_amount/2": "{who} has no point that could become ready now.",
    "not_countered": "Nothing has been declared that could be changed.",
    "not_yours": "Whether dice are thrown or drawn is the game master's to say.",
}
