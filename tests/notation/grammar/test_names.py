"""Names of combatants and items, accepted as they are shown at every place of a line."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.history.timeline.rulings import rulings
from mam_events.state import Item, Weapon
from projections.rulings.log_lines import log_line_text, log_lines
from tests.notation.tables import Table

CROWD = (
    Join("mara", name="Mara", side="heroes", kind="pc", hp=7),
    Join("skeleton-archer", name="Skeleton Archer", side="foes", hp=4),
    Join("s1", name="The Bone Man", side="foes", hp=4),
    Join("goblin-1", name="Goblin 1", side="foes", hp=4),
    Join("goblin-2", name="Goblin 2", side="foes", hp=4),
    Join("rat", name="Rat", side="foes", hp=4),
    Join("rat-2", name="Rat 2", side="foes", hp=4),
    Join("zoe", name="Zoë", side="foes", hp=4),
)


@pytest.fixture
def table() -> Table:
    """Return a fight of Mara, who is next, against many foes."""
    return Table(*CROWD).after("initiative first=mara reason=so")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("skeleton-archer", "skeleton-archer"),
        ("skeleton", "skeleton-archer"),
        ("archer", "skeleton-archer"),
        ("Skeleton Archer", "skeleton-archer"),
        ('"Skeleton Archer"', "skeleton-archer"),
        ("bone man", "s1"),
        ("the bone man", "s1"),
        ("bone", "s1"),
        ('"The Bone Man"', "s1"),
        ("goblin 2", "goblin-2"),
        ('"Goblin 2"', "goblin-2"),
        ("@rat", "rat"),
        ("rat-2", "rat-2"),
        ("Zoë", "zoe"),
        ("zoe", "zoe"),
        ('target="the bone man"', "s1"),
        ("target=archer", "skeleton-archer"),
    ],
)
def test_a_target_can_be_given_by_id_name_or_words_of_the_name(table: Table, text: str, expected: str) -> None:
    assert table.orders(f"a {text} p1") == ["mara: begin-turn", f"mara: attack {expected} body power=1"]


@pytest.mark.parametrize("text", ["bone man", "The Bone Man", '"the bone man"', "bone man:", "s1"])
def test_an_actor_can_be_given_by_id_name_or_words_of_the_name(table: Table, text: str) -> None:
    table("a bone man p1")
    assert table.orders(f"{text} d 1") == ["s1: defend 1"]


@pytest.mark.parametrize("text", ["goblin 2", '"goblin 2"', "goblin-2"])
def test_an_adjustment_accepts_a_name_of_several_words(table: Table, text: str) -> None:
    assert table.orders(f'gm {text} 1 ready>damage "oil"') == ["adjust oil move=(goblin-2 ready damage 1)"]
    assert table.orders(f'gm {text} dead "oil"') == ["adjust oil condition=(goblin-2=dead)"]


def test_turns_amendments_and_inserts_accept_names(table: Table) -> None:
    assert table.orders("mara") == ["mara: begin-turn"]
    table("a goblin 1 p1")
    assert table.orders("amend 12 goblin 2 !") == ["correct ~#12=(target=goblin-2)"]
    assert table.orders('amend 12 target="the bone man" !') == ["correct ~#12=(target=s1)"]
    table("u !")
    assert table.orders("after 11 mara: a skeleton archer p1 !")[-1] == (
        "after #11: mara: attack skeleton-archer body power=1"
    )


def test_dice_of_initiative_can_follow_a_name_of_several_words() -> None:
    archers = [Join(f"a{n}", name=f"Elf {n} of Barrow", code={"perception": "2D"}) for n in (1, 2)]
    table = Table(*archers, preset="ron_d6").after("round")
    orders = table.orders('roll-initiative "Elf 1 of Barrow" 3 2 elf 2 of barrow 5 1')
    assert orders == ["roll-initiative a1,a2 [a1=3,2 a2=5,1]"]


def test_an_ambiguous_name_is_asked_about(table: Table) -> None:
    assert table.error("a goblin p1") == '"goblin" could be goblin-1 or goblin-2. Which one?'
    assert table.error("a rat 2 p1") == '"rat 2" could be Rat 2 (rat-2), or Rat and a 2 (@rat 2). Which one?'
    assert table.error("goblin: wait") == '"goblin" could be Goblin 1 or Goblin 2. Which one?'
    table('join s2 name="Old Bone Man" side=foes hp=4')
    assert table.error("a bone man p1") == '"bone man" could be The Bone Man or Old Bone Man. Which one?'
    assert table.error("bone man: wait") == '"bone man" could be The Bone Man or Old Bone Man. Which one?'


def test_joining_with_a_taken_name_is_refused(table: Table) -> None:
    assert table.error("join Rat foes hp=3") == '"rat" is already in this fight. "Rat 3" is free.'
    text = 'Goblin 1 (goblin-1) is already in this fight, and two combatants cannot share a name. "Goblin 3" is free.'
    assert table.error("join g Goblin 1 foes hp=3") == text
    assert table.error("join bone Zoe foes hp=3").startswith("Zoë (zoe) is already in this fight")
    assert table.error("join the-bone-man foes hp=3").startswith("The Bone Man (s1) is already in this fight")
    assert table.orders("join Goblin 3 foes hp=3") == ['join goblin-3 "Goblin 3" foes npc hp=3']


def test_a_dead_combatant_must_be_named_in_full(table: Table) -> None:
    table('gm "the bone man" dead "so"')
    assert table.error("gm bone able so").startswith('Nobody here is called "bone"')
    assert table.orders('gm the bone man able "so"') == ["adjust so condition=(s1=able)"]


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("join vera heroes hp=3", "pc", "vera joins for heroes as a player character with 3 hit points"),
        ("join vera party hp=3", "pc", "vera joins for party as a player character with 3 hit points"),
        ("join vera foes hp=3", "npc", "vera joins for foes with 3 hit points"),
        ("join vera heroes npc hp=3", "npc", "vera joins for heroes with 3 hit points"),
        ("join vera foes pc hp=3", "pc", "vera joins for foes as a player character with 3 hit points"),
    ],
)
def test_a_combatant_who_joins_the_heroes_is_a_player_character_by_default(line: str, kind: str, text: str) -> None:
    table = Table()
    orders = table.orders(line)
    timeline = table.log.timeline("fight")
    assert timeline.state.combatants["vera"].kind == kind
    assert orders == [f"join vera - {line.split()[2]} {kind} hp=3"], "it is told at once"
    assert text in log_line_text(log_lines(rulings(timeline))[-1])


def test_the_log_names_the_first_eight_of_many_and_counts_the_rest() -> None:
    table = Table(*(Join(f"rat-{n}", name=f"Rat {n}", side="foes", hp=1) for n in range(1, 34)))
    table("initiative first=rat-1 reason=so")
    text = log_line_text(log_lines(rulings(table.log.timeline("fight")))[-1])
    assert text.endswith("then Rat 2, Rat 3, Rat 4, Rat 5, Rat 6, Rat 7, Rat 8 and 25 more")


SCRIPTS = (
    Join(
        "hero",
        name="勇者",
        side="heroes",
        hp=9,
        weapon=(
            Weapon("s", "Säbel", power=1),
            Weapon("l", "Long Bow", kind="bow", range=Decimal(30), readied=False),
            Weapon("k", "Нож", readied=False),
        ),
        item=(Item("r", "Old Rope"),),
    ),
    Join("r1", name="Герой Мария", side="foes", hp=9, weapon=(Weapon("z", "Клык"),)),
    Join("dragon", name="🐉", side="foes", hp=9),
    Join("s2", name="🐉 Smaug", side="foes", hp=9),
    Join("tom", name="Tom & Jerry", side="foes", hp=9),
)


@pytest.fixture
def foreign_scripts() -> Table:
    """Return a fight of combatants whose names are in several scripts."""
    return Table(*SCRIPTS).after("initiative first=勇者 reason=so")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Герой", "r1"),
        ("мария", "r1"),
        ("Герой Мария", "r1"),
        ('"герой мария"', "r1"),
        ("target=Мария", "r1"),
        ("🐉", "dragon"),
        ('"🐉"', "dragon"),
        ("tom & jerry", "tom"),
        ("🐉 smaug", "s2"),
    ],
)
def test_a_name_in_any_script_is_accepted(foreign_scripts: Table, text: str, expected: str) -> None:
    assert foreign_scripts.orders(f"勇者 a {text} s p1") == ["hero: begin-turn", f"hero: attack {expected} s power=1"]


def test_names_in_any_script_are_accepted_everywhere_in_a_line(foreign_scripts: Table) -> None:
    assert foreign_scripts.orders('1.1 勇者: act "wave" 1')[0] == "hero: begin-turn"
    assert foreign_scripts.orders('gm 勇者 1 ready>damage "so"') == ["adjust so move=(hero ready damage 1)"]
    assert foreign_scripts.orders('gm condition.Мария=out "so"') == ["adjust so condition=(r1=out)"]
    assert foreign_scripts.orders("damage 勇者 1") == ['adjust "Damage 1" move=(hero ready damage 1)']
    assert foreign_scripts.orders('勇者 check "leap" v5 situation="勇者 +2 wind" [5]') == [
        'hero: check leap difficulty=5 situation="hero +2 wind" [5]'
    ]


def test_faces_in_brackets_can_follow_names_in_any_script() -> None:
    people = [Join(id_, name=name, code={"perception": "1D"}) for id_, name in (("a1", "勇者"), ("a2", "Zoë"))]
    table = Table(*people, preset="ron_d6").after("round")
    assert table.orders("roll-initiative 勇者 Zoë [勇者=3 Zoë=4]") == ["roll-initiative a1,a2 [a1=3 a2=4]"]


def test_names_without_latin_letters_are_compared_without_accents() -> None:
    table = Table(Join("s1", name="Семён", hp=3))
    assert table.error('join s2 "Семен" hp=3').startswith("Семён (s1) is already in this fight")
    assert table.error("join Семён 2 hp=3") == (
        '"Семён 2" has no letter from a to z, so it needs a short name before it, like hero "Семён 2".'
    )


@pytest.mark.parametrize("text", ["säbel", "Säbel", "sabel", '"Säbel"', "weapon=säbel", 'w="Säbel"', "säb", "s", "w=s"])
def test_an_item_can_be_given_by_its_name(foreign_scripts: Table, text: str) -> None:
    assert foreign_scripts.orders(f"a герой {text} p1")[-1] == "hero: attack r1 s power=1"


def test_every_order_accepts_an_item_name_of_several_words(foreign_scripts: Table) -> None:
    foreign_scripts("勇者")
    assert foreign_scripts.orders("ready-weapon long bow") == ["hero: ready-weapon l"]
    assert foreign_scripts.orders("ready нож") == ["hero: ready-weapon k"]
    assert foreign_scripts.orders("drop old rope") == ["hero: drop-item r"]
    assert foreign_scripts.orders("pick up old rope") == ["hero: pick-up-item r"]
    assert foreign_scripts.orders("drop säbel") == ["hero: drop-item s"]
    assert foreign_scripts.orders("drop 1") == ["hero: drop points=1"]
    assert foreign_scripts.orders("end turn") == ["hero: end-turn"]
    assert foreign_scripts.orders("Мария pick up säbel")[-1] == "r1: pick-up-item s owner=hero"
    text = log_line_text(log_lines(rulings(foreign_scripts.log.timeline("fight")))[-1])
    assert "Герой Мария picks up 勇者's Säbel" in text


def test_an_amendment_accepts_an_item_name(foreign_scripts: Table) -> None:
    foreign_scripts("a герой body p1")
    assert foreign_scripts.orders("amend 9 weapon=säbel !") == ["correct ~#9=(weapon=s)"]
    assert foreign_scripts.orders("amend 9 tom & jerry !") == ["correct ~#9=(target=tom)"]


def test_an_item_name_followed_by_a_number_is_asked_about() -> None:
    guns = (Weapon("g1", "Gun", power=1), Weapon("g2", "Gun 2", power=1))
    table = Table(Join("ann", hp=6, side="heroes", weapon=guns), Join("rat", hp=6, side="foes"))
    table("initiative first=ann reason=so")
    assert table.error("a rat gun 2 p1") == '"gun 2" could be Gun 2 (g2), or Gun and a 2 (g1 2). Which one?'


def test_a_correction_that_gives_two_combatants_the_same_name_is_refused(table: Table) -> None:
    text = "Rat (rat) and Rät (rat-2) would both be in this fight with the same name. Give one"
    assert table.error("amend 8 name=Rät !").startswith(text)
    table.after("amend 7 name=Bob !", "amend 8 name=Rat !")
    assert table.error("undo 11 !").startswith("Rat (rat) and Rat (rat-2) would both be in this fight")
    table("amend 8 name=Cy !")
    assert table.orders("undo 11 !"), "that name is free again"


def test_amending_a_name_keeps_the_id(table: Table) -> None:
    assert table.orders("amend 7 name=Bob !") == ['correct ~#7=(name="Bob")']
    assert table.orders("correct ~#7=(name=Bert) !") == ['correct ~#7=(name="Bert")']
    assert table.orders("a bert p1")[-1] == "mara: attack rat body power=1"


def test_redo_of_a_join_with_a_taken_name_is_refused(table: Table) -> None:
    table.after("u 9 only !", "join zed Zoë foes hp=2")
    assert table.error("redo 11 !").startswith("Zoë (zoe) and Zoë (zed) would both be")
    table.after("amend 12 name=Zed !", "redo 11 !")


def test_a_correction_does_not_compare_hidden_names(table: Table) -> None:
    table.after('amend 8 seen=gm name="Old Rat" !', 'amend 7 name="Old Rat" !', "amend 6 hp=5 !")


def test_single_quotes_around_a_name_are_removed(table: Table) -> None:
    assert table.orders("join 'The Crow' foes hp=3") == ['join the-crow "The Crow" foes npc hp=3']
    assert table.orders("join O'Neil foes hp=3") == ['join o-neil "O\'Neil" foes npc hp=3']


def test_a_number_meant_as_hit_points_is_asked_about(table: Table) -> None:
    assert '"8" is part of the name there. Give them (hp)' in table.error("join Vera 8 foes")


def test_dice_codes_can_be_given_without_parentheses() -> None:
    table = Table(preset="ron_d6")
    assert table.orders("join Vera perception=3D Melee-Combat=2d+1") == [
        'join vera "Vera" all npc code=(perception=3D melee-combat=2D+1)'
    ]
    assert 'Did you mean "perception"' not in table.error("join bob hp=3D"), "a field of its own is none"


@pytest.mark.parametrize(
    ("line", "joins"),
    [
        ("join 3 Bandits foes hp=4", ["bandit-1", "bandit-2", "bandit-3"]),
        ("join two orcs foes hp=4", ["orc-1", "orc-2"]),
        ("join 2 wolves foes hp=4", ["wolf-1", "wolf-2"]),
        ("join Ogre foes hp=4 x2", ["ogre-1", "ogre-2"]),
        ("join Agent 47 foes hp=4", ["agent-47"]),
        ("join 2x Bandits foes hp=4", ["bandit-1", "bandit-2"]),
        ("join 2 x Bandits foes hp=4", ["bandit-1", "bandit-2"]),
        ("join two Cave Rats foes hp=4", ["cave-rat-1", "cave-rat-2"]),
        ("join 2 Harpies foes hp=4", ["harpy-1", "harpy-2"]),
        ("join 2 witches foes hp=4", ["witch-1", "witch-2"]),
        ("join 2 slaves foes hp=4", ["slave-1", "slave-2"]),
    ],
)
def test_join_accepts_a_count(table: Table, line: str, joins: list[str]) -> None:
    assert [orders.split()[1] for orders in table.orders(line)] == joins


@pytest.mark.parametrize("line", ["join 3 Ogre foes hp=4", "join 7 foes hp=4", "join 2 Boss foes hp=4"])
def test_a_number_that_could_be_part_of_a_name_is_asked_about(table: Table, line: str) -> None:
    assert "could be a name, or a number and a name" in table.error(line)


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("w=(Axe pow=3) shield parry=1", 'weapon=(axe "Axe" power=3) weapon=(shield parry=1)'),
        (
            "Great Axe pow=3 reach 1 shield parry 1",
            'weapon=(great-axe "Great Axe" power=3 reach=1) weapon=(shield parry=1)',
        ),
        ("npc leather absorption=1 cover=2 stride=2", "stride=2 armor=(leather cover=2 absorption=1)"),
        ("npc parry=1", "parry=1"),
    ],
)
def test_an_item_can_be_given_without_parentheses(table: Table, line: str, long: str) -> None:
    assert table.orders(f"join Gus foes hp=4 {line}") == [f'join gus "Gus" foes npc hp=4 {long}']


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            "rope encumbrance=1",
            "Say what rope is. Type weapon=(rope encumbrance=1), armor=(rope encumbrance=1) or item=(rope",
        ),
        ("bos_npc power=3", 'Did you mean "boss_npc"?'),
        ("guard hp=3", "a name and = before it, like side=guard"),
    ],
)
def test_an_ambiguous_item_is_asked_about(table: Table, line: str, text: str) -> None:
    assert text in table.error(f"join Gus foes {line}")


@pytest.mark.parametrize("text", ["boss", "kind=boss"])
def test_the_kind_of_a_combatant_can_be_abbreviated(table: Table, text: str) -> None:
    assert table.orders(f"join Gus foes {text} hp=4") == ['join gus "Gus" foes boss_npc hp=4']


@pytest.mark.parametrize("text", ["agility 4D+1 dodge: 2D", "code=(agility 4D+1 dodge=2D)", "agility=4D+1 dodge 2D"])
def test_a_dice_code_needs_no_equals_sign(text: str) -> None:
    table = Table(Join("bo", code={"perception": "2D"}), preset="ron_d6")
    assert table.orders(f"join Gus foes {text}") == ['join gus "Gus" foes npc code=(agility=4D+1 dodge=2D)']


@pytest.fixture
def two_kinds() -> Table:
    """Return a fight of Mara, who is next, against three foes of each of two kinds."""
    kinds = ("goblin", "dwarf")
    foes = (Join(f"{kind}-{n}", name=f"{kind.title()} {n}", side="foes", hp=6) for kind in kinds for n in (1, 2, 3))
    return Table(Join("mara", name="Mara", side="heroes", hp=7), *foes).after("initiative first=mara reason=so")


@pytest.mark.parametrize("dice", ["3 3", "2 2", "3, 3", "r 3 3", "3 3.", "r 3 3."])
def test_equal_faces_are_dice_even_if_combatants_have_numbers(two_kinds: Table, dice: str) -> None:
    two_kinds("a goblin 2 p1 m1")
    assert two_kinds.orders(dice)[0] in ("resolve [3 3]", "resolve [2 2]")


def test_equal_faces_after_an_order_are_dice(two_kinds: Table) -> None:
    stopped = two_kinds("a goblin 2 p1 m1 3 3").stopped
    assert stopped is not None
    assert stopped.unused == "3 3"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("dwarf 2 d 2", "dwarf-2: defend 2"),
        ("dwarf 2: d 2", "dwarf-2: defend 2"),
        ("a d 2 p1", "mara: attack dwarf-2 body power=1"),
    ],
)
def test_a_letter_after_a_name_is_not_the_beginning_of_another_name(two_kinds: Table, line: str, text: str) -> None:
    if line.startswith("dwarf"):
        two_kinds("a dwarf 2 p1")
    assert two_kinds.orders(line)[-1] == text


def test_a_letter_after_a_target_takes_its_number(two_kinds: Table) -> None:
    two_kinds.after('join pixie-1 "Pixie 1" foes hp=1', 'join pixie-2 "Pixie 2" foes hp=1')
    assert two_kinds.orders("a goblin 2 p 2")[-1] == "mara: attack goblin-2 body power=2"


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("gobln 2", "goblin-2"),
        ("gobln 2 a mara p1", "goblin-2"),
        ("a gobln 2 p1", "goblin-2"),
        ("damage gobln 2 2", "goblin-2"),
        ("gobblins leave", "goblins"),
        ("damage gobblins 2", "goblins"),
    ],
)
def test_an_error_for_a_mistyped_name_suggests_the_same_number_or_kind(two_kinds: Table, line: str, near: str) -> None:
    assert f'Did you mean "{near}"?' in two_kinds.error(line)


def test_a_plural_means_all_combatants_of_a_kind(two_kinds: Table) -> None:
    moves = " ".join(f"move=(dwarf-{n} ready damage 1)" for n in (1, 2, 3))
    assert two_kinds.orders("damage dwarfs 1") == [f'adjust "Damage 1" {moves}']
    gone = " ".join(f"goblin-{n}=out" for n in (1, 2, 3))
    assert two_kinds.orders("goblins leave") == [f'adjust "Left the fight" condition=({gone})']


def test_an_error_does_not_ask_for_an_actor_who_is_already_named(two_kinds: Table) -> None:
    two_kinds("a goblin 2 p1")
    assert two_kinds.orders("goblin 1 interferes w body p1") == ["goblin-1: interfere body power=1"]
    assert "stands before it" not in two_kinds.error("dwarf 1 interferes dwarf 2 p1")
