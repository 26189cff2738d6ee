"""Visibility: a hidden ruling is salted, sealed with the rest, and narrowed to whoever may see all it concerns."""

from __future__ import annotations

import json
from hashlib import sha256

from mam_events.archive import export_ndjson
from mam_events.commands import Attack, BeginTurn, Initiative, Join, Open, Resolve
from mam_events.encounter.seal import FIRST_SEAL, next_seal
from mam_events.encounter.timeline import until
from mam_events.events import Amend, Note, RulingRejudged
from mam_events.log import CombatLog
from mam_events.store import decode, decoders
from mam_events.visibility import can_see, narrowest


def hidden_fight(log: CombatLog) -> None:
    for command in (
        Open(),
        Join("ana", hp=6),
        Join("bo", hp=6),
        Join("lurker", hp=6, visibility="gm"),
        Initiative(first="ana", reason="she is loud"),
        BeginTurn("ana"),
        Attack("ana", "bo", modifier=1),
        Resolve(7, 3, 4),
        Attack("ana", "lurker", modifier=1),
        Resolve(9, 3, 4),
    ):
        log.execute("fight", command)


def test_whatever_concerns_a_hidden_combatant_is_hidden_with_it(log: CombatLog) -> None:
    hidden_fight(log)
    seen = {head.ruling: head.visibility for head in log.timeline("fight").heads}
    assert seen == {n: "gm" if n in (4, 5, 9, 10) else "public" for n in range(1, 11)}
    salted = {head.ruling for head in log.timeline("fight").heads if head.salt}
    assert salted == {4, 5, 9, 10}


def test_the_seal_of_each_ruling_is_the_hash_of_all_before_it_salts_included(log: CombatLog) -> None:
    hidden_fight(log)
    log.undo("fight", 2, only=True)
    timeline = log.timeline("fight")
    rows = log.store.read("fight")
    seal = FIRST_SEAL
    for head in timeline.heads:
        assert head.seal == seal
        start = len(until(rows, head.ruling - 1)) if head.ruling > 1 else 0
        own = until(rows, head.ruling)[start:]
        seal = next_seal(seal, own, head, decoders())
    assert timeline.seal == seal


def test_what_a_correction_says_of_a_hidden_ruling_is_hidden_too(log: CombatLog) -> None:
    hidden_fight(log)
    log.undo("fight", 2, only=True, by="Ana")
    rejudged = [
        event
        for event in (decode(topic, state) for _, topic, state in log.store.read("fight"))
        if isinstance(event, RulingRejudged)
    ]
    assert {event.ruling: event.visibility for event in rejudged if event.ruling in (7, 9)} == {7: "gm", 9: "gm"}, (
        "why 7 is void names everybody who is known, the lurker too"
    )
    assert all(bool(event.salt) == (event.visibility != "public") for event in rejudged)


def test_a_note_about_a_hidden_ruling_is_hidden_as_well(log: CombatLog) -> None:
    hidden_fight(log)
    head = log.note("fight", "it was behind the door", about=9).head
    assert isinstance(head, Note)
    assert head.visibility == "gm"
    assert log.note("fight", "loud", about=7).head.visibility == "public"


def test_the_game_master_sees_all_and_a_side_its_own() -> None:
    assert can_see("gm", "side:foes")
    assert can_see("side:foes", "side:foes")
    assert not can_see("side:foes", "side:heroes")
    assert not can_see("public", "gm")
    assert narrowest("public", "side:foes") == "side:foes"
    assert narrowest("side:heroes", "side:foes") == "gm"


def hidden_rows(log: CombatLog) -> bytes:
    """The export that the public gets: what it must not find a hidden name in."""
    return b"".join(export_ndjson(log, "fight", view="public"))


def test_no_correction_shows_a_hidden_combatant_in_an_older_public_ruling(log: CombatLog) -> None:
    hidden_fight(log)
    log.correct("fight", [Amend(7, {"target": "lurker"})])
    log.execute("fight", Join("late", hp=3))
    log.execute("fight", Join("ghost", hp=3, visibility="gm"), after=3)
    assert b"lurker" not in hidden_rows(log)
    assert b"ghost" not in hidden_rows(log)
    assert b'"bo"' in hidden_rows(log)


def test_the_chain_can_be_computed_from_what_the_manual_says_alone(log: CombatLog) -> None:
    for command in (Open(), Join("ana", hp=6), Join("wolf", hp=3, visibility="gm")):
        log.execute("fight", command)
    log.note("fight", "it howls", visibility="gm")

    def framed(part: bytes) -> bytes:
        return len(part).to_bytes(4, "big") + part

    seal, salt, pending = sha256(b"mam-events"), b"", b""
    for version, topic, state in log.store.read("fight"):
        fields = json.loads(state)
        if topic in {"Play.1", "Note.1"}:
            if pending:
                seal = sha256(seal.digest() + pending)
            assert fields["seal"] == seal.hexdigest()
            salt, pending = bytes.fromhex(fields.get("salt", "")), b""
        row = b"".join(map(framed, (str(version).encode(), topic.encode(), state)))
        if salt:
            row += framed(sha256(salt + str(version).encode()).digest()[:16])
        pending += sha256(row).digest()
    assert sha256(seal.digest() + pending).hexdigest() == log.timeline("fight").seal
