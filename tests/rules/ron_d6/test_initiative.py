"""Initiative rolls and ties (RD6-INIT, RD6-TIE)."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    BeginTurn,
    ChangeRules,
    Declare,
    DelayTurn,
    EndTurn,
    Initiative,
    Join,
    Perform,
    RollInitiative,
    Round,
    Spend,
)
from mam_events.decider.decide import legal_commands
from mam_events.events import (
    ConditionDeclared,
    InitiativeEstablished,
    InitiativeRolled,
    Modifier,
    PointSpent,
    RoundEnded,
    TieBroken,
)
from tests.fighters import CLONE, MODRE, SENTRY
from tests.patrol import BRUTE, ROOK, THUG, fighter, patrol, roll_orders, turn_order
from tests.rules.fights.rounds import ANN, BERT
from tests.spec import GivenFight, given


def test_the_named_member_rolls_for_the_group() -> None:
    """RD6-INIT-01: for the whole group."""
    goons = (fighter("goon", group="gang"), fighter("lout", group="gang", code={"perception": "2D"}))
    fight = given(*goons, Round(), preset="ron_d6")
    roll = fight.when(RollInitiative(("lout", "goon"), dice={"lout": (4, 3)})).one(InitiativeRolled)
    assert (roll.combatant, roll.members, roll.roll.total) == ("lout", ("goon", "lout"), 7)
    fight.when(RollInitiative(("lout",), dice={"goon": (4,)})).raises("dice_idle", "RD6-INIT-01")


def test_initiative_without_perception_is_refused() -> None:
    """RD6-INIT-01: the error names the combatant."""
    fight = given(Join("owl", name="Owl"), Round(), preset="ron_d6")
    error = fight.when(RollInitiative(("owl",))).raises("perception_missing", "RD6-INIT-01")
    assert error.sentence.startswith("Owl has no Perception to roll")
    typo = given(Join("owl", code={"percepton": "3D"}), Round(), preset="ron_d6").when(RollInitiative(("owl",)))
    assert 'Is "percepton" a typing error?' in typo.raises("perception_missing").sentence


def test_initiative_has_no_penalty_for_multiple_actions() -> None:
    """RD6-INIT-02: whatever number was declared."""
    fight = given(*roll_orders(fighter("rook", code={"perception": "3D"}), rook=(1, 1, 1)), preset="ron_d6")
    fight.after(Declare("rook", 4), Round())
    roll = fight.when(RollInitiative(("rook",), dice={"rook": (1, 2, 3)})).one(InitiativeRolled)
    assert (roll.roll.penalty, roll.roll.total) == (0, 6)


@pytest.mark.parametrize(
    ("kind", "reading", "bonus"),
    [("pc", "sum", 2), ("boss_npc", "sum", 2), ("npc", "sum", 0), ("pc", "best_of", 1), ("pc", "pooled_fraction", 3)],
)
def test_search_ranks_and_agility_add_to_initiative(kind: str, reading: str, bonus: int) -> None:
    """RD6-INIT-03: 3 ranks and 6D add 1 each, rounded down, or together 1.5 + 1.5 (`rd6_initiative_bonus`)."""
    rook = fighter("rook", kind=kind, code={"agility": "6D"}, search_ranks=3)
    fight = given(rook, Round(), rules={"rd6_initiative_bonus": reading}, preset="ron_d6")
    roll = fight.when(RollInitiative(("rook",), dice={"rook": (4,)})).one(InitiativeRolled).roll
    assert roll.modifiers == ((Modifier("search and Agility", bonus, "RD6-INIT-03"),) if bonus else ())
    assert roll.total == 4 + bonus


def test_the_highest_total_acts_first() -> None:
    """RD6-INIT-04: then in descending order."""
    fight = given(*roll_orders(ROOK, THUG, BRUTE, rook=(2,), thug=(5,), brute=(3,)), preset="ron_d6")
    assert turn_order(fight) == ["thug", "brute", "rook"]
    initiative = fight.state.initiative
    assert [initiative.entry(name).total for name in turn_order(fight)] == [5, 3, 2]  # type: ignore[union-attr]  # all have rolled


def test_a_character_point_adds_a_wild_die_to_initiative() -> None:
    """RD6-INIT-06: any number before anybody acts; `rd6_initiative_cp_limit` allows one a round."""
    fight = patrol(ROOK, THUG)
    fight.when(Spend("rook", "fate", "initiative")).raises("fate_points_not_allowed", "RD6-INIT-06")
    fight.when(Spend("thug", "character", "initiative")).raises("no_points_left", "RD6-INIT-06")
    result = fight.when(Spend("rook", "character", "initiative", dice=(6, 6, 2)))
    point = result.one(PointSpent)
    assert (point.remaining, point.total) == (1, 5 + 14)
    assert [one.role for one in point.roll.dice] == ["bought", "exploded", "exploded"]
    assert result.one(InitiativeEstablished).rolled.entries[0].total == 19
    fight.after(
        Spend("rook", "character", "initiative", dice=(1,)), Spend("rook", "character", "initiative", dice=(1,))
    )
    fight.when(Spend("rook", "character", "initiative", dice=(1,))).raises("no_points_left")
    sparing = patrol(ROOK, THUG, rules={"rd6_initiative_cp_limit": "one_per_round"})
    sparing.after(Spend("rook", "character", "initiative", dice=(1,)))
    sparing.when(Spend("rook", "character", "initiative", dice=(1,))).raises("once_per_round", "RD6-INIT-06")
    goons = [fighter(name, group="gang", character_points=1) for name in ("goon", "lout")]
    roll = RollInitiative(("goon", "lout"), dice={"goon": (4,)})
    gang = given(*goons, Round(), roll, rules={"rd6_initiative_cp_limit": "one_per_round"}, preset="ron_d6")
    gang.after(Spend("goon", "character", "initiative", dice=(1,)))
    gang.when(Spend("lout", "character", "initiative", dice=(1,))).raises("once_per_round")
    started_fight = patrol(ROOK, THUG, actions=1)
    started_fight.when(Spend("rook", "character", "initiative", dice=(1,))).raises("turns_begun", "RD6-INIT-04")


FACTORS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "go_first": ({"go_first": True}, {"code": {"perception": "1D+1"}}),
    "perception": ({"code": {"perception": "1D+1"}}, {"code": {"search": "9D"}}),
    "search": ({"code": {"search": "3D+1"}}, {"code": {"agility": "9D"}}),
    "agility": ({"code": {"agility": "4D+1"}}, {"code": {"dodge": "9D"}}),
    "dodge": ({"code": {"dodge": "4D+1"}}, {"special": True}),
    "special": ({"special": True}, {}),
}


@pytest.mark.parametrize("factor", FACTORS)
def test_the_first_factor_that_differs_breaks_a_tie(factor: str) -> None:
    """RD6-TIE-01: later factors don't count."""
    better, other = FACTORS[factor]
    dice: dict[str, tuple[int, ...]] = {"b": (4,), "a": (4,)}
    if factor == "go_first":
        dice["b"] = (3,)
    if factor == "perception":
        dice["a"] = (3,)
    fight = given(fighter("b", **other), fighter("a", **better), Round(), preset="ron_d6")
    initiative = fight.when(RollInitiative(("b", "a"), dice=dice)).one(InitiativeEstablished)
    assert initiative.order == ("a", "b")
    assert [(tie.ahead, tie.behind, tie.factor) for tie in initiative.ties] == [("a", "b", factor)]


def test_a_tied_group_uses_the_codes_of_its_roller() -> None:
    """RD6-TIE-01, RD6-INIT-01: the first member may be slower and still comes first in the group."""
    goons = (fighter("goon", group="gang"), fighter("lout", group="gang", code={"search": "5D"}))
    for roller, expected in (("lout", ("goon", "lout", "rook")), ("goon", ("rook", "goon", "lout"))):
        fight = given(*goons, fighter("rook", code={"search": "4D"}), Round(), preset="ron_d6")
        result = fight.when(RollInitiative((roller, "rook"), dice={roller: (4,), "rook": (4,)}))
        assert result.one(InitiativeEstablished).order == expected
    quick = (fighter("goon", group="gang"), fighter("lout", group="gang", go_first=True))
    fight = given(*quick, ROOK, Round(), rules={"rd6_unbroken_tie": "reroll_tied"}, preset="ron_d6")
    settles = RollInitiative(("goon", "rook"), dice={"goon": (4,), "rook": (4,)}, again={"goon": (2,), "rook": (3,)})
    assert fight.when(settles).one(InitiativeEstablished).order == ("rook", "goon", "lout")


def test_codes_are_compared_in_pips() -> None:
    """RD6-TIE-02: 2D+2 is less than 3D; other factors are yes or no."""
    fight = given(fighter("a", code={"search": "2D+2"}), fighter("b", code={"search": "3D"}), Round(), preset="ron_d6")
    initiative = fight.when(RollInitiative(("a", "b"), dice={"a": (4,), "b": (4,)})).one(InitiativeEstablished)
    assert initiative.ties == (TieBroken("b", "a", "search", "3D", "2D+2"),)


def test_go_first_and_special_count_only_in_ties() -> None:
    """RD6-TIE-03: unless `rd6_go_first_scope` is "always"."""
    swift = fighter("swift", go_first=True, special=True)
    fight = given(*roll_orders(THUG, swift), preset="ron_d6")
    assert turn_order(fight) == ["thug", "swift"]
    always_fight = given(*roll_orders(THUG, swift), rules={"rd6_go_first_scope": "always"}, preset="ron_d6")
    assert turn_order(always_fight) == ["swift", "thug"]


def test_a_combatant_can_be_special_for_a_round() -> None:
    """RD6-TIE-01: it is given with the roll, and ends with the round."""
    fight = given(THUG, BRUTE, Round(), preset="ron_d6")
    roll = RollInitiative(("thug", "brute"), dice={"thug": (4,), "brute": (4,)})
    assert fight.when(roll).one(InitiativeEstablished).order == ("thug", "brute")
    command = RollInitiative(("thug", "brute"), dice=roll.dice, special=("brute",))
    assert fight.when(command).one(InitiativeEstablished).order == ("brute", "thug")
    assert turn_order(fight.after(command, Round(), roll)) == ["thug", "brute"]


AGAIN = {"rd6_unbroken_tie": "reroll_tied"}


def test_an_unbroken_tie_follows_the_roster_or_is_rolled_again() -> None:
    """RD6-TIE-01, `rd6_unbroken_tie`: only those who still tie roll again, and their faces can be given."""
    trio = (fighter("a"), fighter("b"), fighter("c"))
    dice: dict[str, tuple[int, ...]] = {"a": (4,), "b": (4,), "c": (4,)}
    fight = given(*trio, Round(), preset="ron_d6")
    initiative = fight.when(RollInitiative(tuple(dice), dice=dice)).one(InitiativeEstablished)
    assert initiative.order == ("a", "b", "c")
    assert [tie.factor for tie in initiative.ties] == ["roster_order", "roster_order"]
    second_fight = given(*trio, Round(), rules={"rd6_unbroken_tie": "reroll_tied"}, preset="ron_d6")
    dice_of_all: dict[str, tuple[int, ...]] = {"a": (2,), "b": (5, 1), "c": (5, 3)}
    initiative = second_fight.when(RollInitiative(tuple(dice), dice=dice, again=dice_of_all)).one(InitiativeEstablished)
    assert initiative.order == ("c", "b", "a")
    assert [(tie.factor, tie.has, tie.against) for tie in initiative.ties] == [
        ("reroll", "3", "1"),
        ("reroll", "5", "2"),
    ]
    drawn_fight = given(
        *trio, Round(), rules={"rd6_unbroken_tie": "reroll_tied"}, drawn=(2, 5, 5, 1, 3), preset="ron_d6"
    )
    assert drawn_fight.when(RollInitiative(tuple(dice), dice=dice)).one(InitiativeEstablished).order == ("c", "b", "a")
    second_fight.when(RollInitiative(tuple(dice), dice=dice, again={"a": (2,)})).raises("dice_missing", "RD6-TIE-01")
    tied: dict[str, tuple[int, ...]] = {"a": (2,), "b": (5,), "c": (5,)}
    second_fight.when(RollInitiative(tuple(dice), dice=dice, again=tied)).raises("dice_tied", "RD6-TIE-01")
    fight.when(RollInitiative(tuple(dice), dice=dice, again=dice_of_all)).raises("dice_idle", "RD6-TIE-01")
    more = {"a": (2,), "b": (5, 1), "c": (5, 3, 4)}
    second_fight.when(RollInitiative(tuple(dice), dice=dice, again=more)).raises("dice_idle", "RD6-TIE-01")


def test_a_tie_made_by_a_late_roll_or_a_point_is_rolled_again() -> None:
    """RD6-TIE-01, `rd6_unbroken_tie`: by both, with faces given for both."""
    fight = given(fighter("a"), fighter("b", character_points=1), Round(), rules=AGAIN, preset="ron_d6")
    fight.after(RollInitiative(("a",), dice={"a": (4,)}))
    late_roll = RollInitiative(("b",), dice={"b": (4,)}, again={"a": (1,), "b": (2,)})
    assert fight.when(late_roll).one(InitiativeEstablished).order == ("b", "a")
    fight.after(RollInitiative(("b",), dice={"b": (2,)}))
    point = Spend("b", "character", "initiative", dice=(2,), again={"a": (1,), "b": (2,)})
    assert fight.when(point).one(InitiativeEstablished).order == ("b", "a")
    fight.when(replace(point, again={"a": (1,)})).raises("dice_missing", "RD6-TIE-01")


LATE: tuple[tuple[dict[str, tuple[int, ...]], str], ...] = (
    ({"c": (5,)}, "cba"),
    ({"c": (1,)}, "bac"),
    ({"c": (4, 1)}, "bac"),
    ({"c": (4, 5)}, "cba"),
    ({"c": (4, 3, 1), "b": (2,)}, "bca"),
    ({"c": (4, 2, 2), "a": (1,)}, "bca"),
)


@pytest.mark.parametrize(("rerolls", "expected"), LATE)
def test_a_late_joiner_rolls_as_often_as_the_tied_combatants(
    rerolls: dict[str, tuple[int, ...]], expected: str
) -> None:
    """RD6-TIE-01, `rd6_unbroken_tie`: they tie as far as both have rolled."""
    fight = given(fighter("a"), fighter("b"), fighter("c"), Round(), rules=AGAIN, preset="ron_d6")
    fight.after(RollInitiative(("a", "b"), dice={"a": (4,), "b": (4,)}, again={"a": (4, 2), "b": (4, 3)}))
    late_orders = RollInitiative(("c",), dice={"c": (4,)}, again=rerolls)
    assert "".join(fight.when(late_orders).one(InitiativeEstablished).order) == expected


def test_dice_that_tie_forever_leave_the_order_to_the_roster() -> None:
    """RD6-TIE-01, `rd6_unbroken_tie`."""
    fight = given(fighter("a"), fighter("b"), Round(), rules=AGAIN, drawn=repeat(4), preset="ron_d6")
    initiative = fight.when(RollInitiative(("a", "b"))).one(InitiativeEstablished)
    assert (initiative.order, initiative.ties[0].factor) == (("a", "b"), "roster_order")


def test_tied_codes_without_dice_are_not_rolled_again() -> None:
    """RD6-TIE-01, `rd6_zero_dice`: they would always tie, so the first to join is first."""
    blind = (fighter("a", code={"perception": "0D+1"}), fighter("b", code={"perception": "0D+1"}))
    fight = given(*blind, Round(), rules=AGAIN | {"rd6_zero_dice": "pips_only"}, preset="ron_d6")
    assert fight.when(RollInitiative(("a", "b"))).one(InitiativeEstablished).ties[0].factor == "roster_order"


def test_the_game_master_can_put_a_combatant_first() -> None:
    """RD6-ACT-05: with a reason, and before the first turn of the round."""
    fight = patrol(THUG, ROOK)
    fight.when(Initiative()).raises("roll_initiative", "RD6-INIT-01")
    fight.when(Initiative(first="rook")).raises("reason_missing", "RD6-ACT-05")
    first = fight.when(Initiative(first="rook", reason="got the jump")).one(InitiativeEstablished)
    assert (first.order, first.ties) == (("rook", "thug"), ())
    fight.after(Initiative(first="rook", reason="got the jump"))
    fight.after(Spend("rook", "character", "initiative", dice=(1,)))
    assert turn_order(fight) == ["rook", "thug"]
    fight.after(Declare("rook"))
    fight.when(Initiative(first="thug", reason="no")).raises("turns_begun", "RD6-INIT-04")


def test_a_turn_given_by_the_game_master_has_its_own_actions() -> None:
    """RD6-ACT-02: whatever was used before."""
    fight = patrol(ROOK, THUG, actions=1).after(Perform("rook", "communicate"), Declare("thug"))
    fight.after(Adjust("once more", turn="rook"), Declare("rook", 2), Perform("rook", "communicate"))
    assert fight.state.combatants["rook"].actions.left == 1


PERCEPTIVE = {"initiative_method": "ron_d6"}
MODRE_SEES = replace(MODRE, code={"perception": "2D", "agility": "4D"}, search_ranks=2)
CLONE_SEES = replace(CLONE, code={"perception": "2D"})


def rolled_fight(**rules: str) -> GivenFight:
    """Return a fight with hit points in which both roll Perception, and the Clone rolls more."""
    rolls = RollInitiative(("modre", "clone"), dice={"modre": (1, 2), "clone": (5, 4)})
    return given(MODRE_SEES, CLONE_SEES, rolls, rules=PERCEPTIVE | rules)


@pytest.mark.parametrize("boundary", ["turn_start_to_turn_start", "turn_end_to_turn_end"])
def test_a_fight_with_hit_points_can_roll_initiative_every_round(boundary: str) -> None:
    """RD6-INIT-05, MAM-ORDER-03: the order ends with the round."""
    fight = rolled_fight(round_boundary=boundary)
    assert turn_order(fight) == ["clone", "modre"]
    fight.when(BeginTurn("modre")).raises("out_of_turn", "MAM-ORDER-05")
    fight.after(BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"), EndTurn("modre"))
    assert turn_order(fight) == []
    fight.when(BeginTurn("clone")).raises("out_of_turn", "MAM-ORDER-03")
    fight.when(Initiative()).raises("roll_initiative", "RD6-INIT-01")
    fight.after(RollInitiative(("modre", "clone"), dice={"modre": (5, 5), "clone": (1, 1)}))
    assert turn_order(fight) == ["modre", "clone"]
    fight.after(BeginTurn("modre"))
    assert fight.state.round == 2


def test_a_round_ends_if_nobody_can_take_the_last_turn() -> None:
    """RD6-INIT-05: the last combatant is down, and the next roll ends the round."""
    fight = rolled_fight().after(BeginTurn("clone"), EndTurn("clone"), ConditionDeclared("modre", "out"))
    fight.when(BeginTurn("clone")).raises("out_of_turn", "RD6-INIT-05")
    result = fight.when(RollInitiative(("clone",), dice={"clone": (1, 1)}))
    assert result.one(RoundEnded) == RoundEnded(1, rolled_anew=True)
    fight.when(RollInitiative(("modre",))).raises("out_of_fight", "RD6-INIT-07")
    fight.after(RollInitiative(("clone",), dice={"clone": (1, 1)}), BeginTurn("clone"))


def test_a_late_joiner_in_a_fight_with_hit_points_rolls() -> None:
    """RD6-INIT-01: with the bonus of search and Agility (RD6-INIT-03)."""
    fight = rolled_fight().after(replace(SENTRY, code={"perception": "1D"}))
    assert turn_order(fight) == ["clone", "modre"]
    fight.after(RollInitiative(("sentry",), dice={"sentry": (5,)}))
    assert [entry.total for entry in fight.state.initiative.entries] == [5, 9, 5]
    assert turn_order(fight) == ["clone", "modre", "sentry"]


def test_a_late_roll_does_not_move_a_delayed_turn() -> None:
    """MAM-TURN-09, RD6-INIT-01."""
    fight = given(MODRE_SEES, CLONE_SEES, rules=PERCEPTIVE, preset="mam_speed")
    fight.after(RollInitiative(("modre", "clone"), dice={"modre": (1, 2), "clone": (5, 4)}), BeginTurn("clone"))
    late_orders = (replace(SENTRY, code={"perception": "2D"}), RollInitiative(("sentry",), dice={"sentry": (4, 4)}))
    fight.after(*late_orders)
    assert turn_order(fight) == ["clone", "sentry", "modre"]
    fight.after(
        DelayTurn("sentry", "modre"), replace(SENTRY, combatant="guard", name="Guard", code={"perception": "1D"})
    )
    fight.after(RollInitiative(("guard",), dice={"guard": (1,)}))
    assert turn_order(fight) == ["clone", "modre", "sentry", "guard"]


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed", "mam_d20"])
def test_the_initiative_method_can_change_during_a_round(preset: str) -> None:
    """RD6-INIT-05: the order of the round stays, and the next round uses the new method."""
    fight = given(MODRE_SEES, CLONE_SEES, rules=PERCEPTIVE, preset=preset)
    rolls = RollInitiative(("modre", "clone"), dice={"modre": (1, 2), "clone": (5, 4)})
    fight.after(rolls, BeginTurn("clone"), ChangeRules({"initiative_method": "longest_reach"}, "quicker"))
    turns = (EndTurn("clone"), BeginTurn("modre"), EndTurn("modre"))
    fight.after(*turns, Initiative(first="clone", reason="so be it"), BeginTurn("clone"))
    fight.after(ChangeRules({"initiative_method": "ron_d6"}, "fairer"))
    fight.when(rolls).raises("initiative_settled", "RD6-INIT-05")
    fight.after(*turns, rolls, BeginTurn("clone"))
    assert fight.state.round == 3


def test_rolling_is_refused_if_initiative_goes_by_reach() -> None:
    """RD6-INIT-01."""
    given(MODRE, CLONE).when(RollInitiative(("modre",))).raises("initiative_method", "RD6-INIT-01")


def test_a_roll_is_offered_for_combatants_who_may_still_wake() -> None:
    """RD6-INIT-07: nobody else has to roll, and the fallen combatant has no place in the round yet."""

    def offered(fight: GivenFight) -> int:
        return sum(one.do == "roll-initiative" for one in legal_commands(fight.state, fight.ruleset))

    down = Adjust("a brick", condition={"bert": "incapacitated"})
    fight = given(ANN, BERT, down, Round(), preset="ron_d6", drawn=repeat(2))
    fight.after(RollInitiative(("ann",)))
    assert offered(fight) == 1
    fight = given(ANN, BERT, Round(), RollInitiative(("ann", "bert")), preset="ron_d6", drawn=[2, 3])
    assert offered(fight) == 0
