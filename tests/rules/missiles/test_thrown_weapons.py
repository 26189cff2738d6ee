"""FixedDice weapons: their range, heaves of two turns, and that they leave the hand (MAM-THR)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginHeave,
    BeginTurn,
    ChangeAction,
    Command,
    DeclareCombo,
    DeclaredOutcome,
    DropItem,
    EndTurn,
    Initiative,
    Move,
    PickUpItem,
    PrepareCounterattack,
    Resolve,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ActionTaken,
    AttackDeclared,
    AttackResolved,
    AttackRolled,
    CombatantJoined,
    Event,
    HeaveBegun,
    HeaveInterrupted,
    HitPointsSpent,
    WeaponThrown,
)
from mam_events.rules.missiles.thrown_weapons import throw_range
from mam_events.state import BODY, Combatant, Item, Pools, Statistics, Weapon
from tests.spec import GivenFight, admits, given

PRESETS = ("mam_pools", "mam_speed", "mam_d20")
JAVELIN = Weapon("javelin", name="Javelin", kind="thrown", power=3, heft=2, throw_reach=Decimal(1))
SLUNG = replace(JAVELIN, id="atlatl-dart", launcher_reach=Decimal(2))
ANCHOR = Weapon("anchor", name="Anchor", power=5, heft=4, unwieldy=True, throw_reach=Decimal("0.5"))
ANVIL = Weapon("anvil", name="Anvil", heft=9)
CLAWS = Weapon("claws", name="Claws", power=2, attached=True)
BARREL = Item("barrel", name="Barrel", encumbrance=1, power=4, heft=5, unwieldy=True)
STOOL = Item("stool", power=1, heft=1)


def thrower(**more: Any) -> Combatant:
    """Return a combatant of hand reach 1, throwing 3 and power 5, with six points to spend."""
    fields: dict[str, Any] = {
        "id": "lin",
        "name": "Lin",
        "side": "heroes",
        "kind": "pc",
        "seat": 0,
        "hp": 9,
        "hp_per_round": 5,
        "stride": Decimal(1),
        "absorption": 0,
        "parry": 0,
        "encumbrance": 0,
        "weapons": (Weapon(BODY, name="Body"), JAVELIN, SLUNG, ANCHOR, ANVIL, CLAWS),
        "equipment": (BARREL, STOOL),
        "pools": Pools(ready=8, other_used=1),
        "statistics": Statistics(power=5, hand_reach=Decimal(1), abilities={"throwing": 3}),
    }
    return Combatant(**fields | more)


LIN = thrower()
CLONE = replace(LIN, id="clone", name="Clone", side="foes", seat=1, weapons=LIN.weapons[:1], equipment=())
ROUND: tuple[Command, ...] = (EndTurn("lin"), BeginTurn("clone"), EndTurn("clone"), BeginTurn("lin"))
FIRST_TURN = {"heave_resolution_turn": "first_turn"}


def first_turn(
    *orders: Command, lin: Combatant = LIN, preset: str = "mam_pools", rules: dict[str, str] | None = None
) -> GivenFight:
    """Return Lin's first turn after these orders of hers, which follow rulings 2 and 3."""
    events: tuple[Event, ...] = (CombatantJoined(lin), CombatantJoined(CLONE))
    first = Initiative(first="lin", reason="she was quicker")
    return given(*events, first, BeginTurn("lin"), *orders, preset=preset, rules=rules)


def throw(weapon: str, throw_mode: str, preset: str = "mam_pools", **more: Any) -> Attack:
    return Attack("lin", "clone", weapon, modifier=int(preset == "mam_pools"), thrown=throw_mode, **more)  # type: ignore[arg-type]  # one of the three


def resolve_throw(fight: GivenFight, preset: str = "mam_pools", face: int = 3) -> Resolve:
    return Resolve(fight.ruling, face, 1 if preset == "mam_pools" else None)


@pytest.mark.parametrize(
    ("weapon", "options", "metres"),
    [
        (JAVELIN, "quick", 6),
        (SLUNG, "quick", 8),
        (JAVELIN, "powerful", 12),
        (SLUNG, "powerful", 14),
        (JAVELIN, "heave", 12),
        (SLUNG, "heave", 12),
        (ANCHOR, "heave", 6),
    ],
)
def test_range_depends_on_strength_weight_and_launcher(weapon: Weapon, options: Any, metres: int) -> None:
    """MAM-THR-01, MAM-THR-02, MAM-THR-03: a heave counts the weapon's own reach, and no launcher."""
    assert throw_range(LIN, weapon, options, first_turn().ruleset) == metres
    if not weapon.unwieldy:
        assert first_turn().when(throw(weapon.id, options)).one(AttackDeclared).terms.range == metres


@pytest.mark.parametrize(
    ("reading", "metres"),
    [("add_once_after_doubling", 14), ("double_with_launcher_then_add", 18), ("double_with_launcher_only", 16)],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_an_option_sets_how_a_launcher_extends_a_powerful_throw(preset: str, reading: str, metres: int) -> None:
    """MAM-THR-02, option powerful_throw_launcher."""
    fight = first_turn(preset=preset, rules={"powerful_throw_launcher": reading})
    event = fight.when(throw("atlatl-dart", "powerful", preset, distance=Decimal(metres))).one(AttackDeclared)
    assert event.terms.range == metres
    fight.when(throw("atlatl-dart", "powerful", preset, distance=metres + Decimal("0.1"))).raises("out_of_range")


def test_without_hand_reach_the_body_reach_counts() -> None:
    """MAM-THR-01."""
    armed = thrower(
        weapons=(Weapon(BODY, name="Body", reach=Decimal("1.5")), JAVELIN),
        statistics=Statistics(power=5, abilities={"throwing": 3}),
    )
    assert throw_range(armed, JAVELIN, "quick", first_turn().ruleset) == 9


def test_an_unwieldy_object_can_only_be_heaved() -> None:
    """MAM-THR-01, MAM-THR-02, MAM-THR-03."""
    first_turn().when(throw("anchor", "quick")).raises("unwieldy", "MAM-THR-01")
    first_turn().when(throw("anchor", "powerful")).raises("unwieldy", "MAM-THR-02")


@pytest.mark.parametrize("mode", ["quick", "powerful", "heave"])
def test_an_object_that_is_too_heavy_cannot_be_thrown(mode: str) -> None:
    """MAM-THR-04: the factor must be above 0; 3 + (5 − 9) = −1."""
    first_turn().when(throw("anvil", mode)).raises("no_range", "MAM-THR-04")
    just_too_heavy = replace(ANVIL, heft=8, launcher_reach=Decimal(3))
    combatant = thrower(weapons=(*LIN.weapons[:1], just_too_heavy))
    assert (
        "is too heavy for"
        in first_turn(lin=combatant).when(throw("anvil", mode)).raises("no_range", "MAM-THR-04").sentence
    )


def test_each_twentieth_of_the_range_makes_a_throw_harder() -> None:
    """MAM-THR-05, MAM-ATK-08: 6 m are steps of 0.3 m; 1.5 m are five of them."""
    fight = first_turn(throw("javelin", "quick", distance=Decimal("1.5")))
    result = fight.when(resolve_throw(fight))
    (harder,) = [modifier for modifier in result.events[1].modifiers if modifier.rule == "MAM-ATK-08"]  # type: ignore[attr-defined]  # a roll
    assert (harder.name, harder.value) == ("1.5 m away", 5)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("mode", ["quick", "powerful", "heave"])
def test_a_thrown_weapon_leaves_the_hand_and_can_be_picked_up(preset: str, mode: str) -> None:
    """MAM-THR-01, MAM-THR-02, MAM-THR-03."""
    fight = first_turn(throw("javelin", mode, preset), preset=preset)
    assert "javelin" not in fight.state.combatants["lin"].dropped
    result = fight.when(resolve_throw(fight, preset))
    assert result.one(WeaponThrown) == WeaponThrown("lin", "javelin", mode)  # type: ignore[arg-type]  # one of the three
    assert result["lin"].dropped == ("javelin",)
    fight.after(resolve_throw(fight, preset), *ROUND)
    fight.when(throw("javelin", mode, preset)).raises("weapon_not_in_hand")
    assert fight.when(PickUpItem("lin", "javelin"))["lin"].dropped == ()


def test_a_throw_cannot_have_another_mode() -> None:
    """MAM-THR-01."""
    first_turn().when(throw("javelin", "quick", mode="strategic")).raises("bad_throw")


@pytest.mark.parametrize("weapon", ["body", "claws"])
@pytest.mark.parametrize("mode", ["quick", "powerful", "heave"])
def test_a_body_part_cannot_be_thrown(weapon: str, mode: str) -> None:
    """MAM-THR-01, MAM-THR-03."""
    first_turn().when(throw(weapon, mode)).raises("bad_throw")


def test_only_a_quick_throw_is_a_quick_action() -> None:
    """MAM-THR-01, MAM-THR-02, MAM-THR-03: also with a launcher."""
    combo = DeclareCombo("lin", 1)
    assert first_turn(combo, preset="mam_speed").when(throw("atlatl-dart", "quick", "mam_speed")).error is None
    for mode in ("powerful", "heave"):
        first_turn(combo, preset="mam_speed").when(throw("atlatl-dart", mode, "mam_speed")).raises("not_quick")


def test_a_powerful_throw_has_double_power() -> None:
    """MAM-THR-02: it is a powerful action; a heave has the power of the object."""
    for mode, power in (("quick", 3), ("powerful", 6), ("heave", 3)):
        fight = first_turn(throw("javelin", mode))
        assert fight.when(resolve_throw(fight, face=6)).one(AttackResolved).power == power


@pytest.mark.parametrize("preset", PRESETS)
def test_a_heave_has_a_modifier_of_minus_three(preset: str) -> None:
    """MAM-THR-03: an object that is not unwieldy is heaved in one turn, as a powerful action."""
    fight = first_turn(throw("javelin", "heave", preset), preset=preset)
    modifiers = fight.when(resolve_throw(fight, preset)).one(AttackRolled).modifiers
    assert [(modifier.name, modifier.value) for modifier in modifiers if modifier.rule == "MAM-THR-03"] == [
        ("heaved", -3)
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_heaving_an_unwieldy_object_takes_two_turns(preset: str) -> None:
    """MAM-THR-03, option heave_resolution_turn: the first turn prepares, the second throws."""
    fight = first_turn(preset=preset)
    attack = throw("anchor", "heave", preset, distance=Decimal(2))
    fight.when(attack).raises("heave_not_begun", "MAM-THR-03")
    started_result = fight.when(BeginHeave("lin", "anchor"))
    assert started_result.one(HeaveBegun) == HeaveBegun("lin", "anchor", 1)
    if preset == "mam_pools":
        assert started_result.one(HitPointsSpent).to_other_used == 1
        fight.when(BeginHeave("lin", "anchor", points=0)).raises("below_required_amount")
        assert "next" in first_turn(BeginHeave("lin", "anchor")).when(attack).raises("heave_not_begun").sentence
    else:
        assert started_result.one(ActionTaken) == ActionTaken("lin", "begin_heave", "anchor")
    fight.after(BeginHeave("lin", "anchor"), *ROUND, attack)
    result = fight.when(resolve_throw(fight, preset))
    assert result.one(WeaponThrown) == WeaponThrown("lin", "anchor", "heave")
    assert result["lin"].status.heaving == ""


def test_any_carried_object_can_be_heaved() -> None:
    """MAM-THR-03: it has the power of the object; only weapons can be thrown in other ways."""
    fight = first_turn(throw("stool", "heave"))
    result = fight.when(resolve_throw(fight, face=6))
    assert result.one(AttackResolved).power == 1
    assert result["lin"].dropped == ("stool",)
    first_turn().when(throw("stool", "quick")).raises("unknown_weapon")
    first_turn().when(throw("stole", "heave")).raises("unknown_item")
    fight = first_turn(BeginHeave("lin", "barrel"), *ROUND, throw("barrel", "heave"))
    result = fight.when(resolve_throw(fight, face=6))
    assert (result.one(AttackResolved).power, result["lin"].carried_encumbrance) == (4, 0)


def test_a_heave_that_needs_no_second_turn_cannot_be_begun() -> None:
    """MAM-THR-03, option heave_resolution_turn."""
    first_turn().when(BeginHeave("lin", "stool")).raises("idle_heave")
    first_turn(rules=FIRST_TURN).when(BeginHeave("lin", "anchor")).raises("idle_heave")
    first_turn().when(BeginHeave("lin", "nothing")).raises("unknown_item")
    first_turn(DropItem("lin", "anchor")).when(BeginHeave("lin", "anchor")).raises("weapon_not_in_hand")
    combatant = thrower(statistics=Statistics(hand_reach=Decimal(1)))
    first_turn(lin=combatant).when(BeginHeave("lin", "anchor")).raises("no_range", "MAM-THR-04")


@pytest.mark.parametrize("preset", PRESETS)
def test_an_option_throws_at_once_and_loses_the_next_turn(preset: str) -> None:
    """MAM-THR-03, option heave_resolution_turn = first_turn: neither a move nor an action is possible in it."""
    fight = first_turn(throw("anchor", "heave", preset), preset=preset, rules=FIRST_TURN)
    result = fight.when(resolve_throw(fight, preset))
    assert result.one(WeaponThrown) == WeaponThrown("lin", "anchor", "heave", lost_turn=2)
    fight.after(resolve_throw(fight, preset), *ROUND)
    points = int(preset == "mam_pools")
    for order in (Act("lin", "shouts"), Move("lin", points, Decimal(1)), Attack("lin", "clone", modifier=points)):
        fight.when(order).raises("turn_lost", "MAM-THR-03")
    assert fight.after(*ROUND).when(Act("lin", "shouts")).error is None


def test_a_slow_thrower_loses_the_next_turn_they_could_use() -> None:
    """MAM-THR-03: at speed ½ the next turn is skipped anyway, so the one after it is lost."""
    combatant = thrower(statistics=replace(LIN.statistics, speed=Decimal("0.5")))
    fight = first_turn(throw("anchor", "heave", "mam_speed"), lin=combatant, preset="mam_speed", rules=FIRST_TURN)
    assert fight.when(resolve_throw(fight, "mam_speed")).one(WeaponThrown).lost_turn == 3
    started_fight = first_turn(BeginHeave("lin", "anchor"), *ROUND, lin=combatant, preset="mam_speed")
    started_fight.when(throw("anchor", "heave", "mam_speed")).raises("must_skip")
    assert started_fight.after(*ROUND).when(throw("anchor", "heave", "mam_speed")).error is None


def test_no_other_action_is_possible_between_the_turns_of_a_heave() -> None:
    """MAM-THR-03: moving is not an action, and dropping the object ends the heave."""
    fight = first_turn(BeginHeave("lin", "anchor"))
    for order in (Act("lin", "shouts"), Attack("lin", "clone", power=1), throw("javelin", "quick")):
        fight.when(order).raises("heaving", "MAM-THR-03")
    assert fight.when(Move("lin", points=1)).error is None
    assert fight.after(DropItem("lin", "anchor")).when(Act("lin", "shouts")).error is None


def test_a_wound_interrupts_a_heave() -> None:
    """MAM-THR-03: by stun as well as by damage."""
    for stun, damage in ((1, 0), (0, 1)):
        fight = first_turn(
            BeginHeave("lin", "anchor"), EndTurn("lin"), BeginTurn("clone"), Attack("clone", "lin", power=1)
        )
        hit = Adjust("a hit", outcome=DeclaredOutcome(fight.ruling, "full", stun=stun, damage=damage))
        assert fight.when(hit).one(HeaveInterrupted) == HeaveInterrupted("lin", "anchor", "a wound")
        fight.after(hit, EndTurn("clone"), BeginTurn("lin"))
        fight.when(throw("anchor", "heave")).raises("heave_not_begun")


def test_dropping_the_object_interrupts_a_heave() -> None:
    """MAM-THR-03: after picking it up the heave must be begun again."""
    fight = first_turn(BeginHeave("lin", "anchor"), DropItem("lin", "anchor"), PickUpItem("lin", "anchor"), *ROUND)
    fight.when(throw("anchor", "heave")).raises("heave_not_begun")


def test_a_heave_not_completed_in_the_next_turn_ends() -> None:
    """MAM-THR-03."""
    fight = first_turn(BeginHeave("lin", "anchor"), *ROUND)
    assert first_turn(BeginHeave("lin", "anchor")).when(EndTurn("lin")).all(HeaveInterrupted) == []
    over = fight.when(EndTurn("lin")).one(HeaveInterrupted)
    assert over == HeaveInterrupted("lin", "anchor", "its second turn went by")


def test_a_wounding_counterattack_interrupts_the_heave() -> None:
    """MAM-CTR-02, MAM-THR-03: the counterattack comes before the throw, while the heave is only begun."""

    def duel_fight() -> GivenFight:
        heave_orders = (BeginHeave("lin", "anchor"), EndTurn("lin"), BeginTurn("clone"), PrepareCounterattack("clone"))
        orders = (BeginTurn("lin"), throw("anchor", "heave", "mam_speed"))
        return first_turn(*heave_orders, *orders, Attack("clone", "lin"), preset="mam_speed")

    fight = duel_fight()
    heave = fight.ruling - 1
    hit = Adjust("it hurts", outcome=DeclaredOutcome(fight.ruling, "full", stun=1))
    assert fight.when(hit).one(HeaveInterrupted).weapon == "anchor"
    missed = Adjust("it does not", outcome=DeclaredOutcome(fight.ruling, "fail"))
    assert duel_fight().after(missed, EndTurn("clone")).when(Resolve(heave, 20)).one(WeaponThrown).weapon == "anchor"
    fight.after(hit, EndTurn("clone")).when(Resolve(heave, 20)).raises("must_change", "MAM-CTR-03")
    assert fight.after(ChangeAction("lin", heave)).state.exchange is None


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("rules", [{}, FIRST_TURN], ids=["second_turn", "first_turn"])
def test_offered_throws_are_exactly_the_legal_ones(preset: str, rules: dict[str, str]) -> None:
    """MAM-THR-01 to -04: every accepted throw matches a template, and no refused one does."""
    things = ("body", "claws", "javelin", "anchor", "anvil", "barrel", "stool")
    throws = [throw(thing, mode, preset) for thing in things for mode in ("quick", "powerful", "heave")]
    orders: list[Command] = [*throws, *(BeginHeave("lin", thing) for thing in things)]
    histories: tuple[tuple[Command, ...], ...] = ((), (DropItem("lin", "anchor"),))
    if not rules:
        histories += ((BeginHeave("lin", "anchor"), *ROUND),)
    for history in histories:
        fight = first_turn(*history, preset=preset, rules=rules)
        templates = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
        for order in orders:
            accepted = fight.when(order).error is None
            assert accepted == any(admits(template, order) for template in templates), (history, order)
