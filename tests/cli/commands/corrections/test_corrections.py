"""`mam undo`, `redo` and `amend`, their previews and their questions."""

from __future__ import annotations

import pytest

from tests.cli.calls import CliResult, Mam, Rows

DUEL = "modre-and-the-clone"


def verdicts(result: CliResult) -> dict[int, str]:
    document = result.lines[0]
    entries = document["verdicts"] if "verdicts" in document else document["rulings"][-1]["verdicts"]
    return {one["ruling"]: one["verdict"] for one in entries}


@pytest.mark.usefixtures("fight")
def test_two_undos_and_two_redos_restore_both_rulings(mam: Mam) -> None:
    before = mam("pools").out
    mam.run_all("undo", "undo", "redo", "redo")
    assert mam("pools").out == before
    assert mam("undo").out.startswith("#26")


@pytest.mark.usefixtures("fight")
def test_undo_of_the_last_ruling_asks_nothing_and_shows_how_to_redo(mam: Mam) -> None:
    result = mam("undo", "--by", "Ana", "--reason", "The clone stays")
    assert result.out.startswith("#22  r2 t2   Ana undoes 21 (Clone moves for 3 points): The clone stays")
    assert "redo it: mam redo" in result.err
    assert "↶ by Ana: The clone stays" in mam("log").out


@pytest.mark.usefixtures("fight")
def test_undo_of_an_earlier_ruling_without_a_terminal_needs_yes_or_expect(mam: Mam, rows: Rows) -> None:
    before = rows()
    result = mam("undo", "6", code=2)
    assert "undoes: 6 (Modre attacks Clone with the Ice Blade), 7 (Clone reacts with 6 points) and 8" in result.out
    assert "No ruling changes" not in result.out
    assert "3 rulings change, none becomes void." in result.out
    assert "Clone moves no points to ready (was: Clone moves 3 points from defense to ready)" in result.out
    assert "Defense has 0 points to give" in mam("undo", "6", "--strict", code=2).out
    assert "--yes" in result.err
    assert rows() == before
    token = result.out.splitlines()[-1].removeprefix("--expect ")
    assert token in result.err
    mam("undo", "6", "--expect", token)
    assert len(mam("pools", "--at", "8", "--json").lines) == 2
    assert mam("pools", "--at", "8", "--json").lines[0]["pools"]["ready"] == 6


@pytest.mark.usefixtures("fight")
def test_a_preview_writes_nothing_and_shows_the_verdicts(mam: Mam, rows: Rows) -> None:
    before = rows()
    result = mam("undo", "6", "--preview", "--json")
    preview = result.lines[0]
    assert preview["struck"] == [6, 7, 8]
    assert {n: v for n, v in verdicts(result).items() if v != "stands"} == {
        11: "changed",
        14: "changed",
        15: "carried",
        16: "carried",
        17: "changed",
    }
    assert {one["ruling"]: one["bookkeeping"] for one in preview["verdicts"] if one["bookkeeping"]} == {
        11: ["Clone readies only the points that are there."],
        14: ["Modre readies only the points that are there."],
    }
    assert preview["summary"]["sentences"] == ["3 rulings change, none becomes void."]
    strictly = verdicts(mam("undo", "6", "--strict", "--preview", "--json"))
    assert {n: v for n, v in strictly.items() if v == "void"} == {11: "void", 14: "void"}
    assert preview["expect"].startswith("21:")
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_an_outdated_expect_is_a_version_conflict(mam: Mam, rows: Rows) -> None:
    token = mam("undo", "6", "--preview", "--json").lines[0]["expect"]
    mam("adjust", "--reason", "Somebody came first")
    before = rows()
    assert mam("undo", "6", "--expect", token, "--json", code=3).error["code"] == "version_conflict"
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_a_remark_does_not_outdate_a_preview(mam: Mam) -> None:
    token = mam("undo", "6", "--preview", "--json").lines[0]["expect"]
    mam("note", "The lamp goes out")
    mam("undo", "6", "--expect", token)


@pytest.mark.usefixtures("fight")
def test_undo_only_undoes_one_ruling_and_rewind_all_from_there(mam: Mam) -> None:
    mam("undo", "7", "--only", "--yes")
    assert sum(line["struck"] for line in mam("log", "--json").lines) == 1
    mam("undo", "22")
    mam("undo", "10", "--rewind", code=2)
    result = mam("undo", "10", "--rewind", "--yes", "--json")
    assert result.lines[0]["rulings"][-1]["asked"]["steps"][0] == {"step": "strike", "ruling": 10}
    assert [line["number"] for line in mam("log", "--json").lines if line["struck"]] == [*range(10, 23)]
    mam("redo")
    assert mam("order", "--json").lines[0]["round"] == 2


@pytest.mark.usefixtures("modres_turn")
def test_undo_of_the_last_exchange_asks_nothing(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve 6 1", "undo 6")
    assert [line["number"] for line in mam("log", "--json").lines if line["struck"]] == [6, 7]


@pytest.mark.usefixtures("fight")
def test_a_second_undo_of_the_same_ruling_is_refused(mam: Mam, rows: Rows) -> None:
    # Both have read the log, and want to undo 21, the last ruling.
    mam("undo", "21", "--only", "--by", "Ana")
    before = rows()
    assert mam("undo", "21", "--only", "--by", "Ben", code=1).err.splitlines()[-2] == (
        "Ruling 21 was already undone by 22 (Ana)."
    )
    assert rows() == before


@pytest.mark.usefixtures("fight")
def test_redo_asks_only_when_others_have_played_since(mam: Mam, rows: Rows) -> None:
    mam.run_all("undo 6 --yes", "redo", "undo 21", "move 1")
    before = rows()
    assert "void" in mam("redo", code=2).out
    assert rows() == before
    assert verdicts(mam("redo", "--yes", "--json")) == {25: "void"}


@pytest.mark.usefixtures("fight")
def test_amend_changes_fields_of_several_rulings(mam: Mam, rows: Rows) -> None:
    before = rows()
    result = mam("amend", "17", "attack_die=1", "--preview", "--json")
    voids = [entry for entry in result.lines[0]["verdicts"] if entry["verdict"] == "void"]
    # In 20 two points are left to ready; the three metres of 21 would cost three.
    assert [(entry["ruling"], entry["because"]) for entry in voids] == [(21, 17)]
    mam("amend", "17", "attack-die=1", code=2)
    assert rows() == before
    amendment = ("amend", "17", "attack_die=1", "20", "other_used=2", "defense=1", "--reason", "Read wrong")
    assert "void" not in verdicts(mam(*amendment, "--yes", "--json")).values()
    assert "[1!]" in mam("log").out
    assert "~ amended by 22" in mam("log").out


@pytest.mark.usefixtures("fight")
def test_amend_accepts_the_option_name_of_a_field(mam: Mam) -> None:
    by_option = mam("amend", "17", "attack-die=1", "20", "other-used=2", "defense=1", "--preview", "--json").lines
    output = mam("amend", "17", "attack-die=1", "20", "other-used=2", "defense=1", "--preview").out
    assert output.startswith("amends 17: attack die 1 (was 6)\namends 20: other used 2 (was 3), defense 1 (was 0)")
    words = ("17", "attack_die=1", "20", "other_used=2", "defense=1")
    assert by_option == mam("amend", *words, "--preview", "--json").lines


@pytest.mark.usefixtures("fight")
def test_undo_lists_the_void_rulings_and_how_to_undo_them(mam: Mam) -> None:
    result = mam("undo", "6", "--strict", "--yes")
    assert "Rulings 11 and 14 no longer fit and are void. To leave 11 out for good: mam undo 11 --only" in result.err


@pytest.mark.usefixtures("fight")
def test_without_a_terminal_the_error_shows_the_command_with_yes(mam: Mam) -> None:
    assert "next: mam undo 6 --reason 'too late' --yes" in mam("undo", "6", "--reason", "too late", code=2).err
    assert "judges 0" not in mam("undo", "21", "--rewind", "--preview").out


@pytest.mark.usefixtures("fight")
def test_amend_of_the_last_ruling_asks_nothing_and_can_be_undone(mam: Mam) -> None:
    mam("amend", "21", "points=1", "metres=0.5")
    assert mam("audit", "21", "--json").lines[0]["asked"] == {"combatant": "clone", "points": 1, "metres": "0.5"}
    mam("undo")
    assert mam("audit", "21", "--json").lines[0]["asked"] == {"combatant": "clone", "points": 3}


@pytest.mark.parametrize(
    ("text", "value"),
    [("interference_die={}", {}), ("attack_die=null", None), ("defense_die=3", 3)],
)
@pytest.mark.usefixtures("fight")
def test_amended_values_are_parsed_by_the_type_of_their_field(mam: Mam, text: str, value: object) -> None:
    mam("amend", "17", text, "--yes")
    step = mam("audit", "22", "--json").lines[0]["asked"]["steps"][0]
    assert step == {"step": "amend", "ruling": 17, "patch": {text.split("=", maxsplit=1)[0]: value}, "do": "resolve"}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("amend", "17", "atack_die=1"), 2, 'Did you mean "attack_die"?'),
        (("amend", "21", "points=2.5"), 2, "must be a whole number"),
        (("amend", "21", "points=-1"), 2, "must be a whole number of 0 or more"),
        (("amend", "21", "combatant=Clone"), 2, "lower-case"),
        (("amend", "99", "points=1"), 4, "The newest is 21"),
        (("amend", "17"), 2, "Say what to change in ruling 17"),
        (("amend", "points=1"), 2, "Which ruling?"),
        (("amend", "1", "title=x"), 1, "The opening cannot be amended"),
        (("undo", "1"), 1, "The opening cannot be undone"),
        (("undo", "99"), 4, "The newest is 21"),
        (("undo", "5"), 1, "next: mam undo 5 --rewind"),
        (("undo", "--only"), 2, "need the number"),
        (("undo", "6", "--only", "--rewind"), 2, "not both"),
        (("redo",), 1, "nothing to redo"),
        (("redo", "17"), 1, "not a correction"),
        (("note", "Why?", "--about", "99"), 4, "The newest is 21"),
        (("adjust", "--move", "clone:ready:stun:9", "--reason", "x"), 1, "not 9"),
        (("adjust", "--move", "clone:ready:stun", "--reason", "x"), 2, "COMBATANT:POOL:POOL:POINTS"),
        (("adjust", "--move", "clone:raedy:stun:1", "--reason", "x"), 2, 'Did you mean "ready"?'),
        (("adjust", "--condition", "clone=ded", "--reason", "x"), 2, 'Did you mean "dead"?'),
        (("adjust", "--condition", "clnoe=dead", "--reason", "x"), 1, 'Did you mean "clone"?'),
        (("adjust", "--hold", "modre=grip", "--reason", "x"), 2, "COMBATANT=HOLD:POINTS"),
        (("adjust", "--stun", "1", "--reason", "x"), 2, "--outcome"),
        (("adjust", "--outcome", "full", "--reason", "x"), 1, "No attack"),
        (("adjust", "--turn", "clone"), 2, "--reason"),
    ],
)
@pytest.mark.usefixtures("fight")
def test_an_invalid_correction_is_refused_and_changes_nothing(
    mam: Mam, rows: Rows, words: tuple[str, ...], code: int, message: str
) -> None:
    before = rows()
    assert message in mam(*words, *(["--yes"] if words[0] == "amend" else []), code=code).err
    assert rows() == before


@pytest.mark.usefixtures("modres_turn")
def test_a_preview_does_not_show_an_undrawn_die(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve 6 1", "end-turn")
    document = mam("amend", "7", "attack_die=null", "--preview", "--json").lines[0]
    assert document["verdicts"][0]["undrawn"] == "7/attack.modre/0/d6"
    assert document["combatants"] == []
    assert [die["key"] for die in document["unused"]] == ["7/attack.modre/0/d6"]
    output = mam("amend", "7", "attack_die=null", "--preview").out
    assert "a d6 is drawn for Modre's attack when this is" in output
    assert "No longer used: [6] for the attack in 7." in output
    mam("amend", "7", "attack_die=null", "--yes")
    assert "*]" in mam("log").out


@pytest.mark.usefixtures("modres_turn")
def test_verdicts_of_hidden_rulings_are_not_shown(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve 1 6", "act 'pick a lock' --points 5 --hidden", "resolve --hidden")
    document = mam("undo", "6", "--preview", "--as", "public", "--json").lines[0]
    assert (document["verdicts"], document["hidden"]) == ([], 2)
    assert "lock" not in mam("undo", "6", "--preview", "--as", "public").out


@pytest.mark.usefixtures("modres_turn")
def test_a_changed_outcome_of_a_hidden_ruling_is_not_shown(mam: Mam) -> None:
    mam.run_all("attack clone --power 1", "resolve 1 6", "act 'pick a lock' --points 5 --hidden", "resolve --hidden")
    amend = ("amend", "6", "power=2")
    assert "void" in mam(*amend, "--preview").out
    for result in (mam(*amend, "--preview", "--as", "public"), mam(*amend, "--as", "public", code=2)):
        assert "2 rulings are hidden." in result.out
        assert "1 ruling changes, none becomes void." in result.out
        assert "void" not in (result.out + result.err).replace("none becomes void", "")
    result = mam(*amend, "--as", "public", "--yes")
    assert "void" not in result.out + result.err
    assert "hidden" not in result.out + result.err
    mam("undo")
    rows = mam(*amend, "--as", "public", "--yes", "--json").lines[0]["rulings"][-1]["verdicts"]
    assert {one["verdict"] for one in rows} == {"changed", "carried", "hidden"}


@pytest.mark.usefixtures("modres_turn")
def test_undo_and_redo_of_a_view_apply_to_the_last_ruling_it_sees(mam: Mam) -> None:
    mam.run_all("move modre 1", "adjust --move clone:ready:stun:1 --reason 'a spell' --hidden")
    assert mam("note", "well", "--as", "public").err.endswith("would undo ruling 6.\n")
    assert "undoes: 6 (Modre moves for 1 point)" in mam("undo", "--preview", "--as", "public").out
    assert "undoes 6 (Modre moves for 1 point)" in mam("undo", "--yes", "--as", "public").out
    mam("undo", "7", "--yes")
    assert "redoes 6 (Modre moves for 1 point)" in mam("redo", "--yes", "--as", "public").out
    assert "nothing to redo" in mam("redo", "--as", "public", code=1).err
    assert "redoes 7 (" in mam("redo").out


@pytest.mark.usefixtures("fight")
def test_an_insert_has_a_preview_and_an_expect_like_a_correction(mam: Mam, rows: Rows) -> None:
    before = rows()
    result = mam("move", "1", "--after", "20", "--preview")
    token = result.out.splitlines()[-1].removeprefix("--expect ")
    assert rows() == before
    assert mam("move", "2", "--after", "20", "--expect", token, "--json", code=3).error["code"] == "version_conflict"
    assert rows() == before
    assert verdicts(mam("move", "1", "--after", "20", "--expect", token, "--json")) == {21: "void"}
    assert "--after" in mam("move", "1", "--preview", code=2).err


@pytest.mark.usefixtures("fight")
def test_redo_asks_nothing_if_all_later_rulings_stand(mam: Mam) -> None:
    mam.run_all("undo", "adjust --reason 'nothing really'")
    assert "redoes 21" in mam("redo").out


@pytest.mark.usefixtures("modres_turn")
def test_verdicts_name_combatants_as_amended(mam: Mam) -> None:
    mam.run_all("join dov --hp 6 --side foes", "attack clone --power 1", "resolve 6 1")
    output = mam("amend", "7", "target=dov", "--preview").out
    row = next(line for line in output.splitlines() if line.split()[:1] == ["8"])
    assert "attack on dov is resolved" in row
    assert "clone" not in row.lower().partition("(was:")[0]
    assert [line for line in mam("amend", "7", "target=dov", "--yes").out.splitlines() if line == row]


@pytest.mark.usefixtures("modres_turn")
def test_a_repeated_undo_names_the_original_ruling(mam: Mam) -> None:
    mam.run_all("attack clone 2", "undo", "redo")
    for number, words in ((8, "again undoes 6 (Modre attacks"), (9, "again redoes 6 (Modre attacks")):
        assert words in mam("undo" if number == 8 else "redo", *(["8"] if number == 8 else []), "--yes").out
    mam("amend", "6", "power=1", "--yes")
    assert "undoes amendment 11 of 6 (Modre attacks" in mam("undo", "--yes").out
    assert mam("redo", "--preview").out.startswith("again amends 6 (Modre attacks")
    assert "again amends 6 (Modre attacks Clone with the ice-blade) to read power 1" in mam("redo", "--yes").out
    assert "again undoes amendment 11 of 6 (Modre" in mam("undo", "13", "--yes").out
    assert "open, 1 round, 14 rulings, 8 of them corrections\n" in mam("report").out


@pytest.mark.usefixtures("modres_turn")
def test_a_carried_verdict_shows_the_new_sums(mam: Mam) -> None:
    mam.run_all("attack clone 2 1", "resolve 1 6")
    lines = mam("amend", "6", "power=1", "modifier=2", "--preview").out.splitlines()
    assert next(line for line in lines if "resolved" in line).endswith("carried  4 against 6 (was: 3 against 6)")
    mam.run_all("new dock --preset ron_d6", "join vera --code perception=2D --code agility=2D --code dodge=3D", "round")
    mam.run_all("initiative roll --all", "declare", "act --action dodge --dice 1,2,3")
    lines = mam("amend", "2", "code.dodge=3D+1", "--preview").out.splitlines()
    assert next(line for line in lines if "vera: dodge" in line).endswith("carried  7 (was: 6)")


@pytest.mark.usefixtures("modres_turn")
def test_an_amended_weapon_is_described_by_its_fields(mam: Mam) -> None:
    output = mam("amend", "2", "weapon=[]", "--preview").out
    assert output.startswith("amends 2: weapon nothing (was id ice-blade, power 3, attack 1, sharpness -2, reach 1)")


@pytest.mark.usefixtures("fight")
def test_fields_after_several_rulings_are_amended_in_each(mam: Mam) -> None:
    two_amendments = mam(
        "amend", "17", "attack_die=1", "defense_die=6", "8", "attack_die=1", "--preview", "--json"
    ).lines
    mam("amend", "8", "17", "attack_die=2", "--preview")
    one_amendment = mam("amend", "8", "17", "attack_die=1", "17", "defense_die=6", "--preview", "--json").lines
    assert one_amendment[0]["verdicts"] == two_amendments[0]["verdicts"]
    assert "Say what to change in ruling 8" in mam("amend", "17", "attack_die=1", "8", code=2).err


@pytest.mark.usefixtures("modres_turn")
def test_a_ruling_with_changed_rolls_only_shows_its_result(mam: Mam) -> None:
    mam.run_all("attack clone 1 2", "resolve 5 2")
    row = next(
        line for line in mam("parry", "clone", "--after", "6", "--preview").out.splitlines() if "resolved" in line
    )
    assert "changed  as before, Modre's attack on Clone hits with power 4: 8 against 2; Clone rolls 2" in row
    assert "for the parry" in row
    mam.run_all("new yard", "join ana --hp 6 --weapon id=ax,power=1", "join ort --hp 6 --weapon id=ax,power=1")
    mam.run_all("initiative --first ana --reason x", "begin-turn", "attack ort 1 1", "parry ort", "resolve 1 5")
    row = next(line for line in mam("parry", "ort", "--after", "6", "--preview").out.splitlines() if "resolved" in line)
    assert row.endswith("changed  as before, ana's attack on ort misses: 2 against 5")
