"""Attacks by somebody who can write to the store or to an export, and the check that catches each.

The tests carry out each row of the table in `docs/log.md`.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mam_events.history.seal import next_seal
from mam_events.history.timeline.command_ids import stored_id
from mam_events.history.timeline.entries import FIRST_SEAL
from mam_events.log.combat_log import CombatLog
from mam_events.verification.export_format import Header, written_end, written_header, written_row
from mam_events.verification.seal_chain import with_ruling_numbers
from tests.cli.calls import Mam
from tests.cli.commands.storage.attacks import PAGE, check_verification, replace_rows
from tests.verification.forge import Row, edited, hash_of, printed_fight, resealed, row_json, set_to, version_of

Forge = Callable[[Sequence[Row]], list[Row]]


def milder(rows: Sequence[Row]) -> list[Row]:
    """Lower the damage of ruling 17 by one point and adjust its sums."""

    def change(event: dict[str, Any]) -> None:
        event["damage"] -= 1
        event["drained"]["other_used"] -= 1
        event["pools"]["damage"] -= 1
        event["pools"]["other_used"] += 1

    return edited(rows, version_of(rows, 17, "WoundInflicted"), change)


def change_one_byte(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 17, "AttackRolled") - 1
    version, topic, state = rows[at]
    return [*rows[:at], (version, topic, state.replace(b'"face":6', b'"face":5')), *rows[at + 1 :]]


def reseal_one_ruling(rows: Sequence[Row]) -> list[Row]:
    """Change ruling 17 and recompute its seal, but none of the later seals."""
    forgery = milder(rows)
    resealed_rows = resealed(forgery)
    at = version_of(rows, 17) - 1
    return [*forgery[:at], resealed_rows[at], *forgery[at + 1 :]]


def drop_row(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 17, "WoundInflicted") - 1
    return numbered([*rows[:at], *rows[at + 1 :]])


def numbered(rows: Sequence[Row]) -> list[Row]:
    return [(version, topic, state) for version, (_, topic, state) in enumerate(rows, start=1)]


def drop_ruling(rows: Sequence[Row]) -> list[Row]:
    return numbered([*rows[: version_of(rows, 15) - 1], *rows[version_of(rows, 16) - 1 :]])


def drop_note(rows: Sequence[Row]) -> list[Row]:
    """Remove ruling 23 and give its number to 24."""
    remaining_rows = numbered([*rows[: version_of(rows, 23) - 1], *rows[version_of(rows, 24) - 1 :]])
    return resealed(edited(remaining_rows, version_of(remaining_rows, 23), set_to(ruling=23)))


def swap_rows(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 17, "AttackRolled") - 1
    return numbered([*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]])


def insert_row(rows: Sequence[Row]) -> list[Row]:
    at = version_of(rows, 17, "WoundInflicted") - 1
    return numbered([*rows[:at], rows[at], *rows[at:]])


def repeat_ruling(rows: Sequence[Row]) -> list[Row]:
    """Make the same points ready a second time, as ruling 25."""
    copies = rows[version_of(rows, 20) - 1 : version_of(rows, 21) - 1]
    number = sum(row[2].startswith(b'{"seal":') for row in rows) + 1
    forgery = numbered([*rows, *copies])
    return resealed(edited(forgery, len(rows) + 1, set_to(ruling=number)))


def repeat_id(rows: Sequence[Row]) -> list[Row]:
    return resealed(edited(rows, version_of(rows, 23), set_to(id=stored_id("undo-1"))))


def back_date(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 12), set_to(at="2001-01-01T00:00:00.000Z"))


def drop_field(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 17, "AttackResolved"), lambda event: event.pop("why"))


def change_reason(rows: Sequence[Row]) -> list[Row]:
    return edited(rows, version_of(rows, 22), set_to(by="Bob", reason="just so"))


def truncate(rows: Sequence[Row]) -> list[Row]:
    return list(rows[: version_of(rows, 22) - 1])


def replace_seals(rows: Sequence[Row]) -> list[Row]:
    """Replace the seals alone, of all rulings, by those of a chain with another beginning."""
    forgery, seal = list(rows), FIRST_SEAL[::-1]
    starts = [at for at, row in enumerate(rows) if row[2].startswith(b'{"seal":')]
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        head = json.loads(forgery[start][2])
        forgery[start] = (*forgery[start][:2], row_json(head | {"seal": ""}))
        seal = next_seal(seal, hash_of(forgery[start:end]))
        forgery[start] = (*forgery[start][:2], row_json(head | {"seal": seal}))
    return forgery


class Caught(NamedTuple):
    """The errors of `verify`, `verify --judge` and a noted seal; "" where they find nothing."""

    forge: Forge
    seals: str
    judge: str
    noted: str = "No ruling of this log has the noted seal"


def with_new_seals(forge: Forge) -> Forge:
    """Return the forgery with every seal from the changed ruling on recomputed."""
    return lambda rows: resealed(forge(rows))


CHAIN = {
    "changes a byte": Caught(change_one_byte, "Ruling 17 was altered after it was sealed", "Ruling 17", "Ruling 17"),
    "changes a ruling and its seal": Caught(
        reseal_one_ruling, "Ruling 18 was altered after it was sealed", "Ruling 18", "Ruling 18"
    ),
    "changes the result of an order, and makes all seals again": Caught(
        with_new_seals(milder), "", "Ruling 17 differs"
    ),
    "removes a row": Caught(drop_row, "Ruling 17 was altered after it was sealed", "Ruling 17", "Ruling 17"),
    "removes a row, and makes all seals again": Caught(with_new_seals(drop_row), "", "Ruling 17 differs"),
    "removes a ruling": Caught(drop_ruling, "Ruling 16 stands where ruling 15 belongs", "Ruling 16", "Ruling 16"),
    "removes a note, and makes all seals again": Caught(drop_note, "", ""),
    "swaps two rows": Caught(swap_rows, "Ruling 17 was altered after it was sealed", "Ruling 17", "Ruling 17"),
    "swaps two rows, and makes all seals again": Caught(with_new_seals(swap_rows), "", "Ruling 17 differs"),
    "inserts a row": Caught(insert_row, "Ruling 17 was altered after it was sealed", "Ruling 17", "Ruling 17"),
    "repeats a ruling after the noted seal, and seals it": Caught(repeat_ruling, "", "Ruling 25 differs", ""),
    "gives two rulings one command id": Caught(
        repeat_id, "Rulings 22 and 23 have the same command id", "Rulings 22 and 23"
    ),
    "leaves a field out": Caught(drop_field, "Ruling 17 was altered after it was sealed", "Ruling 17", "Ruling 17"),
    "backdates a ruling": Caught(back_date, "Ruling 12 was altered after it was sealed", "Ruling 12", "Ruling 12"),
    "backdates a ruling, and makes all seals again": Caught(with_new_seals(back_date), "", ""),
    "changes who ruled, or why": Caught(
        change_reason, "Ruling 22 was altered after it was sealed", "Ruling 22", "Ruling 22"
    ),
    "changes who ruled, or why, and makes all seals again": Caught(with_new_seals(change_reason), "", ""),
    "makes a new chain of seals": Caught(
        replace_seals, "Ruling 1 was altered after it was sealed", "Ruling 1", "Ruling 1"
    ),
    "cuts the end off, or shows an older copy as the newest": Caught(truncate, "", ""),
}


@pytest.fixture
def noted_fight(mam: Mam, table: Path) -> list[Row]:
    """Play the printed fight with its corrections (24 rulings), note its seal in a notebook and return its rows."""
    with CombatLog.open(table / "mam.db") as log:
        printed_fight(log)
        log.note("fight", "It was late", by="Ana")
        rows = log.application.rows("fight")
    mam("seal", "--to", "notebook.txt")
    return rows


@pytest.mark.parametrize("attack", CHAIN)
def test_an_attack_on_the_chain_is_caught_as_the_page_says(
    mam: Mam, table: Path, noted_fight: list[Row], attack: str
) -> None:
    case = CHAIN[attack]
    forgery = case.forge(noted_fight)
    assert forgery != noted_fight
    replace_rows(table / "mam.db", forgery)
    seal = (table / "notebook.txt").read_text().split()[-1]
    check_verification(mam, case.seals)
    check_verification(mam, case.judge, "--judge")
    check_verification(mam, case.noted, "--notebook", "notebook.txt")
    # And in an export, which anybody can open in an editor.
    (table / "forged.ndjson").write_bytes(b"".join(exported(forgery)))
    check_verification(mam, case.seals, "forged.ndjson")
    check_verification(mam, case.judge, "forged.ndjson", "--judge")
    check_verification(mam, case.noted, "forged.ndjson", "--seal", seal)


def exported(rows: Sequence[Row]) -> list[bytes]:
    """Export rows that may not chain, with the first and last line that fit them."""
    lines = with_ruling_numbers(rows)
    seal = json.loads([row.state for row in lines if row.ruling][-1])["seal"]
    header = Header("export", 1, "fight", sum(1 for row in lines if row.ruling), len(rows), seal)
    return [written_header(header), *map(written_row, lines), written_end(len(rows), seal)]


def test_two_diverged_copies_verify_but_only_one_has_the_noted_seal(mam: Mam, noted_fight: list[Row]) -> None:
    """The seals of one copy don't show that there is another; a noted seal and an import do."""
    assert noted_fight
    shutil.copy("mam.db", "other.db")
    mam.run_all("note 'We won' -q", "seal --to notebook.txt", "note 'We lost' --store other.db -q")
    mam("note", "And fled", "--store", "other.db", "-q")
    for store in ("mam.db", "other.db"):
        check_verification(mam, "", "--judge", "--store", store)
    check_verification(mam, "", "--notebook", "notebook.txt")
    check_verification(
        mam, "No ruling of this log has the noted seal", "--notebook", "notebook.txt", "--store", "other.db"
    )
    mam("export", "-o", "other.ndjson", "--store", "other.db")
    assert (
        "is the same fight up to ruling 24 but differs from ruling 25 on"
        in mam("import", "other.ndjson", code=None).err
    )


def test_the_hash_of_a_hidden_row_is_checked(mam: Mam, table: Path, noted_fight: list[Row]) -> None:
    assert noted_fight
    mam("note", "The clone is a mirror", "--visibility", "gm", "-q")
    lines = mam("export", "--as", "public").out.splitlines()
    (at,) = [n for n, line in enumerate(lines) if '"hash"' in line]
    (table / "public.ndjson").write_text("\n".join(lines) + "\n")
    check_verification(mam, "", "public.ndjson")
    hidden = json.loads(lines[at])
    forgery = lines[at].replace(hidden["hash"], hidden["hash"][::-1])
    (table / "public.ndjson").write_text("\n".join([*lines[:at], forgery, *lines[at + 1 :]]) + "\n")
    check_verification(mam, "Ruling 25 was altered after it was sealed", "public.ndjson")


def test_verify_writes_nothing(mam: Mam, table: Path, noted_fight: list[Row]) -> None:
    mam("export", "-o", "fight.ndjson")
    replace_rows(table / "mam.db", resealed(milder(noted_fight)))
    with closing(sqlite3.connect(table / "mam.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def file_contents() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in table.iterdir() if not file.name.endswith(("-wal", "-shm"))}

    before = file_contents()
    for words in ((), ("--judge",), ("--all",), ("--notebook", "notebook.txt"), ("fight.ndjson",), ("--json",)):
        mam("verify", *words, code=None)
        assert file_contents() == before


def test_the_page_lists_every_attack_and_what_catches_it() -> None:
    part = PAGE.split("\n## What is caught\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("| ")
    ]
    table_rows = {
        cells[0]: tuple(cell == "yes" for cell in cells[1:])
        for cells in rows
        if len(cells) == 4 and cells[1] in ("yes", "no")
    }
    assert table_rows == {
        attack: (bool(case.seals), bool(case.judge), bool(case.noted)) for attack, case in CHAIN.items()
    }
