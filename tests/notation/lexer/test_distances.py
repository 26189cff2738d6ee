"""Distances and turns in common words, and errors for lines that would do nothing."""

from __future__ import annotations

import pytest

from mam_events.commands import Open
from mam_events.errors import MamError
from mam_events.log.combat_log import CombatLog
from mam_events.notation.submit import give_line

ARCHERS = (
    "join Finn a hp=9 w=(Bow kind=bow pow=2 at=1 range=30)",
    "join Rat b hp=9",
    "init first=finn because x",
    "finn draws the bow.",
    "rat.",
)
BRAWL = (
    "join Mira heroes perception=3D agility=4D brawling=4D",
    "join Kest foes perception=2D agility=3D brawling=3D",
    "ro mira 5 5 5 kest 1 1",
)


def begin_fight(preset: str, *lines: str) -> CombatLog:
    log = CombatLog.open("sqlite://")
    log.execute("fight", Open(preset))
    for line in lines:
        give_line(log, "fight", line)
    return log


def error_for(log: CombatLog, line: str) -> str:
    with pytest.raises(MamError) as error:
        give_line(log, "fight", line)
    return error.value.sentence


@pytest.mark.parametrize(
    "text", ["at 9 m 2 4", "from 9 m 2 4", "9 m 2 4", "at 9 metres 2 4", "over 9m 2 4", "from 9 metres away 2 4"]
)
def test_a_distance_before_dice_does_not_use_a_die_as_modifier(text: str) -> None:
    answer = give_line(begin_fight("mam_pools", *ARCHERS), "fight", f"finn shoots the rat p1 {text}")
    assert answer.said[1:] == ("finn: attack rat bow power=1 distance=9",)
    assert answer.stopped is not None
    assert answer.stopped.unused == "2 4"


def test_from_above_is_accepted_in_an_attack() -> None:
    answer = give_line(begin_fight("mam_pools", *ARCHERS), "fight", "finn shoots the rat p1 from above")
    assert answer.said[1:] == ("finn: attack rat bow power=1 from_above",)
    twice = error_for(begin_fight("mam_pools", *ARCHERS), "finn shoots the rat p1 from above from above")
    assert twice.endswith("From above is already given.")
    answer = give_line(begin_fight("mam_pools", *ARCHERS), "fight", "finn shoots the rat p1 from 9m")
    assert answer.said[1:] == ("finn: attack rat bow power=1 distance=9",)


def test_an_error_for_waiting_says_how_to_end_the_turn() -> None:
    text = "To do nothing this turn, type finn. (the name with a full stop), or n."
    assert error_for(begin_fight("mam_pools", *ARCHERS), "finn waits").endswith(text)


def test_an_error_after_fleeing_says_how_to_begin_the_next_turn() -> None:
    log = begin_fight("mam_pools", *ARCHERS, "finn goes 2m", "finn flees")
    assert error_for(log, "ready") == "Finn is out. Type n to begin the next turn."


@pytest.mark.parametrize("text", ["finn because he saw it", "finn begins because he saw it"])
def test_a_name_with_a_reason_decides_initiative(text: str) -> None:
    answer = give_line(begin_fight("mam_pools", *ARCHERS[:2]), "fight", f"init {text}")
    assert answer.said == ('initiative first=finn reason="he saw it"',)


def test_the_next_turn_can_declare_a_number_of_actions() -> None:
    log = begin_fight("ron_d6", *BRAWL, "mira takes 1 action", "mira punches kest v10 3 3 3 3", "r success")
    assert give_line(log, "fight", "n kest 2").said == ("mira: end-turn", "kest: declare 2")


def test_an_interruption_accepts_the_verb_of_its_action() -> None:
    log = begin_fight("ron_d6", *BRAWL, "mira takes 2 actions", "mira punches kest v10 3 3 3")
    # The line is understood, and the rules refuse it.
    assert error_for(log, "kest interrupts: punches mira v8 3 3 3").startswith("Kest has not waited")


@pytest.mark.parametrize("line", ["mira punches kest at 10 3 3 3 3", "mira punches kest 10 3 3 3 3"])
def test_in_ron_d6_a_number_after_at_is_not_a_distance(line: str) -> None:
    assert error_for(begin_fight("ron_d6", *BRAWL), line) == "dice: No die shows 10. If it is the difficulty, type v10."


def test_a_number_after_at_is_a_distance_and_not_a_die() -> None:
    answer = give_line(begin_fight("mam_pools", *ARCHERS), "fight", "finn shoots the rat p1 at 15 3 4")
    assert answer.said[1:] == ("finn: attack rat bow power=1 distance=15",)
    assert answer.stopped is not None
    assert answer.stopped.unused == "3 4"


def test_a_name_with_a_full_stop_ends_the_turn_of_that_combatant() -> None:
    log = begin_fight("mam_pools", *ARCHERS, "finn")
    assert give_line(log, "fight", "finn.").said == ("finn: end-turn",)
    assert give_line(log, "fight", "rat.").said == ("rat: begin-turn", "rat: end-turn")
    brawl = begin_fight("ron_d6", *BRAWL, "mira punches kest v10 3 3 3 3", "success he reels")
    assert give_line(brawl, "fight", "mira.").said == ("mira: end-turn",)


@pytest.mark.parametrize("word", ["success", "failure", "hits", "misses"])
def test_a_result_can_be_one_word(word: str) -> None:
    answer = give_line(begin_fight("ron_d6", *BRAWL, "mira punches kest v10 3 3 3 3"), "fight", word)
    assert answer.said[0].startswith("result ")
