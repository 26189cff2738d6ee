"""The words of an order: what each may mean, and the errors for words that mean nothing or too much."""

from __future__ import annotations

import pytest

from mam_events.commands import (
    COMMANDS,
    Join,
)
from mam_events.field_specs import field_specs
from mam_events.notation.grammar.vocabulary import ORDER_LETTERS, OWN_NUMBER, SYNONYMS
from mam_events.state import Weapon
from tests.notation.tables import CLONE, MODRE, WOLF, Table


def test_the_error_for_an_attack_without_a_foe(duel: Table) -> None:
    duel('gm clone dead "x"')
    assert "Modre has no foe here who is up" in duel.error("a p1")


def test_the_error_for_a_check_without_a_name_asks_whose_it_is(duel: Table) -> None:
    assert "Say who does it: modre check v10 3 or clone check v10 3." in duel.error('check "x" v10 3')


DUPLICATE_FIELDS = (
    "change-rules house_rules=- house_rules.half_success=never reason=x",
    "join x4 hp=3 weapon=- weapon=(axe)",
    "join x4 hp=3 weapon=(axe) weapon=-",
    'modre check "x" v10 situation=- situation="+1 y" 3',
    "gm reason=a reason=b clone dead",
    'gm clone dead condition.clone=able "x"',
    "a clone p1 p1",
    "modre: attack clone ice-blade power=1 power=1",
)


@pytest.mark.parametrize("line", DUPLICATE_FIELDS)
def test_a_field_given_twice_is_refused(three: Table, line: str) -> None:
    assert "is given twice" in three.error(line)


def test_an_ambiguous_pool_is_asked_about(three: Table) -> None:
    assert "defense or damage. Which" in three.error('gm clone 1 d>ready "x"')


def test_the_short_form_of_adjustments(duel: Table) -> None:
    orders = duel.orders('gm clone 2 rea>stun "the roof comes down"')
    assert orders == ['adjust "the roof comes down" move=(clone ready stun 2)']
    assert duel.orders('gm clone out "he flees"') == ['adjust "he flees" condition=(clone=out)']


def test_a_lowercase_name_is_only_an_id(duel: Table) -> None:
    assert duel.orders("join grob foes npc hp=5") == ["join grob - foes npc hp=5"]
    assert duel.orders("join Grub foes npc hp=5") == ['join grub "Grub" foes npc hp=5']
    assert duel.orders('join grab "grab" foes npc hp=5') == ['join grab "grab" foes npc hp=5']


def test_the_actor_and_the_dead_must_be_named_in_full(three: Table) -> None:
    three('gm wolf dead "so"')
    assert '"w" means nothing here' in three.error("a w p1")
    assert '"m" means nothing here' in three.error("a m p1")


UNCLEAR_LINES = {
    "a": "Whom? Type attack clone or attack wolf.",
    "st": '"st" could be stand or stay-mounted. Which',
    "attak clone": 'There is no "attak" here. Did you mean "attack"?',
    "modre attak clone": 'There is no order "attak". Did you mean "attack"?',
    "a clone ice p4 xyz": '"xyz" means nothing here',
    "pick lamp": "There is no fitting item here.",
    "drop nobody": '"nobody" means nothing here. Leave it out.',
    "d 3": "No attack or other action is open, so there is nothing to defend against.",
    "w": '"w" means wait, which this edition does not have.',
    "a clone p4 p3": "power is given twice",
    "a clone 3d": '"3d" means nothing here',
    "ready from=3": 'There is no "from" here',
    "n 2": "Under these rules nobody declares actions first",
    "initiative clone": "Say what it is: surprise=clone, circumstance=clone, first=clone or same_seat=clone.",
    "undo 99": "There is no ruling 99. The newest is 5.",
    "note": "The text is missing",
    "amend 3": "Say what changes in ruling 3",
    "ready 3; u": "a correction on a line of its own",
    ".": "No turn is running that a full stop could end. Type n to begin Modre's turn.",
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
    "m 1 expect=2O": "be the number of the newest ruling, or the VERSION:DIGEST",
    "m 1 expect=5:abcd": "Only a correction or an insert can be previewed",
    'gm clone 3 "healed"': "Say what happens to 3 points of Clone",
    'gm clone "x"': "Say what happens to Clone",
    'gm clone out "a" "b"': "reason is given twice",
    "gm clone dead able": "condition.clone is given twice",
    "amend 2 hp=-7": "hp must be a whole number of 1 or more, not -7",
    "correct ~#2=(hp=1.5)": "hp must be a whole number or nothing, not 1.5",
    "join x1 hp=3 hp=4": "hp is given twice",
    'note "x" seen=gm seen=public': "seen is given twice",
    "undoo": 'Did you mean "undo"',
}
"""Refused lines and their errors."""


@pytest.mark.parametrize("line", UNCLEAR_LINES)
def test_an_unclear_line_is_refused_and_writes_nothing(three: Table, line: str) -> None:
    assert UNCLEAR_LINES[line] in three.error(line)


def test_an_attack_with_two_weapons_in_hand_asks_which() -> None:
    table = Table(Join("ann", side="a", hp=6, weapon=(Weapon("sabre"), Weapon("dagger"))), CLONE)
    table.after("initiative first=ann reason=so", "ann")
    assert table.error("a clone") == "With the sabre or the dagger?"
    assert table.orders("a dag p1") == ["ann: attack clone dagger power=1"]


def test_readying_points_asks_from_which_pool(duel: Table) -> None:
    duel.after("a p1 m1; d 1; 6 6.", "n", "n")
    assert (
        duel.error("ready 1") == "Modre can make 1 point ready, from defense or other used. "
        "Type ready o (1 from other used) or ready d (1 from defense)."
    )
    # No question if no answer is possible.
    assert duel.error("ready 3") == "Other used has 1 point to give, not 2."
    assert duel.orders("ready 2") == ["modre: ready defense=1 other_used=1"]
    assert (
        duel.error("ready 2") == "Modre has already made points ready this turn, and that is possible only once a turn."
    )
    duel("n")
    assert duel.error("modre ready 1").startswith("Modre cannot do this now: it is Clone's turn.")


def test_the_question_about_pools_offers_only_possible_answers(duel: Table) -> None:
    duel.after("a p2 m1; d 1; 6 6.", "n; n")
    assert (
        duel.error("ready 2") == "Modre can make 2 points ready, from defense or other used. "
        "Type ready o (2 from other used) or ready d (1 from defense and 1 from other used)."
    )
    assert "Say how many from each" in duel.error("ready o d1")
    for line, long in (("ready all", "defense=1 other_used=2"), ("ready o", "other_used=2"), ("ready d", "defense=1")):
        assert duel.orders(line) == [f"modre: ready {long}"]
        duel("u")
    for line in ("ready 2 o", "ready other 2"):
        assert duel.orders(line) == ["modre: ready other_used=2"]
        duel("u")
    assert duel.orders("ready 2 d; e") == ["modre: ready defense=1 other_used=1", "modre: end-turn"]
    duel("u")
    assert duel.orders("ready 3") == ["modre: ready defense=1 other_used=2"]


def test_the_error_if_every_weapon_is_in_hand() -> None:
    table = Table(MODRE, CLONE, preset="mam_d20").after("initiative first=modre reason=so")
    assert table.error("ready") == "ready-weapon: Modre has no other weapon to take in hand."


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
def test_a_reason_after_because_needs_no_quotes(line: str, long: str) -> None:
    assert Table(MODRE, CLONE).orders(line) == [long]


@pytest.mark.parametrize(
    "line",
    ["init first=clone he knew", "u slept", "amend 3 hp=4 he erred"],
)
def test_the_error_for_a_reason_without_quotes_mentions_because(line: str) -> None:
    assert "reason after because:" in Table(MODRE, CLONE).error(line)


def test_because_needs_a_reason() -> None:
    assert Table(MODRE, CLONE).error("u because") == "The reason after because is missing."


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
def test_a_name_of_several_words_after_a_field(line: str, long: str) -> None:
    table = Table(Join("mr-x", name="Mr. X", hp=6), Join("bone", name="The Bone Man", hp=6), CLONE)
    assert table.orders(line) == [long]


@pytest.mark.parametrize("do", ["surprise", "stalk mr-x"])
def test_the_error_for_stalking_mentions_surprise(duel: Table, do: str) -> None:
    assert "init surprise=NAME" in duel.error(do)
    assert "surprise=" not in Table(preset="ron_d6").error(do)


@pytest.mark.parametrize(
    "line",
    [
        "join Bo hp=6 armor=(mail coat cover=4 absorption=2)",
        "join bo b hp=6 armor=(mail coat cover=4 absorption=2)",
        "join Bo hp=6 w=(long sword pow=2)",
        "amend 3 armor=(mail coat absorption=3)",
    ],
)
def test_the_error_for_a_thing_name_of_two_words_mentions_quotes(duel: Table, line: str) -> None:
    name = "long sword" if "sword" in line else "mail coat"
    assert f'Put a name of several words in quotes, like ("{name}" …).' in duel.error(line)
    assert duel.orders('join Bo b hp=6 armor=("mail coat" cover=4 absorption=2)') == [
        'join bo "Bo" b npc hp=6 armor=(mail-coat "mail coat" cover=4 absorption=2)'
    ]


def test_capitals_and_third_person_verbs_are_accepted(duel: Table) -> None:
    assert duel.orders("Modre attacks CLONE p1")[-1] == "modre: attack clone ice-blade power=1"


def test_an_at_sign_marks_the_name_of_a_combatant() -> None:
    table = Table(Join("15", side="a", hp=6), CLONE).after("initiative first=clone reason=so")
    assert table.orders("a @15 p1")[-1] == "clone: attack 15 body power=1"


def test_every_synonym_and_letter_stands_for_an_existing_order_or_field() -> None:
    assert {do for orders in SYNONYMS.values() for do in orders} <= set(COMMANDS)
    fields = {name for kind in COMMANDS.values() for name in field_specs(kind)}
    assert {name for names in ORDER_LETTERS.values() for name in names} <= fields
    for do, names in OWN_NUMBER.items():
        assert set(names) <= set(field_specs(COMMANDS[do]))


def test_a_parry_uses_the_weapon_of_the_rules() -> None:
    """A bow cannot parry, so a parry without a weapon uses the sword (MAM-ATK-06)."""
    table = Table(MODRE).after("join bo foes hp=9 weapon=(sword power=2) weapon=(bow kind=bow power=2 range=9)")
    table("initiative first=modre reason=so; modre: begin-turn; modre: attack bo p1")
    assert table.orders("bo: parry") == ["bo: parry sword"]


def test_a_ruling_number_after_interfere_is_the_action_to_stop() -> None:
    table = Table(MODRE, CLONE, WOLF).after("initiative first=modre reason=so", 'act "pulls the lever" 2; clone i 1')
    assert table.orders("wolf i #8 1") == ["wolf: interfere - action=#8 points=1"]


@pytest.mark.parametrize("speed", ["1/2", "½", "0.5"])
def test_a_speed_may_be_a_fraction(speed: str) -> None:
    table = Table(preset="mam_speed")
    assert table.orders(f"join Ann heroes pc hp=5 speed={speed}") == ['join ann "Ann" heroes pc hp=5 speed=0.5']
    assert table.orders("amend 2 speed=1/4 !") == ["correct ~#2=(speed=0.25)"]


@pytest.mark.parametrize("line", ["shoot bo v5 2 3 4", "ann shoots bo v5 2 3 4"])
def test_a_listed_action_of_ron_d6_is_not_a_word_of_another_edition(line: str) -> None:
    codes = {"perception": "3D", "agility": "3D", "missile-weapons": "3D"}
    table = Table(*(Join(name, code=codes) for name in ("ann", "bo")), preset="ron_d6").after("round")
    table.after("ri ann 5 5 5 bo 1 1 1", "declare ann 1")
    assert table.orders(line) == ["ann: perform shoot bo difficulty=5 [2 3 4]"]


def test_the_error_for_an_unknown_order_lists_the_likely_ones(duel: Table) -> None:
    """Between turns, orders of the next combatant are among them."""
    text = 'There is no "gurgle" here. Possible now: attack, manipulate, ready, move, begin-turn, join, and 8'
    duel("a p1; d 1; 6 6.")
    assert duel.error("gurgle clone").startswith(text)
    assert duel.error("gurgle clone").endswith("8 more (type options to see all).")
    duel.after("clone: hold modre points=3", "6 1.")
    assert duel.log.at("fight").next_up == "modre"
    assert "now: escape, attack," in duel.error("modre gurgles clone")


def test_the_error_for_a_word_too_many_lists_the_named_fields(duel: Table) -> None:
    text = 'weapon: Say what "gurgle" is'
    assert text in duel.error("join Mira a hp=8 w=(Longbow pow=4 range=60 gurgle)")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("a ice power 2 mod 1", "modre: attack clone ice-blade power=2 modifier=1"),
        ("a ice pow 2", "modre: attack clone ice-blade power=2"),
        ("moves all", "modre: move points=6"),
        ("a ice p1; clone d all", "clone: defend 6"),
        ("a ice p1; clone defends with everything", "clone: defend 6"),
    ],
)
def test_the_points_of_an_order_in_common_words(duel: Table, line: str, long: str) -> None:
    assert duel.orders(line)[-1] == long


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("a ice p2 modifer 1", 'Did you mean "modifier"?'),
        ("a ice from behind", 'type situation="+2 from behind".'),
        ("d all", "there is nothing to defend"),
    ],
)
def test_an_error_for_a_word_of_an_order_shows_how_to_type_it(duel: Table, line: str, text: str) -> None:
    assert text in duel.error(line)
