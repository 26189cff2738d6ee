"""Options: for each reading there is a fight that comes out differently than under the default."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import pytest

from mam_events.events import Event
from mam_events.rules.rulebook import rulebook
from tests.rules.fights import Fight, fights, without_a_fight
from tests.spec import given

FIGHTS = fights()
WITHOUT_A_FIGHT = without_a_fight()


def other_readings() -> list[tuple[str, str]]:
    """Return every reading of every option but its default, under the first preset that uses the option."""
    book = rulebook()
    results = []
    for name, option in book.options.items():
        home = next(preset for preset in book.presets if name in book.defaults(preset))
        results += [(name, reading) for reading in option.readings if reading != book.defaults(home)[name]]
    return results


def events_of(fight: Fight, rules: Mapping[str, str]) -> list[Event | str]:
    """Return all events of the orders and the code of each refusal.

    The opening is left out, because it lists the rules.
    """
    scene = given(rules={**fight.rules, **rules}, drawn=cycle((2, 5)), preset=fight.preset)
    events: list[Event | str] = []
    for order in fight.orders:
        if isinstance(order, Event):
            scene.after(order)
            continue
        result = scene.when(order)
        events += result.events if result.error is None else (result.error.code,)
        scene.state, scene.ruling = result.state, scene.ruling + 1
    return events


@pytest.mark.parametrize(("option", "reading"), [pair for pair in other_readings() if pair not in WITHOUT_A_FIGHT])
def test_each_reading_changes_the_events_of_its_fight(option: str, reading: str) -> None:
    assert (option, reading) in FIGHTS, f"no fight shows what {option} = {reading} changes"
    fight = FIGHTS[option, reading]
    assert events_of(fight, {option: reading}) != events_of(fight, {})


@pytest.mark.parametrize(("option", "reading"), WITHOUT_A_FIGHT)
def test_a_reading_without_a_fight_changes_no_fight(option: str, reading: str) -> None:
    here = [fight for fight in FIGHTS.values() if option in rulebook().defaults(fight.preset)]
    assert all(events_of(fight, {option: reading}) == events_of(fight, {}) for fight in here)


def test_every_listed_fight_belongs_to_an_existing_reading() -> None:
    assert all(reading in rulebook().options[option].readings for option, reading in FIGHTS.keys() | WITHOUT_A_FIGHT)


def test_every_option_explains_its_readings_and_names_its_rules() -> None:
    for name, option in rulebook().options.items():
        assert len(option.readings) > 1, name
        assert set(option.default.values()) <= option.readings.keys(), name
        assert all(rule.startswith(("MAM-", "RD6-")) for rule in option.rules), name
