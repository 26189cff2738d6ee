"""Restraining trained and untrained animals."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Counterattack,
    EndTurn,
    Initiative,
    Interfere,
    Join,
    Manipulate,
    Mount,
    Move,
    Resolve,
    Rest,
    RestrainMount,
    SkipTurn,
)
from mam_events.decider.offers import Offer
from mam_events.events import (
    MountedRollOwed,
    MountRestraintResolved,
)
from mam_events.rules.mounts.restraint import asks_for_holding
from tests.decider.test_legal_orders import offers
from tests.rules.fights.mounts import ANA, GRUM, HORSE, RIDDEN, STAY, STRUCK, her_turn
from tests.spec import GivenFight, given

HOLD = RestrainMount("ana", die=20)
WILD = replace(HORSE, training="untrained")
UNTIL = {"restraint_failure": "attack_until_success"}


def stunned_horse(stun: int) -> Join:
    """Return the horse with that much stun."""
    return replace(HORSE, pools={"ready": 12 - stun, "stun": stun})


def test_an_animal_without_a_rider_fights_like_any_combatant() -> None:
    """MAM-MNT-01, MAM-MNT-03."""
    fight = given(WILD, replace(ANA, mount=""), GRUM, *her_turn()[3:5])
    result = fight.after(Attack("horse", "grum", power=1)).when(Resolve(7, attack_die=1, defense_die=6))
    assert result.all(MountedRollOwed) == []


@pytest.mark.parametrize(("horse", "die", "difficulty"), [(HORSE, 10, 10), (stunned_horse(1), 15, 15)])
def test_restraining_a_trained_animal(horse: Join, die: int, difficulty: int) -> None:
    """MAM-MNT-02: 10 unhurt, 15 with any stun or damage; animal handling is 1."""
    fight = given(horse, *RIDDEN[1:])
    held = fight.when(RestrainMount("ana", die=die)).one(MountRestraintResolved)
    assert (held.mood, held.rolls[0].against, held.rolls[0].total) == ("held", difficulty, die + 1)
    assert fight.when(RestrainMount("ana", die=die - 1)).one(MountRestraintResolved).mood == "attacking"


def test_a_restrained_animal_does_not_attack_in_that_round() -> None:
    """MAM-MNT-02."""
    fight = given(*her_turn()[:5], HOLD)
    fight.when(Attack("horse", "grum", power=1)).raises("held_back", "MAM-MNT-02")
    fight.when(Manipulate("horse", "grum", points=1)).raises("held_back", "MAM-MNT-02")
    fight.when(HOLD).raises("already_tried")
    rest = (EndTurn("horse"), BeginTurn("ana"), EndTurn("ana"), BeginTurn("grum"), EndTurn("grum"), BeginTurn("horse"))
    assert fight.after(*rest).when(Attack("horse", "grum", power=1)).error is None
    assert fight.when(HOLD).one(MountRestraintResolved).mood == "held"


def test_only_an_attacked_animal_must_be_restrained_in_its_turn() -> None:
    """MAM-MNT-02, MAM-MNT-03."""
    quiet, fight = given(*her_turn()[:5]), given(*STRUCK, STAY, EndTurn("grum"))
    assert not asks_for_holding(quiet.state, quiet.ruleset, "horse")
    assert not asks_for_holding(fight.state, fight.ruleset, "horse")
    fight.after(BeginTurn("horse"))
    assert asks_for_holding(fight.state, fight.ruleset, "horse")


def test_an_animal_must_be_restrained_again_after_each_attack() -> None:
    """MAM-MNT-02."""
    fight = given(*RIDDEN, HOLD, Attack("grum", "horse", power=1))
    fight.when(Counterattack("horse", 8, power=1)).raises("held_back")
    fight.when(Interfere("horse", 8, 8, weapon="body", power=1)).raises("held_back")
    fight.after(Resolve(8, attack_die=1, defense_die=6), STAY, Attack("grum", "horse", power=1))
    assert fight.when(Counterattack("horse", 11, power=1)).error is None
    assert fight.when(HOLD).one(MountRestraintResolved).mood == "held"


def test_an_unrestrained_animal_attacks_for_a_round_or_until_restrained() -> None:
    """MAM-MNT-02, option `restraint_failure`."""
    missed = RestrainMount("ana", die=1)
    for rules, code in ((None, "already_tried"), (UNTIL, "")):
        fight = given(*RIDDEN, missed, Attack("grum", "horse", power=1), Resolve(8, 1, 6), STAY, rules=rules)
        second_result = fight.when(HOLD)
        assert (second_result.error.code if second_result.error else "") == code
    lasting_fight = given(*RIDDEN, missed, rules=UNTIL).after(EndTurn("grum"), BeginTurn("horse"))
    assert lasting_fight.state.combatants["horse"].status.temper.lasting
    lasting_fight.when(HOLD).raises("already_tried")
    rest = [step for name in ("ana", "grum") for step in (BeginTurn(name), EndTurn(name))]
    lasting_fight.when(EndTurn("horse")).raises("has_its_way", "MAM-MNT-02")
    lasting_fight.after(EndTurn("horse", reason="nobody is near"), *rest, BeginTurn("horse"))
    held_result = lasting_fight.when(HOLD)
    assert held_result.one(MountRestraintResolved).mood == "held"
    assert not held_result["horse"].status.temper.lasting


def test_an_untrained_animal_never_fights_with_a_rider() -> None:
    """MAM-MNT-03."""
    fight = given(*her_turn(horse=WILD)[:5])
    fight.when(Attack("horse", "grum", power=1)).raises("will_not_fight", "MAM-MNT-03")
    fight.when(HOLD).one(MountRestraintResolved)


@pytest.mark.parametrize(("stun", "difficulty"), [(0, 15), (2, 20)])
def test_an_attacked_untrained_animal_runs_unless_restrained(stun: int, difficulty: int) -> None:
    """MAM-MNT-03: the time of the roll is not printed; it is the one for trained animals."""
    fight = given(replace(stunned_horse(stun), training="untrained"), *STRUCK[1:])
    fight.when(EndTurn("grum")).raises("roll_owed", "MAM-MNT-03")
    fight.when(STAY).raises("no_roll_owed")
    held = fight.when(RestrainMount("ana", die=difficulty)).one(MountRestraintResolved)
    assert (held.mood, held.rolls[0].against) == ("held", difficulty)
    fight.after(RestrainMount("ana", die=difficulty - 1), EndTurn("grum"), BeginTurn("horse"))
    fight.when(RestrainMount("ana", die=20)).raises("already_tried")
    fight.when(Mount("horse", "ana")).raises("running", "MAM-MNT-03")
    assert fight.when(Move("horse", 2)).error is None


def test_only_the_rider_with_the_reins_restrains_an_untrained_animal() -> None:
    """MAM-MNT-03."""
    bo = replace(ANA, combatant="bo", name="Bo")
    fight = given(WILD, ANA, bo, *STRUCK[2:-1])
    event = fight.when(Resolve(8, attack_die=1, defense_die=6)).one(MountedRollOwed)
    assert (event.riders, event.owed) == (("ana",), "animal handling")


def test_skipping_the_turn_of_a_running_animal_needs_a_reason() -> None:
    """MAM-MNT-03: ending the turn and skipping it need the same reason."""
    missed = RestrainMount("ana", die=1)
    fight = given(WILD, ANA, GRUM, Initiative(circumstance="grum"), SkipTurn("grum"), missed, preset="mam_speed")
    away = SkipTurn("horse", reason="a wall all round it")
    for begins in ((), (BeginTurn("horse"),)):
        fight.after(*begins).when(SkipTurn("horse")).raises("has_its_way", "MAM-MNT-03")
        assert fight.when(away).error is None
        passes = offer_to_horse(fight, "skip-turn")
        assert [field.name for field in passes.template.fields if field.needed] == ["reason"]
        assert fight.when(passes.least).error is None


def test_ending_the_turn_of_a_running_animal_is_offered_with_a_reason() -> None:
    """MAM-MNT-03: after a rest and a failed restraint nothing else is possible."""
    fight = given(WILD, ANA, GRUM, Initiative(first="horse", reason="it shies"), BeginTurn("horse"))
    fight.after(Rest("horse"), RestrainMount("ana", die=1))
    fight.when(EndTurn("horse")).raises("has_its_way", "MAM-MNT-03")
    assert fight.when(offer_to_horse(fight, "end-turn").least).error is None


def test_a_skipped_turn_of_an_animal_needs_no_roll() -> None:
    """MAM-MNT-03, MAM-TURN-05: it "cannot move or perform actions", so it doesn't run either."""
    fighter = replace(WILD, speed=Decimal("0.5"), movement=Decimal(9))
    fight = given(fighter, ANA, GRUM, Initiative(circumstance="horse"), BeginTurn("horse"), preset="mam_speed")
    fight.after(Move("horse", metres=Decimal(2)), EndTurn("horse"), SkipTurn("ana"), SkipTurn("grum"))
    fight.after(BeginTurn("horse"), RestrainMount("ana", die=1))
    fight.when(Move("horse", metres=Decimal(2))).raises("must_skip")
    assert fight.when(EndTurn("horse")).error is None
    assert fight.when(SkipTurn("horse")).error is None


def offer_to_horse(fight: GivenFight, do: str) -> Offer:
    """Return the offer of that kind to the horse."""
    (match,) = (offer for offer, _ in offers(fight) if (offer.template.do, offer.template.combatant) == (do, "horse"))
    return match
