"""Reserves of other used for equipment and holds, and what is given up when points are lost."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Attack,
    BeginTurn,
    DeclaredOutcome,
    DropItem,
    EndTurn,
    Hold,
    Initiative,
    Join,
    Move,
    PickUpItem,
    PoolMove,
    Ready,
    Release,
)
from mam_events.events import (
    CombatantIncapacitated,
    CombatantJoined,
    EquipmentDropped,
    EquipmentPickedUp,
    GrappleBroken,
    GrappleReleased,
    GrappleWeakened,
    HitPointsSpent,
    ReadyPoolRefreshed,
    ReserveShort,
)
from mam_events.state import Grapple, Item, Pools, Weapon
from tests.fighters import CLONE, DUEL, ICE_BLADE, MODRE, duel_orders, with_pools
from tests.spec import CommandResult, GivenFight, given

SHIELD = Weapon("shield", encumbrance=2)
PACK = Item("pack", encumbrance=1)


def loaded_fight(*, rules: dict[str, str] | None = None, hold: int = 0, **pools: int) -> GivenFight:
    """Return a fight in which Modre attacks the Clone (7).

    The Clone carries a shield (2) and a pack (1), and holds Modre.
    """
    clone = replace(with_pools(CLONE, **pools), weapon=(SHIELD,), item=(PACK,))
    holds = (Hold("clone", "headlock", hold, hold),) if hold else ()
    attack = Attack("modre", "clone", "ice-blade", power=1)
    return given(*duel_orders(MODRE, clone), Adjust("it grabs him", hold=holds), attack, rules=rules)


def inflict(fight: GivenFight, damage: int) -> CommandResult:
    """Inflict that much damage as the game master."""
    return fight.when(Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=damage)))


def after_wound(fight: GivenFight, damage: int) -> GivenFight:
    """Inflict that much damage and begin the Clone's own turn."""
    hit = Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=damage))
    return fight.after(hit, EndTurn("modre"), BeginTurn("clone"))


def test_the_equipment_reserve_cannot_be_readied() -> None:
    """MAM-POOL-06."""
    fight = given(*duel_orders(replace(with_pools(MODRE, other_used=5, damage=1), encumbrance=4)))
    error = fight.when(Ready("modre", other_used=2)).raises("exceeds_maximum", "MAM-PHASE-02")
    text = "Other used has 1 point to give, not 2. 4 points belong to what is carried."
    assert error.sentence == text
    assert fight.when(Ready("modre", other_used=1))["modre"].pools.other_used == 4


@pytest.mark.parametrize(
    ("encumbrance", "to"),
    [(0, "a hold (let go with `release`)"), (1, "what is carried and to a hold (let go with `release`)")],
)
def test_the_error_explains_that_a_hold_keeps_the_points(encumbrance: int, to: str) -> None:
    """MAM-POOL-07."""
    holder = replace(with_pools(MODRE, other_used=3, defense=2), encumbrance=encumbrance)
    fight = given(*duel_orders(holder), Adjust("he grabs it", hold=(Hold("modre", "headlock", 2, 2),)))
    error = fight.when(Ready("modre", other_used=3)).error
    left = "0 points" if encumbrance else "1 point"
    text = f"Other used has {left} to give, not 3. {2 + encumbrance} points belong to {to}."
    assert error is not None
    assert (error.sentence, error.rule) == (text, "MAM-PHASE-02")


def test_a_short_reserve_does_not_block_the_defense_pool() -> None:
    """MAM-POOL-06, MAM-PHASE-02."""
    fight = given(*duel_orders(replace(with_pools(MODRE, defense=1, other_used=5), encumbrance=7)))
    assert fight.when(Ready("modre", defense=1))["modre"].pools == Pools(ready=1, other_used=5)


def test_a_wound_that_spares_the_reserve_has_no_other_effect() -> None:
    """MAM-POOL-06."""
    assert not inflict(loaded_fight(defense=3, other_used=3), 3).all(ReserveShort)


def test_a_short_equipment_reserve_must_be_fixed_before_other_actions() -> None:
    """MAM-POOL-06, option `encumbrance_shortfall`."""
    fight = loaded_fight(ready=1, other_used=3)
    assert inflict(fight, 2).one(ReserveShort) == ReserveShort("clone", 1, "must_drop_equipment")
    after_wound(fight, 2)
    for order in (Attack("clone", "modre", power=1), Act("clone", "shouts", points=0), EndTurn("clone")):
        error = fight.when(order).raises("reserve_short", "MAM-POOL-08")
    assert "Drop something or let go of a hold first." in error.sentence
    fight.when(Ready("clone")).one(ReadyPoolRefreshed)
    fight.when(DropItem("clone", "pack")).then(EquipmentDropped("clone", "pack"))
    fight.after(DropItem("clone", "pack")).when(EndTurn("clone")).all()


def test_a_short_reserve_without_anything_to_drop_blocks_nothing() -> None:
    """MAM-POOL-06."""
    fighter = replace(with_pools(CLONE, ready=1, other_used=2, damage=3), encumbrance=4)
    fight = given(*duel_orders(MODRE, fighter), EndTurn("modre"), BeginTurn("clone"))
    fight.when(Move("clone", points=1)).all()


def test_an_option_lets_refreshed_points_refill_the_reserve() -> None:
    """MAM-POOL-06, option `encumbrance_shortfall`."""
    fight = after_wound(
        loaded_fight(rules={"encumbrance_shortfall": "refill_first"}, defense=2, other_used=3, ready=1), 4
    )
    clone = fight.state.combatants["clone"]
    assert clone.pools == Pools(other_used=2, damage=4)
    fight.after(Adjust("the table forgot a point", move=(PoolMove("clone", "damage", "defense", 2),)))
    ready = fight.when(Ready("clone", defense=2)).one(ReadyPoolRefreshed)
    assert (ready.refilled, ready.pools) == (1, Pools(ready=1, other_used=3, damage=2))


def test_an_option_ignores_a_short_equipment_reserve() -> None:
    """MAM-POOL-06, option `encumbrance_shortfall`."""
    fight = loaded_fight(rules={"encumbrance_shortfall": "ignore"}, ready=1, other_used=3)
    assert not inflict(fight, 2).all(ReserveShort)
    after_wound(fight, 2).when(EndTurn("clone")).all()


def test_an_overloaded_combatant_has_a_short_reserve_on_joining() -> None:
    """MAM-POOL-06, MAM-POOL-08."""
    mule = Join("mule", hp=5, item=(Item("chest", encumbrance=7),))
    result = given().when(mule)
    assert result.all(ReserveShort) == [ReserveShort("mule", 2, "must_drop_equipment")]
    assert result.one(CombatantJoined).combatant.pools == Pools(other_used=5)


def test_only_a_carried_item_can_be_dropped() -> None:
    """MAM-POOL-06."""
    fight = given(*DUEL)
    error = fight.when(DropItem("modre", "ice-blad")).raises("unknown_item", "MAM-POOL-06")
    assert error.sentence == 'Modre carries no "ice-blad". Did you mean "ice-blade"?'
    fight.when(DropItem("modre", "body")).raises("unknown_item")
    fight.after(DropItem("modre", "ice-blade")).when(DropItem("modre", "ice-blade")).raises("unknown_item")
    fight.when(Attack("modre", "clone", "ice-blade", power=1)).raises("weapon_not_in_hand")


def test_picking_up_costs_a_point_and_readies_a_weapon() -> None:
    """MAM-POOL-06, MAM-PHASE-04."""
    fight = given(*DUEL, DropItem("modre", "ice-blade"))
    fight.when(PickUpItem("modre", "ice-blade")).then(
        EquipmentPickedUp("modre", "ice-blade"),
        HitPointsSpent("modre", "equipment", 0, 1, Pools(ready=5, other_used=1)),
    )
    fight.when(PickUpItem("modre", "pack")).raises("unknown_item", "MAM-POOL-06")
    fight.when(PickUpItem("modre", "ice-blade", points=0)).raises("below_required_amount", "MAM-PHASE-04")
    fight.after(PickUpItem("modre", "ice-blade")).when(Attack("modre", "clone", "ice-blade", power=1)).all()


def test_a_picked_up_item_with_a_taken_id_gets_a_new_id() -> None:
    """MAM-POOL-06: the picked up axe is a second one with its own statistics."""
    axe, better = Weapon("axe", name="Axe", power=2, reach=Decimal(2)), Weapon("axe", name="Axe", power=3)
    fight = given(
        *duel_orders(replace(MODRE, weapon=(axe,)), replace(CLONE, weapon=(better,))), DropItem("clone", "axe")
    )
    taken_result = fight.when(PickUpItem("modre", "axe", owner="clone"))
    assert taken_result.one(EquipmentPickedUp) == EquipmentPickedUp("modre", "axe", "clone", "axe-2")
    assert [(one.id, one.power) for one in taken_result["modre"].weapons[1:]] == [("axe", 2), ("axe-2", 3)]
    assert taken_result["clone"].weapon("axe") is None
    fight.after(PickUpItem("modre", "axe", owner="clone")).when(Attack("modre", "clone", "axe-2", power=1)).all()
    fight.after(DropItem("modre", "axe-2"), EndTurn("modre"), BeginTurn("clone"))
    restored_result = fight.when(PickUpItem("clone", "axe-2", owner="modre"))
    assert [one.id for one in restored_result["clone"].weapons] == ["body", "axe-2"]


def test_a_picked_up_item_counts_as_encumbrance_in_every_edition() -> None:
    """MAM-POOL-06: its encumbrance goes to other used, as for an item brought at the join."""
    pack = Item("pack", name="Pack", encumbrance=2)
    bearer, other = Join("ana", hp=6, item=(pack,)), Join("ben", hp=6)
    history = (bearer, other, Initiative(first="ben", reason="agreed"), BeginTurn("ben"), DropItem("ana", "pack"))
    take = PickUpItem("ben", "pack", owner="ana")
    fight = given(*history, preset="mam_speed")
    assert fight.when(take).one(HitPointsSpent) == HitPointsSpent(
        "ben", "equipment", 0, 2, Pools(ready=4, other_used=2)
    )
    fight.after(take).when(EndTurn("ben")).all()
    fight.after(DropItem("ben", "pack"), EndTurn("ben"), BeginTurn("ana"), EndTurn("ana"), BeginTurn("ben"))
    assert not fight.when(PickUpItem("ben", "pack")).all(HitPointsSpent)
    weak_fight = given(bearer, replace(other, pools={"ready": 1, "damage": 5}), *history[2:], preset="mam_speed")
    weak_fight.when(take).raises("not_enough_ready", "MAM-POOL-06")


def test_picking_up_too_much_makes_the_reserve_short() -> None:
    """MAM-POOL-06."""
    clone = replace(with_pools(CLONE, ready=6), weapon=(SHIELD,))
    fight = given(*duel_orders(MODRE, clone), EndTurn("modre"), BeginTurn("clone"), DropItem("clone", "shield"))
    assert fight.when(PickUpItem("clone", "shield", points=1)).one(ReserveShort).shortfall == 1
    as_few = fight.when(PickUpItem("clone", "shield"))
    assert as_few.one(HitPointsSpent).to_other_used == 2
    assert not as_few.all(ReserveShort)
    fight.after(PickUpItem("clone", "shield", points=1)).when(Move("clone", points=1)).raises("reserve_short")


def test_the_points_of_a_hold_stay_in_other_used() -> None:
    """MAM-POOL-07."""
    holder = with_pools(MODRE, other_used=4)
    fight = given(*duel_orders(holder), Adjust("he grabs it", hold=(Hold("modre", "headlock", 3, 3),)))
    fight.when(Ready("modre", other_used=2)).raises("exceeds_maximum")
    fight.when(Release("modre", "headlock")).then(GrappleReleased("modre", "headlock"))
    released_fight = fight.after(Release("modre", "headlock"))
    assert released_fight.when(Ready("modre", other_used=2))["modre"].pools.ready == 2


def test_an_unknown_hold_cannot_be_released() -> None:
    """MAM-POOL-07."""
    fight = given(*DUEL, Adjust("he grabs it", hold=(Hold("modre", "headlock", 0),)))
    error = fight.when(Release("modre", "head-lock")).raises("unknown_grapple", "MAM-POOL-07")
    assert 'Did you mean "headlock"?' in error.sentence
    fight.when(Release("clone", "headlock")).raises("unknown_grapple")


def test_a_hold_breaks_when_its_points_are_lost() -> None:
    """MAM-POOL-07, option `grapple_shortfall`."""
    fight = given(
        *duel_orders(MODRE, with_pools(CLONE, ready=1, other_used=3)),
        Adjust("it grabs him", hold=(Hold("clone", "choke", 3, 2),)),
    )
    fight.after(Attack("modre", "clone", power=1))
    result = fight.when(Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=1)))
    assert not result.all(GrappleBroken)
    result = fight.when(Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=2)))
    assert result.events[-2:] == (ReserveShort("clone", 1, "hold_breaks"), GrappleBroken("clone", "choke"))
    assert result["clone"].grapples == ()


def test_an_option_weakens_a_hold_instead_of_breaking_it() -> None:
    """MAM-POOL-07, option `grapple_shortfall`."""
    holds = (Hold("clone", "choke", 3, 2),)
    fight = given(*duel_orders(MODRE, with_pools(CLONE, other_used=4)), rules={"grapple_shortfall": "hold_weakens"})
    fight.after(Adjust("it grabs him", hold=holds), Attack("modre", "clone", power=1))
    hurt_result = fight.when(Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=2)))
    assert hurt_result.events[-2:] == (
        ReserveShort("clone", 1, "hold_weakens"),
        GrappleWeakened("clone", "choke", 2, 1),
    )
    assert hurt_result["clone"].grapples == (Grapple("choke", 2, 1),)
    gone_result = fight.when(Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=4)))
    assert gone_result.events[-3:] == (
        CombatantIncapacitated("clone"),
        ReserveShort("clone", 3, "hold_weakens"),
        GrappleBroken("clone", "choke"),
    )


def test_the_newest_of_several_holds_breaks_first() -> None:
    """MAM-POOL-07."""
    holds = (Hold("clone", "left", 1, 1), Hold("clone", "right", 2, 1))
    fight = given(*duel_orders(MODRE, with_pools(CLONE, other_used=3)), Adjust("it grabs him", hold=holds))
    result = fight.after(Attack("modre", "clone", power=1)).when(
        Adjust("a hit", outcome=DeclaredOutcome(7, "full", damage=2))
    )
    assert [hold.id for hold in result["clone"].grapples] == ["left"]


def test_the_player_chooses_which_of_two_short_reserves_to_give_up() -> None:
    """MAM-POOL-08, option `reserve_shortfall_priority`."""
    fight = loaded_fight(hold=2, other_used=6)
    assert not inflict(fight, 1).all(ReserveShort)
    assert inflict(fight, 2).one(ReserveShort) == ReserveShort("clone", 1, "player_choice")
    after_wound(fight, 2)
    fight.when(EndTurn("clone")).raises("reserve_short", "MAM-POOL-08")
    for given_up in (DropItem("clone", "pack"), Release("clone", "headlock")):
        result = fight.when(given_up)
        assert result["clone"].carried_encumbrance + sum(grapple.points for grapple in result["clone"].grapples) <= 4
    fight.after(Release("clone", "headlock")).when(EndTurn("clone")).all()


@pytest.mark.parametrize(
    ("priority", "events"),
    [
        ("encumbrance_first", (ReserveShort("clone", 1, "hold_breaks"), GrappleBroken("clone", "headlock"))),
        ("grapple_first", (ReserveShort("clone", 1, "must_drop_equipment"),)),
    ],
)
def test_an_option_sets_which_reserve_has_priority(priority: str, events: tuple[object, ...]) -> None:
    """MAM-POOL-08, option `reserve_shortfall_priority`."""
    fight = loaded_fight(hold=2, other_used=6, rules={"reserve_shortfall_priority": priority})
    assert inflict(fight, 2).events[-len(events) :] == events


def test_equipment_may_still_be_short_after_a_hold_broke() -> None:
    """MAM-POOL-08."""
    fight = loaded_fight(hold=2, other_used=6, rules={"reserve_shortfall_priority": "encumbrance_first"})
    assert [event.consequence for event in inflict(fight, 4).all(ReserveShort)] == [
        "hold_breaks",
        "must_drop_equipment",
    ]


def test_a_recovered_point_of_stun_can_refill_a_reserve() -> None:
    """MAM-POOL-06, MAM-PHASE-01."""
    clone = replace(with_pools(CLONE, other_used=2, stun=4), weapon=(SHIELD,), item=(PACK,))
    fight = given(*duel_orders(MODRE, clone), EndTurn("modre"), BeginTurn("clone"))
    assert fight.when(EndTurn("clone"))["clone"].pools == Pools(other_used=3, stun=3)


def test_a_weapon_counts_as_encumbrance_until_it_is_dropped() -> None:
    """MAM-POOL-06."""
    fighter = replace(MODRE, weapon=(replace(ICE_BLADE, encumbrance=2),))
    fight = given(fighter, CLONE, Initiative())
    assert fight.state.combatants["modre"].pools == Pools(ready=4, other_used=2)
    assert fight.when(DropItem("modre", "ice-blade"))["modre"].carried_encumbrance == 0
