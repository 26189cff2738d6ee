"""Repairs of rulings that a correction made void: what their orders might say instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mam_events.errors import Refused

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.decider.offers import Field
    from mam_events.history.timeline.timeline import Timeline


def repair_hint(session: Session, void: Sequence[int]) -> str:
    """Return the command that repairs one of those void rulings, refused for what it says; "" if none is known."""
    return next(_amendments(session, session.timeline(), void), "")


def _amendments(session: Session, timeline: Timeline, void: Iterable[int]) -> Iterator[str]:
    """Yield amendments of void rulings that are refused for a field, each with a value that is allowed there."""
    from mam_events.commands import actor_of, name_of
    from mam_events.decider.checks import is_allowed as passes
    from mam_events.decider.decide import mechanic_of
    from projections.visibility.legal_orders import allowed_templates

    rules, redactor = session.log().rules, session.redactor()
    for number in void:
        state, command = session.log().at(session.encounter(), number), timeline.command(number)
        if state.ruleset is None:
            continue
        ruleset = rules.in_force(state.ruleset)
        check = mechanic_of(type(command), ruleset).check
        try:
            check(state, ruleset, command)
        except Refused as no:
            # Keep the actor: with another actor it would be another order.
            fields = [field for field in no.fields if field in command.__struct_fields__ and field != command.actor]
            by_whom = (name_of(command), actor_of(command))
            for offer in allowed_templates(rules, state, redactor, by_whom[:1]):
                values = [_taken(field) for name in fields for field in offer.fields if field.name == name]
                if (offer.do, offer.combatant) != by_whom or len(values) < len(fields) or not fields:
                    continue
                for values_by_name in (dict(zip(fields, one, strict=True)) for one in product(*values)):
                    if passes(check, state, ruleset, replace(command, **values_by_name)):
                        fields_text = " ".join(f"{name}={value}" for name, value in values_by_name.items())
                        yield session.typed(f"mam amend {number} {fields_text}")
                        break


def _taken(field: Field) -> list[Any]:
    """Return the values that a field of a template takes: its choices, or the highest and the lowest."""
    if field.choices is not None:
        return [choice for choice in field.choices if choice not in ("", None)]
    return [] if field.free else [bound for bound in (field.high, field.low) if bound is not None]
