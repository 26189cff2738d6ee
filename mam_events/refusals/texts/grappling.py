"""Holds and manipulation."""

TEXTS: dict[str, str] = {
    "already_maintained": "{combatant} has already kept that hold up this round. Keep it up again next round.",
    "bad_target/thrown_body": "A thrown body cannot strike itself. Name somebody other than {thrown}.",
    "idle_item": "Only a disarm names an item. Leave the item out.",
    "idle_points": "Chokes, wrenches and missiles manipulate by attack power. Give power instead of points.",
    "idle_power": "This manipulation uses size and points, not power. Give points instead of power.",
    "idle_throw": "Only a throw has a surface, a body to strike and a move on the way. Make it a throw (`follow_up=throw`).",
    "item_missing": "Say which weapon {target} is to lose. {target} has in hand: {hands:,}.",
    "item_missing/nothing": "{target} has no weapon in hand that could be taken.",
    "kept_by_itself": "This hold goes on by itself while its points stay in other used. It needs no order.",
    "missile_weapon/follow_up": "The {weapon} cannot {follow_up:none=do that|disarm=disarm|hold=hold|choke=choke|wrench=wrench|throw=throw}. A missile only manipulates or disarms. One made to hold, like a net, can also hold (`holds`).",
    "no_escape": "Nobody can wriggle out of a hold under these rules. Only the game master ends it (release).",
    "no_escape/interference": "Nobody can wriggle out of a hold under these rules. To get free, interfere with an action of the holder and stop that action.",
    "not_held": "{who} is not in that hold. {who} is held by {holders:,}.",
    "not_held/by_nobody": "{who} is not in that hold: nobody holds {who}.",
    "out_of_range/flight": "{thrower} can throw {target} at most {reach}, not {metres}.",
    "unknown_grapple": '{who} has no hold "{wrong}". {near}',
    "weapon_attached_to_body": "{target}'s {weapon} is a part of the body and cannot be taken.",
}
