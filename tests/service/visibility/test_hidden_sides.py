"""A hidden side in a player's line."""

from __future__ import annotations

import json
import os

import pytest

from mam_events.commands import Join, Open
from mam_events.log.combat_log import CombatLog
from mam_events.tokens import encode_token, issue
from tests.service.asgi import AsgiRequest, send_all


def answer(line: str, side: str) -> tuple[int, str]:
    """Return the answer to a player's line in a fight with a hidden combatant of that side."""
    with CombatLog.open("sqlite://") as log:
        hidden = Join("imp", name="Imp", side=side, hp=9, visibility="gm")
        log.execute_all("fight", [Open("mam_pools"), Join("ana", name="Ana", side="a", hp=9), hidden])
        token, words = issue(
            "player", "Ana", encounter="fight", combatants=("ana",), at="2026-01-01T00:00:00Z", entropy=os.urandom
        )
        log.application.tokens.keep(token.id, encode_token(token))
        headers = {"Content-Type": "text/plain", "If-Match": '"3"', "Idempotency-Key": "k"}
        (response,) = send_all(log, [AsgiRequest("POST", "/encounters/fight/lines", line.encode(), headers, words)])
        return response.status, json.loads(response.body)["detail"]


@pytest.mark.parametrize(
    "line", ["join 7 cults hp=3", "7 cults hp=3", "Tad joins cults hp=3", "Tad cults hp=3", "cults ambush us"]
)
def test_a_hidden_side_is_treated_like_an_unknown_one(line: str) -> None:
    assert answer(line, "cults") == answer(line, "sects")
