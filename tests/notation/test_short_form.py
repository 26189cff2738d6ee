"""The rules by which short words are read, each held to a line that comes out otherwise without it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import Adjust, Join
from mam_events.errors import BadInput, VersionConflict
from mam_events.notation.lines import give_line
from mam_events.shapes import shapes
from mam_events.state import Weapon
from tests.notation.evenings import seated
from tests.notation.test_lines import CLONE, MODRE, WOLF, Table


def begun(*people: Join) -> Table:
    """A fight of those people, the first of whom is next."""
    table = Table(*people)
    table(f"initiative first={people[0].combatant} reason=so")
    return table


def at_the_dock(*lines: str) -> list[str]:
    """The last of those lines in its long form, after the first initiative of an evening in Ron d6."""
    log, encounter = seated("dock")
    told = [give_line(log, encounter, line) for line in ("ro lio 3 5 2 v 1 4 g 4 1 c 2 1 5", *lines)]
    return list(told[-1].said)


def test_a_reserved_letter_is_its_order_whoever_is_called_so() -> None:
    table = begun(MODRE, replace(CLONE, combatant="d"))
    assert table.said("a d ice p4")[-1] == "modre: attack d ice-blade power=4"
    assert table.said("d 6") == ["d: defend 6"]


def test_who_waits_is_not_understood_to_act_while_another_is_next() -> None:
    said = at_the_dock("lio 3", "w", "lio drop", "r su", "run")
    assert said == ["captain: declare 1", "captain: perform run_away"]


def test_an_end_between_turns_begins_none() -> None:
    assert begun(MODRE, CLONE).no("e").endswith("no turn is in progress and Modre is next to begin.")


def test_an_undo_that_passes_a_note_asks_first() -> None:
    table = begun(MODRE, CLONE)
    table("m 1")
    table('note "so"')
    asked = table("u")
    assert asked.asks
    assert not asked.answers
    assert table.said("u !") == ["correct -#5 -#6"]


@pytest.mark.parametrize("condition", [one for one in shapes(Adjust)["condition"].inner.choices if one != "able"])
def test_the_one_foe_is_the_one_who_is_up(condition: str) -> None:
    table = begun(MODRE, CLONE, WOLF)
    table(f'gm wolf {condition} "so"')
    assert table.said("a p1")[-1] == "modre: attack clone ice-blade power=1"


def test_whoever_has_no_side_is_the_foe_of_everybody_who_has_none() -> None:
    table = begun(Join("ann", hp=6), Join("bob", hp=6))
    assert table.said("a p1")[-1] == "ann: attack bob body power=1"


@pytest.mark.parametrize("condition", ["dead", "out"])
def test_no_cut_name_is_that_of_somebody_who_is_gone(condition: str) -> None:
    table = begun(MODRE, CLONE, WOLF)
    table(f'gm wolf {condition} "so"')
    assert table.no("wo") == 'there is no "wo" here; did you mean "wolf"?'
    assert table.no('gm wo able "so"') == 'nobody here is called "wo"; did you mean "wolf"?'
    assert table.said('gm wolf able "so"') == ["adjust so condition=(wolf=able)"]
    assert table.said('gm wo dead "so"') == ["adjust so condition=(wolf=dead)"]


def test_the_long_line_of_a_note_says_all_of_it() -> None:
    table = begun(MODRE, CLONE)
    table("m 1")
    said = 'dispute "was it" about=#6 rule=stun_overflow seen=gm'
    assert table.said('dispute 6 "was it" rule=stun_overflow seen=gm') == [said]
    table("u !")
    decided = 'note "it was not" about=#7 kind=decision corrections=#8'
    assert table.said(decided) == [decided]


def test_what_a_line_expects_contradicts_nothing_that_is_said_beside_it() -> None:
    table = begun(MODRE, CLONE)
    with pytest.raises(VersionConflict, match="Ruling 3 is not the newest any more"):
        table("m 1 expect=3", expected=4)
    assert table("m 1 expect=4", expected=4).answers
    shown = table("u", looks=True).asks
    assert shown
    with pytest.raises(BadInput, match="expect contradicts what was said beside the line"):
        table("u expect=6:abcd", expect=shown.expect)
    assert table(f"u expect={shown.expect}", expect=shown.expect).answers


def test_capitals_do_not_count_in_parts_and_tables() -> None:
    table = begun(MODRE, CLONE)
    said = table.said("join Grub foes npc HP=5 W=(Rusty-Axe POW=3 Reach=1)")
    assert said == ['join grub "Grub" foes npc hp=5 weapon=(rusty-axe "Rusty-Axe" power=3 reach=1)']
    assert table.said('gm "oil" Condition.CLONE=out') == ["adjust oil condition=(clone=out)"]
    said = table.said('change-r House.Stun_Overflow=whole_hit_only "so"')
    assert said == ["change-rules house_rules=(stun_overflow=whole_hit_only) reason=so"]


def test_of_two_slots_for_a_word_the_verb_has_the_first() -> None:
    assert at_the_dock("lio", "perform dodge 4 2 3 1") == ["lio: perform dodge [4 2 3 1]"]
    assert at_the_dock("lio", "perform dodge dodge 4 2 3 1") == ["lio: perform dodge - dodge [4 2 3 1]"]
    said = at_the_dock("lio 2", "w", "slash lio mel v10 3 2 5 2", "lio interrupt dodge 4 2 3")
    assert said == ["lio: interrupt dodge [4 2 3]"]


def test_what_somebody_else_dropped_is_picked_up_by_its_name() -> None:
    table = Table(MODRE, Join("clone", name="Clone", side="foes", hp=6, weapon=(Weapon("spear"),)))
    table("initiative first=clone reason=so")
    table("n")
    table("drop-i spear.")
    table("n")
    assert table.said("pick spear") == ["modre: pick-up-item spear owner=clone"]
    table("u")
    assert table.said("pick spear owner=clone") == ["modre: pick-up-item spear owner=clone"]


def test_capitals_do_not_count_but_in_texts() -> None:
    table = Table()
    assert table.said("join Grob FOES NPC hp=5 mov=20M") == ['join grob "Grob" foes npc hp=5 movement=20']
    assert table.said("join Eve foes hp=5 w=(Axe readied=NO)") == [
        'join eve "Eve" foes npc hp=5 weapon=(axe "Axe" readied=no)'
    ]


def test_a_list_of_names_stands_with_commas_where_names_stand() -> None:
    table = Table(*(Join(name, code={"perception": "2D"}) for name in ("lio", "vera")), preset="ron_d6")
    table("round")
    assert table.said("roll-initia lio,vera") == ["roll-initiative lio,vera"]


def test_a_letter_that_the_edition_lacks_is_told_so_behind_a_name_as_well() -> None:
    table = Table(Join("lio", code={"perception": "2D"}), preset="ron_d6")
    assert "which this edition does not have" in table.no("lio d 6")
