"""A file of an older program is opened, read and continued, and new rows have the same bytes.

`evening.mam.gz` is frozen: the evening of `evening.py`, kept tables, tokens and seeds and all, as the program before
the log was an application of the event-sourcing library left it.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import EndTurn, Resolve
from mam_events.decider.engine import Decision
from mam_events.events import EncounterOpened
from mam_events.history.judge.verdicts import verdict_words
from mam_events.log import draft
from mam_events.log.combat_log import CombatLog
from mam_events.rules import rulebook
from mam_events.store import decode
from mam_events.tokens import decode_token
from mam_events.verification import judge_again, verify
from mam_events.verification.verifier import check_strays, revealed_elsewhere
from projections.cache.encounters import encounters
from tests.store.evening import FIGHTS, begin, end, settings

FROZEN = Path(__file__).with_name("evening.mam.gz")


@pytest.fixture
def frozen(path: Path) -> Path:
    """Write the frozen store to a file and return its path."""
    path.write_bytes(gzip.decompress(FROZEN.read_bytes()))
    return path


def query_rows(path: Path, query: str) -> list[Any]:
    """Return the rows of a query, read with plain SQLite."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


EVENTS = "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events ORDER BY rowid"
SEEDS = "SELECT encounter, seed FROM seeds ORDER BY encounter"
TABLES = "SELECT name, sql FROM sqlite_schema WHERE name IN ('stored_events', 'seeds') ORDER BY name"


@pytest.fixture
def log(frozen: Path) -> Iterator[CombatLog]:
    with CombatLog.open(frozen, create=False, **settings()) as opened_log:
        yield opened_log


def check_encounters(log: CombatLog) -> dict[str, int]:
    """Check the seals and verdicts of every encounter and return its number of rulings."""
    check_strays(log.application.recorder)
    results = {}
    for encounter in log.encounters():
        rows = log.application.rows(encounter)
        revealed = revealed_elsewhere(log.application.recorder, rows)
        results[encounter] = verify(rows, seed=log.application.seeds.get(encounter), revealed=revealed).rulings
        assert judge_again(rows, log.rules) == results[encounter]
    return results


def test_every_row_is_read_unchanged(frozen: Path, log: CombatLog) -> None:
    events = query_rows(frozen, EVENTS)
    for encounter in FIGHTS:
        rows = [tuple(row) for _, name, *row in events if name == encounter]
        assert rows
        assert log.application.rows(encounter) == rows
        assert log.application.seeds.get(encounter) == dict(query_rows(frozen, SEEDS))[encounter]
    assert log.application.recorder.select_notifications(None, 1_000) == events
    assert log.encounters() == list(FIGHTS)
    assert log.application.tokens.all() == [
        content for (content,) in query_rows(frozen, "SELECT said FROM tokens ORDER BY made")
    ]
    assert [decode_token(content).name for content in log.application.tokens.all()] == ["Ana", "Bob"]
    stored_rows = query_rows(frozen, "SELECT projection, encounter, version, said FROM projected")
    assert {encounter for _, encounter, *_ in stored_rows} == {"fight", "summer"}
    for projection, encounter, version, content in stored_rows:
        assert log.application.projection_recorder(projection).rows([encounter]) == {encounter: (version, content)}


def test_the_frozen_store_verifies_and_can_be_continued(frozen: Path, log: CombatLog) -> None:
    before = query_rows(frozen, EVENTS)
    rulings = check_encounters(log)
    log.undo("fight", by="Bob")
    log.redo("fight", by="Bob")
    assert check_encounters(log) == {**rulings, "fight": rulings["fight"] + 2}
    assert query_rows(frozen, EVENTS)[: len(before)] == before
    log.execute("what-if", EndTurn("modre"), by="Bob")
    assert log.execute("summer", Resolve(8), by="Ana", command_id="k-2").number == 9, "a command id is known again"
    assert check_encounters(log)["summer"] == rulings["summer"]
    with CombatLog.open(frozen) as new_log:
        for encounter in FIGHTS:
            assert new_log.timeline(encounter).states == log.timeline(encounter).states


def test_an_outdated_projection_is_brought_up_to_date(frozen: Path, log: CombatLog) -> None:
    behind = dict(query_rows(frozen, "SELECT encounter, version FROM projected"))
    assert behind["summer"] < log.timeline("summer").version
    projected = encounters(log)
    with CombatLog.open("sqlite://") as other:
        for encounter in FIGHTS:
            other.application.save(*log.application.events.get(encounter))
        assert projected == encounters(other)


def test_the_same_orders_are_written_byte_for_byte_as_before(
    frozen: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = decode("EncounterOpened.1", query_rows(frozen, EVENTS)[1][-1])
    assert isinstance(ruleset, EncounterOpened)
    # The ruleset has no options that were added later.
    monkeypatch.setattr(rulebook, "pin", lambda *_: ruleset.ruleset)
    # It contains command ids as they were given.
    monkeypatch.setattr(draft, "stored_id", lambda command_id: command_id)
    # It contains reasons as sentences.
    record = Decision.record
    monkeypatch.setattr(Decision, "record", lambda judging, event: record(judging, verdict_words(event)))
    other = path.with_name("again.mam")
    with CombatLog.open(other, **settings()) as log:
        begin(log)
        end(log)
    for query in (EVENTS, SEEDS, TABLES, "PRAGMA application_id", "PRAGMA user_version", "PRAGMA journal_mode"):
        assert query_rows(other, query) == query_rows(frozen, query)
