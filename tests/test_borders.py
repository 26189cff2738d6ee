"""The borders of the house: imports run one way, and the core reads no clock, no die, no file, no environment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = {"mam_events": set(), "projections": {"mam_events"}, "cli": {"mam_events", "projections"}}
OUTSIDE_WORLD = {"time", "random", "secrets", "uuid", "os", "sys", "pathlib", "io", "tempfile", "socket", "subprocess"}
EDGE = {
    "log",
    "writing",
    "judge",
    "judges",
    "drafting",
    "previewing",
    "idempotency",
    "inputs",
    "rulebook",
    "store",
    "fights",
    "archive",
    "points",
}
"""What reads the world, or is there for what does; every module and package beside these is pure."""


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def calls(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def files(*parts: str) -> list[Path]:
    found = sorted((ROOT.joinpath(*parts)).rglob("*.py"))
    assert found, parts
    return found


def pure() -> list[Path]:
    core = ROOT / "mam_events"
    found = [file for file in files("mam_events") if file.relative_to(core).parts[0].removesuffix(".py") not in EDGE]
    assert {file.parent.name for file in found} >= {"mam_events", "encounter", "rules", "events", "commands", "state"}
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_run_one_way(layer: str) -> None:
    for file in files(layer):
        ours = {name.split(".")[0] for name in imported(file)} & {*LAYERS, "tests", "benchmarks"}
        assert ours - {layer} <= LAYERS[layer], file


def test_the_store_alone_knows_the_event_sourcing_library() -> None:
    for file in files("mam_events") + files("projections") + files("cli"):
        if "store" not in file.relative_to(ROOT).parts:
            assert not any(name.split(".")[0] == "eventsourcing" for name in imported(file)), file


def test_the_domain_knows_no_terminal() -> None:
    for file in files("mam_events") + files("projections"):
        assert not {name.split(".")[0] for name in imported(file)} & {"click", "rich"}, file


@pytest.mark.parametrize("file", pure(), ids=lambda file: str(file.relative_to(ROOT)))
def test_the_core_touches_nothing_outside(file: Path) -> None:
    assert not {name.split(".")[0] for name in imported(file)} & OUTSIDE_WORLD
    asked = set(calls(file))
    assert not {call for call in asked if call in ("open", "print", "input") or call.endswith((".now", ".today"))}


def test_facts_and_what_they_leave_behind_know_no_rule() -> None:
    for file in files("mam_events", "events") + files("mam_events", "state"):
        rooms = {name.split(".")[1] for name in imported(file) if name.startswith("mam_events.")}
        assert rooms <= {"commands", "dice", "errors", "events", "state", "values"}, file


def test_the_core_does_not_import_what_reads_the_world() -> None:
    for file in pure():
        assert not {name for name in imported(file) if name.removeprefix("mam_events.").split(".")[0] in EDGE}, file
