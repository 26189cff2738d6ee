"""Aiming: its bonus, and what ends it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Aim,
    Attack,
    Body,
    Command,
    Counterattack,
    Dismount,
    Drop,
    Evade,
    Hold,
    Join,
    Manipulate,
    Mount,
    Move,
    Parry,
    Release,
    Resolve,
    Rest,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.errors import CommandHint
from mam_events.events import (
    AimTaken,
    AttackRolled,
    HitPointsSpent,
    PositionChanged,
)
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, with_pools
from tests.rules.maneuvering.positions import (
    ARMED,
    FIRST,
    NEXT,
    SHOT,
    STRIKE,
    THREE,
    fight_with_positions,
    position_modifiers,
    resolve,
)
from tests.spec import given


@pytest.mark.parametrize("position", ["aiming_standing", "clinch", "dominant_standing"])
def test_a_strategic_attack_is_refused_while_aiming_or_grappling(position: str) -> None:
    """MAM-POS-01."""
    partner = "" if position == "aiming_standing" else "clone"
    fight = fight_with_positions(("modre", position, partner))
    fight.when(replace(STRIKE, mode="strategic")).raises("wrong_position", "MAM-POS-01")
    fight.when(STRIKE).all()


def test_aiming_helps_only_the_next_shot() -> None:
    """MAM-POS-02."""
    given(*THREE).when(Aim("modre", "gun")).then(
        AimTaken("modre", "gun", "aiming_standing"),
        HitPointsSpent("modre", "action", 0, 1, Pools(ready=5, other_used=1)),
    )
    result = resolve(given(*THREE, Aim("modre", "gun")), SHOT)
    assert position_modifiers(result.one(AttackRolled)) == 5
    assert result.one(PositionChanged) == PositionChanged("modre", "aiming_standing", "standing", "shot")
    struck_result = resolve(given(*THREE, Aim("modre", "gun")), STRIKE)
    assert position_modifiers(struck_result.one(AttackRolled)) == 0
    assert not struck_result.all(PositionChanged)


def test_aiming_is_possible_on_the_ground() -> None:
    """MAM-POS-02."""
    fight = given(*THREE, Drop("modre"), Aim("modre", "gun"))
    result = resolve(fight, SHOT)
    assert position_modifiers(result.one(AttackRolled)) == 5
    assert result.one(PositionChanged).position == "on_ground"


def test_only_a_missile_weapon_can_be_aimed() -> None:
    """MAM-POS-02."""
    given(*THREE).when(Aim("modre", "ice-blade")).raises("not_missile")
    given(*THREE).when(Aim("modre", "bow")).raises("unknown_weapon")
    given(*THREE, Aim("modre", "gun")).when(Aim("modre", "gun")).raises("wrong_position")


def test_moving_and_wounds_end_aiming() -> None:
    """MAM-POS-02."""
    event = given(*THREE, Aim("modre", "gun")).when(Move("modre", points=1)).one(PositionChanged)
    assert event == PositionChanged("modre", "aiming_standing", "standing", "move")
    strong = replace(CLONE, body=Body(power=1, attack=9))
    fight = given(ARMED, strong, *FIRST, Aim("modre", "gun"), *NEXT)
    result = resolve(fight, Attack("clone", "modre", power=1))
    assert result.one(PositionChanged) == PositionChanged("modre", "aiming_standing", "standing", "wound")


AIMING = (*THREE, Aim("modre", "gun"))
AIMS_NO_MORE = PositionChanged("modre", "aiming_standing", "standing", "other")


@pytest.mark.parametrize(
    "order", [STRIKE, replace(STRIKE, mode="powerful"), Manipulate("modre", "clone", "body", points=1), Rest("modre")]
)
def test_another_action_ends_aiming(order: Command) -> None:
    """MAM-POS-01: one position at a time, and the new one ends the old."""
    assert given(*AIMING).when(order).one(PositionChanged) == AIMS_NO_MORE


def test_another_reaction_ends_aiming() -> None:
    """MAM-POS-01."""
    fight = given(*AIMING, *NEXT, Attack("clone", "modre", power=1))
    counter = Counterattack("modre", fight.ruling, "ice-blade", power=1)
    assert fight.when(counter).one(PositionChanged) == AIMS_NO_MORE
    assert fight.when(Parry("modre", fight.ruling, "ice-blade")).one(PositionChanged) == AIMS_NO_MORE
    assert not fight.when(Parry("modre", fight.ruling, "gun")).all(PositionChanged)


@pytest.mark.parametrize("order", [Evade("modre"), replace(STRIKE, evade=True), Mount("modre", "horse")])
def test_evading_and_mounting_end_aiming(order: Command) -> None:
    """MAM-MNV-01: "By moving defensively"."""
    fight = given(Join("horse", hp=9, training="trained"), *AIMING)
    event = PositionChanged("modre", "aiming_standing", "standing", "move")
    assert fight.when(order).one(PositionChanged) == event
    if isinstance(order, Mount):
        fight.after(order, Aim("modre", "gun"))
        assert fight.when(Dismount("modre")).one(PositionChanged) == event


def test_aiming_another_weapon_ends_the_first_aim() -> None:
    """MAM-POS-01: the first aim ends."""
    bow = Weapon("bow", name="Bow", kind="bow", range=Decimal(60))
    fight = given(replace(ARMED, weapon=(*ARMED.weapon, bow)), CLONE, *FIRST, Drop("modre"), Aim("modre", "gun"))
    assert fight.when(Aim("modre", "bow")).one(AimTaken) == AimTaken("modre", "bow", "aiming_on_ground")
    assert fight.when(Aim("modre", "bow"))["modre"].status.aiming == "bow"


def test_aiming_can_be_stopped_to_allow_a_strategic_attack() -> None:
    """MAM-POS-01: "a character cannot do a strategic attack while aiming", but need not aim on."""
    stop, strategic = Aim("modre", "gun", stop=True), replace(STRIKE, mode="strategic")
    fight = given(*AIMING)
    error = fight.when(strategic).raises("wrong_position", "MAM-POS-01")
    assert error.hints == (CommandHint("aim", {"combatant": "modre", "weapon": "gun", "stop": True}),)
    fight.when(replace(stop, points=1)).raises("exceeds_maximum")
    fight.when(stop).then(PositionChanged("modre", "aiming_standing", "standing", "stopped"))
    templates = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    assert [field.choices for offer in templates if offer.do == "aim" for field in offer.fields if field.name == "stop"]
    fight.after(stop).when(strategic).all()
    given(*THREE).when(stop).raises("wrong_position", "MAM-POS-01")


@pytest.mark.parametrize("holder", ["modre", "clone"])
def test_grapplers_cannot_take_a_stance_or_aim(holder: str) -> None:
    """MAM-POS-01: "a character cannot do a strategic attack while aiming or grappling", whatever position was taken."""
    held = {"modre": "clone", "clone": "modre"}[holder]
    fight = given(*THREE, Adjust("a grip", hold=(Hold(holder, "grip", 0, held=held),)))
    for order in (
        Aim("modre", "gun"),
        Rest("modre"),
        replace(STRIKE, mode="strategic"),
        replace(SHOT, mode="cautious"),
    ):
        fight.when(order).raises("grappling", "MAM-POS-01")
    fight.when(STRIKE).all()
    fight.after(Release(holder, "grip")).when(Aim("modre", "gun")).all()


def test_being_held_ends_aiming() -> None:
    """MAM-POS-01."""
    result = given(*THREE, Aim("modre", "gun")).when(Adjust("a grip", hold=(Hold("clone", "grip", 0, held="modre"),)))
    assert result.one(PositionChanged) == PositionChanged("modre", "aiming_standing", "standing", "grappling")


def test_in_speed_rules_resting_and_aiming_are_the_action_of_the_turn() -> None:
    """MAM-POS-02, MAM-POS-04."""
    for order in (Rest("modre"), Aim("modre", "gun"), Drop("modre")):
        given(*THREE, order, preset="mam_speed").when(Attack("modre", "clone")).raises("one_action")


def test_in_d20_rules_resting_recovers_stun_and_wounds_end_aiming() -> None:
    """MAM-POS-02, MAM-POS-04."""
    tough = replace(CLONE, body=Body(power=3, attack=9))
    fight = given(with_pools(ARMED, ready=5, stun=1), tough, *FIRST, preset="mam_d20")
    assert fight.when(Rest("modre"))["modre"].pools == Pools(ready=5, other_used=1)
    fight.after(Aim("modre", "gun"), *NEXT, Attack("clone", "modre"))
    result = fight.when(Resolve(fight.ruling, attack_die=15))
    assert result.one(PositionChanged) == PositionChanged("modre", "aiming_standing", "standing", "wound")
