"""The printed tables: their names, and errors for missing or wrong rows."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mam_events.decider.rule_tables import ROWS, Tables
from mam_events.errors import BadInput
from mam_events.rules.rulebook import read_tables, rulebook

FOLDER = Path(__file__).parents[2] / "mam_events" / "rules" / "data" / "tables"
PRINTED = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in FOLDER.glob("*.toml")}

GONE = object()


def refusal(where: str, value: object = GONE) -> str:
    """Return the error for the printed tables with another value at `where`, or with none there."""
    files = copy.deepcopy(PRINTED)
    *path, last = where.split(".")
    inner: dict[str, Any] = files
    for step in path:
        inner = inner[step]
    if value is GONE:
        del inner[last]
    else:
        inner[last] = value
    with pytest.raises(BadInput) as error:
        read_tables(files)
    return error.value.sentence


def test_a_table_has_the_name_of_its_file() -> None:
    assert rulebook().tables.difficulties.hard == PRINTED["difficulties"]["hard"] == 15


def test_every_ruleset_has_the_tables_also_a_pinned_one() -> None:
    fresh = rulebook().ruleset("mam_pools", {"half_success": "never"})
    assert fresh.tables is rulebook().tables
    assert rulebook().in_force(fresh.pinned).tables is rulebook().tables


@pytest.mark.parametrize(("table", "row"), [(table, row) for table, rows in ROWS.items() for row in rows])
def test_a_missing_row_that_the_rules_name_is_refused_with_all_row_names(table: str, row: str) -> None:
    every = ", ".join(ROWS[table])
    assert refusal(f"{table}.{row}") == f'tables/{table}.toml: "{row}" is missing; every one of {every} has a row.'


@pytest.mark.parametrize("table", [table for table in Tables.__struct_fields__ if table not in ROWS])
def test_any_missing_row_is_refused(table: str) -> None:
    for row in PRINTED[table]:
        assert refusal(f"{table}.{row}") == f'tables/{table}.toml: "{row}" is missing.'


@pytest.mark.parametrize(
    ("where", "value", "sentence"),
    [
        ("deeds.jump", {}, 'deeds.toml: There is no "jump" here. Known: quick_attack, '),
        ("deeds.aim.quik", "always", 'deeds.toml: aim: There is no "quik" here. Did you mean "quick"?'),
        ("deeds.move.rule", GONE, 'deeds.toml: move: "rule" is missing.'),
        ("deeds.hold.quick", "often", "deeds.toml: hold.quick: 'often' is not among the choices. Known: never, "),
        ("deeds.drop.by_option", "drop", "deeds.toml: drop.by_option: 'drop' is not among the choices. "),
        ("deeds.stand.from", ["lying"], "deeds.toml: stand.from 1: 'lying' is not among the choices. "),
        ("positions.clinch.attack.strik", 5, 'positions.toml: clinch.attack: There is no "strik" here. Did you mean '),
        (
            "positions.clinch.attack.strike",
            "5",
            "positions.toml: clinch.attack.strike must be a whole number, not the text '5'.",
        ),
        ("positions.on_ground.readings.three_point", {}, "positions.toml: on_ground.readings: There is no "),
        ("difficulties.hard", 1.5, "difficulties.toml: hard must be a whole number, not a fraction."),
        ("rest_intervals.daily", "month", "rest_intervals.toml: daily: 'month' is not among the choices. "),
        ("rd6_actions.bash.rolls", "often", "rd6_actions.toml: bash.rolls: 'often' is not among the choices. "),
        ("weather", {}, "weather.toml: there is no such table."),
        ("mounts", GONE, "mounts.toml: there is no such file."),
    ],
)
def test_an_unknown_or_mistyped_value_is_refused_with_its_file_and_row(
    where: str, value: object, sentence: str
) -> None:
    assert refusal(where, value).startswith(f"tables/{sentence}")
