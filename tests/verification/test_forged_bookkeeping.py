"""Forged and resealed bookkeeping: the check names each forgery."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from mam_events.archive import export_ndjson
from mam_events.errors import VerificationFailed
from mam_events.events import Amend
from mam_events.log.combat_log import CombatLog
from mam_events.verification import judge_again, verify
from tests.projections.raids import HIT, raid
from tests.verification.forge import Row, resealed

MENDED, REJUDGED = "RulingMended.1", "RulingRejudged.1"


def play_passed_turns(hidden: str = "") -> tuple[CombatLog, list[Row]]:
    """Play a fight in which the Wolf's turns pass, and return its log and rows."""
    log = CombatLog.open("sqlite://")
    raid(log, hidden=hidden)
    log.correct("fight", [Amend(HIT, {"outcome": "fail"})])
    return log, list(log.application.rows("fight"))


def edited(rows: list[Row], at: int, **fields: Any) -> list[Row]:
    version, topic, state = rows[at]
    new_fields = {name: value for name, value in (json.loads(state) | fields).items() if value is not None}
    return [*rows[:at], (version, topic, json.dumps(new_fields, separators=(",", ":")).encode()), *rows[at + 1 :]]


def first(rows: list[Row], topic: str, what: bytes = b"") -> int:
    return next(at for at, row in enumerate(rows) if row[1] == topic and what in row[2])


FORGED: dict[str, Callable[[list[Row]], list[Row]]] = {
    "another kind": lambda rows: edited(rows, first(rows, MENDED, b"passed"), what="ended"),
    "somebody else": lambda rows: edited(rows, first(rows, MENDED, b"passed"), combatant="ana"),
    "nobody": lambda rows: edited(rows, first(rows, MENDED, b"passed"), combatant=None),
    "another round": lambda rows: edited(rows, first(rows, MENDED, b"passed"), round=9),
    "another ruling": lambda rows: edited(rows, first(rows, MENDED), ruling=HIT),
    "no such ruling": lambda rows: edited(rows, first(rows, MENDED), ruling=99),
    "twice": lambda rows: [*rows[: first(rows, MENDED)], rows[first(rows, MENDED)], *rows[first(rows, MENDED) :]],
    "without its events": lambda rows: [row for row in rows if row[1] != "OrderKept.1"],
    "a death": lambda rows: [
        *rows[: first(rows, MENDED) + 1],
        (0, "CombatantDied.1", b'{"combatant":"wolf"}'),
        *rows[first(rows, MENDED) + 1 :],
    ],
    "no new outcome": lambda rows: rows[: first(rows, MENDED) + 2],
    "in a play": lambda rows: [
        *rows[: first(rows, "Correction.1")],
        (0, MENDED, b'{"ruling":26,"what":"passed","combatant":"wolf"}'),
    ],
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_bookkeeping_is_detected(name: str) -> None:
    log, rows = play_passed_turns()
    assert judge_again(rows, log.rules) == verify(rows).rulings
    forged_rows = resealed(FORGED[name](rows))

    def check() -> None:
        verify(forged_rows)
        judge_again(forged_rows, log.rules)

    with pytest.raises(VerificationFailed, match=r"[Rr]uling (26|27)"):
        check()


def test_the_visibility_of_bookkeeping_cannot_be_widened() -> None:
    log, rows = play_passed_turns(hidden="wolf")
    judge_again(rows, log.rules)
    passed = first(rows, MENDED, b'"passed"')
    forged_rows = resealed(edited(rows, passed, visibility=None, salt=None))
    verify(forged_rows)
    with pytest.raises(VerificationFailed, match='its bookkeeping is visible to "public", but should'):
        judge_again(forged_rows, log.rules)


def test_the_export_hides_a_passed_turn_of_a_combatant_hidden_later() -> None:
    log, _ = play_passed_turns()
    assert b'"combatant":"wolf"' in b"".join(export_ndjson(log, "fight", view="public"))
    log.correct("fight", [Amend(4, {"visibility": "gm"})])
    public = [json.loads(line) for line in export_ndjson(log, "fight", view="public")]
    turn_rows = [line for line in public if line.get("topic") in (MENDED, "TurnStarted.1", "TurnEnded.1")]
    assert turn_rows
    assert not [line for line in turn_rows if "wolf" in json.dumps(line["state"])]
