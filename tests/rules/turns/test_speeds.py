"""Rounds with speed: turns that must be skipped, voluntary skips, delays, and what a turn allows."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Act,
    Attack,
    BeginTurn,
    Command,
    DelayTurn,
    EndTurn,
    Initiative,
    Join,
    Move,
    PrepareCounterattack,
    Resolve,
    SkipTurn,
)
from mam_events.events import (
    ActionTaken,
    CombatantMoved,
    CounterattackPrepared,
    InitiativeEstablished,
    RoundEnded,
    RoundStarted,
    SkipsOwed,
    StunRecovered,
    TurnDelayed,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
)
from mam_events.state import Pools
from tests.rules.fights.speed import BIRK, GIANT, RIVAL, TRIO, start_orders
from tests.spec import GivenFight, given


def speed(*history: Command, **rules: str) -> GivenFight:
    return given(*history, rules=rules, preset="mam_speed")


def used_turns(fight: GivenFight, *names: str) -> str:
    """Return the turns in order: `x` for a turn with an action, `-` for one that was skipped."""
    fields = ""
    for name in names:
        fight.after(BeginTurn(name))
        if fight.when(Act(name, "something")).error:
            fight.after(SkipTurn(name))
            fields += "-"
        else:
            fight.after(Act(name, "something"), Resolve(fight.ruling + 1), EndTurn(name))
            fields += "x"
    return fields


def test_everybody_has_one_turn_a_round_in_seat_order() -> None:
    """MAM-TURN-01, MAM-TURN-08: clockwise from the first, and the round ends after all."""
    fight = speed(*TRIO, Initiative(circumstance="birk"))
    assert fight.state.order == ("birk", "cora", "alva")
    for name in ("birk", "cora"):
        fight.after(SkipTurn(name))
    assert fight.when(SkipTurn("alva")).events[-2:] == (TurnEnded("alva"), RoundEnded(1))


def test_quarter_speed_acts_every_fourth_turn_and_half_speed_every_second() -> None:
    """MAM-TURN-02, MAM-TURN-03: after acting it owes three skipped turns, or one."""
    quarter = speed(GIANT, Initiative())
    assert used_turns(quarter, *["giant"] * 9) == "x---x---x"
    fight = speed(replace(GIANT, speed=Decimal("0.5")), Initiative())
    assert used_turns(fight, *["giant"] * 5) == "x-x-x"


@pytest.mark.parametrize("quick", ["1", "2", "3"])
def test_a_combatant_with_full_speed_never_skips(quick: str) -> None:
    """MAM-TURN-04."""
    assert used_turns(speed(replace(GIANT, speed=Decimal(quick)), Initiative()), *["giant"] * 4) == "xxxx"


def test_an_unknown_speed_is_refused() -> None:
    """MAM-TURN-04: the speeds are ¼, ½, 1, 2 and 3."""
    assert (
        "1/4 (0.25), 1/2 (0.5), 1, 2 and 3"
        in speed().when(replace(GIANT, speed=Decimal("0.3"))).raises("unknown_speed").sentence
    )


def test_moving_or_acting_makes_skipped_turns_due() -> None:
    """MAM-TURN-02, MAM-TURN-05: moving or acting makes them due, and a skipped turn pays one."""
    fight = speed(GIANT, Initiative(), BeginTurn("giant"), Move("giant", metres=Decimal(1)))
    assert fight.when(EndTurn("giant")).all(SkipsOwed) == [SkipsOwed("giant", 3)]
    fight.after(EndTurn("giant"))
    fight.when(SkipTurn("giant")).then(
        RoundStarted(2),
        TurnStarted("giant"),
        TurnSkipped("giant", required=True, skips_owed=2),
        TurnEnded("giant"),
        RoundEnded(2),
    )


def test_no_action_is_possible_in_a_turn_that_must_be_skipped() -> None:
    """MAM-TURN-02, MAM-TURN-05: no movement, no action, no preparation while turns are owed."""
    fight = speed(*start_orders(GIANT, RIVAL), Attack("giant", "rival"), Resolve(6, attack_die=2), EndTurn("giant"))
    fight.after(SkipTurn("rival"), BeginTurn("giant"))
    for order in (
        Move("giant", metres=Decimal(1)),
        Attack("giant", "rival"),
        Act("giant", "roar"),
        PrepareCounterattack("giant"),
    ):
        assert "3 turns" in fight.when(order).raises("must_skip", "MAM-TURN-05").sentence
    fight.when(EndTurn("giant")).then(TurnSkipped("giant", required=True, skips_owed=2), TurnEnded("giant"))
    half_fight = speed(*start_orders(replace(BIRK, speed=Decimal("0.5")), RIVAL), Act("birk", "shout"), Resolve(6))
    half_fight.after(EndTurn("birk"), SkipTurn("rival"), BeginTurn("birk"))
    assert (
        half_fight.when(Act("birk", "shout")).raises("must_skip").sentence.endswith("must skip this turn (skip-turn).")
    )


def test_a_turn_can_be_skipped_voluntarily() -> None:
    """MAM-TURN-05: it is a turn without actions, and shifts the pattern."""
    fight = speed(replace(GIANT, speed=Decimal("0.5")), Initiative())
    fight.when(SkipTurn("giant")).then(
        RoundStarted(1),
        TurnStarted("giant"),
        TurnSkipped("giant", required=False, skips_owed=0),
        TurnEnded("giant"),
        RoundEnded(1),
    )
    assert used_turns(fight.after(SkipTurn("giant")), *["giant"] * 3) == "x-x"


def test_under_a_fixed_pattern_a_voluntary_skip_changes_nothing() -> None:
    """MAM-TURN-02 under `speed_skip_basis = fixed_pattern`: turns 1, 5, 9 … can be used."""
    fight = speed(GIANT, Initiative(), SkipTurn("giant"), speed_skip_basis="fixed_pattern")
    assert used_turns(fight, *["giant"] * 8) == "---x---x"
    assert fight.state.combatants["giant"].status.skips_owed == 0


def test_a_turn_cannot_be_skipped_after_acting() -> None:
    """MAM-TURN-05."""
    fight = speed(*start_orders(BIRK, RIVAL), Move("birk", metres=Decimal(1)))
    fight.when(SkipTurn("birk")).raises("already_acted", "MAM-TURN-05")
    fight.when(SkipTurn("rival")).raises("out_of_turn")


def test_a_turn_has_a_move_and_one_action_in_either_order() -> None:
    """MAM-TURN-07: the move may come in parts."""
    fight = speed(
        *start_orders(BIRK, RIVAL), Move("birk", metres=Decimal(2)), Attack("birk", "rival"), Resolve(7, attack_die=2)
    )
    fight.when(Attack("birk", "rival")).raises("one_action", "MAM-TURN-07")
    fight.when(Move("birk", metres=Decimal(4))).raises("out_of_range", "MAM-TURN-07")
    halfway_fight = speed(*start_orders(BIRK, RIVAL), Move("birk", metres=Decimal("1.5")))
    error = halfway_fight.when(Move("birk", metres=Decimal("4.00"))).raises("out_of_range")
    assert error.sentence == "Birk has 3.5 m of movement left this turn, not 4 m."
    fight.when(Move("birk", metres=Decimal(3), straight=True)).then(CombatantMoved("birk", Decimal(3), straight=True))
    fight.when(Move("birk")).then(CombatantMoved("birk", Decimal(3)))


def test_points_are_refused_and_unknown_movement_needs_metres() -> None:
    """MAM-TURN-07: actions cost the turn and no points."""
    fight = speed(*start_orders(BIRK, RIVAL))
    fight.when(Move("birk", 2)).raises("points_not_spent")
    fight.when(Attack("birk", "rival", power=1)).raises("points_not_spent")
    still_fight = speed(*start_orders(replace(BIRK, movement=None), RIVAL))
    still_fight.when(Move("birk")).raises("metres_missing")
    still_fight.when(Move("birk", metres=Decimal(40))).then(CombatantMoved("birk", Decimal(40)))


def test_preparing_a_counterattack_is_the_whole_turn() -> None:
    """MAM-TURN-07, MAM-CTR-01: it ends the turn, and replaces moving and acting."""
    fight = speed(*start_orders(BIRK, RIVAL))
    fight.when(PrepareCounterattack("birk")).then(CounterattackPrepared("birk"), TurnEnded("birk"))
    fight.after(Move("birk", metres=Decimal(1))).when(PrepareCounterattack("birk")).raises("already_acted")


STUNNED = replace(BIRK, pools={"ready": 3, "stun": 3})


def test_one_point_of_stun_recovers_at_the_end_of_a_turn() -> None:
    """MAM-TURN-06: not at its beginning, and only if there is any."""
    fight = speed(STUNNED, RIVAL, Initiative(circumstance="birk"))
    assert fight.when(BeginTurn("birk")).all(StunRecovered) == []
    fight.after(BeginTurn("birk"), Act("birk", "stagger"), Resolve(6))
    recovered = fight.when(EndTurn("birk")).one(StunRecovered)
    assert recovered == StunRecovered("birk", 1, Pools(ready=3, other_used=1, stun=2), turn=True)
    assert fight.after(EndTurn("birk")).when(SkipTurn("rival")).all(StunRecovered) == []


def test_an_option_decides_if_a_skipped_turn_recovers_stun() -> None:
    """MAM-TURN-06, `skipped_turn_recovers_stun`: an incapacitated combatant skips nothing, and recovers anyway."""
    events = (STUNNED, RIVAL, Initiative(circumstance="birk"))
    assert speed(*events).when(SkipTurn("birk")).one(StunRecovered).points == 1
    assert speed(*events, skipped_turn_recovers_stun="no").when(SkipTurn("birk")).all(StunRecovered) == []
    down = (replace(BIRK, pools={"stun": 6}), RIVAL, Initiative(circumstance="birk"), BeginTurn("birk"))
    assert speed(*down, skipped_turn_recovers_stun="no").when(EndTurn("birk")).one(StunRecovered).points == 1


@pytest.mark.parametrize("odd", ["NaN", "sNaN", "Infinity", "-1", "0.3"])
def test_a_speed_outside_the_list_is_refused(odd: str) -> None:
    """MAM-TURN-02 to -04."""
    given(preset="mam_speed").when(replace(TRIO[0], speed=Decimal(odd))).raises("unknown_speed", "MAM-TURN-02")


def test_an_option_delays_a_turn_for_this_round_or_permanently() -> None:
    """MAM-TURN-09, `delay_persistence`: a group comes one right after another."""
    for reading, later in (("permanent_reorder", "birk alva cora"), ("this_round_only", "alva birk cora")):
        fight = speed(*TRIO, Initiative(circumstance="alva"), delay_persistence=reading)
        fight.when(DelayTurn("alva", "birk")).then(
            TurnDelayed("alva", "birk", ("birk", "alva", "cora"), persistent=reading == "permanent_reorder")
        )
        fight.after(DelayTurn("alva", "birk"), SkipTurn("birk"), SkipTurn("alva"), SkipTurn("cora"))
        assert " ".join(fight.state.turn_order) == later


def test_a_turn_can_be_delayed_during_a_round() -> None:
    """MAM-TURN-09: only behind somebody who still has a turn in this round."""
    fight = speed(*TRIO, Initiative(circumstance="alva"), SkipTurn("alva"), delay_persistence="this_round_only")
    fight.when(DelayTurn("alva", "cora")).raises("turn_had", "MAM-TURN-09")
    fight.when(DelayTurn("cora", "birk")).raises("out_of_turn", "MAM-TURN-09")
    fight.when(DelayTurn("cora", "cora")).raises("bad_target")
    fight.when(DelayTurn("birk", "nobody")).raises("unknown_combatant")
    speed(*TRIO).when(DelayTurn("alva", "cora")).raises("out_of_turn", "MAM-TURN-09")
    assert fight.after(DelayTurn("birk", "cora")).state.next_up == "cora"
    fight.after(SkipTurn("cora"), BeginTurn("birk")).when(DelayTurn("birk", "cora")).raises("turn_had")


def test_a_counterattack_cannot_be_delayed() -> None:
    """MAM-TURN-09, MAM-CTR-05: the turn is in progress, and the next one follows it."""
    fight = speed(*TRIO, Initiative(circumstance="birk"), BeginTurn("birk"), PrepareCounterattack("birk"))
    fight.after(BeginTurn("cora"), Attack("cora", "birk"))
    assert fight.state.turn is not None
    assert (fight.state.turn.combatant, fight.state.turn_in_order, fight.state.next_up) == ("birk", "cora", "alva")
    fight.when(DelayTurn("cora", "alva")).raises("turn_had")


def test_circumstances_or_dice_decide_who_begins() -> None:
    """MAM-TURN-10: without surprise, the first attacker in the story; if disputed, dice."""
    fight = speed(*TRIO)
    fight.when(Initiative(circumstance="cora")).then(
        InitiativeEstablished(("cora", "alva", "birk"), "circumstance", "MAM-TURN-10")
    )
    diced = fight.when(Initiative(tie_die={"alva": 3, "birk": 17, "cora": 9})).one(InitiativeEstablished)
    assert (diced.order[0], diced.why, len(diced.dice)) == ("birk", "circumstance, then dice", 3)


def seated(*seats: int) -> tuple[Join, ...]:
    return tuple(Join(name, hp=6, seat=seat) for name, seat in zip("abcd", seats, strict=False))


def test_an_option_orders_a_shared_seat_by_roster_or_by_the_player() -> None:
    """MAM-GEN-01, `same_seat_order`: a player may have several characters in one seat."""
    assert speed(*seated(0, 1, 1, 0)).when(Initiative(circumstance="a")).one(InitiativeEstablished).order == tuple(
        "adbc"
    )
    fight = speed(*seated(0, 1, 1, 0), same_seat_order="player_choice")
    for same_seat, order in (((), "adbc"), (("d", "a"), "abcd"), (("c", "b"), "adcb"), (("c", "d", "a", "b"), "acbd")):
        initiative = fight.when(Initiative(circumstance="a", same_seat=same_seat)).one(InitiativeEstablished)
        assert "".join(initiative.order) == order


@pytest.mark.parametrize(
    ("seats", "text"), [((0, 0, 1), "Only a and b share one"), ((0, 1, 2), "No seat is shared here")]
)
def test_the_error_for_an_unshared_seat_names_the_shared_ones(seats: tuple[int, ...], text: str) -> None:
    """MAM-GEN-01."""
    order = Initiative(circumstance="a", same_seat=("c",))
    error = speed(*seated(*seats), same_seat_order="player_choice").when(order).raises("order_idle")
    assert error.sentence == f"c shares a seat with nobody. {text}."


@pytest.mark.parametrize(
    ("reading", "same_seat", "code"),
    [
        ("roster_order", ("a", "b"), "order_idle"),
        ("player_choice", ("a",), "order_incomplete"),
        ("player_choice", ("a", "a"), "order_incomplete"),
        ("player_choice", ("a", "nobody"), "unknown_combatant"),
    ],
)
def test_an_idle_order_of_a_seat_is_refused(reading: str, same_seat: tuple[str, ...], code: str) -> None:
    """MAM-GEN-01: it must name everybody of a shared seat, and the option must ask for it."""
    speed(*seated(0, 0, 1), same_seat_order=reading).when(Initiative(circumstance="a", same_seat=same_seat)).raises(
        code
    )


def test_every_action_is_recorded_as_taken() -> None:
    """MAM-TURN-07."""
    fight = speed(*start_orders(BIRK, RIVAL))
    assert fight.when(Act("birk", "whistle")).one(ActionTaken) == ActionTaken("birk", "act")
