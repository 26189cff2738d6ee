"""Combos against prepared counterattacks, and nested counterattacks."""

from __future__ import annotations

from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    ChangeAction,
    DeclareCombo,
    DropItem,
    EndTurn,
    Manipulate,
    Parry,
    PrepareCounterattack,
    Resolve,
    SkipTurn,
)
from mam_events.events import (
    ActionTaken,
    AttackDeclared,
    CounterattackTriggered,
    DeclaredActionChanged,
    ParryDeclared,
)
from mam_events.state import Item
from tests.rules.fights.speed import ALVA, BIRK, CORA, NESTED, RIVAL, start_orders, waiting_orders
from tests.rules.turns.speed_turns import current_turn, speed

COMBO = (*start_orders(ALVA, BIRK, CORA, RIVAL), SkipTurn("alva"), BeginTurn("birk"), PrepareCounterattack("birk"))
BOTH = (*COMBO, BeginTurn("cora"), PrepareCounterattack("cora"), SkipTurn("rival"), BeginTurn("alva"))
"""Rulings 2 to 14: Birk and Cora wait, and Alva's turn begins."""


def test_all_targets_of_a_combo_counterattack_before_it() -> None:
    """MAM-CTR-02: in the order of naming, for any action of the combo."""
    fight = speed(*BOTH)
    result = fight.when(DeclareCombo("alva", 2, target=("cora", "birk")))
    assert [event.combatant for event in result.all(CounterattackTriggered)] == ["birk", "cora"]
    fight.after(DeclareCombo("alva", 2, target=("cora", "birk")))
    assert current_turn(fight) == ("cora", 15, 0)
    assert current_turn(fight.after(EndTurn("cora"))) == ("birk", 15, 0)
    assert current_turn(fight.after(EndTurn("birk"))) == ("alva", 0, 0)
    assert fight.when(Attack("alva", "birk")).all(CounterattackTriggered) == []


def test_two_targets_of_one_combo_do_not_count_as_nested() -> None:
    """MAM-CTR-06 under `nested_counterattacks = forbidden`: both come before the combo, neither inside the other."""
    fight = speed(*BOTH, nested_counterattacks="forbidden")
    assert len(fight.when(DeclareCombo("alva", 2, target=("cora", "birk"))).all(CounterattackTriggered)) == 2


def test_a_running_combo_cannot_add_a_target_with_a_counterattack() -> None:
    """MAM-CTR-02: such a target must be named in the declaration, or attacked first."""
    fight = speed(*BOTH, DeclareCombo("alva", 2))
    assert fight.when(Attack("alva", "birk")).one(CounterattackTriggered).combatant == "birk"
    fight.after(Attack("alva", "rival", "body"), Resolve(16, attack_die=2))
    fight.when(Attack("alva", "birk")).raises("too_late", "MAM-CTR-02")
    fight.when(Attack("alva", "rival", "body")).then(
        AttackDeclared(18, "alva", "rival", "body", 0, 0), ActionTaken("alva", "quick_attack", "body")
    )


def test_a_combo_can_be_changed_after_a_counterattack() -> None:
    """MAM-CTR-03: to another action, quick or not, before any of it is made."""
    fight = speed(*BOTH, DeclareCombo("alva", 2, target=("birk",)), EndTurn("birk"))
    fight.when(Attack("alva", "birk", mode="powerful")).raises("not_quick")
    fight.when(ChangeAction("alva", 15)).then(DeclaredActionChanged(15, "alva"))
    assert fight.when(Attack("alva", "birk", "sword")).error is None
    fight.after(ChangeAction("alva", 15)).when(Attack("alva", "birk", mode="powerful")).one(AttackDeclared)
    started_fight = speed(*BOTH, DeclareCombo("alva", 2, target=("birk",)), EndTurn("birk"), Attack("alva", "rival"))
    started_fight.after(Resolve(17, attack_die=2)).when(ChangeAction("alva", 15)).raises("combo_late")


def test_a_wounded_attacker_must_change_the_quick_action_under_an_option() -> None:
    """MAM-CTR-03, MAM-COMBO-02: the declared action is checked again (`single_quick_action_when_unhealthy`)."""
    combo = (DeclareCombo("rival", 1, target=("birk",)), Attack("rival", "birk", "sword"))
    for declaration, undone_order in ((combo[1], None), combo):
        for reading, code in (("allowed", ""), ("forbidden", "not_healthy" if undone_order else "must_change")):
            fight = speed(*waiting_orders(BIRK, RIVAL), declaration, single_quick_action_when_unhealthy=reading)
            fight.after(Attack("birk", "rival", "sword"), Resolve(9, attack_die=19), EndTurn("birk"))
            result = fight.when(undone_order or Resolve(8, attack_die=2))
            assert (result.error.code if result.error else "") == code
            fight.after(ChangeAction("rival", 8)).when(Attack("rival", "birk", mode="powerful")).one(AttackDeclared)


def test_an_attacker_with_a_short_reserve_must_drop_equipment_first() -> None:
    """MAM-CTR-03, MAM-POOL-06: as before any other action."""
    fighter = replace(RIVAL, item=(Item("pack", encumbrance=RIVAL.hp or 0),))
    fight = speed(*waiting_orders(BIRK, fighter), Attack("rival", "birk", "sword"), Attack("birk", "rival", "sword"))
    fight.after(Resolve(9, attack_die=19), EndTurn("birk"))
    fight.when(Resolve(8, attack_die=19)).raises("reserve_short", "MAM-POOL-08")
    assert fight.after(DropItem("rival", "pack")).when(Resolve(8, attack_die=19)).error is None


def test_a_disarm_of_a_dropped_weapon_must_be_changed() -> None:
    """MAM-CTR-03, MAM-MNP-04: it could not be declared now."""
    disarm = Manipulate("rival", "birk", follow_up="disarm", item="sword")
    fight = speed(*waiting_orders(BIRK, RIVAL), disarm, DropItem("birk", "sword"), EndTurn("birk"))
    fight.when(Resolve(8, attack_die=15)).raises("must_change", "MAM-CTR-03")
    assert fight.after(ChangeAction("rival", 8)).when(disarm).raises("weapon_not_in_hand")


def test_a_target_who_skips_the_counterattack_may_parry_the_combo() -> None:
    """MAM-INTF-02, MAM-CTR-06: once, as before a single attack."""
    strike = Attack("alva", "birk", "sword")
    fight = speed(*BOTH, DeclareCombo("alva", 2, target=("birk",)), EndTurn("birk"), Attack("alva", "rival", "sword"))
    fight.after(Resolve(fight.ruling, attack_die=2), replace(strike, weapon="body"))
    fight.after(Parry("birk", fight.ruling, "sword"))
    second_fight = speed(*BOTH, DeclareCombo("alva", 2, target=("birk",)), EndTurn("birk"), strike)
    second_fight.after(
        Parry("birk", second_fight.ruling, "sword"), Resolve(second_fight.ruling, attack_die=2, defense_die=3)
    )
    second_fight.after(replace(strike, weapon="body")).when(Parry("birk", second_fight.ruling, "sword")).raises(
        "not_prepared"
    )


def test_a_target_who_skips_the_counterattack_may_parry_a_changed_attack() -> None:
    """MAM-CTR-03, MAM-INTF-02."""
    fight = speed(*waiting_orders(BIRK, RIVAL), Attack("rival", "birk", "sword"), EndTurn("birk"))
    fight.after(ChangeAction("rival", 8), Attack("rival", "birk", "sword", mode="powerful"))
    fight.when(Parry("birk", fight.ruling, "sword")).one(ParryDeclared)


def test_an_option_sets_the_possible_targets_of_a_counterattack() -> None:
    """MAM-CTR-02, `counterattack_target`."""
    for reading in ("any_target", "attacker_only"):
        fight = speed(*waiting_orders(BIRK, RIVAL, CORA), Attack("rival", "birk"), counterattack_target=reading)
        assert (fight.when(Attack("birk", "cora")).error is None) == (reading == "any_target")
        assert (fight.when(DeclareCombo("birk", 2, target=("cora",))).error is None) == (reading == "any_target")
        assert fight.when(Attack("birk", "rival")).error is None
        throw = Manipulate("birk", "rival", follow_up="throw")
        assert fight.when(throw).error is None
        assert (fight.when(replace(throw, into="cora")).error is None) == (reading == "any_target")


def test_nested_counterattacks_are_resolved_last_first() -> None:
    """MAM-CTR-06, `nested_counterattacks`."""
    fight = speed(*NESTED)
    assert current_turn(fight) == ("alva", 12, 0)
    fight.after(Attack("alva", "birk"), Resolve(13, attack_die=2))
    assert current_turn(fight.after(EndTurn("alva"))) == ("birk", 11, 12)
    fight.after(Resolve(12, attack_die=2))
    assert current_turn(fight.after(EndTurn("birk"))) == ("cora", 0, 11)
    forbidden = speed(*NESTED, nested_counterattacks="forbidden")
    assert current_turn(forbidden) == ("birk", 11, 12)
    assert forbidden.state.combatants["alva"].status.prepared
