"""Setting one's feet."""

from __future__ import annotations

from mam_events.commands import Attack, BeginTurn, Brace, EndTurn, Resolve
from mam_events.events import DefenseRolled, FeetSet, HitPointsSpent
from mam_events.state import Effect, Pools
from tests.fighters import DUEL
from tests.spec import given

BRACED = (*DUEL, Brace("modre"), EndTurn("modre"), BeginTurn("clone"), Attack("clone", "modre", power=1))


def test_bracing_costs_a_point_and_lasts_to_the_end_of_the_next_turn() -> None:
    given(*DUEL).when(Brace("modre")).then(
        FeetSet("modre", Effect("bracing", 1, "MAM-POS-04", turn=2)),
        HitPointsSpent("modre", "action", 0, 1, Pools(ready=5, other_used=1)),
    )


def test_bracing_counts_for_the_defense() -> None:
    event = given(*BRACED).when(Resolve(9, attack_die=3, defense_die=3)).one(DefenseRolled)
    assert ("bracing", 1) in [(modifier.name, modifier.value) for modifier in event.modifiers]


def test_nobody_braces_out_of_turn() -> None:
    given(*DUEL).when(Brace("clone")).raises("out_of_turn")
