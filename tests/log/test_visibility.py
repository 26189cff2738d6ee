"""Visibility: a hidden ruling is salted, sealed with the rest, and visible to those who may see all it concerns."""

from __future__ import annotations

import json
from hashlib import sha256

from mam_events.archive import export_ndjson
from mam_events.commands import (
    Adjust,
    Attack,
    BeginTurn,
    DeclaredOutcome,
    Defend,
    EstablishSurprise,
    Initiative,
    Join,
    Open,
    PoolMove,
    Resolve,
    Stalk,
    ThrowDie,
)
from mam_events.events import Amend, Note, RulingRejudged
from mam_events.history.timeline.entries import rows_until
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.store import decode
from mam_events.visibility import can_see, narrowest
from projections.visibility.redaction import Redactor

THERE = (Open(), Join("ana", hp=6), Join("bo", hp=6), Join("lurker", hp=6, visibility="gm"))


def hidden_fight(log: CombatLog) -> None:
    for command in (
        *THERE,
        Initiative(first="ana", reason="she is loud"),
        BeginTurn("ana"),
        Attack("ana", "bo", modifier=1),
        Resolve(7, 3, 4),
        Attack("ana", "lurker", modifier=1),
        Resolve(9, 3, 4),
    ):
        log.execute("fight", command)


def test_a_ruling_about_a_hidden_combatant_is_hidden(log: CombatLog) -> None:
    hidden_fight(log)
    visibilities = {head.ruling: head.visibility for head in log.timeline("fight").heads}
    assert visibilities == {n: "gm" if n in (4, 5, 9, 10) else "public" for n in range(1, 11)}
    salted = {head.ruling for head in log.timeline("fight").heads if head.salt}
    assert salted == {4, 5, 9, 10}


def test_a_text_that_is_exactly_a_hidden_name_hides_its_ruling(log: CombatLog) -> None:
    log.execute_all("fight", [Open(), Join("ana", hp=6), Join("zqx", name="Zqx of the Fen", hp=6, visibility="gm")])
    for text in ("zqx", "ZQX", "Zqx of the Fen", "zqx of the fen"):
        assert log.execute("fight", Adjust(text)).head.visibility == "gm", text
    # A text that only mentions the name is redacted when it is read.
    assert log.execute("fight", Adjust("for Zqx of the Fen")).head.visibility == "public"


def test_a_late_join_is_hidden_if_the_order_names_somebody_hidden(log: CombatLog) -> None:
    hidden_fight(log)
    assert log.execute("fight", Join("late", hp=3)).head.visibility == "gm"
    log.execute_all("other", [Open(), Join("lurker", hp=6, visibility="gm")])
    assert log.execute("other", Join("ana", hp=6)).head.visibility == "public", "there is no order yet"


def test_a_correction_of_the_order_is_hidden_if_somebody_hidden_joined(log: CombatLog) -> None:
    for command in (Open(), Join("ana", hp=6), Join("bo", hp=6), Initiative(first="ana", reason="quick")):
        log.execute("fight", command)
    for fighter in (Join("cy", hp=6), Join("lurker", hp=6, visibility="gm")):
        log.execute("fight", fighter)
    assert log.correct("fight", [Amend(4, {"first": "bo"})]).head.visibility == "gm"
    assert log.correct("fight", [Amend(5, {"hp": 7})]).head.visibility == "gm"


def test_surprise_by_a_hidden_stalker_is_hidden(log: CombatLog) -> None:
    for command in (
        Open("mam_speed"),
        Join("ana", side="heroes", hp=6),
        Join("bo", side="foes", hp=6),
        Join("lurker", side="foes", hp=6, visibility="gm"),
        Stalk("lurker", "ana", die=1),
    ):
        log.execute("fight", command)
    assert log.execute("fight", EstablishSurprise()).head.visibility == "gm"


def test_a_declared_outcome_of_a_hidden_exchange_is_hidden(log: CombatLog) -> None:
    for command in (
        *THERE,
        Initiative(first="lurker", reason="it waits"),
        BeginTurn("lurker"),
        Attack("lurker", "ana", modifier=1),
    ):
        log.execute("fight", command)
    moved = Adjust("he stumbles", (PoolMove("bo", "ready", "other_used", 1),))
    assert log.execute("fight", moved).head.visibility == "public"
    assert log.execute("fight", Adjust("the lamp goes out", outcome=DeclaredOutcome(7, "fail"))).head.visibility == "gm"


def test_a_rejudged_hidden_ruling_is_hidden(log: CombatLog) -> None:
    hidden_fight(log)
    log.undo("fight", 2, only=True, by="Ana")
    rejudgements = [
        event
        for event in (decode(topic, state) for _, topic, state in log.application.rows("fight"))
        if isinstance(event, RulingRejudged)
    ]
    assert {event.ruling: event.visibility for event in rejudgements if event.ruling in (7, 9)} == {7: "gm", 9: "gm"}, (
        "why 7 is void names everybody who is known, the lurker too"
    )
    assert all(bool(event.salt) == (event.visibility != "public") for event in rejudgements)


def test_a_note_about_a_hidden_ruling_is_hidden(log: CombatLog) -> None:
    hidden_fight(log)
    head = log.note("fight", "it was behind the door", about=9).head
    assert isinstance(head, Note)
    assert head.visibility == "gm"
    assert log.note("fight", "loud", about=7).head.visibility == "public"


def test_the_game_master_sees_everything_and_a_side_its_own() -> None:
    assert can_see("gm", "side:foes")
    assert can_see("side:foes", "side:foes")
    assert not can_see("side:foes", "side:heroes")
    assert not can_see("public", "gm")
    assert narrowest("public", "side:foes") == "side:foes"
    assert narrowest("side:heroes", "side:foes") == "gm"


def public_export(log: CombatLog) -> bytes:
    """Return the public export, which must contain no hidden name."""
    return b"".join(export_ndjson(log, "fight", view="public"))


def test_no_correction_reveals_a_hidden_combatant_in_an_older_ruling(log: CombatLog) -> None:
    hidden_fight(log)
    log.correct("fight", [Amend(7, {"target": "lurker"})])
    log.execute("fight", Join("late", hp=3))
    log.execute("fight", Join("ghost", hp=3, visibility="gm"), after=3)
    assert b"lurker" not in public_export(log)
    assert b"ghost" not in public_export(log)
    assert b'"bo"' in public_export(log)


def test_the_chain_can_be_computed_as_the_manual_says(log: CombatLog) -> None:
    hidden_fight(log)
    log.undo("fight", 2, only=True)
    log.note("fight", "it howls", visibility="gm")

    def framed(part: bytes) -> bytes:
        return len(part).to_bytes(4, "big") + part

    def part(rows: list[tuple[int, str, bytes]]) -> bytes:
        salt = bytes.fromhex(json.loads(rows[0][2]).get("salt", ""))
        covered = framed(salt) + b"".join(framed(topic.encode()) + framed(state) for _, topic, state in rows)
        return sha256(covered).digest()

    def hash_of(ruling: list[tuple[int, str, bytes]]) -> bytes:
        (version, topic, state), *events = ruling
        fields = json.loads(state)
        blinding = fields.get("blinding", "")
        # The rows as they were before they were sealed.
        state = state.replace(fields["seal"].encode(), b"", 1).replace(f',"blinding":"{blinding}"'.encode(), b"")
        if not blinding:
            return part([(version, topic, state), *events])
        starts = [at for at, row in enumerate(events) if row[1] in ("RulingMended.1", "RulingRejudged.1")]
        ends = [*starts[1:], len(events)]
        outcomes = [events[start:end] for start, end in zip(starts, ends, strict=True)]
        parts = [(json.loads(one[0][2]).get("visibility", "public"), part(one)) for one in outcomes]
        views = {"public", *(view for view, _ in parts)} - {"gm"}
        slots = [
            sha256(b"seen" + b"".join(one for to, one in parts if to in ("public", view))).digest() for view in views
        ]
        slots.append(sha256(b"all " + bytes.fromhex(blinding) + b"".join(one for _, one in parts)).digest())
        missing = range(-len(slots) % 8)
        slots += [sha256(b"none" + bytes.fromhex(blinding) + at.to_bytes(4, "big")).digest() for at in missing]
        own = part([(version, topic, state), *events[: starts[0] if starts else None]])
        return sha256(b"both" + own + b"".join(sorted(slots))).digest()

    timeline, rows = log.timeline("fight"), log.application.rows("fight")
    digest, start = sha256(b"mam-events").digest(), 0
    for head in timeline.heads:
        own = rows_until(rows, head.ruling)[start:]
        start += len(own)
        digest = sha256(digest + hash_of(own)).digest()
        assert head.seal == digest.hex()
    assert timeline.seal == digest.hex()


def test_an_amendment_is_as_hidden_as_its_ruling(log: CombatLog) -> None:
    log.execute_all(
        "fight", [Open(), Join("rook", hp=6), Join("xw", hp=6, visibility="gm"), Initiative(first="rook", reason="x")]
    )
    assert log.correct("fight", [Amend(2, {"hp": 7})]).head.visibility == "public"
    assert log.correct("fight", [Amend(4, {"first": "xw"})]).head.visibility == "gm"
    assert log.correct("fight", [Amend(2, {"name": "xw"})]).head.visibility == "gm"


def attacked(log: CombatLog, visibility: str) -> None:
    """Play a fight in which Ana's attack (6) misses Bo (7)."""
    for command in (
        *(Open(), Join("ana", side="anas", hp=6), Join("bo", side="bos", hp=6), Initiative(first="ana", reason="so")),
        *(BeginTurn("ana"), Attack("ana", "bo", power=1, visibility=visibility), Resolve(6, 3, 3)),
    ):
        log.execute("fight", command)


def test_a_hidden_insert_hides_the_resolution_of_its_exchange(log: CombatLog) -> None:
    """MAM-POOL-03: the resolution would reveal the points in the defense pool."""
    attacked(log, "public")
    answer = log.execute("fight", Defend("bo", 6, 2, visibility="gm"), after=6)
    rows = [decode(topic, state) for _, topic, state, *_ in log.application.rows("fight")]
    (rejudgement,) = (event for event in rows if isinstance(event, RulingRejudged))
    assert (rejudgement.ruling, answer.head.visibility, rejudgement.visibility) == (7, "gm", "gm")
    all_rulings = list(rulings(log.timeline("fight")))
    screens = [Redactor(view, all_rulings) for view in ("gm", "public")]
    visible_numbers = [[ruling.number for ruling in all_rulings if redactor.shows(ruling)] for redactor in screens]
    assert visible_numbers == [[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6]]


def test_an_insert_into_a_hidden_exchange_is_hidden(log: CombatLog) -> None:
    attacked(log, "side:anas")
    assert log.execute("fight", Defend("bo", 6, 2), after=6).head.visibility == "side:anas"


def test_an_undone_hidden_ruling_no_longer_hides_its_exchange() -> None:
    fight = CombatLog.open("sqlite://")
    for command in (Open(), Join("ana", hp=9), Join("bo", hp=9), Initiative(first="ana", reason="x"), BeginTurn("ana")):
        fight.execute("fight", command)
    attack = fight.execute("fight", Attack("ana", "bo", power=1)).number
    fight.execute("fight", Resolve(attack, attack_die=3, defense_die=4, visibility="gm"))
    fight.undo("fight")
    assert fight.execute("fight", ThrowDie("bo", attack, die=4, roll="defense")).head.visibility == "public"
    assert fight.execute("fight", Resolve(attack, attack_die=3)).head.visibility == "public"
