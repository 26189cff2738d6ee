"""`mam points`: printed sheets, single rows and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import Mam

ROOT = Path(__file__).parents[4]
EXAMPLE = ROOT / "examples" / "points.toml"


def test_the_example_is_printed_with_totals_benchmarks_and_sides(mam: Mam, table: Path) -> None:
    result = mam("points", str(EXAMPLE))
    assert result.out == (ROOT / "tests" / "golden" / "points.txt").read_text(encoding="utf-8")
    assert result.err == ""
    assert mam("points", "-", stdin=EXAMPLE.read_bytes()).out == result.out
    assert list(table.iterdir()) == []


def test_json_has_a_line_for_each_entry_and_each_side(mam: Mam) -> None:
    lines = mam("points", str(EXAMPLE), "--json").lines
    assert [(line["kind"], line["id"], line["total"]) for line in lines] == [
        ("template", "folk", 176),
        ("template", "troll", 188),
        ("character", "ana", 266),
        ("character", "ben", 223),
        ("character", "grum", 218),
        ("equipment", "crossbow", 104),
        ("equipment", "hammer", 30),
        ("equipment", "mail", 97),
        ("side", "travellers", 720),
        ("side", "bridge", 218),
    ]
    assert all(sum(row["sum"] for row in line["lines"]) == line["total"] for line in lines[:-2])
    assert list(lines[2]) == ["kind", "id", "name", "lines", "total", "side", "equipment", "benchmarks"]
    assert lines[-1] == {"kind": "side", "id": "bridge", "total": 218, "characters": 1, "points": 218, "equipment": 0}


def test_a_sheet_without_characters_prints_its_rows_alone(mam: Mam) -> None:
    output = mam("points", "-", stdin="[[equipment]]\nid = 'stone'\npower = 2").out
    assert output.splitlines()[1:] == [
        "equipment stone  power      2     10   20  MAM-CP-05",
        "                 total                 20  MAM-CP-08",
    ]


def test_a_single_row_is_priced_without_a_file(mam: Mam) -> None:
    assert mam("points", "--shots", "6", "--reload", "2", "--mass", "1.1").out.splitlines() == [
        "what                      count  price  sum  rule",
        "6 shots before reloading      1     16   16  MAM-CP-06",
        "reload time                   2     -2   -4  MAM-CP-06",
        "1.1 kg                        1     -1   -1  MAM-CP-07",
        "total                                    11  MAM-CP-08",
    ]
    (document,) = mam("points", "--shots", "no_limit", "--json").lines
    assert (document["total"], document["lines"][0]["what"]) == (20, "shots without limit")


def test_options_override_what_the_sheet_sets(mam: Mam) -> None:
    def stone(*words: str) -> int:
        text = "[house_rules]\ncp_mass_gap = 'nearest_printed_value'\n[[equipment]]\nid = 'stone'\nmass_kg = 2.4"
        total = mam("points", "-", "--json", *words, stdin=text).lines[0]["total"]
        assert isinstance(total, int)
        return total

    assert stone() == stone("--preset", "mam_pools") == -1
    assert stone("--set", "cp_mass_gap=round_up_to_band") == -2


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "Missing FILE. Name one, or use --shots or --mass."),
        (("s.toml", "--mass", "1"), 2, "Give one of FILE, --shots and --mass, and leave the others out."),
        (("--reload", "1"), 2, "--reload needs --shots."),
        (("--mass", "1", "--reload", "1"), 2, "--reload needs --shots."),
        (("--shots", "0"), 2, "must be a whole number of 1 or more, not '0'"),
        (("--shots", "9999999"), 2, "--shots must be at most 1,000,000"),
        (("--shots", "1", "--reload", "1.5"), 2, "whole number of 0 or more, not '1.5'"),
        (("--mass", "-1"), 2, "--mass must be kilograms from 0"),
        (("--mass", "much"), 2, "--mass must be kilograms from 0"),
        (("--mass", "20001"), 1, "20001 kg has no price: the table of masses ends at 20,000 kg. [MAM-CP-07]"),
        (("--mass", "1", "--preset", "mam_pool"), 1, 'Did you mean "mam_pools"?'),
        (("--mass", "1", "--set", "cp_mass_gpa=x"), 1, 'Did you mean "cp_mass_gap"?'),
        (("s.toml", "--set", "speed_step=flta"), 1, '"speed_step" cannot be "flta". Did you mean "flat"?'),
        (("s.toml",), 1, "s.toml:2: There is no option"),
        (("none.toml",), 2, "none.toml: There is no such file."),
    ],
)
def test_bad_input_is_refused_with_a_sentence_and_a_code(
    mam: Mam, table: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    (table / "s.toml").write_text("[house_rules]\nspeed_stpe = 'flat'\n[[templates]]\nid = 'a'", encoding="utf-8")
    if "--set" in words and words[0] == "s.toml":
        (table / "s.toml").write_text("[[templates]]\nid = 'a'", encoding="utf-8")
    result = mam("points", *words, code=code)
    assert message in result.err
    assert result.out == ""


def test_a_mass_beyond_the_table_suggests_how_to_price_it(mam: Mam) -> None:
    result = mam("points", "--mass", "20001", code=1)
    assert result.err.splitlines()[-1] == "next: mam points --mass 20001 --set cp_mass_over_limit=extrapolate"
    assert (
        mam("points", "--mass", "20001", "--set", "cp_mass_over_limit=extrapolate", "--json").lines[0]["total"] == -14
    )


def test_an_unknown_preset_on_a_sheet_is_refused_with_its_line(mam: Mam) -> None:
    result = mam("points", "-", code=1, stdin="\npreset = 'mam_pool'\n[[templates]]\nid = 'a'")
    assert 'standard input:2: There is no preset "mam_pool". Did you mean "mam_pools"?' in result.err
