"""Stores changed with SQL: every reader reports the change in one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mam_events.fights import load_fight, play
from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.sanitize import clean_text
from mam_events.store import build_events
from tests.cli.calls import Mam
from tests.cli.conftest import EXAMPLE
from tests.effort import FUZZ
from tests.fights.tables import play_random_fight
from tests.verification.forge import Row, edited, resealed

FORGERIES = 100 if FUZZ else 14
EXAMPLES = sorted(file for file in EXAMPLE.parent.glob("*.toml") if file.stem != "points")
READERS = (
    "log",
    "log --json",
    "audit",
    "pools",
    "pools --at round:2",
    "order",
    "options",
    "options --all",
    "options --as public",
    "replay",
    "report",
    "export",
    "export --format toml",
    "encounters",
    "diff fight@1 fight",
    "diff fight fight --json",
    "verify",
)
TOLD = (0, 1, 2, 4, 5, 6)
ODD = ("ghost", "", "body", "gm", "turned \u202egnorw", "\x1b]0;x\x07", "e\u0301", "-5", "1e30", "x" * 5000)
NUMBERS = (-(2**63), -100, -1, 0, 1, 2, 7, 100, 10**6, 2**63 - 1, 10**30)


def fight(random: Random) -> list[Row]:
    """Play a random fight, an example or a branch of one, and return its rows."""
    if random.random() < 0.5:
        log, encounter = play_random_fight(random, steps=25)
    else:
        log, encounter = CombatLog.open("sqlite://", entropy=random.randbytes), "fight"
        play(log, load_fight(random.choice(EXAMPLES)), encounter)
    if random.random() < 0.3:
        # Every fight can continue from its opening.
        log.branch(encounter, "branch", 1)
        encounter = "branch"
    return log.application.rows(encounter)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return the place of every part in a plain value: its container and its name or index there."""
    entries = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [(value, name) for name, _ in entries] + [place for _, inner in entries for place in places(inner)]


def forge(random: Random, fields: dict[str, Any]) -> None:
    """Change one random thing in a row, mostly to a value of the same kind."""
    inside, name = random.choice([(one, name) for one, name in places(fields) if name not in ("seal", "salt")])
    value, kind = inside[name], random.random()
    if kind < 0.05:
        del inside[name]
    elif kind < 0.15:
        inside[name] = random.choice((None, [], {}, True, *NUMBERS, *ODD))
    elif isinstance(value, bool):
        inside[name] = not value
    elif isinstance(value, int):
        inside[name] = random.choice((*NUMBERS, value + 1, value - 1))
    elif isinstance(value, str):
        inside[name] = random.choice((*ODD, value + "\u202e"))
    elif isinstance(value, list) and value:
        inside[name] = random.choice(([], value[1:], [*value, random.choice(value)], value[::-1]))
    else:
        inside[name] = random.choice(ODD)


def kept(store: Path, rows: Sequence[Row], forgery: Sequence[Row]) -> None:
    """Save rows to a store, then replace them by forged rows with plain SQL."""
    with Encounters.at(store) as encounters:
        encounters.save(*build_events("fight", rows))
    with sqlite3.connect(store) as raw:
        raw.execute("DELETE FROM stored_events")
        raw.executemany("INSERT INTO stored_events VALUES ('fight', ?, ?, ?)", forgery)
    raw.close()


def run_all_readers(mam: Mam) -> dict[str, int]:
    """Run every reader and return their exit codes.

    No reader may crash or print characters that `clean_text` would change.
    """
    ends = {}
    for reader in READERS:
        result = mam(*reader.split(), code=None)
        output = result.out + result.err
        assert result.code in TOLD, (reader, output)
        assert "Traceback" not in output, reader
        assert all(clean_text(line) == line for line in output.split("\n")), reader
        if result.code > 1:
            assert result.err.strip(), reader
        ends[reader] = result.code
    return ends


@pytest.mark.parametrize("seed", range(FORGERIES))
def test_every_reader_reports_a_random_forgery_in_one_sentence(mam: Mam, table: Path, seed: int) -> None:
    random = Random(seed)
    rows = fight(random)
    forgery = edited(rows, random.randint(1, len(rows)), lambda fields: forge(random, fields))
    has_valid_seals = random.random() < 0.5
    kept(table / "mam.db", rows, resealed(forgery) if has_valid_seals else forgery)
    ends = run_all_readers(mam)
    if forgery != rows and not has_valid_seals:
        assert ends["verify"] in (5, 6)


@pytest.mark.parametrize("sealed_well", [False, True])
@pytest.mark.parametrize(
    ("topic", "change"),
    [
        ("TurnStarted", {"combatant": "ghost"}),
        ("InitiativeEstablished", {"order": ["ghost"]}),
        ("AttackDeclared", {"target": "ghost"}),
        ("AttackDeclared", {"weapon": ""}),
        ("CombatantJoined", {"name": "Mo\u202edre"}),
        ("Play", {"by": "\x1b]0;x\x07"}),
        ("Play", {"at": "2026-01-01\u009b2J"}),
        ("WoundInflicted", {"damage": -(10**9)}),
    ],
)
def test_forgeries_that_readers_once_crashed_on_are_reported(
    mam: Mam, table: Path, topic: str, change: dict[str, Any], *, sealed_well: bool
) -> None:
    log = CombatLog.open("sqlite://")
    play(log, load_fight(EXAMPLE), "fight")
    rows = log.application.rows("fight")

    def change_it(fields: dict[str, Any]) -> None:
        (fields["combatant"] if topic == "CombatantJoined" else fields).update(change)

    version = next(row[0] for row in reversed(rows) if row[1].startswith(topic))
    forgery = edited(rows, version, change_it)
    kept(table / "mam.db", rows, resealed(forgery) if sealed_well else forgery)
    run_all_readers(mam)


def test_an_error_over_a_forged_log_names_the_ruling_that_does_not_check(mam: Mam, table: Path) -> None:
    log = CombatLog.open("sqlite://")
    play(log, load_fight(EXAMPLE), "fight")
    rows = log.application.rows("fight")
    version = next(row[0] for row in reversed(rows) if row[1].startswith("InitiativeEstablished"))
    kept(table / "mam.db", rows, edited(rows, version, lambda fields: fields.update(order=["ghost"])))
    result = mam("order", code=None)
    assert result.code == 5
    assert "Ruling 4" in result.err
    assert "KeyError" not in result.err


def test_an_encounter_name_with_a_direction_mark_is_not_shown_raw(mam: Mam, fight: Path) -> None:
    with sqlite3.connect(fight) as raw:
        raw.execute("UPDATE stored_events SET originator_id = 'turned \u202egnorw'")
    raw.close()
    for reader in ("encounters", "log", "verify --all"):
        result = mam(*reader.split(), code=None)
        assert result.code in (5, 6), (reader, result)
        assert "\u202e" not in result.out + result.err


@pytest.mark.parametrize("token", ["7", "x'ff'", "'nothing'", "'{}'"])
def test_a_damaged_token_is_reported(mam: Mam, fight: Path, token: str) -> None:
    mam("token", "gm", "--by", "Mara")
    with sqlite3.connect(fight) as connection:
        connection.execute(f"UPDATE tokens SET said = {token}")  # noqa: S608 - words of the test
    connection.close()
    assert "damaged" in mam("token", "list", code=6).err
