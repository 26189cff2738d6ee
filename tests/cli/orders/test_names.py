"""Names of combatants and items, in any script, instead of ids."""

from __future__ import annotations

import json

import pytest

from tests.cli.calls import Mam


@pytest.fixture
def scripts(mam: Mam) -> Mam:
    """Join a hero whose name has no Latin letter and a foe whose name has two words, both with a Säbel."""
    mam("new", "duel")
    weapons = ("id=s,name=Säbel,power=1", "id=l,name=Long Bow,kind=bow,range=30,readied=no")
    weapon = [part for one in weapons for part in ("--weapon", one)]
    mam("join", "hero", "--name", "勇者", "--side", "heroes", "--hp", "9", *weapon, "--item", "id=r,name=Old Rope")
    mam("join", "rat", "--name", "Герой Мария", "--side", "foes", "--hp", "9", "--weapon", "id=z,name=Säbel")
    mam.run_all("initiative --first '勇者' --reason so", "begin-turn '勇者'")
    return mam


def ordered(mam: Mam) -> dict[str, object]:
    """Return the newest order: its kind and its fields."""
    line = json.loads(mam("audit", "--json").out.splitlines()[-1])
    command: dict[str, object] = {"do": line["do"], **line["asked"]}
    return {name: value for name, value in command.items() if name not in ("visibility", "exchange")}


@pytest.mark.parametrize("weapon", ["Säbel", "säbel", "s", "sabel"])
@pytest.mark.parametrize("whom", ["Герой Мария", "мария", "rat"])
def test_attack_accepts_names_of_targets_and_weapons(scripts: Mam, whom: str, weapon: str) -> None:
    scripts("attack", "勇者", whom, "--weapon", weapon, "--power", "1", "--situation", f"{whom} -1 smoke")
    command = {"do": "attack", "attacker": "hero", "target": "rat", "weapon": "s", "power": 1}
    assert ordered(scripts) == command | {"situation": ["rat -1 smoke"]}


def test_items_are_readied_dropped_and_picked_up_by_name(scripts: Mam) -> None:
    scripts("ready-weapon", "勇者", "Long Bow")
    assert ordered(scripts) == {"do": "ready-weapon", "combatant": "hero", "weapon": "l"}
    scripts("drop-item", "Old Rope")
    assert ordered(scripts) == {"do": "drop-item", "combatant": "hero", "item": "r"}
    scripts("pick-up-item", "old rope")
    assert ordered(scripts) == {"do": "pick-up-item", "combatant": "hero", "item": "r"}


def test_ready_weapon_finds_the_only_weapon_of_a_named_combatant(scripts: Mam) -> None:
    scripts("ready-weapon", "勇者")
    assert ordered(scripts) == {"do": "ready-weapon", "combatant": "hero", "weapon": "l"}


def test_an_unknown_name_is_refused_in_any_script(scripts: Mam) -> None:
    assert 'Nobody called "Лось" is in this fight' in scripts("attack", "勇者", "Лось", "--power", "1", code=None).err


def test_an_outcome_is_amended_by_the_word_that_the_log_shows(scripts: Mam) -> None:
    scripts.run_all("attack rat --weapon s --power 1", "resolve --attack-die 6 --defense-die 1")
    for word, outcome in (("outcome=misses", "fail"), ("outcome=half hit", "half"), ("outcome=hits", "full")):
        assert f"outcome {outcome}" in scripts("amend", "7", word, "--yes").out
    assert "outcome fail" in scripts("amend", "7", "--outcome", "misses", "--yes").out
    assert "Choose full, half or fail." in scripts("amend", "7", "--outcome", "maybe", code=2).err
