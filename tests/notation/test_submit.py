"""Lines given to a log: whole or not at all, never past somebody who may react, and known again by their id."""

from __future__ import annotations

import re
import string
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mam_events.commands import (
    COMMANDS,
    Attack,
    Close,
    Command,
    Counterattack,
    Defend,
    EndTurn,
    Incapacitate,
    Join,
    Open,
    Parry,
    Ready,
    Resolve,
    Result,
    Roll,
    actor_of,
    name_of,
)
from mam_events.errors import BadInput, MamError, Refused, VersionConflict
from mam_events.events import ArmorChecked, Correction, Head, Play, SuccessRolled
from mam_events.field_specs import field_specs
from mam_events.log.combat_log import CombatLog
from mam_events.notation.context import LineContext, TurnStart
from mam_events.notation.grammar.long_form import long_form
from mam_events.notation.grammar.vocabulary import ORDER_LETTERS, OWN_NUMBER, SYNONYMS
from mam_events.notation.lexer.lexer import MAX_ORDERS, orders_in
from mam_events.notation.line_result import LineGiven, LineOptions
from mam_events.notation.orders.open_references import resolve_open_references
from mam_events.notation.orders.resolver import resolve_order
from mam_events.notation.orders.short_form import expand_short_form
from mam_events.notation.submit import give_line
from mam_events.rules.ron_d6.consequences import with_followed_action, with_interruption
from mam_events.state import BODY, ArmorPiece, Encounter, Weapon, same_state
from tests.effort import FUZZ
from tests.fights.tables import BY, NO
from tests.fights.tables import Table as Random_

ICE = Weapon("ice-blade", "Ice Blade", power=3, attack=1, sharpness=-2, reach=Decimal(1))


class Table:
    """A fight to which lines are given."""

    def __init__(self, *joins: Join, preset: str = "mam_pools", rules: dict[str, str] | None = None) -> None:
        self.log = CombatLog.open("sqlite://")
        self.log.execute("fight", Open(preset=preset, house_rules=rules or {}))
        for join in joins:
            self.log.execute("fight", join)

    def __call__(self, line: str, **beside: object) -> LineGiven:
        return give_line(self.log, "fight", line, LineOptions(**beside))  # type: ignore[arg-type]  # each of its kind

    def said(self, line: str) -> list[str]:
        return list(self(line).said)

    def no(self, line: str) -> str:
        return self.no_with(line)

    def no_with(self, line: str, **beside: object) -> str:
        before = self.log.application.recorder.last_version("fight")
        with pytest.raises(MamError) as refused:
            self(line, **beside)
        assert self.log.application.recorder.last_version("fight") == before
        return refused.value.sentence


MODRE = Join("modre", name="Modre", side="heroes", hp=6, weapon=(ICE,))
CLONE = Join("clone", name="Clone", side="foes", hp=6)
WOLF = Join("wolf", name="Wolf", side="foes", hp=6)
MAILED = replace(CLONE, armor=(ArmorPiece("mail", cover=6, absorption=1),))


@pytest.fixture
def duel() -> Table:
    """Return a fight of Modre, who is next, and the Clone."""
    table = Table(MODRE, CLONE)
    table("initiative")
    return table


@pytest.fixture
def three() -> Table:
    """Return a fight of Modre, who is next, and the Clone with a wolf on its side."""
    table = Table(MODRE, CLONE, WOLF)
    table("initiative first=modre reason=so")
    return table


def test_an_order_of_whoever_is_next_begins_his_turn_and_a_full_stop_ends_it(duel: Table) -> None:
    assert duel.said("m 1.") == ["modre: begin-turn", "modre: move points=1", "modre: end-turn"]
    assert duel.log.at("fight").next_up == "clone"


def test_a_line_stops_where_somebody_may_react_and_tells_what_was_not_used(duel: Table) -> None:
    given = duel("a ice p4 m2 2 1; ready 1.")
    assert given.said == ("modre: begin-turn", "modre: attack clone ice-blade power=4 modifier=2")
    assert given.stopped is not None
    assert given.stopped.may == {"clone": ("counterattack", "defend", "interfere", "parry", "tackle")}
    assert given.stopped.unused == "2 1; ready 1."
    assert duel.said("2 1") == ["resolve [2 1]"]


def test_whoever_spoke_last_is_not_asked_again_but_all_others_are(three: Table) -> None:
    assert three("a clone p4 2").stopped is not None
    stopped = three("d 6 2 1").stopped
    assert stopped is not None
    assert set(stopped.may) == {"wolf"}


def test_a_table_where_nobody_interferes_is_not_stopped_for_that(three: Table) -> None:
    three("a clone p4")
    assert three("d 6 2 1.", passing=("interfere", "tackle")).stopped is None


def test_what_is_wrong_in_the_last_order_leaves_nothing_of_the_first(duel: Table) -> None:
    assert 'There is no "flub" here' in duel.no("a ice p4 m2; flub")
    assert duel.no("a p4; d 99") == '"d 99": Clone needs 99 ready points and has 6. Nothing from this line was written.'
    assert duel.log.at("fight").turn is None


def test_a_line_has_as_many_orders_as_a_list(duel: Table) -> None:
    too_many = "; ".join(['note "x"'] * (MAX_ORDERS + 1))
    for line in (too_many, f"after 1 {too_many}", f"{too_many} !"):
        assert duel.no(line) == "A line has at most 100 orders, not 101."
    assert len(duel("; ".join(['note "x"'] * MAX_ORDERS)).answers) == MAX_ORDERS
    assert MAX_ORDERS == 100


@pytest.mark.parametrize("line", ["zz ", "a clone ", "#1 ", "first=clone "])
def test_an_order_has_no_more_words_than_people_type(duel: Table, line: str) -> None:
    """Each is compared with every name of the fight, while others wait."""
    assert duel.no(line * 300).startswith("An order has at most 100 words, not ")
    assert duel.no(line * 1500) == "An order has at most 1,000 words and signs."
    assert duel("note " + "(a) " * 400).answers
    assert duel.no("initiative first=" + "clone," * 200) == "first names at most 100."


@pytest.mark.parametrize("signs", ['“"', "«", '"', "{"])
def test_a_line_has_no_more_quotes_than_its_texts_take(duel: Table, signs: str) -> None:
    """For each the rest of the line is looked through."""
    assert duel.no(f"note é{signs * 401}") == "A line has at most 400 quotes and braces."


def test_all_of_a_line_is_taken_back_at_once_and_comes_back(duel: Table) -> None:
    before = duel.log.at("fight")
    duel("a ice p4 m2; d 6; 2 1.")
    assert duel.said("u") == ["correct -#5 -#6 -#7 -#8 -#9"]
    assert duel.log.at("fight") == before
    assert duel.said("redo") == ["correct +#10"]
    assert duel.log.at("fight").turn is None


def test_an_undo_after_an_undo_goes_on_with_the_line_before(duel: Table) -> None:
    duel("a ice p4 m2")
    duel("d 6 2 1")
    assert duel.said("u") == ["correct -#7 -#8"]
    assert duel.said("u") == ["correct -#5 -#6"]


def test_a_line_sent_again_is_answered_and_nothing_is_written(duel: Table) -> None:
    first = duel("a ice p4 m2; d 6", command_id="k")
    again = duel("a ice p4 m2; d 6", command_id="k")
    assert (again.said, [one.number for one in again.answers]) == (first.said, [one.number for one in first.answers])
    assert all(one.repeated for one in again.answers)
    assert "something else" in duel.no("a ice p3 m2 id=k")


@pytest.mark.parametrize(
    "line", ["a ice p4 m2 2 1; ready 1", "a ice p4; d 2; r; gm clone 99 damage>ready x; n", "m 1; n"]
)
def test_a_line_sent_again_tells_where_it_stopped(duel: Table, line: str) -> None:
    first = duel(line, command_id="k")
    duel('note "since then"')
    again = duel(line, command_id="k")
    assert (again.said, again.stopped) == (first.said, first.stopped)
    assert duel.log.timeline("fight").number == 4 + len(first.said) + 1


def test_a_line_that_expects_another_ruling_is_not_written(duel: Table) -> None:
    with pytest.raises(VersionConflict):
        duel("a p4 expect=3")
    assert duel.said("a p4 expect=4 by=Ana")
    assert duel.log.timeline("fight").heads[-1].by == "Ana"


def test_initiative_takes_faces_behind_names_and_a_table_that_throws_is_told_so() -> None:
    table = Table(*(Join(name, hp=5) for name in ("ann", "bob")), preset="mam_speed")
    assert "the name, at the end of the line: … ann 3" in table.no_with("init", draws=False)
    assert "Whose die is 15? These throw: ann, bob. Put the names before the faces: ann …" in table.no("init 15")
    assert "One die is thrown for ann" in table.no("init ann 15 16 bob 9")
    assert "Say what it is: surprise=ann" in table.no("init ann")
    assert table.said("init ann 15 bob 9") == ["initiative [ann=15 bob=9]"]


def test_the_sign_that_a_correction_is_meant_is_no_part_of_an_open_text(duel: Table) -> None:
    duel("m 2.")
    duel("n")
    assert duel.said('u 6 only "so he said!') == ['correct -#6 "so he said"']
    assert duel.said('note "he falls!') == ['note "he falls!"']


def test_nobody_to_attack_is_told(duel: Table) -> None:
    duel('gm clone dead "x"')
    assert "Modre has no foe here who is up" in duel.no("a p1")


def test_an_amendment_says_only_what_is_said_anew() -> None:
    table = Table(
        Join(
            "dov", hp=9, weapon=(Weapon("lance", "Lance", power=3), Weapon("dirk")), ability={"riding": 5, "stealth": 2}
        )
    )
    table("amend 2 w=(lance pow=4) !")
    table("amend 2 abi.riding=6 w=(axe pow=2) !")
    joined = table.log.timeline("fight").command(2)
    assert isinstance(joined, Join)
    assert joined.weapon == (Weapon("lance", "Lance", power=4), Weapon("dirk"), Weapon("axe", power=2))
    assert joined.ability == {"riding": 6, "stealth": 2}


TWICE = (
    "change-rules house_rules=- house_rules.half_success=never reason=x",
    "join x4 hp=3 weapon=- weapon=(axe)",
    "join x4 hp=3 weapon=(axe) weapon=-",
    'modre check "x" v10 situation=- situation="+1 y" 3',
    "gm reason=a reason=b clone dead",
    'gm clone dead condition.clone=able "x"',
    "a clone p1 p1",
    "modre: attack clone ice-blade power=1 power=1",
)


@pytest.mark.parametrize("line", TWICE)
def test_what_is_said_twice_is_answered_in_every_register(three: Table, line: str) -> None:
    assert "is given twice" in three.no(line)


@pytest.mark.parametrize("line", ["n redo", "n u", "n after 3 m 1", "after 3 after 4 n", "after 3 u", "n amend 4 p1"])
def test_a_word_of_the_log_behind_another_is_told_where_it_stands(three: Table, line: str) -> None:
    assert re.search(r"on a line of its own|can.t be inserted", three.no(line))


def test_a_pool_that_two_names_begin_with_is_asked_for(three: Table) -> None:
    assert "defense or damage. Which" in three.no('gm clone 1 d>ready "x"')


def test_a_refusal_behind_a_drawn_die_tells_nothing_that_could_be_taken_back() -> None:
    # With ten tries at another defense one could else find the die before anybody has to decide.
    table = Table(MODRE, CLONE)
    table("initiative first=modre reason=so")
    table("a clone p3 m3")
    given = table('d 1; r; gm clone 99 damage>ready "x"; n')
    assert given.said == ("clone: defend 1", "resolve")
    assert given.stopped is not None
    assert given.stopped.unused == 'gm clone 99 damage>ready "x"; n'
    assert "not 99" in given.stopped.why
    # Without a drawn die nothing of it is left.
    assert "99" in table.no('note "x"; gm clone 99 damage>ready "x"')


def test_what_is_refused_behind_a_drawn_die_leaves_nothing_of_itself(duel: Table) -> None:
    duel("a clone p3 m3")
    given = duel("r; n a modre p99")
    assert given.said == ("resolve",)
    assert given.stopped is not None
    assert given.stopped.unused == "n a modre p99"
    assert duel.log.at("fight").turn is not None
    assert duel.said("u") == ["correct -#7"]


def test_second_throws_are_given_behind_first_ones_that_are_known() -> None:
    # An answer to a guess would tell what the first dice show, and take them back.
    table = Table(
        *(Join(name, code={"perception": "1D"}) for name in ("ash", "elm")),
        preset="ron_d6",
        rules={"rd6_unbroken_tie": "reroll_tied"},
    )
    table("round")
    for face in range(1, 6):
        told = table.no(f"roll-initiative ash,elm [elm={face} again.elm=3]")
        assert "known only when the dice of ash have fallen" in told
    assert table.said("roll-initiative ash,elm [ash=2 elm=2 again.ash=1 again.elm=3]")


def test_orders_sent_as_one_draw_a_die_in_the_last_of_them_at_most(duel: Table) -> None:
    duel("a clone p3 m3")
    with pytest.raises(Refused, match="Order 1 draws a die"):
        duel.log.execute_all("fight", [Resolve(6), EndTurn("modre")])
    assert duel.log.timeline("fight").number == 6
    assert duel.log.execute_all("fight", [Defend("clone", 6, 1), Resolve(6)])[-1].number == 8


def test_ids_that_look_like_parts_of_a_line_are_not_taken_for_them(duel: Table) -> None:
    duel('note "q"', command_id="k.3")
    first = duel('note "a"; note "b"', command_id="k")
    again = duel('note "a"; note "b"', command_id="k")
    assert [one.number for one in again.answers] == [one.number for one in first.answers]
    for key in ("y", "y.2"):
        duel('gm modre 1 ready>other "p"', command_id=key)
    assert len(duel('gm modre 1 ready>other "p"', command_id="y").answers) == 1
    assert duel.said("u") == ["correct -#9"]
    assert "sent with" in duel.no_with('note "x" id=a', command_id="b")


def test_a_dash_says_nothing_also_of_the_line(duel: Table) -> None:
    assert duel('note "a" id=- by=-', by="Ana").answers[0].number == 5
    assert duel('note "b" id=-').answers[0].number == 6
    assert duel.log.timeline("fight").heads[4].by == ""


def test_digits_of_any_script_are_numbers_everywhere(duel: Table) -> None:
    duel("a clone p٣ m૧")
    assert duel.said("d ૨") == ["clone: defend 2"]
    assert duel.said("૨,૧") == ["resolve [2 1]"]
    assert duel.said("u ٨") == ["correct -#6 -#7 -#8"]


@pytest.mark.parametrize("line", ["correct ~#999=(power=1)", "correct ~#0=(a=1)", "correct ~#5=(text=x)"])
def test_only_a_play_can_be_said_anew(duel: Table, line: str) -> None:
    duel('note "a"')
    assert re.search(r"There is no ruling|[nN]ote", duel.no(line))


def test_an_amendment_says_who_may_see_a_ruling_as_any_line_does(duel: Table) -> None:
    duel("m 1")
    assert duel.said("amend 6 seen=gm") == ["correct ~#6=(visibility=gm)"]


def test_a_correction_that_changes_more_is_shown_first(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    asked = duel("amend 6 p3")
    assert asked.asks is not None
    assert not asked.answers
    assert duel.said("amend 6 p3 !") == ["correct ~#6=(power=3)"]
    assert duel.log.timeline("fight").command(6).power == 3  # type: ignore[attr-defined]  # an attack


def test_a_correction_does_exactly_what_was_shown_or_nothing(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    shown = duel("amend 6 p3").asks
    assert shown is not None
    duel("n")
    with pytest.raises(VersionConflict):
        duel(f"amend 6 p3 expect={shown.expect}")


def test_the_long_lines_of_corrections_do_the_same() -> None:
    first, second = (Table(MODRE, CLONE) for _ in range(2))
    for line in ("initiative", "a ice p4 m2; d 6; 2 1."):
        assert second.said(line) == first.said(line)
    for line, long in {
        'amend 8 5 "read wrong" !': 'correct ~#8=(attack_die=5) "read wrong"',
        "u 6 !": "correct -#6 -#7 -#8",
        "redo !": "correct +#11",
        "after 5 drop-i ice !": "after #5: modre: drop-item ice-blade",
        'note #3 "so it was': 'note "so it was" about=#3',
    }.items():
        assert first.said(line) == [long]
        assert second.said(long if long.startswith("note") else f"{long} !") == [long]
    told = [[but_for_the_row(head) for head in table.log.timeline("fight").heads[1:]] for table in (first, second)]
    assert told[0] == told[1]
    assert [head.reason for head in told[1] if isinstance(head, Correction)] == ["read wrong", "", ""]
    assert second.log.at("fight").combatants == first.log.at("fight").combatants


STRICT = {
    "amend 8 5 strict !": "correct strict ~#8=(attack_die=5)",
    'u 6 strict "so" !': 'correct strict -#6 -#7 -#8 "so"',
    "redo 11 strict !": "correct strict +#11",
    "correct ~#8=(attack_die=4) Strict !": "correct strict ~#8=(attack_die=4)",
    "u strict !": "correct strict +#13",
    "after 5 strict drop-i ice !": "after #5 strict: modre: drop-item ice-blade",
    "after 5 strict modre: check v10 3 !": "after #5 strict: modre: check difficulty=10 [3]",
}
"""Lines that are strict in the short form, and in the long one."""


def test_the_word_strict_reads_back_in_the_long_form() -> None:
    first, second = (Table(MODRE, CLONE) for _ in range(2))
    for line in ("initiative", "a ice p4 m2; d 6; 2 1."):
        assert second.said(line) == first.said(line)
    for short, long in STRICT.items():
        assert first(short, command_id=short).said == (long,)
        assert first(short, command_id=short).said == (long,), "asked for again, it is answered in the same words"
        assert second.said(f"{long} !") == [long]
    told = [[but_for_the_row(head) for head in table.log.timeline("fight").heads[1:]] for table in (first, second)]
    assert told[0] == told[1]
    assert {head.turns for head in told[0][9:] if isinstance(head, Correction | Play)} == {"strict"}


def test_who_says_nothing_of_turns_keeps_them_as_they_were_played(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    for line in ("amend 8 5 !", "u 6 !", "redo !", "correct ~#8=(attack_die=4) !", "after 5 drop-i ice !"):
        assert "strict" not in duel(line, looks=True).said[0]
        head = duel(line).answers[0].head
        assert isinstance(head, Correction | Play)
        assert head.turns == "as_played", line


def test_somebody_who_is_called_strict_is_named_behind_the_colon_of_the_number() -> None:
    table = Table(MODRE, Join("strict", name="Strict", side="foes", hp=6))
    table("initiative first=strict reason=so; strict")
    for line, turns in (("after #5: strict: move points=1", "as_played"), ("after 5 strict strict m 1", "strict")):
        head = table(f"{line} !").answers[0].head
        assert isinstance(head, Play)
        assert (actor_of(head.command), head.turns) == ("strict", turns)


def but_for_the_row(head: Head) -> Head:
    """Return a head without what differs in another log."""
    hides = {"blinding": ""} if isinstance(head, Play | Correction) else {}
    return replace(head, seal="", at="", id="", body="", **hides)


def test_an_order_is_inserted_behind_a_ruling(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    told = duel("after 5 drop-i ice !")
    assert told.said == ("after #5: modre: drop-item ice-blade",)
    assert isinstance(told.answers[0].head, Play)
    assert told.answers[0].head.after == 5


def test_the_game_masters_word_in_short(duel: Table) -> None:
    said = duel.said('gm clone 2 rea>stun "the roof comes down"')
    assert said == ['adjust "the roof comes down" move=(clone ready stun 2)']
    assert duel.said('gm clone out "he flees"') == ['adjust "he flees" condition=(clone=out)']


def test_whoever_may_see_an_order_is_said_of_any_line(duel: Table) -> None:
    for line in ("modre seen=gm", 'gm clone 1 ready>stun "oil" seen=gm', 'note "psst" seen=gm', "m 1 seen=gm"):
        (answer,) = duel(line).answers
        assert answer.head.visibility == "gm", line
    assert duel("after 5 drop-i ice seen=gm !").answers[0].head.visibility == "gm"


def test_a_small_name_joins_as_a_capital_one(duel: Table) -> None:
    assert duel.said("join grob foes npc hp=5") == ["join grob - foes npc hp=5"]
    assert duel.said("join Grub foes npc hp=5") == ['join grub "Grub" foes npc hp=5']
    assert duel.said('join grab "grab" foes npc hp=5') == ['join grab "grab" foes npc hp=5']


def test_a_face_behind_a_long_line_is_no_weapon(duel: Table) -> None:
    given = duel("modre: attack clone power=1 3")
    assert given.said[-1] == "modre: attack clone ice-blade power=1"
    assert given.stopped


def test_a_look_at_a_correction_writes_nothing(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    before = duel.log.application.recorder.last_version("fight")
    for line in ("u", "u 7 !", "amend 6 p2", "after 5 drop-i ice"):
        assert duel(line, looks=True).asks is not None, line
    with pytest.raises(BadInput, match="Only a correction"):
        duel("m 1", looks=True)
    assert duel.log.application.recorder.last_version("fight") == before


def test_oneself_and_the_dead_are_meant_in_full_only(three: Table) -> None:
    three('gm wolf dead "so"')
    assert '"w" means nothing here' in three.no("a w p1")
    assert '"m" means nothing here' in three.no("a m p1")


def test_a_field_is_said_to_be_nothing_by_a_dash(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    assert duel.said("correct ~#8=(attack_die=-) !") == ["correct ~#8=(attack_die=-)"]


def test_two_lines_whose_ids_are_alike_are_two_lines(duel: Table) -> None:
    duel("m 1", command_id="eve.1")
    duel("m 2", command_id="eve.2")
    assert duel.said("u") == ["correct -#7"]


def test_no_die_is_drawn_for_an_insert_at_a_table_that_throws_its_own(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    with pytest.raises(BadInput, match="is thrown at the table"):
        duel("after 5 modre check v10 !", draws=False)


UNCLEAR = {
    "a": "Whom: attack clone or attack wolf?",
    "st": '"st" could be stand or stay-mounted. Which',
    "attak clone": 'There is no "attak" here. Did you mean "attack"?',
    "modre attak clone": 'There is no order "attak". Did you mean "attack"?',
    "a clone ice p4 xyz": '"xyz" means nothing here',
    "d 3": "No attack or other action is open, so there is nothing to defend.",
    "w": '"w" means wait, which this edition does not have.',
    "a clone p4 p3": "power is given twice",
    "a clone 3d": '"3d" means nothing here',
    "ready from=3": 'There is no "from" here',
    "n 2": "declared in this edition",
    "initiative clone": "Say what it is: surprise=clone, circumstance=clone, first=clone or same_seat=clone.",
    "undo 99": "There is no ruling 99: the newest is 5.",
    "note": "The text is missing",
    "amend 3": "What changes in 3?",
    "ready 3; u": "a correction on a line of its own",
    ".": "No turn is running, so a full stop ends none. Type n to begin Modre's.",
    "": "There is no order in this line",
    "{only a remark}": "There is no order in this line",
    "=": 'There is no "=" here',
    "!": "There is no order in this line",
    "by=Ana": "There is no order in this line",
    "a clone power.x=3": "power has no",
    'gm "oil" reason.clone=3': "reason has no",
    "[3 2 #8=4 #8=1]": "The die #8 is given twice",
    "gm clone 999999999999 rea>stun": "at most 9 digits",
    "n 1234567890": "at most 9 digits",
    "seen=gm": "There is no order in this line",
    "after 3 seen=gm": "There is no order in this line",
    'after 3 note "x"': "note can't be inserted",
    "m 1 expect=2O": "be the newest ruling, or VERSION:DIGEST",
    "m 1 expect=5:abcd": "Only a correction or an insert has a preview",
    'gm clone 3 "healed"': "What happens to 3 points of Clone?",
    'gm clone "x"': "What happens to Clone?",
    'gm clone out "a" "b"': "reason is given twice",
    "gm clone dead able": "condition.clone is given twice",
    "amend 2 hp=-7": "hp must be a whole number of 1 or more, not -7",
    "correct ~#2=(hp=1.5)": "hp must be a whole number or nothing, not text",
    "join x1 hp=3 hp=4": "hp is given twice",
    'note "x" seen=gm seen=public': "seen is given twice",
    "undoo": 'Did you mean "undo"',
}
"""Lines that cannot be given, and what is said to them."""


@pytest.mark.parametrize("line", UNCLEAR)
def test_an_unclear_line_is_answered_and_nothing_is_written(three: Table, line: str) -> None:
    assert UNCLEAR[line] in three.no(line)


def test_two_weapons_in_hand_are_asked_for() -> None:
    table = Table(Join("ann", side="a", hp=6, weapon=(Weapon("sabre"), Weapon("dagger"))), CLONE)
    table("initiative first=ann reason=so")
    table("ann")
    assert table.no("a clone") == "With the sabre or the dagger?"
    assert table.said("a dag p1") == ["ann: attack clone dagger power=1"]


def test_points_that_two_pools_could_give_are_asked_for(duel: Table) -> None:
    duel("a p1 m1; d 1; 6 6.")
    duel("n")
    duel("n")
    assert (
        duel.no("ready 1")
        == "1 point can become ready from defense or other used. Which: ready o (o1) or ready d (d1)?"
    )
    # No question where nothing could answer it.
    assert duel.no("ready 3") == "Other used has 1 point to give, not 2."
    assert duel.said("ready 2") == ["modre: ready defense=1 other_used=1"]
    assert duel.no("ready 2") == "Modre can make no more points ready this turn: the second phase is over."
    duel("n")
    assert duel.no("modre ready 1").startswith("Modre cannot do this now: it is Clone's turn.")


def test_a_question_about_points_offers_only_what_can_be_given(duel: Table) -> None:
    duel("a p2 m1; d 1; 6 6.")
    duel("n; n")
    assert (
        duel.no("ready 2")
        == "2 points can become ready from defense or other used. Which: ready o (o2) or ready d (d1 o1)?"
    )
    assert "Say how many from each" in duel.no("ready o d1")
    for line, long in (("ready all", "defense=1 other_used=2"), ("ready o", "other_used=2"), ("ready d", "defense=1")):
        assert duel.said(line) == [f"modre: ready {long}"]
        duel("u")
    for line in ("ready 2 o", "ready other 2"):
        assert duel.said(line) == ["modre: ready other_used=2"]
        duel("u")
    assert duel.said("ready 2 d; e") == ["modre: ready defense=1 other_used=1", "modre: end-turn"]
    duel("u")
    assert duel.said("ready 3") == ["modre: ready defense=1 other_used=2"]


def test_whoever_has_all_in_hand_is_not_told_to_take_it() -> None:
    table = Table(MODRE, CLONE, preset="mam_d20")
    table("initiative first=modre reason=so")
    assert table.no("ready") == "ready-weapon: Modre already has every weapon in hand that they can take."


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("init first=clone because Clone knew it", 'initiative first=clone reason="Clone knew it"'),
        ('init first=clone because "he knew" by=Ana', 'initiative first=clone reason="he knew"'),
        ("initiative first=clone because of me.", 'initiative first=clone reason="because of me."'),
        ("gm clone dead because he slept seen=gm", 'adjust "he slept" condition=(clone=dead) seen=gm'),
        ("gm clone 3 ready>dam because he slept", 'adjust "he slept" move=(clone ready damage 3)'),
        ("damage clone 3 because of the trap", 'adjust "because of the trap" move=(clone ready damage 3)'),
        ("close because it is late !", 'close "it is late"'),
        ("close the foes are beaten !", 'close "the foes are beaten"'),
        ("close !", "close"),
        ("u because it was wrong", 'correct -#3 "it was wrong"'),
        ("u 3 because it was wrong !", 'correct -#3 "it was wrong"'),
        ("amend 3 hp=4 because it was misread !", 'correct ~#3=(hp=4) "it was misread"'),
        ("note he fell because he slept", 'note "he fell because he slept"'),
    ],
)
def test_a_reason_goes_without_quotes_after_because(line: str, long: str) -> None:
    table = Table(MODRE, CLONE)
    assert table.said(line) == [long]


@pytest.mark.parametrize(
    "line",
    ["init first=clone he knew", "u slept", "amend 3 hp=4 he erred"],
)
def test_a_reason_without_quotes_is_told_how_it_is_said(line: str) -> None:
    assert "reason after because:" in Table(MODRE, CLONE).no(line)


def test_nothing_after_because_is_no_reason() -> None:
    assert Table(MODRE, CLONE).no("u because") == "The reason after because is missing."


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("init surprise=mr. x", "initiative surprise=mr-x"),
        ("init sur=Mr. X,the bone man", "initiative surprise=mr-x,bone"),
        ("init surprise=bone man", "initiative surprise=bone"),
        ("init first=mr. x because he knew", 'initiative first=mr-x reason="he knew"'),
        ("init first=the bone man reason=so", "initiative first=bone reason=so"),
    ],
)
def test_a_name_of_several_words_stands_after_a_field_that_takes_people(line: str, long: str) -> None:
    table = Table(Join("mr-x", name="Mr. X", hp=6), Join("bone", name="The Bone Man", hp=6), CLONE)
    assert table.said(line) == [long]


@pytest.mark.parametrize("do", ["surprise", "stalk mr-x"])
def test_whoever_stalks_where_nobody_does_is_told_how_surprise_is_said(duel: Table, do: str) -> None:
    assert "init surprise=NAME" in duel.no(do)
    assert "surprise=" not in Table(preset="ron_d6").no(do)


@pytest.mark.parametrize(
    "line",
    [
        "join Bo hp=6 armor=(mail coat cover=4 absorption=2)",
        "join bo b hp=6 armor=(mail coat cover=4 absorption=2)",
        "join Bo hp=6 w=(long sword pow=2)",
        "amend 3 armor=(mail coat absorption=3)",
    ],
)
def test_a_thing_with_a_name_of_two_words_is_told_how_it_is_said(duel: Table, line: str) -> None:
    name = "long sword" if "sword" in line else "mail coat"
    assert f'Put a name of several words in quotes: ("{name}" …).' in duel.no(line)
    assert duel.said('join Bo b hp=6 armor=("mail coat" cover=4 absorption=2)') == [
        'join bo "Bo" b npc hp=6 armor=(mail-coat "mail coat" cover=4 absorption=2)'
    ]


def test_faces_are_dealt_to_attack_defense_interference_and_armor_and_none_is_left_over() -> None:
    table = Table(MODRE, MAILED, WOLF, rules={"armour_roll_source": "separate_die"})
    table("initiative first=modre reason=so")
    table("a clone p1; d 1; wolf i 1")
    dealt = "2 is the attack, 1 is the defense, 4 is the interference #9, 6 is Clone's armor"
    assert table.no("2 1 4 6 5") == f"dice: {dealt}. 5 is one die too many."
    assert table.said("2 1 4 6") == ["resolve [2 1 #9=4 armor.clone=6]"]


def test_armor_takes_the_defense_die_also_where_the_hit_was_stopped_and_is_given() -> None:
    table = Table(MODRE, MAILED, WOLF)
    table("initiative first=modre reason=so")
    table("a clone p1; wolf i 1")
    assert "No armor takes a die of its own here" in table.no("resolve outcome=half [1 - #8=6 armor.clone=1]")
    (answer,) = table("resolve outcome=half [1 2 #8=6]").answers
    assert [(event.face, event.die) for event in answer.events if isinstance(event, ArmorChecked)] == [(2, None)]


def test_a_table_that_throws_its_dice_is_never_drawn_for(duel: Table) -> None:
    duel("a ice p4 m2; d 6")
    with pytest.raises(BadInput, match=r"is thrown at the table\. Type its face"):
        duel("r", draws=False)
    assert duel("2 1", draws=False).said == ("resolve [2 1]",)


def test_capitals_do_not_count_and_a_third_person_is_the_same_order(duel: Table) -> None:
    assert duel.said("Modre attacks CLONE p1")[-1] == "modre: attack clone ice-blade power=1"


def test_somebody_who_is_meant_for_sure_wears_an_at_sign() -> None:
    table = Table(Join("15", side="a", hp=6), CLONE)
    table("initiative first=clone reason=so")
    assert table.said("a @15 p1")[-1] == "clone: attack 15 body power=1"


def test_letters_stay_reserved_and_each_stands_for_fields_and_orders_that_there_are() -> None:
    assert {do for orders in SYNONYMS.values() for do in orders} <= set(COMMANDS)
    fields = {name for kind in COMMANDS.values() for name in field_specs(kind)}
    assert {name for names in ORDER_LETTERS.values() for name in names} <= fields
    for do, names in OWN_NUMBER.items():
        assert set(names) <= set(field_specs(COMMANDS[do]))


class Typist(Random_):
    """Somebody who types every order as its long line."""

    typed = 0

    def order(self, command: Command, **how: Any) -> None:
        if how or isinstance(command, Open):
            super().order(command, **how)
            return
        by = self.random.choice(BY)
        state = self.log.at(self.encounter)
        line = long_form(command, state.open_exchange)
        try:
            told = give_line(self.log, self.encounter, line, LineOptions(by=by, sure=True))
        except NO:
            return
        self.typed += 1
        assert told.said == (line,)
        (answer,) = told.answers
        assert isinstance(answer.head, Play)
        expected = replace(filled_in(command, state), **seed_of(answer.head.command))
        assert (answer.head.command, answer.head.by) == (expected, by)


def filled_in(command: Command, state: Encounter) -> Command:
    """Return the command with the action or interruption that it refers to, which nobody types."""
    if isinstance(command, Incapacitate):
        return with_followed_action(state, command)
    if isinstance(command, Roll):
        return with_followed_action(state, command)
    return with_interruption(state, command) if isinstance(command, Result) else command


def seed_of(command: Command) -> dict[str, str]:
    """Return the seed in a closing, which nobody types."""
    return {"seed": command.seed} if isinstance(command, Close) else {}


@given(st.integers(0, 2**32))
def test_every_order_of_a_random_fight_can_be_typed_as_its_long_line(seed: int) -> None:
    plain, typist = Random_(Random(seed), secrets=False), Typist(Random(seed), secrets=False)
    for _ in range(40):
        plain.step()
        typist.step()
    assert same_state(typist.log.at("fight"), plain.log.at("fight"))


class Abbreviator(Random_):
    """Somebody who types as little as he thinks will do."""

    typed = understood = 0

    def is_more_in_short(self, command: Command) -> bool:
        """Return True if a short line would add something to the command.

        It adds the points to a `Ready` without points, and the related skill that waits to an action without one.
        """
        if command == Ready(actor_of(command)):
            return True
        alone = getattr(command, "related", None) == ()
        return alone and bool(self.log.at(self.encounter).combatants[actor_of(command)].actions.related)

    def order(self, command: Command, **how: Any) -> None:
        if not how and not isinstance(command, Open) and not self.is_more_in_short(command):
            self.abbreviate(command)
        super().order(command, **how)

    def abbreviate(self, command: Command) -> None:
        """Read a short line of that order; it is that order, or a question, and never another one."""
        state = self.log.at(self.encounter)
        fight = LineContext(state, self.log.rules.in_force(state.ruleset))  # type: ignore[arg-type]  # it is open
        if isinstance(command, Attack | Parry | Counterattack) and self.random.random() < 0.3:
            command = replace(command, weapon="")
        line = short(long_form(command, state.open_exchange), self.random)
        do = name_of(type(command))
        if any(fight.verbs.get(word, (do,))[0] != do for word in line.split()):
            return  # cut to the whole word of another order: "throw-die" to the "throw" of a wrestler
        written = orders_in(line)[0]
        self.typed += 1
        try:
            said = resolve_order(fight, written)
            assert not isinstance(said, TurnStart)
            order, left = expand_short_form(fight, said)
            read = resolve_open_references(order.command, order.left_out, state)
        except NO:
            return
        assert not left, line
        self.understood += 1
        assert read == replace(command, **from_hand(command, state)), line


def from_hand(command: Command, state: Encounter) -> dict[str, str]:
    """Return the weapon that an order leaves out: the only thing in hand, or the body."""
    if not isinstance(command, Attack | Parry | Counterattack) or command.weapon:
        return {}
    held = [one.id for one in state.combatants[actor_of(command)].in_hand if one.id != BODY]
    assert len(held) < 2, "two weapons were a question"
    return {"weapon": held[0] if held else BODY}


def short(line: str, random: Random) -> str:
    """Shorten a long line: drop its colon, its dashes and the ends of some words.

    The words of a join stay whole, and so do those of a line with quotes.
    """
    who, colon, rest = line.partition(": ")
    words = (f"{who} {rest}" if colon else line).split(" ")
    whole = '"' in line or line.startswith("join ")
    return " ".join(
        word[: random.randint(2, len(word))]
        if re.fullmatch("[a-z-]{3,}", word) and random.random() < 0.3 and not whole
        else word
        for word in words
        if word != "-"
    )


@given(st.integers(0, 2**32))
def test_an_abbreviated_order_is_that_order_or_a_question_and_never_another_one(seed: int) -> None:
    abbreviated(seed)


def abbreviated(seed: int) -> Abbreviator:
    """Let an abbreviator type a whole fight, and return it.

    It checks that no line is understood as another order.
    """
    table = Abbreviator(Random(seed), secrets=False)
    for _ in range(40):
        table.step()
    return table


def test_a_line_means_the_weapon_that_the_rules_mean() -> None:
    """Nobody parries with a bow: a command without its weapon means the sword (MAM-ATK-06)."""
    table = Table(MODRE)
    table("join bo foes hp=9 weapon=(sword power=2) weapon=(bow kind=bow power=2 range=9)")
    table("initiative first=modre reason=so; modre: begin-turn; modre: attack bo p1")
    assert table.said("bo: parry") == ["bo: parry sword"]


def test_seven_of_eight_abbreviated_orders_are_understood() -> None:
    tables = [abbreviated(seed) for seed in range(20)]
    assert sum(table.understood for table in tables) > 7 / 8 * sum(table.typed for table in tables) > 500


WORDS = [
    *SYNONYMS, *COMMANDS, "n", "u", "u 3", "redo", "gm", "modre", "clone", "wolf", "ice", "p4", "m2", "3", "12", ".",
    ";", "[2 1]", "power=", "=", '"', "(", ")", "{", "}", "#3", "after 3", "amend 6", "-", "9" * 30, "\\", "ready", "!",
    "@", "weapon=(", "by=", "id=x", "expect=3", "1.1 modre:", "a:", "\x00", "é", "💥", "x=1", "2d", "5m", "seen=gm",
    "exp=",
]  # fmt: skip


@settings(max_examples=5_000 if FUZZ else 200)
@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(string.printable, max_size=5)), max_size=8).map(" ".join))
def test_no_line_whatever_is_in_it_is_more_than_given_or_refused(line: str) -> None:
    table = Table(MODRE, CLONE, WOLF)
    table("initiative first=modre reason=so")
    before = table.log.application.recorder.last_version("fight")
    try:
        given = table(line)
    except MamError as no:
        said = no.sentence
        assert table.log.application.recorder.last_version("fight") == before
        assert said
        assert "\n" not in said
    else:
        assert len(given.said) == len(given.answers) or given.asks


def test_what_is_written_in_a_line_is_what_its_answers_tell(duel: Table) -> None:
    given = duel("a ice p4 m2; d 6; 2 1.")
    heads = [answer.head for answer in given.answers]
    assert [name_of(head.command) for head in heads if isinstance(head, Play)] == [
        "begin-turn", "attack", "defend", "resolve", "end-turn",
    ]  # fmt: skip
    assert isinstance(heads[2], Play)
    assert heads[2].command == Defend("clone", 6, 6)


def test_an_amended_order_may_have_a_reason_of_its_own() -> None:
    table = Table(replace(MODRE, weapon=()), CLONE)
    table("initiative")
    assert table.said('amend 4 first=clone reason="he was first" !') == [
        'correct ~#4=(first=clone reason="he was first")'
    ]
    assert table.said('amend 4 reason="by a nose" "misheard" !') == ['correct ~#4=(reason="by a nose") "misheard"']


def test_a_reason_is_that_of_the_correction_where_the_order_has_none(duel: Table) -> None:
    duel("m 1")
    assert duel.said('amend 6 points=2 reason="misheard" !') == ['correct ~#6=(points=2) "misheard"']


def test_a_ruling_behind_an_interference_is_the_action_that_is_to_be_stopped() -> None:
    table = Table(MODRE, CLONE, WOLF)
    table("initiative first=modre reason=so")
    table('act "pulls the lever" 2; clone i 1')
    assert table.said("wolf i #8 1") == ["wolf: interfere - action=#8 points=1"]


@pytest.mark.parametrize("line", ['modre check "x" v12 kind=d10 0+7', 'modre: check "x" difficulty=12 kind=d10 [0+7]'])
def test_the_nought_of_a_d10_is_its_ten(duel: Table, line: str) -> None:
    (rolled,) = duel(line).answers[0].events
    assert isinstance(rolled, SuccessRolled)
    assert rolled.rolls[0].die.face == 10


@pytest.mark.parametrize("speed", ["1/2", "½", "0.5"])
def test_a_speed_is_typed_as_the_rules_print_it(speed: str) -> None:
    table = Table(preset="mam_speed")
    assert table.said(f"join Ann heroes pc hp=5 speed={speed}") == ['join ann "Ann" heroes pc hp=5 speed=0.5']
    assert table.said("amend 2 speed=1/4 !") == ["correct ~#2=(speed=0.25)"]


@pytest.mark.parametrize("line", ["shoot bo v5 2 3 4", "ann shoots bo v5 2 3 4"])
def test_an_action_of_the_list_is_no_other_word_of_another_edition(line: str) -> None:
    codes = {"perception": "3D", "agility": "3D", "missile-weapons": "3D"}
    table = Table(*(Join(name, code=codes) for name in ("ann", "bo")), preset="ron_d6")
    for before in ("round", "ri ann 5 5 5 bo 1 1 1", "declare ann 1"):
        table(before)
    assert table.said(line) == ["ann: perform shoot bo difficulty=5 [2 3 4]"]


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("a clone p4 m1 4 5", "ready; a clone p4 m1 4 5"),
        ("n; a clone p4 m1", "n; ready; a clone p4 m1"),
        ("n a clone p4", "n ready; a clone p4"),
        ("evade; a clone p4", "ready; evade; a clone p4"),
    ],
)
def test_whoever_forgot_to_make_points_ready_is_told_the_line_that_does(duel: Table, line: str, mended: str) -> None:
    duel("a p2 m1; d 1; 6 6.")
    duel("n" if line.startswith("n") else "n; n")
    assert mended in duel.no(line)
    duel(mended)


def test_of_points_that_could_not_become_ready_nothing_is_promised(duel: Table) -> None:
    duel("a p2 m1; d 1; 6 6.")
    duel("n; n")
    assert "Only 3 more may become ready first (ready)." in duel.no("a clone p9")
    duel("ready 3")
    assert "ready first" not in duel.no("a clone p9")
    assert "ready first" not in duel.no("a clone p1; clone d 9")


def test_where_a_word_is_none_the_likely_orders_are_told_and_the_others_counted(duel: Table) -> None:
    """Between turns those of whoever is next are among them."""
    told = 'There is no "gurgle" here. Possible now: attack, manipulate, ready, move, begin-turn, join, and 8'
    duel("a p1; d 1; 6 6.")
    assert duel.no("gurgle clone").startswith(told)
    assert duel.no("gurgle clone").endswith("8 more (type options).")
    duel("clone: hold modre points=3")
    duel("6 1.")
    assert duel.log.at("fight").next_up == "modre"
    assert "now: escape, attack," in duel.no("modre gurgles clone")


def test_a_word_too_many_is_answered_with_the_names_by_which_more_is_said(duel: Table) -> None:
    told = "needs the name of its field. Type one of: "
    assert f'weapon: "gurgle" {told}attack=, ' in duel.no("join Mira a hp=8 w=(Longbow pow=4 range=60 gurgle)")
