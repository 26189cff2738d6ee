"""Errors and questions about ambiguous or incomplete phrases."""

from __future__ import annotations

import pytest

from mam_events.commands import Join, Round
from mam_events.errors import NoFace
from tests.notation.lines.idiom_fighters import armed, mira_and_thug
from tests.notation.orders.test_short_form import begin_fight
from tests.notation.tables import CLONE, MODRE, WOLF, Table


def test_skipping_another_turn_is_refused() -> None:
    assert "which this edition does not have" in begin_fight(WOLF, MODRE).error("modre skips")


def test_an_ambush_without_a_subject_is_asked_about() -> None:
    assert "init NAME surprise" in Table(MODRE, Join("clone", side="heroes", hp=6), WOLF).error("ambush heroes")


UNSURE = (
    "wall",
    "the wall was there",
    "ruling 5",
    "to 5",
    "all since 5",
    "the last two",
    "5 and 4",
    "then r 3 5",
    "a bo p2",
)


@pytest.mark.parametrize("words", [*UNSURE, "that and the move", "that move", "round 1", ", r 3 5", "not the hit"])
def test_words_in_undo_that_could_name_a_ruling_are_refused(words: str) -> None:
    assert "undo" in begin_fight(WOLF, MODRE).after("wolf attacks modre p1").error(f"undo {words}")


@pytest.mark.parametrize("line", ["yield her", "flees her", "damage her 3", "he yields", "yield", "kill", "die 5"])
def test_leaving_with_a_pronoun_or_nobody_is_refused(line: str) -> None:
    Table(Join("ann", side="heroes", hp=6), Join("rat", side="rats", hp=6)).after("init first=ann because x").error(
        line
    )


@pytest.mark.parametrize("word", ["lets", "next", "ana", "says"])
def test_a_line_of_too_many_words_is_refused(word: str) -> None:
    assert "at most 100 words" in begin_fight(WOLF, MODRE).error(" ".join([word] * 400))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("join Ogre foes hp=9 armor=2", "2 could be the cover of the armor or its absorption"),
        ("join Ogre foes hp=9 armor=(Hide 2)", "armor=(Hide cover=4 absorption=2)"),
        ("join Ogre foes hp=9 w=(Axe range=4)", "Give it the kind bow, crossbow, gun or thrown"),
        ("join Ogre foes hp=9 w=(Axe damage=4)", "a hit, type power=2"),
    ],
)
def test_an_error_for_an_item_shows_how_to_type_it(line: str, text: str) -> None:
    assert text in Table().error(line)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("drink potion", "heal NAME 2 because …"),
        ("wolf drinks a potion", "heal wolf 2 because …"),
        ("trap modre 3", "damage NAME 2 because …"),
        ("modre stunned", "Type stun modre 2."),
        ("modre is stunned", "Type stun modre 2."),
        ("wolf hits modre for 4 damage", "For damage without a roll, type damage modre 4 because …."),
        ("cancel", "To undo the last line, type u."),
        ("back", "To undo the last line, type u."),
        ("modre is done", "To end the turn in progress, type a full stop (.)."),
        ("modre returns", "type gm modre able because …"),
        ("modre comes back", "type gm modre able because …"),
        ("decide", "rule-on 47 uphold lets"),
        ("combo modre", "combo 2 NAME NAME"),
        ("combo 2 modre p2", "Known: m2."),
    ],
)
def test_an_error_for_an_unknown_phrase_suggests_an_order(line: str, text: str) -> None:
    assert text in begin_fight(WOLF, MODRE, CLONE).error(line)


@pytest.mark.parametrize(
    ("line", "text"), [("modre parries p1", "nothing here. parry"), ("modre defends m1", "defend 1.")]
)
def test_an_error_for_an_idle_number_shows_the_right_number(line: str, text: str) -> None:
    table = begin_fight(WOLF, MODRE).after("wolf attacks modre p1")
    assert text in table.error(line)
    assert table.orders("modre defends p1") == ["modre: defend 1"]


def test_an_error_for_missing_tie_dice_names_all_tied_combatants() -> None:
    table = Table(*(Join(name, side=name, hp=6) for name in ("ann", "bo", "cy")))
    assert "at the end of the line, like `… ann 3 bo 3 cy 3`" in table.error_with("init", draws=False)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("ann hld ogre p2", 'Did you mean "hold"?'),
        ("zed hits rat p2", '"zed"'),
        ("2 hp=3", 'There is no "hp" here'),
        ("ann charges ogre p1", "A charge is a move and an attack"),
        ("ann wobbles", 'There is no order "wobbles"'),
        ("ann retreats", "To leave the fight"),
        ("ann moves 1 and wobbles", 'There is no "wobbles" here'),
        ("the fight is over", "still stand"),
        ("ann maintains the hold", "Ann holds nobody."),
        ("join Voss b hp=7 cutlass", "is unclear here. Type w=(cutlass power=1)"),
        ("join Dorn a w=(Sword 4D)", "A code belongs to a skill"),
    ],
)
def test_an_unclear_line_is_asked_about(line: str, text: str) -> None:
    assert text in armed().error(line)


@pytest.mark.parametrize("line", ["mira punches her, 5 4", "mira punches him v5 5 4", "she hits him"])
def test_a_pronoun_as_a_target_is_refused(line: str) -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D", "brawling": "2D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6").after("ro mira 5 3 thug 2 1")
    if line.startswith("she"):
        table("mira punches thug v5 5 4")
    table.error(line)


def test_an_abbreviated_skill_is_asked_about() -> None:
    table = Table(preset="ron_d6")
    assert 'No code is called "per". Did you mean perception?' in table.error("join Mira a per=3D agi=3D")
    table("join Mira a perception=3D agility=2D brawling=2D")
    assert "brawling=4D" in table.orders("amend 2 brawling=4D !")[-1]
    table.after("join Thug b perception=2D agility=2D", "ro mira 5 5 3 thug 2 1")
    assert table.orders("n mira takes 2 actions") == ["mira: declare 2"]


@pytest.mark.parametrize(
    "line",
    [
        "is it a miss",
        "2 dice",
        "5 rolls",
        "die 4",
        "no",
        "none",
        "ogre rolls 2",
        "6 2 ogre is dead",
        "6 2 it is a miss",
    ],
)
def test_an_unclear_outcome_in_an_exchange_is_refused(line: str) -> None:
    armed("ann attacks ogre p1").error(line)


def test_missing_dice_are_listed_in_the_order_of_typing() -> None:
    table = armed("ann attacks ogre p1", "rat interferes body p1")
    with pytest.raises(NoFace) as error:
        table("r", draws=False)
    assert [str(die) for die in error.value.dice] == ["Ann's attack", "ogre's defense", "rat's interference"]


@pytest.mark.parametrize("line", ["ann shields ann 2", "hal shields 2", "hal jumps back 2", "ogre steps aside 1"])
def test_an_unclear_phrase_is_not_a_reaction(line: str) -> None:
    Table(Join("ogre", side="foes", hp=9)).after(
        "join Ann heroes hp=9", "join Hal heroes hp=9", "initiative first=ogre reason=x", "ogre attacks ann p2"
    ).error(line)


def test_an_error_for_an_ambush_in_ron_d6_says_who_rolls() -> None:
    table = Table(preset="ron_d6").after("join Mira a perception=3D agility=3D brawling=4D")
    assert "Surprised combatants do not roll" in table.error("mira ambushes them")


def test_an_error_names_who_has_not_rolled_yet() -> None:
    table = Table(preset="ron_d6").after(
        "join Mira a perception=3D agility=3D brawling=4D",
        "join Thug b perception=2D agility=2D",
        "ro mira 4 5 2",
        "n mira.!",
    )
    assert "Type ro to begin a round. Type ri to roll for Thug in this one." in table.error("n")


def test_an_error_before_initiative_says_how_to_roll() -> None:
    table = Table(preset="ron_d6").after(
        "join Mira a perception=3D agility=3D brawling=4D", "join Thug b perception=2D agility=2D"
    )
    table.log.execute("fight", Round())
    assert "Round 1 has no order yet. Type ri to roll for Mira and Thug." in table.error("n")


def test_an_error_for_a_missing_skill_suggests_one_the_combatant_has() -> None:
    table = mira_and_thug(more="brawling=4D melee=4D")
    assert "With another skill: kicks thug brawling." in table.error("kicks thug")
    assert "With another skill: slashes thug melee." in table.error("slashes thug.")
    assert "fighting=4D" in table.orders("amend 2 code.fighting=4D !")[-1]


def test_a_single_number_after_a_parry_is_refused() -> None:
    table = armed("ann attacks ogre p1")
    assert table.error("ogre parries 2").startswith("parry: A parry takes no points.")
    assert table.orders("ogre parries 2 3") == ["ogre: parry body"]


@pytest.mark.parametrize("line", ["ann keeps hold of ogre", "ann keeps the hold"])
def test_releasing_nobody_is_refused(line: str) -> None:
    assert armed().error(line) == "Ann holds nobody."


def test_an_error_suggests_the_skill_named_like_the_action() -> None:
    table = mira_and_thug(more="shooting=5D fighting=4D")
    assert "With another skill: shoot thug shooting." in table.error("shoot thug")
    assert "With another skill: slashes thug fighting." in table.error("slashes thug")


@pytest.mark.parametrize(
    "line",
    [
        *("2 damage to ogre, 3 to rat", "ann takes 2 damage, ogre takes 1", "ann kills", "rat removes", "a die"),
        *("a dies", "ann leaves cover", "ogre leaves ann alone", "leave rat alone", "ogre flees 3 m"),
        *("rat leaves, ogre follows", "rat loses 2 turns", "rat loses 2 arrows", "rat loses 2 stun", "kill 2"),
        *("leave 2", "remove 2", "surrender 1", "ann ends him", "end it", "it ends"),
        *("ann looks around and hits ogre p2", "ann nods, passes", "ann joins in", "undo that, rat passes instead"),
        *("undo that, ann hits", "ann never ogre p1", "ann wont ogre p1", "ann instead ogre p1"),
        *("ann misses ogre p1", "ann tells ogre p1", "ann hands hal her sword p1", "ann rescues hal p1"),
        *("ann thwacks hal p1", "ann gives ogre the sword p1", "ann slips away", "ann runs off to hit ogre"),
        *("ann limps off into cover", "we flee", "they flee", "act hits ogre p1", "act flee", "act ready all"),
        *("act draw sword", "rat never joins foes hp=3", "Tad us hp=3", "Damag ogre hp=2", "Tad loses hp=3"),
        *("Tad joins them hp=3", "Tad joins the other side hp=3", "ann does not use her sword on the ogre p1"),
        *("ann keeps her sword, waits, ogre p1 m1", "ann spares the ogre p1", "ann never whacks the ogre p1"),
        *("ann waits for ogre p1", "ann wants to bonk the ogre p1"),
    ],
)
def test_an_improbable_line_writes_nothing(line: str) -> None:
    table = armed("join Hal heroes hp=6", "ann moves 1")
    number = table.log.timeline("fight").number
    table.error(line)
    assert table.log.timeline("fight").number == number


@pytest.mark.parametrize(
    "line",
    ["hit or miss", "hits, but only half", "it hit nothing", "a hit and a miss", "it's a hit r", "mira does", "do"],
)
def test_an_uncertain_outcome_is_asked_about(line: str) -> None:
    table = mira_and_thug("mira punches thug v10 4 3 2 1", more="brawling=4D dodge=4D")
    table.error(line)


def test_an_error_for_an_empty_pool_suggests_another() -> None:
    table = Table(Join("ann", side="a", hp=9), Join("bo", name="Bo", side="b", hp=6)).after(
        "initiative first=ann reason=x", "ann attacks bo p1", "bo defends 2", "3 4; n"
    )
    assert table.error("bo ready o").endswith("nothing in other used to make ready. Type ready all (2 from defense).")
    assert table.orders("bo ready all") == ["bo: ready defense=2"]
