"""Changes of rules during a fight: every ruling is judged by the rules in force at its place."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import to_builtins

from mam_events.commands import Attack, ChangeRules, Close, Command, Open, Resolve
from mam_events.decider.offers import Template
from mam_events.errors import BadInput, NotFound, Refused
from mam_events.events import Amend, AttackResolved, RulesChanged, Strike
from mam_events.history.timeline.rulings import living_plays
from mam_events.log.combat_log import CombatLog
from tests.fighters import DUEL
from tests.play import PARTY, random_adjustment, random_command

HIT = Attack("modre", "clone", "ice-blade", power=2, modifier=1)
TIE = Resolve(6, attack_die=2, defense_die=4)
NEVER = ChangeRules({"half_success": "never"}, "the table voted")
AGAIN = ChangeRules({"half_success": "exact_tie"}, "the vote was void")


def fight(log: CombatLog, *more: Command) -> CombatLog:
    """Let Modre attack the Clone in ruling 6 and give more commands."""
    log.execute_all("fight", [Open(ruleset="ours"), *DUEL, HIT, *more])
    return log


def outcome(log: CombatLog, ruling: int) -> str:
    """Return the current outcome of the attack that this ruling resolved."""
    (ruled_ruling,) = (one for one in living_plays(log.timeline("fight")) if one.number == ruling)
    (result,) = (event.outcome for event in ruled_ruling.events if isinstance(event, AttackResolved))
    return result


def reading(log: CombatLog, moment: int | None = None) -> str:
    pinned = log.at("fight", moment).ruleset
    assert pinned is not None
    return log.rules.in_force(pinned)["half_success"]


def test_a_change_of_rules_applies_only_to_later_rulings(log: CombatLog) -> None:
    fight(log, NEVER, TIE)
    assert outcome(log, 8) == "fail"
    assert [reading(log, moment) for moment in (6, 7, 8)] == ["exact_tie", "never", "never"]
    log.undo("fight", 7, only=True)
    assert reading(log) == "exact_tie"


def test_a_change_of_rules_records_all_rules_their_name_and_the_reason(log: CombatLog) -> None:
    fight(log)
    before = log.at("fight").ruleset
    answer = log.execute("fight", NEVER)
    (event,) = answer.events
    assert isinstance(event, RulesChanged)
    assert before is not None
    assert event.ruleset.readings == before.readings | {"half_success": "never"}
    assert (event.ruleset.name, event.house_rules, event.reason) == (
        "ours",
        {"half_success": "never"},
        "the table voted",
    )
    assert event.ruleset.fingerprint == log.rules.ruleset("mam_pools", {"half_success": "never"}).pinned.fingerprint
    assert answer.state.ruleset == event.ruleset


def test_undo_of_a_change_judges_later_rulings_again(log: CombatLog) -> None:
    fight(log, NEVER, TIE)
    log.undo("fight", 7, only=True)
    assert outcome(log, 8) == "half"
    log.redo("fight")
    assert outcome(log, 8) == "fail"


def test_an_inserted_change_applies_from_its_place_on(log: CombatLog) -> None:
    fight(log, TIE)
    assert outcome(log, 7) == "half"
    log.execute("fight", NEVER, after=6)
    assert outcome(log, 7) == "fail"
    log.execute("fight", AGAIN, after=8)
    assert outcome(log, 7) == "half"
    log.undo("fight")
    assert outcome(log, 7) == "fail"


def test_an_amended_change_applies_as_amended(log: CombatLog) -> None:
    fight(log, NEVER, TIE)
    log.correct("fight", [Amend(7, {"house_rules": {"wound_order": "damage_first"}})])
    assert outcome(log, 8) == "half"
    log.correct("fight", [Amend(7, {"house_rules": {"half_success": "never"}})])
    assert outcome(log, 8) == "fail"


def test_undo_of_a_change_carries_a_later_change_of_another_option(log: CombatLog) -> None:
    fight(log, NEVER, ChangeRules({"wound_order": "damage_first"}, "and this"), TIE)
    answer = log.undo("fight", 7, only=True)
    assert {one.ruling: one.verdict for one in answer.rejudged} == {8: "carried", 9: "changed"}
    pinned = log.at("fight").ruleset
    assert pinned is not None
    assert (pinned.readings["half_success"], pinned.readings["wound_order"]) == ("exact_tie", "damage_first")


def test_a_rejudged_ruling_uses_the_rules_at_its_place(log: CombatLog) -> None:
    """The judge caches rules, and must not use those of the ruling before."""
    fight(log, NEVER, TIE, AGAIN)
    assert log.correct("fight", [Amend(8, {"attack_die": 2})]).rejudged == ()
    log.execute("fight", ChangeRules({"half_rounding": "down"}, "first of all"), after=5)
    assert [outcome(log, 8), reading(log, 7), reading(log, 9)] == ["fail", "never", "exact_tie"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ChangeRules({"half_succes": "never"}, "x"), "unknown_option"),
        (ChangeRules({"half_success": "nevr"}, "x"), "unknown_reading"),
        (ChangeRules({}, "x"), "nothing_to_change"),
        (ChangeRules({"half_success": "never"}, ""), "reason_missing"),
    ],
)
def test_an_invalid_change_is_refused_and_keeps_the_rules(log: CombatLog, command: ChangeRules, code: str) -> None:
    fight(log)
    version = log.timeline("fight").version
    with pytest.raises(Refused) as error:
        log.execute("fight", command)
    assert (error.value.code, log.timeline("fight").version) == (code, version)
    assert reading(log) == "exact_tie"


def test_an_amendment_to_an_invalid_change_is_refused(log: CombatLog) -> None:
    fight(log, NEVER, TIE)
    with pytest.raises((Refused, BadInput), match="nevr"):
        log.correct("fight", [Amend(7, {"house_rules": {"half_success": "nevr"}})])
    assert outcome(log, 8) == "fail"


def test_rules_can_be_changed_only_in_an_open_encounter(log: CombatLog) -> None:
    with pytest.raises(NotFound):
        log.execute("fight", NEVER)
    fight(log, TIE, Close())
    with pytest.raises(Refused, match="closed"):
        log.execute("fight", NEVER)


def test_offers_follow_the_changed_rules(log: CombatLog) -> None:
    fight(log, ChangeRules({"reaction_hp_cap": "capped_by_attack_hp"}, "no more than that"))
    offers = (offer for offer in log.legal("fight") if isinstance(offer, Template))
    (defend,) = (offer for offer in offers if offer.do == "defend")
    assert [field.high for field in defend.fields if field.name == "points"] == [3]


def test_reading_the_log_again_gives_the_changed_rules(log: CombatLog) -> None:
    fight(log, NEVER, TIE)
    with CombatLog(log.application) as second_log:
        assert second_log.at("fight") == log.at("fight")
        assert outcome(second_log, 8) == "fail"


CHANGES = (
    {"half_success": "never"},
    {"half_success": "exact_tie"},
    {"combat_die": "d20"},
    {"combat_die": "d6_face", "defense_resolution": "fixed_difficulty"},
    {"ready_refresh_amount": "exact_maximum", "stun_recovery_timing": "turn_end"},
    {"pool_counterattack": "simultaneous_exchange", "wound_order": "damage_first"},
    {"grapple_shortfall": "hold_weakens", "encumbrance_shortfall": "ignore", "round_boundary": "turn_end_to_turn_end"},
)


@pytest.mark.parametrize("seed", range(6))
def test_striking_and_restoring_a_change_of_rules_changes_nothing(log: CombatLog, seed: int) -> None:
    """Events read from the log equal a new judging."""
    rng = Random(seed)
    log.execute_all("fight", [Open(), *PARTY])
    changes = []
    for _ in range(40):
        state = log.at("fight")
        assert state.ruleset is not None
        command: Command = random_command(state, log.rules.in_force(state.ruleset), rng) or random_adjustment(
            state, rng
        )
        if rng.random() < 0.2:
            command = ChangeRules(rng.choice(CHANGES), "so be it")
        number = log.execute("fight", command).number
        changes += [number] if isinstance(command, ChangeRules) else []
    before = to_builtins(log.at("fight"))
    events = [ruling.events for ruling in living_plays(log.timeline("fight"))]
    for number in changes:
        answer = log.correct("fight", [Strike(number)])
        log.redo("fight", answer.number)
        assert to_builtins(log.at("fight")) == before
        assert [ruling.events for ruling in living_plays(log.timeline("fight"))] == events
