"""Sequences in which several sections of the rules meet."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Adjust,
    Aim,
    Attack,
    BeginHeave,
    BeginTurn,
    Body,
    ChangeAction,
    ChangeRules,
    Command,
    Counterattack,
    DeclareCombo,
    Defend,
    DelayTurn,
    Drop,
    DropItem,
    EndTurn,
    EstablishSurprise,
    Evade,
    Hold,
    Initiative,
    Interfere,
    Join,
    MaintainGrapple,
    Manipulate,
    Mount,
    Move,
    Parry,
    PickUpItem,
    Placement,
    PrepareCounterattack,
    Ram,
    Ready,
    Resolve,
    Rest,
    RestrainMount,
    Stalk,
    StayMounted,
    Tackle,
    TakePosition,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackResolved,
    AttackRolled,
    CombatantIncapacitated,
    GrappleBroken,
    GrappleEffectApplied,
    HitPointsSpent,
    InterferenceRolled,
    MountedRollOwed,
    RiderDismounted,
    RollMade,
    StunRecovered,
    TargetDisarmed,
    WoundInflicted,
)
from mam_events.rules.grappling.holds import penalties
from mam_events.state import ArmorPiece, Item, Weapon
from tests.spec import GivenFight, given, is_offered

PACK = Item("pack", encumbrance=2)
ANA = Join("ana", name="Ana", hp=10, item=(PACK,), weapon=(Weapon("sword", name="Sword", reach=Decimal(2)),))
BEN = Join("ben", name="Ben", hp=9)
CAL = Join("cal", name="Cal", hp=8, body=Body(power=3, attack=3))
CHOKE = (Manipulate("ana", "ben", "body", follow_up="choke", power=4), Resolve(7, 6, 1), EndTurn("ana"))
HORSE = Join("horse", name="Horse", hp=9, training="trained", body=Body(power=1), speed=Decimal(1))
RIDER = Join("dov", name="Dov", hp=8, mount="horse", ability={"riding": 2})


def pass_turns(*names: str) -> tuple[Command, ...]:
    return tuple(order for name in names for order in (BeginTurn(name), EndTurn(name)))


def begin(name: str, *orders: Command) -> tuple[Command, ...]:
    return (Initiative(first=name, reason="agreed"), BeginTurn(name), *orders)


def mounted(*orders: Command, foe: Join = CAL, preset: str = "mam_pools", horse: Join = HORSE) -> GivenFight:
    return given(horse, RIDER, replace(foe, size=4), *begin("cal", *orders), preset=preset)


@pytest.mark.parametrize("priority", ["player_choice", "grapple_first", "encumbrance_first"])
def test_a_choke_without_its_points_ends_whatever_could_be_dropped(priority: str) -> None:
    """MAM-POOL-07: two points are left in other used, and the choke needs four."""
    fight = given(ANA, BEN, CAL, *begin("ana", *CHOKE), rules={"reserve_shortfall_priority": priority})
    fight.after(BeginTurn("ben"), EndTurn("ben"), BeginTurn("cal"), Attack("cal", "ana", "body", power=5, modifier=2))
    result = fight.when(Resolve(fight.ruling, 6, 1))
    assert result.one(GrappleBroken) == GrappleBroken("ana", "choke-7", "points_gone")
    assert not result["ana"].grapples


def test_a_choke_with_a_short_reserve_waits_for_the_holders_choice() -> None:
    """MAM-POOL-08: its four points are there, but not those for the pack as well."""
    fight = given(ANA, BEN, CAL, *begin("ana", *CHOKE))
    fight.after(BeginTurn("ben"), EndTurn("ben"), BeginTurn("cal"), Attack("cal", "ana", "body", power=3, modifier=2))
    fight.after(Resolve(fight.ruling, 6, 1), EndTurn("cal"))
    assert fight.state.combatants["ana"].pools.other_used == 4
    assert not fight.when(BeginTurn("ana")).all(GrappleEffectApplied)
    fight.after(BeginTurn("ana")).when(EndTurn("ana")).raises("reserve_short", "MAM-POOL-08")
    fight.after(DropItem("ana", "pack"), EndTurn("ana"), BeginTurn("ben"), EndTurn("ben"), BeginTurn("cal"))
    assert fight.after(EndTurn("cal")).when(BeginTurn("ana")).one(GrappleEffectApplied).grapple == "choke-7"


def test_a_combatant_felled_during_the_exchange_does_not_hit() -> None:
    """MAM-WND-08, MAM-INTF-07: the last declared is resolved first, and earlier actions are no longer made."""
    sabre, axe = Weapon("sabre", power=2, attack=2, reach=Decimal(2)), Weapon("axe", power=4)
    fight = given(
        Join("ana", name="Ana", hp=8, weapon=(sabre,)),
        BEN,
        Join("cal", name="Cal", hp=8, weapon=(axe,)),
        Join("dov", hp=8, body=Body(power=9, attack=4)),
        *begin("ana", Attack("ana", "ben", "sabre", power=1, modifier=2)),
        Interfere("cal", 8, 8, weapon="axe", power=1, modifier=2),
        Interfere("ana", 8, 9, weapon="sabre", modifier=2),
        Interfere("dov", 8, 10, weapon="body", modifier=2),
    )
    result = fight.when(Resolve(8, 6, 1, {"9": 1, "10": 2, "11": 6}))
    assert result.one(CombatantIncapacitated).combatant == "ana"
    assert [event.combatant for event in result.all(WoundInflicted)] == ["ana"]
    assert result.one(AttackResolved).outcome == "fail"
    assert result.one(AttackResolved).why == "Ana is incapacitated and cannot act until they recover."


def test_a_combatant_disarmed_during_the_exchange_does_not_hit() -> None:
    """MAM-ATK-06, MAM-INTF-07: the disarm stops both her interference and her attack."""
    fight = given(ANA, BEN, replace(CAL, size=3), *begin("ana", Attack("ana", "ben", "sword", power=3, modifier=3)))
    fight.after(
        Interfere("ben", 7, 7, points=1),
        Interfere("ana", 7, 8, weapon="sword", power=1),
        Tackle("cal", 7, 9, "body", points=1, follow_up="disarm", item="sword"),
    )
    # Ben's interference replaces his defense.
    result = fight.when(Resolve(7, 6, 1, {"9": 1, "10": 6}))
    assert result.one(TargetDisarmed).weapon == "sword"
    assert result.one(AttackResolved).why == "Ana cannot use the Sword: it has been dropped."


def test_only_one_object_can_be_heaved_at_a_time() -> None:
    """MAM-THR-03."""
    rock = Weapon("rock", name="Rock", heft=1, unwieldy=True, throw_reach=Decimal(2))
    strong = replace(ANA, power=4, hand_reach=Decimal(1), weapon=(rock, *ANA.weapon))
    fight = given(strong, BEN, *begin("ana", BeginHeave("ana", "rock")))
    fight.when(Attack("ana", "ben", "sword", thrown="heave", modifier=1)).raises("heaving", "MAM-THR-03")
    fight.when(DeclareCombo("ana", 1)).raises("heaving")
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    assert not [offer.do for offer in offers if offer.do in ("attack", "declare-combo")]


def test_manipulating_a_mount_needs_a_riding_roll() -> None:
    """MAM-MNT-01, MAM-MNP-01: a manipulation is an attack."""
    fight = mounted(Manipulate("cal", "horse", "body", points=2))
    owed = fight.when(Resolve(fight.ruling, 6, 1)).one(MountedRollOwed)
    assert (owed.riders, owed.owed, owed.by) == (("dov",), "riding", ("cal",))


def test_a_thrown_rider_falls_off_the_mount() -> None:
    """MAM-MNP-08, MAM-MNT-01."""
    fight = mounted(Manipulate("cal", "dov", "body", follow_up="throw", points=2))
    off = fight.when(Resolve(fight.ruling, 6, 1))
    assert off.one(RiderDismounted) == RiderDismounted("dov", "horse", "Dov is on the ground")
    assert off["dov"].status.position == "on_ground"


def test_a_rider_cannot_drop_or_move_on_foot() -> None:
    """MAM-MNT-01."""
    fight = mounted(EndTurn("cal"), BeginTurn("horse"), EndTurn("horse"), BeginTurn("dov"))
    for order in (Drop("dov"), Move("dov", 1)):
        fight.when(order).raises("mounted", "MAM-MNT-01")


def test_a_grappler_cannot_mount() -> None:
    """MAM-MNT-01, MAM-POS-01: neither holder nor held, nor in a clinch placed by the game master."""
    mount = Mount("ana", "horse")
    for word in (
        Adjust("a grip", hold=(Hold("ana", "grip", 0, held="ben"),)),
        Adjust("a grip", hold=(Hold("ben", "grip", 0, held="ana"),)),
        Adjust("they wrestle", position=(Placement("ana", "clinch", "ben"),)),
    ):
        given(HORSE, ANA, BEN, *begin("ana", word)).when(mount).raises("grappling", "MAM-POS-01")
    assert given(HORSE, ANA, BEN, *begin("ana")).when(mount).error is None


def test_an_incapacitated_rider_falls_when_the_animal_is_attacked() -> None:
    """MAM-MNT-01, MAM-MNT-02, MAM-WND-08."""
    out = Adjust("a stone", condition={"dov": "incapacitated"})
    fight = mounted(out)
    assert fight.state.combatants["dov"].status.mount == "horse"
    fight.when(RestrainMount("dov", die=20)).raises("incapacitated")
    fight.after(Attack("cal", "horse", "body", power=1))
    fell = fight.when(Resolve(fight.ruling, 6, 1)).one(RiderDismounted)
    assert (fell.why, fell.position) == ("Dov cannot roll riding", "on_ground")


def test_a_rider_falls_off_a_dead_animal() -> None:
    """MAM-MNT-01."""
    fight = mounted()
    dead = fight.when(Adjust("it dies", condition={"horse": "dead"}))
    assert dead.one(RiderDismounted) == RiderDismounted("dov", "horse", "Horse is dead")
    fight.after(Adjust("it dies", condition={"horse": "dead"})).when(RestrainMount("dov", die=20)).raises("not_mounted")


def test_an_attacked_animal_must_be_restrained_or_the_turn_needs_a_reason() -> None:
    """MAM-MNT-02: in every round in which its attacker is visible."""
    fight = mounted(Attack("cal", "horse", "body", power=1))
    fight.after(Resolve(fight.ruling, 6, 1), StayMounted("dov", die=20), EndTurn("cal"), BeginTurn("horse"))
    fight.when(EndTurn("horse")).raises("roll_owed", "MAM-MNT-02")
    assert fight.when(EndTurn("horse", reason="Cal is behind the wall")).error is None
    held_fight = fight.after(RestrainMount("dov", die=1))
    held_fight.when(EndTurn("horse")).raises("has_its_way", "MAM-MNT-02")
    held_fight.after(Attack("horse", "cal", "body", power=1))
    held_fight.after(Resolve(held_fight.ruling, 1, 6), StayMounted("dov", die=20))
    assert held_fight.when(EndTurn("horse")).error is None
    pillion = replace(RIDER, combatant="eve", name="Eve")
    both_fight = given(
        HORSE, RIDER, pillion, replace(CAL, size=4), *begin("cal", Attack("cal", "horse", "body", power=1))
    )
    both_fight.after(
        Resolve(both_fight.ruling, 6, 1), StayMounted("dov", die=20), StayMounted("eve", die=20), EndTurn("cal")
    )
    assert (
        "unless Dov holds it"
        in both_fight.after(BeginTurn("horse")).when(EndTurn("horse")).raises("roll_owed").sentence
    )


def test_a_vehicle_without_a_driver_can_do_nothing() -> None:
    """MAM-VEH-01."""
    fight = given(Join("car", hp=9, training="vehicle"), BEN, *begin("car"))
    for order in (Move("car", 1), Evade("car"), Rest("car"), Drop("car")):
        fight.when(order).raises("no_driver", "MAM-VEH-01")


def test_after_a_change_of_rules_a_turn_recovers_stun_only_once() -> None:
    """MAM-PHASE-01, MAM-TURN-06."""
    fighter = replace(BEN, pools={"ready": 6, "stun": 3})
    fight = given(fighter, CAL, *begin("ben", ChangeRules({"stun_recovery_timing": "turn_end"}, "as we did last week")))
    assert not fight.when(EndTurn("ben")).all(StunRecovered)
    later_fight = fight.after(EndTurn("ben"), BeginTurn("cal"), EndTurn("cal"), BeginTurn("ben"))
    assert later_fight.when(EndTurn("ben")).one(StunRecovered).points == 1


def test_initiative_is_refused_until_surprise_is_settled() -> None:
    """MAM-SURP-02: unless the game master chooses who is first."""
    apart = (replace(BEN, side="foes", ability={"stealth": 9}), replace(CAL, side="heroes"))
    fight = given(*apart, Stalk("ben", "cal", die=20), preset="mam_speed")
    fight.when(Initiative(circumstance="cal")).raises("surprise_open", "MAM-SURP-02")
    assert fight.when(Initiative(first="cal", reason="it was a dream")).error is None
    assert fight.after(EstablishSurprise()).when(Initiative()).error is None


def test_a_turn_cannot_be_delayed_by_or_after_the_dead() -> None:
    """MAM-TURN-09."""
    fight = given(BEN, CAL, ANA, Initiative(first="ben", reason="agreed"), preset="mam_speed")
    fight.after(Adjust("he falls", condition={"cal": "dead"}))
    fight.when(DelayTurn("cal", "ana")).raises("turn_had", "MAM-TURN-09")
    fight.when(DelayTurn("ben", "cal")).raises("turn_had", "MAM-TURN-09")
    offers = [offer for offer in legal_commands(fight.state, fight.ruleset) if isinstance(offer, Template)]
    delays = [offer for offer in offers if offer.do == "delay-turn"]
    assert [(offer.combatant, offer.fields[1].choices) for offer in delays] == [("ben", ("ana",))]


def test_a_move_is_not_offered_if_no_movement_is_left() -> None:
    """MAM-TURN-07."""
    fight = given(
        replace(BEN, movement=Decimal(3)), CAL, *begin("ben", Move("ben", metres=Decimal(3))), preset="mam_speed"
    )
    fight.when(Move("ben", metres=Decimal(0))).raises("out_of_range", "MAM-TURN-07")
    assert not [
        offer
        for offer in legal_commands(fight.state, fight.ruleset)
        if isinstance(offer, Template) and (offer.do, offer.combatant) == ("move", "ben")
    ]


def test_anybody_can_pick_up_a_dropped_item() -> None:
    """MAM-PHASE-04, MAM-POOL-06: the order names the owner, and the item counts as the finder's encumbrance."""
    fighter = replace(BEN, weapon=(Weapon("sword"),))
    fight = given(ANA, fighter, CAL, *begin("ana", DropItem("ana", "sword"), DropItem("ana", "pack"), EndTurn("ana")))
    other = fight.after(BeginTurn("ben")).when(PickUpItem("ben", "sword", owner="ana"))
    assert [weapon.id for weapon in other["ben"].in_hand] == ["body", "sword", "sword-2"]
    fight.after(EndTurn("ben"), BeginTurn("cal"))
    assert "as the owner" in fight.when(PickUpItem("cal", "sword")).raises("unknown_item").sentence
    fight.when(PickUpItem("cal", "sword", owner="ann")).raises("unknown_combatant")
    result = fight.when(PickUpItem("cal", "sword", owner="ana"))
    assert result["cal"].in_hand[-1].id == "sword"
    assert (result["ana"].weapon("sword"), result["ana"].dropped) == (None, ("pack",))
    packed = fight.after(PickUpItem("cal", "pack", points=2, owner="ana")).state.combatants
    assert (packed["cal"].carried_encumbrance, packed["ana"].carried_encumbrance) == (2, 0)
    fight.after(EndTurn("cal"), BeginTurn("ana")).when(PickUpItem("ana", "pack")).raises("unknown_item")


def test_combo_points_raise_the_limit_of_reactions() -> None:
    """MAM-INTF-05, MAM-COMBO-06: the points on the modifier of a combo count for each of its attacks."""
    fight = given(ANA, BEN, CAL, *begin("ana", DeclareCombo("ana", 1, modifier=4), Attack("ana", "ben", "sword")))
    for order in (
        Parry("ben", 8),
        Counterattack("ben", 8, "body", modifier=4),
        Interfere("cal", 8, 8, points=4),
        Tackle("cal", 8, 8, "body", points=4),
    ):
        assert fight.when(order).error is None
    fight.when(Counterattack("ben", 8, "body", modifier=5)).raises("exceeds_maximum", "MAM-INTF-05")


@pytest.mark.parametrize(("cost", "most"), [("one_point", 2), ("free", 1)])
def test_the_point_for_evasion_raises_the_limit_of_reactions(cost: str, most: int) -> None:
    """MAM-INTF-05, MAM-MNV-02: an attack with evasion is one action with the points of both."""
    strike = Attack("ana", "ben", "sword", power=1, evade=True)
    fight = given(ANA, BEN, CAL, *begin("ana", strike), rules={"evasion_cost": cost})
    assert fight.when(Counterattack("ben", 7, "body", modifier=most)).error is None
    fight.when(Counterattack("ben", 7, "body", modifier=most + 1)).raises("exceeds_maximum", "MAM-INTF-05")


CAR = Join("car", name="Car", hp=20, training="vehicle", movement=Decimal(30), ability={"agility": 2})
DAN = Join("dan", name="Dan", hp=3, mount="car", ability={"driving": 5})


def test_a_ram_has_the_penalties_of_its_driver() -> None:
    """MAM-VEH-02, MAM-MNP-05."""
    foe = replace(CAL, hp=22, size=3)
    fight = given(CAR, DAN, foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed")
    fight.after(Manipulate("cal", "dan", "body", follow_up="hold"), Resolve(7, 15), EndTurn("cal"), BeginTurn("car"))
    fight.after(EndTurn("car"), BeginTurn("dan"), Ram("dan", "car", "cal"))
    roll = fight.when(Resolve(fight.ruling, 9)).one(AttackRolled)
    assert (roll.combatant, roll.total) == ("dan", 9 + 2 - 3)


def test_a_driver_felled_by_a_counterattack_does_not_ram() -> None:
    """MAM-CTR-02, MAM-WND-08, MAM-VEH-02."""
    foe = replace(CAL, hp=22, body=Body(power=5, attack=3))
    fight = given(CAR, DAN, foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed")
    fight.after(
        PrepareCounterattack("cal"), BeginTurn("car"), EndTurn("car"), BeginTurn("dan"), Ram("dan", "car", "cal")
    )
    rammed = fight.ruling
    fight.after(Attack("cal", "dan", "body"), Resolve(rammed + 1, 15))
    assert fight.state.combatants["dan"].condition == "incapacitated"
    result = fight.when(EndTurn("cal"))
    assert result.one(AttackResolved).why == "Dan is incapacitated and cannot act until they recover."
    assert result.state.exchange is None
    changed_fight = given(
        CAR, replace(DAN, hp=9), foe, Initiative(circumstance="cal"), BeginTurn("cal"), preset="mam_speed"
    )
    changed_fight.after(PrepareCounterattack("cal"), BeginTurn("car"), EndTurn("car"), BeginTurn("dan"))
    changed_fight.after(Ram("dan", "car", "cal"), EndTurn("cal"))
    assert changed_fight.when(ChangeAction("dan", changed_fight.ruling - 1)).error is None


def test_aiming_helps_only_the_aimed_weapon() -> None:
    """MAM-POS-02."""
    guns = tuple(Weapon(name, name=name, kind="gun", power=1, range=Decimal(60)) for name in ("gun", "pistol"))
    fight = given(replace(ANA, weapon=guns), BEN, *begin("ana", Aim("ana", "gun")))
    for weapon, bonus in (("gun", [5]), ("pistol", [])):
        shot = given(replace(ANA, weapon=guns), BEN, *begin("ana", Aim("ana", "gun")))
        shot.after(Attack("ana", "ben", weapon, modifier=1))
        roll = shot.when(Resolve(shot.ruling, 3, 3)).one(AttackRolled)
        assert [m.value for m in roll.modifiers if m.rule == "MAM-POS-02"] == bonus
    assert fight.state.combatants["ana"].status.aiming == "gun"


def test_a_heaving_combatant_can_only_defend_as_a_reaction() -> None:
    """MAM-THR-03: defending is not an action."""
    rock = Weapon("rock", name="Rock", heft=1, unwieldy=True, throw_reach=Decimal(2))
    strong = replace(ANA, power=4, hand_reach=Decimal(1), weapon=(rock, *ANA.weapon))
    fight = given(strong, BEN, *begin("ana", BeginHeave("ana", "rock"), EndTurn("ana"), BeginTurn("ben")))
    fight.after(Attack("ben", "ana", "body", modifier=3))
    for order in (
        Counterattack("ana", 9, "sword", modifier=3),
        Parry("ana", 9, "sword"),
        Tackle("ana", 9, 9, points=1),
    ):
        fight.when(order).raises("heaving", "MAM-THR-03")
    assert fight.when(Defend("ana", 9, 1)).error is None


def absorbed_by_worn(off: str, *armor: ArmorPiece) -> int:
    """Return the points that armor absorbs of a lasting choke, after Ben has taken off one of the pieces."""
    ben = replace(BEN, absorption=1, armor=armor)
    fight = given(ANA, ben, CAL, *begin("ana", *CHOKE), BeginTurn("ben"), DropItem("ben", off), EndTurn("ben"))
    again: GrappleEffectApplied = fight.after(*pass_turns("cal")).when(BeginTurn("ana")).one(GrappleEffectApplied)
    return again.absorbed


def test_removed_armor_no_longer_absorbs_a_choke() -> None:
    """MAM-ARM-01, MAM-MNP-06: the body and the layers under it still do; a piece elsewhere never did."""
    coat, helmet = ArmorPiece("coat", cover=6, absorption=1), ArmorPiece("helmet", cover=1, absorption=1)
    quilt = ArmorPiece("quilt", cover=6, absorption=2, under="coat")
    assert absorbed_by_worn("coat", coat) == 1
    assert absorbed_by_worn("coat", coat, quilt) == 3
    assert absorbed_by_worn("helmet", replace(coat, absorption=2), helmet) == 3


@pytest.mark.parametrize(
    ("before", "after"),
    [("respend_each_round", "reserve_in_other_used"), ("reserve_in_other_used", "respend_each_round")],
)
def test_a_hold_keeps_its_cost_after_a_change_of_rules(before: str, after: str) -> None:
    """MAM-MNP-05, MAM-POOL-07, option `hold_maintenance`."""
    ana = replace(ANA, item=())
    fight = given(ana, BEN, CAL, *begin("ana", *CHOKE[:2]), rules={"hold_maintenance": before})
    fight.after(ChangeRules({"hold_maintenance": after}, "so we agreed"), EndTurn("ana"))
    fight.after(*pass_turns("ben", "cal"), BeginTurn("ana"))
    if after == "reserve_in_other_used":
        fight.when(Ready("ana", other_used=1)).raises("exceeds_maximum", "MAM-PHASE-02")
    else:
        assert fight.when(Ready("ana", other_used=4))["ana"].grapples
        assert fight.when(MaintainGrapple("ana", "choke-7")).one(HitPointsSpent).to_other_used == 4
        assert fight.when(EndTurn("ana")).one(GrappleBroken).cause == "not_maintained"


NET = Weapon("net", name="Net", kind="thrown", power=6, holds=True)
CAST = {"thrown": "quick", "distance": Decimal(1), "follow_up": "hold", "power": 2}


@pytest.mark.parametrize("taker", ["ana", "cal"])
def test_a_net_on_the_ground_can_be_taken_up_and_then_holds_nobody(taker: str) -> None:
    """MAM-MNP-03, MAM-MNP-10."""
    ana = replace(ANA, power=6, hand_reach=Decimal(2), weapon=(NET,))
    fight = given(ana, BEN, CAL, *begin("ana", Manipulate("ana", "ben", "net", **CAST), Resolve(7, 6, 1)))  # type: ignore[arg-type]
    (grapple,) = fight.state.combatants["ana"].grapples
    assert (grapple.held, grapple.weapon, grapple.lies) == ("ben", "net", True)
    if taker != "ana":
        fight.after(EndTurn("ana"), *pass_turns("ben"), BeginTurn(taker))
    result = fight.when(PickUpItem(taker, "net", owner="ana"))
    assert result.one(GrappleBroken) == GrappleBroken("ana", grapple.id, "taken_up")
    assert not result["ana"].grapples


GUN = Weapon("gun", name="Gun", kind="gun", power=3, range=Decimal(60))
SHOOTER = replace(BEN, weapon=(GUN,))
GUNNED = replace(ANA, item=(), weapon=(*ANA.weapon, GUN))


def shot_at(metres: int) -> GivenFight:
    """Let Ben shoot at Ana from that distance, with three points on the modifier (ruling 7)."""
    shot = Attack("ben", "ana", "gun", modifier=3, distance=Decimal(metres))
    return given(SHOOTER, GUNNED, CAL, *begin("ben", shot))


@pytest.mark.parametrize("answer", [Parry("ana", 7, "sword"), Interfere("ana", 7, 7, points=3)])
def test_distance_modifies_every_roll_that_replaces_the_defense(answer: Command) -> None:
    """MAM-ATK-08, MAM-INTF-03."""
    result = shot_at(50).after(answer).when(Resolve(7, 3, 3))
    assert ("50 m away", 16) in [(m.name, m.value) for m in result.all(RollMade)[1].modifiers]
    assert result.one(AttackResolved).outcome == "fail"


def test_distance_does_not_modify_a_roll_of_a_bystander() -> None:
    """MAM-INTF-01: a bystander's roll stops the shot, and has no distance."""
    result = shot_at(50).after(Interfere("cal", 7, 7, points=3)).when(Resolve(7, 3, 3, {"8": 3}))
    assert [m.name for m in result.one(InterferenceRolled).modifiers] == ["ability"]


@pytest.mark.parametrize(
    "answer",
    [
        Counterattack("ana", 7, "sword", power=3),
        Interfere("ana", 7, 7, weapon="sword", power=3),
        Tackle("ana", 7, 7, "sword", points=3, follow_up="hold"),
        Tackle("ana", 7, 7, "body", points=3, follow_up="throw"),
    ],
)
def test_a_melee_counterattack_beyond_reach_is_refused(answer: Command) -> None:
    """MAM-ATK-08."""
    shot_at(3).when(answer).raises("out_of_range", "MAM-ATK-08")


SHOTS_BACK = [Counterattack("ana", 7, "gun", power=1), Interfere("ana", 7, 7, weapon="gun", power=1)]


@pytest.mark.parametrize("answer", SHOTS_BACK)
def test_a_shot_in_return_has_the_distance_of_the_attack(answer: Counterattack | Interfere) -> None:
    """MAM-ATK-08."""
    fight = shot_at(50)
    roll = fight.after(answer).when(Resolve(7, 3, 1)).all(RollMade)[1]
    assert [m.value for m in roll.modifiers if m.name == "50 m away"] == [16, -16]
    shot_at(50).when(replace(answer, distance=Decimal(70))).raises("out_of_range", "MAM-ATK-08")
    shot_at(50).when(replace(answer, weapon="sword", distance=Decimal(2))).raises("idle_distance", "MAM-ATK-08")


def test_a_target_of_a_distant_shot_may_counterattack_somebody_near() -> None:
    """MAM-ATK-08, MAM-ATK-12, `counterattack_target`: somebody near with any weapon, the shooter only with the gun."""
    shot = Attack("ben", "ana", "gun", modifier=3, distance=Decimal(50))
    fight = given(SHOOTER, GUNNED, CAL, *begin("ben", shot), rules={"counterattack_target": "any_target"})
    for weapon, whom, accepted in (
        ("sword", "cal", True),
        ("sword", "", False),
        ("gun", "cal", True),
        ("gun", "", True),
    ):
        answer = Counterattack("ana", 7, weapon, power=1, target=whom)
        assert (fight.when(answer).error is None) is accepted
        assert is_offered(fight.state, fight.ruleset, answer) is accepted


@pytest.mark.parametrize("lying", [False, True])
def test_aiming_helps_an_interfering_shot_and_ends_with_it(lying: bool) -> None:  # noqa: FBT001 - a case
    """MAM-POS-02: lying adds no penalty to an aimed shot."""
    fight = given(
        GUNNED, BEN, CAL, *begin("ana", *((Drop("ana"),) if lying else ()), Aim("ana", "gun"), EndTurn("ana"))
    )
    fight.after(BeginTurn("ben"), Act("ben", "the machine", points=2))
    number = fight.ruling
    fight.after(Interfere("ana", number, number, weapon="gun", power=1))
    result = fight.when(Resolve(number, 1, interference_die={str(fight.ruling): 1}))
    assert ("MAM-POS-02", 5) in [(m.rule, m.value) for m in result.one(InterferenceRolled).modifiers]
    assert (result["ana"].status.aiming, result["ana"].status.position) == ("", "on_ground" if lying else "standing")


def test_an_animal_that_interferes_with_an_action_needs_a_riding_roll() -> None:
    """MAM-MNT-01: every time the animal attacks."""
    fight = mounted(Act("cal", "the machine", points=2))
    number = fight.ruling
    fight.after(Interfere("horse", number, number, weapon="body", power=1))
    result = fight.when(Resolve(number, 1, interference_die={str(fight.ruling): 6}))
    assert result.one(MountedRollOwed).riders == ("dov",)


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed", "mam_d20"])
def test_a_second_hold_replaces_the_first(preset: str) -> None:
    """MAM-MNP-05: the penalty does not add up."""
    fight = given(replace(ANA, item=(), size=9), BEN, CAL, *begin("ana"), preset=preset)
    paid = {"points": 1} if preset == "mam_pools" else {}
    for _ in range(2):
        fight.after(Manipulate("ana", "ben", "body", follow_up="hold", **paid))  # type: ignore[arg-type]
        fight.after(Resolve(fight.ruling, 20 if preset != "mam_pools" else 6, 1 if preset == "mam_pools" else None))
        fight.after(EndTurn("ana"), *pass_turns("ben", "cal"), BeginTurn("ana"))
    (grip,) = fight.state.combatants["ana"].grapples
    assert [modifier.value for modifier in penalties(fight.state, "ben")] == [-grip.modifier]
    fight.after(Manipulate("ana", "ben", "sword", follow_up="hold", **paid))  # type: ignore[arg-type]
    result = fight.when(Resolve(fight.ruling, 20 if preset != "mam_pools" else 6, 1 if preset == "mam_pools" else None))
    assert result.one(GrappleBroken) == GrappleBroken("ana", grip.id, "taken_anew")


def test_a_renewed_choke_does_not_hit_again_in_the_same_round() -> None:
    """MAM-MNP-06: its effects apply once each round."""
    fight = given(ANA, BEN, CAL, *begin("ana", *CHOKE), *pass_turns("ben", "cal"), BeginTurn("ana"))
    assert fight.state.combatants["ben"].pools.stun + fight.state.combatants["ben"].pools.damage > 0
    fight.after(Manipulate("ana", "ben", "body", follow_up="choke", power=2))
    assert not fight.when(Resolve(fight.ruling, 6, 1)).all(GrappleEffectApplied)
    fight.after(Resolve(fight.ruling, 6, 1), EndTurn("ana"), *pass_turns("ben", "cal"))
    assert len(fight.when(BeginTurn("ana")).all(GrappleEffectApplied)) == 1


def test_a_holder_who_changes_the_hold_keeps_the_position() -> None:
    """MAM-POS-05: the two stay in the grapple."""
    fight = given(replace(ANA, item=(), size=9), BEN, CAL, *begin("ana"))
    fight.after(Manipulate("ana", "ben", "body", points=1, follow_up="hold"), Resolve(7, 6, 1))
    fight.after(TakePosition("ana", "dominant_standing", "ben"))
    fight.after(Manipulate("ana", "ben", "body", follow_up="choke", power=2), Resolve(10, 6, 1))
    assert [grip.kind for grip in fight.state.combatants["ana"].grapples] == ["choke"]
    assert fight.state.combatants["ana"].status.dominant_over == "ben"


HELD_RIDER = (
    Manipulate("cal", "dov", "body", points=2, follow_up="hold"),
    Resolve(7, 6, 1),
    TakePosition("cal", "dominant_standing", "dov"),
)
FALLS: dict[str, tuple[Command, ...]] = {
    "whose riding roll fails": (
        Attack("cal", "horse", "body", modifier=1),
        Resolve(10, 6, 1),
        StayMounted("dov", die=1),
    ),
    "who is out of its senses": (
        Adjust("a stone", condition={"dov": "incapacitated"}),
        Attack("cal", "horse", "body", modifier=1),
        Resolve(11, 6, 1),
    ),
}


@pytest.mark.parametrize("falls", FALLS)
def test_a_rider_who_falls_leaves_other_positions(falls: str) -> None:
    """MAM-POS-01: the hold continues, but not the position."""
    fight = mounted(*HELD_RIDER)
    assert fight.state.combatants["dov"].status.grappling == "cal"
    fight.after(*FALLS[falls])
    rider, holder = fight.state.combatants["dov"], fight.state.combatants["cal"]
    assert (rider.status.mount, rider.status.position, rider.status.grappling) == ("", "on_ground", "")
    assert (holder.status.position, holder.status.dominant_over) == ("standing", "")
    assert holder.grapples


def test_a_combatant_put_on_a_mount_stops_grappling() -> None:
    """MAM-POS-01."""
    fight = mounted(*HELD_RIDER).after(Adjust("up again", riding={"dov": "horse"}))
    assert (fight.state.combatants["dov"].status.position, fight.state.combatants["dov"].status.grappling) == (
        "standing",
        "",
    )


def test_a_rider_who_falls_stops_aiming() -> None:
    """MAM-POS-02: aiming is a position."""
    bow = Weapon("bow", name="Bow", kind="bow", range=Decimal(60))
    rider = replace(RIDER, weapon=(bow,))
    fight = given(HORSE, rider, replace(CAL, size=4), *begin("dov", Aim("dov", "bow"), EndTurn("dov")))
    fight.after(*pass_turns("cal"), BeginTurn("horse"), Attack("horse", "cal", "body", modifier=1))
    fight.after(Resolve(fight.ruling, 6, 1))
    fallen = fight.when(StayMounted("dov", die=1))["dov"].status
    assert (fallen.position, fallen.aiming) == ("on_ground", "")


@pytest.mark.parametrize("order", [Attack("ana", "ben", "sword"), Manipulate("ana", "ben", "sword", follow_up="hold")])
def test_a_prepared_counterattack_reaches_as_far_as_its_movement(order: Command) -> None:
    """MAM-CTR-02, MAM-ATK-08: a prepared combatant moves before the counterattack."""
    waiting = (SHOOTER, GUNNED, CAL, *begin("ana", PrepareCounterattack("ana")), *pass_turns("cal"), BeginTurn("ben"))
    fight = given(*waiting, Attack("ben", "ana", "gun", distance=Decimal(7)), preset="mam_speed")
    fight.when(order).raises("out_of_range", "MAM-ATK-08")
    fight.after(Move("ana", metres=Decimal(5))).when(order).all(AttackRolled)


RUNNER = replace(ANA, item=(), movement=Decimal(10), speed=Decimal(2))


def test_a_runner_thrown_to_the_ground_does_not_charge() -> None:
    """MAM-ATK-07, MAM-CTR-03, MAM-MNP-09: the counterattack came first, and the runner attacks from the ground."""
    fight = given(
        replace(RUNNER, size=1),
        replace(BEN, size=5),
        Initiative(first="ben", reason="agreed"),
        BeginTurn("ben"),
        PrepareCounterattack("ben"),
        BeginTurn("ana"),
        Move("ana", metres=Decimal(8), straight=True),
        Attack("ana", "ben", "sword"),
        preset="mam_speed",
    )
    number = fight.ruling
    throw_orders = (Manipulate("ben", "ana", "body", follow_up="throw"), Resolve(number + 1, 20), EndTurn("ben"))
    fight.after(*throw_orders)
    assert fight.state.combatants["ana"].status.position == "on_ground"
    event = fight.when(Resolve(number, 20)).one(AttackResolved)
    assert (event.outcome, event.power, event.modifiers) == ("full", 0, ())


def test_dropping_ends_a_run() -> None:
    """MAM-ATK-07: "before attacking", and not before dropping."""
    run = (DeclareCombo("ana", 2), Move("ana", metres=Decimal(8), straight=True))
    for between, power in (((), 3), ((Drop("ana"),), 0)):
        fight = given(RUNNER, BEN, *begin("ana", *run, *between, Attack("ana", "ben", "sword")), preset="mam_speed")
        assert fight.when(Resolve(fight.ruling, 20)).one(AttackResolved).power == power
