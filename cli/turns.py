"""Orders of a combatant's own turn that have something of their own: points made ready, and movement."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cli.acting import Default, required
from cli.ordering import ordered
from cli.session import Session
from cli.unsaid import whose_turn
from mam_events.errors import BadInput

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.state import Encounter


@ordered("ready")
def ready(session: Session, said: dict[str, Any]) -> Mapping[str, Default]:
    """Without numbers as many become ready as may, if one pool has them all."""
    if said["defense"] is not None or said["other_used"] is not None:
        return {}
    return _most(session, said["combatant"])


def _most(session: Session, combatant: str | None) -> dict[str, Default]:
    def amount(field: str, state: Encounter) -> int:
        return _most_to_ready(session.log().rules, state, combatant or whose_turn(state))[field]

    return {field: partial(amount, field) for field in ("defense", "other_used")}


def _most_to_ready(rules: Rulebook, state: Encounter, combatant: str) -> Mapping[str, int]:
    """The most points that may become ready now, where there is only one way to take them from the two pools.

    Raises BadInput, naming a way, where there are several; refused with `below_required_amount` where there are none
    to take. What may not be done at all is left to the rules.
    """
    from mam_events.notation.unsaid import check_not_idle, most_ready
    from mam_events.visibility import GAME_MASTER
    from projections.offering import allowed
    from projections.screen import Screen

    everything = Screen(GAME_MASTER)
    template = next((t for t in allowed(rules, state, everything) if (t.do, t.combatant) == ("ready", combatant)), None)
    if template is None:
        if state.ruleset is not None:
            check_not_idle(state, rules.in_force(state.ruleset), combatant)
        return dict.fromkeys(("defense", "other_used"), 0)
    most, low, high = most_ready(template)
    if low < high:
        raise BadInput(
            f"{state.combatants[combatant].name} may make {most} points ready, taken from two pools: say how many from "
            f"each, as in `mam ready {combatant} --defense {low} --other-used {most - low}`."
        )
    return {"defense": low, "other_used": most - low}


@ordered("move")
def move(session: Session, said: dict[str, Any]) -> None:
    """The number that was said, as metres where no points are spent."""
    if said["metres"] is not None:
        return
    if session.spends_points():
        required(said["points"], "POINTS")
    else:
        said["metres"], said["points"] = required(said["points"], "METRES"), None
