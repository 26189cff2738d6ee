"""The rules for reading short words, each with a line that would be read differently without it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mam_events.commands import Adjust, Join
from mam_events.errors import BadInput, Refused, VersionConflict
from mam_events.field_specs import field_specs
from mam_events.notation.submit import give_line
from mam_events.state import Weapon
from projections.sentences.dice_text import HIT_WORDS, RESULTS
from projections.sentences.words import ACTION_WORDS, ATTACK_WORDS
from tests.notation.evenings import seated
from tests.notation.tables import CLONE, MODRE, WOLF, Table

SHOWN = (ATTACK_WORDS, ACTION_WORDS, HIT_WORDS, RESULTS)
"""The words for outcomes in sentences."""


def begin_fight(*people: Join) -> Table:
    """Return a fight of those combatants in which the first is next."""
    return Table(*people).after(f"initiative first={people[0].combatant} reason=so")


def at_the_dock(*lines: str) -> list[str]:
    """Give the lines in a Ron d6 fight after its first initiative, and return the long form of the last."""
    log, encounter = seated("dock")
    answers = [give_line(log, encounter, line) for line in ("ro lio 3 5 2 v 1 4 g 4 1 c 2 1 5", *lines)]
    return list(answers[-1].said)


def test_a_reserved_letter_is_an_order_even_if_it_is_also_an_id() -> None:
    table = begin_fight(MODRE, replace(CLONE, combatant="d"))
    assert table.orders("a d ice p4")[-1] == "modre: attack d ice-blade power=4"
    assert table.orders("d 6") == ["d: defend 6"]


def test_a_combatant_who_waits_does_not_act_in_the_next_turn() -> None:
    assert at_the_dock("lio 3", "w", "lio drop", "r su", "run") == ["captain: declare 1", "captain: perform run_away"]


def test_the_third_person_of_an_order_is_accepted() -> None:
    table = begin_fight(MODRE, CLONE)
    assert table.orders("modre moves 1")[-1] == "modre: move points=1"
    table("a p2")
    assert table.orders("clone parries") == ["clone: parry body"]


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("act", "Say what"),
        ("adjust", "Say the reason"),
        ("change-rules", "a house rule like this: change-rules half_success=never because …"),
        ("combo", "Say how many quick actions"),
        ("modre take-position", "Say which position: clinch, ground_fighting, dominant_standing or dominant_on_ground"),
    ],
)
def test_a_missing_field_is_asked_for_with_its_choices(line: str, missing: str) -> None:
    assert missing in begin_fight(MODRE, CLONE).error(line)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("escape", "Nobody holds Modre."),
        ("pick-up", "pick-up-item: Modre has no fitting item here."),
        ("clone pick-up", "pick-up-item: Clone has no fitting item here."),
        ("aim", "aim: Modre has no fitting weapon in hand (ready-weapon NAME takes one)."),
        ("ready-weapon", "ready-weapon: Modre has no other weapon to take in hand."),
        ("d", "No attack or other action is open, so there is nothing to defend against."),
    ],
)
def test_an_error_explains_why_there_is_nothing_to_choose(line: str, text: str) -> None:
    assert begin_fight(MODRE, CLONE).error(line) == text


def test_initiative_is_rolled_by_all_who_have_not_rolled() -> None:
    log, encounter = seated("dock")
    assert give_line(log, encounter, "ro").said == ("round",)
    assert give_line(log, encounter, "roll-initiative").said == ("roll-initiative lio,vera,guard,captain",)
    log, encounter = seated("dock")
    give_line(log, encounter, "ro lio 3 5 2")
    assert give_line(log, encounter, "roll-initiative").said == ("roll-initiative vera,guard,captain",)


def test_an_adjustment_can_name_a_ruling_and_move_points() -> None:
    table = begin_fight(MODRE, CLONE)
    assert table.orders('gm #4 clone dead "x"') == ["adjust x condition=(clone=dead) answers=#4"]
    assert "Clone can become able, incapacitated, dead or out" in table.error('gm clone ready>damage "x"')
    assert "Nobody here is called" in table.error('gm clone 1 ready>damage damage>ready "x"')


def test_ending_a_turn_between_turns_is_refused() -> None:
    assert begin_fight(MODRE, CLONE).error("e").endswith("no turn is in progress and Modre is next to begin.")


def test_an_undo_that_includes_a_note_asks_first() -> None:
    table = begin_fight(MODRE, CLONE).after("m 1", 'note "so"')
    answer = table("u")
    assert answer.asks
    assert not answer.answers
    assert table.orders("u !") == ["correct -#5 -#6"]


@pytest.mark.parametrize("condition", [one for one in field_specs(Adjust)["condition"].inner.choices if one != "able"])
def test_the_only_foe_who_is_up_is_the_default_target(condition: str) -> None:
    table = begin_fight(MODRE, CLONE, WOLF).after(f'gm wolf {condition} "so"')
    assert table.orders("a p1")[-1] == "modre: attack clone ice-blade power=1"


def test_combatants_without_a_side_are_foes() -> None:
    assert begin_fight(Join("ann", hp=6), Join("bob", hp=6)).orders("a p1")[-1] == "ann: attack bob body power=1"


@pytest.mark.parametrize("condition", ["dead", "out"])
def test_an_abbreviated_name_never_means_somebody_who_is_gone(condition: str) -> None:
    table = begin_fight(MODRE, CLONE, WOLF).after(f'gm wolf {condition} "so"')
    assert table.error("wo") == 'There is no "wo" here. Did you mean "wolf"?'
    assert table.error('gm wo able "so"') == 'Nobody here is called "wo". Did you mean "wolf"?'
    assert table.orders('gm wolf able "so"') == ["adjust so condition=(wolf=able)"]
    assert table.orders('gm wo dead "so"') == ["adjust so condition=(wolf=dead)"]


def test_the_long_form_of_a_note_has_all_its_fields() -> None:
    table = begin_fight(MODRE, CLONE).after("m 1")
    text = 'dispute "was it" about=#6 rule=stun_overflow seen=gm'
    assert table.orders('dispute 6 "was it" rule=stun_overflow seen=gm') == [text]
    table("u !")
    decided = 'note "it was not" about=#7 kind=decision corrections=#8'
    assert table.orders(decided) == [decided]


def test_an_expected_version_in_the_line_must_match_the_option() -> None:
    table = begin_fight(MODRE, CLONE)
    with pytest.raises(VersionConflict, match="Ruling 3 is no longer the newest"):
        table("m 1 expect=3", expected=4)
    assert table("m 1 expect=4", expected=4).answers
    preview = table("u", looks=True).asks
    assert preview
    with pytest.raises(BadInput, match="expect in the line"):
        table("u expect=6:abcd", expect=preview.expect)
    assert table(f"u expect={preview.expect}", expect=preview.expect).answers


def test_case_is_ignored_in_parts_and_tables() -> None:
    table = begin_fight(MODRE, CLONE)
    orders = table.orders("join Grub foes npc HP=5 W=(Rusty-Axe POW=3 Reach=1)")
    assert orders == ['join grub "Grub" foes npc hp=5 weapon=(rusty-axe "Rusty-Axe" power=3 reach=1)']
    assert table.orders('gm "oil" Condition.CLONE=out') == ["adjust oil condition=(clone=out)"]
    orders = table.orders('change-r House.Stun_Overflow=whole_hit_only "so"')
    assert orders == ["change-rules house_rules=(stun_overflow=whole_hit_only) reason=so"]


def test_the_first_word_of_perform_is_the_verb() -> None:
    assert at_the_dock("lio", "perform dodge 4 2 3 1") == ["lio: perform dodge [4 2 3 1]"]
    assert at_the_dock("lio", "perform dodge dodge 4 2 3 1") == ["lio: perform dodge - dodge [4 2 3 1]"]
    orders = at_the_dock("lio 2", "w", "slash lio mel v10 3 2 5 2", "lio interrupt dodge 4 2 3")
    assert orders == ["lio: interrupt dodge [4 2 3]"]


def test_an_item_dropped_by_another_is_picked_up_by_name() -> None:
    table = Table(MODRE, Join("clone", name="Clone", side="foes", hp=6, weapon=(Weapon("spear"),)))
    table.after("initiative first=clone reason=so", "n", "drop-i spear.", "n")
    assert table.orders("pick spear") == ["modre: pick-up-item spear owner=clone"]
    table("u")
    assert table.orders("pick spear owner=clone") == ["modre: pick-up-item spear owner=clone"]


def test_case_is_ignored_except_in_texts() -> None:
    table = Table()
    assert table.orders("join Grob foes NPC hp=5 mov=20M") == ['join grob "Grob" foes npc hp=5 movement=20']
    assert table.orders("join Eve foes hp=5 w=(Axe readied=NO)") == [
        'join eve "Eve" foes npc hp=5 weapon=(axe "Axe" readied=no)'
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Zoë", 'zoe "Zoë"'),
        ("zoë", 'zoe "zoë"'),
        ("Łukasz", 'lukasz "Łukasz"'),
        ("O'Neil", 'o-neil "O\'Neil"'),
        ("Mr. X", 'mr-x "Mr. X"'),
        ('"Rat #2"', 'rat-2 "Rat #2"'),
        ("Rat #2", 'rat-2 "Rat #2"'),
        ("goblin 2", 'goblin-2 "goblin 2"'),
        ("Skeleton Archer", 'skeleton-archer "Skeleton Archer"'),
        ("s1 Bone Man", 's1 "Bone Man"'),
        ('s1 "Bone Man"', 's1 "Bone Man"'),
        ('"Bone Man" "The Bone Man"', 'bone-man "The Bone Man"'),
    ],
)
def test_an_id_is_derived_from_the_name(text: str, words: str) -> None:
    table = Table()
    assert table.orders(f"join {text} foes hp=4") == [f"join {words} foes npc hp=4"]
    assert table.orders("join Bo foes hp=4 w=(Säbel pow=3)")[0].endswith('weapon=(sabel "Säbel" power=3)')
    assert 'it needs a short name before it, like hero "勇者"' in table.error("join 勇者 foes hp=4")


def test_a_list_of_names_is_accepted_with_commas() -> None:
    table = Table(*(Join(name, code={"perception": "2D"}) for name in ("lio", "vera")), preset="ron_d6").after("round")
    assert table.orders("roll-initia lio,vera") == ["roll-initiative lio,vera"]


def test_an_error_for_a_letter_of_another_edition_says_so() -> None:
    table = Table(Join("lio", code={"perception": "2D"}), preset="ron_d6")
    assert "which this edition does not have" in table.error("lio d 6")


@pytest.mark.parametrize(
    "words",
    [
        "p2, m1",
        "p2,m1",
        ", p2 , m1",
        "power 2 modifier 1",
        "power: 2, modifier: 1",
        "power = 2 modifier =1",
        "p 2 m 1",
        "power=2, modifier=1",
        "POWER 2, m1",
    ],
)
def test_commas_separate_words_and_fields(words: str) -> None:
    assert (
        begin_fight(MODRE, CLONE).orders(f"a clone {words}")[-1] == "modre: attack clone ice-blade power=2 modifier=1"
    )


def test_commas_are_accepted_in_every_order() -> None:
    table = begin_fight(MODRE, CLONE, WOLF)
    assert table.orders("modre, move points 1") == ["modre: begin-turn", "modre: move points=1"]
    assert table.orders('gm clone 1 ready>damage, wolf 1 ready>damage "so"') == [
        "adjust so move=(clone ready damage 1) move=(wolf ready damage 1)"
    ]
    assert table.orders("damage wolf 1 a trap, and oil") == ['adjust "a trap, and oil" move=(wolf ready damage 1)']
    assert table.orders("join Bo, foes, hp 4, w=(Axe, power 3)") == [
        'join bo "Bo" foes npc hp=4 weapon=(axe "Axe" power=3)'
    ]
    assert table.orders("join Cy foes hp: 4") == ['join cy "Cy" foes npc hp=4']


def test_an_error_for_a_list_with_blanks_shows_how_to_type_it() -> None:
    table = begin_fight(MODRE, CLONE, WOLF)
    assert table.error("i against=clone, wolf p1") == "Type a list without blanks: against=clone,wolf."
    assert table.error("m 1,5m").startswith('move: "1" means nothing here')


@pytest.mark.parametrize("armor", ["leather cover=complete absorption=2", "leather absorption=2 complete"])
def test_complete_cover_can_be_given_as_a_word(armor: str) -> None:
    assert begin_fight(MODRE, CLONE).orders(f"join bo foes hp=4 armor=({armor})") == [
        "join bo - foes npc hp=4 armor=(leather - absorption=2 complete)"
    ]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        *((word, outcome) for words in SHOWN for outcome, word in words.items()),
        ("half_hit", "half"),
        ("Hits", "full"),
    ],
)
def test_an_outcome_can_be_given_by_any_word_shown_for_it(text: str, outcome: str) -> None:
    table = begin_fight(MODRE, CLONE).after("a clone p1", "2 1")
    assert table.orders(f'amend 7 outcome="{text}" !') == [f"correct ~#7=(outcome={outcome})"]
    if " " not in text:
        assert table.orders(f"amend 7 {text} !") == [f"correct ~#7=(outcome={outcome})"]
        assert table.orders(f"amend 7 outcome={text} !") == [f"correct ~#7=(outcome={outcome})"]


@pytest.mark.parametrize(("text", "result"), [("hits", "success"), ("full", "success"), ("misses", "failure")])
def test_a_result_in_ron_d6_can_be_given_by_any_word_shown_for_it(text: str, result: str) -> None:
    said_so = at_the_dock("lio 1", "punch captain code=3D [3 4 2]", f"r {text}")
    assert said_so == [f"result {result}"]


def test_an_error_for_an_unknown_outcome_lists_the_known_ones() -> None:
    table = begin_fight(MODRE, CLONE).after("a clone p1", "2 1")
    assert table.error("amend 7 outcome=maybe !").endswith("'maybe' is not among the choices. Known: full, half, fail.")
    assert (
        table.error("amend 6 hits !")
        == 'amend attack: There is no "outcome" here, but ruling 7 has it: amend 7 outcome=hits.'
    )
    assert table.error("amend 6 outcome=half !").endswith("7 has it: amend 7 outcome=half.")


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("modre: rest.", ["modre: begin-turn", "modre: rest", "modre: end-turn"]),
        ("modre: evade", ["modre: begin-turn", "modre: evade"]),
        ("modre: attack clone body power=1", ["modre: begin-turn", "modre: attack clone body power=1"]),
    ],
)
def test_an_order_after_a_name_and_a_colon_begins_the_next_turn(line: str, texts: list[str]) -> None:
    assert begin_fight(MODRE, CLONE).orders(line) == texts


def test_a_colon_begins_only_the_turn_of_the_next_combatant() -> None:
    assert begin_fight(MODRE, CLONE).error("clone: rest").startswith("Clone cannot do this now: no turn is in progress")


@pytest.mark.parametrize("line", ["ready", "modre ready", "modre: ready"])
def test_ready_without_points_readies_the_maximum(line: str) -> None:
    assert begin_fight(MODRE, CLONE).after("m 2", ".", "clone.", "modre").orders(line) == ["modre: ready defense=2"]


def test_the_long_form_of_readying_nothing_names_a_pool() -> None:
    table = begin_fight(MODRE, CLONE).after("m 2", ".", "clone.", "modre")
    assert table.orders("modre: ready defense=0") == ["modre: ready defense=0"]


def test_in_ron_d6_the_next_turn_begins_even_after_an_interruption() -> None:
    before = ("lio 3", "w", "captain slash lio melee v12 5 5 2 4", "lio dodge 4 3", "r su", "r su")
    assert at_the_dock(*before, "vera drop") == ["vera: declare 1", "vera: perform drop"]


@pytest.mark.parametrize(
    ("line", "own_line", "other"),
    [
        ("lio 3; w; slash vera melee v8", "lio", "captain"),
        ("lio 3; waits; slash vera melee v8", "lio", "captain"),
    ],
)
def test_an_order_in_anothers_line_needs_a_name(line: str, own_line: str, other: str) -> None:
    log, encounter = seated("dock")
    give_line(log, encounter, "ro lio 3 5 2 v 1 4 g 4 1 c 2 1 5")
    order = line.rpartition("; ")[2]
    with pytest.raises(Refused) as error:
        give_line(log, encounter, line)
    ways = f"Put the name first: {own_line} {order}, or {other} {order}."
    assert error.value.sentence == (
        f"\"{order}\": It is Captain's turn, but this line is Lio's. {ways} Nothing from this line was written."
    )
    assert give_line(log, encounter, line.replace(order, f"{other} {order}")).said[-1].startswith("captain: perform")


def test_nobody_is_asked_to_act_against_themselves() -> None:
    log, encounter = seated("dock")
    give_line(log, encounter, "ro lio 3 5 2 v 1 4 g 4 1 c 2 1 5")
    with pytest.raises(Refused) as refused:
        give_line(log, encounter, "lio 3; w; slash captain melee v8")
    assert "Put the name first: lio slash captain melee v8. Nothing" in refused.value.sentence


def test_after_a_full_stop_a_line_without_names_goes_on_with_the_next_turn() -> None:
    assert begin_fight(MODRE, CLONE).orders("m 1.; m 1")[-1] == "clone: move points=1"
    assert begin_fight(MODRE, CLONE).orders("modre m 1; n m 1")[-1] == "clone: move points=1"
    assert begin_fight(MODRE, CLONE).orders("modre m 1.; clone m 1")[-1] == "clone: move points=1"
    assert "clone m 1" in begin_fight(MODRE, CLONE).error("modre m 1.; m 1")
