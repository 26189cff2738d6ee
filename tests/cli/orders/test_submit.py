"""The printed fight on the command line, defaults, and repeated orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam, Rows

MODRE = ("--body", "attack=2", "--weapon", "id=ice-blade,name=Ice Blade,power=3,attack=1,sharpness=-2,reach=1")
PRINTED = (
    ("new", "duel"),
    ("join", "modre", "--name", "Modre", "--hp", "6", *MODRE),
    ("join", "clone", "--name", "Clone", "--hp", "6", "--body", "attack=2"),
    ("initiative",),
    ("begin-turn",),
    ("attack", "modre", "clone", "--weapon", "ice-blade", "--power", "4", "--modifier", "2"),
    ("defend", "clone", "6"),
    ("resolve", "2", "1"),
    ("end-turn",),
    ("begin-turn",),
    ("ready", "clone", "--defense", "3", "--other-used", "0"),
    ("end-turn",),
    ("begin-turn",),
    ("ready", "--other-used", "3"),
    ("attack", "clone", "--weapon", "ice-blade", "--power", "1", "--modifier", "2"),
    ("counterattack", "--power", "2", "--modifier", "1"),
    ("resolve", "--attack-die", "6", "--defense-die", "4"),
    ("end-turn",),
    ("begin-turn",),
    ("ready",),
    ("move", "3"),
)


def pools(mam: Mam, *words: str) -> dict[str, dict[str, int]]:
    return {row["combatant"]: row["pools"] for row in mam("pools", "--json", *words).lines}


def test_the_printed_fight_can_be_typed_and_ends_as_printed(mam: Mam) -> None:
    for words in PRINTED:
        mam(*words)
    assert pools(mam) == {
        "modre": {"ready": 0, "defense": 4, "other_used": 2, "stun": 0, "damage": 0},
        "clone": {"ready": 0, "defense": 3, "other_used": 0, "stun": 1, "damage": 2},
    }
    assert "[6]+2+1 = 9 vs [4]+2+1 = 7 · hit · stun 2, damage 2 · the counterattack misses" in mam("log").out


@pytest.mark.usefixtures("fight")
def test_pools_as_json_begin_as_documented(mam: Mam) -> None:
    line = mam("pools", "--json").out.splitlines()[1]
    expected_pools = '{"combatant":"clone","pools":{"ready":0,"defense":3,"other_used":0,"stun":1,"damage":2}'
    assert line.startswith(expected_pools)


@pytest.mark.usefixtures("modres_turn")
def test_an_action_prints_its_line_the_changed_pools_and_the_next_step(mam: Mam) -> None:
    result = mam("attack", "clone", "--weapon", "ice-blade", "--power", "4", "--modifier", "2")
    assert result.out.splitlines() == [
        "#6   r1 t1   Modre attacks Clone with the ice-blade: 4 points on power, 2 on the modifier",
        "  Modre  R0 D2 O4 S0 X0  DDOOOO",
        "  Clone  R6 D0 O0 S0 X0  RRRRRR",
    ]
    assert "encounter: duel" in result.err
    assert "next: mam resolve, or mam defend clone 1" in result.err
    assert "undo it: mam undo" in result.err


@pytest.mark.parametrize("hushed", ["--quiet", "-q", "--json"])
@pytest.mark.usefixtures("modres_turn")
def test_quiet_and_json_print_no_hints(mam: Mam, hushed: str) -> None:
    assert mam("end-turn", hushed).err == ""


def test_hints_repeat_the_given_store_and_encounter(mam: Mam) -> None:
    mam("--store", "other.db", "new", "duel")
    result = mam("join", "modre", "--hp", "6", "--store", "other.db", "-e", "duel")
    assert "mam initiative --store other.db -e duel" in result.err


@pytest.mark.usefixtures("fight")
def test_shared_options_may_be_before_or_after_the_command(mam: Mam) -> None:
    before = mam("--store", "mam.db", "-e", "modre-and-the-clone", "--json", "pools").out
    after = mam("pools", "--store", "mam.db", "-e", "modre-and-the-clone", "--json").out
    assert before == after == mam("--store", "nowhere.db", "-q", "pools", "--store", "mam.db", "--json").out


@pytest.mark.usefixtures("modres_turn")
def test_the_environment_names_store_encounter_and_author(
    mam: Mam, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mam("new", "other")
    monkeypatch.setenv("MAM_STORE", str(table / "mam.db"))
    monkeypatch.setenv("MAM_ENCOUNTER", "duel")
    monkeypatch.setenv("MAM_BY", "Ana")
    (table / "elsewhere").mkdir()
    monkeypatch.chdir(table / "elsewhere")
    mam("end-turn")
    assert mam("audit", "--last", "1", "--json").lines[0]["by"] == "Ana"
    assert mam("end-turn", "-e", "other", code=1).err


@pytest.mark.usefixtures("modres_turn")
def test_the_default_encounter_is_the_open_one_played_last(mam: Mam) -> None:
    mam("new", "later")
    assert "encounter: later" in mam("log").err
    mam("end-turn", "-e", "duel")
    assert "encounter: duel" in mam("log").err
    mam("close", "--yes")
    assert "encounter: later" in mam("log").err
    mam("close", "--yes")
    assert "encounter: later" in mam("log").err


@pytest.mark.usefixtures("modres_turn")
def test_undo_does_not_guess_between_a_fight_just_closed_and_one_still_open(mam: Mam) -> None:
    mam.run_all("new later", "close --yes")
    assert '"later"' in mam("undo", code=2).err
    mam("undo", "-e", "later")
    assert mam("encounters", "--json").lines[1]["status"] == "open"


@pytest.mark.usefixtures("modres_turn")
def test_ready_without_numbers_takes_all_points_if_only_one_pool_has_some(mam: Mam) -> None:
    mam.run_all("attack clone --power 4 --modifier 2", "defend 6", "resolve 1 6", "end-turn", "begin-turn", "ready")
    assert pools(mam)["clone"]["ready"] == 3
    mam.run_all("end-turn", "begin-turn")
    assert "mam ready modre --defense 0 --other-used 3" in mam("ready", code=2).err
    mam("ready", "--defense", "1", "--other-used", "2")
    assert pools(mam)["modre"] == {"ready": 3, "defense": 1, "other_used": 2, "stun": 0, "damage": 0}


@pytest.mark.usefixtures("modres_turn")
def test_an_attack_without_a_weapon_uses_the_one_in_hand(mam: Mam) -> None:
    assert "with the ice-blade" in mam("attack", "clone", "--power", "1").out
    assert "with the body" in mam("counterattack", "--power", "1").out.lower()


def test_of_two_weapons_in_hand_one_must_be_named(mam: Mam) -> None:
    mam.run_all("new duel", "join ann --hp 6 --weapon id=sword --weapon id=dagger", "join bob --hp 6")
    mam.run_all("initiative --first ann --reason x", "begin-turn")
    result = mam("attack", "bob", "--power", "1", code=2)
    assert "With the sword or the dagger?" in result.err
    assert result.err.endswith("next: mam attack ann bob --weapon sword --power 1\n")


@pytest.mark.usefixtures("modres_turn")
def test_a_missing_armor_die_is_asked_for(mam: Mam) -> None:
    mam("rules", "change", "--set", "armour_roll_source=separate_die", "--reason", "x")
    mam.run_all("join knight --hp 8 --armor id=mail,name=Mail,cover=4,absorption=2", "attack knight --power 3")
    result = mam("resolve", "6", "1", code=1)
    assert "knight's armor takes a die of its own" in result.err
    assert result.err.endswith("next: mam resolve 6 1 --armor-die knight=FACE\n")
    assert "[3]" in mam("resolve", "6", "1", "--armor-die", "knight=3").out
    mam("undo")
    assert "*]" in mam("resolve").out


@pytest.mark.usefixtures("modres_turn")
def test_a_missing_die_is_drawn(mam: Mam) -> None:
    mam("attack", "clone", "--power", "1")
    roll = mam("resolve", "--json").lines[0]["rulings"][-1]["rolls"][0]
    assert roll["source"] == "drawn"
    assert 1 <= roll["face"] <= 6
    assert f"[{roll['face']}*]" in mam("log", "--last", "1").out


@pytest.mark.usefixtures("fight")
def test_an_insert_takes_its_defaults_from_the_moment_of_the_insert(mam: Mam) -> None:
    result = mam("move", "1", "--after", "20", code=2)
    assert "judges 1 later ruling again (1 void). Add --yes" in result.err
    assert "void" in result.out
    assert "↳" not in mam("log").out, "nothing was written"
    document = mam("move", "1", "--after", "20", "--yes", "--json").lines[0]
    assert document["rulings"][-1]["asked"] == {"combatant": "clone", "points": 1}
    assert [(verdict["ruling"], verdict["verdict"]) for verdict in document["rulings"][-1]["verdicts"]] == [
        (21, "void")
    ]
    assert "↳ after 20" in mam("log", "--last", "1").out


@pytest.mark.usefixtures("fight")
def test_an_inserted_attack_is_resolved_at_its_place(mam: Mam) -> None:
    result = mam("attack", "modre", "clone", "--modifier", "1", "--after", "14", "--yes")
    assert "next: mam resolve --after 22, or mam defend clone 1 --after 22" in result.err
    assert "Void now" not in result.err
    assert "– Nobody resolved exchange 22." in mam("log").out
    result = mam("resolve", "1", "6", "--after", "22", "--yes")
    assert "Rulings 16 and 17 no longer fit and are void" in result.err
    assert "Nobody resolved" not in mam("log").out


@pytest.mark.usefixtures("fight")
def test_an_insert_into_an_exchange_suggests_the_place_after_it(mam: Mam) -> None:
    result = mam("end-turn", "modre", "--after", "6", code=1)
    assert "next: mam end-turn modre --after 8" in result.err
    # After that exchange Modre has no point left for another attack.
    result = mam("attack", "modre", "clone", "--modifier", "1", "--after", "6", code=1)
    assert "--after 8" not in result.err


@pytest.mark.usefixtures("modres_turn")
def test_refusals_to_a_view_reveal_no_hidden_combatant(mam: Mam) -> None:
    mam("join", "wolf", "--hp", "3", "--hidden", "--weapon", "id=fang,power=1")
    for words in (("options", "{}"), ("attack", "{}", "modre", "--power", "1"), ("attack", "{}", "--power", "1")):
        errors = [mam(*(word.format(name) for word in words), "--as", "public", code=1).err for name in ("wolf", "fox")]
        assert errors[0].replace("wolf", "fox") == errors[1]
    mam.run_all("end-turn", "begin-turn clone", "end-turn", "adjust --turn wolf --reason 'out of the dark'")
    assert "fang" not in mam("attack", "wolf", "clone", "--power", "1", "--as", "public", code=1).err


@pytest.mark.usefixtures("modres_turn")
def test_defaults_and_options_reveal_nothing_hidden(mam: Mam) -> None:
    mam.run_all("join wolf --hp 9 --name Greywolf --hidden --weapon id=fang,power=1", "attack clone --power 2")
    mam("interfere", "wolf", "--points", "1")
    rows = mam("options", "--as", "public", "--json").lines
    assert [offer["type"] for offer in rows if offer["do"] == "interfere" and " 8 " in offer["type"]] == []
    mam.run_all("resolve 3 4", "adjust --turn wolf --reason 'out of the dark' --by Kim")
    assert "9" not in mam("attack", "modre", "--power", "90", "--as", "public", code=1).err
    assert "is hidden" in mam("amend", "8", "foo=1", "--as", "public", code=1).err
    assert "is hidden" in mam("undo", "8", "--as", "public", code=1).err
    authors = [mam("encounters", "--as", view, "--json").lines[0]["last_by"] for view in ("gm", "public")]
    assert authors == ["Kim", ""]


def test_the_suggested_target_is_a_foe(mam: Mam) -> None:
    mam("new", "brawl")
    for name, side in (("ana", "us"), ("ben", "us"), ("orc", "them")):
        mam("join", name, "--hp", "6", "--side", side)
    mam("initiative", "--first", "ana", "--reason", "x")
    assert "next: mam attack ana orc" in mam("begin-turn").err
    mam("attack", "orc", "--power", "1")
    assert mam("resolve", "6", "1").out.splitlines()[0].endswith("hit · damage 1")
    mam.run_all("join wall --hp 6 --side them --absorption 9", "attack wall --power 1")
    assert mam("resolve", "6", "1").out.splitlines()[0].endswith("hit, no harm")


@pytest.mark.usefixtures("modres_turn")
def test_a_repeated_order_is_answered_and_written_once(mam: Mam, rows: Rows) -> None:
    mam.run_all("attack clone --power 4 --command-id one", "resolve 6 1 --command-id two")
    mam("end-turn", "--command-id", "three")
    before = rows()
    # The exchange is over and no turn is running: defaults must come from the first answer.
    for words in (("attack", "clone", "--power", "4", "--command-id", "one"), ("end-turn", "--command-id", "three")):
        assert "Nothing was written" in mam(*words).err
    document = mam("resolve", "6", "1", "--command-id", "two", "--json").lines[0]
    assert (document["rulings"][0]["number"], document["repeated"], document["moved"]) == (7, True, [])
    assert mam("resolve", "5", "1", "--command-id", "two", "--json", code=1).error["code"] == "key_reused"
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_a_repeated_undo_undoes_only_once(mam: Mam, rows: Rows) -> None:
    mam("undo", "--command-id", "one")
    before = rows()
    assert "Nothing was written" in mam("undo", "--command-id", "one").err
    mam("redo", "--command-id", "two")
    assert "corrected since, by 23" in mam("undo", "--command-id", "one").err
    mam("redo", "--command-id", "two")
    assert len(rows()["modre-and-the-clone"]) == len(before["modre-and-the-clone"]) + 1


@pytest.mark.usefixtures("fight")
def test_an_outdated_expected_version_is_a_conflict(mam: Mam, rows: Rows) -> None:
    before = rows()
    for words in (("note", "x"), ("undo",), ("end-turn",), ("amend", "21", "points=2")):
        assert mam(*words, "--expect-version", "20", "--json", code=3).error["code"] == "version_conflict"
    assert rows() == before
    mam("end-turn", "--expect-version", "21")


@pytest.mark.usefixtures("modres_turn")
def test_only_the_game_master_sees_hidden_combatants(mam: Mam) -> None:
    mam.run_all("join ghost --name Ghost --hp 4 --hidden --seat 9", "note 'Nobody looks up' --visibility all")
    assert [row["combatant"] for row in mam("pools", "--json").lines] == ["modre", "clone", "ghost"]
    assert [row["combatant"] for row in mam("pools", "--as", "public", "--json").lines] == ["modre", "clone"]
    assert mam("log", "--as", "public", "--last", "2").out.count("▒ hidden") == 2
    assert "Nobody looks up" in mam("log", "--as", "all").out
    assert "host" not in mam("--as", "public", "options", "--all").out
    assert "host" not in mam("order", "--as", "public").out
    mam.run_all("end-turn", "begin-turn", "end-turn")
    assert "Ghost" not in mam("attack", "clone", "modre", "--as", "public", code=1).err
    assert "Ghost is next" in mam("attack", "clone", "modre", code=1).err
    assert mam("attack", "clone", "modre", "--as", "public", code=1).err.count("next:") <= 1


@pytest.mark.usefixtures("fight")
def test_a_view_may_be_a_side_with_or_without_its_prefix(mam: Mam) -> None:
    assert mam("pools", "--as", "foes").out == mam("pools", "--as", "side:foes").out


def test_a_party_file_gives_rules_and_combatants(mam: Mam) -> None:
    Path("party.toml").write_text(
        'encounter = "from-the-file"\ntitle = "Night"\nhouse_rules = { half_success = "never" }\n'
        'combatants = [{ id = "ana", hp = 6 }, { id = "goblin", name = "Goblin", hp = 4, side = "foes" }]\n'
        'commands = [{ do = "initiative" }]\n',
        encoding="utf-8",
    )
    mam("new", "cave", "--from", "party.toml", "--set", "wound_order=damage_first", "--title", "Cave")
    report = mam("report", "--json").lines[0]
    assert [rule["option"] for rule in report["house_rules"]] == ["half_success", "wound_order"]
    assert (report["encounter"], report["title"], report["rulings"]) == ("cave", "Cave", 3)
    mam("new", "--from", "party.toml")
    assert mam("encounters", "--json").lines[1]["encounter"] == "from-the-file"
    mam.run_all("new empty", "join --from 'party.toml#goblin'")
    mam("join", "boss", "--from", "party.toml#goblin", "--hp", "9", "--name", "Boss")
    assert [(row["name"], row["hp"]) for row in mam("pools", "--json").lines] == [("Goblin", 4), ("Boss", 9)]


def test_new_without_an_id_derives_it_from_the_title(mam: Mam) -> None:
    mam("new", "--title", "Modre & the Clone!")
    assert mam("encounters", "--json").lines[0]["encounter"] == "modre-the-clone"


def test_initiative_accepts_every_kind_of_reason(mam: Mam) -> None:
    def initiative_sentence(*words: str) -> str:
        mam("new", words[0])
        mam.run_all("join ana --hp 4", "join ben --hp 4", "join cem --hp 4")
        return str(mam("initiative", *words[1:], "--json").lines[0]["rulings"][-1]["sentence"])

    assert initiative_sentence("a", "--surprise", "ben").startswith("ben begins (surprise)")
    assert initiative_sentence("b", "--first", "cem", "--reason", "Ana sleeps").startswith("cem begins")
    assert initiative_sentence("c", "--tie-die", "ana=1", "--tie-die", "ben=2", "--tie-die", "cem=6").startswith(
        "cem begins"
    )


@pytest.mark.usefixtures("modres_turn")
def test_adjust_can_change_everything(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "adjust --outcome full --stun 2 --damage 1 --reason 'Ruled so' --answers 6")
    assert pools(mam)["clone"] == {"ready": 3, "defense": 0, "other_used": 0, "stun": 2, "damage": 1}
    mam.run_all("adjust --move clone:stun:ready:2 --hold modre=grip:1:2 --condition clone=out --reason x")
    assert pools(mam)["clone"]["ready"] == 5
    mam.run_all("release modre grip", "adjust --turn - --reason 'Everybody rests'")
    assert mam("order", "--json").lines[0]["acting"] == ""


def test_a_counterattack_with_a_gun_may_have_its_own_distance(mam: Mam) -> None:
    """MAM-ATK-08."""
    mam.run_all("new duel", "join ana --hp 9 --weapon id=gun,name=Gun,kind=gun,range=60")
    mam.run_all("join ben --hp 9 --weapon id=gun,name=Gun,kind=gun,range=60", "initiative --first ana --reason agreed")
    mam.run_all("begin-turn", "attack ben --modifier 1 --distance 30")
    assert ", 6 m away" in mam("counterattack", "--power", "1", "--distance", "6").out
    mam("undo", "--yes")
    assert ", 9 m away" in mam("interfere", "ben", "--weapon", "gun", "--power", "1", "--distance", "9").out


@pytest.mark.usefixtures("modres_turn")
def test_a_combatant_can_be_named_by_its_shown_name(mam: Mam) -> None:
    mam("join", "Mr. X", "--hp", "4", "--side", "foes")
    assert "Modre attacks Mr. X" in mam("attack", "mr. x", "--power", "1").out
    assert "Mr. X" in mam("options", "Mr. X", "--all").out
    assert mam("options", "Mr. Y", code=1).err


DUEL = ("new duel", "join modre --hp 9", "join clone --hp 9")
TYPED_BARE = {
    "modify clone high turn --modifier 1": "modify clone high --until turn --modifier 1",
    "close late --yes": "close --reason late --yes",
}
"""Commands with a bare word, and the same command with the option for it."""


@pytest.mark.parametrize(("bare", "options"), TYPED_BARE.items())
def test_a_command_accepts_the_bare_words_of_a_line(mam: Mam, bare: str, options: str) -> None:
    for line in DUEL:
        mam(*line.split())
    first = mam(*bare.split()).out.splitlines()[0]
    mam("undo", "--yes")
    assert mam(*options.split()).out.splitlines()[0].split(maxsplit=1)[1] == first.split(maxsplit=1)[1]


@pytest.mark.parametrize("line", ["modify clone high turn --until turn", "close late --reason later"])
def test_a_value_given_bare_and_as_an_option_is_refused(mam: Mam, line: str) -> None:
    for words in DUEL:
        mam(*words.split())
    assert "is given twice." in mam(*line.split(), code=2).err
