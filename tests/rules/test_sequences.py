"""Sequences in which several sections of the rules meet."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    Body,
    ChangeRules,
    Counterattack,
    DeclareCombo,
    DelayTurn,
    Drop,
    DropItem,
    EndTurn,
    EstablishSurprise,
    Initiative,
    Interfere,
    Join,
    MaintainGrapple,
    Manipulate,
    Move,
    Parry,
    PickUpItem,
    PrepareCounterattack,
    Ready,
    Resolve,
    Stalk,
    Tackle,
    TakePosition,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    AttackResolved,
    CombatantIncapacitated,
    GrappleBroken,
    GrappleEffectApplied,
    HitPointsSpent,
    StunRecovered,
    TargetDisarmed,
    WoundInflicted,
)
from mam_events.rules.grappling.holds import penalties
from mam_events.state import ArmorPiece, Weapon
from tests.rules.sequence_fighters import ANA, BEN, CAL, begin, pass_turns
from tests.spec import given

CHOKE = (Manipulate("ana", "ben", "body", follow_up="choke", power=4), Resolve(7, 6, 1), EndTurn("ana"))


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


def absorbed_by_worn(off: str, *armor: ArmorPiece) -> int:
    """Return the points that armor absorbs of a lasting choke, after Ben has taken off one of the pieces."""
    ben = replace(BEN, absorption=1, armor=armor)
    fight = given(ANA, ben, CAL, *begin("ana", *CHOKE), BeginTurn("ben"), DropItem("ben", off), EndTurn("ben"))
    event: GrappleEffectApplied = fight.after(*pass_turns("cal")).when(BeginTurn("ana")).one(GrappleEffectApplied)
    return event.absorbed


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


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed", "mam_d20"])
def test_a_second_hold_replaces_the_first(preset: str) -> None:
    """MAM-MNP-05: the penalty does not add up."""
    fight = given(replace(ANA, item=(), size=9), BEN, CAL, *begin("ana"), preset=preset)
    cost = {"points": 1} if preset == "mam_pools" else {}
    for _ in range(2):
        fight.after(Manipulate("ana", "ben", "body", follow_up="hold", **cost))  # type: ignore[arg-type]
        fight.after(Resolve(fight.ruling, 20 if preset != "mam_pools" else 6, 1 if preset == "mam_pools" else None))
        fight.after(EndTurn("ana"), *pass_turns("ben", "cal"), BeginTurn("ana"))
    (grip,) = fight.state.combatants["ana"].grapples
    assert [modifier.value for modifier in penalties(fight.state, "ben")] == [-grip.modifier]
    fight.after(Manipulate("ana", "ben", "sword", follow_up="hold", **cost))  # type: ignore[arg-type]
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
