"""What every operation of the vectors is in a fight: a table from its name to a function, a module for each section.

An adapter says what the rules' code made of a vector's input; it knows no rule. It plays the operation with orders
where there are such orders, and else calls the function that the judges call.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from mam_events.errors import Refused
from mam_events.rulebook import rulebook
from mam_events.rules.ruleset import Ruleset
from tests.rules.scene import Case, Values

Adapter = Callable[[Case], dict[str, Any]]

# Until the speed edition has a preset of its own, its column of the option index lies over that of the pools
# edition, for the options there are; where the index has "–" the pools reading stays, without effect on a vector.
SPEED = {
    "combat_die": "d20",
    "half_success": "never",
    "automatic_success_in_opposed_rolls": "attacker_only",
    "defense_resolution": "fixed_difficulty",
    "initiative_method": "circumstance_then_dice",
    "reach_tie": "circumstance",
    "stun_recovery_timing": "turn_end",
    "interference_roll": "versus_fixed_difficulty",
    "rest_roll_difficulty": "ten_plus_opposition",
}
EDITIONS: dict[str, dict[str, str]] = {"pools": {}, "action-page": {}, "speed": SPEED, "gameplay": SPEED}


def ruleset_of(vector: Values) -> Ruleset:
    """The rules a vector is judged under: the preset of its edition, and every option it names."""
    return rulebook().ruleset("mam_pools", EDITIONS[vector["edition"]] | vector.get("options", {}))


def play(vector: Values) -> dict[str, Any]:
    """What comes of a vector: `accepted` with its values, or not accepted with the `reason`."""
    adapter = ADAPTERS[vector["do"]["op"]]
    case = Case(ruleset_of(vector), vector.get("given", {}), vector["do"])
    try:
        return {"accepted": True} | adapter(case)
    except Refused as no:
        return {"accepted": False, "reason": no.code, "sentence": no.sentence}


ADAPTERS: dict[str, Adapter] = {}
for _module in iter_modules(__path__):
    ADAPTERS |= import_module(f"{__name__}.{_module.name}").ADAPTERS
