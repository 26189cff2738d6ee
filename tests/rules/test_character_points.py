"""Character points: every price table, the options about them, and errors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from mam_events.character_points.price_list import OneOf, SheetKind
from mam_events.character_points.prices import SideWorth, Values, character_price, price, sides, total
from mam_events.character_points.sheets import price_list
from mam_events.decider.engine import Ruleset
from mam_events.errors import BadInput, Refused
from mam_events.rules.rulebook import rulebook

PRICES = price_list()
MASSES = st.decimals(0, 20_000, places=3, allow_nan=False)


def rules(**house_rules: str) -> Ruleset:
    return rulebook().ruleset("mam_pools", house_rules)


def cost(kind: SheetKind, **rows: Any) -> int:
    return cost_under({}, kind, **rows)


def cost_under(house_rules: dict[str, str], kind: SheetKind, **rows: Any) -> int:
    return total(price(PRICES, kind, rows, rules(**house_rules)))


def built(rows: Values, template: Values, **house_rules: str) -> int:
    return total(character_price(PRICES, rows, template, rules(**house_rules)))


def test_every_choice_of_a_template_has_a_price() -> None:
    """MAM-CP-03."""
    assert [cost("template", variability=v) for v in ("none", "low", "medium", "high")] == [-10, -5, 0, 5]
    assert [cost("template", speed=v) for v in ("1/4", "1/2", "1", "2", "3")] == [-30, 0, 30, 60, 90]
    assert [cost("template", natural_weapons=v) for v in ("none", "single", "multiple")] == [-50, -20, 0]
    regeneration = [f"{mode}_regeneration" for mode in ("perfect", "daily", "hourly", "sudden")]
    assert [cost("template", qualities=[v]) for v in regeneration] == [10, 10, 30, 50]
    assert [cost("template", qualities=[v]) for v in ("flying", "gliding", "soaring", "parachuting")] == [15, 10, 5, 5]
    lacking = ("mechanical", "blind", "deaf", "dumb", "mute", "inept", "unintelligent")
    assert [cost("template", qualities=[v]) for v in lacking] == [5, -70, -30, -10, -15, -20, -40]


@pytest.mark.parametrize(
    ("kind", "prices"),
    [
        (
            "template",
            {
                "agility": 15,
                "strength": 10,
                "toughness": 5,
                "running": 10,
                "swimming": 10,
                "airspeed": 10,
                "ability_levels": 8,
                "hands": 10,
                "leverage": 4,
                "offense": 5,
                "meters_of_range": 1,
            },
        ),
        (
            "character",
            {
                "ability_levels": 5,
                "agility": 10,
                "toughness": 3,
                "strength": 5,
                "running": 10,
                "swimming": 10,
                "airspeed": 10,
            },
        ),
        ("equipment", {"heft": -10, "power": 10, "range_m": 1, "offense": 5, "control": 10}),
    ],
)
def test_the_price_is_per_level(kind: SheetKind, prices: dict[str, int]) -> None:
    """MAM-CP-03, MAM-CP-04, MAM-CP-05."""
    assert {row: cost(kind, **{row: 3}) for row in prices} == {row: 3 * each for row, each in prices.items()}
    assert cost(kind, **dict.fromkeys(prices, 2)) == 2 * sum(prices.values())


def test_a_flag_costs_points_only_if_true() -> None:
    """MAM-CP-03, MAM-CP-05."""
    marks = ("one_sharp", "multiple_sharp", "one_padded", "multiple_padded")
    assert [cost("template", **{mark: True}) for mark in marks] == [20, 30, 5, 8]
    edges = ("sharp", "padded", "two_handed", "flash", "noise", "smoke")
    assert [cost("equipment", **{mark: True}) for mark in edges] == [20, 5, -10, -5, -10, -20]
    assert price(PRICES, "equipment", {"sharp": False}, rules()) == []


def test_a_negative_level_reduces_the_price() -> None:
    """MAM-CP-04: prices are linear."""
    assert cost("character", toughness=-2, agility=-1) == -16


@pytest.mark.parametrize("kind", ["template", "equipment"])
def test_armor_costs_cover_times_absorption(kind: SheetKind) -> None:
    """MAM-CP-03, MAM-CP-05."""
    assert cost(kind, cover=4, absorption=5) == 100
    assert cost(kind, cover="complete", absorption=6) == 300
    assert cost(kind, cover=4) == cost(kind, absorption=5) == 0


def test_shots_cost_by_number_minus_two_per_turn_of_reloading() -> None:
    """MAM-CP-06."""
    bases = [cost("equipment", shots=shots) for shots in range(1, 13)]
    assert bases == [0, 5, 10, 12, 14, 16, 17, 18, 19, 20, 20, 20]
    assert cost("equipment", shots=6, reload_time=2) == 12
    assert cost("equipment", shots=1, reload_time=4) == -8
    assert cost("equipment", shots="no_limit") == cost("equipment", shots="no_limit", reload_time=3) == 20


LIMITS = "0 0.001 0.002 0.005 0.01 0.02 0.05 0.10 0.20 0.50 1 2 5 10 20 50 100 200 500 1000 2000 5000 10000 20000"


@pytest.mark.parametrize("gap", ["round_up_to_band", "nearest_printed_value"])
def test_every_printed_mass_has_its_printed_price(gap: str) -> None:
    """MAM-CP-07."""
    house_rules = {"cp_mass_gap": gap}
    assert [cost_under(house_rules, "equipment", mass_kg=limit) for limit in LIMITS.split()] == list(range(10, -14, -1))
    first = "0.03 0.06 0.11 0.21 0.51 1.01 3 6 11 21 51 101 201 501 1001 2001 5001 10001"
    assert [cost_under(house_rules, "equipment", mass_kg=mass) for mass in first.split()] == list(range(4, -14, -1))


@pytest.mark.parametrize(
    ("mass", "up", "nearest"),
    [("2.4", -2, -1), ("2.5", -2, -2), ("0.003", 7, 8), ("0.0035", 7, 7), ("0.0004", 9, 10), ("10.2", -4, -3)],
)
def test_an_option_rounds_a_mass_up_or_to_the_nearest_row(mass: str, up: int, nearest: int) -> None:
    """MAM-CP-07, `cp_mass_gap`: halfway, the heavier row counts."""
    assert cost("equipment", mass_kg=mass) == up
    assert cost_under({"cp_mass_gap": "nearest_printed_value"}, "equipment", mass_kg=mass) == nearest


def test_a_mass_above_the_table_is_refused_or_extrapolated() -> None:
    """MAM-CP-07, `cp_mass_over_limit`."""
    with pytest.raises(Refused) as error:
        cost("equipment", mass_kg="20000.001")
    assert (error.value.code, error.value.rule, error.value.fields) == ("mass_over_table", "MAM-CP-07", ("mass_kg",))
    assert "ends at 20,000 kg" in error.value.sentence
    further = {"cp_mass_over_limit": "extrapolate"}
    steps = ("20000", "20001", "50000", "50001", "100000", "200000", "500000", "1000000", "1000001")
    assert [cost_under(further, "equipment", mass_kg=m) for m in steps] == [-13, -14, -14, -15, -15, -16, -17, -18, -19]
    both = further | {"cp_mass_gap": "nearest_printed_value"}
    assert [cost_under(both, "equipment", mass_kg=m) for m in ("20000.4", "20000.5", "50000.2")] == [-13, -14, -14]


@drawn(MASSES, MASSES, st.sampled_from(("round_up_to_band", "nearest_printed_value")))
def test_more_mass_never_costs_more(one: Decimal, other: Decimal, gap: str) -> None:
    """MAM-CP-07."""
    light, heavy = sorted((one, other))
    house_rules = {"cp_mass_gap": gap}
    assert cost_under(house_rules, "equipment", mass_kg=light) >= cost_under(house_rules, "equipment", mass_kg=heavy)


def test_changes_of_speed_cost_per_step_or_once() -> None:
    """MAM-CP-04, `speed_step`."""
    slow: Values = {"speed": "1/2"}
    assert [built({"more_speed": n}, slow) for n in range(4)] == [0, 20, 40, 60]
    assert [built({"more_speed": n}, slow, speed_step="flat") for n in range(4)] == [0, 20, 20, 20]
    assert [built({"less_speed": n}, {"speed": 2}) for n in range(4)] == [0, -20, -40, -60]
    assert [built({"less_speed": n}, {"speed": 2}, speed_step="flat") for n in range(4)] == [0, -20, -20, -20]
    assert [built({"more_speed": -2}, {"speed": 2}, speed_step=mode) for mode in ("per_step", "flat")] == [-40, -20]


@pytest.mark.parametrize(
    ("rows", "template", "text"),
    [
        (
            {"more_speed": 2},
            {"speed": "2"},
            "From speed 2 a character can go 1 up and 3 down, not 2 up.",
        ),
        (
            {"less_speed": 2},
            {"speed": "1/2"},
            "From speed 1/2 a character can go 3 up and 1 down, not 2 down.",
        ),
        ({"more_speed": -2}, {"speed": "1/2"}, "not 2 down."),
        ({"more_speed": 5}, {}, "can go 4 up and 4 down, not 5 up."),
    ],
)
@pytest.mark.parametrize("reading", ["per_step", "flat"])
def test_a_speed_outside_the_list_is_refused(rows: Values, template: Values, text: str, reading: str) -> None:
    """MAM-CP-04."""
    with pytest.raises(Refused) as error:
        built(rows, template, speed_step=reading)
    assert (error.value.code, error.value.rule) == ("speed_off_the_ladder", "MAM-CP-04")
    assert text in error.value.sentence


def test_a_total_is_the_sum_of_all_rows_in_table_order() -> None:
    """MAM-CP-08: a row that is not given costs nothing."""
    lines = price(PRICES, "equipment", {"mass_kg": 1, "shots": 2, "reload_time": 3, "heft": 2}, rules())
    assert [(line.row, line.count, line.price, line.sum, line.rule) for line in lines] == [
        ("heft", 2, -10, -20, "MAM-CP-05"),
        ("shots", 1, 5, 5, "MAM-CP-06"),
        ("shots", 3, -2, -6, "MAM-CP-06"),
        ("mass_kg", 1, 0, 0, "MAM-CP-07"),
    ]
    assert total(lines) == -21
    assert total(price(PRICES, "template", {}, rules())) == 0


@pytest.mark.parametrize(
    ("kind", "rows", "place", "text"),
    [
        ("template", {"agilty": 1}, "agilty", 'no such row for a template. Did you mean "agility"?'),
        ("character", {"heft": 1}, "heft", "no such row for a character"),
        ("equipment", {"absorbtion": 1}, "absorbtion", 'Did you mean "absorption"?'),
        ("equipment", {"pwoer": 1}, "pwoer", 'no such row for a piece of equipment. Did you mean "power"?'),
        ("template", {"agility": Decimal("1.5")}, "agility", "must be a whole number, not 1.5"),
        ("template", {"agility": True}, "agility", "must be a whole number"),
        ("template", {"agility": 10**5000}, "agility", "must be at most 1,000,000, not a number without end"),
        ("template", {"agility": -(10**9)}, "agility", "must be a whole number of -1000000 or more"),
        ("template", {"hands": -1}, "hands", "must be a whole number of 0 or more, not -1"),
        ("template", {"speed": "4"}, "speed", "'4' is not among the choices. Known: 1/4, 1/2, 1, 2, 3."),
        ("template", {"speed": Decimal("0.5")}, "speed", "not among the choices"),
        ("template", {"variability": "lwo"}, "variability", 'Did you mean "low"?'),
        ("template", {"qualities": "blind"}, "qualities", "must be a list of names"),
        ("template", {"qualities": ["blnd"]}, "qualities", 'Did you mean "blind"?'),
        ("template", {"qualities": ["deaf", "deaf"]}, "qualities", '"deaf" is listed twice'),
        ("template", {"cover": "whole", "absorption": 1}, "cover", 'a whole number or "complete", not'),
        ("template", {"cover": -1}, "cover", "of 0 or more"),
        ("equipment", {"cover": 1, "absorption": -1}, "absorption", "of 0 or more"),
        ("equipment", {"sharp": 1}, "sharp", "must be true or false, not 1"),
        ("equipment", {"range_m": Decimal("7.5")}, "range_m", "must be a whole number of 0 or more, not 7.5"),
        ("equipment", {"shots": 0}, "shots", "must be a whole number of 1 or more, not 0"),
        ("equipment", {"shots": "many"}, "shots", 'a whole number or "no_limit", not'),
        ("equipment", {"shots": 2, "reload_time": -1}, "reload_time", "of 0 or more"),
        ("equipment", {"reload_time": 1}, "reload_time", 'Without "shots"'),
        ("equipment", {"mass_kg": -1}, "mass_kg", "must be kilograms from 0 to 1,000,000,000"),
        ("equipment", {"mass_kg": "heavy"}, "mass_kg", "not 'heavy'"),
        ("equipment", {"mass_kg": 1.5}, "mass_kg", "must be kilograms"),
        ("equipment", {"mass_kg": True}, "mass_kg", "must be kilograms"),
        ("equipment", {"mass_kg": Decimal("NaN")}, "mass_kg", "not NaN"),
        ("equipment", {"mass_kg": Decimal("1e-10")}, "mass_kg", "at most 9 decimals"),
        ("equipment", {"mass_kg": Decimal("1e999999")}, "mass_kg", "must be kilograms"),
    ],
)
def test_an_impossible_value_is_refused_with_its_row(kind: SheetKind, rows: Values, place: str, text: str) -> None:
    """MAM-CP-03, MAM-CP-04, MAM-CP-05: a speed above 3 is not listed."""
    with pytest.raises(BadInput) as error:
        price(PRICES, kind, rows, rules())
    assert error.value.place == place
    assert text in error.value.sentence


def test_more_and_less_speed_together_are_refused() -> None:
    """MAM-CP-04."""
    with pytest.raises(BadInput, match="not both"):
        built({"more_speed": 1, "less_speed": 1}, {"speed": "1"})


def test_benchmarks_match_the_rules() -> None:
    """MAM-CP-02: an approximate value for an ordinary character, a maximum for the great ones."""
    prices = {name: (benchmark.points, benchmark.most) for name, benchmark in PRICES.benchmarks.items()}
    assert prices == {
        "new_pc": (300, False),
        "minor_npc": (250, False),
        "legend": (1000, True),
        "superhero": (3000, True),
    }


def test_sides_are_compared_by_characters_plus_equipment() -> None:
    """MAM-CP-01, MAM-CP-08."""
    worths = sides([("foes", 100, 0), ("heroes", 90, 30), ("foes", 10, -5), ("crowd", -10, 0)])
    assert worths == [SideWorth("heroes", 1, 90, 30), SideWorth("foes", 2, 110, -5), SideWorth("crowd", 1, -10, 0)]
    assert [side.together for side in worths] == [120, 105, -10]


def test_speeds_are_listed_in_order() -> None:
    """MAM-CP-03, MAM-CP-04: a step up is the next speed of the list."""
    speeds = PRICES.template.rows["speed"]
    assert isinstance(speeds, OneOf)
    assert list(speeds.prices) == ["1/4", "1/2", "1", "2", "3"]


@pytest.mark.parametrize("option", ["cp_mass_gap", "cp_mass_over_limit", "speed_step"])
def test_both_editions_have_the_same_default_prices(option: str) -> None:
    """MAM-CP-04, MAM-CP-07: the options of this section have the same default."""
    default = rulebook().options[option].default
    assert set(default) == {"mam_pools", "mam_speed"}
    assert len(set(default.values())) == 1
