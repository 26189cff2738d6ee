"""`mam rerun`: workers, clusters, sweeps over the readings of an option, and simulated fights."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random
from shutil import copy

import pytest
from distributed import LocalCluster

from mam_events.archive import export_ndjson
from tests.cli.calls import CliResult, Mam
from tests.effort import FUZZ
from tests.fights.tables import play_random_fight

EXAMPLES = Path(__file__).parents[4] / "examples"
FIGHTS, TABLES = (1000, 25) if FUZZ else (30, 3)
_MAM = (sys.executable, "-c", "from cli.entry import main; main()")


@pytest.fixture
def corpus(table: Path) -> Path:
    """Fill a folder with the exports of random fights and with two examples.

    Most of the random fights are there several times. The rules of one example lack the option that the tests change.
    """
    folder = table / "fights"
    folder.mkdir()
    for seed in range(TABLES):
        log, encounter = play_random_fight(Random(seed))
        first = folder / f"{seed}-0.ndjson"
        first.write_bytes(b"".join(export_ndjson(log, encounter)))
        for number in range(1, FIGHTS // TABLES):
            (folder / f"{seed}-{number}.ndjson").hardlink_to(first)
    for name in ("four-of-a-kind.toml", "archers-in-the-dark.toml"):
        copy(EXAMPLES / name, folder)
    return folder


def _typed(*words: str) -> bytes:
    return subprocess.run((*_MAM, *words), check=True, capture_output=True).stdout


@pytest.mark.slow
def test_rerun_gives_the_same_bytes_with_any_workers_and_on_a_cluster(mam: Mam, corpus: Path) -> None:
    words = ("rerun", str(corpus), "--set", "half_success=never")
    result = mam(*words, "--json")
    assert len(result.lines) == FIGHTS // TABLES * TABLES + 3
    assert result.lines[-1]["summary"]["flips"]["share"]["of"] > 0
    for workers in ("2", "3"):
        assert _typed(*words, "--json", "--workers", workers) == result.out.encode()
    assert _typed(*words, "--workers", "2") == mam(*words).out.encode()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp") as cluster:
        address = cluster.scheduler_address
        assert _typed(*words, "--json", "--scheduler", address) == result.out.encode()


def test_a_sweep_compares_every_reading_with_the_fight_as_played(mam: Mam, table: Path) -> None:
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    summaries = {
        one["summary"]["house_rules"]["half_success"]: one["summary"] for one in sweep(mam, "--json").lines[3:]
    }
    assert [(name, one["flips"]["share"]["count"]) for name, one in summaries.items()] == [
        ("exact_tie", 0),
        ("never", 1),
        ("one_of_two_rolls", 1),
    ]
    assert summaries["exact_tie"]["rulesets"][0] == summaries["exact_tie"]["rulesets"][1]
    assert len({one["rulesets"][1] for one in summaries.values()}) == 3
    assert len({one["rulesets"][0] for one in summaries.values()}) == 1
    assert mam("rerun", ".", "--set", "half_success=never", "--json").lines[-1]["summary"] == summaries["never"]
    assert re.search(r"^never +1 of 1 ", sweep(mam).out, re.MULTILINE)


def sweep(mam: Mam, *words: str) -> CliResult:
    return mam("rerun", ".", "--sweep", "half_success", *words)


def test_rerun_shows_the_recorded_figure_beside_each_figure(mam: Mam, table: Path) -> None:
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    summary = mam("rerun", ".", "--set", "half_success=never", "--json").lines[-1]["summary"]
    assert (summary["recorded"]["count"], summary["recorded"]["of"]) == (33, 37)
    assert summary["flips"]["recorded"] == summary["recorded"]
    assert summary["hits"][0]["recorded"]["count"] == summary["hits"][0]["share"]["of"]
    assert summary["hits"][1]["recorded"]["count"] < summary["hits"][1]["share"]["of"]


def test_rerun_counts_the_rulings_that_a_branch_copied_only_once(mam: Mam) -> None:
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"), "--id", "duel")
    words = ("rerun", "mam.db", "--set", "half_success=never", "--json")
    summary = mam(*words).lines[-1]["summary"]
    mam("branch", "-e", "duel", "--at", "20", "--id", "aside")
    totals = mam(*words).lines[-1]["summary"]
    assert (totals["fights"], totals["rulings"]) == (2, summary["rulings"])
    assert totals["hits"] == summary["hits"]


def test_rerun_refuses_bad_options(mam: Mam, corpus: Path) -> None:
    fights = str(corpus)
    assert "Missing house rule" in mam("rerun", fights, code=2).err
    assert (
        'There is no option "half_succes". Did you mean "half_success"?'
        in mam("rerun", fights, "--sweep", "half_succes", code=2).err
    )
    result = mam(
        "rerun", fights, "--sweep", "half_success", "--workers", "2", "--scheduler", "tcp://127.0.0.1:9", code=2
    )
    assert "Use --workers or --scheduler, not both" in result.err


def test_rerun_accepts_a_single_fight_file_or_export(mam: Mam, table: Path) -> None:
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    rules = ("--set", "half_success=never")
    output = mam("rerun", "archers-in-the-dark.toml", *rules).out
    assert "from 26 on 4 changed of 37" in output
    assert mam("rerun", ".", *rules).out == output
    mam.run_all("play archers-in-the-dark.toml", "export -o night.ndjson")
    assert "night: from 26 on 4 changed of 37" in mam("rerun", "night.ndjson", *rules).out
    assert "none.toml: There is no such file." in mam("rerun", "none.toml", *rules, code=4).err


def test_rerun_of_an_empty_folder_or_a_fight_without_that_rule_says_so(mam: Mam, table: Path) -> None:
    (table / "empty").mkdir()
    rules = ("--set", "half_success=never")
    assert "empty: That folder has no store, export or fight file." in mam("rerun", "empty", *rules, code=2).err
    (first, _) = mam("rerun", str(EXAMPLES / "the-jump.toml"), *rules).out.splitlines()
    assert first.endswith("judged again under half_success = never: none of them could be judged.")


def test_rerun_without_attacks_shows_no_share_of_attacks(mam: Mam) -> None:
    assert "attacks" not in mam("rerun", str(EXAMPLES / "the-jump.toml"), "--set", "rd6_wild_die=plain").out
    out = mam("rerun", str(EXAMPLES / "modre-and-the-clone.toml"), "--set", "initiative_method=ron_d6").out
    assert re.search(r"^attacks that hit +50.0% +none$", out, re.MULTILINE)


@pytest.mark.slow
def test_a_scheduler_address_without_a_port_is_refused_in_one_line(table: Path) -> None:
    """Run in a process of its own, because the client prints more when it is closed."""
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    words = ("rerun", ".", "--set", "half_success=never", "--scheduler", "localhost")
    process = subprocess.run((*_MAM, *words), check=False, capture_output=True, text=True)
    assert process.stderr.splitlines() == ["--scheduler must be an address like tcp://host:8786, not 'localhost'."]
    assert (process.returncode, process.stdout) == (2, "")


@pytest.mark.parametrize(
    ("page", "why"), [("there.html", "there.html: The file"), ("gone/page.html", "No such file or directory")]
)
def test_an_unwritable_page_is_refused_before_any_fight_is_judged(mam: Mam, table: Path, page: str, why: str) -> None:
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    (table / "there.html").touch()
    result = mam("rerun", ".", "--set", "half_success=never", "--json", "--html", page, code=2)
    assert why in result.err
    assert result.out == ""


@pytest.mark.parametrize("source", ["others.db", "."])
def test_a_page_does_not_overwrite_the_fights_to_judge(mam: Mam, table: Path, source: str) -> None:
    mam("play", str(EXAMPLES / "archers-in-the-dark.toml"), "--store", "others.db")
    before = (table / "others.db").read_bytes()
    words = ("rerun", source, "--set", "half_success=never", "--html", "others.db", "--force")
    assert "others.db: That file holds the fights to judge" in mam(*words, code=2).err
    assert (table / "others.db").read_bytes() == before


def test_rerun_skips_a_store_that_cannot_be_opened_and_judges_the_rest(mam: Mam, table: Path) -> None:
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    (table / "broken.db").write_bytes(b"junk" * 1024)
    (table / "empty.db").touch()
    (table / "itself.db").symlink_to(".")
    rows = mam("rerun", ".", "--set", "half_success=never", "--json", "--workers", "2").lines
    assert [one["fight"] for one in rows[:-1] if not one["refused"]] == ["archers-in-the-dark"]
    assert [one["fight"] for one in rows[:-1] if one["refused"]] == ["broken", "empty", "itself"]
    assert "broken.db is neither a log nor an SQLite file" in rows[1]["refused"]


@pytest.mark.slow
def test_simulated_fights_depend_only_on_their_seed(mam: Mam, table: Path) -> None:
    party = str(EXAMPLES / "party.toml")
    words = ("rerun", party, "--simulate", "12", "--set", "half_success=never", "--json")
    one = mam(*words)
    assert one.out == mam(*words, "--seed", "1").out == _typed(*words, "--workers", "2").decode()
    summary, other = one.lines[-1]["summary"], mam(*words, "--seed", "2").lines[-1]["summary"]
    assert summary["corpus"] != other["corpus"]
    assert summary["simulated"].endswith("legal; seed 1")
    assert (summary["fights"], summary["not_judged"], summary["halves"][1]["share"]["count"]) == (12, 0, 0)
    assert summary["halves"][0]["share"]["count"] > 0
    assert len({line["seal"] for line in one.lines[:-1]}) == 12
    assert sum(now["count"] for _, now in summary["winners"].values()) == 12
    own = mam("rerun", party, "--simulate", "12", "--set", "half_success=exact_tie", "--json").lines[-1]["summary"]
    assert (own["touched"]["share"]["count"], own["hits"][0]) == (0, summary["hits"][0])
    assert own["recorded"]["count"] == own["recorded"]["of"] == own["rulings"]
    assert own["winners"] == {side: [count, count] for side, (count, _) in summary["winners"].items()}
    assert not list(table.iterdir())


def test_rerun_handles_seeds_and_file_names_that_are_not_plain_text(mam: Mam, table: Path) -> None:
    rules = ("--set", "half_success=never")
    simulated = ("rerun", str(EXAMPLES / "party.toml"), "--simulate", "1", *rules, "--seed")
    assert mam(*simulated, "a\udcff", code=2).err.strip() == '"a?" is not UTF-8 text.'
    assert mam(*simulated, "a\x07\u202eb").out == mam(*simulated, "ab").out
    copy(EXAMPLES / "archers-in-the-dark.toml", table)
    try:
        (table / "q\udcff.ndjson").touch()
    except OSError:
        return  # A system where every name is text.
    mam("rerun", ".", *rules, "--html", "page.html")
    assert "archers-in-the-dark" in (table / "page.html").read_text("utf-8")


@pytest.mark.slow
def test_a_simulated_fight_is_played_to_its_end_under_the_other_rules(mam: Mam) -> None:
    party = str(EXAMPLES / "party.toml")
    fights = mam("rerun", party, "--simulate", "12", "--set", "half_success=never", "--json").lines[:-1]
    assert all(outcome["winner"] for one in fights for outcome in (one["played"], one["supposed"]))
    assert any(one["supposed"]["rounds"] > one["played"]["rounds"] for one in fights)
    uniform_fights = [one for one in fights if not one["first"]]
    assert uniform_fights
    assert all(one["played"] == one["supposed"] for one in uniform_fights)


def test_simulation_is_refused_for_editions_without_point_pools(mam: Mam) -> None:
    party = str(EXAMPLES / "four-of-a-kind.toml")
    error = mam("rerun", party, "--simulate", "5", "--set", "rd6_wild_die=plain", code=2).err
    assert "Only fights with point pools can be simulated, not one under ron_d6." in error


@pytest.mark.parametrize(
    ("house_rule", "message"),
    [
        ("half_succes=never", '--set: There is no option "half_succes". Did you mean "half_success"?'),
        ("half_success=nevr", '--set: half_success cannot be "nevr". Did you mean "never"?'),
    ],
)
def test_an_unknown_house_rule_is_refused_before_anything_is_judged(mam: Mam, house_rule: str, message: str) -> None:
    assert message in mam("rerun", str(EXAMPLES), "--set", house_rule, code=2).err
