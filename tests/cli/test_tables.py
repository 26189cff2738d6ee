"""What is told of all encounters at once, and the tables that it is kept in."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.typed import Mam

EXAMPLES = Path(__file__).parents[2] / "examples"
DUEL = "modre-and-the-clone"
SOFT = ("rules", "change", "--set", "stun_damage_split=independent_definition", "--reason", "too soft", "--by", "Ana")


@pytest.fixture
def fights(mam: Mam, fight: Path) -> Path:
    """The printed fight, and one at a ford that was played behind it."""
    mam("play", str(EXAMPLES / "the-ford.toml"))
    return fight


@pytest.mark.usefixtures("fights")
def test_outcomes_are_listed_with_who_stands_and_who_fell(mam: Mam) -> None:
    mam("adjust", "--condition", "clone=dead", "--reason", "the roof comes down", "-e", DUEL)
    header, duel, ford = mam("encounters", "--outcomes").out.splitlines()
    assert header.split() == ["encounter", "rounds", "standing", "fell"]
    assert duel.split() == [DUEL, "2", "heroes:", "Modre", "Clone", "(#22", "r2)"]
    assert ford.endswith("nobody")
    assert [line["winner"] for line in mam("encounters", "--outcomes", "--json").lines] == ["heroes", ""]


@pytest.mark.usefixtures("fights")
def test_the_audit_of_all_encounters_is_the_audit_of_each(mam: Mam) -> None:
    lines = mam("audit", "--all", "--json").lines
    for encounter in (DUEL, "the-ford"):
        alone = mam("audit", "--json", "-e", encounter).lines
        assert [line for line in lines if line["encounter"] == encounter] == [
            {"encounter": encounter} | line for line in alone
        ]
    told = mam("audit", "--all", "--last", "1").out
    assert told.count("#") == 2
    assert told.startswith(f"{DUEL}\n#21  ")


@pytest.mark.usefixtures("fights")
def test_every_change_of_the_rules_is_told_with_what_it_did(mam: Mam) -> None:
    assert mam("audit", "--house-rules").out.startswith("No rules were changed")
    mam(*SOFT, "-e", DUEL, "--after", "5", "--yes")
    mam("rules", "change", "--set", "half_success=never", "--reason", "ties", "-e", "the-ford", "--yes")
    told = mam("audit", "--house-rules").out.splitlines()
    assert told[0].startswith(f"{DUEL} #22  round 1, turn 1, ")
    assert told[0].endswith(", by Ana")
    assert told[1] == "  stun_damage_split = independent_definition (was penetrating_split): too soft"
    assert "4 of 16 rulings since would have come out otherwise: 4 changed, the first is 17; 75% of" in told[2]
    assert told[3] == "  standing: heroes: Modre; foes: Clone, with it or without"
    assert told[4] == "  fell: nobody, with it or without"
    assert told[7] == "  nothing was played since"
    mam("undo", "-e", DUEL, "--yes")
    (change,) = mam("audit", "--house-rules", "-e", DUEL, "--json").lines
    assert (change["taken_back_by"], change["effect"], change["by"]) == (23, None, "Ana")
    assert "  taken back by 23" in mam("audit", "--house-rules", "-e", DUEL).out
    assert "leave --all and --house-rules out" in mam("audit", "3", "--house-rules", code=2).err


@pytest.mark.usefixtures("fights")
def test_the_tables_are_counted_and_made_anew(mam: Mam) -> None:
    mam("encounters")
    mam("note", "on we go", "-e", DUEL)
    tables = {line["table"]: (line["kept"], line["behind"]) for line in mam("projections", "--json").lines}
    assert tables["encounters"] == (1, 1)
    assert tables["audit"] == (0, 0)
    assert mam("projections", "rebuild").out.endswith("of 2 encounters made anew\n")
    assert {(line["kept"], line["behind"]) for line in mam("projections", "--json").lines} == {(2, 0)}
    assert mam("projections").out.splitlines()[1].split() == ["encounters", "2", "0", "0"]
