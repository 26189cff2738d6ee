"""Random legal play: commands drawn from the templates that `legal_commands` gives."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

from mam_events.autoplay import balance_sums
from mam_events.commands import COMMANDS, Adjust, Command, Join, PoolMove, RollInitiative
from mam_events.decider.checks import is_allowed
from mam_events.decider.decide import legal_commands
from mam_events.decider.engine import Ruleset
from mam_events.decider.offers import Field, Template
from mam_events.rules.initiative.by_roll import has_rolled
from mam_events.state import POOLS, Encounter, Item, Weapon

COMMON = (
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
    "round",
    "roll-initiative",
    "declare",
    "perform",
    "interrupt",
    "wait",
    "result",
)
RARE: tuple[str, ...] = (
    "move",
    "ready-weapon",
    "drop-item",
    "pick-up-item",
    "release",
    "initiative",
    "check",
    "contest",
    "heal",
)
RARE += ("move-up", "spend", "roll-related", "roll", "incapacitate", "recover", "skip-turn")
TRIES = 20
CODES = {"perception": "3D+1", "agility": "4D", "search": "2D", "dodge": "6D", "brawling": "7D"}
SWORD = Weapon("sword", power=3, attack=2, defense=1)
PARTY = (
    Join(
        "ana",
        hp=8,
        side="heroes",
        code=CODES,
        weapon=(Weapon("sword", power=3, attack=2, defense=1),),
    ),
    Join("bo", hp=5, side="heroes", code=CODES, absorption=1, item=(Item("pack", encumbrance=2),)),
    Join("wolf", hp=6, side="foes", code={"perception": "2D"}, weapon=(Weapon("teeth", power=4, sharpness=-1),)),
)

PATROL = (
    Join("ana", kind="pc", code=CODES, search_ranks=3, movement=Decimal(8), character_points=9, fate_points=9),
    Join("bo", code=CODES, allotment=2, item=(Item("gun", quick=True, uses=2),), character_points=1),
    Join("rat", code=CODES, group="pack", go_first=True),
    Join("cur", code={"perception": "2D"}, group="pack", quickness_ranks=1, special=True),
)
"""A party for Ron d6."""
FREE_FIELDS: dict[tuple[str, str], Any] = {
    ("modify", "modifier"): -1,
    ("perform", "code"): "7D",
    ("interrupt", "code"): "7D",
    ("perform", "difficulty"): 20,
    ("roll-related", "code"): "7D",
    ("roll-related", "skill"): "stealth",
    ("roll-related", "difficulty"): 20,
    ("roll-related", "primary"): "dodge",
    ("roll", "code"): "7D",
}
"""Values of the free fields."""


def random_command(state: Encounter, ruleset: Ruleset, rng: Random) -> Command | None:
    """Return a command that fits one of the templates, or None if only an adjustment by the game master is left."""
    templates = [
        template
        for template in legal_commands(state, ruleset)
        if isinstance(template, Template) and template.do in (*COMMON, *RARE)
    ]
    usual = [template for template in templates if template.do in COMMON]
    if not templates:
        return None
    for _ in range(TRIES):
        template = rng.choice(usual if usual and rng.random() < 0.85 else templates)
        if template.do == "roll-initiative":
            return RollInitiative(tuple(name for name in state.combatants if not has_rolled(state, ruleset, name)))
        command = from_template(template, rng)
        # A template describes each field alone, and seldom which values fit together.
        if is_allowed(ruleset.edition.mechanics[type(command)].check, state, ruleset, command):
            return command
    return None


def from_template(template: Template, rng: Random) -> Command:
    """Return a command that fits the template; sums that are too high are lowered."""
    values: dict[str, Any] = {}
    for field in template.fields:
        value = value_of(template, field, rng)
        if value is not None:
            values[field.name] = value
    return COMMANDS[template.do](**balance_sums(template, values, rng))


def value_of(template: Template, field: Field, rng: Random) -> Any:
    """Return a value for one field, or None to leave it out."""
    if field.choices is not None and field.keys is not None:
        return {key: rng.choice(field.choices) for key in field.keys if rng.random() < 0.5}
    if field.choices is not None:
        if template.do == "initiative":
            return None
        return rng.choice(field.choices)
    if field.name == "situation":
        # With dice it needs the name of a combatant who rolls.
        return ("+1 higher ground",) if template.do != "resolve" and rng.random() < 0.2 else None
    if field.free:
        value = FREE_FIELDS.get((template.do, field.name), "something" if field.name == "what" else None)
        return Decimal(2) if (template.do, field.name) == ("move", "metres") else value
    low = field.low if field.low is not None else -2
    high = field.high if field.high is not None else 3
    return rng.randint(low, max(low, high))


def random_adjustment(state: Encounter, rng: Random) -> Adjust:
    """Return an adjustment that moves a point, or sets a condition if there is no point to move."""
    combatant = rng.choice(list(state.combatants.values()))
    filled = [pool for pool in POOLS if getattr(combatant.pools, pool)]
    if not filled:
        return Adjust(reason="so it was", condition={combatant.id: rng.choice(("able", "able", "incapacitated"))})
    move = PoolMove(combatant.id, rng.choice(filled), rng.choice(POOLS), 1)  # type: ignore[arg-type]  # pools by name
    return Adjust(reason="so it was", move=(move,))
