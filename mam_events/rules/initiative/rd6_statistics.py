"""The statistics of a combatant for Ron d6: codes, ranks, points, its group (RD6-INIT-01, RD6-INIT-03)."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import Join
from mam_events.decider.engine import RuleModule, Ruleset
from mam_events.errors import Refused
from mam_events.state import Combatant, Faculties

AGILITY = "agility"
PERCEPTION = "perception"


def with_faculties(ruleset: Ruleset, command: Join, combatant: Combatant) -> Combatant:
    """Return the combatant with its statistics for Ron d6.

    Raises Refused with `group_of_others` for a player character in a group.
    """
    if command.group and command.kind == "pc":
        raise Refused("group_of_others", combatant=combatant, rule="RD6-INIT-01", fields=("group",))
    return replace(
        combatant,
        faculties=Faculties(
            codes=command.code,
            search_ranks=command.search_ranks,
            quickness_ranks=command.quickness_ranks,
            allotment=command.allotment,
            go_first=command.go_first,
            special=command.special,
            group=command.group,
        ),
        rd6_character_points=command.character_points,
        fate_points=command.fate_points,
    )


SECTION = RuleModule(joins=(with_faculties,))
