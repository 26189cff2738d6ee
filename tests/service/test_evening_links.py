"""A link per player that is valid for every fight with their character."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mam_events.commands import BeginTurn, Command, Initiative, Join, Open
from mam_events.log.combat_log import CombatLog
from mam_events.tokens import Token, encode_token, issue, players_of
from tests.service.asgi import AsgiRequest, AsgiResponse, send_all
from tests.service.conftest import PARTY, Client, Service
from web.service.endpoints import ENDPOINTS
from web.service.routes import load_routes

load_routes()
BEGUN = (Initiative(first="ana", reason="x"), BeginTurn("ana"))
BO = Join("bo", hp=9, side="foes")
ANA = Join("ana", hp=9, side="heroes")
FIGHTS: dict[str, tuple[Command, ...]] = {
    "bridge": (ANA, BO, *BEGUN),
    "cave": (Join("ana", hp=9, kind="pc"), BO, *BEGUN),
    # Ana's token is for neither another combatant of that name nor her own while it is hidden.
    "nest": (Join("ana", hp=9, side="foes"), Join("eve", hp=9, side="heroes")),
    "trap": (Join("ana", hp=9, side="heroes", visibility="gm"), BO),
    "far": (Join("eve", hp=9, side="heroes"), BO),
}
OWN = ["bridge", "cave"]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CombatLog]:
    with CombatLog.open(tmp_path / "evening.db") as log:
        for name, orders in FIGHTS.items():
            log.execute_all(name, [Open("mam_pools"), *orders])
        yield log


def link(log: CombatLog, *combatants: str, encounter: str = "") -> tuple[Token, str]:
    token, words = issue(
        "player", "Ana", encounter=encounter, combatants=combatants, at="2026-01-01T00:00:00Z", entropy=bytes
    )
    log.application.tokens.keep(token.id, encode_token(token))
    return token, words


def get_all(log: CombatLog, words: str, *paths: str) -> list[AsgiResponse]:
    return send_all(log, [AsgiRequest("GET", path, token=words) for path in paths])


def test_a_link_lists_only_the_fights_of_its_player(log: CombatLog) -> None:
    _, words = link(log, "ana", "cat")
    encounters, me = get_all(log, words, "/encounters", "/me")
    assert [one["encounter"] for one in json.loads(encounters.body)] == OWN
    assert json.loads(me.body)["encounter"] == ""
    log.execute("nest", Join("cat", hp=2, side="heroes"))
    assert [one["encounter"] for one in json.loads(get_all(log, words, "/encounters")[0].body)] == [*OWN, "nest"]


@pytest.mark.slow
def test_an_unreadable_fight_does_not_break_the_list_of_a_link(log: CombatLog, tmp_path: Path) -> None:
    _, words = link(log, "ana")
    with closing(sqlite3.connect(tmp_path / "evening.db")) as store, store:
        store.execute(
            "UPDATE stored_events SET topic = 'EncounterOpened.1' "
            "WHERE originator_id IN ('far', 'cave') AND originator_version = 1"
        )
    with CombatLog.open(tmp_path / "evening.db") as second_log:
        encounters, far, none = get_all(second_log, words, "/encounters", "/encounters/far", "/encounters/none")
        assert encounters.status == 200, (encounters.status, encounters.body)
        assert [one["encounter"] for one in json.loads(encounters.body)] == ["bridge"]
        assert (far.status, none.status) == (404, 404)


def test_a_fight_of_others_is_answered_like_a_missing_one(log: CombatLog) -> None:
    """A fight that is not theirs answers as one that is not there, byte for byte."""
    _, words = link(log, "ana")
    for call in ENDPOINTS:
        if "{encounter}" not in call.path:
            continue
        statuses = []
        for name in ("nest", "trap", "far", "none"):
            path = call.path.format(encounter=name, ruling=2, dispute=2, proposal=2)
            body = None if call.method == "GET" else b"x" if call.body is bytes else {"do": "end-turn"}
            headers = {"Idempotency-Key": "k", "If-Match": "*"}
            response = send_all(log, [AsgiRequest(call.method, path, body, headers, words)])[0]
            statuses.append((response.status, response.body.replace(name.encode(), b"NAME")))
        assert len({*statuses}) == 1, (call.name, statuses)
        assert statuses[0][0] == 404, call.name


@pytest.mark.parametrize("name", OWN)
def test_a_player_has_the_same_rights_in_each_of_their_fights(log: CombatLog, name: str) -> None:
    _, words = link(log, "ana")
    version = log.timeline(name).number
    for order, status in (
        ({"do": "begin-turn", "combatant": "bo"}, 403),
        ({"do": "join", "combatant": "eve", "hp": 3}, 403),
        ({"do": "attack", "attacker": "ana", "target": "bo", "power": 1}, 200),
    ):
        headers = {"Idempotency-Key": f"{order['do']}", "If-Match": f'"{version}"'}
        response = send_all(log, [AsgiRequest("POST", f"/encounters/{name}/commands", order, headers, words)])[0]
        assert response.status == status, response.body
    assert get_all(log, words, f"/encounters/{name}/pools?as=gm")[0].status == 403


def test_a_link_cannot_order_a_combatant_of_somebody_else_in_that_fight(log: CombatLog) -> None:
    _, words = link(log, "ana", "bo")
    order: dict[str, Any] = {"do": "attack", "attacker": "ana", "target": "bo", "power": 1}
    number = log.timeline("bridge").number
    headers = {"Idempotency-Key": "a", "If-Match": f'"{number}"'}
    assert send_all(log, [AsgiRequest("POST", "/encounters/bridge/commands", order, headers, words)])[0].status == 200
    react = {"do": "pass", "combatant": "bo", "exchange": number + 1}
    headers = {"Idempotency-Key": "b", "If-Match": f'"{number + 1}"'}
    assert send_all(log, [AsgiRequest("POST", "/encounters/bridge/commands", react, headers, words)])[0].status == 403


def test_players_are_waited_for_only_in_the_fights_they_play_in(log: CombatLog) -> None:
    roaming, _ = link(log, "ana", "bo")
    combatants = {name: log.timeline(name).state.combatants for name in FIGHTS}
    assert players_of([roaming], "bridge", combatants["bridge"]) == {"ana"}
    assert not players_of([roaming], "nest", combatants["nest"])
    secret, _ = link(log, "ana", "bo", encounter="nest")
    assert players_of([secret], "nest", combatants["nest"]) == {"ana", "bo"}
    assert not players_of([secret], "bridge", combatants["bridge"])


@pytest.mark.slow
def test_a_link_serves_later_fights_until_its_character_is_gone(tmp_path: Path) -> None:
    service = Service(tmp_path / "fights.db")
    master = service.client()
    master.begin("first")
    ana: Client = service.client(service.token("player", "ana", "--by", "Ana"))
    at = "/encounters/later"
    assert ana.get(at).status == 404
    master.begin("later")
    assert ana.get(at).json["encounter"] == "later"
    assert ana.order("later", {"do": "end-turn", "combatant": "ana"}).json["rulings"][0]["by"] == "Ana"
    with ana.stream(f"{at}/events/stream?after=6", Accept="application/x-ndjson") as response:
        master.post("/encounters", {"encounter": "bare", "open": {}})
        master.order("bare", PARTY[0])
        assert ana.get("/encounters/bare").status == 200
        correction = {"correct": "undo", "ruling": 2, "sure": True}
        assert master.post(f"{at}/corrections", correction, 6).status == 200
        # Without her character in the fight, Ana may not follow it any more.
        assert b'"number"' not in response.read()
    assert ana.get(at).status == 404
    assert service.stop() == 0
