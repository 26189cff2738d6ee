"""A read-only log: it gives the same answers as the log that wrote it, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path

from mam_events.commands import EndTurn
from mam_events.events import Strike
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.log.readable_log import ReadableLog
from mam_events.log.writable_log import WritableLog
from mam_events.store import build_events

Printed = Callable[[str], CombatLog]


def test_a_readable_log_gives_the_same_answers(tmp_path: Path, printed: Printed) -> None:
    writable = printed("duel")
    path = tmp_path / "duel.db"
    with CombatLog.open(path) as log:
        log.application.save(*build_events("duel", writable.application.rows("duel")))
    with ReadableLog(Encounters.at(path, create=False)) as log:
        assert log.encounters() == ["duel"]
        assert log.at("duel") == writable.at("duel")
        assert log.at("duel", 8, as_of=10) == writable.at("duel", 8, as_of=10)
        assert [one.head for one in log.history("duel")] == [one.head for one in writable.history("duel")]
        assert list(log.legal("duel")) == list(writable.legal("duel"))
        assert log.preview("duel", [Strike(21)]).expect == writable.preview("duel", [Strike(21)]).expect
        end = EndTurn("clone")
        assert log.preview_insert("duel", end, 20).expect == writable.preview_insert("duel", end, 20).expect
        assert log.application.recorder.last_version("duel") == writable.application.recorder.last_version("duel")


def test_a_readable_log_has_no_method_that_writes() -> None:
    writes = {
        name
        for name, method in vars(WritableLog).items()
        if callable(method) and not name.startswith("_") and "command_id" in signature(method).parameters
    }
    assert writes == {"execute", "execute_all", "correct", "undo", "redo", "note", "accept", "branch"}
    taking = [name for name in vars(CombatLog) if name.startswith("write_")]
    assert not [name for name in (*writes, *taking, "grouped", "scratch") if hasattr(ReadableLog, name)]
