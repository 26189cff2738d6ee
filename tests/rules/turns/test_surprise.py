"""Before the first turn: stalking, advantage, and postures without surprise."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Attack,
    BeginTurn,
    Command,
    EndTurn,
    EstablishSurprise,
    Initiative,
    Join,
    Resolve,
    RollInitiative,
    SkipTurn,
    Stalk,
    TakePosture,
)
from mam_events.decider.decide import legal_commands
from mam_events.decider.offers import Template
from mam_events.events import (
    CombatAvoided,
    CounterattackLapsed,
    CounterattackTriggered,
    DefenseRolled,
    EffectExpired,
    InitiativeEstablished,
    OpeningPostureTaken,
    StealthRolled,
    SurpriseEstablished,
)
from mam_events.state import Weapon
from tests.rules.fights.speed import ALVA, BIRK, CORA, RIVAL
from tests.spec import GivenFight, admits, given

HIDDEN, SEEN = 15, 5


def speed(*history: Command, **rules: str) -> GivenFight:
    return given(*history, rules=rules, preset="mam_speed")


def test_stealth_is_rolled_against_10_plus_detection() -> None:
    """MAM-SURP-01: circumstances count, only the worst or best of each side."""
    sneak = replace(ALVA, ability={"stealth": 2})
    guard = replace(CORA, ability={"detection": 5})
    fight = speed(sneak, guard)
    roll = fight.when(Stalk("alva", "cora", die=13)).one(StealthRolled)
    (roll_made,) = roll.rolls
    assert (roll_made.total, roll_made.against, roll.outcome) == (15, 15, "fail")
    assert fight.when(Stalk("alva", "cora", die=14)).one(StealthRolled).outcome == "full"
    assert fight.when(Stalk("alva", "cora", die=12, circumstance=("favourable",))).one(StealthRolled).outcome == "full"


@pytest.mark.parametrize(
    ("ours", "theirs", "advantaged"),
    [(SEEN, SEEN, None), (HIDDEN, SEEN, ("alva",)), (SEEN, HIDDEN, ("cora",)), (HIDDEN, HIDDEN, ())],
)
def test_two_combatants_who_stalk_each_other(ours: int, theirs: int, advantaged: tuple[str, ...] | None) -> None:
    """MAM-SURP-02: nobody is found, one goes first, or both are found and nobody has the advantage."""
    fight = speed(ALVA, CORA, Stalk("alva", "cora", die=ours), Stalk("cora", "alva", die=theirs))
    result = fight.when(EstablishSurprise())
    if advantaged is None:
        result.then(CombatAvoided())
        second_fight = fight.after(EstablishSurprise())
        assert second_fight.when(Stalk("alva", "cora", die=HIDDEN)).one(StealthRolled).outcome == "full"
        second_fight.when(EstablishSurprise()).raises("nobody_stalked")
        return
    assert result.one(SurpriseEstablished).advantaged == advantaged
    assert result.one(SurpriseEstablished).why == ("a surprise attack" if advantaged else "each surprised the other")
    if advantaged:
        order = fight.after(EstablishSurprise()).when(Initiative()).one(InitiativeEstablished)
        assert (order.order[0], order.why) == (advantaged[0], "surprise")


def test_a_failed_stalk_surprises_nobody() -> None:
    """MAM-SURP-02, MAM-SURP-03: both know where the other is, so there is combat."""
    surprise = speed(ALVA, CORA, Stalk("alva", "cora", die=SEEN)).when(EstablishSurprise()).one(SurpriseEstablished)
    assert (surprise.advantaged, surprise.surprised, surprise.why) == ((), (), "nobody was surprised")


MISSED = (ALVA, CORA, Stalk("alva", "cora", die=SEEN), Stalk("cora", "alva", die=SEEN), EstablishSurprise())


def test_no_fight_begins_if_both_sides_missed_each_other() -> None:
    """MAM-SURP-02: "If both fail, combat doesn't happen"."""
    fight = speed(*MISSED)
    begins: tuple[Command, ...] = (Initiative(), Initiative(circumstance="alva"), BeginTurn("alva"))
    for order in (*begins, TakePosture("alva", "evading")):
        assert "stalk again" in fight.when(order).raises("no_combat", "MAM-SURP-02").sentence
    (offer,) = [one for one in legal_commands(fight.state, fight.ruleset) if one.do == "initiative"]
    assert isinstance(offer, Template)
    result = fight.when(Initiative(circumstance="alva", reason="a dog barks"))
    assert result.one(InitiativeEstablished).why == "circumstance, but the game master begins combat: a dog barks"
    assert not result.state.avoided
    assert admits(offer, Initiative(circumstance="alva", reason="a dog barks"))
    assert fight.when(Initiative(first="cora", reason="a dog barks")).one(InitiativeEstablished).order[0] == "cora"
    fight.after(Initiative(first="cora", reason="a dog barks"))
    assert fight.when(TakePosture("alva", "evading")).error is None
    assert fight.when(BeginTurn("cora")).error is None


def test_combatants_who_missed_each_other_may_stalk_again() -> None:
    """MAM-SURP-02, MAM-SURP-03."""
    fight = speed(*MISSED, Stalk("alva", "cora", die=SEEN), EstablishSurprise())
    assert fight.when(Initiative(circumstance="alva")).error is None


def test_rolling_initiative_needs_a_reason_if_both_sides_missed_each_other() -> None:
    """MAM-SURP-02, RD6-INIT-01."""
    codes = {"perception": "2D"}
    people = (replace(ALVA, code=codes), replace(CORA, code=codes), *MISSED[2:])
    fight = given(*people, preset="mam_speed", rules={"initiative_method": "ron_d6"}, drawn=[3] * 20)
    roll = RollInitiative(("alva", "cora"))
    fight.when(roll).raises("no_combat")
    assert fight.when(replace(roll, reason="a dog barks")).error is None


def test_the_winner_of_surprise_goes_first_in_the_first_round_only() -> None:
    """MAM-SURP-02, MAM-ORDER-04: "they have their turn first, regardless of other factors"."""
    codes = {"perception": "2D"}
    people = (replace(ALVA, code=codes), replace(CORA, code=codes))
    fight = given(*people, preset="mam_speed", rules={"initiative_method": "ron_d6"})
    roll = RollInitiative(("alva", "cora"), dice={"alva": (1, 2), "cora": (5, 4)})
    fight.after(Stalk("alva", "cora", die=HIDDEN))
    fight.when(roll).raises("surprise_open", "MAM-SURP-02")
    initiative = fight.after(EstablishSurprise()).when(roll).one(InitiativeEstablished)
    assert (initiative.order, initiative.why) == (("alva", "cora"), "surprise")
    fight.after(RollInitiative(("cora",), dice={"cora": (5, 4)}), RollInitiative(("alva",), dice={"alva": (1, 2)}))
    assert fight.state.order == ("alva", "cora")
    fight.after(*(turn for name in fight.state.order for turn in (BeginTurn(name), EndTurn(name))))
    fight.when(Stalk("cora", "alva", die=HIDDEN)).raises("too_late", "MAM-SURP-01")
    assert fight.when(roll).one(InitiativeEstablished).order == ("cora", "alva")
    plain_fight = given(*people, roll, preset="mam_speed", rules={"initiative_method": "ron_d6"})
    plain_fight.after(*(turn for name in plain_fight.state.order for turn in (BeginTurn(name), EndTurn(name))))
    plain_fight.when(Stalk("cora", "alva", die=HIDDEN)).raises("too_late", "MAM-SURP-01")


@pytest.mark.parametrize(("die", "advantaged"), [(HIDDEN, ("alva",)), (SEEN, ())])
def test_a_lone_stalker_goes_first_or_fights_without_surprise(die: int, advantaged: tuple[str, ...]) -> None:
    """MAM-SURP-03: with one roll, combat is never avoided."""
    fight = speed(ALVA, CORA, Stalk("alva", "cora", die=die))
    assert fight.when(EstablishSurprise()).one(SurpriseEstablished).advantaged == advantaged


def test_an_option_gives_the_advantage_to_the_side_or_the_stalker() -> None:
    """MAM-SURP-02, `surprise_scope`: as many are surprised."""
    fighters = (ALVA, BIRK, CORA, RIVAL)
    for reading, expected in (
        ("per_side", (("alva", "birk"), ("cora", "rival"))),
        ("per_pair", (("alva",), ("cora",))),
    ):
        fight = speed(*fighters, Stalk("alva", "cora", die=HIDDEN), surprise_scope=reading)
        surprise = fight.when(EstablishSurprise()).one(SurpriseEstablished)
        assert (surprise.advantaged, surprise.surprised) == expected
        leader = {"per_side": "alva", "per_pair": ""}[reading]
        order = fight.after(EstablishSurprise()).when(Initiative(circumstance=leader)).one(InitiativeEstablished).order
        assert order == ("alva", "birk", "cora", "rival")


def test_an_option_decides_mutual_surprise_by_side_or_by_pair() -> None:
    """MAM-SURP-02, `surprise_scope`."""
    rolls = (Stalk("alva", "cora", die=HIDDEN), Stalk("rival", "birk", die=HIDDEN))
    for reading, advantaged in (("per_side", ()), ("per_pair", ("alva", "rival"))):
        fight = speed(ALVA, BIRK, CORA, RIVAL, *rolls, surprise_scope=reading)
        assert fight.when(EstablishSurprise()).one(SurpriseEstablished).advantaged == advantaged


def test_by_pair_only_the_surprised_lose_their_posture() -> None:
    """MAM-SURP-04, `surprise_scope`: Alva surprises Cora; nobody surprised Birk or the Rival."""
    history = (ALVA, BIRK, CORA, RIVAL, TakePosture("rival", "evading"), Stalk("alva", "cora", die=HIDDEN))
    fight = speed(*history, EstablishSurprise(), surprise_scope="per_pair")
    assert fight.state.combatants["rival"].status.effect("opening_evasion")
    for name in ("alva", "birk"):
        fight.when(TakePosture(name, "ready_to_counter")).one(OpeningPostureTaken)
    error = fight.when(TakePosture("cora", "evading")).raises("surprise_attack", "MAM-SURP-04")
    assert "was surprised" in error.sentence
    side = speed(*history, EstablishSurprise())
    assert not side.state.combatants["rival"].status.effect("opening_evasion")
    side.when(TakePosture("birk", "evading")).raises("surprise_attack")


def test_a_surprised_combatant_holds_only_natural_weapons() -> None:
    """MAM-SURP-05: weapons must be readied; the others have theirs drawn."""
    wolf = replace(CORA, weapon=(*CORA.weapon, Weapon("teeth", attached=True)))
    fight = speed(ALVA, wolf, Stalk("alva", "cora", die=HIDDEN), EstablishSurprise(), Initiative(), BeginTurn("alva"))
    assert [weapon.id for weapon in fight.state.combatants["cora"].in_hand] == ["body", "teeth"]
    assert [weapon.id for weapon in fight.state.combatants["alva"].in_hand] == ["body", "sword"]


def test_stalking_happens_once_before_initiative_and_against_another_side() -> None:
    """MAM-SURP-01, MAM-SURP-02: once for each pair."""
    fight = speed(ALVA, BIRK, CORA)
    fight.when(Stalk("alva", "birk")).raises("bad_target")
    fight.when(Stalk("alva", "alva")).raises("bad_target")
    fight.when(EstablishSurprise()).raises("nobody_stalked")
    fight.after(Stalk("alva", "cora", die=HIDDEN)).when(Stalk("alva", "cora")).raises("already_rolled")
    fight.after(EstablishSurprise()).when(EstablishSurprise()).raises("already_settled")
    fight.when(Stalk("cora", "alva")).raises("too_late")
    fight.after(Initiative(circumstance="alva")).when(Stalk("cora", "alva")).raises("too_late")
    everyone = speed(*(Join(name, hp=6) for name in "ab"))
    assert everyone.when(Stalk("a", "b", die=HIDDEN)).error is None


def test_an_ambush_named_at_initiative_is_a_surprise_attack() -> None:
    """MAM-SURP-04, MAM-ORDER-04: the game master may skip the rolls."""
    fight = speed(ALVA, CORA, Initiative(surprise=("cora",)))
    assert fight.state.order == ("cora", "alva")
    fight.when(TakePosture("alva", "evading")).raises("surprise_attack")


@pytest.mark.parametrize("preset", ["mam_pools", "mam_speed"])
def test_an_ambush_surprises_all_other_sides(preset: str) -> None:
    """MAM-SURP-05, MAM-ORDER-04: allies of the ambushers are not surprised."""
    fight = given(ALVA, BIRK, CORA, RIVAL, preset=preset)
    surprise = fight.when(Initiative(surprise=("cora",))).one(SurpriseEstablished)
    assert surprise == SurpriseEstablished(("cora",), ("alva", "birk"), "an ambush")
    fight.after(Initiative(surprise=("cora",)))
    in_hand = {name: [weapon.id for weapon in combatant.in_hand] for name, combatant in fight.state.combatants.items()}
    assert in_hand["alva"] == in_hand["birk"] == ["body"]
    assert in_hand["cora"] == in_hand["rival"] == ["body", "sword"]


SPRUNG: tuple[tuple[Command, ...], ...] = (
    (Initiative(surprise=("cora",)),),
    (Stalk("cora", "alva", die=HIDDEN), EstablishSurprise(), Initiative()),
)


@pytest.mark.parametrize("sprung", SPRUNG)
@pytest.mark.parametrize("owes", ["no", "yes"])
def test_a_surprised_combatant_loses_their_posture(sprung: tuple[Command, ...], owes: str) -> None:
    """MAM-SURP-04: postures are only for fights "if there is no surprise attack"."""
    fight = speed(ALVA, CORA, TakePosture("alva", "ready_to_counter"), opening_counter_consumes_first_turn=owes)
    fight.after(*sprung, BeginTurn("cora"))
    assert not fight.when(Attack("cora", "alva")).all(CounterattackTriggered)
    assert fight.state.combatants["alva"].status.skips_owed == 0
    assert not speed(ALVA, CORA, TakePosture("alva", "evading")).after(*sprung).state.combatants["alva"].status.effects


@pytest.mark.parametrize(("ours", "theirs"), [(SEEN, HIDDEN), (HIDDEN, HIDDEN)])
def test_an_ambush_against_a_settled_surprise_is_refused(ours: int, theirs: int) -> None:
    """MAM-SURP-02: the result of stalking stands, but the game master may still choose."""
    stalked = (Stalk("alva", "cora", die=ours), Stalk("cora", "alva", die=theirs), EstablishSurprise())
    fight = speed(ALVA, CORA, *stalked)
    for order in (Initiative(surprise=("alva",), circumstance="alva"), Initiative(surprise=("cora",))):
        fight.when(order).raises("already_settled", "MAM-SURP-02")
    assert fight.when(Initiative(first="alva", reason="a dog barks")).one(InitiativeEstablished).order[0] == "alva"


def attacked(fight: GivenFight, target: str) -> int:
    """Return the evasion bonus of that target against a new attack."""
    roll = fight.after(Attack("rival", target)).when(Resolve(fight.ruling, attack_die=2)).one(DefenseRolled)
    return sum(modifier.value for modifier in roll.modifiers if modifier.rule == "MAM-SURP-04")


@pytest.mark.parametrize(("reading", "bonus"), [("four", 4), ("five", 5), ("evasion_bonus", 2)])
def test_an_evading_posture_helps_until_the_first_turn(reading: str, bonus: int) -> None:
    """MAM-SURP-04, `opening_evasion_bonus`."""
    fight = speed(BIRK, RIVAL, TakePosture("birk", "evading"), opening_evasion_bonus=reading)
    fight.after(Initiative(circumstance="rival"), BeginTurn("rival"))
    assert attacked(fight, "birk") == bonus
    fight.after(Resolve(fight.ruling, attack_die=2), EndTurn("rival"))
    assert fight.when(BeginTurn("birk")).one(EffectExpired) == EffectExpired("birk", "opening_evasion")
    fight.after(SkipTurn("birk"), BeginTurn("rival"))
    assert attacked(fight, "birk") == 0


def test_a_posture_ready_to_counter_is_a_prepared_counterattack() -> None:
    """MAM-SURP-04, `opening_counter_consumes_first_turn`: the first turn is still to come, or was spent on it."""
    for reading, points in (("no", 0), ("yes", 1)):
        fight = speed(BIRK, RIVAL, opening_counter_consumes_first_turn=reading)
        fight.when(TakePosture("birk", "ready_to_counter")).then(
            OpeningPostureTaken("birk", "ready_to_counter", None, points)
        )
        fight.after(TakePosture("birk", "ready_to_counter"))
        duel_fight = speed(BIRK, RIVAL, opening_counter_consumes_first_turn=reading)
        duel_fight.after(TakePosture("birk", "ready_to_counter"), Initiative(circumstance="rival"), BeginTurn("rival"))
        assert duel_fight.when(Attack("rival", "birk")).one(CounterattackTriggered).skips_owed == points
        duel_fight.after(Attack("rival", "birk"), EndTurn("birk"), Resolve(7, attack_die=2), EndTurn("rival"))
        assert (duel_fight.after(BeginTurn("birk")).when(Attack("birk", "rival")).error is None) == (reading == "no")
        fight.after(Initiative(circumstance="birk"))
        assert fight.when(BeginTurn("birk")).one(CounterattackLapsed).skips_owed == points


def test_a_posture_is_taken_once_and_before_the_first_turn() -> None:
    """MAM-SURP-04: one of the two, or none."""
    fight = speed(BIRK, RIVAL, TakePosture("birk", "evading"))
    fight.when(TakePosture("birk", "ready_to_counter")).raises("already_taken")
    fight.after(Initiative(circumstance="birk"), BeginTurn("birk"))
    fight.when(TakePosture("rival", "evading")).raises("too_late", "MAM-SURP-04")


def test_a_posture_is_refused_after_a_surprise() -> None:
    """MAM-SURP-04, `mutual_surprise_posture`."""
    fight = speed(ALVA, CORA, Stalk("alva", "cora", die=HIDDEN), EstablishSurprise())
    for name in ("alva", "cora"):
        fight.when(TakePosture(name, "evading")).raises("surprise_attack", "MAM-SURP-04")
    mutual = (ALVA, CORA, Stalk("alva", "cora", die=HIDDEN), Stalk("cora", "alva", die=HIDDEN), EstablishSurprise())
    assert speed(*mutual).when(TakePosture("alva", "evading")).error is None
    speed(*mutual, mutual_surprise_posture="forbidden").when(TakePosture("alva", "evading")).raises("surprise_attack")
    history = (ALVA, CORA, Stalk("alva", "cora", die=SEEN), EstablishSurprise(), TakePosture("alva", "evading"))
    assert speed(*history, mutual_surprise_posture="forbidden").state.combatants["alva"].status.effects
