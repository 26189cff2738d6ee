"""Sheets of the roster in joins, lines, files and at the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from mam_events.state import Combatant
from tests.cli.calls import Mam

SHEET = """encounter = "sheets"
combatants = [
    { id = "goblin", name = "Goblin", side = "foes", kind = "boss_npc", hp = 4, weapon = [
        { id = "knife", power = 1 },
    ], ability = { stealth = 2 } },
]
"""
NEAR = 'Nobody in the roster is called "golbin". Did you mean "goblin"?'


@pytest.fixture(autouse=True)
def cave(mam: Mam, table: Path) -> None:
    """Start a fight without combatants and write a roster of one."""
    (table / "roster").mkdir()
    (table / "roster" / "goblin.toml").write_text(SHEET, encoding="utf-8")
    mam("new", "cave")


def joined(encounter: str = "cave") -> Combatant:
    with CombatLog.open("mam.db") as log:
        return log.at(encounter).combatants["goblin"]


@pytest.mark.parametrize("line", ["join goblin", "join goblin b", "join goblin side=b seat=3", 'join goblin "Grub" b'])
def test_a_line_joins_a_combatant_from_a_sheet_with_its_own_changes(mam: Mam, line: str) -> None:
    assert "hp=4 weapon=(knife power=1)" in mam("do", line).out
    one = joined()
    assert (one.hp, one.kind, one.statistics.abilities) == (4, "boss_npc", {"stealth": 2})
    assert [weapon.id for weapon in one.weapons] == ["body", "knife"]
    assert one.side == ("foes" if line == "join goblin" else "b")
    assert one.seat == (3 if "seat" in line else 0)
    assert one.name == ("Grub" if "Grub" in line else "Goblin")


@pytest.mark.parametrize("words", [("--side", "b"), ("--side", "b", "--preview", "--after", "1")])
def test_the_join_command_joins_a_combatant_from_a_sheet(mam: Mam, words: tuple[str, ...]) -> None:
    mam("join", "goblin", *words)
    if "--preview" not in words:
        assert (joined().hp, joined().side) == (4, "b")


def test_the_table_joins_a_combatant_from_a_sheet(mam: Mam) -> None:
    mam("table", stdin="join goblin b\n")
    assert (joined().hp, joined().side) == (4, "b")


@pytest.mark.parametrize("words", [("join", "goblin", "--hp", "9"), ("do", "join goblin hp=9")])
def test_a_join_with_hit_points_ignores_the_sheet(mam: Mam, words: tuple[str, ...]) -> None:
    mam(*words)
    assert (joined().hp, len(joined().weapons)) == (9, 1)


def test_fight_files_and_scores_join_combatants_from_a_sheet(mam: Mam, table: Path) -> None:
    (table / "f.toml").write_text('encounter = "f"\ncombatants = [{ id = "goblin", side = "b" }]\n', encoding="utf-8")
    mam("play", "f.toml")
    assert (joined("f").hp, joined("f").side) == (4, "b")
    score = "mam-score 1 short\nencounter g\nrules mam_pools\n\njoin goblin b\n"
    (table / "g.score").write_text(score, encoding="utf-8")
    mam("play", "g.score")
    assert (joined("g").hp, joined("g").side) == (4, "b")


@pytest.mark.parametrize("words", [("join", "golbin"), ("do", "join golbin"), ("join", "golbin", "--side", "b")])
def test_a_misspelt_sheet_name_gets_a_suggestion(mam: Mam, words: tuple[str, ...]) -> None:
    assert NEAR in mam(*words, code=2).err
    assert NEAR in mam("table", stdin="join golbin\n", code=1).err


def test_a_misspelt_sheet_name_in_a_fight_file_gets_a_suggestion(mam: Mam, table: Path) -> None:
    (table / "f.toml").write_text('encounter = "f"\ncombatants = [{ id = "golbin" }]\n', encoding="utf-8")
    assert "goblin" in mam("play", "f.toml", code=None).err


@pytest.mark.parametrize("line", ["join mara", "join Mara heroes", "join mara w=(sabre pow=2)"])
def test_a_join_without_hit_points_is_refused(mam: Mam, line: str) -> None:
    assert "needs hit points. Give them (hp)" in mam("do", line, code=1).err
    assert "next: join mara hp=6" in mam("table", stdin=f"{line}\n", code=1).err
    assert mam("pools").out == "Nobody has joined yet.\n"


def test_the_log_keeps_the_whole_sheet_of_a_joined_combatant(mam: Mam) -> None:
    mam("do", "join goblin")
    Path("roster/goblin.toml").unlink()
    mam("do", 'amend 2 side=b "theirs" !')
    assert (joined().hp, joined().side) == (4, "b")
    mam("verify", "--judge")


SEVERAL = [
    (("do", "join goblin count=2"), "foes", "Goblin"),
    (("do", "join Goblin b count=2"), "b", "Goblin"),
    (("do", "join goblin name=Grub count=2"), "foes", "Grub"),
    (("do", 'join goblin "Grub" side=b count=2'), "b", "Grub"),
    (("do", "join goblin-1; join goblin-2"), "foes", "Goblin"),
    (("do", "join goblin 1"), "foes", "Goblin"),
    (("join", "goblin", "--count", "2"), "foes", "Goblin"),
    (("join", "Goblin", "--count", "2", "--side", "b", "--name", "Grub"), "b", "Grub"),
    (("join", "goblin-1"), "foes", "Goblin"),
]


@pytest.mark.parametrize("at_table", [False, True])
@pytest.mark.parametrize(("words", "side", "name"), SEVERAL)
def test_several_combatants_join_from_one_sheet(
    mam: Mam,
    words: tuple[str, ...],
    side: str,
    name: str,
    at_table: bool,  # noqa: FBT001 - one of two
) -> None:
    if at_table:
        mam("table", stdin=f"{words[1] if words[0] == 'do' else ' '.join(words)}\n")
    else:
        mam(*words)
    with CombatLog.open("mam.db") as log:
        several = [*log.at("cave").combatants.values()]
    count = 2 if "2" in " ".join(words) else 1
    assert [(one.id, one.name, one.side) for one in several] == [
        (f"goblin-{n}", f"{name} {n}", side) for n in range(1, count + 1)
    ]
    assert {(one.hp, one.kind, one.weapons[1].id) for one in several} == {(4, "boss_npc", "knife")}


def test_scores_and_fight_files_join_several_from_one_sheet(mam: Mam, table: Path) -> None:
    score = "mam-score 1 short\nencounter g\nrules mam_pools\n\njoin goblin b count=2\n"
    (table / "g.score").write_text(score, encoding="utf-8")
    mam("play", "g.score")
    (table / "f.toml").write_text('encounter = "f"\ncombatants = [{ id = "goblin-2" }]\n', encoding="utf-8")
    mam("play", "f.toml")
    with CombatLog.open("mam.db") as log:
        assert {name: one.hp for name, one in log.at("g").combatants.items()} == {"goblin-1": 4, "goblin-2": 4}
        assert [(one.id, one.name, one.hp) for one in log.at("f").combatants.values()] == [("goblin-2", "Goblin 2", 4)]


@pytest.mark.parametrize(
    "words", [("do", "join golbin count=2"), ("join", "golbin-2"), ("join", "golbin", "--count", "2")]
)
def test_a_misspelt_sheet_name_with_a_count_gets_a_suggestion(mam: Mam, words: tuple[str, ...]) -> None:
    assert NEAR in mam(*words, code=2).err


@pytest.mark.parametrize(
    "words", [("do", "join troll count=2"), ("join", "troll", "--count", "2"), ("join", "troll-1")]
)
def test_several_from_an_unreadable_sheet_are_refused_with_its_file(
    mam: Mam, table: Path, words: tuple[str, ...]
) -> None:
    (table / "roster" / "troll.toml").write_text("combatants = 3", encoding="utf-8")
    assert "troll.toml" in mam(*words, code=2).err
    assert mam("pools").out == "Nobody has joined yet.\n"
