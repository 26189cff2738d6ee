"""Common words such as damage, heal and flee as adjustments of the game master, and notes without quotes."""

from __future__ import annotations

import pytest

from mam_events.commands import Adjust, Join
from mam_events.errors import BadInput, MamError, Refused
from mam_events.events import Note
from mam_events.history.timeline.timeline import Timeline
from mam_events.notation.submit import give_line
from mam_events.state import Pools, Weapon
from tests.notation.tables import Table


def now(table: Table) -> Timeline:
    return table.log.timeline("fight")


def people() -> list[Join]:
    foes = [Join(f"bandit-{n}", name=f"Bandit {n}", side="foes", hp=4) for n in (1, 2)]
    return [Join("mara", name="Mara", side="heroes", hp=8), Join("bo", name="Bo", side="heroes", hp=6), *foes]


@pytest.fixture
def table() -> Table:
    """Return a fight of two against two, in the turn of the first."""
    return Table(*people()).after("initiative first=mara reason=so", "n")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ('damage 3 "trap"', "adjust trap move=(mara ready damage 3)"),
        ("damage bandit 2 for 1 fire", "adjust fire move=(bandit-2 ready damage 1)"),
        ("damage bo 2 points", 'adjust "Damage 2" move=(bo ready damage 2)'),
        ("bandit 2 takes 1 damage", 'adjust "Damage 1" move=(bandit-2 ready damage 1)'),
        ("bandit 2 takes 1 fire damage", "adjust fire move=(bandit-2 ready damage 1)"),
        ("bo suffers 2 points of damage", 'adjust "Damage 2" move=(bo ready damage 2)'),
        ("bandit 2 takes 2 stun", 'adjust "Stun 2" move=(bandit-2 ready stun 2)'),
        ("bandit 2 takes 1 stun damage", "adjust stun move=(bandit-2 ready damage 1)"),
        ("stun bo 2 a thunderclap", 'adjust "a thunderclap" move=(bo ready stun 2)'),
        ("burning straw: damage bandit 2 1", 'adjust "burning straw" move=(bandit-2 ready damage 1)'),
        ("damage bo 3 a trap", 'adjust "a trap" move=(bo ready damage 3)'),
        ("bo damage 3", 'adjust "Damage 3" move=(bo ready damage 3)'),
        ("damage bandit 2 3", 'adjust "Damage 3" move=(bandit-2 ready damage 3)'),
        ("damage 2 mara bo", 'adjust "Damage 2" move=(mara ready damage 2) move=(bo ready damage 2)'),
        ("damage bo 1 mara pushed him", 'adjust "mara pushed him" move=(bo ready damage 1)'),
        ("damage bo 1, the bandit 1 kick", 'adjust "the bandit 1 kick" move=(bo ready damage 1)'),
        ("Bo damage 1 foes everywhere", 'adjust "foes everywhere" move=(bo ready damage 1)'),
        ("bo runs away", 'adjust "Fled" condition=(bo=out)'),
        ("run away bo", 'adjust "Fled" condition=(bo=out)'),
        ("damage 2 bo falling beam", 'adjust "falling beam" move=(bo ready damage 2)'),
        ("damage mara, bo 2 trap", "adjust trap move=(mara ready damage 2) move=(bo ready damage 2)"),
        ("flee bo mara scared him", 'adjust "mara scared him" condition=(bo=out)'),
        ("bo flees because of the fire", 'adjust "because of the fire" condition=(bo=out)'),
        ("bo flees because he fell", 'adjust "he fell" condition=(bo=out)'),
        ("flee bo, mara", 'adjust "Fled" condition=(bo=out mara=out)'),
        ("damage foes 1", 'adjust "Damage 1" move=(bandit-1 ready damage 1) move=(bandit-2 ready damage 1)'),
        ("damage bo 99", 'adjust "Damage 99" move=(bo ready damage 6)'),
        ('damage bo 2 "oil" seen=gm', "adjust oil move=(bo ready damage 2) seen=gm"),
        ("flee", 'adjust "Fled" condition=(mara=out)'),
        ("leave bandit-2", 'adjust "Left the fight" condition=(bandit-2=out)'),
        ("Bandit 2 flees through the window", 'adjust "through the window" condition=(bandit-2=out)'),
        ("foes flee", 'adjust "Fled" condition=(bandit-1=out bandit-2=out)'),
        ("pass", "mara: end-turn"),
        ("mara passes", "mara: end-turn"),
    ],
)
def test_a_verb_of_the_game_master_is_one_adjustment(table: Table, line: str, long: str) -> None:
    before = now(table).number
    assert table.orders(line) == [long]
    assert now(table).number == before + 1, "one ruling"


def test_heal_reduces_damage_before_stun(table: Table) -> None:
    table('gm bo 2 ready>stun 3 ready>damage "so')
    assert table.orders('heal bo 4 "potion"') == [
        "adjust potion move=(bo damage other_used 3) move=(bo stun other_used 1)"
    ]
    assert now(table).state.combatants["bo"].pools == Pools(1, 0, 4, 1, 0)
    assert table.orders("heal heroes 1") == ['adjust "Healing 1" move=(bo stun other_used 1)'], (
        "who has no wound is left"
    )


def test_heal_without_points_is_a_rest(table: Table) -> None:
    table('gm bo 3 ready>damage "so')
    assert table.orders("heal bo [5 1] !")[0].startswith("bo: heal")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("damage", "Say how many points, like damage mara 3."),
        ("stun bo", "Say how many points, like stun bo 3."),
        ("damage 3 ban fell", '"ban" could be names or a reason. Type damage bandit-1 3, or put the reason in quotes.'),
        (
            "damage 2 mara bo fell",
            '"mara bo" could be names or a reason. Type damage mara,bo 2, or put the reason in quotes.',
        ),
        ("damage mra 3", 'Nobody here is called "mra". Did you mean "mara"?'),
        ("heal bo 3", "Bo has neither damage nor stun to heal."),
        ("heal foes 3", 'Nobody in "foes" has anything to heal now.'),
        ("flee 3", 'Nobody here is called "3". Known: mara, bo, bandit-1, bandit-2, bandits, foes, heroes.'),
    ],
)
def test_an_incomplete_game_master_verb_is_refused_with_what_is_missing(table: Table, line: str, sentence: str) -> None:
    with pytest.raises(MamError) as error:
        table(line)
    assert sentence in error.value.sentence


def test_between_turns_damage_needs_a_target() -> None:
    table = Table(*people())
    with pytest.raises(BadInput, match=r"Say who, like damage mara 3\."):
        table("damage 3 trap")


def test_a_pass_for_somebody_else_is_refused(table: Table) -> None:
    with pytest.raises(Refused):
        table("bo: pass")


@pytest.mark.parametrize(
    ("line", "text", "about"),
    [
        ("note the lamp goes out.", "the lamp goes out.", 0),
        ("note 3 he was (never) there", "he was (never) there", 3),
        ('note 3 he said "so"', 'he said "so"', 3),
        ("note #3 is wrong!", "is wrong!", 3),
        ('note "as ever"', "as ever", 0),
        ("dispute 4 she was behind cover seen=gm", "she was behind cover", 4),
    ],
)
def test_a_note_needs_no_quotes_and_does_not_end_the_turn(table: Table, line: str, text: str, about: int) -> None:
    table(line)
    note = now(table).heads[-1]
    assert isinstance(note, Note)
    assert (note.text, note.about) == (text, about)
    assert now(table).state.turn


def test_an_answer_refers_to_the_only_open_dispute(table: Table) -> None:
    with pytest.raises(BadInput, match=r"No dispute is open\."):
        table("answer tables hide nobody")
    table("dispute 4 why")
    number = now(table).number
    assert table.orders("answer tables hide nobody") == [f'answer "tables hide nobody" about=#{number}']
    table("dispute 5 why")
    with pytest.raises(BadInput, match=rf"Say which dispute\. Open are {number}, {number + 2}\."):
        table("answer so")


def test_a_decided_fight_closes_without_confirmation(table: Table) -> None:
    table("damage foes 4")
    give_line(table.log, "fight", "close")
    assert now(table).state.status == "closed"
    assert isinstance(now(table).command(now(table).number - 1), Adjust)


NEVER = "change-rules house_rules=(half_success=never) reason=so"
AXE, CLUB = Weapon("axe", power=2), Weapon("club", power=1, readied=False)
WORDS_OF_TABLES = (
    Join(
        "mara", side="heroes", kind="pc", hp=8, weapon=(Weapon("axe", power=2), Weapon("club", power=1, readied=False))
    ),
    Join("rook", side="heroes", kind="pc", hp=8),
    Join("grob", side="foes", hp=8),
)


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("a grob with the axe p1", "mara: attack grob axe power=1"),
        ("attack grob p1 with her axe", "mara: attack grob axe power=1"),
        ("draw club", "mara: ready-weapon club"),
        ("mara draws her club", "mara: ready-weapon club"),
        (
            "change-rules half_success=never because we agreed",
            "change-rules house_rules=(half_success=never) reason=we agreed",
        ),
        ("rules change half-success=never reason=so", "change-rules house_rules=(half_success=never) reason=so"),
        ("house rule: half_success=never reason=so", "change-rules house_rules=(half_success=never) reason=so"),
    ],
)
def test_common_words_of_the_table_are_understood(line: str, long: str) -> None:
    table = Table(*WORDS_OF_TABLES).after("init first=mara reason=x", "n")
    assert [orders.replace('"', "") for orders in table.orders(line)] == [long]


def test_points_can_follow_the_letter_of_a_defense() -> None:
    table = Table(*WORDS_OF_TABLES).after("init first=mara reason=x", "n", "a grob p1 axe")
    assert table.orders("d3") == ["grob: defend 3"]
    table("u")
    assert table.orders("grob: d3") == ["grob: defend 3"]


def test_a_side_means_its_members_who_are_up() -> None:
    table = Table(*WORDS_OF_TABLES)
    assert table.orders("init surprise=heroes first=mara reason=x") == [
        "initiative surprise=mara,rook first=mara reason=x"
    ]


@pytest.mark.parametrize("line", ["release grob", "mara releases grob"])
def test_a_hold_can_be_named_by_its_target(line: str) -> None:
    table = Table(*WORDS_OF_TABLES).after("init first=mara reason=x", "n", "hold grob points=2", "r 6 1")
    (hold,) = table.log.at("fight").combatants["mara"].grapples
    assert table.orders(line) == [f"mara: release {hold.id}"]


@pytest.mark.parametrize(
    ("line", "long"),
    [
        (
            "change-rules half_success=never we always said so",
            'change-rules house_rules=(half_success=never) reason="we always said so"',
        ),
        (
            "house rules: Half-Success=Never the table, with grob",
            'change-rules house_rules=(half_success=never) reason="the table, with grob"',
        ),
        (
            "change-rules half_success=never parry_point_pool=defense because so",
            "change-rules house_rules=(half_success=never parry_point_pool=defense) reason=so",
        ),
        ("change-rules house_rules=(half_success=never) reason=so", NEVER),
    ],
)
def test_a_house_rule_is_an_option_a_reading_and_a_reason(line: str, long: str) -> None:
    assert Table(*WORDS_OF_TABLES).orders(line) == [long]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("change-rules half_success=never", "Give a reason: change-rules half_success=never because …."),
        ("house rule: parry point goes to defense", "change-rules parry_point_pool=defense because …."),
        (
            "house rule half success",
            "change-rules half_success=never because … or change-rules half_success=one_of_two_rolls because ….",
        ),
        ("house rule", "change-rules half_success=never because … (rules show lists every option"),
        ("change-rules parry_pool=defense", 'There is no option "parry_pool". Did you mean "parry_point_pool"?'),
        ("change-rules parry_point_pool=defence", 'cannot be "defence". Did you mean "defense"?'),
    ],
)
def test_an_error_for_an_incomplete_house_rule_shows_a_complete_line(line: str, text: str) -> None:
    assert text in Table(*WORDS_OF_TABLES).error(line)


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("gm bo 2 ready>dam healing potion", 'adjust "healing potion" move=(bo ready damage 2)'),
        ("gm bo dead he drowned", 'adjust "he drowned" condition=(bo=dead)'),
        ("gm bo 2 ready>dam mara pushed him", 'adjust "mara pushed him" move=(bo ready damage 2)'),
        (
            "gm Bandit 2 2 ready>dam the axe of Mara, so",
            'adjust "the axe of Mara, so" move=(bandit-2 ready damage 2)',
        ),
        ("gm bo 2 ready>dam in the dark", 'adjust "in the dark" move=(bo ready damage 2)'),
        ("gm #5 bo 2 ready>dam 3 def>ready a fall", None),
        (
            "gm bo 2 ready>dam mara 1 ready>stun a fall",
            'adjust "a fall" move=(bo ready damage 2) move=(mara ready stun 1)',
        ),
        ("gm bo 1 ready>dam mara out seen=gm", None),
        ("gm bo 1 ready>dam oil seen=gm", "adjust oil move=(bo ready damage 1) seen=gm"),
        ('gm bo 1 ready>dam mara dead "so', "adjust so move=(bo ready damage 1) condition=(mara=dead)"),
    ],
)
def test_words_after_an_adjustment_are_its_reason(table: Table, line: str, long: str | None) -> None:
    if long is None:
        assert "reason" in table.error(line) or "has 0" in table.error(line)
    else:
        assert table.orders(line) == [long]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "gm bo 2 ready>dam mara out of mercy",
            '"out" could be a state or a reason. Type gm … mara out because …',
        ),
        ("gm bo 2 ready>dam mara", "Say what happens to Mara"),
        ("gm bo 1 ready>dam dead a fall", '"dead" could be a state or a'),
        ("gm bo dead mura dead", 'Nobody here is called "mura"'),
        ("gm bo dead mura", 'Nobody here is called "mura"'),
        ("gm bo 2 ready>dam mura 2 ready>dam", 'Nobody here is called "mura"'),
    ],
)
def test_words_after_an_adjustment_that_could_be_a_name_are_asked_about(table: Table, line: str, text: str) -> None:
    assert text in table.error(line)


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ('move 2 "back to the door', "move 2; note back to the door"),
        ('a grob p1 axe "as he turns"', None),
    ],
)
def test_an_error_for_an_extra_remark_suggests_a_note(line: str, note: str | None) -> None:
    table = Table(*WORDS_OF_TABLES).after("init first=mara reason=x", "n")
    text = table.error(line)
    _, _, words = text.removesuffix(".").partition("Write a remark after it: ")
    assert words == note or note is None
    assert len(table.orders(words)) == len(("order", "note"))


@pytest.fixture
def actions() -> Table:
    """Return a round of Ron d6, in the turn of the first combatant, who has two actions."""
    codes = {"perception": "3D", "agility": "3D"}
    table = Table(
        *(
            Join(name, name=name.capitalize(), side=side, code=codes)
            for name, side in (("mira", "heroes"), ("thug", "foes"))
        ),
        preset="ron_d6",
    )
    table.after("ro mira 5 5 5 thug 1 2 2", "mira 2")
    return table


@pytest.mark.parametrize("line", ["run away", "mira runs away", "run_away", "mira: run away"])
def test_an_action_of_two_words_is_understood(actions: Table, line: str) -> None:
    assert actions.orders(line) == ["mira: perform run_away"]


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("r success mira hit in the arm", 'result success "mira hit in the arm"'),
        ("result hits Thug, twice", 'result success "Thug, twice"'),
        ("r fail 3 times", 'result failure "3 times"'),
        ('r success "as it is"', 'result success "as it is"'),
        ("r success", "result success"),
        ("r success because he fell", 'result success "he fell"'),
    ],
)
def test_words_after_a_result_describe_it(actions: Table, line: str, long: str) -> None:
    actions("slash thug 3D 5 2")
    assert actions.orders(line) == [long]


def test_damage_is_rolled_for_the_last_successful_actor(actions: Table) -> None:
    actions("slash thug 3D 5 2; r success")
    assert actions.orders("roll damage 2D 5 3") == ["mira: roll damage code=2D [5 3]"]
    assert actions.error("roll resistance 2D 5 3") == (
        "Say who does it: mira roll resistance 2D 5 3 or thug roll resistance 2D 5 3."
    )
    actions("slash thug 3D 5 2")
    assert "Say who does it: mira roll damage 2D 5 3 or thug roll damage 2D 5 3." in actions.error("roll damage 2D 5 3")


def test_the_interrupting_combatant_can_be_followed_by_a_colon() -> None:
    codes = {"perception": "3D", "agility": "3D"}
    people_ = (("mira", "heroes"), ("thug", "foes"))
    table = Table(*(Join(name, side=side, code=codes) for name, side in people_), preset="ron_d6")
    table.after("ro mira 5 5 5 thug 1 2 2", "mira 2", "w", "thug 1", "slash mira 2D 2 3")
    assert table.orders("mira interrupts: parry 3D 5 1") == ["mira: interrupt parry code=3D [5 1]"]


def test_an_amendment_can_change_only_the_text(actions: Table) -> None:
    actions("slash thug 3D 5 2")
    number = actions("r success in the arm").answers[0].number
    actions(f'amend {number} "in the leg', sure=True)
    assert now(actions).command(number).text == "in the leg"  # type: ignore[attr-defined]  # it is a result
    assert f"For a remark about the ruling, type note {number - 1} as he turned." in actions.error(
        f'amend {number - 1} "as he turned'
    )


def test_a_two_letter_word_has_no_suggestion(actions: Table) -> None:
    assert "Did you mean" not in actions.error("thug as it was")
    assert actions.error("thug is down").endswith("incapacitate thug because ….")
    assert "close" not in actions.error("house").partition("; ")[2].partition(" ")[0]
    assert 'Did you mean "mira"' in actions.error("mirra")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("mara flees, bandit 1 attacks bo", "mara flees; bandit 1 attacks bo"),
        ("damage bo 1, attack bandit-1 p2", "damage bo 1; attack bandit-1 p2"),
        ("damage bo 1 and bo moves 2", "damage bo 1; bo moves 2"),
    ],
)
def test_a_reason_that_could_be_another_order_is_asked_about(table: Table, line: str, text: str) -> None:
    assert f"could be an order or a reason. Type {text}, or put the reason in quotes." in table.error(line)


def test_takes_with_another_word_is_not_damage(table: Table) -> None:
    assert "damage" not in table.error("bo takes 1 axe")


def test_damage_with_a_dice_code_is_a_roll() -> None:
    actions = Table(
        *(Join(name, code={"perception": "3D", "agility": "2D"}) for name in ("kess", "thug")), preset="ron_d6"
    )
    actions.after("ro kess 3 4 5 thug 1 2 1", "kess 1")
    assert actions.orders("kess damage 4D 3 4 5 1") == ["kess: roll damage code=4D [3 4 5 1]"]
    assert "the damage of a hit instead: roll damage 4D" in actions.error("damage thug 3")


def test_an_error_for_a_defense_of_0_points_suggests_a_pass(table: Table) -> None:
    table("mara attack bo p1")
    assert "Bo passes (pass)" in table.error("bo d 0")
    assert table.orders("bo pass") == ["bo: pass"]


@pytest.mark.parametrize("line", ["mara ready bow", "mara: takes her longbow", "mara draws longbow"])
def test_a_weapon_can_be_readied_by_the_end_of_its_name(line: str) -> None:
    archers = Table(Join("mara", name="Mara", hp=8, weapon=(Weapon("longbow", "Longbow", kind="bow", readied=False),)))
    archers("initiative first=mara reason=so")
    assert archers.orders(line)[-1] == "mara: ready-weapon longbow"


def test_healing_a_group_with_fallen_members_needs_confirmation(table: Table) -> None:
    """One point would bring back somebody who fell long ago, so those combatants must be named."""
    table("damage bandit-1 4 axe; damage mara 2 axe")
    before = now(table).number
    question = (
        "Bandit 1 is down, and this brings them up again. To name only those who stand, type `standing`. "
        "End the line with ! to do it anyway."
    )
    assert table.error("heal everyone 1") == question
    assert table.error("foes heal 1 herbs") == question
    assert now(table).number == before
    assert table.orders("heal standing 1") == ['adjust "Healing 1" move=(mara damage other_used 1)']
    assert table.orders("heal heroes 1") == ['adjust "Healing 1" move=(mara damage other_used 1)']
    assert "bandit-1 damage other_used 1" in table.orders("heal foes 1 !")[0]
    table("damage bandit-1 4 axe")
    assert "bandit-1" in table.orders("heal bandit 1 1")[0]


@pytest.mark.parametrize(
    ("line", "kind", "about", "text"),
    [
        ("mara dispute 6: it should count", "dispute", 6, "it should count"),
        ("Bandit 2 disputes 6 it should count", "dispute", 6, "it should count"),
        ("mara: notes the lamp goes out", "comment", 0, "the lamp goes out"),
        ("dispute 6: it should count", "dispute", 6, "it should count"),
        ("dispute ruling 6 it should count", "dispute", 6, "it should count"),
    ],
)
def test_a_name_before_a_note_is_its_author(table: Table, line: str, kind: str, about: int, text: str) -> None:
    table(line)
    head = now(table).heads[-1]
    assert isinstance(head, Note)
    names = {"mara": "Mara", "Bandit": "Bandit 2"}
    assert (head.kind, head.about, head.text) == (kind, about, text)
    assert head.by == names.get(line.split(maxsplit=1)[0].removesuffix(":"), "")


def test_a_combatant_who_left_cannot_leave_again(table: Table) -> None:
    table("bandit 1 flees")
    assert table.error("bandit 1 flees") == "Bandit 1 has already left the fight."
    assert table.error("leave bo, bandit 1") == "Bandit 1 has already left the fight."
    table("gm bandit-2 dead because so")
    assert table.error("bandit 2 runs away") == "Bandit 2 is already dead."
