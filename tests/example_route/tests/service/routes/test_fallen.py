"""The route of the fallen."""

from __future__ import annotations

import json

from mam_events.commands import Adjust, Join, Open
from mam_events.log.combat_log import CombatLog
from tests.service.asgi import AsgiRequest, send_all


def test_the_fallen_are_listed_for_a_view() -> None:
    with CombatLog.open("sqlite://") as log:
        for command in (Open("mam_pools"), Join("zoe", hp=4), Adjust("fell", condition={"zoe": "dead"})):
            log.execute("fight", command)
        (response,) = send_all(log, [AsgiRequest("GET", "/encounters/fight/fallen")])
    assert json.loads(response.body) == [{"combatant": "zoe", "name": "zoe", "condition": "dead"}]
