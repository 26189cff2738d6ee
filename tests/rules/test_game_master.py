"""Opening and closing a fight, and the game master's adjustments, which only the impossible stops."""

from __future__ import annotations

from itertools import cycle

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    COMMANDS,
    Act,
    Adjust,
    Attack,
    BeginTurn,
    Close,
    Command,
    DeclaredOutcome,
    Defend,
    EndTurn,
    Hold,
    Initiative,
    Join,
    Move,
    Open,
    PoolMove,
    Resolve,
)
from mam_events.decider.checks import is_allowed
from mam_events.errors import Refused
from mam_events.events import (
    CombatantIncapacitated,
    CombatantJoined,
    ConditionDeclared,
    EncounterClosed,
    EncounterOpened,
    GrappleDeclared,
    OutcomeDeclared,
    PoolsAdjusted,
    RoundStarted,
    TurnDeclared,
    TurnEnded,
    WoundInflicted,
)
from mam_events.rules.rulebook import rulebook
from mam_events.state import EMPTY_ENCOUNTER, Grapple, Item, Pool, Pools, Weapon
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.rules.fights import fights
from tests.spec import given


def test_a_fight_is_opened_once_and_records_its_rules() -> None:
    fight = given(rules={"half_success": "never"})
    fight.when(Open()).raises("already_open")
    assert fight.state.ruleset is not None
    assert fight.state.ruleset.readings["half_success"] == "never"
    opened = EncounterOpened("a duel", fight.ruleset.pinned, "")
    assert (opened.ruleset.preset, len(opened.ruleset.fingerprint)) == ("mam_pools", 64)


@pytest.mark.parametrize(
    ("preset", "rules", "code", "hint"),
    [
        ("mam_pool", {}, "unknown_preset", 'Did you mean "mam_pools"?'),
        ("mam_pools", {"half_succes": "never"}, "unknown_option", 'Did you mean "half_success"?'),
        ("mam_pools", {"half_success": "nevr"}, "unknown_reading", 'Did you mean "never"?'),
    ],
)
def test_an_unknown_house_rule_is_refused(preset: str, rules: dict[str, str], code: str, hint: str) -> None:
    with pytest.raises(Refused) as error:
        rulebook().ruleset(preset, rules)
    assert (error.value.code, error.value.sentence.endswith(hint)) == (code, True)


def test_an_open_attack_can_be_resolved_after_its_turn_was_ended() -> None:
    """MAM-POOL-01: an adjustment ends the turn and not the exchange."""
    fight = given(*DUEL, Attack("modre", "clone", "ice-blade", power=2), Adjust("a bell rings", turn="-"))
    fight.after(Defend("clone", 6, points=2))
    assert fight.when(Resolve(6, attack_die=6, defense_die=1)).one(WoundInflicted).combatant == "clone"


def test_duplicate_names_are_refused() -> None:
    given(*DUEL).when(CLONE).raises("already_joined")
    sword = Weapon("sword")
    given().when(Join("mule", hp=3, weapon=(sword, sword))).raises("duplicate_item")
    given().when(Join("mule", hp=3, weapon=(sword,), item=(Item("sword"),))).raises("duplicate_item")
    given().when(Join("mule", hp=3, weapon=(Weapon("body"),))).raises("duplicate_item")


@pytest.mark.parametrize(("weapon", "most"), [(Weapon("pistol", kind="gun", shots=2), 2), (Weapon("knife"), 0)])
def test_a_weapon_cannot_be_loaded_beyond_its_capacity(weapon: Weapon, most: int) -> None:
    """MAM-ARC-03."""
    mule = Join("mule", hp=3, weapon=(replace(weapon, loaded=most),))
    assert given().when(mule).error is None
    given().when(replace(mule, weapon=(replace(weapon, loaded=most + 1),))).raises("overloaded", "MAM-ARC-03")


def test_joining_without_available_points_means_incapacitated() -> None:
    """MAM-WND-08."""
    result = given().when(with_pools(CLONE, stun=2, damage=4))
    assert [type(event) for event in result.events] == [CombatantJoined, CombatantIncapacitated]


def test_a_closed_fight_refuses_orders() -> None:
    fight = given(*DUEL)
    fight.when(Close(reason="dawn", seed="00")).then(EncounterClosed("00", "dawn"))
    fight.after(Close())
    for order in (
        Close(),
        Join("late", hp=1),
        Move("modre", points=1),
        EndTurn("modre"),
        BeginTurn("clone"),
        Initiative(),
    ):
        fight.when(order).raises("encounter_closed")


@pytest.mark.slow
def test_only_adjustments_stay_legal_in_a_closed_fight() -> None:
    """An adjustment is legal, so that a closed fight can still be put right."""
    tried = set()
    for (option, reading), (orders, rules, preset) in fights().items():
        fight = given(rules={**rules, option: reading}, drawn=cycle((1, 3, 6)), preset=preset)
        for order in orders:
            if isinstance(order, Command) and fight.when(order).error:
                break
            fight.after(order)
            state = replace(fight.state, status="closed")
            for kind, mechanic in fight.ruleset.edition.mechanics.items():
                for offer in mechanic.offers(fight.state, fight.ruleset):
                    if kind is Adjust or not is_allowed(mechanic.check, fight.state, fight.ruleset, offer.least):
                        continue
                    tried.add(kind)
                    with pytest.raises(Refused) as error:
                        mechanic.check(state, fight.ruleset, offer.least)
                    assert error.value.code == "encounter_closed", offer.least
    assert len(tried) > len(COMMANDS) - 10


def test_an_adjustment_moves_points_and_keeps_their_total() -> None:
    """MAM-POOL-01."""
    moves = (PoolMove("clone", "ready", "stun", 2), PoolMove("clone", "stun", "damage", 1))
    given(*DUEL).when(Adjust("a falling stone", move=moves)).then(
        PoolsAdjusted("clone", "ready", "stun", 2, Pools(ready=4, stun=2)),
        PoolsAdjusted("clone", "stun", "damage", 1, Pools(ready=4, stun=1, damage=1)),
    )


def test_moves_of_an_adjustment_are_checked_in_order_and_all_or_none_apply() -> None:
    """MAM-POOL-01."""
    fight = given(*DUEL)
    moves = (PoolMove("clone", "ready", "stun", 4), PoolMove("clone", "ready", "stun", 3))
    fight.when(Adjust("two stones", move=moves)).raises("not_enough_in_pool", "MAM-POOL-01")
    fight.when(Adjust("a stone", move=(PoolMove("clown", "ready", "stun", 1),))).raises("unknown_combatant")
    assert fight.state.combatants["clone"].pools == Pools(ready=6)


def test_moved_points_can_incapacitate_unless_a_condition_is_given() -> None:
    """MAM-WND-08."""
    fight = given(*DUEL)
    everything = (PoolMove("clone", "ready", "damage", 6),)
    assert fight.when(Adjust("the roof", move=everything)).one(CombatantIncapacitated)
    result = fight.when(Adjust("the roof", move=everything, condition={"clone": "able"}))
    assert result.events[1:] == (ConditionDeclared("clone", "able"),)


def test_an_adjustment_can_set_a_condition() -> None:
    fight = given(*DUEL)
    fight.when(Adjust("it yields", condition={"clone": "out"})).then(ConditionDeclared("clone", "out"))
    fight.when(Adjust("it yields", condition={"clown": "out"})).raises("unknown_combatant")
    assert (
        fight.after(Adjust("a spell", condition={"modre": "incapacitated"}))
        .when(Move("modre", points=1))
        .raises("incapacitated", "MAM-WND-08")
    )


@pytest.mark.parametrize(
    "orders",
    [
        (Attack("modre", "clone", "ice-blade", power=1, modifier=3), Resolve(8, 6, 1)),
        (Adjust("a stone", move=(PoolMove("clone", "ready", "stun", 1),)),),
        (EndTurn("modre"), BeginTurn("clone")),
    ],
    ids=["a blow", "a word about points", "stun that comes back"],
)
def test_only_the_game_master_ends_a_declared_incapacity(orders: tuple[Command, ...]) -> None:
    """MAM-WND-08: no rule lets a wound, or a point that was not lost, wake somebody."""
    dazed = Adjust("a stone", move=(PoolMove("clone", "ready", "stun", 1),))
    fight = given(*DUEL, dazed, Adjust("a brick", condition={"clone": "incapacitated"})).after(*orders)
    before, up = fight.state.combatants["clone"], Adjust("it comes round", condition={"clone": "able"})
    assert before.condition == "incapacitated"
    assert (before.pools.stun, before.pools.damage) != (1, 0)
    assert fight.after(up).state.combatants["clone"].condition == "able"
    pools: tuple[Pool, ...] = ("ready", "defense", "other_used")
    moves = [PoolMove("clone", pool, "stun", points) for pool in pools if (points := getattr(before.pools, pool))]
    fight.after(Adjust("a roof", move=tuple(moves)))
    assert fight.state.combatants["clone"].condition == "incapacitated"
    assert fight.when(Adjust("up", move=(PoolMove("clone", "stun", "ready", 1),)))["clone"].condition == "able"


def test_an_adjustment_can_declare_a_hold() -> None:
    """MAM-POOL-07."""
    hold = Adjust("it grabs him", hold=(Hold("clone", "headlock", 2, 1),))
    given(*DUEL).when(hold).then(GrappleDeclared("clone", Grapple("headlock", 2, 1)))
    given(*DUEL).when(Adjust("no", hold=(Hold("clown", "headlock", 2),))).raises("unknown_combatant")


def test_an_adjustment_can_declare_the_outcome_of_an_exchange() -> None:
    """MAM-ATK-04."""
    fight = given(*DUEL, Attack("modre", "clone", power=1), Defend("clone", 6, points=2))
    result = fight.when(Adjust("the lamp falls", outcome=DeclaredOutcome(6, "half", stun=1)))
    result.then(
        OutcomeDeclared(6, "half"),
        WoundInflicted("clone", 6, 1, 0, Pools(ready=1), 0, 0, Pools(ready=3, defense=2, stun=1)),
    )
    assert result.state.exchange is None
    fight.when(Adjust("no", outcome=DeclaredOutcome(5, "fail"))).raises("no_such_exchange")


def test_a_declared_outcome_without_a_target_wounds_nobody() -> None:
    fight = given(*DUEL, Act("modre", "works the machine"))
    fight.when(Adjust("it explodes", outcome=DeclaredOutcome(6, "fail", damage=2))).raises("bad_target")
    fight.when(Adjust("it hums", outcome=DeclaredOutcome(6, "full"))).then(OutcomeDeclared(6, "full"))


def test_an_adjustment_can_give_the_turn_to_somebody_or_nobody() -> None:
    """MAM-ORDER-05."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY))
    fight.when(Adjust("it is quicker", turn="sentry")).then(TurnDeclared("sentry"))
    given_turn = fight.after(Adjust("it is quicker", turn="sentry"))
    given_turn.when(EndTurn("modre")).raises("out_of_turn")
    assert given_turn.after(EndTurn("sentry")).state.next_up == "modre"
    given_turn.after(BeginTurn("modre"), EndTurn("modre"), Adjust("once more", turn="sentry"), EndTurn("sentry"))
    assert given_turn.state.next_up == "clone"
    fight.when(Adjust("wait", turn="-")).then(TurnDeclared(""))
    fight.when(Adjust("no", turn="sentri")).raises("unknown_combatant")


def test_a_turn_given_between_rounds_begins_a_round() -> None:
    """MAM-ORDER-01."""
    fight = given(MODRE, CLONE, Initiative())
    fight.when(Adjust("it is quicker", turn="clone")).then(RoundStarted(1), TurnDeclared("clone"))
    fight.after(Adjust("it is quicker", turn="clone"), EndTurn("clone"), BeginTurn("modre"))
    assert fight.when(EndTurn("modre")).events[0] == TurnEnded("modre")
    assert fight.after(EndTurn("modre")).state.round == 1


def test_an_adjustment_without_changes_has_no_events() -> None:
    given(*DUEL).when(Adjust("remember the lamp", answers=4)).then_nothing()


def test_orders_are_refused_before_the_fight_is_opened() -> None:
    unopened = given()
    unopened.state = EMPTY_ENCOUNTER
    commands: list[Command] = [Adjust("no"), Join("a", hp=1), Close(), Resolve(1)]
    for command in commands:
        unopened.when(command).raises("no_encounter")
