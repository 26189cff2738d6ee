"""Codes of refusals by which a ruling stays void though a correction keeps turns, with the reason why.

The list is the one of docs/log.md, "Rulings that stay void".
"""

from __future__ import annotations

NOBODY = "It names somebody whose joining was struck."
DOWN = "Whoever acts is down or dead now, and has no turn."
NO_TURN = "Its turn is gone: it was struck alone, whoever had it is down, or initiative itself was struck."
NO_EXCHANGE = "It answers an attack or an action that is gone, or that comes out otherwise."
NO_POINTS = "The points that it takes are not there any more."
NOT_SO = "Whoever acts does not ride, hold, carry or prepare what it takes any more, or does already."

VOID_CODES = {
    "unknown_combatant": NOBODY,
    "incapacitated": DOWN,
    "out_of_fight": DOWN,
    "bad_target": DOWN,
    "turn_lost": DOWN,
    "turn_had": DOWN,
    "out_of_turn": NO_TURN,
    "has_not_waited": NO_TURN,
    "no_actions_left": NO_TURN,
    "must_skip": NO_TURN,
    "too_late": NO_TURN,
    "no_such_exchange": NO_EXCHANGE,
    "window_not_open": NO_EXCHANGE,
    "unknown_action": NO_EXCHANGE,
    "came_out_otherwise": NO_EXCHANGE,
    "interruption_failed": NO_EXCHANGE,
    "outcome_missing": NO_EXCHANGE,
    "not_enough_ready": NO_POINTS,
    "exceeds_maximum": NO_POINTS,
    "below_required_amount": NO_POINTS,
    "turn_over": NO_POINTS,
    "not_healthy": NOT_SO,
    "not_quick": NOT_SO,
    "one_action": NOT_SO,
    "combo_over": NOT_SO,
    "combo_too_long": NOT_SO,
    "grappling": NOT_SO,
    "held_back": NOT_SO,
    "no_related_skill": NOT_SO,
    "not_prepared": NOT_SO,
    "weapon_not_in_hand": NOT_SO,
    "unknown_weapon": NOT_SO,
    "unknown_item": NOT_SO,
    "unknown_grapple": NOT_SO,
    "bow_drawn": NOT_SO,
    "bow_not_drawn": NOT_SO,
    "wrong_position": NOT_SO,
    "not_mounted": NOT_SO,
    "mounted": NOT_SO,
    "already_mounted": NOT_SO,
    "no_roll_owed": NOT_SO,
    "already_tried": NOT_SO,
}
"""Each code with its reason; one reason serves several codes."""
