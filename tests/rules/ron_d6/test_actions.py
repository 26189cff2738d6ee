"""The listed actions and their equipment (RD6-LIST, RD6-MAP-05)."""

from __future__ import annotations

import pytest

from mam_events.commands import (
    Adjust,
    Declare,
    Interrupt,
    Perform,
    Result,
    RollInitiative,
    Round,
    Wait,
)
from mam_events.events import (
    ActionPerformed,
    CombatantWaited,
    EquipmentDropped,
    EquipmentPickedUp,
    WeaponReadied,
)
from mam_events.rules.rulebook import rulebook
from mam_events.state import Item, Weapon
from tests.patrol import ROOK, THUG, fighter, patrol

ACTIONS = rulebook().tables.rd6_actions


def test_only_quick_equipment_can_be_used_twice_in_a_round() -> None:
    """RD6-MAP-05: up to its number of uses; hands are not limited."""
    armed = fighter(
        "rook", weapon=(Weapon("bow"), Weapon("knife", quick=True)), item=(Item("gun", quick=True, uses=2),)
    )
    fight = patrol(armed, actions=4)
    for thing, times in (("bow", 1), ("gun", 2), ("knife", 3), ("body", 3)):
        table = patrol(armed, actions=4).after(*(Perform("rook", "communicate", equipment=thing) for _ in range(times)))
        result = table.when(Perform("rook", "communicate", equipment=thing))
        if thing in ("bow", "gun"):
            result.raises("not_quick", "RD6-MAP-05")
            table.after(Round(), RollInitiative(("rook",), dice={"rook": (1,)}), Declare("rook"))
            table.when(Perform("rook", "communicate", equipment=thing)).all()
        else:
            result.all()
    readied_fight = patrol(armed, actions=4).after(
        *(Perform("rook", mode, equipment="bow") for mode in ("switch", "ready"))
    )
    readied_fight.after(Perform("rook", "shoot", code="4D", equipment="bow", dice=(1,)), Result(8, "failure"))
    readied_fight.when(Perform("rook", "shoot", code="4D", equipment="bow")).raises("not_quick", "RD6-MAP-05")
    readied_fight.when(Perform("rook", "ready", equipment="bow")).all()
    error = fight.when(Perform("rook", "shoot", equipment="bwo", code="4D")).raises("unknown_item", "RD6-MAP-05")
    assert '"bow"' in error.sentence


def test_a_thing_must_be_in_hand_before_it_is_used() -> None:
    """RD6-LIST-ready, RD6-LIST-throw: drawn, or picked up after a throw or a drop."""
    weapons = (Weapon("sabre", readied=False), Weapon("darts", quick=True), Weapon("horns", attached=True))
    armed = fighter("rook", weapon=weapons, item=(Item("vase"),))
    fight = patrol(armed, THUG, actions=4)
    slash = Perform("rook", "slash", code="5D", equipment="sabre", dice=(1, 1))
    assert "is not in hand yet" in fight.when(slash).raises("not_in_hand", "RD6-LIST-ready").sentence
    fight.when(Perform("rook", "switch", equipment="sabre")).raises("not_in_hand")
    ready = Perform("rook", "ready", equipment="sabre")
    assert fight.when(ready).one(WeaponReadied) == WeaponReadied("rook", "sabre")
    order = Perform("rook", "ready", code="5D", equipment="sabre", dice=(1, 1))
    for expected, events in (("success", [WeaponReadied("rook", "sabre")]), ("failure", [])):
        stressed_fight = patrol(armed, THUG, actions=4).after(order)
        assert stressed_fight.when(Result(7, expected)).all(WeaponReadied) == events  # type: ignore[arg-type]  # one of two
    fight.after(ready, slash, Result(8, "success"))
    throw = Perform("rook", "throw", code="5D", equipment="vase", dice=(1, 1))
    fight.after(throw, Result(10, "failure"))
    assert "was dropped or thrown" in fight.when(throw).raises("not_in_hand").sentence
    fight.when(Perform("rook", "drop", equipment="vase")).raises("not_in_hand")
    fight.after(Perform("rook", "drop", equipment="sabre"), Result(12, "success"))
    picked = fight.when(Perform("rook", "ready", equipment="vase")).one(EquipmentPickedUp)
    assert picked == EquipmentPickedUp("rook", "vase")
    fight.when(Perform("rook", "drop", equipment="body")).raises("attached")
    fight.when(Perform("rook", "throw", code="5D", equipment="horns")).raises("attached")
    several_fight = patrol(armed, actions=3).after(
        Perform("rook", "throw", code="5D", equipment="darts", dice=(1, 1, 1))
    )
    several_fight.after(Result(6, "failure"), Perform("rook", "throw", code="5D", equipment="darts", dice=(1, 1, 1)))


def test_a_disarm_removes_the_thing_it_was_aimed_at() -> None:
    """RD6-LIST-disarm: "remove an object from an opponent's hand"."""
    armed = fighter("rook", weapon=(Weapon("sabre"), Weapon("dirk", readied=False)))
    fight = patrol(THUG, armed, actions=3)
    for part, events in (("sabre", [EquipmentDropped("rook", "sabre")]), ("dirk", []), ("body", []), ("the hand", [])):
        struck_fight = patrol(THUG, armed, actions=3).after(
            Perform("thug", "disarm", target="rook", part=part, code="5D", dice=(1, 1, 1))
        )
        assert struck_fight.when(Result(7, "success")).all(EquipmentDropped) == events
        assert not struck_fight.when(Result(7, "failure")).all(EquipmentDropped)
    assert fight.state.combatants["rook"].carries("sabre")


@pytest.mark.parametrize("action", ACTIONS)
def test_each_listed_action_is_one_action(action: str) -> None:
    """RD6-LIST-01: each listed action is one action.

    RD6-LIST-bash, -catch, -choke, -communicate, -disarm, -dodge, -entangle, -escape, -grab, -kick, -leap, -lunge,
    -move, -parry, -pin, -punch, -push, -ready, -run_away, -shoot, -slash, -switch, -tackle, -throw, -trip, -use,
    -vehicle, -wait.
    """
    fight = patrol(ROOK, THUG, actions=2)
    if action == "wait":
        fight.when(Perform("rook", "wait")).raises("not_an_action", "RD6-LIST-wait")
        assert fight.when(Wait("rook")).one(CombatantWaited).left == 1
        return
    if action == "catch":
        fight.after(Wait("rook"), Declare("thug"), Perform("thug", "throw", code="1D", dice=(3,)))
        event = fight.when(Interrupt("rook", "catch", code="3D", against=9, dice=(2, 3))).one(ActionPerformed)
        assert (event.left, event.skill) == (0, "athletics")
        return
    performed = fight.when(Perform("rook", action, target="thug", code="3D", dice=(2, 3))).one(ActionPerformed)
    assert (performed.left, performed.skill) == (1 + (action == "drop"), next(iter(ACTIONS[action].skills), ""))
    own = not {"dodge", "brawling"}.isdisjoint(ACTIONS[action].skills)
    if own:
        assert fight.when(Perform("rook", action, dice=(1, 2, 3))).one(ActionPerformed).roll.code == "4D"
        return
    without = fight.when(Perform("rook", action))
    if ACTIONS[action].rolls == "maybe":
        assert without.one(ActionPerformed).roll is None
    else:
        without.raises("code_missing", "RD6-LIST-01")


def test_the_error_for_an_unlisted_action_suggests_the_nearest() -> None:
    """RD6-LIST-01: other actions are done with `use`."""
    error = patrol(ROOK, actions=1).when(Perform("rook", "doge")).raises("unknown_action", "RD6-LIST-01")
    assert '"dodge"' in error.sentence
    result = patrol(ROOK, actions=1).when(Perform("rook", "use", "climbing", "3D", what="up the wall", dice=(1, 2, 3)))
    assert result.one(ActionPerformed).what == "up the wall"


def test_an_action_cannot_target_its_actor_or_somebody_gone() -> None:
    """RD6-LIST-01: a skill may be used on oneself."""
    fight = patrol(ROOK, THUG, actions=2)
    fight.when(Perform("rook", "punch", target="rook")).raises("bad_target", "RD6-LIST-01")
    fight.when(Perform("rook", "use", target="rook", what="a bandage")).one(ActionPerformed)
    fight.after(Adjust("falls", condition={"thug": "dead"}))
    fight.when(Perform("rook", "punch", target="thug")).raises("out_of_fight", "RD6-LIST-01")
