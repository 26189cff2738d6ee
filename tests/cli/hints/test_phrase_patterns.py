"""Phrases of newcomers, and the commands that they mean."""

from __future__ import annotations

import shlex

import pytest

from cli.hints.phrase_patterns import PHRASE_PATTERNS
from tests.cli.calls import Begin, Mam
from tests.cli.hints.test_synonyms import next_of


@pytest.fixture
def joust(begin: Begin) -> None:
    """Join a lancer with two weapons, an orc and a horse, and begin the lancer's turn (six rulings)."""
    begin(
        "new duel",
        "join mara --hp 10 --weapon id=lance,power=3,reach=2 --weapon id=dirk,power=1",
        "join orc --hp 10 --weapon id=axe,power=2",
        "join horse --hp 8 --training trained --body attack=1",
        "initiative --first mara --reason x",
        "begin-turn",
    )


@pytest.fixture
def brawl(mam: Mam) -> None:
    """Join three fighters of Ron d6, one of whom has no code for Agility: four rulings."""
    mam("new", "brawl", "--preset", "ron_d6")
    mam(*shlex.split("join rook --side us --code perception=3D --code agility=4D --code brawling=3D"))
    mam(*shlex.split("join thug --side them --code perception=2D --code agility=4D"))
    mam(*shlex.split("join sly --side us --code perception=4D"))


LOOKS = {
    "rewind 6": "undo 6 --rewind",
    "undo --ruling 6": "undo 6",
    "back": "undo",
    "attack orc --points 1 --weapon lance": "attack orc --power 1 --weapon lance",
    "attack orc 2 1 lance": "attack orc 2 1 --weapon lance",
    "attack mara orc lance 2": "attack mara orc 2 --weapon lance",
    "whatif half_success=never": "whatif --set half_success=never",
    "branch other": "branch --id other",
    "export duel.ndjson": "export -o duel.ndjson",
    "dispute ruling 6 --claim far": "dispute 6 --claim far",
    "join bo -hp 10 --side us": "join bo --hp 10 --side us",
    "join bo --side us hp 10": "join bo --side us --hp 10",
    "join bo --hp 3 --weapon sword --item rope": "join bo --hp 3 --weapon id=sword --item id=rope",
    "amend 3 hp 12 --yes": "amend 3 hp=12 --yes",
    "amend 3 hp 12 4 hp 9 --yes": "amend 3 hp=12 4 hp=9 --yes",
    "amend 3 --hp 12 --yes": "amend 3 hp=12 --yes",
    "move 3m": "move --metres 3",
    "move mara 3m": "move mara --metres 3",
    "new alley ron_d6": "new alley --preset ron_d6",
    "new alley from=duel": "new alley --from-fight duel",
    "new alley --from duel": "new alley --from-fight duel",
    "undo last": "undo",
    "undo 3-5 --yes": "undo 3 --rewind --yes",
}
"""Unknown lines, each with the accepted line that it means."""


@pytest.mark.parametrize(("line", "suggestion"), LOOKS.items())
@pytest.mark.usefixtures("joust")
def test_a_phrase_is_answered_with_the_matching_command(mam: Mam, line: str, suggestion: str) -> None:
    assert next_of(mam(*shlex.split(line), code=2)) == f"mam {suggestion}"
    mam(*shlex.split(suggestion))


def test_no_phrase_pattern_suggests_what_was_typed() -> None:
    assert all(phrase.typed.split() != phrase.meant.split() for phrase in PHRASE_PATTERNS)


@pytest.mark.usefixtures("joust")
def test_an_option_that_shares_only_a_few_letters_is_not_suggested(mam: Mam) -> None:
    assert next_of(mam("counterattack", "orc", "--points", "1", code=2)) == "mam counterattack orc --power 1"
    result = mam("roll", "orc", "damage", "--target", "mara", code=2)
    assert "No such option '--target'." in result.err
    assert "--store" not in result.err
    assert "No such option '--last'.\n" in mam("replay", "--plain", "--last", "2", code=2).err
    assert next_of(mam("log", "--stor", "mam.db", code=2)) == "mam log --store mam.db"


@pytest.mark.usefixtures("joust")
def test_of_two_near_names_the_one_with_the_same_initial_is_suggested(mam: Mam) -> None:
    assert next_of(mam("begin-turn", "ors", code=1)) == "mam begin-turn orc"


@pytest.mark.usefixtures("joust")
def test_a_second_join_suggests_a_new_name_or_an_amendment(mam: Mam) -> None:
    assert next_of(mam("join", "orc", "--hp", "3", code=1)) == "mam join orc-2 --hp 3, or mam amend 3 hp=3"
    mam("amend", "3", "hp=3", "--yes")
    assert next_of(mam("join", "orc", "--hp", "3", code=1)) == "mam join orc-2 --hp 3"
    result = mam("join", "orc", "--hp", "3", "--weapon", "id=club", code=1)
    assert next_of(result) == "mam join orc-2 --hp 3 --weapon id=club, or mam undo 3"
    assert "amend" not in mam("join", "orc", "--hp", "4", "--as", "public", code=1).err


@pytest.mark.usefixtures("brawl")
def test_a_second_join_with_other_codes_suggests_amending_them(mam: Mam) -> None:
    result = mam("join", "sly", "--code", "agility=2D", code=1)
    assert next_of(result) == "mam join sly-2 --code agility=2D, or mam amend 4 code.agility=2D"


@pytest.mark.usefixtures("brawl")
def test_a_join_with_hit_points_in_ron_d6_suggests_codes(mam: Mam) -> None:
    result = mam("join", "elf", "--hp", "6", "--side", "us", code=1)
    assert next_of(result) == "mam join elf --side us --code perception=3D"
    result = mam("join", "elf", "--hp=6", "--code", "agility=3D", code=1)
    assert next_of(result) == "mam join elf --code agility=3D"
    mam(*next_of(result).split()[1:])


@pytest.mark.usefixtures("brawl")
def test_initiative_suggests_a_round_before_it_and_the_roll_in_it(mam: Mam) -> None:
    assert next_of(mam("initiative", code=1)) == "mam round"
    assert mam("initiative", "--json", code=1).error["hints"] == [{"do": "round"}]
    mam("round")
    assert next_of(mam("initiative", code=1)) == "mam initiative roll --all"


@pytest.mark.usefixtures("brawl")
def test_too_many_actions_are_refused_with_the_highest_number(mam: Mam) -> None:
    mam.run_all("round", "initiative roll --all --dice rook=1,1,2 --dice thug=1,2 --dice sly=6,6,6,5")
    result = mam("declare", "sly", "2", code=1)
    assert "may take at most 1 action in a round, not 2" in result.err
    assert next_of(result) == "mam declare sly --actions 1"
    mam("declare", "sly")
    assert next_of(mam("declare", "rook", "9", code=1)) == "mam declare rook --actions 4"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["weapon=id=axe,power=2"], "weapon id axe, power 2 (was"),
        (['weapon=[{id="axe",power=2}]'], "weapon id axe, power 2 (was"),
        (['weapon=[{"id":"axe","power":2}]'], "weapon id axe, power 2 (was"),
        (["weapon=id=axe,power=2", "weapon=id=dirk"], "weapon id axe, power 2 and id dirk (was"),
        (["body=attack=1"], "body attack 1 (was"),
        (["pools=ready=7,damage=3"], "pools ready 7, damage 3 (was"),
    ],
)
@pytest.mark.usefixtures("joust")
def test_an_amended_join_accepts_the_words_of_join(mam: Mam, options: list[str], words: str) -> None:
    assert words in " ".join(mam("amend", "2", *options, "--preview").out.split())
    mam("amend", "2", *options, "--yes")


@pytest.mark.usefixtures("joust")
def test_a_weapon_without_a_key_is_refused_with_an_example(mam: Mam) -> None:
    result = mam("amend", "2", "weapon=axe", code=2)
    assert "--weapon takes pairs like id=club,power=2, but 'axe' is no pair." in result.err


@pytest.mark.usefixtures("joust")
def test_a_bare_weapon_name_suggests_the_weapon_option(mam: Mam) -> None:
    assert next_of(mam("attack", "orc", "lance", "2", "1", code=1)) == "mam attack orc 2 1 --weapon lance"
    mam("attack", "orc", "2", "--weapon", "lance")
    assert next_of(mam("parry", "orc", "axe", code=2)) == "mam parry orc --weapon axe"
    mam.run_all("undo", "join lance --hp 3", "attack lance 2 --weapon dirk")


@pytest.mark.usefixtures("joust")
def test_faces_of_an_exchange_can_be_amended_as_they_are_typed(mam: Mam) -> None:
    mam.run_all("attack orc 1 1 --weapon lance", "resolve 6")
    for line in ("attack die=1", "attack_die 1", "attack die 1"):
        assert next_of(mam("amend", "8", *line.split(), code=2)) == "mam amend 8 attack_die=1"
    assert next_of(mam("amend", "8", "--attack-die", "1", code=2)) == "mam amend 8 attack-die=1"
    result = mam("amend", "8", "attack_die=9", "--reason", "misread", code=1)
    assert next_of(result) == "mam amend 8 attack_die=FACE --reason misread"
    mam("amend", "8", "attack-die=1", "--yes")


@pytest.mark.usefixtures("joust")
def test_a_number_that_is_no_action_is_suggested_as_points(mam: Mam) -> None:
    mam("attack", "orc", "1", "1", "--weapon", "lance")
    result = mam("interfere", "horse", "2", code=1)
    assert "If 2 means points, type points=2, else give the number of the action to stop. Known: 7." in result.err
    assert next_of(result) == "mam interfere horse --points 2"
    mam("interfere", "horse", "--points", "2")


@pytest.mark.usefixtures("brawl")
def test_bare_action_names_and_faces_suggest_their_options(mam: Mam) -> None:
    mam("round")
    result = mam("initiative", "roll", "--all", "--dice", "rook=6,6,5", "thug=1,2", "sly=1,1,1,2", code=2)
    hint = "mam initiative roll --all --dice rook=6,6,5 --dice thug=1,2 --dice sly=1,1,1,2"
    assert next_of(result) == hint
    mam(*hint.split()[1:])
    assert next_of(mam("act", "rook", "punch", "thug", code=2)) == "mam act rook --action punch --target thug"
    mam.run_all("declare rook", "act rook --action punch --target thug --difficulty 5")
    result = mam("interrupt", "thug", "dodge", "-e", "brawl", code=2)
    assert next_of(result) == "mam interrupt thug --action dodge -e brawl"
    result = mam("interrupt", "thug", "punch", "rook", code=2)
    assert next_of(result) == "mam interrupt thug --action punch --target rook"


@pytest.mark.usefixtures("joust")
def test_an_action_name_of_another_edition_suggests_the_help(mam: Mam) -> None:
    assert next_of(mam("act", "mara", "punch", "orc", code=2)) == "mam act --help"


@pytest.mark.usefixtures("joust")
def test_one_ruling_is_shown_in_the_log(mam: Mam) -> None:
    assert mam("log", "3").out.startswith("#3 ")
    assert [line["number"] for line in mam("log", "3", "--json").lines] == [3]
    assert "There is no ruling 99" in mam("log", "99", code=4).err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("attack orc 2 --situation outreached --weapon dirk", "attack: --situation must be a number and then a reason"),
        (
            "join bo --hp 3 --weapon id=sword,kind=mele",
            "join: --weapon kind: 'mele' is not among the choices. Known: hand,",
        ),
        (
            "join bo --hp 3 --weapon id=sword,readied=maybe",
            "join: --weapon readied must be true or false, not the text 'maybe'",
        ),
        ("join bo --hp 3 --weapon power=2", 'join: --weapon: "id" is missing'),
        ("join bo --hp 3 --body attack=x", "join: --body attack must be a whole number, not the text 'x'"),
        ("join bo --hp 3 --code agility=x", "join: --code agility must be a dice code"),
        ("join bo --hp 3 --side Us", "join: --side must be a lower-case name"),
    ],
)
@pytest.mark.usefixtures("joust")
def test_an_unreadable_value_is_named_as_it_was_typed(mam: Mam, line: str, message: str) -> None:
    assert message in mam(*line.split(), code=2).err


@pytest.mark.usefixtures("joust")
def test_an_unknown_key_is_refused_with_all_known_keys(mam: Mam) -> None:
    result = mam("join", "bo", "--hp", "3", "--weapon", "id=sword,type=melee", code=2)
    assert 'join: --weapon: There is no "type" here. Known: id, name, ' in result.err
    assert result.err.endswith(", uses.\n")


@pytest.mark.usefixtures("joust")
def test_a_void_line_names_combatants_and_exchanges_like_other_lines(mam: Mam) -> None:
    mam.run_all("attack orc 1 1 --weapon lance", "resolve 6", "amend 2 hp=1 --yes")
    output = mam("log").out
    assert "mara attacks orc with the lance  ✗ void: " in output
    assert "mara's attack on orc is resolved  ✗ void: " in output
    assert "Exchange 7 is resolved" not in mam("audit", "8").out


@pytest.mark.usefixtures("joust")
def test_a_view_sees_no_attacker_in_a_void_line_of_a_hidden_attack(mam: Mam) -> None:
    mam.run_all("attack orc 1 1 --weapon lance --hidden", "resolve 6", "amend 2 hp=1 --yes")
    assert "mara's attack" not in mam("log", "--as", "public").out


@pytest.mark.usefixtures("joust")
def test_undo_of_an_exchange_suggests_only_for_one_ruling(mam: Mam) -> None:
    mam.run_all("attack orc 1 1 --weapon lance", "resolve 6", "end-turn")
    assert "--only to undo ruling 8 alone." in mam("undo", "8", code=2).err
    assert "--only" not in mam("undo", "8", "--rewind", "--yes").err


@pytest.mark.usefixtures("joust")
def test_an_amendment_without_a_change_says_so(mam: Mam) -> None:
    assert "nothing changes" not in mam("amend", "2", "hp=9", "--yes").err
    assert "Ruling 2 already reads like that, so nothing changes." in mam("amend", "2", "hp=9", "--yes").err
    assert "nothing changes" not in mam("amend", "2", "visibility=public", "--yes").err
