"""Luck: exact chances, and dice that decided a fight because another face changes the winner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import fsum, isclose, prod
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    Check,
    EndTurn,
    Initiative,
    Join,
    Open,
    Ready,
    Resolve,
    RollInitiative,
    Round,
)
from mam_events.dice import read_key
from mam_events.events import Amend, AttackResolved, Event
from mam_events.fights import load_fight, play
from mam_events.history.timeline.entries import dice_of
from mam_events.history.timeline.rulings import living_plays, rulings
from mam_events.log.combat_log import CombatLog
from mam_events.state import Encounter
from projections.analysis.luck import EXPLODING_MEAN, EXPLODING_VARIANCE, FEW, DiceLuck, Luck, chance_of, luck
from projections.analysis.luck_text import fortune_words, luck_words
from projections.analysis.what_if import fight_ending
from projections.visibility.redaction import Redactor
from tests.effort import seeds
from tests.fights.corpus import Corpus

EXAMPLES = Path(__file__).parents[3] / "examples"


def luck_of_example(log: CombatLog, name: str, view: str = "gm") -> Luck:
    play(log, load_fight(EXAMPLES / f"{name}.toml"), name)
    return luck_of(log, name, view)


def luck_of(log: CombatLog, encounter: str, view: str = "gm") -> Luck:
    timeline = log.timeline(encounter)
    return luck(timeline, log.rules, Redactor(view, rulings(timeline)))


@pytest.mark.parametrize("sides", [(6,), (6, 6, 6), (20, 20), (4, 6, 8), (12, 10, 6)])
def test_the_chance_of_a_sum_equals_counting_every_way(sides: tuple[int, ...]) -> None:
    ways = [sum(faces) for faces in product(*(range(1, number + 1) for number in sides))]
    mean = sum(ways) / len(ways)
    for faces in range(len(sides), sum(sides) + 1):
        as_far = [roll for roll in ways if (roll >= faces if faces >= mean else roll <= faces)]
        assert isclose(chance_of(faces, sides), len(as_far) / prod(sides))


def test_the_mean_of_an_exploding_die_includes_its_extra_throws() -> None:
    """Sum the chances one by one: (1/6)^(n+1) for each of five faces after n sixes."""
    chances = {6 * sixes + face: 6.0 ** -(sixes + 1) for sixes in range(20) for face in range(1, 6)}
    mean = fsum(sum_ * chance for sum_, chance in chances.items())
    assert isclose(mean, EXPLODING_MEAN)
    assert isclose(fsum((sum_ - mean) ** 2 * chance for sum_, chance in chances.items()), EXPLODING_VARIANCE)
    for faces in (5, 7, 11, 12, 17):
        assert isclose(chance_of(faces, (), 1), fsum(c for s, c in chances.items() if s >= faces), rel_tol=1e-7)
    two = [(one + other, p * q) for one, p in chances.items() for other, q in chances.items()]
    assert isclose(
        chance_of(14, (4,), 2), sum(fsum(p for s, p in two if s + d >= 14) for d in range(1, 5)) / 4, rel_tol=1e-7
    )


@pytest.mark.parametrize("seed", seeds(30))
def test_every_die_of_a_fight_counts_for_exactly_one_combatant(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    faces = [
        die
        for ruling in living_plays(log.timeline(encounter))
        for event in ruling.events
        for die in dice_of(event)
        if read_key(die.key).role not in ("armor", "opposition")
    ]
    fight_luck = luck_of(log, encounter)
    assert sum(one.dice for one in fight_luck.fortunes) == len({die.key for die in faces})
    assert sum(one.faces for one in fight_luck.fortunes) == sum({die.key: die.face for die in faces}.values())
    for one in fight_luck.fortunes:
        own = {die.key: die.face for die in faces if read_key(die.key).roller == one.combatant}
        assert (one.dice, one.faces) == (len(own), sum(own.values()))
        assert one.chance is None or 0 < one.chance < 0.75


@pytest.mark.parametrize(("reading", "wild", "face"), [("explode_on_six", EXPLODING_MEAN, 5), ("plain", 3.5, 3)])
def test_the_mean_of_a_roll_includes_the_wild_die_as_the_rules_read_it(
    log: CombatLog, reading: str, wild: float, face: int
) -> None:
    log.execute("fight", Open("ron_d6", {"rd6_wild_die": reading}))
    for name in ("rook", "thug"):
        log.execute("fight", Join(name, code={"perception": "3D"}))
    log.execute("fight", Round())
    faces = (2, 3, 6, 6, 4)[:face]
    log.execute("fight", RollInitiative(("rook", "thug"), dice={"rook": faces, "thug": (1, 5, 2)}))
    rook, thug = luck_of(log, "fight").fortunes
    assert (rook.dice, rook.faces, thug.dice, thug.faces) == (face, sum(faces), 3, 8)
    for one in (rook, thug):
        assert isclose(one.mean, 7 + wild)
        assert one.chance is None


def test_expected_hits_average_over_every_way_the_dice_can_fall(log: CombatLog) -> None:
    name = "archers-in-the-dark"
    fortunes = luck_of_example(log, name).fortunes
    totals: dict[str, list[float]] = defaultdict(list)
    expected: dict[str, list[float]] = defaultdict(list)
    for ruling in living_plays(log.timeline(name)):
        for who, hit in struck(ruling.events, ruling.before):
            totals[who].append(hit)
            expected[who].append(fsum(as_previewed(log, name, ruling.number)) / 36)
    assert len(totals) > 1
    for one in fortunes:
        assert (one.attacks, one.hits) == (len(totals[one.combatant]), sum(totals[one.combatant]))
        assert isclose(one.expected_hits, fsum(expected[one.combatant]))


def struck(events: tuple[Event, ...], before: Encounter) -> list[tuple[str, float]]:
    """Return each attacker with the size of the hit: 1, 0.5 or 0."""
    hits = {"full": 1.0, "half": 0.5, "fail": 0.0}
    return [
        (before.exchange.root.combatant, hits[event.outcome])
        for event in events
        if isinstance(event, AttackResolved) and before.exchange
    ]


def as_previewed(log: CombatLog, encounter: str, ruling: int) -> Iterator[float]:
    """Yield the hits of that ruling for every pair of faces, from previews by the log."""
    before = log.timeline(encounter).state_before(log.timeline(encounter).place[ruling])
    for attack, defense in product(range(1, 7), repeat=2):
        faces = {"attack_die": attack, "defense_die": defense}
        verdicts = log.preview(encounter, [Amend(ruling, faces)]).rejudged
        yield sum(hit for entry in verdicts if entry.ruling == ruling for _, hit in struck(entry.events, before))


def test_dice_whose_highest_face_counts_as_zero_have_no_luck(log: CombatLog) -> None:
    fight = load_fight(EXAMPLES / "modre-and-the-clone.toml")
    assert isinstance(fight.opening.what, Open)
    opening = replace(fight.opening.what, house_rules={"substitute_zero_face": "highest_counts_as_zero"})
    play(log, replace(fight, opening=replace(fight.opening, what=opening)), "duel")
    assert luck_of(log, "duel").fortunes == ()


def winner(log: CombatLog, encounter: str, ruling: int, **faces: int) -> str:
    """Return the only side with anybody able under those faces, from a preview by the log."""
    state = log.preview(encounter, [Amend(ruling, faces)]).state
    assert state
    return fight_ending([(0, state)], Redactor("gm")).winner


def test_the_deciding_die_is_the_last_whose_other_face_changes_the_winner(log: CombatLog) -> None:
    name = "archers-in-the-dark"
    fight_luck = luck_of_example(log, name)
    assert fight_luck.winner == "watch"
    assert fight_luck.decider
    assert (fight_luck.decider.ruling, fight_luck.decider.name, fight_luck.decider.role) == (37, "Raider", "defense")
    assert (fight_luck.decider.face, fight_luck.decider.otherwise, fight_luck.decider.instead) == (2, 5, "")
    outcomes = {face: winner(log, name, 37, defense_die=face) for face in range(1, 7)}
    assert outcomes == {1: "watch", 2: "watch", 3: "watch", 4: "watch", 5: "", 6: ""}


def duel(log: CombatLog, ann: int, rat: int, bat: int) -> None:
    """Begin a fight of a hero and two foes with those hit points."""
    log.execute("fight", Open())
    for who, hp in (("ann", ann), ("rat", rat), ("bat", bat)):
        log.execute("fight", Join(who, name=who.title(), side="heroes" if who == "ann" else "foes", hp=hp))
    log.execute("fight", Initiative(first="ann", reason="quick"))


def strike(log: CombatLog, who: str, target: str, dice: tuple[int, int], *, power: int, modifier: int = 0) -> int:
    """Play on to a combatant's turn, ready their points, strike, and return the ruling of the blow."""
    while (due := log.timeline("fight").state.next_up or who) != who:
        log.execute_all("fight", (BeginTurn(due), EndTurn(due)))
    log.execute("fight", BeginTurn(who))
    if used := log.timeline("fight").state.combatants[who].pools.other_used:
        log.execute("fight", Ready(who, other_used=used))
    exchange = log.execute("fight", Attack(who, target, power=power, modifier=modifier)).number
    blow = log.execute("fight", Resolve(exchange, attack_die=dice[0], defense_die=dice[1])).number
    log.execute("fight", EndTurn(who))
    return blow


CERTAIN = 6
"""A modifier with which a blow hits with any face."""


def test_a_miss_that_saved_nobody_does_not_decide_the_fight(
    log: CombatLog,
) -> None:
    """After a hit, Ann could not have paid for the last blow."""
    duel(log, 10, 1, 3)
    felling = strike(log, "ann", "rat", (4, 3), power=1)
    ruling = strike(log, "bat", "ann", (1, 4), power=3)
    strike(log, "ann", "bat", (6, 1), power=3, modifier=CERTAIN)
    assert winner(log, "fight", ruling, attack_die=6, defense_die=4) == ""
    fight_luck = luck_of(log, "fight")
    assert fight_luck.decider
    assert (fight_luck.decider.ruling, fight_luck.decider.felled, fight_luck.decider.spared) == (felling, ("Rat",), ())
    assert luck_words(fight_luck)[-1].startswith(
        f"The die that decided: Rat's defense in {felling}, a 3: it felled Rat. "
    )


def test_a_miss_that_kept_somebody_up_may_decide_the_fight(log: CombatLog) -> None:
    duel(log, 3, 1, 3)
    ruling = strike(log, "bat", "ann", (1, 4), power=3)
    log.execute("fight", Adjust("the roof falls", condition={"rat": "incapacitated", "bat": "incapacitated"}))
    fight_luck = luck_of(log, "fight")
    assert fight_luck.decider
    assert (fight_luck.decider.ruling, fight_luck.decider.felled, fight_luck.decider.spared) == (ruling, (), ("Ann",))
    assert ": it kept Ann up. With a " in luck_words(fight_luck)[-1]


def test_if_nobody_fell_the_die_that_cost_most_decides(log: CombatLog) -> None:
    """With a full hit by the Rat, the Bat's certain hit would have felled Ann."""
    duel(log, 4, 2, 8)
    bite = strike(log, "rat", "ann", (4, 4), power=2)
    strike(log, "bat", "ann", (6, 1), power=2, modifier=CERTAIN)
    log.execute("fight", Adjust("they run", condition={"rat": "out", "bat": "out"}))
    fight_luck = luck_of(log, "fight")
    assert fight_luck.decider
    assert (fight_luck.decider.ruling, fight_luck.decider.felled, fight_luck.decider.spared) == (bite, (), ())
    assert f"in {bite}, a 4. With a 3 heroes would not be the only side standing." in luck_words(fight_luck)[-1]


def test_a_fight_without_a_winner_has_no_deciding_die(log: CombatLog) -> None:
    fight_luck = luck_of_example(log, "modre-and-the-clone")
    assert (fight_luck.winner, fight_luck.decider) == ("", None)
    log.execute("empty", Open())
    assert luck_of(log, "empty") == Luck((), FEW, "", None)


def test_undone_rulings_do_not_count_as_luck(log: CombatLog) -> None:
    before = luck_of_example(log, "modre-and-the-clone").fortunes
    log.undo("modre-and-the-clone", 15)
    after = luck_of(log, "modre-and-the-clone").fortunes
    assert [one.dice for one in before] == [2, 2]
    assert [one.dice for one in after] == [1, 1]


def test_a_view_that_does_not_see_everything_gets_no_deciding_die(log: CombatLog) -> None:
    name = "archers-in-the-dark"
    luck_of_example(log, name)
    assert luck_of(log, name).decider
    log.note(name, "a note")
    assert luck_of(log, name, "public").decider == luck_of(log, name).decider
    log.execute(name, log.timeline(name).command(log.timeline(name).order[5]), after=5, visibility="gm")
    assert luck_of(log, name, "public").decider is None


def test_dice_drawn_and_undone_are_listed_while_they_are_undone() -> None:
    with CombatLog.open("sqlite://", entropy=Random(4).randbytes) as log:
        log.execute("fight", Open())
        log.execute("fight", Join("ann", hp=6, side="reds"))
        log.execute("fight", Join("eve", hp=6, side="foes", visibility="gm"))
        check = log.execute("fight", Check("ann", die=3)).number
        random_check = log.execute("fight", Check("ann")).number
        secret = log.execute("fight", Check("eve")).number
        (face,) = [die.face for die in dice_of(log.history("fight")[random_check - 1].events[0])]
        assert luck_of(log, "fight").undone == ()
        for ruling in (check, random_check, secret):
            log.undo("fight", ruling, only=True)
        fight_luck = luck_of(log, "fight")
        assert [one.ruling for one in fight_luck.undone] == [random_check, secret]
        assert f"Drawn and undone: d20 {face} (ruling {random_check}), d20 " in " ".join(luck_words(fight_luck))
        assert [one.ruling for one in luck_of(log, "fight", "side:reds").undone] == [random_check]
        log.redo("fight", 8)
        assert [one.ruling for one in luck_of(log, "fight").undone] == [secret]


@pytest.mark.parametrize("chance", [0.0, 1e-300])
def test_extreme_luck_is_described_in_words(chance: float) -> None:
    words = fortune_words(DiceLuck("ann", "Ann", 1500, 1600, 5250.0, 66.1, chance))
    assert words.endswith("unluckier than on all but one night of more than 1,000,000.")
