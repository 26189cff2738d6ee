"""Combatants who are held down by a tackle or a pin (RD6-LIST-tackle, RD6-LIST-pin, RD6-LIST-escape)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from mam_events.commands import (
    Adjust,
    Declare,
    Incapacitate,
    Move,
    MoveUp,
    Perform,
    Recover,
    Result,
    RollInitiative,
    RollRelated,
    Round,
    Wait,
)
from mam_events.events import (
    ActionPerformed,
    CombatantFreed,
    CombatantHeldDown,
    ResultDeclared,
)
from tests.patrol import BRUTE, ROOK, THUG, patrol
from tests.spec import GivenFight


def test_a_tackled_combatant_can_only_speak_or_break_free() -> None:
    """RD6-LIST-tackle, RD6-LIST-pin, RD6-LIST-escape: the pinned combatant can still do that."""
    fight = patrol(THUG, ROOK, actions=2).after(Perform("thug", "tackle", target="rook", dice=(5, 5, 5)))
    fight.when(Result(7, "success")).then(
        ResultDeclared(7, "thug", "tackle", "success"), CombatantHeldDown("rook", "thug")
    )
    fight.after(Result(7, "success"), Declare("rook", 2))
    fight.when(Perform("rook", "punch")).raises("held_down", "RD6-LIST-tackle")
    fight.when(Move("rook", metres=Decimal(1))).raises("held_down", "RD6-LIST-tackle")
    fight.after(Perform("rook", "communicate"), Perform("rook", "escape", code="5D", dice=(5, 5, 5, 5)))
    fight.when(Result(11, "success")).then(
        ResultDeclared(11, "rook", "escape", "success"), CombatantFreed("rook", of="thug")
    )
    pinned = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "pin", target="rook", part="her sleeve", dice=(1,) * 4)
    )
    pinned.after(Result(7, "success"), Declare("rook"), Perform("rook", "communicate"))
    pinned_fight = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "pin", target="rook", dice=(1,) * 4), Result(7, "success")
    )
    assert pinned_fight.state.combatants["rook"].status.held_down_by == ("thug",)
    assert pinned_fight.when(Recover("rook", "let go")).one(CombatantFreed) == CombatantFreed("rook", "let go")
    for gone in (Incapacitate("thug", "a brick"), Adjust("flees", condition={"thug": "out"})):
        assert pinned_fight.when(gone).all(CombatantFreed) == [CombatantFreed("rook", of="thug")]


def tackle_rook(*, actions: int = 3) -> GivenFight:
    """Let Thug tackle Rook with the first of several actions, before Brute acts."""
    dice = (1,) * (5 - actions)
    fight = patrol(THUG, BRUTE, ROOK, actions=actions).after(Perform("thug", "tackle", target="rook", dice=dice))
    return fight.after(Result(8, "success"))


@pytest.mark.parametrize(
    "leaves",
    [
        Move("thug", metres=Decimal(1)),
        Perform("thug", "run_away"),
        Perform("thug", "move", metres=Decimal(9)),
    ],
)
def test_a_combatant_who_moves_away_lets_go(leaves: Move | Perform) -> None:
    """RD6-LIST-tackle: the grip is the attacker's."""
    freed = CombatantFreed("rook", "thug moves away", "thug")
    assert tackle_rook().when(leaves).all(CombatantFreed) == [freed]
    assert not tackle_rook().when(Move("thug", metres=Decimal(0))).all(CombatantFreed)
    assert not tackle_rook().when(Perform("thug", "punch", target="rook", dice=(1, 1))).all(CombatantFreed)


@pytest.mark.parametrize("action", ["leap", "run_away"])
@pytest.mark.parametrize(("outcome", "freed"), [("success", 1), ("failure", 0)])
def test_a_combatant_who_runs_or_leaps_lets_go_when_that_succeeds(action: str, outcome: Any, freed: int) -> None:
    """RD6-ACT-04, RD6-LIST-tackle: the result of the roll is declared after it."""
    fight = tackle_rook()
    assert not fight.when(Perform("thug", action, code="4D", dice=(1, 1))).all(CombatantFreed)
    fight.after(Perform("thug", action, code="4D", dice=(1, 1)))
    assert len(fight.when(Result(fight.ruling, outcome)).all(CombatantFreed)) == freed


@pytest.mark.parametrize("gone", ["out", "dead"])
def test_a_combatant_out_of_the_fight_is_not_held_down(gone: Any) -> None:
    """RD6-LIST-tackle: the tackle may still succeed by a declared result."""
    fight = patrol(THUG, ROOK, actions=2).after(Perform("thug", "tackle", target="rook", dice=(5, 5, 5)))
    fight.after(Adjust("carried off", condition={"rook": gone}))
    fight.when(Result(7, "success")).then(ResultDeclared(7, "thug", "tackle", "success"))


def test_a_combatant_held_down_by_two_escapes_from_one_at_a_time() -> None:
    """RD6-LIST-escape: it ends one hold and not the other."""
    fight = tackle_rook().after(Declare("brute"), Perform("brute", "pin", target="rook", dice=(1,) * 4))
    fight.after(Result(11, "success"))
    assert fight.when(Incapacitate("brute"))["rook"].status.held_down_by == ("thug",)
    fight.after(Declare("rook", 2))
    fight.when(Perform("rook", "escape", code="4D")).raises("target_missing", "RD6-LIST-escape")
    fight.when(Perform("rook", "escape", code="4D", target="rook")).raises("bad_target", "RD6-LIST-escape")
    fight.after(Perform("rook", "escape", code="4D", target="thug", dice=(1, 1, 1)))
    fight.after(Result(14, "success"))
    assert fight.state.combatants["rook"].status.held_down_by == ("brute",)
    fight.after(Perform("rook", "escape", code="4D", dice=(1, 1, 1)), Result(16, "success"))
    assert not fight.state.combatants["rook"].status.held_down_by


def test_a_combatant_who_is_held_down_lets_go() -> None:
    """RD6-LIST-tackle: "no other physical actions"."""
    fight = tackle_rook().after(Declare("brute"), Perform("brute", "tackle", target="thug", dice=(1,) * 4))
    assert fight.when(Result(11, "success")).all(CombatantFreed) == [CombatantFreed("rook", of="thug")]


def test_a_combatant_held_down_may_take_mental_actions() -> None:
    """RD6-LIST-tackle: "no other physical actions other than speak or attempt to break the attacker's grip"."""
    fight = patrol(THUG, ROOK, actions=1).after(
        Perform("thug", "tackle", target="rook", dice=(1,) * 4), Result(7, "success"), Declare("rook", 4)
    )
    fight.when(Perform("rook", "use", "telepathy", "5D", dice=(1, 1))).raises("held_down", "RD6-LIST-tackle")
    fight.when(Perform("rook", "punch", mental=True)).raises("order_idle", "RD6-LIST-tackle")
    for physical in ("drop", "ready", "run_away", "vehicle"):
        fight.when(Perform("rook", physical, code="5D")).raises("held_down", "RD6-LIST-tackle")
    assert fight.when(Perform("rook", "use", "telepathy", "5D", mental=True, dice=(1, 1))).one(ActionPerformed)
    fight.after(RollRelated("rook", "willpower", 2, "brawling", "5D", dice=(1, 1)), Wait("rook"))
    fight.after(Round(), RollInitiative(("thug", "rook"), dice={"thug": (5,), "rook": (1,)}), Declare("thug"))
    fight.after(Perform("thug", "throw", code="1D", dice=(1,)))
    fight.when(MoveUp("rook", "catch")).raises("held_down", "RD6-LIST-tackle")
