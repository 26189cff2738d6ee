"""Archery: drawn bows, loaded crossbows and guns (MAM-ARC)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    ChangeAction,
    Command,
    Counterattack,
    DeclareCombo,
    DeclaredOutcome,
    Defend,
    DrawBow,
    DropItem,
    EndTurn,
    Initiative,
    Interfere,
    Join,
    Load,
    LowerBow,
    Move,
    Parry,
    PickUpItem,
    PrepareCounterattack,
    Resolve,
    Tackle,
    Unload,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    ActionTaken,
    AttackResolved,
    BowDrawn,
    BowFired,
    BowLowered,
    HitPointsSpent,
    ShotFired,
    WeaponLoaded,
    WeaponUnloaded,
)
from mam_events.state import Weapon
from tests.fighters import CLONE
from tests.rules.fights.archery import LIN, LONGBOW, ROUND, WATCH
from tests.spec import GivenFight, admits, given

PRESETS = ("mam_pools", "mam_speed", "mam_d20")
CROSSBOW = Weapon("crossbow", name="Crossbow", kind="crossbow", power=4, range=Decimal(100))
ARBALEST = replace(CROSSBOW, id="arbalest", name="Arbalest", lever=True, reload=2)
PISTOLS = replace(CROSSBOW, id="pistols", name="Pistols", kind="gun", shots=2)
MARKSWOMAN = replace(LIN, weapon=(LONGBOW, CROSSBOW, ARBALEST, PISTOLS))
DRAW = DrawBow("lin", "longbow")


def first_turn(*orders: Command, preset: str = "mam_pools", rules: dict[str, str] | None = None) -> GivenFight:
    """Return Lin's first turn after these orders of hers, which follow rulings 2 to 5."""
    joined = (MARKSWOMAN, CLONE, WATCH[2] if preset == "mam_pools" else replace(WATCH[2], circumstance="lin"))
    return given(*joined, BeginTurn("lin"), *orders, preset=preset, rules=rules)


def shot(weapon: str = "longbow", preset: str = "mam_pools") -> Attack:
    return Attack("lin", "clone", weapon, modifier=int(preset == "mam_pools"))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_bow_is_drawn_in_one_action_and_shot_in_a_later_one(preset: str) -> None:
    """MAM-ARC-01: drawing and shooting are one action each; then the bow is no longer drawn."""
    fight = first_turn(DRAW, preset=preset)
    assert fight.state.combatants["lin"].status.drawn == "longbow"
    fight.after(*ROUND, shot(preset=preset))
    assert fight.state.combatants["lin"].status.drawn == "longbow"
    dice = (20, None) if preset != "mam_pools" else (6, 1)
    result = fight.when(Resolve(fight.ruling, *dice))
    assert result.one(BowFired) == BowFired("lin", "longbow")
    assert result["lin"].status.drawn == ""


def test_a_declared_outcome_still_shoots_the_arrow() -> None:
    """MAM-ARC-01: a declared outcome ends the exchange like a roll."""
    result = first_turn(DRAW, shot()).when(Adjust("it flies wide", outcome=DeclaredOutcome(7, "fail")))
    assert result.one(BowFired).weapon == "longbow"
    assert result["lin"].status.drawn == ""


def test_drawing_a_bow_costs_a_point_or_the_action() -> None:
    """MAM-ARC-01: like any other action, and the point goes to other used."""
    result = first_turn().when(DRAW)
    assert result.one(BowDrawn) == BowDrawn("lin", "longbow")
    assert result.one(HitPointsSpent).to_other_used == 1
    first_turn().when(replace(DRAW, points=0)).raises("below_required_amount")
    assert first_turn(preset="mam_speed").when(DRAW).one(ActionTaken) == ActionTaken("lin", "draw_bow", "longbow")
    first_turn(DRAW, preset="mam_speed").when(shot(preset="mam_speed")).raises("one_action")


def test_a_bow_must_be_drawn_before_shooting() -> None:
    """MAM-ARC-01."""
    assert "draw-bow" in first_turn().when(shot()).raises("bow_not_drawn", "MAM-ARC-01").sentence
    first_turn().when(LowerBow("lin")).raises("bow_not_drawn", "MAM-ARC-01")
    first_turn(DRAW, shot(), Resolve(7, 1, 6)).when(shot()).raises("bow_not_drawn")


@pytest.mark.parametrize(
    "order",
    [
        Attack("lin", "clone", "body", power=1),
        Act("lin", "shouts"),
        DRAW,
        Load("lin", "pistols"),
        Attack("lin", "clone", "crossbow", power=1, thrown="heave"),
    ],
    ids=str,
)
def test_other_actions_are_refused_with_a_drawn_bow(order: Command) -> None:
    """MAM-ARC-01: it must be shot, or let down, first."""
    error = first_turn(DRAW).when(order).raises("bow_drawn", "MAM-ARC-01")
    assert error.sentence == (
        "Lin holds the Longbow drawn and cannot do that now. Shoot it, let it down (lower-bow) or drop it first."
    )


@pytest.mark.parametrize("preset", PRESETS[1:])
def test_an_archer_may_wait_with_a_drawn_bow_and_only_shoot(preset: str) -> None:
    """MAM-ARC-01, MAM-CTR-01: preparing a counterattack is not an action, but the counterattack is."""
    fight = first_turn(DRAW, *ROUND, preset=preset).after(PrepareCounterattack("lin"), BeginTurn("clone"))
    fight.after(Attack("clone", "lin"))
    fight.when(Attack("lin", "clone", "body")).raises("bow_drawn")
    assert fight.when(shot(preset=preset)).error is None


@pytest.mark.parametrize("mode", ["powerful", "strategic", "cautious"])
def test_a_drawn_bow_can_be_shot_in_any_mode(mode: str) -> None:
    """MAM-ARC-01."""
    attack = replace(shot(), mode=mode)
    assert first_turn(DRAW).when(attack).events[0].terms.mode == mode  # type: ignore[attr-defined]  # it is the declaration


def test_a_drawn_bow_allows_only_defending_and_shooting_as_reactions() -> None:
    """MAM-ARC-01: parrying and interfering are actions, defending is not."""
    fight = first_turn(DRAW, EndTurn("lin"), BeginTurn("clone"), Attack("clone", "lin", power=3))
    attack = fight.ruling
    fight.when(Parry("lin", attack)).raises("bow_drawn")
    fight.when(Counterattack("lin", attack, "body", power=1)).raises("bow_drawn")
    fight.when(Interfere("lin", attack, attack, points=1)).raises("bow_drawn")
    fight.when(Tackle("lin", attack, attack, points=1)).raises("bow_drawn")
    assert fight.when(Defend("lin", attack, 1)).error is None
    fight.after(Counterattack("lin", attack, "longbow", power=1))
    result = fight.when(Resolve(attack, 1, 6))
    assert result.one(BowFired).weapon == "longbow"
    assert result["lin"].status.drawn == ""


def test_an_interfering_shot_needs_a_drawn_bow_or_a_loaded_gun() -> None:
    """MAM-ARC-01, MAM-ARC-02: in interference as in a counterattack."""
    fight = first_turn(EndTurn("lin"), BeginTurn("clone"), Act("clone", "runs for the gate", points=2))
    act = fight.ruling
    shooting = Interfere("lin", act, act, weapon="longbow", modifier=1)
    fight.when(shooting).raises("bow_not_drawn")
    fight.when(replace(shooting, weapon="pistols")).raises("not_loaded", "MAM-ARC-02")
    loaded_fight = first_turn(
        Load("lin", "pistols"), EndTurn("lin"), BeginTurn("clone"), Act("clone", "runs", points=2)
    )
    act = loaded_fight.ruling
    loaded_fight.after(replace(shooting, exchange=act, action=act, weapon="pistols"))
    assert loaded_fight.when(Resolve(act, 1, interference_die={str(act + 1): 6})).one(ShotFired) == ShotFired(
        "lin", "pistols", 1
    )


def test_lowering_a_bow_is_an_action_if_the_option_allows_it() -> None:
    """MAM-ARC-01, option drawn_bow_release."""
    result = first_turn(DRAW).when(LowerBow("lin"))
    assert result.one(BowLowered) == BowLowered("lin", "longbow")
    assert result.one(HitPointsSpent).to_other_used == 1
    fight = first_turn(DRAW, rules={"drawn_bow_release": "forbidden"})
    assert fight.when(LowerBow("lin")).raises("bow_drawn").sentence.endswith("Shoot it or drop it first.")
    assert fight.when(shot()).error is None


def test_an_option_forbids_moving_with_a_drawn_bow() -> None:
    """MAM-ARC-01, option drawn_bow_movement: a move is no action by default."""
    move = Move("lin", points=1)
    assert first_turn(DRAW).when(move).error is None
    first_turn(DRAW, rules={"drawn_bow_movement": "forbidden"}).when(move).raises("bow_drawn")


def test_a_dropped_bow_is_no_longer_drawn() -> None:
    """MAM-ARC-01, MAM-POOL-06: dropping is always possible, even if the bow may not be lowered."""
    fight = first_turn(DRAW, DropItem("lin", "longbow"), rules={"drawn_bow_release": "forbidden"})
    assert fight.when(Act("lin", "runs")).error is None
    fight.after(PickUpItem("lin", "longbow"))
    fight.when(shot()).raises("bow_not_drawn")


def test_an_incapacitated_archer_no_longer_holds_the_bow_drawn() -> None:
    """MAM-ARC-01, MAM-WND-08."""
    fight = first_turn(DRAW, EndTurn("lin"), BeginTurn("clone"), Attack("clone", "lin", power=3))
    grazed = fight.when(Adjust("a graze", outcome=DeclaredOutcome(fight.ruling, "full", damage=8)))
    assert grazed["lin"].status.drawn == "longbow"
    result = fight.when(Adjust("it fells her", outcome=DeclaredOutcome(fight.ruling, "full", damage=9)))
    assert result.one(BowLowered) == BowLowered("lin", "longbow", "fell")


def test_a_bow_stays_drawn_if_the_shot_is_changed() -> None:
    """MAM-ARC-01: a counterattack made the archer change the action."""
    fight = first_turn(DRAW, EndTurn("lin"), BeginTurn("clone"), PrepareCounterattack("clone"), preset="mam_speed")
    fight.after(BeginTurn("lin"), shot(preset="mam_speed"))
    exchange = fight.ruling
    fight.after(EndTurn("clone"), ChangeAction("lin", exchange))
    assert fight.state.combatants["lin"].status.drawn == "longbow"
    fight.when(Attack("lin", "clone", "body")).raises("bow_drawn")
    assert fight.when(shot(preset="mam_speed")).error is None


@pytest.mark.parametrize("preset", PRESETS)
def test_a_loaded_crossbow_allows_other_actions(preset: str) -> None:
    """MAM-ARC-02, MAM-ARC-03: without a lever it is drawn like a bow, and then stays loaded."""
    fight = first_turn(preset=preset)
    fight.when(shot("crossbow", preset)).raises("not_loaded", "MAM-ARC-03")
    result = fight.when(DrawBow("lin", "crossbow"))
    assert result.one(WeaponLoaded) == WeaponLoaded("lin", "crossbow", 1)
    fight.after(DrawBow("lin", "crossbow"), *ROUND)
    assert fight.when(Attack("lin", "clone", "body", modifier=int(preset == "mam_pools"))).error is None
    fight.after(shot("crossbow", preset))
    command_result = fight.when(Resolve(fight.ruling, 1, None if preset != "mam_pools" else 6))
    assert command_result.one(ShotFired) == ShotFired("lin", "crossbow", 0)


def test_a_crossbow_with_a_lever_takes_several_turns_to_load() -> None:
    """MAM-ARC-03: each turn is an action; such a crossbow is not drawn by hand."""
    fight = first_turn()
    fight.when(DrawBow("lin", "arbalest")).raises("not_drawn_by_hand", "MAM-ARC-03")
    load = Load("lin", "arbalest")
    events = []
    for left in (2, 1, 0):
        events.append(fight.when(load).one(WeaponLoaded))
        fight.after(load)
        if left:
            error = fight.when(load).raises("turn_of_loading", "MAM-ARC-03")
            assert f"takes {left} more {'turns' if left > 1 else 'turn'}." in error.sentence
            fight.when(shot("arbalest")).raises("not_loaded")
            fight.after(*ROUND)
    assert events == [WeaponLoaded("lin", "arbalest", loaded, left) for loaded, left in ((0, 2), (0, 1), (1, 0))]
    fight.when(load).raises("already_loaded")
    assert fight.when(shot("arbalest")).error is None


def test_a_combo_has_only_one_turn_of_loading() -> None:
    """MAM-ARC-03: neither points nor speed give more, and the turn of the last shot counts too."""
    load = Load("lin", "arbalest")
    swift = given(
        replace(MARKSWOMAN, speed=Decimal(2)),
        *(CLONE, Initiative(circumstance="lin"), BeginTurn("lin"), DeclareCombo("lin", 2), load),
        preset="mam_speed",
        rules={"quick_action_list": "extended"},
    )
    swift.when(load).raises("turn_of_loading")
    fight = first_turn(load, *ROUND, load, *ROUND, load, shot("arbalest"))
    fight.after(Resolve(fight.ruling, 1, 6)).when(load).raises("turn_of_loading")


def test_a_weapon_without_loading_turns_can_be_loaded_with_each_action() -> None:
    """MAM-ARC-02."""
    fight = first_turn(Load("lin", "pistols"), shot("pistols"), Resolve(7, 1, 6))
    assert fight.when(Load("lin", "pistols")).one(WeaponLoaded) == WeaponLoaded("lin", "pistols", 2)


def test_a_gun_is_loaded_fully_and_can_be_unloaded() -> None:
    """MAM-ARC-02."""
    fight = first_turn()
    fight.when(shot("pistols")).raises("not_loaded", "MAM-ARC-02")
    fight.when(Unload("lin", "pistols")).raises("not_loaded", "MAM-ARC-02")
    fight.after(Load("lin", "pistols"), shot("pistols"), Resolve(7, 1, 6))
    assert fight.state.combatants["lin"].weapon("pistols").loaded == 1  # type: ignore[union-attr]  # she has them
    assert fight.when(Unload("lin", "pistols")).one(WeaponUnloaded) == WeaponUnloaded("lin", "pistols")
    fight.after(Unload("lin", "pistols"))
    fight.when(shot("pistols")).raises("not_loaded")


def test_a_cancelled_shot_keeps_the_bolt() -> None:
    """MAM-ARC-02, MAM-INTF-01: the bolt stays in the crossbow."""
    fighter = replace(MARKSWOMAN, weapon=(replace(CROSSBOW, loaded=1),))
    lined_up = (Initiative(first="lin", reason="agreed"), BeginTurn("lin"), shot("crossbow"))
    fight = given(
        fighter, CLONE, Join("gil", name="Gil", hp=9), *lined_up, Interfere("gil", 7, 7, weapon="body", power=1)
    )
    resolve = Resolve(7, 6, interference_die={"8": 1})
    assert fight.when(replace(resolve, defense_die=1)).all(ShotFired)
    fight.after(Adjust("a fit", condition={"clone": "dead"}))
    assert fight.when(resolve).one(AttackResolved).outcome == "fail"
    assert not fight.when(resolve).all(ShotFired)


def test_an_error_says_how_a_weapon_is_loaded() -> None:
    """MAM-ARC-02, MAM-ARC-03: a gun without a known number of shots needs no loading."""
    fight = given(*WATCH)
    fight.when(Load("lin", "musket")).raises("idle_load")
    assert fight.when(shot("musket")).error is None
    fight.when(DrawBow("lin", "musket")).raises("not_drawn_by_hand")
    first_turn().when(Load("lin", "crossbow")).raises("drawn_by_hand", "MAM-ARC-03")
    first_turn(DrawBow("lin", "crossbow")).when(DrawBow("lin", "crossbow")).raises("already_loaded")
    first_turn().when(DrawBow("lin", "spear")).raises("unknown_weapon")


@pytest.mark.parametrize("preset", PRESETS)
def test_offered_archery_orders_are_exactly_the_legal_ones(preset: str) -> None:
    """MAM-ARC-01 to -03: every accepted order matches a template, and no refused one does."""
    orders = (DRAW, DrawBow("lin", "crossbow"), Load("lin", "arbalest"), Unload("lin", "pistols"), LowerBow("lin"))
    shots = tuple(shot(weapon.id, preset) for weapon in MARKSWOMAN.weapon)
    for history in ((), (DRAW, *ROUND), (DrawBow("lin", "crossbow"), *ROUND), (Load("lin", "pistols"), *ROUND)):
        fight = first_turn(*history, preset=preset)
        templates = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
        for order in (*orders, *shots):
            accepted = fight.when(order).error is None
            assert accepted == any(admits(template, order) for template in templates), (history, order)


def test_combo_points_count_for_a_shot() -> None:
    """MAM-ARC-01: a shot of a combo with points on its modifier needs no point of its own."""
    fight = first_turn(DRAW, *ROUND, DeclareCombo("lin", 1, modifier=2))
    assert fight.when(Attack("lin", "clone", "longbow")).error is None
