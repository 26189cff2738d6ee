"""Arguments of a wrong type in Python: one sentence names the argument, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from inspect import Parameter, signature
from math import nan
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import EndTurn, Open
from mam_events.errors import BadInput
from mam_events.events import Amend, Restore, Strike
from mam_events.log.combat_log import CombatLog
from mam_events.log.readable_log import ReadableLog
from mam_events.log.validation import ARGUMENT_KINDS
from mam_events.log.writable_log import WritableLog

Printed = Callable[[str], CombatLog]

GIVEN: dict[str, dict[str, Any]] = {
    "accept": {"proposal": 21},
    "at": {"moment": 10},
    "branch": {"branch": "other"},
    "correct": {"steps": [Strike(21)]},
    "execute": {"command": EndTurn("clone")},
    "execute_all": {"commands": [EndTurn("clone")]},
    "history": {},
    "legal": {},
    "look": {"at": bool},
    "note": {"text": "The lamp goes out"},
    "preview": {"steps": [Strike(21)]},
    "preview_insert": {"command": EndTurn("clone"), "after": 21},
    "redo": {},
    "timeline": {},
    "trial": {},
    "undo": {},
}
"""Every method with parameters, with the arguments that it needs in addition to the encounter."""

ODD: list[Any] = [5, 1.5, True, None, "x", b"x", "\ud800", [], ["x"], (None,), {}, {"a": 1}, set(), object(), object]
STEPS: list[Any] = [
    [None],
    [Strike(21), "x"],
    [Strike("y")],  # type: ignore[arg-type]  # as a caller without a type checker may
    [Restore(1.5)],  # type: ignore[arg-type]
    [Amend(6, 5)],  # type: ignore[arg-type]
    [Amend(6, {"power": object()})],
    [EndTurn("clone")],
    iter([Strike(21)]),
]


def parameters(method: str) -> list[str]:
    result = list(signature(getattr(CombatLog, method)).parameters.values())[1:]
    return [one.name for one in result if one.kind is not Parameter.VAR_POSITIONAL]


def invalid_values(name: str) -> Iterator[Any]:
    types, _ = ARGUMENT_KINDS[name]
    yield from (odd for odd in ODD if not isinstance(odd, types) or (isinstance(odd, bool) and bool not in types))


def test_every_argument_of_every_method_has_a_validation() -> None:
    attributes = vars(ReadableLog) | vars(WritableLog) | vars(CombatLog)
    # Functions that take a request get arguments that were checked before.
    public = {name for name, one in attributes.items() if callable(one) and not name.startswith(("_", "write_"))}
    # A context manager returns no answer.
    assert {name for name in public - {"grouped", "limited_to"} if parameters(name)} == set(GIVEN)
    assert {name for method in GIVEN for name in parameters(method)} <= set(ARGUMENT_KINDS)


@pytest.mark.parametrize("method", GIVEN)
def test_an_argument_of_another_type_is_refused_and_nothing_is_written(printed: Printed, method: str) -> None:
    log = printed("duel")
    version = log.application.recorder.last_version("duel")
    for name in parameters(method):
        for odd in invalid_values(name):
            with pytest.raises(BadInput, match=rf"^{name} must be .*, not "):
                getattr(log, method)(**{"encounter": "duel"} | GIVEN[method] | {name: odd})
    assert log.application.recorder.last_version("duel") == version


@pytest.mark.parametrize("commands", [[], ["x"], [EndTurn("clone"), None], (EndTurn,)])
def test_a_list_without_commands_is_refused(printed: Printed, commands: list[Any]) -> None:
    log = printed("duel")
    with pytest.raises(BadInput, match=r"^commands"):
        log.execute_all("duel", commands)
    assert log.timeline("duel").number == 21


@pytest.mark.parametrize("method", ["correct", "preview"])
def test_a_list_without_steps_is_refused(printed: Printed, method: str) -> None:
    log = printed("duel")
    for steps in STEPS:
        with pytest.raises(BadInput, match=r"^steps"):
            getattr(log, method)("duel", steps)
    assert log.timeline("duel").number == 21


def test_an_unknown_kind_of_note_is_refused(printed: Printed) -> None:
    log = printed("duel")
    for odd in ("x", "\ud800", ""):
        with pytest.raises(BadInput, match=r"^kind: .* is not among the choices. Known: comment, dispute"):
            log.note("duel", "The lamp goes out", kind=odd)


@pytest.mark.parametrize(
    "fields",
    [
        {"url": 5},
        {"url": None},
        {"create": 1},
        {"busy_timeout": "5"},
        {"synchronous": 2},
        {"clock": datetime(2026, 1, 1, tzinfo=UTC)},
        {"entropy": b"x"},
        {"kept": "x"},
    ],
)
def test_an_invalid_argument_of_open_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=f"^{next(iter(fields))} must be "):
        CombatLog.open(**{"url": "sqlite://"} | fields)


class Frozen(datetime):
    """A datetime subclass, as libraries for tests return it."""


EAST = timezone(timedelta(hours=12))


@pytest.mark.parametrize(
    "now", [None, 1.5, nan, "2026-01-01T00:00:00Z", date(2026, 1, 1), datetime.min.replace(tzinfo=EAST)]
)
def test_an_invalid_clock_is_refused_and_nothing_is_written(now: Any, tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "mam.db", clock=lambda: now) as log:
        with pytest.raises(BadInput, match=r"^clock"):
            log.execute("duel", Open())
        assert log.encounters() == []


@pytest.mark.parametrize("entropy", [None, b"", "x" * 64, bytearray(64), b"x" * 63])
def test_an_invalid_entropy_source_is_refused_and_nothing_is_written(entropy: Any) -> None:
    with CombatLog.open("sqlite://", entropy=lambda _: entropy) as log:
        with pytest.raises(BadInput, match=r"^entropy "):
            log.execute("duel", Open())
        assert log.encounters() == []


def test_a_hidden_ruling_without_a_salt_is_never_written() -> None:
    salts = {64: b"x" * 64}
    with CombatLog.open("sqlite://", entropy=lambda count: salts.get(count, b"")) as log:
        log.execute("duel", Open())
        with pytest.raises(BadInput, match=r"^entropy "):
            log.note("duel", "a trap", visibility="gm")
        assert log.timeline("duel").number == 1


def test_the_number_of_encounters_in_memory_can_be_0_but_not_negative() -> None:
    with CombatLog.open("sqlite://", kept=0) as log:
        assert log.execute("duel", Open()).number == 1
    with pytest.raises(BadInput, match=r"^kept "):
        CombatLog.open("sqlite://", kept=-1)


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (Frozen(2026, 1, 1, 20, 5, 6, tzinfo=UTC), "2026-01-01T20:05:06Z"),
        (Frozen(2026, 1, 1, 20, 5, 6, 70, tzinfo=EAST), "2026-01-01T08:05:06.000070Z"),
        (datetime.max.replace(tzinfo=UTC), "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_times_are_written_in_utc(now: datetime, text: str) -> None:
    with CombatLog.open("sqlite://", clock=lambda: now) as log:
        assert log.execute("duel", Open()).head.at == text


@pytest.mark.parametrize(
    ("method", "arguments", "place"),
    [
        ("execute", {"command": EndTurn("clone"), "expect": "21:0123456789abcdef"}, "expect"),
        ("undo", {"only": True}, "only"),
        ("undo", {"rewind": True}, "rewind"),
        ("undo", {"ruling": 17, "only": True, "rewind": True}, "only, rewind"),
        ("undo", {"ruling": 22, "rewind": True}, "rewind"),
    ],
)
def test_an_idle_argument_is_refused(printed: Printed, method: str, arguments: dict[str, Any], place: str) -> None:
    log = printed("fight")
    log.undo("fight")
    with pytest.raises(BadInput) as error:
        getattr(log, method)("fight", **arguments)
    assert error.value.place == place
    assert log.timeline("fight").number == 22
