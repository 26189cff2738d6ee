"""Malformed, truncated, altered and forged exports."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mam_events.archive import ImportReport, export_ndjson, import_ndjson
from mam_events.errors import BadInput, MamError, StoreUnusable, VerificationFailed
from mam_events.log.combat_log import CombatLog
from mam_events.verification import verify_export, verify_read
from mam_events.verification.export_format import read_lines
from tests.archive.export_changes import export_of_rows, replace_fields
from tests.fights.tables import play_random_fight
from tests.verification.forge import edited, resealed, set_to, version_of


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


@pytest.mark.parametrize(
    ("forge", "kind", "sentence"),
    [
        (lambda _: [], BadInput, "x: This is not an export"),
        (lambda _: [b"\n", b"\r\n"], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: lines[1:], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: [b"PK\x03\x04\xff", *lines], BadInput, "x:1: This is not an export of mam-events"),
        (lambda _: [b"[" * 100_000], BadInput, "x:1: This is not an export of mam-events"),
        (lambda lines: replace_fields(lines, 0, format=2), StoreUnusable, "format 2, which a newer mam-events wrote"),
        (
            lambda lines: replace_fields(lines, 0, format="x"),
            BadInput,
            "x:1: This export says that its format is 'x', but only",
        ),
        (lambda lines: replace_fields(lines, 0, rows="many"), BadInput, "x:1: This is not a line of an export"),
        (lambda lines: replace_fields(lines, 0, rows=7), BadInput, "its first line says 7 and"),
        (lambda lines: replace_fields(lines, -1, end=7), BadInput, "and its last line says 7"),
        (
            lambda lines: replace_fields(lines, 0, rulings=7),
            VerificationFailed,
            "x has 23 rulings, but its first line says 7",
        ),
        (
            lambda lines: replace_fields(lines, 0, seal="0" * 64),
            VerificationFailed,
            "must have the same seal, but one differs",
        ),
        (
            lambda lines: replace_fields(lines, -1, seal="0" * 64),
            VerificationFailed,
            "must have the same seal, but one differs",
        ),
        (lambda lines: [*lines, lines[-1]], BadInput, "There are more lines after the end"),
        (lambda lines: [*lines, b"more"], BadInput, "There are more lines after the end"),
        (lambda lines: [*lines[:5], b"what?\n", *lines[5:]], BadInput, "x:6: This is not a line of an export"),
        (lambda lines: [*lines[:5], b"\n", *lines[5:]], BadInput, "x:6: This is not a line of an export"),
        (lambda lines: [*lines[:5], b"{}\n", *lines[5:]], BadInput, "x:6: Parts of this line are missing"),
        (lambda lines: [*lines[:5], b'{"topic":' + b"[" * 99_999 + b"\n", *lines[5:]], BadInput, "x:6: "),
        (lambda lines: replace_fields(lines, 5, more=1), BadInput, "x:6: This is not a line of an export"),
        (lambda lines: replace_fields(lines, 5, v=6), BadInput, "x:6: This is not a line of an export"),
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


def test_only_a_noted_seal_reveals_a_resealed_forgery(log: CombatLog, other: CombatLog) -> None:
    rows = log.application.rows("fight")
    forged_rows = resealed(edited(rows, version_of(rows, 22), set_to(by="Bob")))
    export = export_of_rows(forged_rows)
    assert verify_export(export).rulings == 23
    with pytest.raises(VerificationFailed, match="noted seal"):
        verify_read(read_lines(export, "export"), seals=[log.timeline("fight").seal])
    assert import_ndjson(other, export).rulings == 23
