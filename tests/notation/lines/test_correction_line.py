"""Lines that correct: amend, undo, redo, after, in the short and the long form."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from mam_events.commands import (
    Join,
    actor_of,
    name_of,
)
from mam_events.errors import BadInput, VersionConflict
from mam_events.events import Correction, Head, Play
from mam_events.history.timeline.rulings import visibility_now
from mam_events.state import Weapon
from tests.notation.tables import CLONE, MODRE, Table


def test_the_confirmation_mark_is_not_part_of_an_unclosed_text(duel: Table) -> None:
    duel.after("m 2.", "n")
    assert duel.orders('u 6 only "so he said!') == ['correct -#6 "so he said"']
    assert duel.orders('note "he falls!') == ['note "he falls!"']


def test_an_amendment_keeps_the_parts_that_it_does_not_name() -> None:
    table = Table(
        Join(
            "dov", hp=9, weapon=(Weapon("lance", "Lance", power=3), Weapon("dirk")), ability={"riding": 5, "stealth": 2}
        )
    )
    table.after("amend 2 w=(lance pow=4) !", "amend 2 abi.riding=6 w=(axe pow=2) !")
    joined = table.log.timeline("fight").command(2)
    assert isinstance(joined, Join)
    assert joined.weapon == (Weapon("lance", "Lance", power=4), Weapon("dirk"), Weapon("axe", power=2))
    assert joined.ability == {"riding": 6, "stealth": 2}


@pytest.mark.parametrize("line", ["n redo", "n u", "n after 3 m 1", "after 3 after 4 n", "after 3 u", "n amend 4 p1"])
def test_a_correction_after_another_order_is_refused(three: Table, line: str) -> None:
    assert re.search(r"on a line of its own|can.t be inserted", three.error(line))


@pytest.mark.parametrize("line", ["correct ~#999=(power=1)", "correct ~#0=(a=1)", "correct ~#5=(text=x)"])
def test_only_a_play_can_be_amended(duel: Table, line: str) -> None:
    duel('note "a"')
    assert re.search(r"There is no ruling|[nN]ote", duel.error(line))


def test_an_amendment_may_change_the_visibility(duel: Table) -> None:
    duel("m 1")
    assert duel.orders("amend 6 seen=gm") == ["correct ~#6=(visibility=gm)"]


def test_a_correction_that_changes_later_rulings_is_shown_first(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    answer = duel("amend 6 p3")
    assert answer.asks is not None
    assert not answer.answers
    assert duel.orders("amend 6 p3 !") == ["correct ~#6=(power=3)"]
    assert duel.log.timeline("fight").command(6).power == 3  # type: ignore[attr-defined]  # an attack


def test_a_correction_is_rejected_if_its_preview_is_out_of_date(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    preview = duel("amend 6 p3").asks
    assert preview is not None
    duel("n")
    with pytest.raises(VersionConflict):
        duel(f"amend 6 p3 expect={preview.expect}")


def test_undo_after_a_redo_undoes_the_redo_if_that_restored_something_older(duel: Table) -> None:
    duel.after("n", "a ice p1", "u", "a ice p2", "2 1", "redo !")
    assert duel.orders("u") == ["correct -#10"]
    assert [number for number, _ in duel.log.timeline("fight").living()][-3:] == [5, 8, 9]
    assert duel.orders("u") == ["correct -#9"]
    assert duel.orders("redo") == ["correct +#12"]
    # To undo the newest ruling has the same effect as to undo this redo.
    assert duel.orders("u") == ["correct -#9"]


def test_the_undo_of_an_amendment_has_a_minus_and_may_be_typed_with_a_plus(duel: Table) -> None:
    duel.after("n", "a ice p1", "amend 6 p2 !")
    assert "6" in duel.error("correct +#6")
    assert duel.orders("u") == ["correct -#7"]
    assert duel.orders("redo") == ["correct +#8"]
    for line in ("correct -#7 !", "redo", "correct +#7 !"):
        duel(line)
    assert duel.log.timeline("fight").command(6).power == 1  # type: ignore[attr-defined]  # an attack


def test_undo_after_a_redo_of_an_amendment_that_came_before_newer_rulings_undoes_the_redo(duel: Table) -> None:
    duel.after("n", "a ice p1", "amend 6 p2 !", "u", "2 1", "redo !")
    assert duel.orders("u") == ["correct -#10"]


@pytest.fixture
def ambush() -> Table:
    """Return a fight in which a hidden assassin has struck the Clone, and a spy is hidden too."""
    table = Table(CLONE).after("join Assassin foes hp=6 seen=gm", "join Spy foes hp=6 seen=gm")
    return table.after("init first=assassin because he waits", "a clone p1", "5 2", "n")


REVEALED = "correct " + " ".join(f"~#{number}=(visibility=public)" for number in (3, 6, 7, 8, 9))


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("reveal assassin !", REVEALED),
        ("reveal the assassin because he strikes !", f'{REVEALED} "he strikes"'),
        ("assassin appears!", REVEALED),
        ("The assassin steps out of the shadows !", REVEALED),
    ],
)
def test_a_hidden_combatant_is_revealed_with_what_they_did(ambush: Table, line: str, long: str) -> None:
    assert ambush("reveal assassin").asks
    assert ambush.orders(line) == [long]
    timeline = ambush.log.timeline("fight")
    assert [visibility_now(timeline, number) for number in (3, 4, 5, 8)] == ["public", "gm", "gm", "public"]
    assert ambush.error("reveal assassin") == "reveal: Assassin is visible to everybody already."
    ambush("reveal !")
    assert visibility_now(ambush.log.timeline("fight"), 5) == "public"
    assert ambush.error("reveal") == "reveal: Nobody is hidden."
    assert "correct ~" not in ambush.error("assassin appears")


def test_a_ruling_that_was_hidden_by_itself_stays_hidden(ambush: Table) -> None:
    ambush.after("n", "n", "assassin: m 1 seen=gm", "reveal assassin !")
    timeline = ambush.log.timeline("fight")
    moved = next(number for number, _ in timeline.living() if name_of(timeline.command(number)) == "move")
    assert visibility_now(timeline, moved) == "gm"


def test_rulings_of_another_revealed_combatant_stay_hidden(ambush: Table) -> None:
    ambush.after("n", "amend 4 seen=public !")
    assert visibility_now(ambush.log.timeline("fight"), 10) == "gm", "the spy's turn is still hidden as written"
    assert "~#10" not in ambush.orders("reveal assassin !")[0]


def test_nobody_visible_is_revealed_by_appearing(ambush: Table) -> None:
    assert "visible" not in ambush.error("clone appears")


def test_reveal_asks_whom_if_several_are_hidden(ambush: Table) -> None:
    assert ambush.error("reveal") == "reveal: Whom? Type reveal assassin or reveal spy."


def test_the_long_form_of_a_correction_has_the_same_effect() -> None:
    first, second = (Table(MODRE, CLONE) for _ in range(2))
    for line in ("initiative", "a ice p4 m2; d 6; 2 1."):
        assert second.orders(line) == first.orders(line)
    for line, long in {
        'amend 8 5 "read wrong" !': 'correct ~#8=(attack_die=5) "read wrong"',
        "u 6 !": "correct -#6 -#7 -#8",
        "redo !": "correct +#11",
        "after 5 drop-i ice !": "after #5: modre: drop-item ice-blade",
        'note #3 "so it was': 'note "so it was" about=#3',
    }.items():
        assert first.orders(line) == [long]
        assert second.orders(long if long.startswith("note") else f"{long} !") == [long]
    heads = [[without_row_fields(head) for head in table.log.timeline("fight").heads[1:]] for table in (first, second)]
    assert heads[0] == heads[1]
    assert [head.reason for head in heads[1] if isinstance(head, Correction)] == ["read wrong", "", ""]
    assert second.log.at("fight").combatants == first.log.at("fight").combatants


STRICT_LINES = {
    "amend 8 5 strict !": "correct strict ~#8=(attack_die=5)",
    'u 6 strict "so" !': 'correct strict -#6 -#7 -#8 "so"',
    "redo 11 strict !": "correct strict +#11",
    "correct ~#8=(attack_die=4) Strict !": "correct strict ~#8=(attack_die=4)",
    "u strict !": "correct strict -#13",
    "after 5 strict drop-i ice !": "after #5 strict: modre: drop-item ice-blade",
    "after 5 strict modre: check v10 3 !": "after #5 strict: modre: check difficulty=10 [3]",
}
"""Lines that are strict in the short form, and in the long one."""


def test_the_long_form_of_a_strict_correction_is_strict() -> None:
    first, second = (Table(MODRE, CLONE) for _ in range(2))
    for line in ("initiative", "a ice p4 m2; d 6; 2 1."):
        assert second.orders(line) == first.orders(line)
    for short, long in STRICT_LINES.items():
        assert first(short, command_id=short).said == (long,)
        assert first(short, command_id=short).said == (long,), "asked for again, it is answered in the same words"
        assert second.orders(f"{long} !") == [long]
    heads = [[without_row_fields(head) for head in table.log.timeline("fight").heads[1:]] for table in (first, second)]
    assert heads[0] == heads[1]
    assert {head.turns for head in heads[0][9:] if isinstance(head, Correction | Play)} == {"strict"}


def test_corrections_keep_turns_as_played_by_default(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    for line in ("amend 8 5 !", "u 6 !", "redo !", "correct ~#8=(attack_die=4) !", "after 5 drop-i ice !"):
        assert "strict" not in duel(line, looks=True).said[0]
        head = duel(line).answers[0].head
        assert isinstance(head, Correction | Play)
        assert head.turns == "as_played", line


def test_a_combatant_named_strict_can_be_named_after_the_colon() -> None:
    table = Table(MODRE, Join("strict", name="Strict", side="foes", hp=6))
    table("initiative first=strict reason=so; strict")
    for line, turns in (("after #5: strict: move points=1", "as_played"), ("after 5 strict strict m 1", "strict")):
        head = table(f"{line} !").answers[0].head
        assert isinstance(head, Play)
        assert (actor_of(head.command), head.turns) == ("strict", turns)


def without_row_fields(head: Head) -> Head:
    """Return a head without the fields that differ in another log."""
    hides = {"blinding": ""} if isinstance(head, Play | Correction) else {}
    return replace(head, seal="", at="", id="", body="", **hides)


def test_an_order_is_inserted_after_a_ruling(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    answer = duel("after 5 drop-i ice !")
    assert answer.said == ("after #5: modre: drop-item ice-blade",)
    assert isinstance(answer.answers[0].head, Play)
    assert answer.answers[0].head.after == 5


def test_a_preview_writes_nothing(duel: Table) -> None:
    duel("a ice p1; d 1; 2 1.")
    before = duel.log.application.recorder.last_version("fight")
    for line in ("u", "u 7 !", "amend 6 p2", "after 5 drop-i ice"):
        assert duel(line, looks=True).asks is not None, line
    with pytest.raises(BadInput, match="Only a correction or an insert"):
        duel("m 1", looks=True)
    assert duel.log.application.recorder.last_version("fight") == before


def test_a_dash_clears_a_field(duel: Table) -> None:
    duel("a ice p4 m2; d 6; 2 1.")
    assert duel.orders("correct ~#8=(attack_die=-) !") == ["correct ~#8=(attack_die=-)"]


def test_an_amendment_may_change_the_reason_of_an_order() -> None:
    table = Table(replace(MODRE, weapon=()), CLONE).after("initiative")
    assert table.orders('amend 4 first=clone reason="he was first" !') == [
        'correct ~#4=(first=clone reason="he was first")'
    ]
    assert table.orders('amend 4 reason="by a nose" "misheard" !') == ['correct ~#4=(reason="by a nose") "misheard"']


def test_a_reason_belongs_to_the_correction_if_the_order_has_none(duel: Table) -> None:
    duel("m 1")
    assert duel.orders('amend 6 points=2 reason="misheard" !') == ['correct ~#6=(points=2) "misheard"']


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("that should have missed", "type amend 8 fail. To undo it, type u 8."),
        ("modre missed", "type amend 8 fail."),
        ("clone fail", "type amend 8 fail."),
        ("what if modre had missed", "type amend 8 fail."),
        ("it should have hit", "type amend 8 hit."),
        ("amend it fail", "like amend 8 fail for the last attack."),
        ("amend fail", "like amend 8 fail for the last attack."),
        ("amend", "like amend 17 5 to change its die to 5."),
        ("u 6-8", "u 6 rewind for it and everything after it."),
        ("u last 3", "Type u 8 for ruling 8 with its attack, u 8 only for it alone"),
        ("u the attack", "Put a reason after because: u because attack …."),
        ("redo all", "For the last undo, type redo alone."),
    ],
)
def test_an_unclear_correction_is_refused_with_one_that_works(duel: Table, line: str, text: str) -> None:
    assert text in duel.after("a ice p4 m2; d 6; 2 1").error(line)
