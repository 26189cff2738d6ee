"""Fields of combatants, armor and its dice on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import Mam

KNIGHT = (
    "join knight --hp 8 --speed 1/2 --size 1 --power 2 --toughness 4 --movement 6 --hand-reach 0.5 --length 1.8 "
    "--ability riding=4 --ability stealth=-1 --training untrained "
    "--weapon id=bow,kind=bow,power=2,range=60,heft=1,unwieldy=no,attached=yes "
    "--armor id=mail,cover=4,absorption=2,under=coat --armor id=coat,complete=yes,absorption=1,encumbrance=1"
)


def joined(mam: Mam) -> dict[str, object]:
    entry = json.loads(mam("audit", "--json").out.splitlines()[-1])
    fields: dict[str, object] = entry["asked"]
    return fields


def test_every_statistic_of_a_combatant_can_be_typed(mam: Mam) -> None:
    mam("new", "siege")
    mam(*KNIGHT.split())
    assert joined(mam) == {
        "combatant": "knight",
        "kind": "npc",
        "hp": 8,
        "speed": "0.5",
        "size": 1,
        "power": 2,
        "toughness": 4,
        "movement": "6",
        "hand_reach": "0.5",
        "length": ["1.8"],
        "ability": {"riding": 4, "stealth": -1},
        "training": "untrained",
        "weapon": [{"id": "bow", "kind": "bow", "power": 2, "range": "60", "heft": 1, "attached": True}],
        "armor": [
            {"id": "mail", "cover": 4, "absorption": 2, "under": "coat"},
            {"id": "coat", "complete": True, "absorption": 1, "encumbrance": 1},
        ],
    }


def test_statistics_survive_an_export_to_a_fight_file(mam: Mam, table: Path) -> None:
    mam("new", "siege")
    mam(*KNIGHT.split())
    first = joined(mam)
    output = mam("export", "--format", "toml").out
    (table / "siege.toml").write_text(output, encoding="utf-8")
    mam("play", "siege.toml", "--id", "again")
    assert joined(mam) == first


SPEEDS = {
    1: "There is no speed {}. The speeds are 1/4 (0.25), 1/2 (0.5), 1, 2 and 3.",
    2: "--speed must be 1/4, 1/2, 1, 2 or 3, not",
}
"""The errors for a number that is no speed, and for text that is no number."""


@pytest.mark.parametrize(
    ("speed", "code"),
    [("3/4", 1), ("4", 1), ("-1", 1), ("1/0", 2), ("fast", 2), ("1/x", 2), ("1/", 2)],
)
def test_an_invalid_speed_is_refused_with_the_valid_speeds(mam: Mam, speed: str, code: int) -> None:
    mam("new", "siege")
    result = mam("join", "knight", "--hp", "8", f"--speed={speed}", code=code)
    assert SPEEDS[code].format(speed.replace("3/4", "0.75")) in result.err


@pytest.mark.parametrize("speed", ["1/4", "¼", "0.25"])
def test_a_speed_of_a_quarter_can_be_written_in_three_ways(mam: Mam, speed: str) -> None:
    mam("new", "siege")
    mam("join", "snail", "--hp", "1", "--speed", speed)
    assert joined(mam)["speed"] == "0.25"


def test_the_dice_of_armor_and_second_throws_can_be_typed(mam: Mam) -> None:
    mam("new", "duel", "--set", "armour_roll_source=separate_die", "--set", "combat_die=d20_substitute")
    mam("join", "modre", "--hp", "6", "--weapon", "id=blade,power=3,attack=1,reach=1")
    mam.run_all("join clone --hp 6 --armor id=mail,cover=4,absorption=2", "initiative", "begin-turn")
    mam("attack", "clone", "--weapon", "blade", "--power", "1")
    assert '"modre" needs no armor die' in mam("resolve", "9", "1", "--armor-die", "modre=2", code=1).err
    result = mam("resolve", "10", "1", "--armor-die", "clone=2", "--confirmation-die", "attack=3")
    assert "[10]→20+1 = 21 (then [3]) vs [1]→2 = 2 · mail [2] absorbs 2 · hit · damage 2" in result.out


def test_entries_of_a_table_may_be_given_together_or_one_by_one(mam: Mam) -> None:
    mam("new", "siege", "--preset", "mam_speed")
    one_option = ("--ability", "riding=4,stealth=-1")
    two_options = ("--ability", "riding=4", "--ability", "stealth=-1")
    for who, fields in (("ana", one_option), ("bo", two_options)):
        mam("join", who, "--hp", "6", *fields)
        assert joined(mam)["ability"] == {"riding": 4, "stealth": -1}
    assert "--ability has riding twice" in mam("join", "cy", "--hp", "6", *one_option, *two_options, code=2).err
    assert (
        "takes pairs like riding=4,stealth=3, but 'riding' has no name or no value"
        in mam("join", "cy", "--hp", "6", "--ability", "riding", code=2).err
    )


def test_armor_that_always_blocks_is_reported_when_it_joins(mam: Mam) -> None:
    """MAM-ARM-02: the cover is compared with the die of combat, a d6 with pools."""
    mam("new", "duel", "--preset", "mam_pools")
    result = mam("table", stdin="join Kay a hp=6 armor=(mail cover=12 absorption=2)\n")
    assert result.err == "With a d6 the mail (cover 12) always blocks.\n"
    refusal = mam("join", "bo", "--hp", "6", "--armor", "id=mail,cover=6,absorption=2")
    assert "With a d6 the mail (cover 6) always blocks." in refusal.err
    assert mam("table", stdin="join Cy a hp=6 armor=(mail cover=5 absorption=2)\n").err == ""
