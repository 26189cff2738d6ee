"""The order manipulate, with a warning if no roll can make it succeed."""

from __future__ import annotations

from cli.orders.builder import command_of
from cli.session import Session


def _warn_in_vain(session: Session) -> None:
    """Print a warning if no roll can make the declared manipulation succeed."""
    from mam_events.rules.grappling.manipulation_numbers import futile_grip

    state = session.timeline().state
    root = state.exchange.root if state.exchange and state.ruleset else None
    if root is None or state.ruleset is None or session.redactor().hidden & {root.combatant, root.target}:
        return
    if grip := futile_grip(state, session.log().rules.in_force(state.ruleset), root):
        actor, target = state.combatants[root.combatant], state.combatants[root.target]
        session.say(
            f"This cannot succeed: {actor.name}'s size and points add up to {grip.modifier}, and against {target.name} "
            f"(size {grip.size}) they must be {grip.size + 1} or more. To try again with more --points: "
            f"{session.typed('mam undo')}"
        )


manipulate = command_of("manipulate", run=_warn_in_vain)
