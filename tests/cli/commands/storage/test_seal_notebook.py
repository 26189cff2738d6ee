"""The notebook of seals."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.cli.calls import Mam

EXAMPLES = Path(__file__).parents[4] / "examples"


@pytest.fixture
def evening(mam: Mam) -> None:
    """Play two fights and note their seals as they go on."""
    mam("play", str(EXAMPLES / "modre-and-the-clone.toml"), "--id", "duel")
    mam.run_all("seal --to notebook.txt", "note 'It rained'", "seal --to notebook.txt")
    mam("play", str(EXAMPLES / "toughness.toml"), "--id", "tough")
    mam("seal", "--to", "notebook.txt", "-e", "tough")


@pytest.mark.usefixtures("evening")
def test_verify_checks_every_fight_against_its_noted_seals(mam: Mam, table: Path) -> None:
    lines = [line.split() for line in (table / "notebook.txt").read_text().splitlines()]
    assert [(line[1], line[2]) for line in lines[:2]] == [("duel", "21"), ("duel", "22")]
    assert lines[2][1] == "tough"
    mam("note", "Later on", "-e", "duel")
    output = mam("verify", "--notebook", "notebook.txt").out
    assert "duel: 23 rulings" in output
    assert "tough: " in output


@pytest.mark.usefixtures("evening")
def test_a_truncated_log_is_detected_by_its_noted_seal(mam: Mam, table: Path) -> None:
    """A log without its newest ruling is valid by itself; only the notebook has the missing seal."""
    with sqlite3.connect(table / "mam.db") as store:
        store.execute(
            "DELETE FROM stored_events WHERE originator_id = 'duel' AND originator_version = "
            "(SELECT max(originator_version) FROM stored_events WHERE originator_id = 'duel')"
        )
    store.close()
    assert "duel: 21 rulings" in mam("verify", "-e", "duel").out
    assert (
        '"duel" failed verification. No ruling of this log has the noted seal'
        in mam("verify", "--notebook", "notebook.txt", code=5).err
    )


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ("", "The notebook is empty.", 2),
        (
            "duel 21\n",
            "notebook.txt:1: This line is not from a notebook of seals: it needs a time, ",
            2,
        ),
        (f"now gone 3 {'0' * 64}\n", 'There is no encounter "gone" any more, but it is noted in notebook.txt:1.', 5),
        ("\nnow duel 3 zero\n", "notebook.txt:2: The last word is no seal: a seal has 64 hexadecimal digits.", 2),
    ],
)
def test_an_invalid_notebook_is_refused_with_its_line(
    mam: Mam, table: Path, text: str, message: str, code: int
) -> None:
    (table / "notebook.txt").write_text(text)
    assert message in mam("verify", "--notebook", "notebook.txt", code=code).err
    assert "Use only one of FILE" in mam("verify", "--notebook", "notebook.txt", "--all", code=2).err


def test_an_unwritable_notebook_is_refused(mam: Mam) -> None:
    mam("new", "duel")
    assert "no/such/notebook.txt cannot be written:" in mam("seal", "--to", "no/such/notebook.txt", code=2).err


@pytest.mark.usefixtures("evening")
def test_a_notebook_without_a_final_newline_is_continued_on_a_new_line(mam: Mam, table: Path) -> None:
    """Some editors leave out the final newline."""
    notebook = table / "notebook.txt"
    notebook.write_text(notebook.read_text().rstrip("\n"))
    mam("seal", "--to", "notebook.txt", "-e", "duel")
    assert [line.split()[1] for line in notebook.read_text().splitlines()] == ["duel", "duel", "tough", "duel"]
    mam("verify", "--notebook", "notebook.txt")


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("file", ["mam.db", "duel.ndjson"])
def test_seal_writes_only_into_a_notebook(mam: Mam, table: Path, file: str) -> None:
    mam("export", "-e", "duel", "-o", "duel.ndjson")
    before = (table / file).read_bytes()
    assert f"{file}: This is no notebook of seals." in mam("seal", "--to", file, code=2).err
    assert (table / file).read_bytes() == before
