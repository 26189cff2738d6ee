"""Lines that begin a fight."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from tests.cli.calls import Mam
from tests.cli.shell.tables import ALLEY, JOINS


def test_a_failed_new_keeps_the_current_fight(mam: Mam) -> None:
    result = mam("table", stdin=f"{JOINS}new\nnew other preset=nonsense\nlog --last 1\n", code=1)
    assert "The fight needs a name." in result.err
    assert 'no preset "nonsense"' in result.err
    assert result.out.rstrip().endswith("Modre begins (longest reach), then Clone")


@pytest.mark.parametrize(
    ("line", "id_", "title"),
    [
        ('new --title "Foo Bar"', "foo-bar", "Foo Bar"),
        ('new "Foo Bar"', "foo-bar", "Foo Bar"),
        ('new hut title="The Hut"', "hut", "The Hut"),
        ('new hut --title "The Hut" --preset mam_speed', "hut", "The Hut"),
        ("new Old Mill Ambush", "old-mill-ambush", "Old Mill Ambush"),
        ("new Old Mill Ambush speed", "old-mill-ambush", "Old Mill Ambush"),
        ("new the road from other", "the-road", "the road"),
        ('new "The Road" from other', "the-road", "The Road"),
        ("new Cellar", "cellar", "Cellar"),
        ("new attic pools", "attic", ""),
    ],
)
def test_a_title_may_be_typed_in_several_ways(mam: Mam, table: Path, line: str, id_: str, title: str) -> None:
    mam("table", stdin=f"new other\n{line}\njoin bo hp=3\n")
    with CombatLog.open(table / "mam.db") as log:
        state = log.at(id_)
    assert state.title == title
    assert list(state.combatants) == ["bo"], "it is the one that is meant from then on"


@pytest.mark.parametrize(
    ("line", "preset"),
    [
        ("new alley Ron d6", "ron_d6"),
        ("new the dark alley ron d6", "ron_d6"),
        ("new alley speed", "mam_speed"),
        ("new alley", "mam_pools"),
        ("new alley brawl --preset ron_d6", "ron_d6"),
        ('new alley brawl --preset ron_d6 --title "The Alley"', "ron_d6"),
    ],
)
def test_a_preset_may_follow_the_title(mam: Mam, table: Path, line: str, preset: str) -> None:
    mam("table", stdin=f"{line}\n")
    with CombatLog.open(table / "mam.db") as log:
        (name,) = log.encounters()
        ruleset = log.at(name).ruleset
    assert ruleset
    assert ruleset.preset == preset


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("new alley Mano a Mano", '"Mano a Mano" could be mam_pools, mam_speed or mam_d20. Which'),
        ("new dark alley sped", 'Did you mean "mam_speed"? If it belongs to the title, put the title in quotes.'),
        ("new the road from nowhere", 'There is no fight or file called "nowhere"'),
    ],
)
def test_an_unclear_preset_or_source_is_refused(mam: Mam, line: str, message: str) -> None:
    assert message in mam("table", stdin=f"{line}\n", code=None).err


def test_a_fight_begins_from_a_fight_or_from_a_file(mam: Mam, table: Path) -> None:
    (table / "party.toml").write_text('[[combatants]]\nname = "Rat"\nhp = 3\n', encoding="utf-8")
    assert "Rat" in mam("table", stdin="new cellar from=party.toml\n").out
    assert "where cellar left off" in mam("table", stdin="new attic from=cellar\n").out
    mam("table", stdin="join Ann heroes pc hp=4\ndamage rat 9 axe\n")
    result = mam("table", stdin="new loft from attic\n")
    assert "attic left off (ruling 4: Rat stayed behind)" in result.out
    assert (
        result.err == "Rat stays behind because they are down. To bring everybody along, use new ID from=attic all.\n"
    )
    assert "Rat joins" in mam("table", stdin="new roof from=attic all\n").out
    err = mam("table", stdin="new shed from=partie.toml\n", code=1).err
    assert 'There is no fight or file called "partie.toml". Known: cellar, attic, loft, roof.' in err


@pytest.mark.parametrize("line", ["new round", "begin round 2", "start the next round"])
def test_new_round_begins_no_fight(mam: Mam, line: str) -> None:
    mam("table", stdin=f"{ALLEY}{line}\n", code=None)
    assert [one["encounter"] for one in mam("encounters", "--json").lines] == ["alley"]
