"""Related skills, rolled before the primary skill (RD6-REL)."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import (
    Declare,
    Perform,
    Result,
    Roll,
    RollInitiative,
    RollRelated,
    Round,
    Spend,
)
from mam_events.events import (
    ActionPerformed,
    PointSpent,
    RelatedSkillRolled,
)
from mam_events.rules.ron_d6.related_skills import related_modifier
from tests.patrol import ROOK, THUG, fighter, patrol


def test_a_related_skill_adds_half_its_result_points() -> None:
    """RD6-REL-01, RD6-REL-02: the primary skill is named, and the result counts once."""
    fight = patrol(ROOK, THUG, actions=3)
    searches = RollRelated("rook", "search", 2, "brawling", "5D", dice=(5, 1, 1))
    punches = Perform("rook", "punch", related=(7,), dice=(1, 2))
    roll = fight.when(searches).one(RelatedSkillRolled)
    assert (roll.modifier, roll.left, roll.roll.penalty) == (3, 2, 2)
    primary = fight.after(searches).when(punches).one(ActionPerformed)
    assert (primary.roll.total, primary.related) == (6, (7,))
    assert fight.when(replace(punches, related=(7, 7))).one(ActionPerformed).roll.total == 6
    fight.after(punches, Result(8, "success")).when(punches).raises("no_related_skill", "RD6-REL-01")


def test_a_related_skill_is_kept_for_its_primary_skill() -> None:
    """RD6-REL-01: also into the next round; by the name of the skill or the action."""
    fight = patrol(ROOK, THUG, actions=4).after(RollRelated("rook", "search", 2, "Melee  combat", "5D", dice=(5, 1)))
    fight.when(RollRelated("rook", "Search", 2, "melee-combat", "5D")).raises("already_rolled", "RD6-REL-01")
    fight.when(Perform("rook", "punch", related=(7,), dice=(1,))).raises("other_primary", "RD6-REL-01")
    fight.after(Perform("rook", "punch", dice=(1,)), Result(8, "success"), Round())
    fight.after(RollInitiative(("rook",), dice={"rook": (1,)}), Declare("rook", 2))
    slash = Perform("rook", "slash", code="4D", related=(7,), dice=(1, 2, 2))
    assert fight.when(slash).one(ActionPerformed).roll.total == 7
    fight.after(RollRelated("rook", "acrobatics", 9, "run_away", "5D", dice=(1, 1, 1, 1)))
    run = Perform("rook", "run_away", "running", "4D", related=(13,), dice=(1, 2, 2))
    assert fight.when(run).one(ActionPerformed).roll.total == 2


def test_a_character_point_adds_to_a_related_skill_that_was_just_rolled() -> None:
    """RD6-REL-02, RD6-ACT-04: the bonus of the primary skill follows from the new total."""
    searches = RollRelated("rook", "search", 9, "dodge", "3D", dice=(2, 3))
    point = Spend("rook", "character", "related", 7, dice=(6, 5))
    fight = patrol(ROOK, THUG, actions=2).after(searches)
    fight.when(replace(point, exchange=6)).raises("no_related_skill", "RD6-REL-01")
    fight.when(Spend("rook", "fate", "related", 7)).raises("fate_points_not_allowed", "RD6-REL-01")
    spent = fight.when(point).one(PointSpent)
    assert (spent.total, spent.modifier) == (16, 4)
    fight.after(point)
    (waits,) = fight.state.combatants["rook"].actions.related
    assert (waits.total, waits.modifier) == (16, 4)
    late_fight = patrol(ROOK, THUG, actions=2).after(searches, Declare("thug"))
    late_fight.when(point).raises("too_late", "RD6-REL-01")


def test_the_error_for_an_unknown_skill_suggests_the_nearest() -> None:
    """RD6-LIST-01: skills are free text, and the known ones are suggested."""
    armed = fighter("rook", code={"melee-combat": "4D"})
    error = patrol(armed, actions=1).when(Perform("rook", "slash", "melee")).raises("code_missing", "RD6-LIST-01")
    assert 'Did you mean "melee-combat"?' in error.sentence
    result = patrol(fighter("rook", code={"melee": "4D"}), actions=1).when(Perform("rook", "slash"))
    assert 'Did you mean "melee"?' in result.raises("code_missing", "RD6-LIST-01").sentence
    assert (
        'Did you mean "brawling"?'
        in patrol(armed).when(Roll("rook", "glance", "brawlign")).raises("code_missing").sentence
    )


def test_a_failed_related_skill_subtracts() -> None:
    """RD6-REL-02: at least one, in either direction; several add up, or the best counts (`rd6_related_multiple`)."""
    orders = (
        RollRelated("rook", "search", 10, "brawling", "5D", dice=(5, 2, 2)),
        RollRelated("rook", "stealth", 6, "brawling", "5D", dice=(5, 2, 2)),
        Perform("rook", "punch", related=(6, 7), dice=(1, 2)),
    )
    summed = patrol(ROOK, actions=3).after(*orders[:2]).when(orders[2]).one(ActionPerformed)
    assert [modifier.value for modifier in summed.roll.modifiers] == [-1, 2]
    for reading, brings in (("magnitude_up", [-1, -1, -2, -2]), ("toward_zero", [-1, -1, -1, -2])):
        ruleset = patrol(ROOK, rules={"rd6_related_failure_rounding": reading}).ruleset
        assert [related_modifier(10 - short, 10, ruleset) for short in range(1, 5)] == brings
    best = patrol(ROOK, actions=3, rules={"rd6_related_multiple": "best"}).after(*orders[:2]).when(orders[2])
    assert [modifier.value for modifier in best.one(ActionPerformed).roll.modifiers] == [2]


def test_a_related_skill_is_an_action_unless_it_is_merged() -> None:
    """RD6-REL-03."""
    fight = patrol(ROOK, actions=1)
    assert (
        fight.when(RollRelated("rook", "search", 2, "brawling", "1D", merged=True, dice=(3,)))
        .one(RelatedSkillRolled)
        .left
        == 1
    )
    fight.after(RollRelated("rook", "search", 2, "brawling", "1D", dice=(3,)))
    fight.when(RollRelated("rook", "search", 2, "brawling", "1D")).raises("no_actions_left")
