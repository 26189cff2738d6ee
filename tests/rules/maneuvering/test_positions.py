"""Stances and positions: one at a time, their modifiers, and how long they last."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Aim,
    Attack,
    BeginTurn,
    Body,
    Command,
    Counterattack,
    Dismount,
    Drop,
    DropItem,
    EndTurn,
    Evade,
    Hold,
    Initiative,
    InstantStand,
    Join,
    Manipulate,
    Mount,
    Move,
    Parry,
    Placement,
    Release,
    Resolve,
    Rest,
    Stand,
    TakePosition,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.errors import CommandHint
from mam_events.events import (
    AimTaken,
    AttackRolled,
    CombatantRecovered,
    CounterattackResolved,
    DefenseRolled,
    EffectExpired,
    GrappleBroken,
    HitPointsSpent,
    PositionChanged,
    RestTaken,
    StunRecovered,
)
from mam_events.state import Effect, Pools, Weapon
from mam_events.values import AttackMode
from tests.fighters import CLONE, ICE_BLADE, MODRE, SENTRY, with_pools
from tests.spec import CommandResult, GivenFight, given

GUN = Weapon("gun", kind="gun", range=Decimal(100))
ARMED = replace(MODRE, weapon=(GUN, ICE_BLADE))
FIRST = (Initiative(first="modre", reason="agreed"), BeginTurn("modre"))
THREE: tuple[Command, ...] = (ARMED, CLONE, SENTRY, *FIRST)
FIVE = {"ground_modifiers": "five_point"}
TABLE = {"position_table_source": "table"}
NEXT = (EndTurn("modre"), BeginTurn("clone"))
GRIP = Adjust("a grip", hold=(Hold("modre", "grip", 0, held="clone"),))
LYING = Adjust("they roll", position=(Placement("modre", "on_ground"), Placement("clone", "on_ground")))
SHOT = Attack("modre", "clone", "gun", power=1, distance=Decimal(1))


def fight_with_positions(*places: tuple[Any, ...], rules: dict[str, str] | None = None) -> GivenFight:
    """Return Modre's turn in a fight of three, each placed by the game master."""
    word = Adjust("so it is", position=tuple(Placement(*place) for place in places))
    return given(*THREE, word, rules=rules)


def resolve(fight: GivenFight, attack: Attack) -> CommandResult:
    """Resolve the attack."""
    fight.after(attack)
    return fight.when(Resolve(fight.ruling, attack_die=3, defense_die=3))


def position_modifiers(roll: AttackRolled | DefenseRolled) -> int:
    """Return the sum of the modifiers of a roll that come from positions and stances."""
    return sum(modifier.value for modifier in roll.modifiers if modifier.rule.startswith(("MAM-POS", "MAM-COMBO")))


def attack_modifier(fight: GivenFight, attack: Attack) -> int:
    return position_modifiers(resolve(fight, attack).one(AttackRolled))


def defense_modifier(fight: GivenFight, attack: Attack) -> int:
    return position_modifiers(resolve(fight, attack).one(DefenseRolled))


STRIKE = Attack("modre", "clone", "ice-blade", power=1)


@pytest.mark.parametrize(("rules", "strike"), [({}, -2), (FIVE, -5)])
def test_the_ground_lowers_melee_attack_and_defense(rules: dict[str, str], strike: int) -> None:
    """MAM-POS-02, MAM-MNV-03."""
    assert attack_modifier(fight_with_positions(("modre", "on_ground"), rules=rules), STRIKE) == strike
    assert attack_modifier(fight_with_positions(("modre", "on_ground"), rules=rules), SHOT) == 0
    assert defense_modifier(fight_with_positions(("clone", "on_ground"), rules=rules), STRIKE) == strike


@pytest.mark.parametrize(("rules", "bonus"), [({}, 2), (FIVE, 5)])
def test_a_target_on_the_ground_is_harder_to_shoot_except_from_above(rules: dict[str, str], bonus: int) -> None:
    """MAM-POS-02, MAM-POS-03."""
    for position in ("on_ground", "aiming_on_ground"):
        assert defense_modifier(fight_with_positions(("clone", position), rules=rules), SHOT) == bonus
        assert (
            defense_modifier(fight_with_positions(("clone", position), rules=rules), replace(SHOT, from_above=True))
            == 0
        )


@pytest.mark.parametrize(("reading", "left"), [("all_ground_positions", 0), ("printed_only", 5)])
def test_an_option_sets_which_positions_are_exposed_from_above(reading: str, left: int) -> None:
    """MAM-POS-03."""
    fight = fight_with_positions(("clone", "ground_fighting", "sentry"), rules={"from_above_scope": reading})
    assert defense_modifier(fight, replace(SHOT, from_above=True)) == left


@pytest.mark.parametrize(("rules", "missile"), [({}, 5), (TABLE, 0)])
def test_grappling_on_the_ground_modifies_attack_and_defense(rules: dict[str, str], missile: int) -> None:
    """MAM-POS-02."""
    for position in ("ground_fighting", "dominant_on_ground"):
        fight = (("clone", position, "sentry"),)
        assert defense_modifier(fight_with_positions(*fight, rules=rules), SHOT) == missile
        assert defense_modifier(fight_with_positions(*fight, rules=rules), STRIKE) == -5
    assert attack_modifier(fight_with_positions(("modre", "ground_fighting", "sentry"), rules=rules), SHOT) == -5


def test_the_dominant_grappler_has_an_advantage_of_ten() -> None:
    """MAM-POS-05."""
    pair = (("modre", "dominant_standing", "clone"), ("clone", "clinch", "modre"))
    result = resolve(fight_with_positions(*pair), STRIKE)
    assert position_modifiers(result.one(AttackRolled)) - position_modifiers(result.one(DefenseRolled)) == 10
    assert attack_modifier(fight_with_positions(*pair), replace(STRIKE, target="sentry")) == -5


def test_an_attack_may_be_strategic_or_cautious() -> None:
    """MAM-POS-02, MAM-POS-04."""
    assert attack_modifier(fight_with_positions(), replace(STRIKE, mode="strategic")) == 5
    assert attack_modifier(fight_with_positions(), replace(SHOT, mode="strategic")) == 5
    fight = fight_with_positions()
    assert attack_modifier(fight, replace(STRIKE, mode="cautious")) == 0
    fight = fight_with_positions().after(replace(STRIKE, mode="cautious"))
    fight.after(Resolve(fight.ruling, attack_die=3, defense_die=3))
    assert fight.state.combatants["modre"].status.effects == (Effect("cautious", 5, "MAM-POS-04", turn=2),)
    fight.after(*NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 5


def test_a_strategic_stance_ends_with_the_attack() -> None:
    """MAM-POS-01, MAM-POS-04."""
    fight = fight_with_positions().after(replace(STRIKE, mode="strategic"), Resolve(8, attack_die=3, defense_die=3))
    assert fight.state.combatants["modre"].status.position == "standing"
    assert attack_modifier(fight, STRIKE) == 0


@pytest.mark.parametrize("mode", ["powerful", "strategic", "cautious"])
def test_modes_that_need_standing_are_refused_on_the_ground(mode: Any) -> None:
    """MAM-POS-01, MAM-POS-02."""
    fight_with_positions(("modre", "on_ground")).when(replace(STRIKE, mode=mode)).raises(
        "on_the_ground", "MAM-COMBO-05"
    )


@pytest.mark.parametrize("position", ["aiming_standing", "clinch", "dominant_standing"])
def test_a_strategic_attack_is_refused_while_aiming_or_grappling(position: str) -> None:
    """MAM-POS-01."""
    partner = "" if position == "aiming_standing" else "clone"
    fight = fight_with_positions(("modre", position, partner))
    fight.when(replace(STRIKE, mode="strategic")).raises("wrong_position", "MAM-POS-01")
    fight.when(STRIKE).all()


@pytest.mark.parametrize(
    "order", [Rest("modre"), Aim("modre", "gun"), Drop("modre"), Stand("modre"), InstantStand("modre")]
)
def test_maneuvers_are_refused_in_a_clinch(order: Command) -> None:
    """MAM-POS-01."""
    fight_with_positions(("modre", "clinch", "clone")).when(order).raises("wrong_position", "MAM-POS-01")


def test_resting_helps_until_the_end_of_the_next_turn() -> None:
    """MAM-POS-04."""
    effect = Effect("resting", 5, "MAM-POS-04", turn=2)
    given(*THREE).when(Rest("modre")).then(
        RestTaken("modre", effect), HitPointsSpent("modre", "action", 0, 1, Pools(ready=5, other_used=1))
    )
    fight = given(*THREE, Rest("modre"), *NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 5
    fight.after(Resolve(fight.ruling, attack_die=3, defense_die=3))
    round_over = (EndTurn("clone"), BeginTurn("sentry"), EndTurn("sentry"), BeginTurn("modre"))
    assert fight.after(*round_over).when(EndTurn("modre")).one(EffectExpired) == EffectExpired("modre", "resting")


def test_resting_on_the_ground_adds_to_the_ground_modifier() -> None:
    """MAM-POS-02."""
    fight = fight_with_positions(("modre", "on_ground")).after(Rest("modre"), *NEXT)
    assert defense_modifier(fight, Attack("clone", "modre", power=1)) == 3


def test_an_option_lets_resting_recover_all_stun() -> None:
    """MAM-POS-04."""
    fighter = with_pools(ARMED, ready=2, stun=4)
    rules = {"rest_action_effect": "recover_all_stun", "stun_recovery_timing": "turn_end"}
    result = given(fighter, CLONE, *FIRST, rules=rules).when(Rest("modre"))
    assert result.one(StunRecovered) == StunRecovered("modre", 4, Pools(ready=1, other_used=5))
    assert not result.all(CombatantRecovered)
    assert not given(fighter, CLONE, *FIRST).when(Rest("modre")).all(StunRecovered)


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
    lost = given(*THREE, Aim("modre", "gun")).when(Move("modre", points=1)).one(PositionChanged)
    assert lost == PositionChanged("modre", "aiming_standing", "standing", "move")
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
    lost = PositionChanged("modre", "aiming_standing", "standing", "move")
    assert fight.when(order).one(PositionChanged) == lost
    if isinstance(order, Mount):
        fight.after(order, Aim("modre", "gun"))
        assert fight.when(Dismount("modre")).one(PositionChanged) == lost


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


def test_only_the_holder_may_be_dominant() -> None:
    """MAM-POS-05."""
    fight = given(*THREE, GRIP)
    fight.when(TakePosition("modre", "dominant_standing", "clone")).then(
        PositionChanged("modre", "standing", "dominant_standing", "grapple", "clone"),
        PositionChanged("clone", "standing", "clinch", "grapple", "modre"),
    )
    fight.after(LYING, TakePosition("modre", "dominant_on_ground", "clone"))
    statuses = [fight.state.combatants[name].status for name in ("modre", "clone")]
    assert [status.position for status in statuses] == ["dominant_on_ground", "ground_fighting"]
    assert [status.dominant_over for status in statuses] == ["clone", ""]
    fight.after(*NEXT)
    fight.when(TakePosition("clone", "dominant_on_ground", "modre")).raises("not_the_holder", "MAM-POS-05")
    fight.when(TakePosition("clone", "ground_fighting", "modre")).raises("dominated", "MAM-POS-05")
    fight.when(TakePosition("clone", "clinch", "sentry")).raises("not_grappling")


def test_taking_a_position_does_not_change_standing_or_lying() -> None:
    """MAM-POS-05, MAM-MNV-04, MAM-MNP-08: standing up is an action, and lying is the result of a throw or a drop."""
    for fight in (given(*THREE, GRIP), given(*THREE, GRIP, TakePosition("modre", "dominant_standing", "clone"))):
        for position in ("ground_fighting", "dominant_on_ground"):
            error = fight.when(TakePosition("modre", position, "clone")).raises("wrong_level", "MAM-POS-05")
            assert "clinch or dominant_standing" in error.sentence
    one_lies = given(*THREE, Drop("modre"), GRIP)
    everything: tuple[Any, ...] = ("clinch", "dominant_standing", "ground_fighting", "dominant_on_ground")
    for each in everything:
        one_lies.when(TakePosition("modre", each, "clone")).raises("wrong_level", "MAM-POS-05")
    one_lies.after(Stand("modre")).when(TakePosition("modre", "clinch", "clone")).all()
    lying = given(*THREE, GRIP, LYING)
    lying.when(TakePosition("modre", "clinch", "clone")).raises("wrong_level")
    assert lying.after(TakePosition("modre", "ground_fighting", "clone"), Release("modre", "grip")).state.combatants[
        "modre"
    ].status.position == ("on_ground")


def test_only_possible_positions_are_offered() -> None:
    """MAM-POS-05."""
    for more, expected in (
        ((), ("clinch", "dominant_standing")),
        ((LYING,), ("ground_fighting", "dominant_on_ground")),
    ):
        fight = given(*THREE, GRIP, *more)
        offers = [one for one in legal_commands(fight.state, fight.ruleset) if isinstance(one, Template)]
        (offer,) = (one for one in offers if (one.do, one.combatant) == ("take-position", "modre"))
        assert offer.fields[1].choices == expected


def test_a_second_holder_cannot_take_a_position_in_a_grapple() -> None:
    """MAM-POS-01, MAM-POS-05: the first holder still holds, so the held combatant is not free."""
    both = Adjust("from behind", hold=(Hold("sentry", "arm", 0, held="clone"),))
    fight = given(*THREE, GRIP, both, TakePosition("modre", "dominant_standing", "clone"), EndTurn("modre"))
    fight.after(BeginTurn("clone"), EndTurn("clone"), BeginTurn("sentry"))
    for position in ("clinch", "dominant_standing"):
        fight.when(TakePosition("sentry", position, "clone")).raises("wrong_position", "MAM-POS-01")
    fight.after(Release("modre", "grip")).when(TakePosition("sentry", "clinch", "clone")).all()


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


def test_a_net_is_not_a_grapple() -> None:
    """MAM-POS-05, MAM-MNP-03: a net holds where it lies."""
    net = Weapon("net", kind="thrown", power=9, heft=-3, holds=True)
    fight = given(
        replace(ARMED, hand_reach=Decimal(1), weapon=(net, GUN)),
        CLONE,
        *FIRST,
        Manipulate("modre", "clone", "net", power=1, follow_up="hold", thrown="quick"),
    )
    fight.after(Resolve(fight.ruling, attack_die=6, defense_die=1))
    assert fight.state.combatants["modre"].grapples
    fight.when(TakePosition("modre", "clinch", "clone")).raises("not_grappling")
    fight.when(Aim("modre", "gun")).all()


def test_releasing_a_hold_ends_both_positions() -> None:
    """MAM-POS-05."""
    fight = given(*THREE, GRIP, TakePosition("modre", "dominant_standing", "clone"))
    let_go = fight.when(Release("modre", "grip")).all(PositionChanged)
    assert [(event.combatant, event.position, event.cause) for event in let_go] == [
        ("modre", "standing", "let go"),
        ("clone", "standing", "let go"),
    ]
    fight.after(LYING, TakePosition("modre", "ground_fighting", "clone"))
    assert {event.position for event in fight.when(Release("modre", "grip")).all(PositionChanged)} == {"on_ground"}


def test_a_broken_hold_ends_both_positions() -> None:
    """MAM-POS-05."""
    grip = Adjust("a grip", hold=(Hold("modre", "grip", 2, held="clone"),))
    strong = replace(CLONE, body=Body(power=3, attack=9))
    fight = given(
        with_pools(ARMED, ready=1, other_used=2), strong, *FIRST, grip, TakePosition("modre", "clinch", "clone")
    )
    result = resolve(fight.after(*NEXT), Attack("clone", "modre", power=1))
    result.one(GrappleBroken)
    assert {event.combatant for event in result.all(PositionChanged)} == {"modre", "clone"}


def test_the_game_master_can_place_only_one_dominant_grappler() -> None:
    """MAM-POS-05."""
    word = Adjust("so it is", position=(Placement("modre", "dominant_standing", "clone"),))
    given(*THREE).when(word).then(
        PositionChanged("modre", "standing", "dominant_standing", "game master", "clone"),
        PositionChanged("clone", "standing", "clinch", "game master", "modre"),
    )
    both = replace(word, position=(*word.position, Placement("clone", "dominant_standing", "modre")))
    given(*THREE).when(both).raises("two_dominant", "MAM-POS-05")
    given(*THREE).when(replace(word, position=(Placement("modre", "clinch"),))).raises("partner_missing")
    given(*THREE).when(replace(word, position=(Placement("modre", "standing", "clone"),))).raises("partner_missing")
    given(*THREE).when(replace(word, position=(Placement("modre", "clinch", "nobody"),))).raises("unknown_combatant")


def test_in_speed_rules_resting_and_aiming_are_the_action_of_the_turn() -> None:
    """MAM-POS-02, MAM-POS-04."""
    for order in (Rest("modre"), Aim("modre", "gun"), Drop("modre")):
        given(*THREE, order, preset="mam_speed").when(Attack("modre", "clone")).raises("one_action")


@pytest.mark.parametrize(("mode", "hit"), [("cautious", "fail"), ("quick", "full")])
def test_a_cautious_attack_defends_against_a_simultaneous_attack(mode: AttackMode, hit: str) -> None:
    """MAM-POS-04, MAM-ATK-12."""
    fight = given(*THREE, replace(STRIKE, mode=mode), rules={"pool_counterattack": "simultaneous_exchange"})
    fight.after(Counterattack("clone", fight.ruling, "body", modifier=1))
    assert fight.when(Resolve(fight.ruling - 1, 1, 2)).one(CounterattackResolved).outcome == hit


def test_the_bonus_of_cautious_attacks_does_not_add_up() -> None:
    """MAM-POS-04: "give a defense bonus until the end of the character's next turn"; evading has its own."""
    cautious = replace(STRIKE, mode="cautious", power=1)
    fight = given(*THREE, cautious, Resolve(7, 1, 6), cautious)
    caution = Effect("cautious", 5, "MAM-POS-04", turn=2)
    assert fight.when(Resolve(9, 1, 6))["modre"].status.effects == (caution,)
    assert fight.after(DropItem("modre", "ice-blade")).when(Resolve(9))["modre"].status.effects == (caution,)
    fight.after(Resolve(9))
    assert fight.when(Evade("modre"))["modre"].status.effects == (caution, Effect("evasion", 2, "MAM-MNV-01", turn=2))


def test_in_d20_rules_resting_recovers_stun_and_wounds_end_aiming() -> None:
    """MAM-POS-02, MAM-POS-04."""
    tough = replace(CLONE, body=Body(power=3, attack=9))
    fight = given(with_pools(ARMED, ready=5, stun=1), tough, *FIRST, preset="mam_d20")
    assert fight.when(Rest("modre"))["modre"].pools == Pools(ready=5, other_used=1)
    fight.after(Aim("modre", "gun"), *NEXT, Attack("clone", "modre"))
    result = fight.when(Resolve(fight.ruling, attack_die=15))
    assert result.one(PositionChanged) == PositionChanged("modre", "aiming_standing", "standing", "wound")
