"""A log of an older program is read completely: `old.ndjson` is frozen, as an earlier program might write it.

Its fight is the printed one, with 21 taken back, the attack of 6 amended and a note. Every kind of difference that a
format can have is in it; the steps below are what a program that knows it would bring along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mam_events import events
from mam_events.archive import export_ndjson, import_ndjson
from mam_events.commands import Attack, Move
from mam_events.errors import StoreUnusable
from mam_events.events import TYPES, UPCASTS, Amend, Correction, Note, Upcast, event_kind, is_head
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.state import Pools
from mam_events.store import build_events, decoders
from mam_events.verification import verify, verify_export
from projections.cache.encounters import encounters
from projections.rulings.audit import audit_text, audit_trail
from projections.rulings.frames import frames
from projections.rulings.log_lines import log_lines

OLD = Path(__file__).with_name("old.ndjson")
Fields = dict[str, Any]


def renamed(old: str, new: str, topic: str) -> Upcast:
    """Return the upcast that renames one field."""
    return Upcast(topic, lambda fields: {new if name == old else name: value for name, value in fields.items()})


def play_0(fields: Fields) -> Fields:
    command = fields["command"]
    if command["do"] == "attack":
        command["power"] = command.pop("strength", 0)
    if command["do"] == "open":
        command["house_rules"].pop("lucky_sevens", None)
    return fields | {"by": fields.pop("who")}


def correction_0(fields: Fields) -> Fields:
    for step in fields["steps"]:
        if step.get("do") == "attack" and "strength" in step["patch"]:
            step["patch"]["power"] = step["patch"].pop("strength")
    return fields | {"by": fields.pop("who")}


def opened_0(fields: Fields) -> Fields:
    fields["ruleset"]["readings"].pop("lucky_sevens", None)
    return fields


def inflicted_0(fields: Fields) -> Fields:
    for pools in (fields["drained"], fields["pools"]):
        pools["damage"] = pools.pop("wounds")
    return fields


STEPS = {
    "Play.0": Upcast("Play.1", play_0),
    "Correction.0": Upcast("Correction.1", correction_0),
    "Note.0": renamed("who", "by", "Note.1"),
    "RulingRejudged.0": renamed("found", "verdict", "RulingRejudged.1"),
    "EncounterOpened.0": Upcast("EncounterOpened.1", opened_0),
    "WoundInflicted.0": Upcast("WoundInflicted.1", inflicted_0),
    "PointsSpent.7": Upcast("HitPointsSpent.0", lambda fields: fields),
    "HitPointsSpent.0": renamed("for", "purpose", "HitPointsSpent.1"),
}


def forget() -> None:
    event_kind.cache_clear()
    is_head.cache_clear()
    for topic in STEPS:
        decoders().pop(topic, None)  # type: ignore[attr-defined]  # the mapping is a dict that fills itself


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Upcast]]:
    for topic, step in STEPS.items():
        monkeypatch.setitem(UPCASTS, topic, step)
    forget()
    yield UPCASTS
    forget()


@pytest.fixture
def log(steps: dict[str, Upcast]) -> Iterator[CombatLog]:
    """Yield a log into which the old one was imported."""
    with CombatLog.open("sqlite://") as opened_log:
        import_ndjson(opened_log, lines())
        assert steps.keys() >= STEPS.keys()
        yield opened_log


def lines() -> list[bytes]:
    return OLD.read_bytes().splitlines(keepends=True)


def test_the_old_log_has_every_kind_of_difference() -> None:
    topics = {json.loads(line).get("topic") for line in lines()[1:-1]}
    assert {*STEPS} - {"HitPointsSpent.0"} < topics, "the one that is missing stands between two others"


def test_an_old_log_is_verified_imported_and_exported_unchanged(log: CombatLog) -> None:
    assert verify_export(lines()) == verify(log.application.rows("fight"))
    assert list(export_ndjson(log, "fight")) == lines()


def test_the_old_log_is_read_correctly(log: CombatLog) -> None:
    timeline = log.timeline("fight")
    assert {n: (o.rejudged.verdict, o.rejudged_by) for n, o in outcomes(log).items() if o.rejudged} == {
        6: ("changed", 23),
        8: ("carried", 23),
        14: ("carried", 23),
        15: ("carried", 23),
    }
    amended = timeline.command(6)
    assert isinstance(amended, Attack)
    assert (amended.power, amended.modifier) == (3, 2)
    assert not timeline.lives(21)
    correction, note = timeline.heads[22:]
    assert isinstance(correction, Correction)
    assert isinstance(note, Note)
    assert correction.steps == (Amend(6, {"power": 3, "modifier": 2}, "attack"),)
    assert (correction.by, note.by, note.text) == ("Bob", "Bob", "it was only two metres")
    fight = log.at("fight")
    assert fight.combatants["modre"].pools == Pools(ready=1, defense=4, other_used=1, stun=0, damage=0)
    assert fight.combatants["clone"].pools == Pools(ready=3, defense=0, other_used=0, stun=1, damage=2)
    assert fight.ruleset
    assert "lucky_sevens" not in fight.ruleset.readings


def outcomes(log: CombatLog) -> dict[int, Any]:
    return {ruling.number: ruling for ruling in rulings(log.timeline("fight"))}


def test_every_view_shows_the_old_log(log: CombatLog) -> None:
    all_rulings = list(rulings(log.timeline("fight")))
    assert len(list(log_lines(all_rulings))) >= 24
    assert all(audit_text(entry) for entry in audit_trail(all_rulings))
    assert len(frames(all_rulings)) == 24
    assert [row.rulings for row in encounters(log).values()] == [24]


def test_the_old_fight_can_be_continued_and_corrected(log: CombatLog) -> None:
    log.redo("fight", 22)
    log.undo("fight", 23)
    log.correct("fight", [Amend(15, {"power": 2, "modifier": 1})])
    log.undo("fight")
    log.undo("fight", 21)
    log.execute("fight", Move("clone", points=2))
    assert verify(log.application.rows("fight")).rulings == 30
    second_log = CombatLog(log.application)
    assert second_log.timeline("fight").states == log.timeline("fight").states


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("topic", STEPS)
def test_a_missing_upcast_is_reported_and_not_as_an_alteration(monkeypatch: pytest.MonkeyPatch, topic: str) -> None:
    monkeypatch.delitem(UPCASTS, topic)
    forget()
    log = CombatLog.open("sqlite://")
    rows = [(at, json.loads(line)["topic"], line_state(line)) for at, line in enumerate(lines()[1:-1], start=1)]
    log.application.save(*build_events("fight", rows))
    readers: tuple[Callable[[], object], ...] = (
        lambda: verify(rows),
        lambda: verify_export(lines()),
        lambda: log.timeline("fight"),
        lambda: encounters(log),
    )
    for reader in readers:
        with pytest.raises(StoreUnusable, match="unknown kind"):
            reader()


def line_state(line: bytes) -> bytes:
    return bytes(msgspec.json.decode(line, type=dict[str, msgspec.Raw])["state"])


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("topic", STEPS)
def test_a_failing_upcast_is_reported_and_not_as_an_alteration(monkeypatch: pytest.MonkeyPatch, topic: str) -> None:
    def broken(fields: Fields) -> Fields:
        return {"nothing": fields["like this"]}

    monkeypatch.setitem(UPCASTS, topic, Upcast(STEPS[topic].topic, broken))
    forget()
    log = CombatLog.open("sqlite://")
    rows = [(at, json.loads(line)["topic"], line_state(line)) for at, line in enumerate(lines()[1:-1], start=1)]
    log.application.save(*build_events("fight", rows))
    with pytest.raises(StoreUnusable, match="cannot be read"):
        verify(rows)
    with pytest.raises(StoreUnusable, match="cannot be read"):
        log.timeline("fight")


def structs() -> dict[type, msgspec.inspect.StructType]:
    """Return every struct that an event holds, at any depth."""
    results: dict[type, msgspec.inspect.StructType] = {}

    def look(part: object) -> None:
        if isinstance(part, msgspec.inspect.StructType):
            if part.cls not in results:
                results[part.cls] = part
                for field in part.fields:
                    look(field.type)
        elif isinstance(part, msgspec.inspect.Type):
            for name in part.__struct_fields__:
                look(getattr(part, name))
        elif isinstance(part, tuple):
            for inner in part:
                look(inner)

    for kind in TYPES.values():
        look(msgspec.inspect.type_info(kind))
    return results


def test_no_struct_of_an_event_ignores_unknown_fields() -> None:
    kinds = structs()
    assert events.Amend in kinds
    assert Pools in kinds
    assert [kind.__qualname__ for kind, info in kinds.items() if not info.forbid_unknown_fields] == []


def test_every_upcast_leads_to_a_current_topic() -> None:
    for topic in UPCASTS:
        assert event_kind(topic).topic in TYPES
