"""A forged and resealed log is refused at import or can be read by every view."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from mam_events.archive import import_ndjson
from mam_events.commands import Heal, Join, Open
from mam_events.errors import MamError, VerificationFailed
from mam_events.events import Head, Play
from mam_events.fights import load_fight, play, write_fight
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.references import names_in
from mam_events.store import decode_rows
from projections.cache.encounters import encounters
from projections.rulings.audit import audit_text, audit_trail
from projections.rulings.frames import frames
from projections.rulings.log_lines import log_lines
from tests.archive.export_changes import export_of_rows
from tests.effort import seeds
from tests.fights.tables import play_random_fight
from tests.verification.forge import Row, edited, resealed

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
Fields = dict[str, Any]


def example(name: str) -> list[Row]:
    log = CombatLog.open("sqlite://")
    play(log, load_fight(next(file for file in EXAMPLES if file.stem == name)), "fight")
    return log.application.rows("fight")


def read_every_view(log: CombatLog, encounter: str) -> None:
    """Read a fight in every view."""
    for view in ("gm", "public"):
        all_rulings = list(rulings(log.timeline(encounter)))
        log_lines(all_rulings, view)
        frames(all_rulings, view)
        for entry in audit_trail(all_rulings, view):
            audit_text(entry)
    list(log.legal(encounter))
    encounters(log)
    encounters(log, "public")
    write_fight(log.timeline(encounter), encounter)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a plain value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in entries:
        yield (*way, name)
        yield from places(inner, (*way, name))


def forge(random: Random, fields: Fields) -> None:
    """Change one random thing in a row, but not its salt, without which it can't be sealed."""
    *way, last = random.choice([way for way in places(fields) if way[-1] not in ("seal", "salt")])
    inside: Any = fields
    for step in way:
        inside = inside[step]
    value = inside[last]
    if isinstance(value, list) and value:
        inside[last] = random.choice(([], value[1:], [*value, random.choice(value)], value[::-1]))
    elif isinstance(value, str):
        inside[last] = random.choice(("ghost", "", "body"))
    elif isinstance(value, bool):
        inside[last] = not value
    elif isinstance(value, int):
        inside[last] = value + random.choice((-100, -1, 1, 100))
    else:
        del inside[last]


def import_or_none(rows: list[Row]) -> CombatLog | None:
    """Return a log with those rows imported, or None if it refused them."""
    log = CombatLog.open("sqlite://")
    with suppress(MamError):
        import_ndjson(log, export_of_rows(resealed(rows)), "forged")
        return log
    return None


@pytest.mark.parametrize("seed", seeds(12))
def test_any_forgery_is_refused_or_can_be_read(seed: int) -> None:
    random = Random(seed)
    if random.random() < 0.5:
        log, encounter = play_random_fight(random, steps=25)
        rows = log.application.rows(encounter)
    else:
        rows = example(random.choice(("first-on-the-stairs", "four-of-a-kind", "the-ford", "modre-and-the-clone")))
    for _ in range(8):
        forged_rows = edited(rows, random.randint(1, len(rows)), lambda fields: forge(random, fields))
        if imported := import_or_none(forged_rows):
            # An impossible ruling may be refused with a sentence, but must not crash the program.
            with suppress(MamError):
                read_every_view(imported, "forged")


@pytest.mark.parametrize(
    ("topic", "change", "text"),
    [
        ("AttackDeclared", {"target": ""}, "target"),
        ("AttackDeclared", {"weapon": ""}, "weapon"),
        ("AttackRolled", {"combatant": ""}, "combatant"),
        ("HitPointsSpent", {"combatant": "ghost"}, "not follow"),
    ],
)
def test_an_unknown_name_is_refused(topic: str, change: Fields, text: str) -> None:
    rows = example("modre-and-the-clone")
    version = next(row[0] for row in rows if row[1].startswith(topic))
    forged_rows = resealed(edited(rows, version, lambda fields: fields.update(change)))
    with pytest.raises(VerificationFailed, match=text):
        import_ndjson(CombatLog.open("sqlite://"), export_of_rows(forged_rows), "forged")


def renamed(value: Any, field: str, old: str | int, new: str | int) -> bool:
    """Replace the first `old` in or under that field by `new`, and return True if it was found."""
    for name, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        under = field if isinstance(value, list) or name == field else ""
        if under and inner == old:
            value[name] = new
            return True
        if isinstance(inner, dict) and name == field and old in inner:
            inner[new] = inner.pop(old)
            return True
        if isinstance(inner, dict | list) and renamed(inner, field, old, new):
            return True
    return False


def parts_of(rows: list[Row]) -> Iterator[tuple[int, Struct]]:
    """Yield every order and every event, with its row."""
    for (version, _, _), event in zip(rows, decode_rows(rows), strict=True):
        if not isinstance(event, Head):
            yield version, event
        elif isinstance(event, Play):
            yield version, event.command


@pytest.mark.parametrize("file", [file for file in EXAMPLES if file.stem != "points"], ids=lambda file: file.stem)
def test_every_name_in_orders_and_events_must_exist(file: Path) -> None:
    """Change each field with a name, in every kind of order and event of the fight."""
    rows = example(file.stem)
    tried = {("Join", "combatant")}
    for version, part in parts_of(rows):
        for _, value, field in names_in(part):
            place = (type(part).__name__, field)
            if place not in tried:
                tried.add(place)
                other = 999_999 if isinstance(value, int) else "ghost"
                forged_rows = edited(rows, version, partial(renamed, field=field, old=value, new=other))
                assert forged_rows != rows, place
                with pytest.raises(VerificationFailed):
                    import_ndjson(CombatLog.open("sqlite://"), export_of_rows(resealed(forged_rows)), "forged")


def test_an_order_with_a_missing_roll_can_be_read() -> None:
    rows = example("first-on-the-stairs")
    version = next(row[0] for row in rows if row[1].startswith("InitiativeEstablished"))
    forged_rows = edited(rows, version, lambda fields: fields["rolled"]["entries"].pop())
    log = import_or_none(forged_rows)
    assert log is not None
    read_every_view(log, "forged")


def test_a_rest_with_missing_rolls_can_be_read() -> None:
    log = CombatLog.open("sqlite://")
    log.execute_all("camp", [Open(), Join("ana", hp=6, pools={"ready": 3, "damage": 3}), Heal("ana", 7, die=6)])
    rows = log.application.rows("camp")
    version = next(row[0] for row in rows if row[1].startswith("HealingRolled"))
    forged_log = import_or_none(edited(rows, version, lambda fields: fields.update(rolls=[])))
    assert forged_log is not None
    read_every_view(forged_log, "forged")


@pytest.mark.parametrize("bare", [{"weapons": []}, {"dropped": ["body"]}])
def test_a_combatant_without_a_body_is_refused(bare: Fields) -> None:
    rows = example("modre-and-the-clone")
    version = next(row[0] for row in rows if row[1].startswith("CombatantJoined"))
    forged_rows = resealed(edited(rows, version, lambda fields: fields["combatant"].update(bare)))
    with pytest.raises(VerificationFailed, match="not even a body"):
        import_ndjson(CombatLog.open("sqlite://"), export_of_rows(forged_rows), "forged")
