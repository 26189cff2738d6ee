"""The order manipulate, with a warning if no roll can make it succeed."""

from __future__ import annotations

from cli.orders.builder import command_of
from cli.session import Session


def _warn_in_vain(session: Session) -> None:
    """Print a warning if no roll can make the declared manipulation succeed."""
    from mam_events.rules.grappling.manipulation_numbers import futile_grip

    state = session.timeline().state
    root = state.exchange.root if state.exchange and state.ruleset else None
    if root is None or state.ruleset is None or root.target in session.redactor().hidden:
        return
    if grip := futile_grip(state, session.log().rules.in_force(state.ruleset), root):
        target = state.combatants[root.target]
        session.say(
            f"this cannot succeed: size and points come to {grip.modifier}, and {target.name}'s size of {grip.size} "
            f"needs at least {grip.size + 1}; `mam undo`, then give more --points"
        )


manipulate = command_of("manipulate", run=_warn_in_vain)
