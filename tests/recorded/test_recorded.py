"""Recorded fights: today's rules give every recorded verdict. `make recorded` records them again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mam_events.archive.export_import import import_ndjson
from mam_events.commands import Close, Open
from mam_events.fights.file import load_fight
from mam_events.fights.playback import play
from mam_events.log.combat_log import CombatLog
from projections.pytest_export import assert_verdicts_stand

ROOT = Path(__file__).parents[2]
RECORDED = sorted(Path(__file__).parent.glob("*.ndjson"))
EXAMPLES = [
    file
    for file in sorted((ROOT / "examples").glob("*.toml"))
    if "encounter" in tomllib.loads(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("fight", RECORDED, ids=lambda fight: fight.stem)
def test_the_recorded_verdicts_stand(fight: Path) -> None:
    assert_verdicts_stand(fight.read_bytes())


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_recording_has_the_commands_of_its_example(log: CombatLog, file: Path) -> None:
    play(log, load_fight(file), "now")
    expected = Path(__file__).with_name(f"{file.stem}.ndjson").read_bytes()
    import_ndjson(log, expected.splitlines(keepends=True), "recorded")
    now, before = (
        [ruling.command for ruling in log.history(name) if not isinstance(ruling.command, Open | Close)]
        for name in ("now", "recorded")
    )
    assert now == before
