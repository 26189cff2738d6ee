"""A fight without hit points: Ron d6 counts actions, and the game master decides who is hurt (RD6-INIT-07)."""

from __future__ import annotations

from mam_events.commands import Join
from mam_events.decider.engine import RuleModule, Ruleset
from mam_events.errors import CommandHint, Refused
from mam_events.refusals.arguments import Term
from mam_events.rules.health.hit_points import HIT_POINTS
from mam_events.rules.initiative.rd6_statistics import PERCEPTION
from mam_events.state import Combatant


def without_hit_points(ruleset: Ruleset, command: Join, combatant: Combatant) -> Combatant:
    """Return the combatant unchanged; raise Refused with `no_hit_points` if hit points are given."""
    for field in HIT_POINTS:
        if getattr(command, field):
            raise Refused(
                "no_hit_points",
                preset=Term(ruleset.pinned.preset),
                field=Term(field),
                rule="RD6-INIT-07",
                fields=(field,),
                hints=(CommandHint("join", {"combatant": combatant.id, "code": {PERCEPTION: "3D"}}),),
            )
    return combatant


SECTION = RuleModule(
    joins=(without_hit_points,),
)
