"""Closed fights that everybody may watch with the public view."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.conftest import PARTY, Service
from web.service.endpoints import ENDPOINTS
from web.service.routes import load_routes

load_routes()
ELSEWHERE = {"Origin": "https://club.example"}
HIDDEN = {"do": "join", "combatant": "zqxwvkj", "name": "Zqxwvkj", "hp": 9, "side": "cult", "visibility": "gm"}
SHOWN = ("replay", "replay.html", "log", "audit", "export", "seal")


@pytest.fixture(scope="module")
def public_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("public") / "fights.db", "--public-replays")
    master = service.client()
    for name in ("over", "going-on"):
        master.begin(name, HIDDEN, *PARTY)
    assert master.order("over", {"do": "end-turn", "combatant": "ana"}, {"do": "close"}).status == 200
    yield service
    assert service.stop() == 0


def test_anybody_may_read_a_closed_fight_from_any_origin(public_service: Service) -> None:
    client = public_service.client()
    for what in SHOWN:
        response = client.ask("GET", f"/encounters/over/{what}", headers=ELSEWHERE)
        assert response.status == 200, (what, response.body)
        assert response.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in response.headers
        assert b"zqxwvkj" not in response.body.lower()


@pytest.mark.parametrize("whose", [("viewer",), ("player", "ana")])
def test_a_token_of_another_fight_may_read_what_everybody_may_read(
    public_service: Service, whose: tuple[str, ...]
) -> None:
    client = public_service.client(public_service.token(*whose, "--by", f"Elsewhere {whose[0]}", "-e", "going-on"))
    for what in SHOWN:
        assert client.get(f"/encounters/over/{what}").status == 200
    assert b"zqxwvkj" not in client.get("/encounters/over/export").body.lower()
    assert client.get("/encounters/over/pools").status == 404
    assert client.get("/encounters/going-on/log").status == 200


def test_a_request_from_another_origin_has_no_rights_of_localhost(public_service: Service) -> None:
    """On this machine too, where requests from localhost need no token."""
    client = public_service.client()
    assert b"Zqxwvkj" in client.get("/encounters/over/audit").body
    for what in SHOWN:
        for name in ("going-on", "none-such"):
            response = client.ask("GET", f"/encounters/{name}/{what}", headers=ELSEWHERE)
            assert (response.status, response.json["code"]) == (401, "no_token")
    response = client.ask("GET", "/encounters/over/audit?as=gm", headers=ELSEWHERE)
    assert response.status == 403


def test_no_other_endpoint_accepts_another_origin(public_service: Service) -> None:
    client = public_service.client()
    for call in ENDPOINTS:
        path = call.path.format(encounter="over", preset="mam_pools", rerun="1", ruling="1", dispute="1", proposal="1")
        if call.public:
            continue
        response = client.ask(call.method, path, {} if call.method == "POST" else None, ELSEWHERE)
        assert (response.status, response.json["code"]) == (403, "wrong_origin"), call.name
        assert "access-control-allow-origin" not in response.headers


def test_a_reopened_fight_is_no_longer_public(public_service: Service) -> None:
    client = public_service.client()
    client.begin("again")
    assert client.order("again", {"do": "end-turn", "combatant": "ana"}, {"do": "close"}).status == 200
    assert client.ask("GET", "/encounters/again/log", headers=ELSEWHERE).status == 200
    version = client.get("/encounters/again").json["version"]
    assert client.post("/encounters/again/corrections", {"correct": "undo"}, version).status == 200
    assert client.ask("GET", "/encounters/again/log", headers=ELSEWHERE).status == 401


def test_without_the_option_nothing_is_public(shared_service: Service) -> None:
    client = shared_service.client()
    client.begin("private")
    assert client.order("private", {"do": "end-turn", "combatant": "ana"}, {"do": "close"}).status == 200
    response = client.ask("GET", "/encounters/private/log", headers=ELSEWHERE)
    assert (response.status, response.json["code"]) == (403, "wrong_origin")
    assert client.ask("GET", "/encounters/private/log", headers={"Via": "1.1 x"}).status == 401
