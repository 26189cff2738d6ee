"""The entries of a replay page; the headline of a ruling is its outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.commands import Attack, BeginTurn, Command, EndTurn, Interfere, Open, Parry, Resolve
from mam_events.fights import load_fight, play
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from projections.pages.replay_entries import ExchangeSide, ReplayEntry, replay_entries
from projections.rulings.index import RulingIndex
from tests.fighters import DUEL, SENTRY, duel_orders

EXAMPLES = Path(__file__).parents[3] / "examples"


def entries_of(log: CombatLog, fight: str) -> dict[int, ReplayEntry]:
    play(log, load_fight(EXAMPLES / f"{fight}.toml"))
    timeline_rulings = list(rulings(log.timeline(fight)))
    return {
        leaf.frame.number: leaf
        for leaf in replay_entries(timeline_rulings, RulingIndex(timeline_rulings, "gm"), log.rules)
    }


@pytest.mark.parametrize(
    ("fight", "number", "lead"),
    [
        ("under-the-tarpaulin", 12, "Brack's attack on Vess misses: 4 against 6."),
        ("first-on-the-stairs", 4, "The order is Clone 14, Modre 11."),
        ("modre-and-the-clone", 17, "Modre's attack on Clone hits with power 4: the attack is higher."),
    ],
)
def test_the_headline_is_the_outcome(log: CombatLog, fight: str, number: int, lead: str) -> None:
    assert entries_of(log, fight)[number].lead == lead


def test_an_entry_names_the_combatants_it_is_about_actor_first(log: CombatLog) -> None:
    entries = entries_of(log, "modre-and-the-clone")
    assert {number: entries[number].concerned for number in (5, 6, 7, 8, 11, 16, 17, 20)} == {
        5: ("modre",),
        6: ("modre", "clone"),
        7: ("modre", "clone"),
        8: ("modre", "clone"),
        11: ("clone",),
        16: ("modre", "clone"),
        17: ("modre", "clone"),
        20: ("clone",),
    }


def interfered(log: CombatLog, *answers: Command) -> ReplayEntry:
    """Return the entry of the last reaction to an attack by Modre on Clone, with Sentry beside Clone."""
    for command in (
        Open(),
        *duel_orders(*DUEL[:2], SENTRY),  # type: ignore[arg-type]  # the first two of DUEL are the two who join
        Attack("modre", "clone", "ice-blade", 1, 1),
        *answers,
    ):
        log.execute("fight", command)
    timeline_rulings = list(rulings(log.timeline("fight")))
    return list(replay_entries(timeline_rulings, RulingIndex(timeline_rulings, "gm"), log.rules))[-1]


def test_a_defender_of_another_is_shown_as_a_side_of_the_exchange(log: CombatLog) -> None:
    leaf = interfered(log, Parry("sentry", 7), Resolve(7, 1, None, {"8": 6}))
    assert leaf.duel is not None
    assert leaf.duel.parts[1] == ExchangeSide("sentry", "Sentry", "parries for Clone, body", 1)
    assert leaf.duel.terms[0] == "3 against 6"
    assert leaf.concerned == ("modre", "sentry", "clone")


@pytest.mark.parametrize(
    "answers",
    [
        (Parry("clone", 7), Interfere("sentry", 7, 7, points=2, bonus=3), Resolve(7, 5, 2, {"9": 4})),
        (Parry("sentry", 7), Resolve(7, 5, 2, {"8": 6})),
    ],
)
def test_an_interferer_has_a_roll_beside_the_exchange(log: CombatLog, answers: tuple[Command, ...]) -> None:
    leaf = interfered(log, *answers)
    assert leaf.duel is not None
    assert leaf.duel.parts[1].name == "Clone"
    assert [leaf.rolls[at].name for at in leaf.duel.other_rolls] == ["Sentry"]


def test_a_turn_with_no_other_effect_is_marked_as_alone(log: CombatLog) -> None:
    entries = entries_of(log, "modre-and-the-clone")
    turns = {number: leaf for number, leaf in entries.items() if leaf.frame.do in ("begin-turn", "end-turn")}
    # In 19 the Clone gets a point back from stun.
    assert {number for number, leaf in turns.items() if not leaf.turn_alone} == {19}
    assert not [number for number, leaf in entries.items() if leaf.turn_alone and number not in turns]


def test_a_disputed_turn_is_not_marked_as_alone(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), *DUEL, EndTurn("modre"), BeginTurn("clone")])
    log.note("fight", "he was not done", kind="dispute", about=6)
    timeline_rulings = list(rulings(log.timeline("fight")))
    numbers = [
        leaf.frame.number
        for leaf in replay_entries(timeline_rulings, RulingIndex(timeline_rulings, "gm"), log.rules)
        if leaf.turn_alone
    ]
    assert numbers == [5, 7]
