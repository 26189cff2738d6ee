"""The OpenAPI description: valid, complete, with examples that work."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema_rs
import pytest

from mam_events.commands import COMMANDS
from mam_events.events import TYPES
from tests.service.conftest import Client, ServiceResponse
from web.service.endpoints import ENDPOINTS, EndpointSpec
from web.service.routes import load_routes

load_routes()


@pytest.fixture(scope="session")
def openapi(shared_service: Any) -> dict[str, Any]:
    response = shared_service.client().get("/openapi.json")
    assert response.status == 200
    document: dict[str, Any] = response.json
    return document


def test_every_schema_reference_exists(openapi: dict[str, Any]) -> None:
    names = set(re.findall(r'#/components/schemas/([^"]+)"', json.dumps(openapi)))
    assert names <= openapi["components"]["schemas"].keys()


def test_every_order_and_every_event_has_a_discriminator(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    assert schemas["Order"]["discriminator"]["mapping"].keys() == COMMANDS.keys()
    assert schemas["Event"]["discriminator"]["mapping"].keys() == {kind.topic for kind in TYPES.values()}


def test_a_verdict_has_the_same_schema_in_a_preview_and_in_the_log(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    kinds = [schemas[name]["properties"]["verdicts"]["items"] for name in ("PreviewResult", "RulingResult")]
    assert kinds == [{"$ref": "#/components/schemas/Judgement"}] * 2


def test_every_endpoint_is_described_with_an_example(openapi: dict[str, Any]) -> None:
    operations = [one["operationId"] for methods in openapi["paths"].values() for one in methods.values()]
    assert sorted(operations) == sorted({call.name for call in ENDPOINTS})
    for methods in openapi["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            for parameter in operation["parameters"]:
                assert parameter["in"] != "path" or "example" in parameter, operation["operationId"]


def sent(master: Client, call: EndpointSpec, url: str, body: Any, headers: dict[str, str]) -> ServiceResponse:
    """Send a call with that body in its content type."""
    if call.body is str:
        return master.ask(call.method, url, headers=headers | {"Content-Type": call.takes[0]}, raw=body.encode())
    return master.ask(call.method, url, body, headers)


@pytest.mark.slow
def test_the_examples_work_and_match_their_schemas(openapi: dict[str, Any], master: Client) -> None:
    """Send the example of every call in one fight."""
    fight = [
        {"do": "join", "combatant": "clone", "name": "Clone", "hp": 6},
        {"do": "initiative", "first": "modre", "reason": "she began"},
        {"do": "begin-turn", "combatant": "modre"},
        {"do": "attack", "attacker": "modre", "target": "clone", "power": 2},
        {"do": "defend", "combatant": "clone", "exchange": 6, "points": 1},
        {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1},
    ]
    schemas = openapi["components"]["schemas"]
    statuses, version, number = set(), 0, 0

    def made(name: str, body: Any = None) -> Any:
        nonlocal version
        call = next(one for one in ENDPOINTS if one.name == name)
        path = call.path.format(
            **dict(call.example.path) | {"dispute": str(number), "proposal": str(number), "rerun": str(number)}
        )
        query = "&".join(f"{key}={value}" for key, value in call.example.query.items())
        payload = call.example.body if body is None else body
        headers = {"Idempotency-Key": f"{name}-{version}"}
        if call.kind == "write" and "{encounter}" in call.path:
            headers["If-Match"] = f'"{version}"'
        url = f"{path}{'?' if query else ''}{query}"
        response = sent(master, call, url, payload, headers)
        assert response.status == call.status, (name, response)
        answer = openapi["paths"][call.path][call.method.lower()]["responses"][str(call.status)]["content"]
        (shape,) = (one["schema"] for one in answer.values())
        if "json" in response.headers["content-type"] and "ndjson" not in response.headers["content-type"]:
            jsonschema_rs.validate({"components": {"schemas": schemas}} | shape, response.json)
            if call.kind == "write" and response.json.get("encounter") == "duel":
                version = response.json["version"]
        statuses.add(name)
        return response

    made("begin")
    made("give")
    for one in fight:
        made("give", one)
    number = made("dispute").json["version"]
    made("answer")
    made("decide")
    number = made("propose").json["version"]
    made("rule_on")
    for name in ("note", "preview", "odds", "whatif", "branch"):
        made(name, {"correct": "undo", "ruling": 6} if name == "preview" else None)
    for call in ENDPOINTS:
        if call.method == "GET" and call.kind != "stream" and call.name != "rerun_progress":
            made(call.name)
    made("correct")
    made("type_line")
    lines = made("export").body
    response = master.ask(
        "POST", "/imports?encounter=duel-3", headers={"Content-Type": "application/x-ndjson"}, raw=lines
    )
    assert response.status == 201
    number = made("rerun").json["id"]
    while (response := made("rerun_progress")).json["status"] == "running":
        pass
    assert response.json["status"] == "done", response.json
    assert response.json["summary"]["fights"] == response.json["fights"]
    assert {call.name for call in ENDPOINTS} - statuses == {"import_", "append", "stream"}
