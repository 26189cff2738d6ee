"""Bows, loading, throwing."""

TEXTS: dict[str, str] = {
    "already_loaded": "The {weapon} is loaded.",
    "bad_throw/part_of_body": "The {weapon:lower} is part of {thrower} and cannot be thrown.",
    "bow_not_drawn": "{combatant} has not drawn the {weapon}: draw it first (draw-bow), and shoot later.",
    "bow_not_drawn/none": "{combatant} holds no bow drawn.",
    "drawn_by_hand": "The {weapon} has no lever and is drawn like any bow (draw-bow).",
    "not_loaded": "The {weapon} is not loaded.",
    "turn_lost": "{combatant} heaved something unwieldy, which costs this turn.",
    "unwieldy": "The {weapon} is unwieldy and can only be heaved.",
}
