"""Modifiers of the game master: each with a name and a side, and any number of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Check,
    Command,
    Contest,
    Counterattack,
    Declare,
    DeclaredOutcome,
    Defend,
    Drop,
    EndTurn,
    Heal,
    Initiative,
    InstantStand,
    Interfere,
    Manipulate,
    Parry,
    Perform,
    PrepareCounterattack,
    Ram,
    Resolve,
    Roll,
    RollInitiative,
    RollRelated,
    Round,
    Stalk,
    StayMounted,
    Tackle,
    TakesGmModifiers,
    read_command,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.errors import BadInput
from mam_events.events import CodeRoll, CodeRolled, Event, RollMade, SituationRuled
from mam_events.rules.rolls.dice_codes import read_code
from mam_events.rules.rulebook import rulebook
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.rules.fights.mounts import CRASH, STRUCK
from tests.rules.fights.rounds import ANN, BERT
from tests.rules.fights.speed import BIRK, RIVAL
from tests.spec import CommandResult, admits, given

TOLD = ("+2 outreached", "-1 smoke")
HIT = Attack("modre", "clone", "ice-blade", power=1, modifier=1)
"""Ruling 6, behind DUEL."""


def gm_modifiers(roll: Any) -> list[tuple[str, int]]:
    """Return the modifiers of a roll that come from the game master, not from a rule."""
    return [(modifier.name, modifier.value) for modifier in roll.modifiers if not modifier.rule]


def rolls(result: CommandResult) -> dict[str, RollMade]:
    """Return the rolls of an exchange, by combatant."""
    return {roll.combatant: roll for roll in result.all(RollMade)}


def test_named_modifiers_add_up_for_attack_and_defense() -> None:
    """MAM-ROLL-01: two of one side both count, unlike circumstances."""
    plain_result = given(*DUEL, HIT).when(Resolve(6, 3, 4))
    attack = replace(HIT, situation=(*TOLD, "clone +3 high ground"))
    result = given(*DUEL, attack).when(Resolve(6, 3, 4))
    rolls_by_slot, before = rolls(result), rolls(plain_result)
    assert gm_modifiers(rolls_by_slot["modre"]) == [("outreached", 2), ("smoke", -1)]
    assert gm_modifiers(rolls_by_slot["clone"]) == [("high ground", 3)]
    assert {name: rolls_by_slot[name].total - before[name].total for name in rolls_by_slot} == {"modre": 1, "clone": 3}


def test_modifiers_can_be_given_with_the_dice_for_each_roller() -> None:
    """MAM-ROLL-01: they are given before any die is drawn."""
    result = given(*DUEL, HIT).when(Resolve(6, 3, 4, situation=("modre -4 blood in the eyes", "clone 1 braced")))
    assert [gm_modifiers(roll) for roll in result.all(RollMade)] == [[("blood in the eyes", -4)], [("braced", 1)]]
    assert result.events[:2] == (
        SituationRuled(6, "modre", -4, "blood in the eyes"),
        SituationRuled(6, "clone", 1, "braced"),
    )


def test_modifiers_raise_a_fixed_defense() -> None:
    """MAM-ATK-04, `defense_resolution`."""
    fight = given(*DUEL, HIT, rules={"defense_resolution": "fixed_difficulty"})
    totals = [
        rolls(fight.when(Resolve(6, 3, situation=situation)))["clone"].total
        for situation in ((), ("clone +3 behind the table",))
    ]
    assert totals[1] - totals[0] == 3


@pytest.mark.parametrize(
    "reaction",
    [
        Defend("clone", 6, points=1),
        Parry("clone", 6),
        Counterattack("clone", 6, power=1),
        Interfere("clone", 6, 6, points=1),
        Tackle("clone", 6, 6, points=1),
    ],
    ids=lambda order: type(order).__name__,
)
def test_a_reaction_can_carry_modifiers_for_both_rolls(reaction: Any) -> None:
    """MAM-INTF-03."""
    order = replace(reaction, situation=("+2 outreached", "modre -1 off balance"))
    rolls_by_slot = rolls(given(*DUEL, HIT, order).when(Resolve(6, 3, 4)))
    assert gm_modifiers(rolls_by_slot["clone"]) == [("outreached", 2)]
    assert gm_modifiers(rolls_by_slot["modre"]) == [("off balance", -1)]


def test_each_of_two_interferences_has_its_own_modifiers() -> None:
    """MAM-INTF-01."""
    act = Act("modre", "works the machine", points=2)
    orders = [Interfere("clone", 7, 7, points=1, situation=(text,)) for text in ("+1 first", "+2 second")]
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), act, *orders)
    all_rolls = fight.when(Resolve(7, 1, interference_die={"8": 3, "9": 3}, situation=("clone +4 both",))).all(RollMade)
    assert [gm_modifiers(roll) for roll in all_rolls] == [[], [("first", 1), ("both", 4)], [("second", 2), ("both", 4)]]


def test_both_sides_of_a_simultaneous_exchange_have_their_modifiers() -> None:
    """MAM-ATK-12, `pool_counterattack`: one die counts for both."""
    house = {"pool_counterattack": "simultaneous_exchange"}
    fight = given(*DUEL, HIT, Counterattack("clone", 6, power=1), rules=house)
    for situation, hits in (((), 1), (("clone +9 behind a shield",), 0)):
        result = fight.when(Resolve(6, 4, 1, situation=situation))
        assert (result["clone"].pools.stun + result["clone"].pools.damage > 0) is bool(hits)


def test_modifiers_of_an_attack_wait_for_a_counterattack_before_it() -> None:
    """MAM-CTR-02."""
    waiting = (BIRK, RIVAL, Initiative(circumstance="birk"), BeginTurn("birk"), PrepareCounterattack("birk"))
    attack = Attack("rival", "birk", "sword", situation=("+2 out of the sun",))
    fight = given(*waiting, BeginTurn("rival"), attack, preset="mam_speed")
    fight.after(Attack("birk", "rival", situation=("-5 surprised",)))
    assert gm_modifiers(fight.when(Resolve(9, 3)).all(RollMade)[0]) == [("surprised", -5)]
    fight.after(Resolve(9, 3), EndTurn("birk"))
    assert gm_modifiers(fight.when(Resolve(8, 3)).all(RollMade)[0]) == [("out of the sun", 2)]


def test_a_declared_outcome_discards_the_modifiers_of_its_exchange() -> None:
    """MAM-ATK-04."""
    fight = given(*DUEL, replace(HIT, situation=TOLD), Adjust("no", outcome=DeclaredOutcome(6, "fail")))
    fight.after(HIT)
    assert gm_modifiers(rolls(fight.when(Resolve(fight.ruling, 3, 4)))["modre"]) == []


@pytest.mark.parametrize(
    ("history", "order"),
    [
        ((MODRE, CLONE), Check("modre", 12, die=9)),
        ((MODRE, CLONE), Contest("modre", "clone", die=9)),
        ((with_pools(MODRE, ready=5, damage=1),), Heal("modre", die=3, opposing_die=2)),
        ((*DUEL, Drop("modre")), InstantStand("modre", die=3, opposing_die=2)),
        (STRUCK, StayMounted("ana", die=9)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Command) else "",
)
def test_every_success_roll_can_have_modifiers(history: tuple[Command, ...], order: Any) -> None:
    """MAM-ROLL-01, MAM-CONT-01, MAM-REST-02, MAM-MNV-05, MAM-MNT-01."""
    fight = given(*history)
    plain, roll_event = (
        next(
            event for event in fight.when(replace(order, situation=situation)).all(Event) if hasattr(event, "rolls")
        ).rolls[0]
        for situation in ((), TOLD)
    )
    assert gm_modifiers(roll_event) == [("outreached", 2), ("smoke", -1)]
    assert roll_event.total - plain.total == 1


def test_modifiers_of_the_opponent_raise_the_difficulty() -> None:
    """MAM-CONT-01, MAM-CONT-02, MAM-SURP-01."""
    contest = Contest("modre", "clone", tie="both_ways", die=9, opponent_die=9, situation=("clone +3 angry",))
    ours, theirs = given(MODRE, CLONE).when(contest).all()[0].rolls
    assert (ours.against, theirs.total) == (13, 12)
    stalk = Stalk("birk", "rival", die=9, situation=("rival +4 a barking dog",))
    assert given(BIRK, RIVAL, preset="mam_speed").when(stalk).all()[0].rolls[0].against == 14


def test_rolls_of_dice_codes_can_have_modifiers() -> None:
    """RD6-LIST-01, RD6-REL-01, RD6-FREE-02, RD6-INIT-01."""
    fight = given(ANN, BERT, Round(), preset="ron_d6", drawn=[2] * 99)
    order = RollInitiative(("ann", "bert"), situation=("ann +2 awake", "ann -1 smoke"))
    assert [gm_modifiers(event.roll) for event in fight.when(order).all(CodeRolled)] == [
        [("awake", 2), ("smoke", -1)],
        [],
    ]
    fight.after(replace(order, situation=("ann +9 awake",)), Declare("ann", 3))
    for command in (
        Perform("ann", "punch", code="4D", difficulty=9, situation=TOLD),
        RollRelated("ann", "search", 6, "brawling", code="4D", situation=TOLD),
        Roll("ann", "resistance", code="4D", situation=TOLD),
    ):
        roll = fight.when(command).one(CodeRolled).roll
        assert gm_modifiers(roll) == [("outreached", 2), ("smoke", -1)]
        assert roll.total == sum(one.die.face for one in roll.dice) + 1
    fight.when(Perform("ann", "communicate", situation=TOLD)).raises("dice_idle")
    fight.when(Perform("ann", "punch", target="bert", code="4D", situation=("bert +2 x",))).raises("not_rolling")


def test_a_modifier_can_be_in_dice_for_a_dice_code() -> None:
    """RD6-LIST-01, RD6-MAP-06: they add to or reduce the code, beside the dice that several actions cost."""
    fight = given(ANN, BERT, Round(), preset="ron_d6", drawn=[2] * 99)
    order = RollInitiative(("ann", "bert"), situation=("ann +2D awake", "bert +1D noise", "bert +1 a bell"))
    ann, bert = (event.roll for event in fight.when(order).all(CodeRolled))
    assert ann is not None
    assert bert is not None
    assert [(one.name, one.dice) for one in (*ann.dice_modifiers, *bert.dice_modifiers)] == [
        ("awake", 2),
        ("noise", 1),
    ]
    assert gm_modifiers(bert) == [("a bell", 1)]
    assert (len(ann.dice), len(bert.dice)) == (dice_in(ann) + 2, dice_in(bert) + 1)
    fight.when(replace(order, situation=("ann -9D asleep",))).raises("reduced_to_zero")
    fight.after(replace(order, situation=("ann +9 awake",)), Declare("ann", 3))
    for command in (
        Perform("ann", "punch", code="4D", difficulty=9, situation=("-1D called shot",)),
        RollRelated("ann", "search", 6, "brawling", code="4D", situation=("-1D called shot",)),
        Roll("ann", "resistance", code="4D", situation=("-1D called shot",)),
    ):
        roll = fight.when(command).one(CodeRolled).roll
        assert roll.total == sum(one.die.face for one in roll.dice)
        assert len(roll.dice) == 4 - roll.penalty - 1
        error = fight.when(replace(command, situation=(f"-{4 - roll.penalty}D called shot",))).raises("reduced_to_zero")
        assert f"minus {4 - roll.penalty}D for the situation leaves no dice" in error.sentence
        assert len(fight.when(replace(command, situation=("+3D luck",))).one(CodeRolled).roll.dice) == 7 - roll.penalty


def dice_in(roll: CodeRoll) -> int:
    """Return the number of dice in the code, before any are subtracted."""
    return read_code(roll.code).dice


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (replace(HIT, situation=("-1D called shot",)), "no_code_rolled"),
        (replace(HIT, situation=("oda +2 outreached",)), "unknown_combatant"),
        (replace(HIT, situation=("sentry +2 outreached",)), "not_rolling"),
        (replace(HIT, situation=("+0 nothing",)), "idle_situation"),
        (Check("modre", attempt="certain", situation=TOLD), "idle_situation"),
        (Check("modre", situation=("clone +2 jealous",)), "not_rolling"),
    ],
)
def test_a_modifier_that_counts_for_no_roll_is_refused(order: Command, code: str) -> None:
    """MAM-ROLL-01."""
    error = given(*duel_orders(MODRE, CLONE, SENTRY)).when(order).raises(code)
    assert code == "unknown_combatant" or error.fields == ("situation",)


def test_modifiers_given_with_the_dice_must_name_the_roller() -> None:
    """MAM-ROLL-01."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), HIT)
    assert "modre +2 outreached" in fight.when(Resolve(7, 3, 4, situation=TOLD)).raises("whose_roll").sentence
    other = fight.when(Resolve(7, 3, 4, situation=("sentry +2 far away",))).raises("not_rolling")
    assert other.sentence == "Sentry makes no roll here. These do: Modre, Clone."
    solo_fight = given(*DUEL, Act("modre", "sings", points=1))
    for situation in ("modre +2 in tune", "+2 in tune"):
        error = solo_fight.when(Resolve(6, situation=(situation,))).raises("not_rolling")
        assert error.sentence == 'Nobody makes a roll here. Leave "in tune" out.'


@pytest.mark.parametrize("text", ["outreached", "+2", "+2 ", "2", "modre outreached", "+2  outreached", "+2 a\x1bb"])
def test_a_modifier_needs_a_number_and_a_reason(text: str) -> None:
    """MAM-ROLL-01."""
    order = {"do": "attack", "attacker": "modre", "target": "clone", "situation": [text]}
    with pytest.raises(BadInput):
        read_command(order)


def test_every_command_with_a_die_offers_modifiers() -> None:
    """MAM-ROLL-01: a command with a face is a roll, and every roll can be harder or easier."""
    dice = {"die", "attack_die", "dice"}
    for edition in ("mam_pools", "mam_speed", "ron_d6"):
        for command in rulebook().ruleset(edition).edition.mechanics:
            if dice & set(command.__struct_fields__) and command.__name__ not in ("Spend", "ThrowDie"):
                assert issubclass(command, TakesGmModifiers), command
    templates = [one for one in legal_commands(given(*DUEL).state, given(*DUEL).ruleset) if isinstance(one, Template)]
    assert any(admits(template, replace(HIT, situation=TOLD)) for template in templates)


@pytest.mark.parametrize(
    ("fight", "order"),
    [(DUEL, Manipulate("modre", "clone", points=1)), (CRASH[:-2], CRASH[-2])],
)
def test_manipulations_and_rams_can_have_modifiers(fight: tuple[Command, ...], order: Any) -> None:
    """MAM-MNP-01, MAM-VEH-02: a ram is rolled for the vehicle, whoever drives."""
    assert isinstance(order, Manipulate | Ram)
    modified_fight = given(*fight, replace(order, situation=("+2 a clear road",)))
    result = modified_fight.when(Resolve(modified_fight.ruling, 3, 4))
    assert gm_modifiers(result.all(RollMade)[0]) == [("a clear road", 2)]
