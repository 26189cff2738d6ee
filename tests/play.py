"""Random legal play: commands drawn from the templates that `legal_commands` gives."""

from __future__ import annotations

from random import Random
from typing import Any

from mam_events.commands import COMMANDS, Adjust, Command, Join, PoolMove
from mam_events.encounter.decide import legal_commands
from mam_events.encounter.templates import Field, Template
from mam_events.rules.ruleset import Ruleset
from mam_events.state import POOLS, Encounter, Item, Weapon

PLAYED = (
    "begin-turn",
    "ready",
    "attack",
    "defend",
    "parry",
    "counterattack",
    "interfere",
    "resolve",
    "end-turn",
    "act",
)
RARE = ("move", "ready-weapon", "drop-item", "pick-up-item", "release", "initiative", "check", "contest", "heal")
PARTY = (
    Join("ana", hp=8, side="heroes", weapons=(Weapon("sword", power=3, attack_modifier=2, defense_modifier=1),)),
    Join("bo", hp=5, side="heroes", absorption=1, equipment=(Item("pack", encumbrance=2),)),
    Join("wolf", hp=6, side="foes", weapons=(Weapon("teeth", power=4, sharpness=-1),)),
)


def random_command(state: Encounter, ruleset: Ruleset, rng: Random) -> Command | None:
    """A command that lies in one of the templates, or None where nothing but the game master's word is left."""
    templates = [
        template
        for template in legal_commands(state, ruleset)
        if isinstance(template, Template) and template.do in (*PLAYED, *RARE)
    ]
    common = [template for template in templates if template.do in PLAYED]
    if not templates:
        return None
    chosen = rng.choice(common if common and rng.random() < 0.85 else templates)
    return from_template(chosen, rng)


def from_template(template: Template, rng: Random) -> Command:
    """A command in that template; sums are met by taking points away where they are too many."""
    values: dict[str, Any] = {}
    for field in template.fields:
        value = value_of(template, field, rng)
        if value is not None:
            values[field.name] = value
    for total in template.sums:
        while sum(values[name] for name in total.names) > total.high:
            name = rng.choice([name for name in total.names if values[name] > 0])
            values[name] -= 1
        lows = {field.name: field for field in template.fields}
        while sum(values[name] for name in total.names) < total.low:
            name = rng.choice([n for n in total.names if values[n] < (lows[n].high or 0)])
            values[name] += 1
    return COMMANDS[template.do](**values)


def value_of(template: Template, field: Field, rng: Random) -> Any:
    """A value for one field; None leaves it out."""
    if field.choices is not None and field.keys is not None:
        return {key: rng.choice(field.choices) for key in field.keys if rng.random() < 0.5}
    if field.choices is not None:
        if template.do == "initiative":
            return None
        return rng.choice(field.choices)
    if field.free:
        return "something" if field.name == "what" else None
    low = field.low if field.low is not None else -2
    high = field.high if field.high is not None else 3
    return rng.randint(low, max(low, high))


def random_adjustment(state: Encounter, rng: Random) -> Adjust:
    """The game master moves a point, where there is one."""
    combatant = rng.choice(list(state.combatants.values()))
    filled = [pool for pool in POOLS if getattr(combatant.pools, pool)]
    move = PoolMove(combatant.id, rng.choice(filled), rng.choice(POOLS), 1)  # type: ignore[arg-type]  # pools by name
    return Adjust(reason="so it was", moves=(move,))
