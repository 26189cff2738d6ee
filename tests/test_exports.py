"""The names that `mam_events` exports, which are imported when they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mam_events
from mam_events.commands import Open

SOURCE = ast.parse(Path(mam_events.__file__).read_text(encoding="utf-8"))


def test_the_names_for_type_checkers_equal_the_lazy_names() -> None:
    docstring_names = {
        f"{node.module}.{alias.asname}"
        for block in SOURCE.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    homes = {f"mam_events.{room}.{name}" for room, names in mam_events._ROOMS.items() for name in names}  # noqa: SLF001 - the table itself
    assert docstring_names == homes


@pytest.mark.parametrize("name", mam_events.__all__)
def test_every_exported_name_can_be_imported(name: str) -> None:
    assert getattr(mam_events, name) is not None
    assert name in dir(mam_events)


def test_an_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'mam_events' has no attribute 'Combatlog'"):
        getattr(mam_events, "Combatlog")  # noqa: B009 - mypy knows that there is none


def test_the_exported_names_work_together() -> None:
    with mam_events.CombatLog.open("sqlite://") as log:
        log.execute("yard", Open())
        assert [ruling.number for ruling in log.history("yard")] == [1]
        with pytest.raises(mam_events.Refused):
            log.execute("yard", Open())


def test_the_import_alone_loads_only_the_version() -> None:
    ask = (
        "import sys, mam_events\n"
        "assert mam_events.__version__\n"
        "print(*[name for name in sys.modules if name.startswith(('mam_events.', 'msgspec', 'eventsourcing'))])"
    )
    process = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "mam_events.version"
