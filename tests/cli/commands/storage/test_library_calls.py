"""Every command writes through the library's application and reads through its repository."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from eventsourcing.application import Application, Repository
from eventsourcing.persistence import EventStore
from eventsourcing.sqlite import SQLiteApplicationRecorder

from mam_events.log.encounters import Encounters, Events, Timelines
from mam_events.store.sqlite import SQLiteEventRecorder
from tests.cli.calls import Mam

READING: tuple[Callable[..., Any], ...] = (Timelines.get, Events.get, SQLiteEventRecorder.select_rows)
WRITING: tuple[Callable[..., Any], ...] = (Encounters.save, SQLiteEventRecorder.insert_events)


def called(mam: Mam, *words: str) -> list[Callable[..., Any]]:
    """Run a command and return the methods above that it calls, in the order of their first calls."""
    methods = {getattr(method, "__wrapped__", method).__code__: method for method in (*READING, *WRITING)}
    functions: dict[Callable[..., Any], None] = {}

    def watch(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code in methods:
            functions.setdefault(methods[frame.f_code])

    sys.setprofile(watch)
    try:
        mam(*words)
    finally:
        sys.setprofile(None)
    return list(functions)


@pytest.mark.usefixtures("modres_turn")
@pytest.mark.parametrize(
    ("words", "writes"),
    [
        (("attack", "modre", "clone", "2", "--weapon", "ice-blade"), True),
        (("note", "it was only two metres"), True),
        (("undo",), True),
        (("log",), False),
        (("pools",), False),
        (("explain", "2"), False),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_a_command_reads_from_the_repository_and_writes_with_the_application(
    mam: Mam, words: tuple[str, ...], *, writes: bool
) -> None:
    assert called(mam, *words) == [*READING, *(WRITING if writes else ())]


def test_those_classes_extend_the_library() -> None:
    assert issubclass(Encounters, Application)
    assert issubclass(Timelines, Repository)
    assert issubclass(Events, EventStore)
    assert issubclass(SQLiteEventRecorder, SQLiteApplicationRecorder)
