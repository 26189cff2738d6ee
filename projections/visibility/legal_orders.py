"""Orders that may be given now, and those that may not and why, as far as a view may know of them."""

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
"""Fields that name what is open, and need not be said of the last that is."""
_KEYED_BY_RULING = "interference_die"


def offers(
    rules: Rulebook, state: Encounter, screen: Redactor, only: Collection[str] = ()
) -> Iterator[Template | Blocked]:
    """The orders open in that state, and those that are not and why, as far as the view may know of it; of `only` those
    orders, where any are named.
    """
    if state.ruleset is None:
        return
    declared: tuple[Action | OpenAction, ...] = state.exchange.actions if state.exchange else ()
    open_ones = (*declared, *state.window.open)
    unseen = {one.id for one in open_ones if one.combatant in screen.hidden or screen.veils(one.id)}
    told = partial(_as_known, unseen=unseen, hidden=screen.hidden)
    ruleset = rules.in_force(state.ruleset)

    def words(no: Refused) -> str:
        return render_message(no.message, screen)

    for offer in legal_commands(screen.unnamed(state), ruleset, screen.known(state), told, only, words):
        if offer.status == "blocked" or offer.do != "ready" or offer.sums[0].high:
            # Making no points ready would change nothing.
            yield offer


def _as_known(template: Template, unseen: set[int], hidden: Collection[str]) -> Template | None:
    """The template without those of whom the view may not know, and without dice of which even the key is secret; None
    where it is theirs or about nobody else, or about an action that is unseen.
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
    """The values of a field, without those who are hidden where it says who is meant: an action may be called as
    one.
    """
    unsaid = object()

    def known(who: str) -> Any:
        return unsaid if who in hidden else who

    choices = field.choices or ()
    return tuple(
        one for one in choices if read_field(COMMANDS[do], field.name, one, {"combatant": known}) is not unsaid
    )


def allowed_templates(
    rules: Rulebook, state: Encounter, screen: Redactor, only: Collection[str] = ()
) -> Iterator[Template]:
    """The templates among them."""
    return (offer for offer in offers(rules, state, screen, only) if offer.status == "allowed")
