"""Holds and manipulation."""

TEXTS: dict[str, str] = {
    "already_maintained": "{combatant} has already kept that hold up this round; it must be kept up again in the next.",
    "bad_target/thrown_body": "A thrown body cannot strike itself; name somebody other than {thrown}.",
    "idle_item": "Only a disarm names an item; leave it out.",
    "idle_points": "A choke, a wrench and a missile manipulate by their attack power: put the points into power.",
    "idle_power": "This manipulates by size and by the points that manipulate, not by power: put them into points.",
    "idle_throw": "A surface, a body to strike and a move on the way belong to a throw: make it one (follow_up = throw).",
    "item_missing": "Say which weapon {target} is to lose; in hand: {hands:,}.",
    "item_missing/nothing": "Say which weapon {target} is to lose; in hand: nothing that could be taken.",
    "kept_by_itself": "A hold goes on by itself here, as long as its points stay in other used.",
    "missile_weapon/follow_up": "Nobody can {follow_up:none=none|disarm=disarm|hold=hold|choke=choke|wrench=wrench|throw=throw} with the {weapon}: a missile manipulates or disarms, and only one made for it, like a net, holds (holds).",
    "no_escape": "Nobody wriggles out of a hold here: the game master says when a hold ends, with `release`.",
    "no_escape/interference": "Nobody wriggles out of a hold here: only stopping an action of the holder, by interfering with it, sets one free.",
    "not_held": "{who} is not in that hold, but held by {holders:,}.",
    "not_held/by_nobody": "{who} is not in that hold, but held by nobody.",
    "out_of_range/flight": "{thrower} throws {target} {reach} at most, not {metres}.",
    "unknown_grapple": '{who} has no hold "{wrong}"; {near}',
    "weapon_attached_to_body": "{target}'s {weapon} is part of the body and cannot be taken.",
}
