"""Examples of allowed orders: a likely one of each template, ready to type, and the values that it may have."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from cli.hints.next_steps_ron_d6 import JOINING, by_training, for_the_point, initiative_roll_line
from cli.orders.edition import toughness_options
from cli.orders.syntax import format_order, order_syntax
from mam_events.commands import COMMANDS
from mam_events.decider.offers import Field, Template
from mam_events.state import Combatant, Encounter
from mam_events.visibility import PUBLIC
from projections.state.pools import spends_points
from projections.visibility.legal_orders import OPEN_ONES
from projections.visibility.redaction import Redactor

_SAID = {
    "act": ("what",),
    "adjust": ("reason",),
    "change-rules": ("house_rules", "reason"),
    "join": ("combatant", "hp"),
    "modify": ("what", "modifier"),
    "roll": ("code",),
    "roll-initiative": ("combatants",),
    "roll-related": ("skill", "difficulty", "primary", "code"),
}
"""Fields that an example includes although any value is allowed, by order."""
_NAMES = (
    "combatant",
    "attacker",
    "target",
    "opponent",
    "weapon",
    "item",
    "thing",
    "grapple",
    "action",
    "exchange",
    "holder",
    "owner",
    "follow_up",
    "after",
    "posture",
)
_FREE = {"house_rules": "OPTION=READING"}
"""Placeholders for fields with any value whose names are not clear enough."""
UNTARGETED_ACTIONS = ("dodge", "parry", "catch")
"""Actions without a target."""
_ARMED = ("attack", "parry", "counterattack")
"""Orders that use a weapon even if they name none."""


def example_of(template: Template, state: Encounter) -> dict[str, Any]:
    """Return one order of the template: the likeliest target, otherwise the first choices, and the fewest points.

    `ready` is an exception: it takes the most points.
    """
    values = {field.name: _first(field, template.do) for field in template.fields}
    # The target of a counterattack is always the attacker.
    if (
        template.do != "counterattack"
        and values.get("action") not in UNTARGETED_ACTIONS
        and (foe := _foe(template, state))
    ):
        values["target"] = foe
    values |= by_training(template, state, values) | for_the_point(template, state, values)
    if template.do == "move" and not values.get("points"):
        # If moving costs no points, give the metres.
        values |= {"points": None, "metres": "METRES"}
    for total in template.sums:
        missing = (total.high if template.do == "ready" else total.low) - sum(values[name] or 0 for name in total.names)
        for name in reversed(total.names):
            most = next(field.high for field in template.fields if field.name == name)
            more = min(missing, missing if most is None else most - values[name])
            values[name] += more
            missing -= more
    return values


def _foe(template: Template, state: Encounter) -> str:
    """Return the likeliest target, or "" if there is none.

    It is the first combatant who is up, and neither mount nor rider of the attacker. Those of another side come before
    those of the own side, visible ones before hidden ones.
    """
    who_acts = state.combatants.get(template.combatant)
    own = who_acts.side if who_acts else ""
    targets = next((field.choices for field in template.fields if field.name == "target" and field.choices), ())
    people = [state.combatants[name] for name in targets if name in state.combatants]
    if state.turn and any(who.id == state.turn.against for who in people):
        return state.turn.against
    able = [who for who in people if who.condition == "able"]
    others = [who for who in able if who_acts is None or not (who is who_acts or _are_on_one_mount(who_acts, who))]
    return next((who.id for who in sorted(others, key=lambda who: (who.side == own, who.visibility != PUBLIC))), "")


def _are_on_one_mount(one: Combatant, other: Combatant) -> bool:
    return one.status.mount == other.id or other.status.mount == one.id


def _first(field: Field, do: str) -> Any:
    if field.keys:
        return defaults(do).get(field.name)
    if field.choices is not None:
        if field.name == "weapon":
            # `body` is always possible, but a better weapon is more likely.
            return next((choice for choice in field.choices if choice != "body"), "body")
        if field.name in _NAMES or defaults(do).get(field.name) not in field.choices:
            return field.choices[0] if field.choices else None
        return None
    if field.free:
        several = isinstance(defaults(do).get(field.name), tuple)
        is_needed = field.needed or (field.name in _NAMES and not several) or field.name in _SAID.get(do, ())
        return _FREE.get(field.name, field.name.upper()) if is_needed else None
    default = defaults(do).get(field.name)
    fits = isinstance(default, int) and (field.low or 0) <= default <= (default if field.high is None else field.high)
    return default if fits else field.low or 0


@cache
def defaults(do: str) -> Mapping[str, Any]:
    """Return the default value of each field of an order."""
    fields = msgspec.structs.fields(COMMANDS[do])
    return {
        field.name: field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        for field in fields
    }


def example_line(template: Template, state: Encounter, redactor: Redactor) -> str:
    """Return the example of a template, ready to type, without dice and without fields that may be left out."""
    if template.do == "join" and all(field.name != "hp" for field in template.fields):
        return JOINING
    if template.do == "join":
        return f"mam join NAME {toughness_options(state)}"
    if template.do == "roll-initiative" and state.ruleset is not None:
        from mam_events.rules.rulebook import rulebook

        if line := next(initiative_roll_line(state, rulebook().in_force(state.ruleset), redactor), ""):
            return line
    return f"mam {format_order(template.do, needed_fields(template, state))}"


def needed_fields(template: Template, state: Encounter) -> dict[str, Any]:
    """Return the fields of a template's example that cannot be left out."""
    exchange = state.open_exchange
    bare = order_syntax(template.do).bare
    default = defaults(template.do)
    example = example_of(template, state)
    idle = () if spends_points(state) else (field.name for field in template.fields if _takes_only_zero(field))
    omitted = {*idle, *_default_weapon_field(template, example, state)}
    return {
        name: value
        for name, value in example.items()
        if not (name in omitted or (name in OPEN_ONES and value == exchange))
        and (name in bare or value != default.get(name))
    }


def _default_weapon_field(template: Template, example: Mapping[str, Any], state: Encounter) -> set[str]:
    """Return the weapon field, if the order would use that weapon without naming it."""
    from mam_events.rules.attack.default_weapon import possible_weapons

    if template.do not in _ARMED:
        return set()
    able = possible_weapons(state.combatants[template.combatant], COMMANDS[template.do], example.get("thrown", ""))
    return {"weapon"} if able == (example["weapon"],) else set()


def _takes_only_zero(field: Field) -> bool:
    """Return True if a field takes only 0, like points where none are spent."""
    return field.high == field.low == 0


def ranges(template: Template, omitted: Collection[str] = (), *, in_line: bool = False) -> str:
    """Return the possible values of the fields of a template by their typed names, except for those `omitted`.

    With `in_line` the names are those of a line at the table.
    """
    bare, options = order_syntax(template.do)
    spelled = {**options, **{name: name.upper() for name in bare}}
    if in_line:
        from cli.orders.short_line import short_word

        spelled = {name: short_word(template.do, name) or name for name in spelled}
    texts = []
    for field in template.fields:
        name = spelled.get(field.name)
        if name is None or field.name in omitted or field.free or _takes_only_zero(field):
            continue
        if field.keys:
            texts += [f"{name} {key}={_span(list(map(str, field.choices or ())))}" for key in field.keys]
        elif field.choices is None:
            texts += [f"{name} {_range(field.low or 0, field.high)}"] if field.high is not None else []
        elif any(choice is True for choice in field.choices):
            texts.append(name)
        elif len(field.choices) > 1:
            nothing = ("", None, 0) if field.name == "against" else ("", None)
            choices = [str(choice) for choice in field.choices if choice not in nothing]
            texts.append(f"{name} {_span(choices)}")
    for total in template.sums:
        if not total.high:
            continue
        together = " + ".join(spelled.get(name, name) for name in total.names)
        texts.append(f"{together} = {_range(total.low, total.high)}")
    return ", ".join(texts)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _span(choices: Sequence[str]) -> str:
    """Return choices in words; the faces of a die become a range."""
    faces = len(choices) > 2 and all(choice.isdecimal() for choice in choices)  # noqa: PLR2004 - two are no range
    return f"{choices[0]} to {choices[-1]}" if faces else " or ".join(choices)
