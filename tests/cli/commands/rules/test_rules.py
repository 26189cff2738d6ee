"""`mam rules`: files of house rules, comparison, and changes during a fight."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam

EXAMPLES = Path(__file__).parents[4] / "examples"

FIGHT = """
encounter = "cellar"
rules = "house/ours.toml"
combatants = [{ id = "rook", hp = 6 }]
[house_rules]
wound_order = "stun_first"
"""


@pytest.fixture
def ours(mam: Mam, table: Path) -> Path:
    """Write a file of two house rules and return its path."""
    mam("rules", "new", "ours", "--set", "half_success=never", "--set", "wound_order=damage_first", "--title", "Ours")
    return table / "ours.toml"


def rules_of(mam: Mam, *where: str) -> tuple[str, dict[str, str]]:
    report = mam("report", *where, "--json").lines[0]
    return report["ruleset"], {rule["option"]: rule["reading"] for rule in report["house_rules"]}


def test_a_file_of_house_rules_is_written_shown_and_checked(mam: Mam, ours: Path) -> None:
    assert ours.read_text(encoding="utf-8") == (
        'name = "ours"\ntitle = "Ours"\nfrom = "mam_pools"\n\n[house_rules]\nhalf_success = "never"\n'
        'wound_order = "damage_first"\n'
    )
    options = {line["option"]: line for line in mam("rules", "show", "ours.toml", "--json").lines}
    assert (options["half_success"]["reading"], options["half_success"]["section"]) == ("never", "wounds")
    assert "half_success = never  * house rule; the preset has exact_tie" in mam("rules", "show", "ours.toml").out
    assert (
        mam("rules", "check", "ours.toml").out
        == "ours.toml: ours, mam_pools with 2 house rules. The program knows all of them.\n"
    )


def test_options_are_shown_under_the_section_they_belong_to(mam: Mam) -> None:
    lines = mam("rules", "show").out.splitlines()
    at = {line: number for number, line in enumerate(lines)}
    reach = next(number for number, line in enumerate(lines) if line.startswith("  reach_tie = random_roll  [MAM-"))
    assert at["Initiative"] < reach < at["Interference"]
    assert "reach" in lines[reach + 1]


def test_an_existing_rules_file_is_overwritten_only_with_force(mam: Mam, ours: Path) -> None:
    before = ours.read_bytes()
    assert "--force" in mam("rules", "new", "ours", "--set", "half_success=never", code=2).err
    assert ours.read_bytes() == before
    mam("rules", "new", "ours", "--set", "half_success=never", "--force")
    assert "wound_order" not in ours.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--set", "half_succes=never"), 1, 'Did you mean "half_success"?'),
        (("--set", "half_success=nevr"), 1, 'Did you mean "never"?'),
        (("--from", "mam_pool"), 1, 'Did you mean "mam_pools"?'),
        (("--from", "nowhere.toml"), 2, "nowhere.toml: There is no such file."),
        (("--from", "mam_speed", "--set", "reaction_hp_cap=uncapped"), 1, "does nothing under mam_speed"),
    ],
)
def test_invalid_house_rules_create_no_file(
    mam: Mam, table: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    assert message in mam("rules", "new", "mine", *words, code=code).err
    assert list(table.iterdir()) == []


def test_an_invalid_name_creates_no_file(mam: Mam, table: Path) -> None:
    assert "lower-case name" in mam("rules", "new", "../Mine", code=2).err
    assert list(table.iterdir()) == []


@pytest.mark.usefixtures("ours")
def test_rules_based_on_a_file_inherit_and_override_its_options(mam: Mam) -> None:
    mam("rules", "new", "finale", "--from", "ours.toml", "--set", "wound_order=stun_first")
    assert [tuple(line.values()) for line in mam("rules", "diff", "mam_pools", "finale.toml", "--json").lines] == [
        ("half_success", "exact_tie", "never")
    ]
    assert (
        "ours.toml and ours.toml have the same reading for every option."
        in mam("rules", "diff", "ours.toml", "ours.toml").out
    )


def test_rules_based_on_themselves_are_refused_with_their_files(mam: Mam, table: Path) -> None:
    (table / "a.toml").write_text('name = "a"\nfrom = "b.toml"\n', encoding="utf-8")
    (table / "b.toml").write_text('name = "b"\nfrom = "./a.toml"\n', encoding="utf-8")
    for words in (("show", "a.toml"), ("check", "a.toml"), ("diff", "mam_pools", "a.toml")):
        assert "b.toml:2: These rules would be based on themselves: a.toml → b.toml → a.toml." in (
            mam("rules", *words, code=2).err
        )


def test_presets_are_compared_option_by_option(mam: Mam) -> None:
    lines = {line["option"]: line for line in mam("rules", "diff", "mam_pools", "mam_speed", "--json").lines}
    assert (lines["combat_die"]["a"], lines["combat_die"]["b"]) == ("d6_face", "d20")
    assert lines["reaction_hp_cap"]["b"] is None
    assert "wound_order" not in lines
    output = mam("rules", "diff", "mam_pools", "mam_speed").out
    assert [line.split() for line in output.splitlines() if "reaction_hp_cap" in line] == [
        ["reaction_hp_cap", "uncapped", "–"]
    ]


def test_an_error_in_a_rules_file_names_its_line(mam: Mam, table: Path) -> None:
    file = table / "ours.toml"
    file.write_text('name = "ours"\nfrom = "mam_pools"\n[house_rules]\nhalf_succes = "never"\n', encoding="utf-8")
    for words in (
        ("rules", "check", "ours.toml"),
        ("rules", "show", "ours.toml"),
        ("new", "x", "--rules", "ours.toml"),
    ):
        assert 'ours.toml:4: There is no option "half_succes"' in mam(*words, code=1).err
    assert not (table / "mam.db").exists()
    file.write_text('name = "ours"\n[house_rules]\n', encoding="utf-8")
    assert (
        '"from" is missing. It names the rules that these change: a preset (from = "mam_pools")'
        in mam("rules", "check", "ours.toml", code=2).err
    )
    file.write_text('name = "ours"\nfrom = "mam_pools"\n[house_rules]\nhalf_success = 3\n', encoding="utf-8")
    assert (
        'ours.toml:4: half_success must be "exact_tie", "never" or ' in mam("rules", "check", "ours.toml", code=2).err
    )
    file.write_text('name = "ours"\nfrom = "mam_pool"\n', encoding="utf-8")
    assert 'ours.toml:2: There is no preset "mam_pool"' in mam("rules", "check", "ours.toml", code=1).err


@pytest.mark.usefixtures("ours")
def test_a_fight_under_a_rules_file_has_its_rules_and_its_name(mam: Mam) -> None:
    output = mam("new", "duel", "--rules", "ours.toml", "--set", "half_rounding=down").out
    assert "The fight opens under ours (mam_pools)" in output
    expected = {"half_success": "never", "wound_order": "damage_first", "half_rounding": "down"}
    assert rules_of(mam) == ("ours", expected)
    assert "Rules: ours, over mam_pools" in mam("report").out
    assert mam("encounters", "--json").lines[0]["ruleset"] == "ours"
    assert "ours" in mam("encounters").out
    assert "The fight opens under ours (mam_pools)." in mam("audit", "1").out
    assert "not both" in mam("new", "x", "--rules", "ours.toml", "--preset", "mam_pools", code=2).err


def test_a_fight_file_names_its_rules_relative_to_its_folder(mam: Mam, table: Path) -> None:
    (table / "fights" / "house").mkdir(parents=True)
    (table / "fights" / "house" / "ours.toml").write_text(
        'name = "ours"\nfrom = "mam_pools"\n[house_rules]\nhalf_success = "never"\nwound_order = "damage_first"\n',
        encoding="utf-8",
    )
    (table / "fights" / "cellar.toml").write_text(FIGHT, encoding="utf-8")
    mam("play", "fights/cellar.toml")
    assert rules_of(mam) == ("ours", {"half_success": "never"})
    mam.run_all("export --format toml -o again.toml", "play again.toml --id again")
    assert rules_of(mam, "-e", "again") == ("ours", {"half_success": "never"})
    (table / "fights" / "cellar.toml").write_text(f'preset = "mam_pools"{FIGHT}', encoding="utf-8")
    assert (
        "fights/cellar.toml:1: The rules file already sets the preset" in mam("play", "fights/cellar.toml", code=2).err
    )


@pytest.mark.usefixtures("ours")
def test_a_party_joins_under_the_rules_of_a_file(mam: Mam, table: Path) -> None:
    party = 'combatants = [{ id = "rook", hp = 6 }]\n[house_rules]\nwound_order = "stun_first"\n'
    (table / "party.toml").write_text(party, encoding="utf-8")
    mam("new", "duel", "--rules", "ours.toml", "--from", "party.toml", "--set", "half_rounding=down")
    assert rules_of(mam) == ("ours", {"half_success": "never", "half_rounding": "down"})


@pytest.mark.usefixtures("modres_turn")
def test_rules_of_a_fight_can_be_changed_amended_and_undone(mam: Mam) -> None:
    output = mam("rules", "change", "--set", "half_success=never", "--reason", "The table voted", "--by", "Ana").out
    assert "From here on half_success is read as never: The table voted" in output
    assert rules_of(mam) == ("", {"half_success": "never"})
    assert rules_of(mam, "--at", "5") == ("", {})
    assert mam("report", "--json").lines[0]["rule_changes"] == [
        {"ruling": 6, "by": "Ana", "sentence": "From here on half_success is read as never: The table voted."}
    ]
    mam("amend", "6", 'set={"half_success": "one_of_two_rolls"}', "--yes")
    assert rules_of(mam) == ("", {"half_success": "one_of_two_rolls"})
    mam("undo", "6", "--only", "--yes")
    assert rules_of(mam) == ("", {})


@pytest.mark.usefixtures("modres_turn")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--set", "half_success=never"), 2, "--reason"),
        (("--set", "half_success=never", "--reason", " "), 2, "--reason"),
        (("--reason", "x"), 2, "Missing house rule"),
        (("--set", "half_succes=never", "--reason", "x"), 1, 'Did you mean "half_success"?'),
        (("--set", "half_success=nevr", "--reason", "x"), 1, 'Did you mean "never"?'),
    ],
)
def test_an_invalid_rules_change_is_refused(mam: Mam, words: tuple[str, ...], code: int, message: str) -> None:
    assert message in mam("rules", "change", *words, code=code).err
    assert len(mam("log", "--json").lines) == 5


def test_after_an_invalid_house_rule_the_hint_shows_the_fights_preset(mam: Mam) -> None:
    mam("new", "duel", "--preset", "mam_speed")
    change = ("rules", "change", "--reason", "x", "--set")
    for wrong_rule in ("dragons=never", "half_success=perhaps", "reaction_hp_cap=uncapped"):
        readings = " --all" if "perhaps" in wrong_rule else ""
        assert mam(*change, wrong_rule, code=1).err.endswith(f"next: mam rules show mam_speed{readings}\n")
        assert mam(*change, wrong_rule, "-e", "duel", code=1).err.endswith(
            f"next: mam rules show mam_speed{readings}\n"
        )
        assert mam("new", "x", "--preset", "mam_d20", "--set", wrong_rule, code=1).err.endswith(
            f"next: mam rules show mam_d20{readings}\n"
        )
    assert mam("new", "x", "--set", "dragons=never", code=1).err.endswith("next: mam rules show mam_pools\n")


def test_a_rules_change_previews_the_rulings_it_would_have_changed(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"))
    words = ("rules", "change", "--set", "half_success=never", "--reason", "The table voted")
    result = mam(*words, code=2)
    assert "The first that differs is 26, by half_success." in result.out
    assert (
        "4 rulings would have come out differently, but what was played stays as it is. Add --yes to change the rules"
        in result.err
    )
    assert "29  Raider readies 4 points from defense" in mam(*words, "--preview").out
    assert mam(*words, "--preview", "--json").lines == mam("whatif", *words[2:4], "--json").lines
    assert mam("log", "--last", "1").out.startswith("#38 ")
    assert "half_success is read as never" in mam(*words, "--yes").out
    assert "In this fight half_success is already never." in mam(*words, "--yes", code=1).err
    assert "half_success is read as exact_tie" in mam(*words[:3], "half_success=exact_tie", *words[4:], "--yes").out


def test_a_rules_change_without_effect_asks_nothing(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"))
    words = ("rules", "change", "--set", "half_success=never", "--reason", "The table voted")
    assert (
        mam(*words, "--preview").out == "With the new rule every ruling of this fight would have come out the same.\n"
    )
    assert "With the new rule every ruling of this fight would have come out the same." in mam(*words).err
    assert "half_success is read as never" in mam("log", "--last", "1").out


def test_rules_change_accepts_the_words_of_a_line(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"))
    sentence = "half_success is read as never: the table voted"
    assert sentence in mam("rules", "change", "half_success=never", "because", "the", "table", "voted").out
    mam("undo", "--yes")
    assert sentence in mam("rules", "change", "half-success=never", "--reason", "the table voted").out
    for words in (("half_success=never",), ("because", "so")):
        assert "Usage" not in mam("rules", "change", *words, code=2).out
    error = mam("rules", "change", "half_success=never", "--set", "half_success=exact_tie", "so", code=2).err
    assert "is given twice" in error


@pytest.mark.parametrize(
    "reason", ['because "we said so"', '--reason "we said so"', "--reason we said so", "we said so"]
)
def test_rules_change_at_the_table_takes_a_reason(mam: Mam, reason: str) -> None:
    result = mam("table", stdin=f"new duel\nrules change parry_point_pool=defense {reason}\n")
    assert "parry_point_pool is read as defense: we said so" in result.out
    result = mam("table", stdin="rules change half_success=never\n", code=1)
    assert "Give a reason: " in result.err
    assert "half_success=never because ….\n" in result.err


def test_rules_show_at_the_table_lists_options_and_other_readings(mam: Mam) -> None:
    lines = "new duel\nchange-rules parry_point_pool=defense because so\nrules show\n"
    output = mam("table", stdin=lines).out
    assert (
        "parry_point_pool = defense  * house rule; the preset has other_used  [MAM-INTF-06]  (or other_used)" in output
    )
    assert "half_success = exact_tie  [MAM-ROLL-04, MAM-ATK-04]  (or never, one_of_two_rolls)" in output
    one = mam("rules", "show", "half-success").out
    assert "or never: never, a tie fails" in one
    assert "parry" not in one
    assert "rd6_zero_dice = forbidden" in mam("table", stdin="new chase ron_d6\nrules show\n").out
    assert "powerful_throw_launcher = " in mam("rules", "show").out
