"""Views over all encounters, and the tables that cache them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mam_events.log.encounters import Encounters
from mam_events.store import build_events
from tests.cli.calls import Mam

EXAMPLES = Path(__file__).parents[4] / "examples"
DUEL = "modre-and-the-clone"
SOFT = ("rules", "change", "--set", "stun_damage_split=independent_definition", "--reason", "too soft", "--by", "Ana")


@pytest.fixture
def fights(mam: Mam, fight: Path) -> Path:
    """Play a fight at a ford after the printed fight and return the store."""
    mam("play", str(EXAMPLES / "the-ford.toml"))
    return fight


@pytest.mark.usefixtures("fights")
def test_encounters_lists_outcomes_with_who_stands_and_who_fell(mam: Mam) -> None:
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
        rows = mam("audit", "--json", "-e", encounter).lines
        assert [line for line in lines if line["encounter"] == encounter] == [
            {"encounter": encounter} | line for line in rows
        ]
    output = mam("audit", "--all", "--last", "1").out
    assert output.count("#") == 2
    assert output.startswith(f"{DUEL}\n#21  ")


@pytest.mark.usefixtures("fights")
def test_the_audit_of_house_rules_lists_each_change_and_its_effect(mam: Mam) -> None:
    assert mam("audit", "--house-rules").out.startswith("No rules were changed")
    mam(*SOFT, "-e", DUEL, "--after", "5", "--yes")
    mam("rules", "change", "--set", "half_success=never", "--reason", "ties", "-e", "the-ford", "--yes")
    lines = mam("audit", "--house-rules").out.splitlines()
    assert lines[0].startswith(f"{DUEL} #22  round 1, turn 1, ")
    assert lines[0].endswith(", by Ana")
    assert lines[1] == "  stun_damage_split = independent_definition (was penetrating_split): too soft"
    sentence = "Without it 4 of 16 later rulings would have come out differently (4 changed)"
    assert f"{sentence}, the first of them 17. The other 75%" in lines[2]
    assert lines[3] == "  standing: heroes: Modre; foes: Clone, with it or without"
    assert lines[4] == "  fell: nobody, with it or without"
    assert lines[7] == "  Nothing was played since."
    mam("undo", "-e", DUEL, "--yes")
    (change,) = mam("audit", "--house-rules", "-e", DUEL, "--json").lines
    assert (change["taken_back_by"], change["effect"], change["by"]) == (23, None, "Ana")
    assert "  Undone by 23." in mam("audit", "--house-rules", "-e", DUEL).out
    assert "Leave --all and --house-rules out" in mam("audit", "3", "--house-rules", code=2).err


@pytest.mark.usefixtures("fights")
def test_projections_are_counted_and_rebuilt(mam: Mam) -> None:
    mam("encounters")
    mam("note", "on we go", "-e", DUEL)
    tables = {line["table"]: (line["kept"], line["behind"]) for line in mam("projections", "--json").lines}
    assert tables["encounters"] == (1, 1)
    assert tables["audit"] == (0, 0)
    assert mam("projections", "rebuild").out.endswith("of 2 encounters were built again.\n")
    assert {(line["kept"], line["behind"]) for line in mam("projections", "--json").lines} == {(2, 0)}
    newest_event = events_in("mam.db")
    row = ["encounters", "2", "0", "0", f"{newest_event}", "of", f"{newest_event}"]
    assert mam("projections").out.splitlines()[1].split() == row


def events_in(store: str) -> int:
    """Return the id of the newest event in a store."""
    with Encounters.at(store) as application:
        return application.recorder.max_notification_id()


@pytest.mark.usefixtures("fights")
def test_update_brings_each_table_to_the_newest_event_from_its_position(mam: Mam) -> None:
    mam("pools", "--all")
    before = events_in("mam.db")
    mam("note", "on we go", "-e", DUEL)
    newest_event = events_in("mam.db")
    positions = {line["table"]: line["position"] for line in mam("projections", "--json").lines}
    assert positions == {name: before if name == "pools" else 0 for name in positions}
    assert mam("projections", "update").out == f"{len(positions)} tables are up to date with event {newest_event}.\n"
    for line in mam("projections", "--json").lines:
        assert (line["kept"], line["behind"], line["position"], line["newest"]) == (2, 0, newest_event, newest_event)
    (document,) = mam("projections", "update", "--json").lines
    assert document == {"tables": list(positions), "position": newest_event, "failed": []}


@pytest.mark.usefixtures("fights")
@pytest.mark.parametrize("command", ["update", "rebuild"])
def test_an_unreadable_encounter_is_named_and_the_other_is_kept(mam: Mam, command: str) -> None:
    with Encounters.at("mam.db") as application:
        version = application.recorder.last_version("the-ford")
        application.save(*build_events("the-ford", [(version + 1, "Sung.7", b"{}")]))
    result = mam("projections", command, code=None)
    assert result.code != 0
    assert "the-ford: " in result.err
    assert "Sung.7" in result.err
    for line in mam("projections", "--json").lines:
        assert (line["kept"], line["position"]) == (1, line["newest"])
    (document,) = mam("projections", "rebuild", "--json", code=result.code).lines
    assert document["failed"] == ["the-ford"]


def test_verify_reports_a_changed_snapshot_and_rebuild_drops_it(mam: Mam, fight: Path) -> None:
    with Encounters.at(fight) as application:
        application.take_snapshot(DUEL)
    mam("verify")
    with closing(sqlite3.connect(fight)) as raw, raw:
        raw.execute("UPDATE stored_snapshots SET state = replace(CAST(state AS TEXT), '\"hp\":6', '\"hp\":9')")
    assert "Rebuild the projections to delete the snapshot" in mam("verify", code=5).err
    mam.run_all("projections rebuild", "verify")


def alone(mam: Mam, command: str, *view: str) -> list[dict[str, object]]:
    """Return the lines that a command prints for each encounter alone, with the encounter's name."""
    encounters = [line["encounter"] for line in mam("encounters", "--json").lines]
    return [
        {"encounter": encounter, **line}
        for encounter in encounters
        for line in mam(command, "--json", "-e", encounter, *view).lines
    ]


@pytest.mark.usefixtures("fights")
def test_the_pools_of_all_encounters_are_the_pools_of_each(mam: Mam) -> None:
    mam.run_all("new cave --preset mam_speed", "join bo --hp 9", "new empty")
    for _ in range(2):
        assert mam("pools", "--all", "--json").lines == alone(mam, "pools")
        output = mam("pools", "--all").out
        for encounter in (DUEL, "the-ford", "cave"):
            assert f"{encounter}\n{mam('pools', '-e', encounter).out}" in output
        assert output.endswith("empty\nNobody has hit points here.\n")
        mam("adjust", "--condition", "clone=dead", "--reason", "the roof comes down", "-e", DUEL)


@pytest.mark.usefixtures("fights")
def test_the_orders_of_all_encounters_are_the_orders_of_each(mam: Mam) -> None:
    mam("new", "empty")
    for _ in range(2):
        order_rows = [{key: value for key, value in line.items() if key != "disputes"} for line in alone(mam, "order")]
        assert mam("order", "--all", "--json").lines == order_rows
        output = mam("order", "--all").out
        for encounter in (DUEL, "the-ford"):
            _, rows = mam("order", "-e", encounter).out.split("\n\n")
            assert f"{encounter}, round 2\n{rows}" in output
        assert output.endswith("empty\nInitiative is not settled.\n")
        mam("adjust", "--condition", "clone=dead", "--reason", "the roof comes down", "-e", DUEL)


@pytest.mark.usefixtures("modres_turn")
def test_views_over_all_encounters_show_no_hidden_combatants(mam: Mam) -> None:
    mam.run_all("undo 4 --rewind --yes", "join ghost --name Ghost --hp 6 --hidden")
    mam("initiative", "--first", "ghost", "--reason", "nobody saw it")
    for command in ("pools", "order"):
        assert "Ghost (hidden)" in mam(command, "--all").out
        assert "Modre (hidden)" not in mam(command, "--all").out
        for words in ((), ("--json",)):
            output = mam(command, "--all", "--as", "public", *words).out
            assert "host" not in output
            assert "Modre" in output
    assert [line["hidden"] for line in mam("order", "--all", "--json").lines] == [["ghost"]]
    assert [line["hidden"] for line in mam("order", "--all", "--json", "--as", "public").lines] == [[]]


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("command", ["pools", "order"])
@pytest.mark.parametrize("moment", [("--at", "4"), ("--as-of", "4")])
def test_all_and_a_moment_exclude_each_other(mam: Mam, command: str, moment: tuple[str, str]) -> None:
    assert "Leave --all out" in mam(command, "--all", *moment, code=2).err
