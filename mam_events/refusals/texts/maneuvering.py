"""Movement, positions, things in hand."""

TEXTS: dict[str, str] = {
    "already_in_hand": "{combatant} has the {weapon} in hand.",
    "dominated": "{partner} is dominant over {combatant}, and chooses how they grapple for as long as it is.",
    "exceeds_maximum/getting_down": "Getting down costs nothing under these rules; leave the points out.",
    "exceeds_maximum/stop_aiming": "To stop aiming takes nothing; leave the points out.",
    "grappling": "{combatant} and {other} grapple with each other, and {deed} takes being free of that.",
    "not_grappling": "Neither {combatant} nor {partner} holds the other; without a hold only the game master places them.",
    "not_in_edition/terrain": "The ground does not matter under {preset}; leave terrain and counts out.",
    "not_missile": "The {weapon} strikes hand to hand; only what is shot or thrown is aimed.",
    "not_quick": "Only a quick attack can be combined with evading; any other leaves no room for it.",
    "not_the_holder": "{partner} holds {combatant}, not the other way round; only the holder may be dominant.",
    "on_the_ground": "{combatant} is {position}, and {deed} is made standing.",
    "once_per_turn": "{combatant} has already evaded this turn; it can be done once a turn, and lasts until the end of the next.",
    "partner_missing": "{combatant}: a position in a grapple needs a partner, somebody else; no other takes one.",
    "two_dominant": "Only one of {name} and {other} can be dominant: place the other as well.",
    "under_armor": "{combatant} wears the {over} over it: that must come off first.",
    "unknown_weapon/dropped": "{combatant} has dropped the {weapon}: it must be picked up first.",
    "wrong_level": "{lying} is on the ground and {standing} is not; {lying} must stand up first, or {standing} get down (drop) or be thrown.",
}
