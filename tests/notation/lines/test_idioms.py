"""Other phrases for orders, and the questions about ambiguous ones."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mam_events.commands import Join
from mam_events.state import Weapon
from tests.notation.lines.idiom_fighters import FOES, armed, mira_and_thug
from tests.notation.orders.test_short_form import begin_fight
from tests.notation.tables import CLONE, MODRE, WOLF, Table

BOWS = ("Longbow", "bow"), ("Heavy Crossbow", "crossbow"), ("Flintlock Pistol", "gun"), ("Javelin", "thrown")


@pytest.mark.parametrize("line", ["wolf skips", "skip", "wolf passes her turn", "pass", "skips the turn"])
def test_skipping_a_turn_begins_and_ends_it(line: str) -> None:
    table = begin_fight(WOLF, MODRE, CLONE)
    assert table.orders(line) == ["wolf: begin-turn", "wolf: end-turn"]
    assert table.orders("modre") == ["modre: begin-turn"]
    assert table.orders("skip") == ["modre: end-turn"]


def test_passing_as_a_target_is_a_pass() -> None:
    assert begin_fight(WOLF, MODRE).after("wolf attacks modre p1").orders("modre passes") == ["modre: pass"]


@pytest.mark.parametrize("line", ["heroes ambush", "heroes ambush the party"])
def test_an_ambush_surprises_the_other_side(line: str) -> None:
    table = Table(MODRE, Join("clone", side="heroes", hp=6), WOLF)
    (orders,) = table.orders(line)
    assert orders.startswith("initiative surprise=modre,clone")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("wolf n", "wolf: begin-turn"),
        ("wolf surrenders", 'adjust "Surrendered" condition=(wolf=out)'),
        ("wolf gives up", 'adjust "Surrendered" condition=(wolf=out)'),
        ("yield wolf", 'adjust "Yielded" condition=(wolf=out)'),
        ("wolf smashing modre p1", "wolf: attack modre body power=1"),
    ],
)
def test_common_phrases_are_understood_as_orders(line: str, long: str) -> None:
    assert begin_fight(WOLF, MODRE, CLONE).orders(line)[-1] == long


@pytest.mark.parametrize("line", ["combo wolf clone", "modre combo 2 actions on wolf and clone"])
def test_a_combo_has_as_many_actions_as_targets(line: str) -> None:
    fighter = Join("modre", side="heroes", hp=6, speed=Decimal(2))
    assert begin_fight(fighter, WOLF, CLONE).orders(line)[-1] == "modre: declare-combo 2 wolf,clone"


def test_an_object_can_stand_between_the_parts_of_a_verb() -> None:
    table = begin_fight(Join("ann", side="heroes", hp=6, weapon=(Weapon("sword", name="Sword"),)), WOLF)
    assert table.orders("ann puts the sword down")[-1] == "ann: drop-item sword"
    table("u")
    assert table.orders("ann puts down her sword")[-1] == "ann: drop-item sword"
    assert table.orders("ann picks the sword up")[-1] == "ann: pick-up-item sword"
    table("ann holds wolf 2; 6 1")
    assert table.orders("ann lets the wolf go")[-1].startswith("ann: release ")


def test_init_alone_begins_a_round_in_ron_d6() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D"})
    assert Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6").orders("init")[0] == "round"


def test_a_number_with_actions_declares_them() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6").after("ro mira 5 3 thug 2 1")
    assert table.orders("mira 2 actions") == ["mira: declare 2"]


def test_words_after_a_number_or_comma_in_undo_are_the_reason() -> None:
    table = begin_fight(WOLF, MODRE).after("wolf attacks modre p1")
    assert table.orders("undo that, he was behind a wall")[-1].endswith('"he was behind a wall"')
    table("wolf attacks modre p1")
    newest = table.log.timeline("fight").number
    assert table.orders(f"u {newest} the wall was there")[-1].endswith('"the wall was there"')
    number = table.log.timeline("fight").number
    (orders,) = table.orders("undo 4 it was the other one rewind !")
    assert orders.endswith('"it was the other one"')
    assert table.log.timeline("fight").number == number + 1


@pytest.mark.parametrize("line", ["ann gives up her turn", "ann surrenders the sword", "ann yields ground to rat"])
def test_giving_something_up_is_not_leaving_the_fight(line: str) -> None:
    table = Table(Join("ann", side="heroes", hp=6), Join("rat", side="rats", hp=6))
    assert "out of the fight, type" in table.error(line)
    assert table.orders("ann surrenders because of the sword")[-1].endswith("condition=(ann=out)")


@pytest.mark.parametrize(("name", "kind"), BOWS)
def test_the_name_of_a_missile_weapon_decides_its_kind(name: str, kind: str) -> None:
    table = Table().after(f"join Ann heroes hp=6 w=({name} range=20) w=(Knife pow=1)")
    _, bow, knife = table.log.at("fight").combatants["ann"].weapons
    assert (bow.kind, bow.range, knife.kind) == (kind, Decimal(20), "hand")


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("ann thwacks ogre p1 m1", "ann: attack ogre sword power=1 modifier=1"),
        ("ann lashes out at the rat p2", "ann: attack rat sword power=2"),
        ("ann fences with ogre p2", "ann: attack ogre sword power=2"),
        ("ann goes for the ogre p2", "ann: attack ogre sword power=2"),
        ("ann bashes the ogre with his shield p1", "ann: attack ogre shield power=1"),
        ("ann thrashes her shield against ogre p1", "ann: attack ogre shield power=1"),
        ("ann squeezes ogre 2", "ann: manipulate ogre body choke power=2"),
        ("ann steps back 2", "ann: move points=2"),
        ("she retreats 2", "ann: move points=2"),
        ("2 wolves foes hp=3", 'join wolf-2 "Wolf 2" foes npc hp=3'),
        ("Odo joins heroes hp=9", 'join odo "Odo" heroes pc hp=9'),
        ("ann moves 1 carefully", "ann: move points=1"),
        ("ann moves 2 up to the ogre", "ann: move points=2"),
        ("ann shoves ogre 2", "ann: manipulate ogre body none points=2"),
        ("ann goes prone", "ann: drop"),
        ("ann looks at the ogre", 'note "ann looks at the ogre"'),
        ("ann says the ogre moved", 'note "ann says the ogre moved"'),
        ("note: it rains", 'note "it rains"'),
        ("kill rat", 'adjust "Killed" condition=(rat=dead)'),
        ("rat dies", 'adjust "Died" condition=(rat=dead)'),
        ("remove the rat", 'adjust "Taken out" condition=(rat=out)'),
        ("the foes flee", 'adjust "Fled" condition=(rat=out ogre=out)'),
        ("all foes surrender", 'adjust "Surrendered" condition=(rat=out ogre=out)'),
        ("rat loses 2", 'adjust "Damage 2" move=(rat ready damage 2)'),
        ("2 damage to rat", 'adjust "Damage 2" move=(rat ready damage 2)'),
        ("ann attacks ogre with 3 on power and 2 on the blow", "ann: attack ogre sword power=3 modifier=2"),
        ("ann hits ogre, 2 points on power, 1 on the modifier", "ann: attack ogre sword power=2 modifier=1"),
        ("ann hits ogre 1 power 1 modifier", "ann: attack ogre sword power=1 modifier=1"),
        ("ann smashes her shield into the ogre p1", "ann: attack ogre shield power=1"),
        ("ann moves 1 away from the ogre", "ann: move points=1"),
        ("ann backs away 2", "ann: move points=2"),
        ("ann throws rat to the ground 2", "ann: manipulate rat body throw points=2"),
        ("ann shouts: for the king", 'note "ann shouts: for the king"'),
        ("next: ann a ogre p1", "ann: attack ogre sword power=1"),
        ("ann is next", "ann: begin-turn"),
        ("ann takes a breather", "ann: rest"),
        ("ann hits ogre, 2 power 1 mod", "ann: attack ogre sword power=2 modifier=1"),
        ("ann throws ogre down p1 m2", "ann: manipulate ogre body throw points=1 modifier=2"),
        ("ann throws down her sword", "ann: drop-item sword"),
        ("ann runs for it", 'adjust "Fled" condition=(ann=out)'),
        ("ann slinks away", 'adjust "Fled" condition=(ann=out)'),
        ("ann sneaks off", 'adjust "Fled" condition=(ann=out)'),
        ("ann runs for her life", 'adjust "Fled" condition=(ann=out)'),
        ("ann runs 5", "ann: move points=5"),
        ("ann runs 5m", "ann: move points=5 metres=5"),
        ("ann ogre p1 m1", "ann: attack ogre sword power=1 modifier=1"),
    ],
)
def test_other_verbs_are_understood_as_orders(line: str, long: str) -> None:
    assert armed().orders(line)[-1] == long


def test_a_reaction_can_name_the_actor_it_answers() -> None:
    assert armed("ann attacks ogre p1").orders("rat tackles ann p1")[-1].startswith("rat: tackle ")


def test_faces_can_follow_the_names_of_their_throwers() -> None:
    table = armed("ann attacks ogre p1", "rat interferes body p1")
    assert table.orders("ogre 3 rat 6 ann 4")[-1] == "resolve [4 3 #8=6]"
    table("u")
    assert "Ann's 5" in table.error("r ogre 3 rat 6 ann 4 5")
    assert table.orders("r 3 rat 6 ann 4")[-1] == "resolve [4 3 #8=6]"


@pytest.mark.parametrize(("line", "text"), [("take back 7", ""), ("take back 7 she slipped", '"she slipped"')])
def test_synonyms_of_undo_are_understood(line: str, text: str) -> None:
    table = armed("ann attacks ogre p1")
    (orders,) = table.orders(line)
    assert orders.startswith("correct -#")
    assert orders.endswith(text)


def test_words_after_an_amendment_are_its_reason() -> None:
    table = armed("ann attacks ogre p1", "r 3 4")
    orders = table.orders("amend 8 4 4 ogre threw the four !")[-1]
    assert orders == 'correct ~#8=(attack_die=4 defense_die=4) "ogre threw the four"'


def test_an_action_and_its_interruption_have_separate_results() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D", "brawling": "2D", "dodge": "2D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6").after("ro mira 5 3 thug 2 1")
    table.after("mira 2, waits !", "thug 1", "thug punches mira v5 3 4", "mira interrupts dodge 3")
    assert table.error("misses") == "First settle mira's dodge: success or failure?"
    assert table.orders("success") == ["result success"]
    assert table.orders("it misses") == ["result failure"]


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("nobody reacts", "ogre: pass"),
        ("ogre does nothing", "ogre: pass"),
        ("ogre takes it", "ogre: pass"),
        ("roll the dice", "resolve"),
        ("ann rolls 4, ogre rolls 3", "resolve [4 3]"),
        ("it's a miss", "resolve outcome=fail"),
        ("half", "resolve outcome=half"),
        ("rat steps in p1", "rat: interfere body power=1"),
        ("rat parries for the ogre", "rat: parry body"),
        ("ogre defends himself 1", "ogre: defend 1"),
        ("4 and 2", "resolve [4 2]"),
        ("dice 3 5", "resolve [3 5]"),
        ("2 for ann, 4 for ogre", "resolve [2 4]"),
        ("ogre does not react", "ogre: pass"),
        ("ogre leaps aside 2", "ogre: defend 2"),
    ],
)
def test_phrases_in_an_exchange_are_understood_as_reactions(line: str, long: str) -> None:
    assert armed("ann attacks ogre p1").orders(line)[-1] == long


def test_phrases_for_the_end_of_a_turn_end_it() -> None:
    table = armed("ann")
    assert table.orders("done") == ["ann: end-turn"]
    assert table.orders("next turn") == ["rat: begin-turn"]


def test_a_count_in_undo_is_not_a_reason() -> None:
    assert "means nothing here" in armed("ann attacks ogre p1").error("undo the last two")


def test_disarm_takes_the_only_weapon_of_the_target() -> None:
    table = Table(*FOES, Join("guard", side="foes", hp=6, weapon=(Weapon("mace"), Weapon("club")))).after(
        "join Orc foes hp=4 w=(Axe pow=1)", "join Ann heroes hp=9", "initiative first=ann reason=x"
    )
    assert table.orders("ann disarms orc 2")[-1] == "ann: manipulate orc body disarm points=2 item=axe"
    table("u")
    assert "Say which weapon" in table.error("ann disarms guard 2")
    assert table.orders("ann disarms guard of his mace 2")[-1].endswith("disarm points=2 item=mace")


def test_a_number_of_actions_can_precede_the_action() -> None:
    mira = Join("mira", side="a", code={"perception": "2D", "agility": "2D", "brawling": "3D"})
    table = Table(mira, Join("thug", side="b", code=mira.code), preset="ron_d6").after("ro mira 5 3 thug 2 1")
    assert table.orders("mira takes 2 actions and punches thug v5 3 4") == [
        "mira: declare 2", "mira: perform punch thug difficulty=5 [3 4]",
    ]  # fmt: skip


def test_a_trailing_r_resolves_an_attack() -> None:
    table = Table(Join("ann", side="a", hp=9), Join("ogre", side="b", hp=9)).after("initiative first=ann reason=x")
    assert table.orders("ann attacks ogre p1 r")[-1] == "resolve"
    table = armed()
    assert table.orders("ann holds r 2")[-1] == "ann: manipulate rat body hold points=2"
    assert "Say how many. As" in armed().error("ann attacks r")


def test_a_weapon_name_can_be_a_verb() -> None:
    table = Table(*FOES).after(
        "join Ann heroes hp=9 w=(Bow pow=2 range=20) w=(Knife pow=1)", "initiative first=ann reason=x"
    )
    assert table.orders("ann knifes ogre p1")[-1] == "ann: attack ogre knife power=1"


def test_faces_without_names_belong_to_the_unnamed_combatants() -> None:
    assert armed("ann attacks ogre p1", "rat interferes body p1").orders("5 2 rat 4")[-1] == "resolve [5 2 #8=4]"


def test_a_pronoun_after_a_parry_is_ignored() -> None:
    table = Table(Join("orc", side="foes", hp=6)).after(
        "join Ann heroes hp=9 w=(Mace pow=2) w=(Shield parry=1)", "initiative first=orc reason=x", "orc attacks ann p1"
    )
    assert table.orders("ann blocks it shield")[-1] == "ann: parry shield"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("damage all foes 2", ["rat", "ogre"]),
        ("2 damage to all foes", ["rat", "ogre"]),
        ("damage 3 to ogre", ["ogre"]),
        ("damage 3 on the ogre", ["ogre"]),
        ("3 damage to rat", ["rat"]),
    ],
)
def test_damage_can_be_followed_by_its_target(line: str, names: list[str]) -> None:
    table = armed()
    table(line)
    hurt_names = [one.id for one in table.log.at("fight").combatants.values() if one.pools.damage]
    assert hurt_names == names


def test_the_full_stop_of_a_note_does_not_end_the_turn() -> None:
    assert armed("ann moves 1").orders("ann says hi.") == ['note "ann says hi"']


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("attack wolf 2 power 1", "attack wolf-2 body power=1"),
        ("attack wolf 2 modifier 1 power 2", "attack wolf-2 body power=2 modifier=1"),
        ("attack wolf 2 1 power", "attack wolf-2 body power=1"),
    ],
)
def test_a_number_in_a_name_is_not_points(line: str, long: str) -> None:
    table = Table(Join("wolf-1", name="Wolf 1", side="b", hp=6), Join("wolf-2", name="Wolf 2", side="b", hp=6)).after(
        "join Ann a hp=9", "initiative first=ann reason=x"
    )
    assert table.orders(line)[-1] == f"ann: {long}"


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("hal shields her 2", "hal: interfere - points=2"),
        ("hal protects ann 2", "hal: interfere - points=2"),
        ("hal jumps in front of ann 2", "hal: interfere - points=2"),
        ("hal steps between them 1", "hal: interfere - points=1"),
        ("hal knocks it aside with shield", "hal: parry shield"),
        ("ann turns the blow aside", "ann: parry sword"),
        ("ann knocks the axe aside", "ann: parry sword"),
        ("ann jumps back 2", "ann: defend 2"),
        ("ann steps aside 1", "ann: defend 1"),
        ("ann rolls out of the way 1", "ann: defend 1"),
        ("ann braces 1", "ann: defend 1"),
        ("ann gets out of the way 1", "ann: defend 1"),
        ("6 2, n", "resolve [6 2]; ogre: end-turn; ann: begin-turn"),
        ("ann just takes it", "ann: pass"),
        ("ann takes the blow", "ann: pass"),
        ("ann no reaction", "ann: pass"),
        ("no defense", "ann: pass"),
        ("3 4 ann is hurt", 'resolve [3 4]; note "ann is hurt"'),
        ("6 2, ogre grins", 'resolve [6 2]; note "ogre grins"'),
    ],
)
def test_common_phrases_are_understood_as_reactions(line: str, long: str) -> None:
    table = Table(Join("ogre", side="foes", hp=9, weapon=(Weapon("axe", power=3),))).after(
        "join Ann heroes hp=9 w=(Sword pow=2)",
        "join Hal heroes hp=9 w=(Mace pow=2) w=(Shield parry=2)",
        "initiative first=ogre reason=x",
        "ogre attacks ann p2",
    )
    assert "; ".join(table.orders(line)) == long


def test_an_outcome_in_words_can_precede_its_description() -> None:
    table = mira_and_thug("mira punches thug v10 4 3 2 1", more="brawling=4D")
    assert table.orders("it's a hit, he is stunned") == ['result success "he is stunned"']


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("ann runs 2m, n", "ann: begin-turn; ann: move points=2 metres=2; ann: end-turn; rat: begin-turn"),
        ("ann throws down her sword and yields", 'ann: drop-item sword; adjust "Yielded" condition=(ann=out)'),
        ("ann strings her bow", "ann: draw-bow bow"),
        ("Voss b hp=7", 'join voss "Voss" b npc hp=7'),
    ],
)
def test_spoken_lines_are_understood(line: str, long: str) -> None:
    table = armed()
    if "bow" in line:
        table = Table(*FOES).after("join Ann heroes hp=9 w=(Bow kind=bow pow=2 range=30)")
        table("initiative first=ann reason=x")
        long = f"ann: begin-turn; {long}"
    assert "; ".join(table.orders(line)) == long


@pytest.mark.parametrize(
    ("line", "long"),
    [
        ("ann gets 2 back", "ready defense=1 other_used=1"),
        ("ann gets ready", "ready defense=1 other_used=1"),
        ("ann catches her breath", "ready defense=1 other_used=1"),
        ("ann readies 1 from other and 0 defense", "ready other_used=1"),
    ],
)
def test_common_phrases_ready_points(line: str, long: str) -> None:
    assert armed("ann attacks ogre p1 m1; r", "n; n; n").orders(line)[-1] == f"ann: {long}"


def test_joining_somebody_means_joining_their_side() -> None:
    assert armed("join Hal heroes hp=6").orders("Tad joins hal hp=3") == ['join tad "Tad" heroes pc hp=3']


def test_all_of_a_pool_can_be_readied_in_either_word_order() -> None:
    table = armed("ann attacks ogre p1 m1; r", "n; n; n")
    for line in ("ready o all", "ready all o"):
        assert table.orders(line)[-1].startswith("ann: ready other_used=")
        table("u")
