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
def described(shared_service: Any) -> dict[str, Any]:
    told = shared_service.client().get("/openapi.json")
    assert told.status == 200
    found: dict[str, Any] = told.json
    return found


def test_every_schema_reference_exists(described: dict[str, Any]) -> None:
    names = set(re.findall(r'#/components/schemas/([^"]+)"', json.dumps(described)))
    assert names <= described["components"]["schemas"].keys()


def test_every_order_and_every_event_has_a_discriminator(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    assert schemas["Order"]["discriminator"]["mapping"].keys() == COMMANDS.keys()
    assert schemas["Event"]["discriminator"]["mapping"].keys() == {kind.topic for kind in TYPES.values()}


def test_a_verdict_has_the_same_schema_in_a_preview_and_in_the_log(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    kinds = [schemas[name]["properties"]["verdicts"]["items"] for name in ("PreviewResult", "RulingResult")]
    assert kinds == [{"$ref": "#/components/schemas/Judgement"}] * 2


def test_every_endpoint_is_described_with_an_example(described: dict[str, Any]) -> None:
    told = [one["operationId"] for methods in described["paths"].values() for one in methods.values()]
    assert sorted(told) == sorted({call.name for call in ENDPOINTS})
    for methods in described["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            for parameter in operation["parameters"]:
                assert parameter["in"] != "path" or "example" in parameter, operation["operationId"]


def sent(master: Client, call: EndpointSpec, url: str, said: Any, headers: dict[str, str]) -> ServiceResponse:
    """Send a call with that body in its content type."""
    if call.body is str:
        return master.ask(call.method, url, headers=headers | {"Content-Type": call.takes[0]}, raw=said.encode())
    return master.ask(call.method, url, said, headers)


def test_the_examples_work_and_match_their_schemas(described: dict[str, Any], master: Client) -> None:
    """Send the example of every call in one fight."""
    fight = [
        {"do": "join", "combatant": "clone", "name": "Clone", "hp": 6},
        {"do": "initiative", "first": "modre", "reason": "she began"},
        {"do": "begin-turn", "combatant": "modre"},
        {"do": "attack", "attacker": "modre", "target": "clone", "power": 2},
        {"do": "defend", "combatant": "clone", "exchange": 6, "points": 1},
        {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1},
    ]
    schemas = described["components"]["schemas"]
    seen, version, number = set(), 0, 0

    def made(name: str, body: Any = None) -> Any:
        nonlocal version
        call = next(one for one in ENDPOINTS if one.name == name)
        path = call.path.format(
            **dict(call.example.path) | {"dispute": str(number), "proposal": str(number), "rerun": str(number)}
        )
        query = "&".join(f"{key}={value}" for key, value in call.example.query.items())
        said = call.example.body if body is None else body
        headers = {"Idempotency-Key": f"{name}-{version}"}
        if call.kind == "write" and "{encounter}" in call.path:
            headers["If-Match"] = f'"{version}"'
        url = f"{path}{'?' if query else ''}{query}"
        told = sent(master, call, url, said, headers)
        assert told.status == call.status, (name, told)
        answer = described["paths"][call.path][call.method.lower()]["responses"][str(call.status)]["content"]
        (shape,) = (one["schema"] for one in answer.values())
        if "json" in told.headers["content-type"] and "ndjson" not in told.headers["content-type"]:
            jsonschema_rs.validate({"components": {"schemas": schemas}} | shape, told.json)
            if call.kind == "write" and told.json.get("encounter") == "duel":
                version = told.json["version"]
        seen.add(name)
        return told

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
    told = master.ask("POST", "/imports?encounter=duel-3", headers={"Content-Type": "application/x-ndjson"}, raw=lines)
    assert told.status == 201
    number = made("rerun").json["id"]
    while (told := made("rerun_progress")).json["status"] == "running":
        pass
    assert told.json["status"] == "done", told.json
    assert told.json["summary"]["fights"] == told.json["fights"]
    assert {call.name for call in ENDPOINTS} - seen == {"import_", "append", "stream"}
