"""The operations of the vectors: a table from name to function, with a module for each section.

An adapter says what the rules made of a vector's input; it knows no rule. It plays the operation with orders, and reads
the answer from the events and the state they leave. Operations that the same fight shows share an adapter.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from mam_events.decider.engine import Ruleset
from mam_events.errors import BadInput, Refused
from mam_events.rules.rulebook import rulebook
from tests.rules.scene import Answer, Case, Values

Adapter = Callable[[Case], Answer]

PRESETS = {
    "pools": "mam_pools",
    "action-page": "mam_pools",
    "speed": "mam_speed",
    "gameplay": "mam_speed",
    "ron-d6": "ron_d6",
}


def ruleset_of(vector: Values) -> Ruleset:
    """Return the rules of a vector: the preset of its edition with the options that it names."""
    preset = PRESETS[vector["edition"]]
    # A vector of the other edition may name an option that this edition doesn't have.
    known = rulebook().defaults(preset)
    return rulebook().ruleset(preset, {k: v for k, v in vector.get("options", {}).items() if k in known})


def play(vector: Values) -> Answer:
    """Return the answer to a vector: its values if it is accepted, else the `reason` and the sentence."""
    adapter = ADAPTERS[vector["do"]["op"]]
    case = Case(ruleset_of(vector), vector.get("given", {}), vector["do"])
    try:
        return {"accepted": True} | adapter(case)
    except (Refused, BadInput) as error:
        return {"accepted": False, "reason": error.code, "sentence": error.sentence}


ADAPTERS: dict[str, Adapter] = {}
for _module in iter_modules(__path__):
    ADAPTERS |= import_module(f"{__name__}.{_module.name}").ADAPTERS
