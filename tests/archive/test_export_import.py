from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.archive import ImportReport, export_ndjson, import_ndjson
from mam_events.commands import Attack, Check, Close, Join, Open, Resolve
from mam_events.errors import BadInput, MamError, NotFound, Refused, StoreUnusable, VerificationFailed
from mam_events.events import Amend
from mam_events.fights import play, read_fight
from mam_events.history.timeline.command_ids import NTH
from mam_events.log.combat_log import CombatLog
from mam_events.log.idempotency import digest, typed_as
from mam_events.notation.submit import give_line
from mam_events.store import build_events
from mam_events.verification import verify, verify_export, verify_read
from mam_events.verification.export_format import Header, read_lines, written_end, written_header, written_row
from mam_events.verification.seal_chain import chain, parts_of, with_ruling_numbers
from mam_events.visibility import can_see
from tests.fights.corpus import SEEDS, Corpus
from tests.fights.tables import play_random_fight
from tests.verification.forge import edited, printed_fight, resealed, set_to, version_of


@pytest.fixture
def log(log: CombatLog) -> CombatLog:
    """Play the printed fight in the log."""
    printed_fight(log)
    return log


@pytest.fixture
def other(tmp_path: Path) -> Iterator[CombatLog]:
    with CombatLog.open(tmp_path / "other.mam") as log:
        yield log


@pytest.fixture
def lines(log: CombatLog) -> list[bytes]:
    return list(export_ndjson(log, "fight"))


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
        import_ndjson(other, changed(lines, 0, encounter="../x"))
    assert other.encounters() == []


def test_an_export_cut_short_anywhere_is_refused(other: CombatLog, lines: list[bytes]) -> None:
    content = b"".join(lines)
    random = Random(1)
    cuts = {0, 1, len(lines[0]) // 2, *random.sample(range(len(content) - 1), 150)}
    ends = [len(b"".join(lines[:number])) for number in range(len(lines))]
    for cut in sorted(cuts | {end + step for end in ends for step in (-1, 0, 1) if end + step >= 0}):
        part = content[:cut].splitlines(keepends=True)
        with pytest.raises(BadInput) as error:
            import_ndjson(other, part, name="half.ndjson")
        if cut < len(lines[0]) - 1:
            assert "not an export" in error.value.sentence.lower()
        else:
            assert "cut off" in error.value.sentence
            assert error.value.place == f"half.ndjson:{len(part)}"
    assert other.encounters() == []
    assert import_ndjson(other, content.splitlines()).rulings == 23


@given(st.integers(0, 2**32))
def test_a_changed_byte_never_changes_an_imported_fight(seed: int) -> None:
    random = Random(seed)
    log, encounter = play_random_fight(random, steps=12)
    content = bytearray(b"".join(export_ndjson(log, encounter)))
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    other = CombatLog.open("sqlite://")
    if isinstance(imported := try_import(other, bytes(content)), ImportReport):
        # The seals don't cover the form of the lines or the name in the first line.
        assert other.application.rows(imported.encounter) == log.application.rows(encounter)
    else:
        assert other.encounters() == []


def try_import(log: CombatLog, export: bytes) -> ImportReport | MamError:
    """Import an export and return the report or the error."""
    try:
        return import_ndjson(log, export.splitlines(keepends=True))
    except MamError as error:
        return error


def changed(lines: list[bytes], number: int, **fields: Any) -> list[bytes]:
    """Return the lines with some fields of line `number` replaced."""
    line = json.dumps(json.loads(lines[number]) | fields, separators=(",", ":")).encode() + b"\n"
    return [*lines[:number], line, *lines[number + 1 :]] if number >= 0 else [*lines[:number], line]


@pytest.mark.parametrize(
    ("forge", "kind", "sentence"),
    [
        (lambda _: [], BadInput, "x: This is not an export"),
        (lambda _: [b"\n", b"\r\n"], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: lines[1:], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: [b"PK\x03\x04\xff", *lines], BadInput, "x:1: This is not an export of mam-events"),
        (lambda _: [b"[" * 100_000], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: changed(lines, 0, format=2), StoreUnusable, "format 2, which a newer mam-events wrote"),
        (lambda lines: changed(lines, 0, format="x"), BadInput, "x:1: There is no export format 'x'"),
        (lambda lines: changed(lines, 0, rows="many"), BadInput, "x:1: This is not a line of an export"),
        (lambda lines: changed(lines, 0, rows=7), BadInput, "should have 7 by its first line and"),
        (lambda lines: changed(lines, -1, end=7), BadInput, "and 7 by its last"),
        (lambda lines: changed(lines, 0, rulings=7), VerificationFailed, "x has 23 rulings, but its first line says 7"),
        (lambda lines: changed(lines, 0, seal="0" * 64), VerificationFailed, "do not have the seal of its last ruling"),
        (
            lambda lines: changed(lines, -1, seal="0" * 64),
            VerificationFailed,
            "do not have the seal of its last ruling",
        ),
        (lambda lines: [*lines, lines[-1]], BadInput, "There are more lines after the end"),
        (lambda lines: [*lines, b"more"], BadInput, "There are more lines after the end"),
        (lambda lines: [*lines[:5], b"what?\n", *lines[5:]], BadInput, "x:6: This is not a line of an export"),
        (lambda lines: [*lines[:5], b"\n", *lines[5:]], BadInput, "x:6: This is not a line of an export"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[5:]], BadInput, "x:6: A row needs a topic and a state"),
        (lambda lines: [*lines[:5], b'{"topic":' + b"[" * 99_999 + b"\n", *lines[5:]], BadInput, "x:6: "),
        (lambda lines: changed(lines, 5, more=1), BadInput, "x:6: This is not a line of an export"),
        (lambda lines: changed(lines, 5, v=6), BadInput, "x:6: This is not a line of an export"),
        (
            lambda lines: [*lines[:4], lines[4].replace(b'{"', b'{"ruling":3,"', 1), *lines[5:]],
            VerificationFailed,
            "uling 3",
        ),
        (
            lambda lines: [*lines[:4], lines[4].replace(b"{", b"{ ", 1), *lines[5:]],
            BadInput,
            "x:5: This was reformatted",
        ),
        (lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]], VerificationFailed, "it was sealed"),
    ],
)
def test_a_malformed_export_is_refused_with_its_line(
    other: CombatLog, lines: list[bytes], forge: Any, kind: type[MamError], sentence: str
) -> None:
    with pytest.raises(kind) as error:
        import_ndjson(other, forge(lines), name="x")
    assert sentence in error.value.sentence
    assert other.encounters() == []


@pytest.mark.parametrize("name", ["mam", "encounter", "rulings", "end", "topic", "ruling", "state"])
@pytest.mark.parametrize("spelt", [str, lambda name: f"\\u{ord(name[0]):04x}{name[1:]}"])
def test_a_line_with_a_duplicate_field_is_refused(
    other: CombatLog, lines: list[bytes], name: str, spelt: Callable[[str], str]
) -> None:
    at = next(at for at, line in enumerate(lines) if f'"{name}":'.encode() in line)
    own = json.dumps(json.loads(lines[at])[name]).encode()
    twice = lines[at][:-2] + b',"%b":%b}\n' % (spelt(name).encode(), own)
    with pytest.raises(BadInput, match=rf'^x:{at + 1}: This is not a line of an export: "{name}" is given twice'):
        import_ndjson(other, [*lines[:at], twice, *lines[at + 1 :]], name="x")


@pytest.mark.parametrize(
    ("reformat", "place"),
    [
        (lambda text: json.dumps(json.loads(text)), "x:1"),
        (lambda text: json.dumps(json.loads(text), sort_keys=True), "x:1"),
        (lambda text: text.replace('"state":{', '"state":{ '), "x"),
        (lambda text: f"{text} " if '"state"' in text else text, "x:2"),
        (lambda text: text.replace("metres", "m\\u0065tres"), "x"),
        (lambda text: json.dumps(json.loads(text), indent=2), "x"),
    ],
)
def test_a_reformatted_export_is_refused_but_not_called_altered(
    other: CombatLog, lines: list[bytes], reformat: Callable[[str], str], place: str
) -> None:
    second_lines = "\n".join(reformat(line.decode().rstrip("\n")) for line in lines).encode().splitlines(keepends=True)
    with pytest.raises(BadInput, match=rf"^{place}: This (export )?was reformatted.* ?[Ee]xport the fight again\.$"):
        import_ndjson(other, second_lines, name="x")
    content = json.dumps([json.loads(line) for line in lines]).encode()
    with pytest.raises(BadInput, match=r"^x: This export was reformatted"):
        import_ndjson(other, [content], name="x")
    assert other.encounters() == []


def test_an_alteration_is_found_in_a_reformatted_export(other: CombatLog, lines: list[bytes]) -> None:
    spaced = [json.dumps(json.loads(line)).encode() for line in lines]
    forged_lines = [line.replace(b"two metres", b"ten metres") for line in spaced]
    with pytest.raises(VerificationFailed):
        import_ndjson(other, forged_lines)
    second_lines = [
        line.replace(b'"state":{"combatant":', b'"state":{"combatant":"x","combatant":', 1) for line in lines
    ]
    with pytest.raises(VerificationFailed, match="it was sealed"):
        import_ndjson(other, second_lines)
    assert other.encounters() == []


@pytest.mark.parametrize(
    ("first", "line", "place"), [(0, b"\n", "x:1"), (0, b"what?\n", "x:1"), (5, b"what?\n", "x:6")]
)
def test_reading_stops_at_the_first_malformed_line(
    other: CombatLog, lines: list[bytes], first: int, line: bytes, place: str
) -> None:
    unread = iter([*lines[:first], *[line] * 100])
    with pytest.raises(BadInput, match=f"^{place}: "):
        import_ndjson(other, unread, name="x")
    assert len(list(unread)) > 95


def test_the_seal_of_the_export_covers_the_last_ruling(other: CombatLog, lines: list[bytes]) -> None:
    forged_lines = [line.replace(b"two metres", b"ten metres") for line in lines]
    with pytest.raises(VerificationFailed, match=r"Ruling 23 was altered"):
        import_ndjson(other, forged_lines)
    reworded = [line.replace(b"too far", b"so near") for line in lines]
    with pytest.raises(VerificationFailed, match=r"Ruling 22 was altered after it was sealed\."):
        import_ndjson(other, reworded)
    backwards = list(lines)
    at = next(at for at, line in enumerate(lines) if b'"ruling":23' in line)
    head = json.loads(lines[at])
    backwards[at] = lines[at].replace(head["state"]["seal"].encode(), b"0" * 64)
    with pytest.raises(VerificationFailed, match=r"Ruling 23 was altered"):
        import_ndjson(other, backwards)
    assert other.encounters() == []


def test_an_export_of_a_newer_program_is_refused(log: CombatLog, other: CombatLog) -> None:
    rows = log.application.rows("fight")
    at = version_of(rows, 10, "TurnStarted") - 1
    newer_rows = resealed([*rows[:at], (0, "TurnStarted.2", b'{"who":"clone"}'), *rows[at + 1 :]])
    with pytest.raises(StoreUnusable, match=r'"TurnStarted\.2".*newer'):
        import_ndjson(other, export_of_rows(newer_rows))
    assert other.encounters() == []


def export_of_rows(rows: list[tuple[int, str, bytes]]) -> list[bytes]:
    """Write an export of rows that this program would not write."""
    sealed = with_ruling_numbers(rows)
    seal = chain(list(parts_of(sealed)))[-1]
    header = Header("export", 1, "fight", sum(1 for row in sealed if row.ruling), len(rows), seal)
    return [written_header(header), *map(written_row, sealed), written_end(len(rows), seal)]


def test_only_a_noted_seal_reveals_a_resealed_forgery(log: CombatLog, other: CombatLog) -> None:
    rows = log.application.rows("fight")
    forged_rows = resealed(edited(rows, version_of(rows, 22), set_to(by="Bob")))
    export = export_of_rows(forged_rows)
    assert verify_export(export).rulings == 23
    with pytest.raises(VerificationFailed, match="noted seal"):
        verify_read(read_lines(export, "export"), seals=[log.timeline("fight").seal])
    assert import_ndjson(other, export).rulings == 23


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
            fewer_lines = changed([*lines[:at], *lines[at + 1 :]], 0, rows=len(lines) - 3)
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
    hidden = [*lines[:at], *changed(lines, at, hash="0" * 64)[at : at + 1], *lines[at + 1 :]]
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
