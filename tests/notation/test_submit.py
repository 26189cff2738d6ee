"""Lines in a log: written completely or not at all, never past a possible reaction, and recognized by their id."""

from __future__ import annotations

import pytest

from mam_events.commands import (
    Defend,
    EndTurn,
    Resolve,
    name_of,
)
from mam_events.errors import Refused, VersionConflict
from mam_events.events import Play
from mam_events.notation.lexer.lexer import MAX_ORDERS
from tests.notation.tables import CLONE, MODRE, Table


def test_an_order_begins_the_next_turn_and_a_full_stop_ends_it(duel: Table) -> None:
    assert duel.orders("m 1.") == ["modre: begin-turn", "modre: move points=1", "modre: end-turn"]
    assert duel.log.at("fight").next_up == "clone"


def test_a_line_stops_before_a_possible_reaction_and_returns_the_unused_rest(duel: Table) -> None:
    answer = duel("a ice p4 m2 2 1; ready 1.")
    assert answer.said == ("modre: begin-turn", "modre: attack clone ice-blade power=4 modifier=2")
    assert answer.stopped is not None
    assert answer.stopped.may == {"clone": ("counterattack", "defend", "interfere", "parry", "tackle")}
    assert answer.stopped.unused == "2 1; ready 1."
    assert duel.orders("2 1") == ["resolve [2 1]"]


def test_a_line_stops_for_reactions_of_everybody_but_the_last_actor(three: Table) -> None:
    assert three("a clone p4 2").stopped is not None
    stopped = three("d 6 2 1").stopped
    assert stopped is not None
    assert set(stopped.may) == {"wolf"}


def test_a_line_does_not_stop_for_passing_orders(three: Table) -> None:
    three("a clone p4")
    assert three("d 6 2 1.", passing=("interfere", "tackle")).stopped is None


def test_an_error_in_the_last_order_writes_nothing_of_the_line(duel: Table) -> None:
    assert 'There is no "flub" here' in duel.error("a ice p4 m2; flub")
    assert (
        duel.error("a p4; d 99") == '"d 99": Clone needs 99 ready points and has 6. Nothing from this line was written.'
    )
    assert duel.log.at("fight").turn is None


def test_a_line_has_at_most_100_orders(duel: Table) -> None:
    too_many = "; ".join(['note "x"'] * (MAX_ORDERS + 1))
    for line in (too_many, f"after 1 {too_many}", f"{too_many} !"):
        assert duel.error(line) == "A line has at most 100 orders, not 101."
    assert len(duel("; ".join(['note "x"'] * MAX_ORDERS)).answers) == MAX_ORDERS
    assert MAX_ORDERS == 100


@pytest.mark.parametrize("line", ["zz ", "a clone ", "#1 ", "first=clone "])
def test_an_order_has_at_most_100_words(duel: Table, line: str) -> None:
    """Every word is compared with every name of the fight, while others wait."""
    assert duel.error(line * 300).startswith("An order has at most 100 words, not ")
    assert duel.error(line * 1500) == "An order has at most 1,000 words and signs."
    assert duel("note " + "(a) " * 400).answers
    assert duel.error("initiative first=" + "clone," * 200) == "first= can name at most 100 combatants."


@pytest.mark.parametrize("signs", ['“"', "«", '"', "{"])
def test_a_line_has_at_most_400_quotes(duel: Table, signs: str) -> None:
    """Every quote needs a search through the rest of the line."""
    assert duel.error(f"note é{signs * 401}") == "A line has at most 400 quotes and braces."


def test_undo_and_redo_apply_to_the_whole_line(duel: Table) -> None:
    before = duel.log.at("fight")
    duel("a ice p4 m2; d 6; 2 1.")
    assert duel.orders("u") == ["correct -#5 -#6 -#7 -#8 -#9"]
    assert duel.log.at("fight") == before
    assert duel.orders("redo") == ["correct +#10"]
    assert duel.log.at("fight").turn is None


def test_a_second_undo_applies_to_the_line_before(duel: Table) -> None:
    duel.after("a ice p4 m2", "d 6 2 1")
    assert duel.orders("u") == ["correct -#7 -#8"]
    assert duel.orders("u") == ["correct -#5 -#6"]


def test_a_repeated_line_gets_the_same_answer_and_writes_nothing(duel: Table) -> None:
    first = duel("a ice p4 m2; d 6", command_id="k")
    answer = duel("a ice p4 m2; d 6", command_id="k")
    assert (answer.said, [one.number for one in answer.answers]) == (first.said, [one.number for one in first.answers])
    assert all(one.repeated for one in answer.answers)
    assert "something else" in duel.error("a ice p3 m2 id=k")


@pytest.mark.parametrize(
    "line", ["a ice p4 m2 2 1; ready 1", "a ice p4; d 2; r; gm clone 99 damage>ready x; n", "m 1; n"]
)
def test_a_repeated_line_gets_the_same_stop(duel: Table, line: str) -> None:
    first = duel(line, command_id="k")
    duel('note "since then"')
    answer = duel(line, command_id="k")
    assert (answer.said, answer.stopped) == (first.said, first.stopped)
    assert duel.log.timeline("fight").number == 4 + len(first.said) + 1


def test_a_line_that_expects_another_newest_ruling_is_rejected(duel: Table) -> None:
    with pytest.raises(VersionConflict):
        duel("a p4 expect=3")
    assert duel.orders("a p4 expect=4 by=Ana")
    assert duel.log.timeline("fight").heads[-1].by == "Ana"


def test_an_error_after_a_drawn_die_stops_the_line_and_keeps_the_die() -> None:
    # Otherwise ten attempts at a defense would reveal the die before anybody has to decide.
    table = Table(MODRE, CLONE).after("initiative first=modre reason=so", "a clone p3 m3")
    answer = table('d 1; r; gm clone 99 damage>ready "x"; n')
    assert answer.said == ("clone: defend 1", "resolve")
    assert answer.stopped is not None
    assert answer.stopped.unused == 'gm clone 99 damage>ready "x"; n'
    assert "not 99" in answer.stopped.why
    # Without a drawn die nothing is written.
    assert "99" in table.error('note "x"; gm clone 99 damage>ready "x"')


def test_an_order_that_is_refused_after_a_drawn_die_writes_nothing(duel: Table) -> None:
    duel("a clone p3 m3")
    answer = duel("r; n a modre p99")
    assert answer.said == ("resolve",)
    assert answer.stopped is not None
    assert answer.stopped.unused == "n a modre p99"
    assert duel.log.at("fight").turn is not None
    assert duel.orders("u") == ["correct -#7"]


def test_only_the_last_order_of_a_batch_may_draw_a_die(duel: Table) -> None:
    duel("a clone p3 m3")
    with pytest.raises(Refused, match="Order 1 draws a die"):
        duel.log.execute_all("fight", [Resolve(6), EndTurn("modre")])
    assert duel.log.timeline("fight").number == 6
    assert duel.log.execute_all("fight", [Defend("clone", 6, 1), Resolve(6)])[-1].number == 8


def test_ids_that_look_like_ids_of_parts_are_ids_of_their_own(duel: Table) -> None:
    duel('note "q"', command_id="k.3")
    first = duel('note "a"; note "b"', command_id="k")
    answer = duel('note "a"; note "b"', command_id="k")
    assert [one.number for one in answer.answers] == [one.number for one in first.answers]
    for key in ("y", "y.2"):
        duel('gm modre 1 ready>other "p"', command_id=key)
    assert len(duel('gm modre 1 ready>other "p"', command_id="y").answers) == 1
    assert duel.orders("u") == ["correct -#9"]
    assert "sent with" in duel.error_with('note "x" id=a', command_id="b")


def test_a_dash_clears_the_id_and_the_author_of_a_line(duel: Table) -> None:
    assert duel('note "a" id=- by=-', by="Ana").answers[0].number == 5
    assert duel('note "b" id=-').answers[0].number == 6
    assert duel.log.timeline("fight").heads[4].by == ""


def test_digits_of_any_script_are_numbers(duel: Table) -> None:
    duel("a clone p٣ m૧")
    assert duel.orders("d ૨") == ["clone: defend 2"]
    assert duel.orders("૨,૧") == ["resolve [2 1]"]
    assert duel.orders("u ٨") == ["correct -#6 -#7 -#8"]


def test_any_line_may_set_its_visibility(duel: Table) -> None:
    for line in ("modre seen=gm", 'gm clone 1 ready>stun "oil" seen=gm', 'note "psst" seen=gm', "m 1 seen=gm"):
        (answer,) = duel(line).answers
        assert answer.head.visibility == "gm", line
    assert duel("after 5 drop-i ice seen=gm !").answers[0].head.visibility == "gm"


def test_lines_with_similar_ids_are_undone_one_at_a_time(duel: Table) -> None:
    duel("m 1", command_id="eve.1")
    duel("m 2", command_id="eve.2")
    assert duel.orders("u") == ["correct -#7"]


def test_the_answers_of_a_line_hold_its_commands(duel: Table) -> None:
    line_answer = duel("a ice p4 m2; d 6; 2 1.")
    heads = [answer.head for answer in line_answer.answers]
    assert [name_of(head.command) for head in heads if isinstance(head, Play)] == [
        "begin-turn", "attack", "defend", "resolve", "end-turn",
    ]  # fmt: skip
    assert isinstance(heads[2], Play)
    assert heads[2].command == Defend("clone", 6, 6)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("a clone p4 m1 4 5", "ready; a clone p4 m1 4 5"),
        ("n; a clone p4 m1", "n; ready; a clone p4 m1"),
        ("n a clone p4", "n ready; a clone p4"),
        ("evade; a clone p4", "ready; evade; a clone p4"),
    ],
)
def test_the_error_for_missing_ready_points_shows_what_to_type(duel: Table, line: str, mended: str) -> None:
    duel("a p2 m1; d 1; 6 6.")
    duel("n" if line.startswith("n") else "n; n")
    assert mended in duel.error(line)
    duel(mended)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("modre moves 3m", "3 more can become ready first. Type ready all; modre moves 3m."),
        ("grapple clone", "3 more can become ready first. Type ready all; grapple clone p1."),
    ],
)
def test_the_error_without_ready_points_shows_what_to_type(duel: Table, line: str, hint: str) -> None:
    duel.after("a p5 m1; d 1; 6 6.", "n; n")
    assert hint in duel.error(line)


def test_the_error_for_too_few_ready_points_for_a_distance_shows_what_to_type(duel: Table) -> None:
    duel.after("a p4; d 1; 6 6.", "n; n")
    assert "3 more can become ready first. Type ready; modre moves 4m." in duel.error("modre moves 4m")
    duel("ready; modre moves 4m")


def test_no_hint_to_ready_points_that_are_not_there(duel: Table) -> None:
    duel.after("a p2 m1; d 1; 6 6.", "n; n")
    assert "Only 3 more can become ready first (ready)." in duel.error("a clone p9")
    duel("ready 3")
    assert "ready first" not in duel.error("a clone p9")
    assert "ready first" not in duel.error("a clone p1; clone d 9")
