"""Success rolls: who can roll, difficulties, automatic successes, and half successes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Act, Adjust, Attack, BeginTurn, Check, Close, Command, EndTurn, Resolve
from mam_events.dice import Die
from mam_events.events import CombatantJoined, Modifier, RoundEnded, SuccessRoll, SuccessRolled
from tests.fighters import CLONE, DUEL, MODRE, PRINTED_FIGHT
from tests.spec import given

HIT = Attack("modre", "clone", "ice-blade", power=1, modifier=1)


def outcome(command: Check, rules: dict[str, str] | None = None) -> str:
    result: str = given(MODRE, CLONE, rules=rules).when(command).one(SuccessRolled).outcome
    return result


def test_a_roll_succeeds_if_greater_and_records_its_modifiers() -> None:
    """MAM-ROLL-01."""
    check = Check("modre", 12, what="leap", modifier=3, difficulty_modifier=1, circumstance=("hostile",), die=15)
    given(MODRE).when(check).then(
        SuccessRolled(
            (
                SuccessRoll(
                    "modre",
                    "check",
                    Die("3/check.modre/0/d20", "d20", 15, "thrown"),
                    15,
                    (Modifier("modifier", 3, "MAM-ROLL-01"),),
                    18,
                    12,
                    (
                        Modifier("difficulty modifier", 1, "MAM-ROLL-01"),
                        Modifier("hostile circumstances", 4, "MAM-CIRC-01"),
                    ),
                ),
            ),
            "modre",
            "leap",
            "chance",
            "full",
        )
    )
    assert outcome(replace(check, die=14), {"half_success": "never"}) == "fail"


def test_a_natural_20_succeeds_and_a_natural_1_does_not_fail() -> None:
    """MAM-ROLL-02."""
    assert outcome(Check("modre", 30, modifier=-5, die=20)) == "full"
    assert outcome(Check("modre", 30, die=19)) == "fail"
    assert outcome(Check("modre", 15, modifier=15, die=1)) == "full"


def test_a_natural_20_of_a_check_does_not_depend_on_the_option() -> None:
    """MAM-ROLL-02."""
    for scope in ("off", "attacker_only", "either_side"):
        assert outcome(Check("modre", 50, die=20), {"automatic_success_in_opposed_rolls": scope}) == "full"


@pytest.mark.parametrize(("attempt", "expected"), [("certain", "full"), ("impossible", "fail")])
def test_a_certain_or_impossible_attempt_is_not_rolled(attempt: Any, expected: Any) -> None:
    """MAM-ROLL-03."""
    check = Check("modre", 5, attempt=attempt)
    given(MODRE).when(check).then(SuccessRolled((), "modre", "", attempt, expected))
    assert given(MODRE).when(replace(check, die=20)).raises("idle_die", "MAM-ROLL-03").fields == ("die",)
    given(MODRE).when(replace(check, kind="d6", confirmation_die=6)).raises("idle_die", "MAM-ROLL-03")


@pytest.mark.parametrize(
    ("reading", "expected"), [("exact_tie", "half"), ("never", "fail"), ("one_of_two_rolls", "fail")]
)
def test_an_option_makes_meeting_the_difficulty_half_a_success(reading: str, expected: str) -> None:
    """MAM-ROLL-04, option `half_success_scope`: by default only a greater total succeeds."""
    rules = {"half_success": reading}
    assert outcome(Check("modre", 12, die=12), rules) == "fail"
    assert outcome(Check("modre", 12, die=12), {**rules, "half_success_scope": "every_roll"}) == expected


def test_half_a_success_has_half_the_effect() -> None:
    """MAM-ROLL-05: power 5 is 2 stun and 3 damage, and half of it 1 and 2."""

    def taken(attack_die: int) -> tuple[int, int]:
        blow = (*DUEL, Attack("modre", "clone", "ice-blade", power=2, modifier=1))
        pools = given(*blow).when(Resolve(6, attack_die, defense_die=4))["clone"].pools
        return pools.stun, pools.damage

    assert [taken(3), taken(2), taken(1)] == [(2, 3), (1, 2), (0, 0)]


def test_a_check_is_possible_in_any_turn_and_during_an_exchange() -> None:
    """MAM-ROLL-01."""
    assert outcome(Check("clone", die=11)) == "full"
    result = given(*DUEL, HIT).when(Check("clone", die=11))
    assert result.one(SuccessRolled).outcome == "full"
    assert result.state.exchange is not None
    assert result["clone"].pools == given(*DUEL, HIT).state.combatants["clone"].pools


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (Check("modern", 5), "unknown_combatant"),
        (Check("modre", "herd"), "unknown_difficulty"),
        (Check("modre", 5, against=0), "two_difficulties"),
        (Check("modre", 5, die=21), "impossible_face"),
        (Check("modre", 5, kind="d8", die=9), "impossible_face"),
        (Check("clone", 5), "out_of_fight"),
    ],
)
def test_an_impossible_check_is_refused_before_any_die(check: Check, code: str) -> None:
    """MAM-ROLL-01."""
    given(MODRE, CLONE, Adjust("he flees", condition={"clone": "out"})).when(check).raises(code)


def test_a_check_is_refused_in_a_closed_encounter() -> None:
    """MAM-ROLL-01."""
    given(MODRE, Close()).when(Check("modre")).raises("encounter_closed")


def test_the_same_rules_apply_to_player_and_non_player_characters() -> None:
    """MAM-GEN-01."""

    def events(history: tuple[Command, ...]) -> list[Any]:
        scene, results = given(), []
        for order in history:
            results += [event for event in scene.when(order).all() if not isinstance(event, CombatantJoined)]
            scene.after(order)
        return results

    swapped = (replace(MODRE, kind="npc"), replace(CLONE, kind="pc"), *PRINTED_FIGHT[2:])
    assert events(swapped) == events(PRINTED_FIGHT)


@pytest.mark.parametrize(("kind", "face"), [("d20", 13), ("d12", 8), ("d10", 7), ("d8", 6), ("d6", 5)])
def test_checks_can_be_rolled_with_any_usual_die(kind: Any, face: int) -> None:
    """MAM-GEN-02."""
    assert outcome(Check("modre", 12, kind=kind, die=face)) == "full"
    assert outcome(Check("modre", 12, kind=kind, die=1)) == "fail"


def test_a_round_ends_after_everybody_has_acted() -> None:
    """MAM-GEN-03."""
    acts = {name: Act(name, "shouts", points=0) for name in ("modre", "clone")}
    first = (*DUEL, acts["modre"], Resolve(6), EndTurn("modre"))
    assert given(*first).state.round_open
    second = (BeginTurn("clone"), acts["clone"], Resolve(10))
    assert given(*first, *second).when(EndTurn("clone")).all(RoundEnded) == [RoundEnded(1)]
