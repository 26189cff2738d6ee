"""Orders that need a confirmation: closing a fight too early, long rests, and new rounds."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Attack, BeginTurn, ChangeRules, Close, EndTurn, Initiative, Join, Open
from mam_events.errors import Refused
from mam_events.log.combat_log import CombatLog
from mam_events.notation.line_result import LineGiven, LineOptions
from mam_events.notation.submit import give_line
from mam_events.state import Turn

REVEALS = "Closing ends the fight and reveals the seed of its dice. End the line with ! to close it anyway."


def give(log: CombatLog, line: str, *, sure: bool = False, looks: bool = False) -> LineGiven:
    return give_line(log, "fight", line, LineOptions(sure=sure, looks=looks))


def refusal(log: CombatLog, line: str) -> str:
    before = log.timeline("fight").number
    with pytest.raises(Refused) as error:
        give(log, line)
    assert error.value.code == "needs_sure"
    assert log.timeline("fight").number == before
    return error.value.sentence


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Begin a fight of two in the log, and the turn of the first."""
    joins = (Join("ana", name="Ana", hp=6), Join("bo", name="Bo", hp=6))
    log.execute_all("fight", [Open(), *joins, Initiative(first="ana", reason="quick"), BeginTurn("ana")])
    return log


def test_close_warns_about_who_still_stands_and_what_is_revealed(log: CombatLog) -> None:
    assert refusal(log, "close") == f"Ana and Bo still stand and it is Ana's turn. {REVEALS}"
    number = log.execute("fight", Attack("ana", "bo", modifier=1)).number
    assert refusal(log, 'close "enough"') == (
        f"Ana and Bo still stand, it is Ana's turn and action {number} is open. {REVEALS}"
    )


def test_close_names_at_most_three_who_still_stand(log: CombatLog) -> None:
    log.execute("fight", EndTurn("ana"))
    for name in ("cy", "dan", "eve"):
        log.execute("fight", Join(name, name=name.title(), hp=6))
    assert refusal(log, "close") == f"Ana, Bo, Cy and 2 more still stand. {REVEALS}"


@pytest.mark.parametrize("line", ["close !", "close!", 'close "enough" !', 'close "enough"!'])
def test_close_can_be_confirmed_with_an_exclamation_mark(log: CombatLog, line: str) -> None:
    give(log, line)
    assert log.at("fight").status == "closed"


def test_close_can_be_confirmed_with_the_option_sure_and_undone(log: CombatLog) -> None:
    give(log, "close", sure=True)
    give(log, "u")
    assert refusal(log, "close").startswith("Ana and Bo")


def test_a_line_with_close_is_written_completely_or_not_at_all(log: CombatLog) -> None:
    assert refusal(log, "end-turn; close") == (
        f'"close": Ana and Bo still stand. {REVEALS} Nothing from this line was written.'
    )
    give(log, "end-turn; close !")
    assert log.at("fight").status == "closed"


def test_close_of_a_finished_fight_needs_no_confirmation(log: CombatLog) -> None:
    log.execute("fight", Adjust(condition={"ana": "incapacitated", "bo": "incapacitated"}, reason="it is over"))
    log.execute("fight", EndTurn("ana"))
    give(log, "close")
    assert log.at("fight").status == "closed"


def test_an_inserted_close_is_previewed_or_needs_confirmation(
    log: CombatLog,
) -> None:
    assert give(log, "after 4 close", looks=True).asks
    assert give(log, "after 4 close").asks
    assert refusal(log, "after 5 close").startswith("Ana and Bo still stand and it is Ana's turn.")
    give(log, "after 4 close !")
    assert log.at("fight").status == "closed"


def test_closing_through_the_log_needs_no_confirmation(log: CombatLog) -> None:
    assert log.execute("fight", Close()).state.status == "closed"


def test_a_week_of_rest_needs_confirmation_while_foes_fight(log: CombatLog) -> None:
    text = "Ana and Bo still fight. A rest takes a week. End the line with ! to rest anyway."
    assert refusal(log, "heal ana rest=7 [5 2]") == text
    assert refusal(log, "ana heal") == text
    assert log.at("fight").turn == Turn("ana")
    give(log, "ana heal 3 2 !")
    assert log.at("fight").turn == Turn("ana")


def test_a_rest_needs_no_confirmation_if_nobody_fights(log: CombatLog) -> None:
    log.execute("fight", Adjust("it fell", condition={"bo": "dead"}))
    give(log, "heal ana [3 2]")


@pytest.mark.parametrize(("reading", "asks"), [("scales_interval", False), ("cost_only", True)])
def test_a_rest_of_a_round_needs_no_confirmation(log: CombatLog, reading: str, *, asks: bool) -> None:
    log.execute("fight", ChangeRules({"regeneration_quality_effect": reading}, "a troll"))
    if asks:
        refusal(log, "heal ana quality=sudden [3 2]")
    else:
        give(log, "heal ana quality=sudden [3 2]")


def test_beginning_a_round_before_the_end_of_another_needs_confirmation() -> None:
    log = CombatLog.open("sqlite://")
    code = {"perception": "2D", "agility": "2D"}
    log.execute_all("fight", [Open("ron_d6"), *(Join(name, name=name.title(), code=code) for name in ("ana", "bo"))])
    give(log, "ro ana 3 5 bo 2 1")
    text = (
        "Ana and Bo still have to act in round 1, and this would end it. End the line with ! to end the round anyway."
    )
    assert refusal(log, "ro") == text
    assert refusal(log, "ro ana 1 2 bo 3 4") == text
    give(log, "ana 1")
    question = "It is Ana's turn. Ending it now loses 1 action. End the line with ! to end that turn anyway."
    assert refusal(log, "n 1") == question
    give(log, "n 1 !")
    assert refusal(log, "ro").startswith("Ana and Bo still have")
    give(log, "ro !")
    assert log.at("fight").round == 2


def test_a_warning_before_a_new_round_shows_how_to_roll_late_initiative() -> None:
    log = CombatLog.open("sqlite://")
    code = {"perception": "2D", "agility": "2D"}
    for command in (Open("ron_d6"), *(Join(name, name=name.title(), code=code) for name in ("ana", "bo", "cy"))):
        log.execute("fight", command)
    give(log, "ro ana 3 5 bo 2 1")
    text = "Ana and Bo still have to act in round 1, and this would end it. To roll only for Cy in it, type ri cy …."
    assert refusal(log, "ro ana 3 5 bo 2 1 cy 3 3").startswith(text)
    give(log, "ri cy 3 3")
    assert log.at("fight").round == 1


def test_waiting_with_the_last_action_needs_confirmation() -> None:
    """The wait would use up the action without allowing an interruption."""
    log = CombatLog.open("sqlite://")
    code = {"perception": "2D", "agility": "2D"}
    log.execute_all("fight", [Open("ron_d6"), *(Join(name, name=name.title(), code=code) for name in ("ana", "bo"))])
    give(log, "ro ana 3 5 bo 2 1")
    text = "Waiting takes an action, and Ana has only one left, so they could not interrupt later."
    give(log, "ana 1")
    assert refusal(log, "ana waits") == f"{text} End the line with ! to wait anyway."
    give(log, "ana waits !")
    give(log, "bo 2; waits")


def test_a_word_of_another_edition_in_a_closed_fight_is_refused_as_closed() -> None:
    log = CombatLog.open("sqlite://")
    log.execute_all("fight", [Open("ron_d6"), Close()])
    with pytest.raises(Refused, match="This encounter is closed"):
        give(log, "a ana")
