"""A full disk: writes are refused in one sentence and leave nothing, and reads still work."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.calls import Mam, Rows

PAGE = 4096
BESIDE = (0, 3 * PAGE)
"""No space at all, and too little for the additional files of SQLite."""
WRITING = (
    (("end-turn",), 6, BESIDE),
    (("undo",), 6, BESIDE),
    (("undo", "6", "--yes"), 6, BESIDE),
    (("note", "The lamp goes out " * 50), 6, BESIDE),
    (("new", "other"), 6, BESIDE),
    (("play", "duel.toml", "--id", "other"), 6, BESIDE),
    (("import", "duel.ndjson", "--id", "other"), 6, BESIDE),
    (("backup", "backup.db"), 6, (*BESIDE, 6 * PAGE)),
    (("export", "-o", "out.ndjson"), 2, (*BESIDE, 2 * PAGE)),
    (("export", "--all", "-o", "."), 2, (*BESIDE, 2 * PAGE)),
    (("rules", "new", "house"), 2, (0, 20)),
    (("seal", "--to", "notebook.txt"), 2, (0, 20)),
)
READING = (("log",), ("pools",), ("replay",), ("verify", "--all"), ("export",), ("encounters",), ("options",))


@contextmanager
def room(size: int) -> Iterator[None]:
    """Limit the size of files in bytes, as if the disk were full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def ready(mam: Mam, fight: Path) -> set[str]:
    """Export the printed fight to files and return the names of all files in the directory."""
    mam.run_all("export -o duel.ndjson", "export --format toml -o duel.toml")
    return {file.name for file in fight.parent.iterdir()}


@pytest.mark.parametrize(("words", "code", "sizes"), WRITING)
def test_a_write_without_room_is_refused_in_one_line_and_leaves_nothing(
    mam: Mam, table: Path, rows: Rows, ready: set[str], words: tuple[str, ...], code: int, sizes: tuple[int, ...]
) -> None:
    before = rows()
    for size in sizes:
        with room(size):
            result = mam(*words, "-q", code=code)
        assert result.out == ""
        assert len([line for line in result.err.splitlines() if not line.startswith("encounter:")]) == 1, result.err
        assert rows() == before
        assert {file.name for file in table.iterdir() if file.stat().st_size} <= ready
    mam(*words, "-q")


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_log_on_a_full_disk_can_be_read(mam: Mam, words: tuple[str, ...]) -> None:
    expected = mam(*words).out
    with room(0):
        assert mam(*words).out == expected
