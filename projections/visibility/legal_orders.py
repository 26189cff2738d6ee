"""The orders that are legal now, and those that are not and why, as far as a view may know of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mam_events.commands import COMMANDS
from mam_events.decider.decide import legal_commands
from mam_events.references import read_field
from mam_events.refusals.renderer import render_message

if TYPE_CHECKING:
    from mam_events.decider.offers import Blocked, Field, Template
    from mam_events.errors import Refused
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Action, Encounter, OpenAction
    from projections.visibility.redaction import Redactor

OPEN_ONES = ("exchange", "action", "against")
"""Fields that name something open; they default to the last open one."""
_KEYED_BY_RULING = "interference_die"


def offers(
    rules: Rulebook, state: Encounter, redactor: Redactor, only: Collection[str] = ()
) -> Iterator[Template | Blocked]:
    """Yield the orders that are possible in that state, and the blocked ones with the reason, as the view knows them.

    `only` limits them to those orders, if it is not empty.
    """
    if state.ruleset is None:
        return
    declared: tuple[Action | OpenAction, ...] = state.exchange.actions if state.exchange else ()
    open_ones = (*declared, *state.window.open)
    unseen = {one.id for one in open_ones if one.combatant in redactor.hidden or redactor.veils(one.id)}
    redact = partial(_as_known, unseen=unseen, hidden=redactor.hidden)
    ruleset = rules.in_force(state.ruleset)

    def words(no: Refused) -> str:
        return render_message(no.message, redactor)

    for offer in legal_commands(redactor.unnamed(state), ruleset, redactor.visible_state(state), redact, only, words):
        if offer.status == "blocked" or offer.do != "ready" or offer.sums[0].high:
            # Readying no points would change nothing.
            yield offer


def _as_known(template: Template, unseen: set[int], hidden: Collection[str]) -> Template | None:
    """Return the template without hidden combatants, and without dice whose keys are secret.

    Returns None if it is an order of somebody hidden, if only hidden ones are left for a field, or if it is about a
    hidden action.
    """
    if template.combatant in hidden:
        return None
    fields = []
    for field in template.fields:
        known = field
        if field.keys is not None:
            secret = {str(number) for number in unseen} if field.name == _KEYED_BY_RULING else hidden
            known = replace(field, keys=tuple(key for key in field.keys if key not in secret))
            if not known.keys:
                continue
        elif field.choices and (hidden or unseen):
            known = replace(field, choices=_known_choices(template.do, field, hidden))
            if not known.choices or (field.name in OPEN_ONES and not unseen.isdisjoint(field.choices)):
                return None
        fields.append(known)
    return replace(template, fields=tuple(fields))


def _known_choices(do: str, field: Field, hidden: Collection[str]) -> tuple[Any, ...]:
    """Return the values of a field without those that mean somebody hidden; an action may have the same name as one."""
    missing = object()

    def known(who: str) -> Any:
        return missing if who in hidden else who

    choices = field.choices or ()
    return tuple(
        one for one in choices if read_field(COMMANDS[do], field.name, one, {"combatant": known}) is not missing
    )


def allowed_templates(
    rules: Rulebook, state: Encounter, redactor: Redactor, only: Collection[str] = ()
) -> Iterator[Template]:
    """Yield only the templates of orders that are allowed."""
    return (offer for offer in offers(rules, state, redactor, only) if offer.status == "allowed")
