"""Rounds and turns by reach: who begins, who follows, and who is skipped."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    Body,
    Command,
    EndTurn,
    Initiative,
    Join,
    PoolMove,
    Resolve,
)
from mam_events.events import (
    AttackResolved,
    CombatantIncapacitated,
    CombatantJoined,
    CombatantRecovered,
    InitiativeEstablished,
    RoundEnded,
    RoundStarted,
    StunRecovered,
    TurnEnded,
    TurnStarted,
    WoundInflicted,
)
from mam_events.state import Pools, Weapon
from tests.fighters import CLONE, DUEL, MODRE, SENTRY, duel_orders, with_pools
from tests.spec import GivenFight, given


def seated(*reaches: int, first: int = 0) -> tuple[Join, ...]:
    """Return fighters a, b, c … in clockwise seats, each with that reach in metres."""
    return tuple(
        Join(name, hp=4, seat=first + seat, body=Body(reach=Decimal(reach)))
        for seat, (name, reach) in enumerate(zip("abcdef", reaches, strict=False))
    )


def turns(*names: str) -> list[Command]:
    """Return whole turns in which nothing happens."""
    return [order for name in names for order in (BeginTurn(name), EndTurn(name))]


def order_of(fight: GivenFight, command: Initiative) -> str:
    """Return the order that initiative gives, as letters."""
    return "".join(fight.when(command).one(InitiativeEstablished).order)


def test_every_combatant_has_one_turn_a_round() -> None:
    """MAM-ORDER-01."""
    fight = given(*seated(3, 2, 1), Initiative(), BeginTurn("a"))
    fight.when(EndTurn("a")).then(TurnEnded("a"))
    fight.after(EndTurn("a")).when(BeginTurn("a")).raises("out_of_turn", "MAM-ORDER-05")
    fight.after(*turns("b"), BeginTurn("c")).when(EndTurn("c")).then(TurnEnded("c"), RoundEnded(1))
    fight.after(EndTurn("c")).when(BeginTurn("a")).then(RoundStarted(2), TurnStarted("a"))


def test_two_turns_never_overlap() -> None:
    """MAM-ORDER-01."""
    error = given(*DUEL).when(BeginTurn("clone")).raises("turn_in_progress", "MAM-ORDER-01")
    assert error.sentence == "It is Modre's turn. End it first (end-turn)."


def test_an_option_begins_the_next_round_with_the_last_end_of_turn() -> None:
    """MAM-ORDER-01, option `round_boundary`."""
    fight = given(
        *seated(2, 1), Initiative(), *turns("a"), BeginTurn("b"), rules={"round_boundary": "turn_end_to_turn_end"}
    )
    fight.when(EndTurn("b")).then(TurnEnded("b"), RoundEnded(1), RoundStarted(2))
    fight.after(EndTurn("b")).when(BeginTurn("a")).then(TurnStarted("a"))


def test_turns_follow_the_seats() -> None:
    """MAM-ORDER-02, MAM-ORDER-05."""
    a, b, c = seated(1, 3, 2)
    for joins in ((a, b, c), (c, b, a)):
        assert order_of(given(*joins), Initiative()) == "bca"


def test_combatants_in_one_seat_act_in_roster_order() -> None:
    """MAM-ORDER-02."""
    a, b, c = seated(1, 3, 2)
    assert order_of(given(c, b, replace(a, seat=1)), Initiative()) == "bac"


def test_a_combatant_without_a_seat_gets_the_next_one() -> None:
    """MAM-ORDER-02."""
    fight = given(*(Join(name, hp=4) for name in "abc"))
    assert [fighter.seat for fighter in fight.state.combatants.values()] == [0, 1, 2]


def test_the_longest_reach_begins() -> None:
    """MAM-ORDER-03, MAM-EX-01."""
    given(*seated(1, 3, 2)).when(Initiative()).then(
        InitiativeEstablished(("b", "c", "a"), "longest reach", "MAM-ORDER-03")
    )


def test_reach_counts_only_weapons_in_hand() -> None:
    """MAM-ORDER-03, MAM-ATK-06."""
    pike = Weapon("pike", reach=Decimal(4), readied=False)
    a, b = seated(1, 2)
    assert order_of(given(replace(a, weapon=(pike,)), b), Initiative()) == "ba"
    assert order_of(given(replace(a, weapon=(replace(pike, readied=True),)), b), Initiative()) == "ab"


def test_the_game_master_chooses_who_begins_with_a_reason() -> None:
    """MAM-ORDER-03."""
    fight = given(*seated(1, 3, 2))
    given_word = fight.when(Initiative(first="c", reason="it holds the door")).one(InitiativeEstablished)
    assert (given_word.order, given_word.why) == (("c", "a", "b"), "the game master's word: it holds the door")
    fight.when(Initiative(first="c")).raises("reason_missing", "MAM-ORDER-03")


def test_dice_break_a_tie_of_reach() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    fight = given(*seated(2, 3, 3))
    tie = fight.when(Initiative(tie_die={"b": 2, "c": 5})).one(InitiativeEstablished)
    assert (tie.order, tie.why) == (("c", "a", "b"), "longest reach, then dice")
    assert [(die.key, die.face, die.source) for die in tie.dice] == [
        ("5/initiative.b/0/d6", 2, "thrown"),
        ("5/initiative.c/0/d6", 5, "thrown"),
    ]


def test_thrown_dice_that_tie_are_refused() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    fight = given(*seated(3, 3, 3))
    error = fight.when(Initiative(tie_die={"a": 5, "b": 5, "c": 1})).raises("dice_tied", "MAM-ORDER-03")
    assert error.sentence == "The dice of a and b tie at 5. Throw again."


def test_drawn_dice_that_tie_are_drawn_again() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    fight = given(*seated(3, 3, 3), drawn=[4, 2, 4, 3, 6])
    tie = fight.when(Initiative()).one(InitiativeEstablished)
    assert [die.key for die in tie.dice[3:]] == ["5/initiative.a/1/d6", "5/initiative.c/1/d6"]
    assert tie.order == ("c", "a", "b")


def test_a_tie_die_has_the_faces_of_the_combat_die() -> None:
    """MAM-ORDER-03."""
    fight = given(*seated(3, 3))
    fight.when(Initiative(tie_die={"a": 7, "b": 1})).raises("impossible_face")
    d20 = given(*seated(3, 3), rules={"combat_die": "d20"})
    assert order_of(d20, Initiative(tie_die={"a": 7, "b": 19})) == "ba"


def test_an_option_breaks_a_tie_of_reach_by_circumstances() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    fight = given(*seated(2, 3, 3), rules={"reach_tie": "circumstance"})
    fight.when(Initiative()).raises("circumstance_needed", "MAM-ORDER-03")
    assert order_of(fight, Initiative(circumstance="c")) == "cab"
    fight.when(Initiative(circumstance="a")).raises("circumstance_idle", "MAM-ORDER-03")
    initiative = fight.when(Initiative(circumstance="b")).one(InitiativeEstablished)
    assert (initiative.why, initiative.rule) == ("longest reach, then circumstance", "MAM-ORDER-03")


def test_circumstances_without_a_tie_are_refused() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    fight = given(*seated(2, 3, 1), rules={"reach_tie": "circumstance"})
    assert order_of(fight, Initiative()) == "bca"
    fight.when(Initiative(circumstance="b")).raises("circumstance_idle", "MAM-ORDER-03")


def test_circumstances_are_refused_if_dice_break_ties() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    given(*seated(3, 3)).when(Initiative(circumstance="b")).raises("circumstance_idle", "MAM-ORDER-03")


def test_an_option_breaks_a_tie_of_reach_by_seat() -> None:
    """MAM-ORDER-03, option `reach_tie`."""
    assert order_of(given(*seated(2, 3, 3), rules={"reach_tie": "seat_order"}), Initiative()) == "bca"


def test_initiative_by_circumstances_or_dice_ignores_reach() -> None:
    """MAM-ORDER-03, option `initiative_method`."""
    fight = given(*seated(1, 3), rules={"initiative_method": "circumstance_then_dice"})
    initiative = fight.when(Initiative(circumstance="a")).one(InitiativeEstablished)
    assert (initiative.order, initiative.why, initiative.rule) == (("a", "b"), "circumstance", "MAM-TURN-10")
    assert order_of(fight, Initiative(tie_die={"a": 6, "b": 1})) == "ab"


@pytest.mark.parametrize(
    ("reading", "order"), [("surprisers_first_then_clockwise", "cabd"), ("clockwise_from_surpriser", "cdab")]
)
def test_ambushers_begin_whatever_their_reach(reading: str, order: str) -> None:
    """MAM-ORDER-04, option `surprise_order`."""
    fight = given(*seated(1, 4, 2, 1), rules={"surprise_order": reading})
    assert order_of(fight, Initiative(surprise=("a", "c"))) == order


def test_dice_break_a_tie_between_ambushers() -> None:
    """MAM-ORDER-04, option `reach_tie`."""
    result = given(*seated(2, 4, 2)).when(Initiative(surprise=("a", "c"), tie_die={"a": 1, "c": 3}))
    assert result.one(InitiativeEstablished).order == ("c", "a", "b")
    assert result.one(InitiativeEstablished).rule == "MAM-ORDER-04"


def test_an_unknown_ambusher_is_refused() -> None:
    """MAM-ORDER-04."""
    assert given(*seated(1, 2)).when(Initiative(surprise=("aa",))).raises("unknown_combatant").fields == ("surprise",)


def test_the_order_of_turns_is_settled_once() -> None:
    """MAM-ORDER-05."""
    fight = given(*seated(1, 3, 2), Initiative(), *turns("b", "c", "a", "b", "c", "a"))
    assert (fight.state.round, fight.state.next_up, fight.state.order) == (2, "b", ("b", "c", "a"))
    fight.when(Initiative()).raises("initiative_settled", "MAM-ORDER-05")


def test_no_turn_begins_before_initiative() -> None:
    """MAM-ORDER-03, MAM-ORDER-05."""
    fight = given(*seated(1, 3))
    fight.when(BeginTurn("b")).raises("out_of_turn", "MAM-ORDER-03")
    error = fight.when(EndTurn("b")).raises("out_of_turn", "MAM-ORDER-02")
    assert "Initiative must be settled first" in error.sentence
    given().when(Initiative()).raises("nobody_joined", "MAM-ORDER-02")


def test_a_turn_out_of_order_is_refused() -> None:
    """MAM-ORDER-05."""
    error = given(*seated(1, 3, 2), Initiative()).when(BeginTurn("c")).raises("out_of_turn", "MAM-ORDER-05")
    assert error.sentence == "c cannot begin now: b is next."


def test_a_late_joiner_takes_turns_by_seat() -> None:
    """MAM-ORDER-02, MAM-ORDER-05."""
    a, b, c = seated(1, 3, 2)
    fight = given(a, replace(b, seat=4), replace(c, seat=6), Initiative(), BeginTurn("b"))
    fighter = Join("late", hp=4, seat=5)
    assert fight.when(fighter).one(CombatantJoined).order == ("b", "late", "c", "a")
    assert fight.when(replace(fighter, seat=0)).one(CombatantJoined).order == ("b", "c", "a", "late")
    fight.after(fighter, EndTurn("b")).when(BeginTurn("late")).then(TurnStarted("late"))


def test_a_late_joiner_in_the_lowest_seat_follows_the_highest() -> None:
    """MAM-ORDER-02."""
    fight = given(*seated(1, 3, 2, first=1), Initiative(), BeginTurn("b"))
    assert fight.when(Join("late", hp=4, seat=0)).one(CombatantJoined).order == ("b", "c", "late", "a")


def test_a_late_joiner_still_acts_in_the_current_round() -> None:
    """MAM-ORDER-01."""
    fight = given(*seated(3, 2), Initiative(), *turns("a"), BeginTurn("b"), Join("late", hp=4, seat=0))
    assert fight.state.order == ("a", "late", "b")
    fight.when(EndTurn("b")).then(TurnEnded("b"))
    fight.after(EndTurn("b"), BeginTurn("late")).when(EndTurn("late")).then(TurnEnded("late"), RoundEnded(1))


def test_a_combatant_without_points_and_stun_is_skipped() -> None:
    """MAM-ORDER-05, MAM-WND-08."""
    fighter = with_pools(SENTRY, damage=6)
    fight = given(MODRE, CLONE, fighter, Initiative(), *turns("modre"))
    fight.when(BeginTurn("sentry")).raises("out_of_turn", "MAM-ORDER-05")
    fight.after(BeginTurn("clone")).when(EndTurn("clone")).then(TurnEnded("clone"), RoundEnded(1))
    assert fight.after(EndTurn("clone")).state.next_up == "modre"


def test_a_stunned_combatant_keeps_their_turn_and_recovers_in_it() -> None:
    """MAM-ORDER-05, MAM-WND-09."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, stun=6)), EndTurn("modre"))
    assert fight.state.combatants["clone"].condition == "incapacitated"
    fight.when(BeginTurn("clone")).then(
        TurnStarted("clone"),
        StunRecovered("clone", 1, Pools(other_used=1, stun=5), turn=True),
        CombatantRecovered("clone"),
    )


def test_the_round_ends_if_everybody_still_due_has_fallen() -> None:
    """MAM-ORDER-01."""
    fight = given(
        *duel_orders(with_pools(MODRE, ready=1), CLONE, with_pools(SENTRY, ready=1)),
        EndTurn("modre"),
        BeginTurn("clone"),
    )
    fight.after(Attack("clone", "sentry", power=6), Resolve(9, attack_die=6, defense_die=1))
    assert fight.state.combatants["sentry"].condition == "incapacitated"
    fight.when(EndTurn("clone")).then(TurnEnded("clone"), RoundEnded(1))
    dying = given(*duel_orders(MODRE, with_pools(CLONE, ready=1)), EndTurn("modre"))
    dying.after(Adjust("poison", move=(PoolMove("clone", "ready", "damage", 1),)))
    dying.when(BeginTurn("modre")).then(RoundEnded(1), RoundStarted(2), TurnStarted("modre"))


def test_a_combatant_out_of_the_fight_has_no_turns() -> None:
    """MAM-ORDER-05."""
    fight = given(*duel_orders(MODRE, CLONE, SENTRY), Adjust("it flees", condition={"clone": "out"}), EndTurn("modre"))
    assert fight.state.next_up == "sentry"


def test_no_turn_can_begin_if_nobody_is_left() -> None:
    """MAM-ORDER-05."""
    fight = given(*duel_orders(), EndTurn("modre"), Adjust("a truce", condition={"modre": "out", "clone": "out"}))
    error = fight.when(BeginTurn("clone")).raises("out_of_turn", "MAM-ORDER-05")
    assert error.sentence == "Clone cannot begin a turn: nobody is left who can take one."


def test_falling_in_ones_own_turn_does_not_end_it() -> None:
    """MAM-ORDER-01, MAM-WND-08."""
    fighter = with_pools(MODRE, ready=1, damage=5)
    fight = given(*duel_orders(fighter), Attack("modre", "clone", modifier=1))
    fight.after(Adjust("the blade breaks in his hand", move=(PoolMove("modre", "defense", "damage", 1),)))
    assert fight.state.combatants["modre"].condition == "incapacitated"
    fight.when(Resolve(6, attack_die=1, defense_die=6)).raises("idle_die", "MAM-WND-08")
    assert fight.when(Resolve(6)).one(AttackResolved).outcome == "fail"
    fight.after(Resolve(6))
    fight.when(EndTurn("modre")).then(TurnEnded("modre"))


def test_incapacity_is_recorded_right_after_the_wound() -> None:
    """MAM-WND-08."""
    fight = given(*duel_orders(MODRE, with_pools(CLONE, ready=2)), Attack("modre", "clone", "ice-blade", power=1))
    result = fight.when(Resolve(6, attack_die=6, defense_die=1))
    assert [type(event) for event in result.events[-2:]] == [WoundInflicted, CombatantIncapacitated]
