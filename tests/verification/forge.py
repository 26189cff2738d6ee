"""Forgeries with write access to the store: changed and resealed rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mam_events.commands import Check, Close, Join, Open
from mam_events.fights import load_fight, play, read_fight
from mam_events.history.seal import blinding_of, next_seal
from mam_events.history.timeline.entries import FIRST_SEAL
from mam_events.log.combat_log import CombatLog
from mam_events.verification.export_format import ExportRow
from mam_events.verification.seal_chain import RulingLead, RulingRows

Row = tuple[int, str, bytes]
EXAMPLE = Path(__file__).parents[2] / "examples" / "modre-and-the-clone.toml"


def printed_fight(log: CombatLog, encounter: str = "fight") -> list[Row]:
    """Play the printed fight (rulings 1 to 21), undo 21 (22), dispute it (23) and return the rows."""
    play(log, load_fight(EXAMPLE), encounter)
    log.undo(encounter, by="Ana", reason="too far", command_id="undo-1")
    log.note(encounter, "it was only two metres", kind="dispute", about=21, by="Bob", command_id="note-1")
    return log.application.rows(encounter)


def drawn_fight(log: CombatLog, encounter: str = "fight") -> list[Row]:
    """Play a fight with drawn dice and players' words, closed in ruling 14, and return the rows."""
    text = """
        word = "swordfish"
        combatants = [
            { id = "a", hp = 9, word = "mellon", stride = 1 },
            { id = "b", hp = 9, body = { reach = 1 } },
        ]
        commands = [
            { do = "initiative" },                                        # 4
            { do = "begin-turn", combatant = "b" },                       # 5
            { do = "attack", attacker = "b", target = "a", power = 1 },   # 6
            { do = "resolve" },                                           # 7
            { do = "attack", attacker = "b", target = "a", power = 1 },   # 8
            { do = "resolve" },                                           # 9
            { do = "end-turn", combatant = "b" },                         # 10
        ]
    """
    play(log, read_fight(text), encounter)
    log.undo(encounter, 8)
    log.redo(encounter)
    log.note(encounter, "good night")
    log.execute(encounter, Close())
    return log.application.rows(encounter)


def salted_fight(log: CombatLog, visibility: str, encounter: str = "fight") -> list[Row]:
    """Play a fight with that opening and two drawn checks, and return the rows.

    Ruling 4 is a hidden check, 5 a check that everybody sees. Ruling 6 closes the fight.
    """
    log.execute_all(encounter, [Open(visibility=visibility), Join("modre", hp=6), Join("clone", hp=6)])
    for check_visibility in ("gm", "public"):
        log.execute(encounter, Check("modre", difficulty=12, visibility=check_visibility))
    log.execute(encounter, Close())
    return log.application.rows(encounter)


def ruling_of(rows: Sequence[Row], version: int) -> int:
    """Return the number of the ruling to which a row belongs."""
    return sum(1 for row in rows[:version] if row[2].startswith(b'{"seal":'))


def edited(rows: Sequence[Row], version: int, edit: Callable[[dict[str, Any]], object]) -> list[Row]:
    """Return the rows with only one state changed."""
    changed_rows = list(rows)
    number, topic, state = changed_rows[version - 1]
    fields = json.loads(state)
    edit(fields)
    changed_rows[version - 1] = (number, topic, row_json(fields))
    return changed_rows


def set_to(**fields: Any) -> Callable[[dict[str, Any]], object]:
    """Return an edit that sets those fields."""
    return lambda state: state.update(fields)


def resealed(rows: Sequence[Row]) -> list[Row]:
    """Renumber and reseal the rows, so that the chain holds whatever they contain."""
    rows = [(version, topic, state) for version, (_, topic, state) in enumerate(rows, start=1)]
    starts = [at for at, row in enumerate(rows) if row[2].startswith(b'{"seal":')]
    seal = FIRST_SEAL
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        version, topic, state = rows[start]
        head = {"seal": ""} | json.loads(state)
        rows[start] = (version, topic, row_json(head | {"seal": ""}))
        seal = next_seal(seal, hash_of(rows[start:end]))
        rows[start] = (version, topic, row_json(head | {"seal": seal}))
    return rows


def hash_of(ruling: Sequence[Row]) -> bytes:
    """Return the hash of one ruling, whatever number its head has."""
    lines = [ExportRow(version, 0 if at else 1, topic, state) for at, (version, topic, state) in enumerate(ruling)]
    fields = json.loads(ruling[0][2])
    return RulingRows(1, lines, RulingLead(1, salt=fields.get("salt", "")), blinding=blinding_of(ruling[0][2])).hash


def row_json(fields: dict[str, Any]) -> bytes:
    """Return the JSON of a row."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def version_of(rows: Sequence[Row], ruling: int, topic: str = "") -> int:
    """Return the version of the head of a ruling, or of the first row of that kind in it."""
    return next(row[0] for row in rows if ruling_of(rows, row[0]) == ruling and row[1].startswith(topic))


def change_kind(rows: Sequence[Row]) -> list[Row]:
    """Change the start of a turn in ruling 10 to the end of one."""
    at = version_of(rows, 10, "TurnStarted") - 1
    return [*rows[:at], (rows[at][0], "TurnEnded.1", rows[at][2]), *rows[at + 1 :]]
