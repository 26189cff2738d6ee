"""Rounds of Ron d6 on the command line: the order of turns, actions, dice and views."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.replay_player.player import Player
from cli.replay_player.screen import render_screen
from projections.rulings.frames import Frame
from tests.cli.calls import Mam
from tests.cli.orders.conftest import next_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.usefixtures("alley")
def test_the_order_shows_remaining_points_and_waiting_skills(mam: Mam) -> None:
    mam.run_all("declare --actions 2", "roll-related rook search 4 --primary dodge --code 3D --dice 4,5")
    assert "search +3 for dodge; 1 Fate Point" in mam("order").out
    for view in ("public", "side:watch"):
        assert "search" not in mam("order", "--as", view).out
        assert "Fate Point" not in mam("order", "--as", view).out
    assert "search +3 for dodge; 1 Fate Point" in mam("order", "--as", "side:thieves").out
    mam("roll-related", "rook", "search", "4", "--primary", "leap", "--code", "3D", "--dice", "4,5", "--hidden")
    assert "for leap" in mam("order").out
    assert "for leap" not in mam("order", "--as", "side:thieves").out
    row = mam("order", "--json").lines[0]["rows"][1]
    assert (row["combatant"], row["character_points"], row["fate_points"]) == ("thug", 1, 0)


@pytest.mark.usefixtures("alley")
def test_one_entry_of_a_table_is_amended_by_its_name(mam: Mam) -> None:
    mam("amend", "2", "code.search=2D", "code.brawling=null", "6", "dice.thug=[5,5]", "--yes")
    steps = mam("audit", "7", "--json").lines[0]["asked"]["steps"]
    assert steps[0]["patch"] == {
        "code": {"perception": "3D", "agility": "3D", "dodge": "4D", "search": "2D"},
    }
    assert steps[1]["patch"] == {"dice": {"rook": [4, 2, 5], "thug": [5, 5], "brute": [6, 3]}}
    assert [row["total"] for row in mam("order", "--json").lines[0]["rows"]] == [11, 10, 9]
    assert "code.sneak must be a dice code" in mam("amend", "2", "code.sneak=3", "--yes", code=2).err
    assert 'There is no "code_.x"' in mam("amend", "2", "code_.x=3", "--yes", code=2).err


@pytest.mark.usefixtures("alley")
def test_an_action_may_be_named_in_words(mam: Mam) -> None:
    mam("declare")
    assert "run away" in mam("act", "--action", "Run away").out
    mam("declare", "thug")
    error = mam("act", "--action", "run a-way", code=1).err
    assert '"run_a_way" is not in the list of actions. Did you mean "run_away"?' in error


@pytest.mark.usefixtures("alley")
def test_a_note_after_an_insert_belongs_to_the_current_round(mam: Mam) -> None:
    mam.run_all("declare", "act --action run_away", "round --yes", "note 'and now?'")
    mam.run_all("spend brute character --dice 2 --after 6 --yes", "note 'still round 2'")
    assert [line.split()[1] for line in mam("log", "--last", "3").out.splitlines()] == ["r2", "r1", "r2"]
    assert mam("order", "--at", "12").out.startswith("Round 2")


def test_initiative_rolled_between_rounds_belongs_to_the_next_round(mam: Mam) -> None:
    mam.run_all("new bout --set initiative_method=ron_d6", "join ana --hp 6 --code perception=2D")
    mam("join", "ben", "--hp", "6", "--code", "perception=2D")
    for first in ("5,5", "2,3"):
        mam("initiative", "roll", "--all", "--dice", f"ana={first}", "--dice", "ben=4,4")
        for _ in range(2):
            mam.run_all("begin-turn", "end-turn")
    rounds = [line["round"] for line in mam("log", "--json").lines if "roll" in line["text"]]
    assert rounds == [1, 2]


@pytest.mark.usefixtures("swing")
def test_a_replay_of_ron_d6_shows_the_order_instead_of_pools(mam: Mam) -> None:
    film = msgspec.json.decode(f"[{','.join(mam('replay', '--json').out.split(chr(10))[:-1])}]", type=list[Frame])
    assert [row.left for row in film[-1].standing] == [1, 0, 0]
    player = Player("alley", film, {"rook": "Rook", "thug": "Thug", "brute": "Brute"})
    player.press("end")
    screen = render_screen(player, 80, 24)
    assert "    Rook   done      11  1 of 2  waits, and may interrupt; 1 Fate Point" in screen
    assert not [line for line in screen if "R0" in line]


@pytest.mark.usefixtures("alley")
def test_the_order_explains_who_is_first_by_the_latest_event_of_the_fight(mam: Mam) -> None:
    mam.run_all("round --yes", "initiative roll --all --dice rook=1,1,1 --dice thug=5,5 --dice brute=1,1")
    mam.run_all("join owl --code perception=1D --after 5 --yes", "initiative roll owl --dice owl=5 --after 6 --yes")
    assert "Thug is first (initiative 10)." in mam("order").out
    mam("round", "--yes")
    assert mam("order", "--json").lines[0]["why"] == ""


@pytest.mark.usefixtures("alley")
def test_declared_actions_stay_fixed_if_the_game_master_moves_the_turn(mam: Mam) -> None:
    mam.run_all("declare --actions 2", "adjust --turn thug --reason 'Thug was quicker'")
    assert "Rook has already declared 2 actions for this round" in mam("declare", "rook", "--actions", "3", code=1).err
    mam.run_all("declare thug", "skip-turn brute")
    assert "Brute has skipped this turn. No more actions can be added." in mam("declare", "brute", code=1).err


@pytest.mark.usefixtures("alley")
def test_a_tackler_who_goes_down_before_the_result_holds_nobody(mam: Mam) -> None:
    mam.run_all("declare", "act --action tackle --target thug --difficulty 3 --dice 1,2,2", "incapacitate rook")
    mam.run_all("result success", "declare thug")
    assert "held" not in mam("act", "thug", "--action", "run_away").out


@pytest.mark.usefixtures("alley")
def test_initiative_skips_a_combatant_without_a_turn(mam: Mam) -> None:
    mam.run_all("incapacitate brute", "round --yes", "recover brute", "initiative roll --all")
    assert [row["combatant"] for row in mam("order", "--json").lines[0]["rows"]].count("brute") == 0
    assert "Everybody who can act has already" in mam("initiative", "roll", "--all", code=1).err


def test_the_order_of_a_view_shows_no_hidden_combatants(mam: Mam) -> None:
    mam("new", "alley", "--preset", "ron_d6")
    for name, more in (("rook", ()), ("thug", ()), ("xw", ("--name", "Greywolf", "--hidden"))):
        mam("join", name, "--code", "perception=2D", "--code", "agility=3D", "--code", "brawling=4D", *more)
    mam.run_all("round --yes", "initiative roll rook thug --dice rook=2,1 --dice thug=1,1")
    mam.run_all("initiative roll xw --dice xw=5,4", "declare xw --actions 3")
    mam.run_all("act xw --action tackle --target rook --difficulty 1 --dice 1,1", "result")
    mam.run_all("incapacitate thug --cause 'Greywolf strangled him'", "declare rook")
    output = mam("order", "--as", "public").out + mam("log", "--as", "public").out + mam("audit", "--as", "public").out
    assert "held down" in output
    assert "Greywolf is first" in mam("order").out
    assert "2 actions left" in mam("log").out
    for secret in ("Greywolf", "xw", "2 actions left", "initiative 9"):
        assert secret not in output
    assert "strangled" not in mam("order", "--as", "public").out
    mam("round", "--yes")
    assert mam("order", "--json", "--as", "public").lines[0]["why"] == ""


@pytest.mark.usefixtures("alley")
def test_a_hidden_roll_is_shown_only_to_the_game_master(mam: Mam) -> None:
    mam.run_all("declare", "act --action punch --target thug --difficulty 11 --dice 1,2,4 --hidden")
    for view in ("order", "options"):
        assert "An action waits for its result." in mam(view, "--as", "public").out
        assert "came to 7" not in mam(view, "--as", "public").out
        assert "came to 7" in mam(view).out


@pytest.mark.usefixtures("swing")
def test_amended_values_may_be_typed_as_options_take_them(mam: Mam) -> None:
    assert mam("amend", "10", "dice=5,5,5", "--preview").out.startswith("amends 10: dice 5, 5 and 5 (was 3, 4 and 5)")
    assert "amend act: dice 2 must be a whole number" in mam("amend", "10", "dice=5,x,5", "--yes", code=2).err
    mam("amend", "10", "dice=null", "difficulty=null", "--yes")
    fields = mam("audit", "10", "--json").lines[0]["asked"]
    assert not {"dice", "difficulty"} & set(fields)
    assert "(was drawn)" in mam("amend", "10", "dice=5,5,5", "--preview").out
    mam("undo", "11")
    assert mam("redo", "--preview").out.startswith("again amends 10 (")
    mam("undo", "10", "--yes")
    error = mam("amend", "10", "dice=1,1,1", code=1).err
    assert "Ruling 10 was undone by 13, so it cannot be amended. Redo 13 first.\nnext: mam redo 13" in error


@pytest.mark.usefixtures("alley")
def test_a_six_on_the_wild_die_asks_for_another_throw(mam: Mam) -> None:
    mam("declare")
    error = mam("act", "--action", "punch", "--dice", "4,2,6", code=1).err
    assert "The wild die of Rook's 3D shows 6, so throw it again and give 4,2,6,N." in error
    assert "takes 3 dice, but only 2 were thrown" in mam("act", "--action", "punch", "--dice", "4,2", code=1).err
    mam.run_all("act --action punch --dice 4,2,5", "amend 2 character_points=1 --yes")
    assert "wild die takes 1 die, but 2 were thrown" in mam("spend", "rook", "character", "--dice", "4,2", code=1).err
    (number,) = (line["number"] for line in mam("log", "--json").lines if "punch" in line["text"])
    assert f"No longer used: [4] [2] [5] for the action in {number}." in mam("undo", f"{number}", "--preview").out


def test_parry_uses_the_weapon_in_hand_by_default(mam: Mam) -> None:
    mam.run_all("new duel", "join ana --hp 9 --weapon id=axe,power=1,reach=1")
    mam.run_all("join ben --hp 9 --weapon id=axe,power=1,reach=1", "initiative --first ana --reason x", "begin-turn")
    mam("attack", "ana", "ben", "--power", "1")
    assert "ben parries with the axe" in mam("parry").out


@pytest.mark.usefixtures("alley")
def test_the_order_shows_totals_ties_and_tie_breakers(mam: Mam) -> None:
    output = mam("order").out
    assert "Rook is first (initiative 11). [RD6-INIT-04]" in output
    rows = mam("order", "--json").lines[0]["rows"]
    assert [(row["combatant"], row["total"], row["ahead_of"], row["ahead_by"]) for row in rows] == [
        ("rook", 11, "", ""),
        ("thug", 9, "brute", "roster_order"),
        ("brute", 9, "", ""),
    ]
    assert "before Brute by the order in which they joined" in output


@pytest.mark.usefixtures("swing")
def test_the_order_shows_who_waits_and_how_many_actions_are_left(mam: Mam) -> None:
    rows = {row["combatant"]: row for row in mam("order", "--json").lines[0]["rows"]}
    assert (rows["rook"]["left"], rows["rook"]["declared"], rows["rook"]["waits"]) == (1, 2, True)
    assert (rows["thug"]["left"], rows["thug"]["declared"], rows["thug"]["status"]) == (0, 1, "acting")
    assert "1 of 2  waits, and may interrupt" in mam("order").out


@pytest.mark.usefixtures("swing")
def test_options_in_an_open_action_list_interrupts_and_the_result(mam: Mam) -> None:
    output = mam("options").out
    assert output.startswith("Action 10: Thug, punch at Rook, came to 12 against 10. Those who")
    assert "mam interrupt rook --action dodge" in output
    assert "mam result" in output
    assert "mam interrupt brute" not in output
    assert "has not waited" in mam("options", "brute", "--all").out
    mam("interrupt", "rook", "--action", "dodge", "--dice", "1,2,3")
    assert next_of(mam("note", "well dodged").err).startswith("next: mam result success")


@pytest.mark.usefixtures("swing")
def test_result_applies_to_the_newest_open_action(mam: Mam) -> None:
    mam.run_all("spend thug character --dice 2", "interrupt rook --action dodge --dice 1,2,3")
    assert "Rook's dodge (12) fails" in mam("result", "failure").out
    assert "Thug's punch (10) succeeds with 14 against 10" in mam("result").out
    assert "or other action is open, so there is nothing to settle" in mam("result", "success", code=1).err


@pytest.mark.usefixtures("alley")
def test_a_related_skill_counts_in_the_next_action_by_default(mam: Mam) -> None:
    mam.run_all("declare rook --actions 2", "roll-related stealth 4 --primary throwing --code 3D --dice 5,5")
    output = mam(
        "act", "rook", "a brick", "--action", "use", "--skill", "throwing", "--code", "3D", "--dice", "1,1"
    ).out
    assert "throwing 3D-1D: [1]+wild [1]+3 = 5" in output


@pytest.mark.usefixtures("alley")
def test_an_action_without_a_roll_does_not_use_the_related_skill(mam: Mam) -> None:
    mam.run_all("declare rook --actions 3", "roll-related stealth 4 --primary Dodge --code 3D --dice 5")
    output = mam("act", "rook", "--action", "communicate").out
    assert "communicate (1 action left); stealth +1 for Dodge waits" in output
    answer = mam("act", "rook", "--action", "dodge", "--alone", "--dice", "1,1").out
    assert "dodge, 4D-2D: [1]+wild [1] = 2 (0 actions left); stealth +1 for Dodge waits" in answer


@pytest.mark.usefixtures("alley")
def test_a_related_skill_counts_only_in_the_action_it_was_rolled_for(mam: Mam) -> None:
    mam.run_all("declare rook --actions 3", "roll-related stealth 4 --primary dodge --code 3D --dice 5")
    assert (
        "--primary is missing: the primary skill that it helps"
        in mam("roll-related", "search", "4", "--code", "3D", code=2).err
    )
    assert "stealth +1 for dodge waits" in mam("act", "rook", "--action", "punch", "--dice", "1").out
    assert "stealth" not in mam("log", "--as", "public").out.partition("punch")[2]


@pytest.mark.usefixtures("alley")
def test_a_point_is_spent_on_the_related_skill_rolled_last(mam: Mam) -> None:
    mam.run_all("skip-turn rook", "declare thug --actions 2")
    mam("roll-related", "stealth", "9", "--primary", "dodge", "--code", "3D", "--dice", "2,2")
    output = mam("spend", "thug", "character", "--dice", "4").out
    assert "spends a Character Point on a related skill: bought [4], 8 in all, -1 for the primary skill" in output


@pytest.mark.usefixtures("swing")
def test_an_amended_roll_judges_its_result_again(mam: Mam) -> None:
    mam("result")
    output = mam("amend", "10", "dice=[1,2,3]", "--yes", "--reason", "it was another die").out
    assert "Thug's punch (10) fails with 6 against 10" in output


def test_a_report_of_ron_d6_has_no_pools(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "the-footbridge.toml"))
    output = mam("report").out
    assert "Lout is incapacitated in round 2, now able" in output
    assert "Pools" not in output
    assert "Best hits" not in output


def test_actions_of_a_hidden_combatant_are_not_shown(mam: Mam) -> None:
    mam("new", "alley", "--preset", "ron_d6")
    codes = ("--code", "perception=2D", "--code", "agility=3D", "--code", "brawling=3D")
    mam("join", "rook", *codes)
    mam("join", "zed", *codes, "--hidden")
    mam("round", "--yes")
    assert "zed" not in mam("initiative", "roll", "--all", "--as", "public", "--dice", "rook=5,5").out
    mam.run_all("initiative roll zed --dice zed=4,4", "declare rook --actions 2", "wait rook", "declare zed")
    mam("act", "zed", "--action", "punch", "--target", "rook", "--difficulty", "5", "--dice", "4,5,3")
    for words in (("order",), ("options",), ("options", "--all"), ("log",), ("audit",), ("report",)):
        result = mam(*words, "--as", "public")
        for secret in ("zed", "punch at", "came to 12"):
            assert secret not in result.out + result.err, (words, secret)
    assert mam("options", "--all", "--as", "public").out.count("mam incapacitate") == 1
    assert "punch" not in mam("act", "rook", "--action", "dodge", "--code", "3D", "--as", "public", code=1).err
    assert "Nobody called" in mam("initiative", "roll", "rook", "--dice", "zed=1,1", "--as", "public", code=1).err


@pytest.mark.usefixtures("alley")
def test_a_turn_that_ends_with_actions_left_says_so(mam: Mam) -> None:
    mam("declare", "rook", "--actions", "3")
    assert "Rook's turn is over with 3 actions left" in mam("declare", "thug").out
    mam("wait", "thug")
    assert "turn is over" not in mam("declare", "brute").out
    assert mam("initiative", "roll", "rook", "--dice", "rook=1", "--dice", "rook=2", code=2).err.count("twice") == 1


@pytest.mark.usefixtures("alley")
def test_a_forgotten_action_is_settled_where_it_was_inserted(mam: Mam) -> None:
    mam.run_all("declare rook", "declare thug")
    action_words = ("act", "rook", "--action", "use", "--code", "3D", "--difficulty", "5", "--dice", "3,3,3")
    result = mam(*action_words, "--after", "7", "--yes")
    assert result.err.count("--after 9") == 2
    assert "mend what you can" not in result.err
    result = mam(*next_of(result.err).partition("next: mam ")[2].partition(", or ")[0].split(), "--yes")
    assert "Void now" not in result.err
    assert "\u2717" not in mam("log").out


@pytest.mark.usefixtures("alley")
def test_waiting_with_the_last_action_says_that_it_is_lost(mam: Mam) -> None:
    mam("declare", "rook")
    assert "Rook waits, but that was their last action: they can't interrupt" in mam("wait", "rook").out


def test_dice_of_a_situation_are_shown_beside_the_code(mam: Mam) -> None:
    mam.run_all("new duel --preset ron_d6", "join ada --code perception=3D --code agility=3D --code brawling=4D")
    mam.run_all("join ort --code perception=3D --code agility=3D --code brawling=4D", "round")
    mam.run_all("initiative roll --all --dice ada=5,5,5 --dice ort=1,1,1", "declare ada --actions 2")
    output = mam("do", 'punch ort v5 "-1D called shot" [4 2]').out
    assert "brawling 4D-1D -1D called shot: [4]+wild [2] = 6 against 5" in output
    reasons = mam("audit", "7").out
    assert "less 1D for several actions (RD6-MAP-01) -1D called shot (the game master): 4 (thrown), wild 2" in reasons
    assert '"-1D called shot"' in mam("act", "ada", "--action", "punch", "--situation", "-1D", code=2).err


def test_a_partial_initiative_roll_names_who_has_yet_to_roll(mam: Mam) -> None:
    mam.run_all("new duel --preset ron_d6", "join ada --code perception=2D", "join ort --code perception=2D")
    mam.run_all("join una --code perception=2D", "join zed --code perception=2D --hidden", "round")
    output = mam("initiative", "roll", "ada", "--dice", "ada=5,5").out
    assert "The order is ada 10; ort, una and zed have yet to roll" in output
    assert "The order is ada 10; ort and una have yet to roll" in mam("log", "--as", "public").out
    mam("initiative", "roll", "ort", "una", "--dice", "ort=1,2", "--dice", "una=1,1")
    assert "; zed has yet to roll" in mam("log").out
    assert "yet to roll" not in mam("log", "--last", "1", "--as", "public").out
