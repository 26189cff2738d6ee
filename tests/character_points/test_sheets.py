"""Point sheets: parsing, prices, and the place of each error."""

from __future__ import annotations

from pathlib import Path

import pytest

from mam_events.character_points.sheets import Bill, load_sheet, price_list, price_sheet, read_sheet
from mam_events.errors import BadInput, MamError, Refused
from mam_events.rules.rulebook import rulebook

EXAMPLE = Path(__file__).parents[2] / "examples" / "points.toml"
SHEET = """
title = "Two sides"

[house_rules]
speed_step = "flat"

[[templates]]
id = "folk"
speed = "1/2"
agility = 2

[[characters]]
id = "ana"
name = "Ana"
side = "heroes"
template = "folk"
equipment = ["stone", "stone"]
more_speed = 2

[[characters]]
id = "ben"
side = "foes"
strength = 3

[[equipment]]
id = "stone"
power = 2
mass_kg = 0.8
"""


def price_text(text: str) -> Bill:
    sheet = read_sheet(text, "s.toml")
    return price_sheet(sheet, price_list(), rulebook().ruleset(sheet.preset, sheet.house_rules))


def test_a_character_total_includes_its_template_but_not_its_equipment() -> None:
    price = price_text(SHEET)
    assert [(one.kind, one.id, one.name, one.total, one.side, one.equipment) for one in price.priced] == [
        ("template", "folk", "folk", 30, "", 0),
        ("character", "ana", "Ana", 50, "heroes", 40),
        ("character", "ben", "ben", 15, "foes", 0),
        ("equipment", "stone", "stone", 20, "", 0),
    ]
    assert [(line.row, line.what, line.sum) for line in price.priced[1].lines] == [
        ("template", "template folk", 30),
        ("more_speed", "more speed", 20),
    ]
    assert price.priced[1].benchmarks == {"minor_npc": -200, "new_pc": -250, "legend": -950, "superhero": -2950}
    assert [(side.name, side.together) for side in price.sides] == [("heroes", 90), ("foes", 15)]


def test_with_one_side_there_is_no_comparison_of_sides() -> None:
    assert price_text(SHEET.replace('"foes"', '"heroes"')).sides == ()


WRONG = {
    "a row that nobody knows": ("agility = 2", "agilty = 2", 10, 'Did you mean "agility"?'),
    "a key of the thing": ('name = "Ana"', 'nmae = "Ana"', 14, 'Did you mean "name"?'),
    "a fraction": ("agility = 2", "agility = 2.5", 10, "agility must be a whole number, not 2.5."),
    "a negative mass": ("mass_kg = 0.8", "mass_kg = -0.8", 28, "mass_kg must be kilograms from 0"),
    "a thing without an id": ('id = "ben"', "", 20, '"id" is missing.'),
    "a strange id": ('id = "ben"', 'id = "Ben"', 21, "lower-case name"),
    "an id twice": ('id = "ben"', 'id = "ana"', 21, 'There is already a "ana" here.'),
    "a template that is not there": ('template = "folk"', 'template = "flok"', 16, 'Did you mean "folk"?'),
    "equipment that is not there": ('["stone", "stone"]', '["stoen"]', 17, 'Did you mean "stone"?'),
    "equipment that is no list": ('["stone", "stone"]', '"stone"', 17, "equipment must be a list, not text."),
    "a table that nobody knows": ("[[templates]]", "[[template]]", 7, 'Did you mean "templates"?'),
    "a house rule that is a number": (
        'speed_step = "flat"',
        "speed_step = 3",
        5,
        'speed_step must be "per_step" or "flat", not 3.',
    ),
    "no TOML": ('title = "Two sides"', "title = ", 2, "This is not TOML"),
}


@pytest.mark.parametrize(("old", "new", "line", "sentence"), WRONG.values(), ids=WRONG)
def test_an_unreadable_sheet_is_refused_with_file_and_line(old: str, new: str, line: int, sentence: str) -> None:
    assert old in SHEET
    with pytest.raises(BadInput) as error:
        price_text(SHEET.replace(old, new))
    assert error.value.place == f"s.toml:{line}"
    assert sentence in error.value.sentence


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ("mass_kg = 0.8", "mass_kg = 30000", 28, "mass_over_table"),
        ("more_speed = 2", "more_speed = 4", 18, "speed_off_the_ladder"),
    ],
)
def test_a_refusal_by_the_rules_names_file_and_line(old: str, new: str, line: int, code: str) -> None:
    with pytest.raises(Refused, match=f"^s.toml:{line}: ") as error:
        price_text(SHEET.replace(old, new))
    assert error.value.code == code


@pytest.mark.parametrize("text", ["", 'title = "nothing"', "templates = []"])
def test_an_empty_sheet_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="nothing to price"):
        read_sheet(text)


def test_options_set_on_a_sheet_change_its_prices() -> None:
    expensive = SHEET.replace("mass_kg = 0.8", "mass_kg = 2.4").replace('"flat"', '"per_step"')
    totals = {one.id: one.total for one in price_text(expensive).priced}
    rule = 'cp_mass_gap = "nearest_printed_value"\nspeed_step = "flat"'
    others = {one.id: one.total for one in price_text(expensive.replace('speed_step = "per_step"', rule)).priced}
    assert {name: others[name] - totals[name] for name in totals} == {"folk": 0, "ana": -20, "ben": 0, "stone": 1}


def test_the_example_is_priced_and_a_missing_file_is_refused(tmp_path: Path) -> None:
    sheet = load_sheet(EXAMPLE)
    bill = price_sheet(sheet, price_list(), rulebook().ruleset(sheet.preset))
    assert len(bill.priced) == len(sheet.entries) == 8
    with pytest.raises(MamError, match="There is no such file"):
        load_sheet(tmp_path / "none.toml")
