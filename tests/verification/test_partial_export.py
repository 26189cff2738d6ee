"""`mam verify` of an export that hides something."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from msgspec.structs import replace

from mam_events.archive import export_ndjson
from mam_events.commands import Adjust, BeginTurn, Check, Command, Initiative, Join, Open, PoolMove
from mam_events.errors import VerificationFailed
from mam_events.history.seal import next_seal
from mam_events.history.timeline.entries import FIRST_SEAL
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify_export
from mam_events.verification.export_format import ExportRow, read_lines, written_end, written_header, written_row
from mam_events.verification.seal_chain import parts_of
from tests.cli.calls import Mam
from tests.cli.conftest import mam, table
from tests.fights.corpus import SEEDS, Corpus
from tests.verification.forge import row_json

__all__ = ["mam", "table"]

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture
def log() -> Iterator[CombatLog]:
    """Yield a log with a fight in which points of Ana move in ruling 6 and in ruling 9.

    Ruling 7 is a hidden check, and in ruling 8 Cleo joins.
    """
    moves = Adjust("the roof came down", (PoolMove("ana", "ready", "stun", 1),))
    with CombatLog.open("sqlite://", entropy=Random(1).randbytes) as log:
        command: Command
        for command in (Open(), Join("ana", hp=5), Join("bo", hp=5), Initiative(first="ana", reason="quick")):
            log.execute("fight", command)
        hidden = Check("bo", difficulty=9, visibility="gm")
        for command in (BeginTurn("ana"), moves, hidden, Join("cleo", hp=5), moves):
            log.execute("fight", command)
        yield log


def forge_export(log: CombatLog, ruling: int, topic: str, change: Edit) -> list[bytes]:
    """Return the lines of the public export with a row of that ruling changed and every seal recomputed."""
    export = read_lines(export_ndjson(log, "fight", view="public"), "export")
    rows, number = list(export.rows), 0
    for at, row in enumerate(rows):
        number = row.ruling or number
        if number == ruling and row.topic.startswith(topic):
            state = json.loads(row.state)
            change(state)
            rows[at] = replace(row, state=row_json(state))
            break
    else:
        raise AssertionError
    seal = FIRST_SEAL
    new_rows: list[ExportRow] = []
    for part in parts_of(rows):
        head, *others = part.rows
        seal = next_seal(seal, part.hash)
        state = b"" if head.hash else row_json(json.loads(head.state) | {"seal": seal})
        new_rows += [replace(head, seal=seal) if head.hash else replace(head, state=state), *others]
    header = replace(export.header, seal=seal)
    return [written_header(header), *map(written_row, new_rows), written_end(len(new_rows), seal)]


def more_points(event: dict[str, Any]) -> None:
    """Let a combatant join with 50 points, 3 of them ready."""
    event["combatant"]["hp"] = 50
    event["combatant"]["pools"]["ready"] = 3


def no_body(event: dict[str, Any]) -> None:
    event["combatant"]["weapons"] = []


def negative_points(event: dict[str, Any]) -> None:
    event["pools"] |= {"ready": event["pools"]["ready"] + 9, "damage": -9}


def fifty(event: dict[str, Any]) -> None:
    event["pools"]["ready"] += 45


def of_nobody(event: dict[str, Any]) -> None:
    event["combatant"] = "nobody-at-all"


@pytest.mark.parametrize(
    ("ruling", "topic", "change", "why"),
    [
        (2, "CombatantJoined", more_points, "After ruling 2 the points of ana are 3 in all, but should be 50"),
        (8, "CombatantJoined", more_points, "After ruling 8 the points of cleo are 3 in all, but should be 50"),
        (8, "CombatantJoined", no_body, "After ruling 8 cleo has not even a body as a weapon"),
        (6, "PoolsAdjusted", fifty, "After ruling 6 the points of ana are 50 in all, but should be 5"),
        (6, "PoolsAdjusted", of_nobody, "Ruling 6 does not follow from those before it"),
        (6, "PoolsAdjusted", negative_points, "After ruling 6 ana has less than 0 points in a pool"),
        (9, "PoolsAdjusted", negative_points, "After ruling 9 ana has less than 0 points in a pool"),
        (9, "Play", lambda head: head["command"].update(answers=10), "Ruling 9 names ruling 10"),
    ],
)
def test_an_impossible_row_is_refused_in_a_partial_export(
    log: CombatLog, ruling: int, topic: str, change: Edit, why: str
) -> None:
    with pytest.raises(VerificationFailed, match=why):
        verify_export(forge_export(log, ruling, topic, change))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (fifty, "After ruling 9 the points of ana are 50 in all, but 5 where they join."),
        (of_nobody, 'Ruling 9 names "nobody-at-all", who joins in no visible ruling.'),
    ],
)
def test_a_row_that_only_hidden_rows_could_explain_is_not_provable(
    log: CombatLog, mam: Mam, table: Path, change: Edit, text: str
) -> None:
    (table / "forged.ndjson").write_bytes(b"".join(forge_export(log, 9, "PoolsAdjusted", change)))
    output = mam("verify", "forged.ndjson").out
    assert "points and names depend on hidden" in output
    assert f"not provable: {text}" in output
    report = mam("verify", "forged.ndjson", "--json").lines[0]
    assert (report["partial_from"], report["on_trust"]) == (7, [text])


def test_an_unchanged_partial_export_says_that_rows_are_hidden(log: CombatLog, mam: Mam, table: Path) -> None:
    (table / "honest.ndjson").write_bytes(b"".join(export_ndjson(log, "fight", view="public")))
    output = mam("verify", "honest.ndjson").out
    assert "points and names depend on hidden" in output
    assert "on trust" not in output
    (table / "whole.ndjson").write_bytes(b"".join(export_ndjson(log, "fight")))
    assert "depend on what is hidden" not in mam("verify", "whole.ndjson").out


@pytest.mark.slow
@given(SEEDS)
def test_every_export_of_every_view_passes_verification(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    for view in ("gm", "public", "side:reds"):
        verification = verify_export(export_ndjson(log, encounter, view=view))
        if view == "gm":
            assert (verification.partial_from, verification.on_trust) == (0, ())
        assert all("joins in no visible ruling" in sentence for sentence in verification.on_trust)
