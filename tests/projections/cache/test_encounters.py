"""The list of fights equals their timelines for every viewer and after any damage to its table."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from mam_events import __version__
from mam_events.commands import ChangeRules, Close, Join, Move, Open
from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.log.readable_log import ReadableLog
from mam_events.store import build_events
from projections.cache.encounters import ENCOUNTER_TABLE, EncounterRow, encounters, newest_open
from projections.visibility.redaction import Redactor
from tests.conftest import in_sqlite
from tests.effort import seeds
from tests.fighters import PRINTED_FIGHT, play_printed
from tests.projections.evenings import evening

VIEWS = ("gm", "public", "side:us")
KEY = f"encounters/{__version__}/gm"


def expected(log: CombatLog, view: str) -> dict[str, EncounterRow]:
    """Return the rows as computed from the timelines alone."""
    summaries = {}
    for encounter in log.encounters():
        timeline = log.timeline(encounter)
        state, redactor = timeline.state, Redactor(view, rulings(timeline))
        assert state.ruleset
        heads = [ruling.head for ruling in rulings(timeline) if redactor.shows(ruling)]
        at, by = (heads[-1].at, heads[-1].by) if heads else ("", "")
        summary = (
            redactor.title(state.title),
            state.status,
            state.ruleset.preset,
            state.round,
            timeline.number,
            at,
            by,
        )
        summaries[encounter] = EncounterRow(*summary, redactor.text(state.ruleset.name))
    return summaries


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each encounter is added when its row is made."""
    names: list[str] = []
    make = ENCOUNTER_TABLE.make

    def counting(log: CombatLog, encounter: str, view: str) -> tuple[EncounterRow, int]:
        names.append(encounter)
        return make(log, encounter, view)

    monkeypatch.setattr(ENCOUNTER_TABLE, "make", counting)
    return names


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(statement)


@pytest.mark.parametrize("seed", seeds(10))
def test_the_rows_match_the_timelines_after_every_change(log: CombatLog, seed: int) -> None:
    for part in range(6):
        evening(log, f"evening-{seed % 3}", seed + part, moves=20)
        evening(log, f"evening-{part % 2}", seed + 10, moves=3)
        for view in VIEWS:
            assert encounters(log, view) == expected(log, view)


def test_a_plain_fight_needs_no_timeline(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    log.execute_all("fight", [Open(title="Night", ruleset="ours"), *PRINTED_FIGHT], by="Kim")
    log.execute("fight", ChangeRules({"stun_damage_split": "independent_definition"}, reason="too soft"))
    log.note("fight", 'what a "after": night', by="Ana")
    log.execute("closed", Open())
    log.execute("closed", Close(), by="Ben")
    want = expected(log, "gm")
    monkeypatch.delattr(ReadableLog, "timeline")
    assert encounters(log) == want
    assert [row.status for row in want.values()] == ["open", "closed"]


def test_undo_amend_and_insert_update_the_rows(log: CombatLog) -> None:
    play_printed(log, "fight")
    changes: list[Callable[[], object]] = [
        lambda: log.undo("fight", 6),
        lambda: log.redo("fight"),
        lambda: log.correct("fight", [Amend(17, {"attack_die": 1})]),
        lambda: log.undo("fight", 13, rewind=True),
        lambda: log.redo("fight"),
        lambda: log.execute("fight", Move("modre", 1), after=5),
        lambda: log.note("fight", "what a night", by="Kim"),
        lambda: log.execute("fight", Close(), by="Kim"),
        lambda: log.undo("fight"),
    ]
    for change in changes:
        change()
        assert encounters(log) == expected(log, "gm")


def test_a_row_is_made_only_once_until_its_fight_changes(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two", "three"):
        log.execute(name, Open())
    counts = counted(monkeypatch)
    encounters(log)
    assert counts == ["one", "two", "three"]
    encounters(log)
    assert len(counts) == 3
    log.note("two", "on we go")
    assert encounters(log)["two"].rulings == 2
    assert counts[3:] == ["two"]
    encounters(log, "public")
    assert counts[4:] == ["one", "two", "three"]


def test_a_row_cached_for_one_view_is_not_shown_to_another(log: CombatLog) -> None:
    log.execute("fight", Open(title="The Ghost comes"))
    log.execute("fight", Join("ghost", name="Ghost", hp=6, visibility="gm"), by="Kim")
    for _ in range(2):
        assert encounters(log)["fight"].title == "The Ghost comes"
        assert encounters(log)["fight"].last_by == "Kim"
        assert "Ghost" not in encounters(log, "public")["fight"].title
        assert encounters(log, "public")["fight"].last_by == ""


def test_the_newest_open_fight_is_found_without_making_rows(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    assert newest_open(log) == ""
    for number in range(5):
        log.execute(f"fight-{number}", Open())
    counts = counted(monkeypatch)
    assert newest_open(log) == "fight-4"
    assert counts == []
    for number in (4, 3):
        log.execute(f"fight-{number}", Close())
    assert newest_open(log) == "fight-2"
    assert counts == ["fight-3", "fight-4", "fight-2"]
    log.note("fight-0", "still here")
    log.execute("fight-2", Close())
    assert newest_open(log) == "fight-0"
    log.undo("fight-3")
    assert newest_open(log) == "fight-3"
    for number in (3, 1, 0):
        log.execute(f"fight-{number}", Close())
    assert newest_open(log) == ""


def test_readers_see_consistent_rows_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    CombatLog.open(path).close()

    def play(name: str) -> None:
        with CombatLog.open(path) as log:
            play_printed(log, name)

    def look() -> None:
        with CombatLog.open(path) as log:
            for _ in range(20):
                encounters(log)

    threads = [Thread(target=play, args=(f"fight-{number}",)) for number in range(2)]
    threads += [Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with CombatLog.open(path) as log:
        assert encounters(log) == expected(log, "gm")


def test_a_reader_does_not_wait_for_a_writer_to_cache_rows(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db") as log, CombatLog.open(tmp_path / "mam.db") as other:
        play_printed(log, "fight")
        with in_sqlite(other).writing():
            assert encounters(log) == expected(log, "gm")
            assert log.application.projection_recorder(KEY).rows(log.encounters()) == {}
        log.note("fight", "and the writer waits as before")
        encounters(log)
        assert list(log.application.projection_recorder(KEY).rows(log.encounters())) == ["fight"]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE projected",
        "DELETE FROM projected",
        "DROP TABLE projected; CREATE TABLE projected (n)",
        "DROP TABLE projected; CREATE VIEW projected AS SELECT 1",
        "UPDATE projected SET version = 1",
        "UPDATE projected SET version = 'x'",
        "UPDATE projected SET said = 5",
        "UPDATE projected SET said = x'ff'",
        "UPDATE projected SET said = CAST(said AS TEXT)",
        "UPDATE projected SET said = CAST(replace(CAST(said AS TEXT), 'Modre', 'Mo\u202edre') AS BLOB)",
        "UPDATE projected SET said = '{}'",
        "UPDATE projected SET encounter = 'another'",
    ],
)
def test_rows_are_right_after_any_damage_to_the_cache(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log:
        play_printed(log, "fight", title="Modre and the Clone")
        encounters(log)
    for part in statement.split("; "):
        changed(path, part)
    with CombatLog.open(path) as log:
        for _ in range(2):
            assert encounters(log) == expected(log, "gm")


def test_a_foreign_trigger_on_the_cache_is_not_run(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log:
        log.execute("fight", Open())
        encounters(log)
        log.note("fight", "on we go")
        changed(path, "CREATE TRIGGER t AFTER INSERT ON projected BEGIN DELETE FROM stored_events; END")
        assert encounters(log)["fight"].rulings == 2
        assert log.timeline("fight").number == 2


def test_newer_events_and_a_lost_row_are_reported_and_other_rows_kept(tmp_path: Path) -> None:
    path = tmp_path / "mam.db"
    with CombatLog.open(path) as log:
        for name in ("one", "two"):
            play_printed(log, name)
        store = log.application
        version = store.recorder.last_version("two")
        store.save(*build_events("two", [(version + 1, "Sung.7", b"{}")]))
        with pytest.raises(StoreUnusable, match="Sung"):
            encounters(log)
        assert list(store.projection_recorder(KEY).rows(log.encounters())) == ["one"]
    changed(path, "DELETE FROM stored_events WHERE originator_id = 'two' AND topic IN ('Sung.7', 'RoundStarted.1')")
    with CombatLog.open(path) as log, pytest.raises(VerificationFailed, match='"two" failed verification'):
        encounters(log)
