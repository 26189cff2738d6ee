"""The path of a request, as CONTRIBUTING shows it."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from mam_events.commands import Initiative, Join, Open
from mam_events.log.combat_log import CombatLog
from tests.service.asgi import AsgiRequest, send_all
from web.service.app import Endpoint

ROOT = Path(__file__).parents[2]
ROWS = re.compile(r"^\| `((?:web|mam_events|projections)/\S+\.py)` \|", re.MULTILINE)


def test_an_order_passes_the_files_that_contributing_lists(log: CombatLog, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (
        Open("mam_pools"),
        Join("ana", hp=6),
        Join("bo", side="b", hp=6),
        Initiative(first="ana", reason="she is quick"),
    ):
        log.execute("fight", command)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = ROWS.findall(page.partition("## The path of a request")[2].partition("\n## ")[0])
    visited: dict[str, None] = {}

    def record(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            visited.setdefault(frame.f_code.co_filename)

    call = Endpoint.__call__

    async def recorded(self: Endpoint, scope: Scope, receive: Receive, send: Send) -> None:
        visited.clear()
        sys.setprofile(record)
        try:
            await call(self, scope, receive, send)
        finally:
            sys.setprofile(None)

    monkeypatch.setattr(Endpoint, "__call__", recorded)
    threading.setprofile(record)
    try:
        headers = {"If-Match": '"4"', "Idempotency-Key": "one"}
        order = {"do": "begin-turn", "combatant": "ana"}
        (answer,) = send_all(log, [AsgiRequest("POST", "/encounters/fight/commands", order, headers)])
    finally:
        threading.setprofile(None)
    assert answer.status == 200
    files = [str(Path(file).relative_to(ROOT)) for file in visited if file.startswith(str(ROOT))]
    assert [file for file in files if file in rows] == rows
    assert len(rows) == 14
