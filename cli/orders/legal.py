"""Orders that may be given where the order of this run goes, or in another moment of its fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.commands import Command
    from mam_events.decider.offers import Template
    from mam_events.state import Encounter


def legal_templates(session: Session, *only: str) -> Iterator[Template]:
    """The templates open where the order of this run goes."""
    from projections.visibility.legal_orders import allowed_templates

    return allowed_templates(session.log().rules, session.state_then(), session.screen(), only)


def is_legal(session: Session, meant: Command, then: Encounter | None = None) -> bool:
    """True if the rules have nothing against that order, where it is given, or in a fight as it was `then`."""
    from mam_events.decider.checks import is_allowed
    from mam_events.decider.decide import mechanic_of

    state = then or session.state_then()
    if state.ruleset is None:
        return False
    ruleset = session.log().rules.in_force(state.ruleset)
    return is_allowed(mechanic_of(type(meant), ruleset).check, state, ruleset, meant)
