from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.archive import ImportReport, export_ndjson, import_ndjson
from mam_events.commands import Attack, Check, Close, Join, Open, Resolve
from mam_events.errors import BadInput, NotFound, Refused, StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.fights import play, read_fight
from mam_events.history.timeline.command_ids import NTH
from mam_events.log.combat_log import CombatLog
from mam_events.log.idempotency import digest, typed_as
from mam_events.notation.submit import give_line
from mam_events.store import build_events
from mam_events.verification import verify, verify_export, verify_read
from mam_events.verification.export_format import read_lines, written_end
from mam_events.visibility import can_see
from tests.archive.export_changes import export_of_rows, replace_fields
from tests.fights.corpus import SEEDS, Corpus
from tests.verification.forge import edited, printed_fight, resealed, version_of


@given(SEEDS)
def test_an_imported_fight_equals_the_original_byte_for_byte(corpus: Corpus, seed: int) -> None:
    log, encounter = corpus(seed)
    lines = list(export_ndjson(log, encounter))
    other = CombatLog.open("sqlite://")
    assert import_ndjson(other, lines).encounter == encounter
    assert import_ndjson(other, lines, "again").encounter == "again"
    assert other.application.rows(encounter) == other.application.rows("again") == log.application.rows(encounter)
    assert list(export_ndjson(other, encounter)) == lines
    assert other.at(encounter) == log.at(encounter)
    assert verify_export(lines) == verify(log.application.rows(encounter))


def test_a_dispute_of_a_ruling_hidden_later_is_not_exported(log: CombatLog) -> None:
    log.note("fight", "a zebra was there", kind="dispute", about=3, by="Ana")
    log.note("fight", "no zebra", kind="answer", about=24, by="Bob")
    log.note("fight", "", kind="decision", about=24, by="Ana")
    assert b"zebra" in b"".join(export_ndjson(log, "fight", view="public"))
    log.correct("fight", [Amend(3, {"visibility": "gm"})])
    lines = list(export_ndjson(log, "fight", view="public"))
    assert b"zebra" not in b"".join(lines)
    assert verify_export(lines).rulings == 27


def test_an_export_is_one_json_object_per_line(log: CombatLog, lines: list[bytes]) -> None:
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    first, *rows, last = [json.loads(line) for line in lines]
    seal = log.timeline("fight").seal
    assert first == {
        "mam": "export",
        "format": 1,
        "encounter": "fight",
        "rulings": 23,
        "rows": len(rows),
        "seal": seal,
    }
    assert last == {"end": len(rows), "seal": seal}
    stored = log.application.rows("fight")
    assert [(row["topic"], row["state"]) for row in rows] == [(topic, json.loads(state)) for _, topic, state in stored]
    assert [row["ruling"] for row in rows if "ruling" in row] == list(range(1, 24))
    assert all(state in line for line, (_, _, state) in zip(lines[1:], stored, strict=False))


def test_an_imported_fight_continues_with_thrown_dice(log: CombatLog, other: CombatLog) -> None:
    import_ndjson(other, export_ndjson(log, "fight"))
    assert other.application.seeds.get("fight") is None
    assert other.execute("fight", Attack("clone", "modre", modifier=1)).number == 24
    answer = other.execute("fight", Resolve(24, attack_die=1, defense_die=6))
    assert verify(other.application.rows("fight")).rulings == answer.number == 25
    assert other.application.seeds.get("fight") is None, "thrown dice need none"


def test_the_seed_is_exported_only_after_the_encounter_is_closed() -> None:
    log = CombatLog.open("sqlite://")
    play(log, read_fight("combatants = [{ id = 'a', hp = 3 }]"), "fight")
    secret = log.application.seeds.get("fight")
    assert secret
    seed, never = secret[:32], secret[32:]
    assert seed.hex().encode() not in b"".join(export_ndjson(log, "fight"))
    log.execute("fight", Close())
    content = b"".join(export_ndjson(log, "fight"))
    assert seed.hex().encode() in content
    assert never.hex().encode() not in content


def test_importing_the_same_export_twice_changes_nothing(other: CombatLog, lines: list[bytes]) -> None:
    first = import_ndjson(other, lines)
    newest = other.application.recorder.max_notification_id()
    assert import_ndjson(other, lines) == ImportReport("fight", first.rulings, first.rows, repeated=True)
    assert other.application.recorder.max_notification_id() == newest


def test_an_import_never_changes_another_fight_of_the_same_name(other: CombatLog, lines: list[bytes]) -> None:
    printed_fight(other)
    before = other.application.rows("fight")
    with pytest.raises(Refused, match="Give the import another id") as error:
        import_ndjson(other, lines)
    assert error.value.code == "encounter_exists"
    assert other.application.rows("fight") == before
    assert import_ndjson(other, lines, "another").rulings == 23


def test_an_invalid_encounter_name_is_refused(other: CombatLog, lines: list[bytes]) -> None:
    with pytest.raises(BadInput, match="Give the import another id"):
        import_ndjson(other, lines, "The Fight")
    with pytest.raises(BadInput, match="Give the import another id"):
        import_ndjson(other, replace_fields(lines, 0, encounter="../x"))
    assert other.encounters() == []


def test_an_unknown_encounter_or_view_cannot_be_exported(log: CombatLog) -> None:
    with pytest.raises(NotFound):
        export_ndjson(log, "nowhere")
    with pytest.raises(BadInput, match="view"):
        export_ndjson(log, "fight", view="everybody")


def test_rows_that_cannot_be_restored_exactly_are_not_exported(log: CombatLog) -> None:
    rows = log.application.rows("fight")
    at = version_of(rows, 10, "TurnStarted") - 1
    for state in (b'{"combatant":\n"clone"}', b'{"combatant":"clone"} '):
        strange_rows = resealed([*rows[:at], (0, "TurnStarted.1", state), *rows[at + 1 :]])
        name = f"strange-{len(log.encounters())}"
        log.application.save(*build_events(name, strange_rows))
        with pytest.raises(StoreUnusable, match="not written as this program writes"):
            list(export_ndjson(log, name))


def test_a_simultaneous_import_of_the_same_export_succeeds(
    other: CombatLog, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = other.application.save

    def meanwhile(*events: Any, **options: Any) -> Sequence[int]:
        save(*events)
        return save(*events, **options)

    monkeypatch.setattr(other.application, "save", meanwhile)
    assert import_ndjson(other, lines).repeated


SECRET = """
    combatants = [
        { id = "hero", side = "heroes", hp = 6, body = { reach = 1 } },
        { id = "ambusher", name = "the knife in the dark", side = "foes", hp = 6, visibility = "side:foes" },
    ]
    commands = [
        { do = "initiative", first = "hero", reason = "so be it", visibility = "gm" },
        { do = "begin-turn", combatant = "hero" },
        { do = "note", text = "they do not see him", visibility = "gm" },
        { do = "move", combatant = "hero", points = 1 },
        { do = "end-turn", combatant = "hero" },
    ]
"""


@pytest.fixture
def ambush_log() -> CombatLog:
    log = CombatLog.open("sqlite://")
    play(log, read_fight(SECRET), "ambush")
    return log


@pytest.mark.parametrize(
    ("view", "rulings"), [("public", (3, 4, 6)), ("side:foes", (4, 6)), ("side:heroes", (3, 4, 6))]
)
def test_a_hidden_ruling_is_exported_as_hashes_that_verify(
    ambush_log: CombatLog, view: str, rulings: tuple[int, ...]
) -> None:
    lines = list(export_ndjson(ambush_log, "ambush", view=view))
    rows = [json.loads(line) for line in lines[1:-1]]
    assert tuple(row["ruling"] for row in rows if "hash" in row and "ruling" in row) == rulings
    text = b"".join(lines)
    assert (b"the knife in the dark" in text) == (view == "side:foes")
    assert b"they do not see him" not in text
    verification = verify_export(lines)
    assert (verification.rulings, verification.hidden) == (8, sum(1 for row in rows if "hash" in row))
    assert verification.seal == ambush_log.timeline("ambush").seal


@pytest.mark.parametrize("hidden", [0, 1, 3, 12])
def test_an_export_does_not_reveal_how_many_hidden_rulings_were_rejudged(hidden: int) -> None:
    def shapes(checks: int) -> list[tuple[str, int]]:
        log = CombatLog.open("sqlite://", entropy=Random(1).randbytes, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
        log.execute_all("mill", [Open("mam_pools"), Join("ana", hp=9), Join("bo", hp=9)])
        for at in range(12):
            if at < checks:
                log.execute("mill", Check("bo", "easy", die=4, visibility="gm"))
            else:
                log.note("mill", "x", visibility="gm")
        log.undo("mill", 3, only=True)
        rows = [row for row in log.application.rows("mill") if row[1] == "RulingRejudged.1"]
        assert len(rows) >= checks
        lines = list(export_ndjson(log, "mill", view="public"))
        verification = verify_export(lines)
        assert (verification.rulings, verification.hidden) == (16, 12)
        return [(str(list(json.loads(line))), len(line)) for line in lines]

    assert shapes(hidden) == shapes(6)


def test_each_view_can_verify_its_own_outcomes_of_a_correction() -> None:
    log = CombatLog.open("sqlite://")
    log.execute("mill", Open("mam_pools"))
    for side in ("reds", "blues"):
        log.execute("mill", Join(side[:-1], hp=9, side=side))
    for visibility in ("public", "gm", "side:reds", "side:blues", "side:reds"):
        log.execute("mill", Check("red", "easy", die=4, visibility=visibility))
    log.undo("mill", 2, only=True)
    rejudgements = [json.loads(row[2]) for row in log.application.rows("mill") if row[1] == "RulingRejudged.1"]
    seers = [fields.get("visibility", "public") for fields in rejudgements]
    assert set(seers) == {"public", "gm", "side:reds", "side:blues"}
    for view in ("public", "side:reds", "side:blues", "side:greens", "gm"):
        version = sum(can_see(view, seer) for seer in seers)
        lines = list(export_ndjson(log, "mill", view=view))
        assert verify_export(lines).seal == log.timeline("mill").seal
        assert sum(b'"topic":"RulingRejudged.1"' in line for line in lines) == version
        rest = [json.loads(line)["rest"] for line in lines if b'"rest"' in line]
        assert [len(one) for one in rest] == ([] if view == "gm" else [7])
        for at in (at for at, line in enumerate(lines) if b'"topic":"RulingRejudged.1"' in line):
            fewer_lines = replace_fields([*lines[:at], *lines[at + 1 :]], 0, rows=len(lines) - 3)
            forged_lines = [*fewer_lines[:-1], written_end(len(lines) - 3, log.timeline("mill").seal)]
            with pytest.raises(VerificationFailed, match="Ruling 9 was altered"):
                verify_export(forged_lines)


@given(SEEDS, st.sampled_from(("public", "side:reds", "side:blues")))
def test_a_partial_export_verifies_and_reveals_nothing_hidden(corpus: Corpus, seed: int, view: str) -> None:
    log, encounter = corpus(seed)
    lines = list(export_ndjson(log, encounter, view=view))
    verification = verify(log.application.rows(encounter))
    partial_verification = verify_read(read_lines(lines, "export"), seals=[verification.seal])
    assert (partial_verification.rulings, partial_verification.seal) == (verification.rulings, verification.seal)
    assert partial_verification.rows + partial_verification.hidden <= verification.rows
    for name, combatant in log.at(encounter).combatants.items():
        if combatant.visibility not in ("public", view):
            assert f'"combatant":{{"id":"{name}"'.encode() not in b"".join(lines)
    if partial_verification.hidden:
        with pytest.raises(Refused) as error:
            import_ndjson(CombatLog.open("sqlite://"), lines)
        assert error.value.code == "partial_export"


def test_a_partial_export_can_never_be_imported(log: CombatLog, other: CombatLog) -> None:
    for export in (export_ndjson(log, "fight", view="public"), export_ndjson(log, "fight", view="side:heroes")):
        with pytest.raises(Refused, match="can be imported") as error:
            import_ndjson(other, export)
        assert error.value.code == "partial_export"


def test_an_alteration_is_found_in_a_partial_export(ambush_log: CombatLog) -> None:
    lines = list(export_ndjson(ambush_log, "ambush", view="public"))
    at = next(at for at, line in enumerate(lines) if b'"CombatantMoved' in line)
    moved_lines = [*lines[:at], lines[at].replace(b'"metres":"1"', b'"metres":"9"'), *lines[at + 1 :]]
    with pytest.raises(VerificationFailed, match=r"Ruling 7 was altered"):
        verify_export(moved_lines)
    at = next(at for at, line in enumerate(lines) if b'"hash"' in line)
    hidden = [*lines[:at], *replace_fields(lines, at, hash="0" * 64)[at : at + 1], *lines[at + 1 :]]
    with pytest.raises(VerificationFailed, match=r"Ruling 3 was altered after it was sealed\."):
        verify_export(hidden)


@pytest.mark.parametrize(
    ("topic", "edit", "text"),
    [
        ("CombatantJoined", lambda event: event["combatant"].update(name="Modre\x1b]0;x\x07"), "control characters"),
        ("InitiativeEstablished", lambda event: event["order"].append("ghost"), "not in the fight"),
    ],
)
def test_a_resealed_forgery_that_breaks_the_rules_of_the_log_is_refused(
    log: CombatLog, topic: str, edit: Callable[[dict[str, Any]], object], text: str
) -> None:
    rows = printed_fight(log, "printed")
    version = next(row[0] for row in rows if row[1].startswith(topic))
    with pytest.raises(VerificationFailed, match=text):
        import_ndjson(log, export_of_rows(resealed(edited(rows, version, edit))), "fight-2")
    assert log.encounters() == ["fight", "printed"]


def export_after_more_rulings(log: CombatLog) -> list[bytes]:
    """Continue the fight and return its new export."""
    log.note("fight", "It went on.")
    log.undo("fight", 17)
    log.note("fight", "And on.", visibility="gm")
    return list(export_ndjson(log, "fight"))


def test_an_import_appends_the_new_rulings_of_a_continued_fight(
    log: CombatLog, other: CombatLog, lines: list[bytes]
) -> None:
    assert import_ndjson(other, lines) == ImportReport("fight", 23, len(lines) - 2, added=23)
    later_lines = export_after_more_rulings(log)
    assert import_ndjson(other, later_lines) == ImportReport("fight", 26, len(later_lines) - 2, added=3)
    assert other.application.rows("fight") == log.application.rows("fight")
    assert other.timeline("fight").states == log.timeline("fight").states
    assert import_ndjson(other, later_lines) == ImportReport("fight", 26, len(later_lines) - 2, repeated=True)
    assert import_ndjson(other, lines) == ImportReport("fight", 23, len(lines) - 2, repeated=True)
    assert other.timeline("fight").number == 26


def test_an_import_that_diverged_is_refused_and_writes_nothing(
    log: CombatLog, other: CombatLog, lines: list[bytes]
) -> None:
    import_ndjson(other, lines)
    other.note("fight", "Another story.")
    before = other.application.rows("fight")
    with pytest.raises(Refused, match="same fight up to ruling 23 but differs from ruling 24 on") as refusal:
        import_ndjson(other, export_after_more_rulings(log))
    assert refusal.value.code == "diverged"
    with pytest.raises(Refused, match="same fight up to ruling 23"):
        import_ndjson(log, list(export_ndjson(other, "fight")))
    assert other.application.rows("fight") == before
    assert import_ndjson(other, list(export_ndjson(log, "fight")), "another").added == 26


def test_an_import_detects_rulings_written_meanwhile(
    log: CombatLog, other: CombatLog, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    import_ndjson(other, lines)
    later_lines = export_after_more_rulings(log)
    save = other.application.save

    def interrupted(*events: Any, **options: Any) -> Sequence[int]:
        monkeypatch.undo()
        assert import_ndjson(other, later_lines).added == 3
        return save(*events, **options)

    monkeypatch.setattr(other.application, "save", interrupted)
    assert import_ndjson(other, later_lines).repeated


def test_a_partly_hidden_line_does_not_reveal_its_hidden_part() -> None:
    line = 'lurker: check "poison" difficulty=3 [{}]; note the wind howls'
    log = CombatLog.open("sqlite://")
    log.execute_all("mill", [Open("mam_pools"), Join("lurker", hp=6, visibility="gm")])
    numbers = [answer.number for answer in give_line(log, "mill", line.format(5)).answers]
    public_rows = [json.loads(line) for line in export_ndjson(log, "mill", view="public")]
    (note,) = (row["state"] for row in public_rows if row.get("topic") == "Note.1")
    assert (note["ruling"], note["text"]) == (numbers[1], "the wind howls")
    ids = {note["id"], NTH.sub("", note["id"])}
    assert note["body"] not in {digest(typed_as(line.format(face), one)) for face in range(1, 7) for one in ids}
    assert log.timeline("mill").head(numbers[0]).body == note["body"]


def test_command_ids_of_old_logs_are_recognized(log: CombatLog) -> None:
    timeline = log.timeline("fight").copy()
    timeline.ids["given-as-it-was"] = (3, "hash")
    assert timeline.head_with_id("given-as-it-was") == timeline.head(3)
