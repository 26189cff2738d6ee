"""A recorded fight as a pytest file: the test fails for each ruling that today's rules judge differently."""

from __future__ import annotations

from collections.abc import Iterator

from mam_events.archive import export_ndjson, import_ndjson
from mam_events.history.judge.what_if import rejudge_unchanged
from mam_events.history.timeline.rulings import rulings
from mam_events.log.combat_log import CombatLog
from mam_events.log.readable_log import ReadableLog
from projections.analysis.what_if import what_if
from projections.phrases import count_words, join_words
from projections.visibility.redaction import Redactor


def assert_verdicts_stand(export: bytes) -> None:
    """Judge all counting rulings of an exported fight again with their dice, and assert that none changes.

    Raises AssertionError with the rulings that differ, and how. If the export cannot be read, raises as
    `import_ndjson`.
    """
    with CombatLog.open("sqlite://") as log:
        name = import_ndjson(log, export.splitlines(keepends=True)).encounter
        timeline = log.timeline(name)
        supposition = rejudge_unchanged(timeline, log.rules)
        difference = what_if(timeline, supposition, {}, Redactor("gm", rulings(timeline)))
    lines = [f"  {one.ruling} ({one.asked}): {one.verdict}: {one.what}" for one in difference.differing]
    if carried := [str(pair.ruling) for pair in supposition.pairs if pair.verdict == "carried"]:
        lines.append(f"  {join_words(carried)}: the same with other sums")
    if lines:
        raise AssertionError("\n".join([f'"{name}" is judged differently by the rules of today:', *lines]))


def as_test(log: ReadableLog, encounter: str) -> Iterator[bytes]:
    """Yield the lines of a Python file that contains the fight as a pytest test; raise as `export_ndjson`."""
    timeline = log.timeline(encounter)
    yield (
        f'''"""A fight as it stood after {count_words(timeline.number, "ruling")}, written by `mam export --as-test`.

It fails where the rules of today judge it differently, and shows which ruling and how.
"""
# ruff: noqa: E501

from projections.pytest_export import assert_verdicts_stand

FIGHT = (
'''
    ).encode()
    for line in export_ndjson(log, encounter):
        yield f"    {line!r}\n".encode()
    yield f")\n\n\ndef {name_of_test(encounter)}() -> None:\n    assert_verdicts_stand(FIGHT)\n".encode()


def name_of_test(encounter: str) -> str:
    """Return the name of the test of an encounter, which is also its file name: `test_the_ford`."""
    return f"test_{encounter.replace('-', '_')}"
