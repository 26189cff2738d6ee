"""Announced orders: drawing, standing up, picking up and mounting, which interference can stop (MAM-INTF-01)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Announceable,
    BeginTurn,
    Command,
    Drop,
    DropItem,
    EndTurn,
    Initiative,
    Interfere,
    Mount,
    PickUpItem,
    ReadyWeapon,
    Resolve,
    Stand,
)
from mam_events.events import (
    ActionDeclared,
    ActionResolved,
    EquipmentPickedUp,
    Event,
    HitPointsSpent,
    PositionChanged,
    RiderMounted,
    WeaponReadied,
)
from mam_events.state import AnnouncedOrder, Pools, Weapon
from tests.fighters import CLONE, MODRE, SENTRY, duel_orders
from tests.spec import GivenFight, given, is_offered

CLUB = Weapon("club", power=2)
SWORD = Weapon("sword", power=3, readied=False)
FIGHTER = replace(MODRE, weapon=(SWORD, replace(CLUB, reach=Decimal(3))))
HORSE = replace(SENTRY, combatant="horse", name="Horse", training="trained")


def announced(order: Announceable, *before: Command, rules: dict[str, str] | None = None) -> GivenFight:
    """Let Modre announce an order after those commands, in a fight with the Clone and a horse."""
    fight = given(*duel_orders(FIGHTER, replace(CLONE, weapon=(CLUB,)), HORSE), *before, rules=rules)
    return fight.after(replace(order, announced=True))


CASES: list[tuple[Announceable, tuple[Command, ...], type[Event]]] = [
    (Stand("modre"), (Drop("modre"),), PositionChanged),
    (ReadyWeapon("modre", "sword"), (), WeaponReadied),
    (PickUpItem("modre", "club"), (DropItem("modre", "club"),), EquipmentPickedUp),
    (Mount("modre", "horse"), (), RiderMounted),
]


@pytest.mark.parametrize(("order", "before", "effect"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_an_announced_order_takes_effect_if_nobody_stops_it(
    order: Announceable, before: tuple[Command, ...], effect: type[Event]
) -> None:
    """MAM-INTF-01: cost and effect are those of the plain order."""
    fight = announced(order, *before)
    assert fight.state.exchange
    assert fight.state.exchange.root.points == 1
    result = fight.when(Resolve(fight.ruling))
    assert result.one(ActionResolved).outcome == "full"
    assert len(result.all(effect)) == 1
    plain_result = given(*duel_orders(FIGHTER, replace(CLONE, weapon=(CLUB,)), HORSE), *before).when(order)
    assert result.state.combatants == plain_result.state.combatants


@pytest.mark.parametrize(("order", "before", "effect"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_a_stopped_announcement_has_no_effect_but_still_costs_points(
    order: Announceable, before: tuple[Command, ...], effect: type[Event]
) -> None:
    """MAM-INTF-01, MAM-INTF-05: an interference uses at most the points of the order."""
    fight = announced(order, *before)
    number, pools = fight.ruling, fight.state.combatants["modre"].pools
    fight.when(Interfere("clone", number, number, points=2)).raises("exceeds_maximum", "MAM-INTF-05")
    fight.after(Interfere("clone", number, number, points=1, bonus=2))
    result = fight.when(Resolve(number, attack_die=1, interference_die={str(number + 1): 6}))
    assert (result.one(ActionResolved).outcome, result.all(effect)) == ("fail", [])
    assert result["modre"].pools == pools
    failed = fight.when(Resolve(number, attack_die=6, interference_die={str(number + 1): 1}))
    assert (failed.one(ActionResolved).outcome, len(failed.all(effect))) == ("full", 1)


def test_an_announcement_spends_points_and_records_the_order() -> None:
    """MAM-INTF-01, MAM-PHASE-04."""
    fight = given(*duel_orders(FIGHTER, CLONE))
    fight.when(ReadyWeapon("modre", "sword", announced=True)).then(
        ActionDeclared(6, "modre", "", 1, order=AnnouncedOrder("ready-weapon", weapon="sword")),
        HitPointsSpent("modre", "equipment", 0, 1, Pools(ready=5, other_used=1)),
    )
    fight.when(ReadyWeapon("modre", "club", announced=True)).raises("already_in_hand", "MAM-ATK-06")


def test_an_announced_order_fails_if_its_item_was_dropped() -> None:
    """MAM-INTF-01: the item may be dropped while others react."""
    fight = announced(ReadyWeapon("modre", "sword"))
    fight.after(DropItem("modre", "sword"))
    result = fight.when(Resolve(7))
    assert (result.one(ActionResolved).outcome, result.all(WeaponReadied)) == ("fail", [])
    assert "Pick it up first" in result.one(ActionResolved).why


def test_no_other_order_is_possible_before_an_announcement_is_resolved() -> None:
    """MAM-INTF-02."""
    fight = announced(Stand("modre"), Drop("modre"))
    fight.when(Act("modre", "shouts")).raises("exchange_open")
    fight.when(EndTurn("modre")).raises("exchange_open")


def test_an_announced_order_uses_the_action_of_the_turn_in_speed_rules() -> None:
    """MAM-TURN-07, option `speed_interference`."""
    first = Initiative(first="modre", reason="so be it")
    fight = given(FIGHTER, CLONE, first, BeginTurn("modre"), preset="mam_speed")
    fight.after(ReadyWeapon("modre", "sword", announced=True))
    fight.when(Interfere("clone", 6, 6)).raises("not_prepared", "MAM-INTF-02")
    result = fight.when(Resolve(6))
    assert len(result.all(WeaponReadied)) == 1
    fight.after(Resolve(6))
    fight.when(Act("modre", "shouts")).raises("one_action", "MAM-TURN-07")


def test_announced_orders_match_a_template() -> None:
    """The offered orders show which ones may be announced."""
    fight = given(*duel_orders(FIGHTER, CLONE))
    assert is_offered(fight.state, fight.ruleset, ReadyWeapon("modre", "sword", announced=True))
