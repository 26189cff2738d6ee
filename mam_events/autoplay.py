"""A policy for fights that nobody plays: it chooses among the legal commands."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING, Any

from mam_events.commands import COMMANDS, Command
from mam_events.decider.checks import is_allowed
from mam_events.decider.offers import Blocked, Field, Template

if TYPE_CHECKING:
    from mam_events.decider.engine import Ruleset
    from mam_events.state import Encounter

POLICY_SENTENCE = (
    "each attacked combatant defends, and each combatant with the turn readies points and attacks an able combatant of "
    "another side; points, weapons and targets are random among what is legal"
)
"""The policy in words."""
POLICY_FIELDS = {
    "defend": ("combatant", "exchange", "points"),
    "resolve": ("exchange",),
    "initiative": (),
    "begin-turn": ("combatant",),
    "ready": ("combatant", "defense", "other_used"),
    "attack": ("attacker", "target", "weapon", "power", "modifier"),
    "end-turn": ("combatant",),
}
"""The commands of the policy, in order of preference, with the fields that it sets."""
MAX_TRIES = 20


def choose_command(
    state: Encounter, ruleset: Ruleset, legal: Iterable[Template | Blocked], random: Random
) -> Command | None:
    """Choose one of the legal commands in that state; return None if the fight is over or the policy finds none."""
    able = {one.id: one.side for one in state.combatants.values() if one.condition == "able"}
    if len(set(able.values())) < 2 and not state.exchange:  # noqa: PLR2004 - two sides make a fight
        return None
    offered = [template for template in legal if isinstance(template, Template) and template.do in POLICY_FIELDS]
    for do in POLICY_FIELDS:
        templates = [template for template in offered if template.do == do]
        for _ in range(MAX_TRIES if templates else 0):
            command = _filled(random.choice(templates), able, random)
            # A template lists the values of each field, but rarely which values go together.
            if command and is_allowed(ruleset.edition.mechanics[type(command)].check, state, ruleset, command):
                return command
    return None


def _filled(template: Template, able: dict[str, str], random: Random) -> Command | None:
    """Return a command for that template, or None if it has no able target on another side."""
    values: dict[str, Any] = {}
    for field in template.fields:
        if field.name not in POLICY_FIELDS[template.do]:
            continue
        choices = _choices(field)
        if field.name == "target":
            own = able.get(values["attacker"])
            choices = [name for name in choices if name in able and able[name] != own]
        if not choices:
            return None
        values[field.name] = random.choice(choices)
    return COMMANDS[template.do](**balance_sums(template, values, random))


def _choices(field: Field) -> list[Any]:
    """Return the values of a field: those listed, or all from its lowest to its highest."""
    if field.choices is not None:
        return list(field.choices)
    low = field.low or 0
    return list(range(low, max(low, field.high if field.high is not None else low) + 1))


def balance_sums(template: Template, values: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return the values, with points added or removed at random until the template's sums are met."""
    fields = {field.name: field for field in template.fields}
    for total in template.sums:
        names = [name for name in total.names if name in values]
        while names and sum(values[name] for name in names) > total.high:
            name = random.choice([name for name in names if values[name] > 0])
            values[name] -= 1
        while names and sum(values[name] for name in names) < total.low:
            name = random.choice([name for name in names if values[name] < (fields[name].high or 0)])
            values[name] += 1
    return values
