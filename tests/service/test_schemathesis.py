"""Schemathesis as game master and as player: no error, and every answer is as described."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.effort import LONG
from tests.service.conftest import PARTY, Service

pytestmark = pytest.mark.slow

# Valid data may still be refused by the rules, and the status for a missing If-Match is 428 (RFC 6585).
NOT_ASKED = "positive_data_acceptance,missing_required_header"


@pytest.mark.parametrize("role", ["gm", "player"])
def test_generated_requests_are_answered_as_described(tmp_path: Path, role: str) -> None:
    service = Service(tmp_path / "fights.db")
    client = service.client()
    client.begin("duel", {"do": "join", "combatant": "modre", "name": "Modre", "hp": 6}, *PARTY)
    line = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"http://127.0.0.1:{service.port}/openapi.json",
        *("--max-examples", "10" if LONG else "3", "--seed", "7", "--no-color", "--suppress-health-check", "all"),
        *("--phases", "examples,coverage,fuzzing" if LONG and role == "gm" else "examples,fuzzing"),
        *("--exclude-path", "/encounters/{encounter}/events/stream", "--exclude-path", "/imports"),
        *("--exclude-checks", NOT_ASKED),
    ]
    if role == "player":
        token = service.token("player", "ana", "--by", "Ana", "-e", "duel")
        # Stay below the rate limit of a token.
        line += ["--header", f"Authorization: Bearer {token}", "--rate-limit", "45/s"]
    process = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert process.returncode == 0, process.stdout[-6000:]
    assert service.stop() == 0
