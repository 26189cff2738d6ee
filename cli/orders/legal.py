"""Orders that are allowed where this command gives its order, or at another moment of its fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Command
    from mam_events.decider.offers import Template
    from mam_events.state import Encounter


def legal_templates(session: Session, *only: str) -> Iterator[Template]:
    """Return the templates of the orders that are allowed where this command gives its order."""
    from projections.visibility.legal_orders import allowed_templates

    return allowed_templates(session.log().rules, session.state_then(), session.redactor(), only)


def is_legal(session: Session, command: Command, state_then: Encounter | None = None) -> bool:
    """Return True if the rules allow that order where it is given, or in the state `state_then`."""
    from mam_events.decider.checks import is_allowed
    from mam_events.decider.decide import mechanic_of

    state = state_then or session.state_then()
    if state.ruleset is None:
        return False
    ruleset = session.log().rules.in_force(state.ruleset)
    return is_allowed(mechanic_of(type(command), ruleset).check, state, ruleset, command)
