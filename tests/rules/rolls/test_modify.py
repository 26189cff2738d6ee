"""Lasting modifiers of the game master: given once, listed at every roll, and ended automatically."""

from __future__ import annotations

import pytest

from mam_events.commands import Act, Attack, BeginTurn, Check, Command, EndTurn, Interfere, Modify, Ready, Resolve
from mam_events.events import (
    ActionRolled,
    AttackRolled,
    DefenseRolled,
    EffectConsumed,
    EvasionTaken,
    InterferenceRolled,
    Modifier,
    ModifierEnded,
    ModifierGiven,
)
from mam_events.state import Effect
from tests.fighters import DUEL
from tests.spec import GivenFight, given, is_offered

OUTREACHED = Modifier("outreached", -2, "")


def attacked(fight: GivenFight, attacker: str, target: str) -> tuple[AttackRolled, DefenseRolled]:
    """Resolve an attack and return both rolls."""
    number = fight.ruling + 1
    fight.after(Attack(attacker, target, "body", modifier=1))
    result = fight.when(Resolve(number, attack_die=3, defense_die=3))
    fight.after(Resolve(number, attack_die=1, defense_die=6))
    return result.one(AttackRolled), result.one(DefenseRolled)


def test_a_modifier_counts_for_every_combat_roll_until_it_is_ended() -> None:
    """MAM-ROLL-01: for attacks and defenses."""
    fight = given(*DUEL)
    fight.when(Modify("clone", "outreached", -2)).then(ModifierGiven("clone", Effect("outreached", -2, "", "combat")))
    fight.after(Modify("clone", "outreached", -2))
    attack, defense = attacked(fight, "modre", "clone")
    assert OUTREACHED in defense.modifiers
    assert OUTREACHED not in attack.modifiers
    fight.after(EndTurn("modre"), BeginTurn("clone"), Ready("clone"))
    attack, defense = attacked(fight, "clone", "modre")
    assert OUTREACHED in attack.modifiers
    assert OUTREACHED not in defense.modifiers
    fight.when(Modify("clone", "outreached", 0)).then(ModifierEnded("clone", "outreached"))
    fight.after(Modify("clone", "outreached", 0))
    assert not fight.state.combatants["clone"].status.effects


@pytest.mark.parametrize(
    ("moment", "steps"),
    [
        ("turn", (EndTurn("modre"), BeginTurn("clone"))),
        ("turn_end", (EndTurn("modre"), BeginTurn("clone"), EndTurn("clone"))),
        ("round", (EndTurn("modre"), BeginTurn("clone"), EndTurn("clone"), BeginTurn("modre"))),
    ],
)
def test_a_modifier_ends_at_the_chosen_moment(moment: str, steps: tuple[Command, ...]) -> None:
    """The last of the steps ends it, and no earlier one."""
    fight = given(*DUEL, Modify("clone", "outreached", -2, moment))  # type: ignore[arg-type]  # one of its choices
    fight.after(*steps[:-1])
    assert fight.state.combatants["clone"].status.effects
    assert fight.when(steps[-1]).all(ModifierEnded) == [ModifierEnded("clone", "outreached")]


def test_a_modifier_for_one_roll_counts_once() -> None:
    fight = given(*DUEL, Modify("clone", "off balance", -1, "roll"), Attack("modre", "clone", "body", power=1))
    result = fight.when(Resolve(7, attack_die=3, defense_die=3))
    assert Modifier("off balance", -1, "") in result.one(DefenseRolled).modifiers
    assert result.one(EffectConsumed) == EffectConsumed("clone", "off balance", -1, 7)
    assert not result["clone"].status.effects


def test_a_modifier_for_the_same_reason_replaces_the_earlier_one() -> None:
    fight = given(*DUEL, Modify("clone", "outreached", -2), Modify("clone", "smoke", -1))
    fight.after(Modify("clone", "outreached", -3))
    effects = [(effect.source, effect.value) for effect in fight.state.combatants["clone"].status.effects]
    assert effects == [("smoke", -1), ("outreached", -3)]


def test_a_modifier_does_not_replace_a_rule_effect_of_the_same_name() -> None:
    """MAM-MNV-01: evasion still counts."""
    evading = Effect("evasion", 3, "MAM-MNV-01", turn=9)
    fight = given(*DUEL, Modify("modre", "evasion", -2)).after(EvasionTaken("modre", evading, replaces=True))
    fight.after(Modify("modre", "evasion", -3))
    assert [effect.value for effect in fight.state.combatants["modre"].status.effects] == [3, -3]
    fight.after(Modify("modre", "evasion", 0))
    assert fight.state.combatants["modre"].status.effects == (evading,)


def test_a_modifier_counts_only_for_combat_rolls() -> None:
    """MAM-INTF-01: an act is not a combat roll, an interference is."""
    fight = given(*DUEL, Modify("modre", "smoke", -2), Modify("clone", "smoke", -1), Act("modre", "runs", points=1))
    result = fight.after(Interfere("clone", 8, 8, points=1)).when(Resolve(8, attack_die=3, interference_die={"9": 3}))
    assert Modifier("smoke", -2, "") not in result.one(ActionRolled).modifiers
    assert Modifier("smoke", -1, "") in result.one(InterferenceRolled).modifiers
    assert fight.when(Check("modre", 5, die=9)).error is None


def test_a_modifier_needs_a_reason_and_0_ends_only_an_existing_one() -> None:
    fight = given(*DUEL, Modify("clone", "smoke", -1))
    fight.when(Modify("clone", " ", -1)).raises("no_reason")
    error = fight.when(Modify("clone", "somke", 0)).raises("no_modifier")
    assert error.sentence == (
        'Clone has no lasting modifier called "somke", so 0 has nothing to end. Did you mean "smoke"?'
    )
    fight.when(Modify("nobody", "smoke", -1)).raises("unknown_combatant")
    assert is_offered(fight.state, fight.ruleset, Modify("modre", "smoke", 4, "roll"))
