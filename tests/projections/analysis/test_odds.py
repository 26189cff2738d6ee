"""Odds compared with exact sums, with many draws, and in random fights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import count, product
from random import Random
from typing import NamedTuple, get_args

import icepool
import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events import events as e
from mam_events.commands import (
    Attack,
    BeginTurn,
    Check,
    Command,
    Counterattack,
    Defend,
    Initiative,
    Interfere,
    Join,
    Resolve,
    Roll,
    RollInitiative,
    Round,
)
from mam_events.decider.dice_outcomes import MIN_PROBABILITY, DiceOutcome, dice_outcomes
from mam_events.errors import Refused
from mam_events.events import TYPES, AttackResolved, FreeRollMade, SuccessRolled
from mam_events.history.seed import draw
from mam_events.history.timeline.rulings import play_ruling, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.values import DieKind
from projections.analysis.odds import OUTCOME_SENTENCES, STRIKE_EVENTS, SUMS, Odds, odds
from projections.rulings.index import RulingContext, RulingIndex
from tests.fights.tables import play_random_fight
from tests.play import random_command
from tests.spec import GivenFight, given

DUEL = (Join("ana", hp=6), Join("bo", hp=6), Initiative(first="ana", reason="quick"), BeginTurn("ana"))


def outcomes_of(fight: GivenFight, command: Command) -> list[DiceOutcome]:
    """Return the outcomes of that command as the next ruling."""
    return list(dice_outcomes(fight.state, command, fight.ruleset, fight.ruling + 1))


def outcomes(ways: list[DiceOutcome], kind: type[e.Event]) -> dict[str, Fraction]:
    """Return the chance of each outcome in the events of that kind."""
    chances: Counter[str] = Counter()
    for outcome in ways:
        assert outcome.judging is not None
        for event in outcome.judging.events:
            if isinstance(event, kind):
                chances[event.outcome] += outcome.probability  # type: ignore[assignment, attr-defined]  # exact ones
    return dict(chances)  # type: ignore[arg-type]  # as above


def exchange(die: str, power: int = 1, modifier: int = 0) -> GivenFight:
    """Return a fight with a declared attack that nobody has answered."""
    rules = {"combat_die": die}
    return given(*DUEL, Attack("ana", "bo", power=power, modifier=modifier), rules=rules)


def test_an_exchange_of_two_d20_has_400_ways() -> None:
    fight = exchange("d20")
    ways = outcomes_of(fight, Resolve(fight.ruling))
    assert len(ways) == 400
    assert {outcome.probability for outcome in ways} == {Fraction(1, 400)}
    assert len({tuple(die.face for die in outcome.dice) for outcome in ways}) == 400


@pytest.mark.parametrize(("die", "sides"), [("d6_face", 6), ("d20", 20)])
@pytest.mark.parametrize("modifier", [0, 1, 3])
def test_the_chances_of_an_attack_match_icepool(die: str, sides: int, modifier: int) -> None:
    fight = exchange(die, modifier=modifier)
    difference = icepool.d(sides) - icepool.d(sides) + modifier
    exact = {
        "full": Fraction(difference.probability(">", 0)),
        "half": Fraction(difference.probability("==", 0)),
        "fail": Fraction(difference.probability("<", 0)),
    }
    assert outcomes(outcomes_of(fight, Resolve(fight.ruling)), AttackResolved) == exact


@pytest.mark.parametrize("reading", ["plain", "explode_on_six"])
@pytest.mark.parametrize(("dice", "pips"), [(1, 0), (3, 2), (6, 1)])
def test_the_chances_of_a_dice_code_match_icepool(reading: str, dice: int, pips: int) -> None:
    fight = given(Join("rook"), Round(), preset="ron_d6", rules={"rd6_wild_die": reading})
    ways = outcomes_of(fight, Roll("rook", "damage", code=f"{dice}D+{pips}"))
    wild = icepool.d6 if reading == "plain" else icepool.d6.explode(depth=20)
    distribution = (dice - 1) @ icepool.d6 + wild + pips
    left_out = sum((outcome.probability for outcome in ways if outcome.judging is None), Fraction(0))
    assert left_out < 100 * MIN_PROBABILITY
    assert (left_out > 0) == (reading == "explode_on_six")
    chances: dict[int, Fraction] = {}
    for outcome in ways:
        for event in outcome.judging.events if outcome.judging else ():
            if isinstance(event, FreeRollMade) and event.roll:
                chances[event.roll.total] = chances.get(event.roll.total, Fraction(0)) + outcome.probability
    for total, chance in chances.items():
        assert abs(chance - Fraction(distribution.probability("==", total))) <= left_out


class Substitute(NamedTuple):
    """A die as the rules print it: its sides, what a step of it is worth, the first step, the second throw."""

    sides: int
    factor: int
    first: int
    above: int


PRINTED: dict[DieKind, Substitute] = {
    "d20": Substitute(20, 1, 1, 20),
    "d12": Substitute(12, 2, 0, 8),
    "d10": Substitute(10, 2, 1, 5),
    "d8": Substitute(8, 3, 0, 5),
    "d6": Substitute(6, 4, 0, 4),
}


def succeeds(kind: DieKind, needed: int, *, confirms: bool) -> Fraction:
    """Return the chance that the die is worth more than `needed` or is a natural success, summed over two throws."""
    die, chance = PRINTED[kind], Fraction(0)
    for step, second in product(range(die.sides), range(1, die.sides + 1)):
        value = die.factor * (step + die.first)
        natural = value == 20 if kind == "d20" else confirms and value >= 20 and second > die.above
        chance += Fraction(natural or value > needed, die.sides**2)
    return chance


@pytest.mark.parametrize("kind", get_args(DieKind))
@pytest.mark.parametrize("needed", [9, 17, 30])
@pytest.mark.parametrize("reading", ["confirm_roll", "ignore"])
def test_every_substitute_die_succeeds_as_often_as_computed_exactly(kind: DieKind, needed: int, reading: str) -> None:
    fight = given(Join("ana", hp=6), rules={"substitute_automatic_success": reading})
    ways = outcomes_of(fight, Check("ana", needed + 3, modifier=3, kind=kind))
    assert sum(outcome.probability for outcome in ways) == 1
    exact = succeeds(kind, needed, confirms=reading == "confirm_roll")
    assert outcomes(ways, SuccessRolled).get("full", 0) == exact


@pytest.mark.slow
def test_frequencies_of_100_000_draws_match_the_odds() -> None:
    """Draw every face, and judge every pair of faces as if it had been thrown."""
    fight = exchange("d20", modifier=2)
    outcome_by_faces = {
        (attack, defense): fight.when(Resolve(fight.ruling, attack, defense)).one(AttackResolved).outcome
        for attack, defense in product(range(1, 21), repeat=2)
    }
    draws = 100_000
    faces = (draw(b"odds", (), f"{n}/attack.ana/0/d20") for n in range(2 * draws))
    counts = Counter(outcome_by_faces[pair] for pair in zip(faces, faces, strict=True))
    exact = outcomes(outcomes_of(fight, Resolve(fight.ruling)), AttackResolved)
    assert set(counts) == set(exact) == {"full", "half", "fail"}
    for outcome, chance in exact.items():
        spread = (draws * chance * (1 - chance)) ** 0.5
        assert abs(counts[outcome] - draws * chance) < 3.5 * spread, outcome


@pytest.mark.slow
def test_frequencies_of_100_000_exploding_draws_match_the_odds() -> None:
    """100,000 draws of an exploding code agree with the odds.

    Three dice are added up, and the wild one is thrown again while it shows a six. Every total is within chance and the
    share that the odds leave out.
    """
    fight = given(Join("rook"), Round(), preset="ron_d6", rules={"rd6_wild_die": "explode_on_six"})
    chances: Counter[int] = Counter()
    left_out = Fraction(0)
    for outcome in outcomes_of(fight, Roll("rook", "damage", code="3D")):
        totals = (
            [e.roll.total for e in outcome.judging.events if isinstance(e, FreeRollMade) and e.roll]
            if outcome.judging
            else []
        )
        left_out += Fraction(0) if totals else outcome.probability
        for total in totals:
            chances[total] += outcome.probability  # type: ignore[assignment]  # exact ones
    assert 0 < left_out < Fraction(1, 10**6)
    draws, counts = 100_000, Counter[int]()
    faces = (draw(b"odds", (), f"{n}/roll.rook/0/d6") for n in count(1))
    for _ in range(draws):
        total = next(faces) + next(faces)
        while (wild := next(faces)) == 6:
            total += wild
        counts[total + wild] += 1
    assert sum(counts.values()) == draws
    for total, chance in chances.items():
        spread = float(draws * chance * (1 - chance)) ** 0.5
        assert abs(counts[total] - float(draws * chance)) <= 4.5 * spread + float(draws * left_out) + 1, total


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@examples(st.integers(0, 2**32))
def test_in_any_fight_the_chances_sum_to_1_and_all_ways_differ(seed: int) -> None:
    """Try any legal order: chances sum to 1, and no two ways have the same faces.

    The next test tries initiative: it has 319,980 ways, because equal dice fall again.
    """
    random = Random(seed)
    log, encounter = play_random_fight(random, steps=random.randint(5, 40))
    timeline = log.timeline(encounter)
    if timeline.state.status != "open" or timeline.state.ruleset is None:
        return
    ruleset = log.rules.in_force(timeline.state.ruleset)
    for _ in range(6):
        command = random_command(timeline.state, ruleset, random)
        if isinstance(command, RollInitiative):
            # If several roll at once, each has its own entry.
            command = replace(command, combatants=command.combatants[:1])
        if command is None or isinstance(command, Initiative):
            continue
        with suppress(Refused):
            check_ways(list(dice_outcomes(timeline.state, command, ruleset, timeline.number + 1)))


@pytest.mark.slow
def test_the_chances_of_initiative_sum_to_1_and_all_ways_differ() -> None:
    fight = given(Join("ana", hp=6), Join("bo", hp=6), preset="mam_d20")
    ways = outcomes_of(fight, Initiative())
    assert len(ways) == 319_980
    check_ways(ways)


def check_ways(ways: list[DiceOutcome]) -> None:
    assert sum(outcome.probability for outcome in ways) == 1
    assert len({tuple((die.key, die.face) for die in outcome.dice) for outcome in ways}) == len(ways)


def odds_of(fight: GivenFight, *commands: Command) -> Odds:
    """Give the commands and return the odds of the open exchange."""
    with CombatLog.open("sqlite://", entropy=Random(6).randbytes) as log:
        log.execute_all("fight", [fight.opening, *DUEL, *commands])
        timeline = log.timeline("fight")
        index = RulingIndex(rulings(timeline), "gm")
        assert timeline.state.exchange is not None
        resolve = Resolve(timeline.state.exchange.id)
        ways = dice_outcomes(timeline.state, resolve, fight.ruleset, timeline.number + 1)
        return odds(ways, timeline.state, RulingContext(index, play_ruling(timeline, timeline.number)))


ATTACK = Attack("ana", "bo", power=1, modifier=1)


@pytest.mark.parametrize(
    ("die", "more", "expected"),
    [
        (
            "d6_face",
            (),
            {
                "ana's attack on bo": (
                    {"full": 21 / 36, "half": 5 / 36, "fail": 10 / 36},
                    "at least as high as the other",
                )
            },
        ),
        (
            "d6_face",
            (Defend("bo", 6, 2),),
            {
                "ana's attack on bo": (
                    {"full": 10 / 36, "half": 5 / 36, "fail": 21 / 36},
                    "at least 2 higher than the other",
                )
            },
        ),
        (
            "d6_face",
            (Counterattack("bo", 6, power=1),),
            {
                "ana's attack on bo": (
                    {"full": 21 / 36, "half": 5 / 36, "fail": 10 / 36},
                    "at least as high as the other",
                ),
                "bo's counterattack": (
                    {"full": 10 / 36, "half": 5 / 36, "fail": 21 / 36},
                    "at least 2 higher than the other",
                ),
            },
        ),
    ],
)
def test_odds_name_the_combatants_and_the_needed_difference(
    die: str, more: tuple[Command, ...], expected: Mapping[str, tuple[dict[str, float], str]]
) -> None:
    distribution = odds_of(given(rules={"combat_die": die}), ATTACK, *more)
    assert {one.subject for one in distribution.chances} == set(expected)
    for one in distribution.chances:
        chances, needs = expected[one.subject]
        assert one.chances == pytest.approx(chances)
        assert one.needs == f"a die {needs}"


def test_with_a_third_deciding_die_no_needed_difference_is_shown() -> None:
    """Ana's attack must beat the defense, which is rolled in 26 of 36 ways, and must not be stopped."""
    distribution = odds_of(given(), Join("cal", hp=6), ATTACK, Interfere("cal", 7, 7, points=2))
    chances = {one.subject: one for one in distribution.chances}
    assert (distribution.ways, [*chances]) == (166, ["cal's interference", "ana's attack on bo"])
    assert chances["cal's interference"].needs == "a die at least 2 higher than the other"
    assert chances["ana's attack on bo"].needs == ""
    assert all(sum(one.chances.values()) == pytest.approx(1) for one in distribution.chances)


def test_odds_show_the_average_harm_and_the_chance_to_go_down() -> None:
    distribution = odds_of(given(), Attack("ana", "bo", power=6))
    (bo,) = distribution.harm
    assert 0 < bo.down < 1
    assert 0 < bo.damage + bo.stun < 6


def test_odds_cover_every_event_with_an_outcome_or_a_total() -> None:
    """Events that only repeat an outcome, or that the game master declares, are left out."""
    events = {e.ManipulationResolved, e.OutcomeDeclared, e.ResultDeclared}
    kinds = {kind for kind in TYPES.values() if "outcome" in kind.__struct_fields__}
    assert kinds == set(OUTCOME_SENTENCES) | events
    assert {kind for kind in TYPES.values() if issubclass(kind, e.CodeRolled)} == set(SUMS)
    assert set(STRIKE_EVENTS) < set(OUTCOME_SENTENCES)


def test_odds_with_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = exchange("d20")
    monkeypatch.setattr("mam_events.decider.dice_outcomes.OUTCOME_LIMIT", 399)
    with pytest.raises(Refused) as error:
        outcomes_of(fight, Resolve(fight.ruling))
    assert error.value.code == "too_many_ways"
    assert len(outcomes_of(fight, Resolve(fight.ruling, defense_die=3))) == 20


def test_an_impossible_roll_shows_its_best_result() -> None:
    (chances,) = odds_of(given(*DUEL), Attack("ana", "bo", power=1), Defend("bo", 6, 6)).chances
    assert chances.needs == "impossible: at best 6 against at least 7"
    (likely,) = odds_of(given(*DUEL), Attack("ana", "bo", power=1), Defend("bo", 6, 5)).chances
    assert "can show" not in likely.needs
