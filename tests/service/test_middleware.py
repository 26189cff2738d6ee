"""The middleware: origins, hosts, forwarding headers, sizes and rates."""

from __future__ import annotations

import json
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from mam_events.log.combat_log import CombatLog
from tests.service.conftest import Client, Service, run_mam


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "localhost:80@evil.example"])
def test_another_host_is_refused(master: Client, host: str) -> None:
    response = master.ask("GET", "/encounters", headers={"Host": host})
    assert (response.status, response.json["code"]) == (421, "wrong_host")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:1"])
def test_a_page_of_another_origin_is_refused(master: Client, origin: str) -> None:
    for method, path in (("GET", "/encounters"), ("POST", "/encounters"), ("POST", "/session")):
        response = master.ask(method, path, {} if method == "POST" else None, {"Origin": origin})
        assert (response.status, response.json["code"]) == (403, "wrong_origin")


def test_the_own_origin_is_accepted(master: Client, shared_service: Service) -> None:
    for host in (f"127.0.0.1:{shared_service.port}", f"localhost:{shared_service.port}"):
        assert master.ask("GET", "/me", headers={"Host": host, "Origin": f"http://{host}"}).status == 200


def test_a_request_through_a_proxy_is_not_the_game_master(master: Client) -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        assert master.ask("GET", "/encounters", headers={header: "127.0.0.1"}).status == 401
        assert master.ask("GET", "/me", headers={header: "127.0.0.1"}).json["rank"] == "anybody"


def test_every_answer_has_security_headers(master: Client) -> None:
    for path in ("/healthz", "/encounters", "/nowhere", "/encounters/none/pools", "/openapi.json", "/metrics"):
        headers = master.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "unsafe-inline" not in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_a_body_that_is_too_large_is_refused(shared_service: Service) -> None:
    with closing(HTTPConnection("127.0.0.1", shared_service.port, timeout=10)) as connection:
        connection.putrequest("POST", "/encounters")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", f"{128 * 1024 + 1}")
        connection.endheaders()
        response = connection.getresponse()
        assert (response.status, json.loads(response.read())["code"]) == (413, "too_large")


def test_get_on_a_write_route_is_refused(master: Client) -> None:
    for path in ("/encounters/x/commands", "/encounters/x/corrections", "/session", "/imports"):
        response = master.get(path)
        assert response.status == 405
        assert response.headers["allow"]
    assert master.get("/nowhere").json["code"] == "not_found"
    assert master.get("/encounters/x/pools?att=3").status in (400, 404)


def test_too_many_requests_are_refused(shared_service: Service, master: Client) -> None:
    master.begin("rates")
    client = shared_service.client(shared_service.token("viewer", "--by", "Hammer", "-e", "rates"))
    statuses = {client.get("/encounters/rates/pools").status for _ in range(400)}
    assert statuses == {200, 429}
    assert master.get("/encounters/rates/pools").status == 200


@pytest.mark.parametrize(
    "path", ["/me", *(pytest.param(path, marks=pytest.mark.slow) for path in ("/encounters/x/pools", "/metrics"))]
)
def test_too_many_guessed_tokens_are_refused(tmp_path: Path, path: str) -> None:
    service = Service(tmp_path / "guessed.db")
    token = service.token("gm", "--by", "Kim")
    statuses = {service.client(f"mam_{n}_x").get(path).status for n in range(400)}
    assert statuses == {401, 429}
    assert service.client(token).get("/me").status == 200
    assert service.client().get("/me").status == 200
    assert service.stop() == 0


@pytest.mark.slow
def test_behind_a_proxy_only_the_sender_of_a_flood_is_limited(tmp_path: Path) -> None:
    CombatLog.open(tmp_path / "behind.db").close()
    run_mam("token", "gm", "--by", "Kim", "--store", str(tmp_path / "behind.db"))
    service = Service(tmp_path / "behind.db", "--behind", "https://log.example")

    def ask(addresses: str, **more: str) -> int:
        headers = {"Host": "log.example", "X-Forwarded-For": addresses}
        return service.client().ask("GET", "/me", headers=headers | more).status

    # Clients can forge all addresses but the last.
    assert {ask(f"10.0.0.{n}, 192.0.2.1") for n in range(400)} == {200, 429}
    assert {ask("192.0.2.3", Authorization=f"Bearer mam_{n}_x") for n in range(400)} == {401, 429}
    assert ask("192.0.2.1, 192.0.2.2") == 200
    assert service.stop() == 0


@pytest.mark.slow
def test_a_forged_forwarding_header_does_not_avoid_the_rate_limit(tmp_path: Path) -> None:
    service = Service(tmp_path / "alone.db")
    statuses = {service.client().get("/me", X_Forwarded_For=f"192.0.2.{n}").status for n in range(400)}
    assert statuses == {200, 429}
    assert service.stop() == 0


@pytest.mark.parametrize("path", ["/reference/", "/encounters/", "/me/", "/openapi.json/"])
def test_no_route_redirects(master: Client, path: str) -> None:
    response = master.get(path)
    assert (response.status, response.json["code"]) == (404, "not_found")
    assert "location" not in response.headers


@pytest.mark.parametrize(
    "endings",
    [("-wal", "-shm"), *(pytest.param(lost, marks=pytest.mark.slow) for lost in (("-wal",), ("-shm",), ("",)))],
    ids=str,
)
def test_a_service_whose_files_are_gone_is_unhealthy(tmp_path: Path, endings: tuple[str, ...]) -> None:
    service = Service(tmp_path / "gone.db")
    try:
        service.client().begin("duel")
        assert service.client().get("/healthz").json["status"] == "ok"
        for ending in endings:
            (tmp_path / f"gone.db{ending}").unlink()
        response = service.client().get("/healthz")
        assert (response.status, response.json["code"]) == (503, "store_unusable")
        assert "gone.db" not in response.json["detail"]
    finally:
        service.stop()


def test_an_empty_bearer_token_is_refused(master: Client) -> None:
    for words in ("Bearer", "Bearer ", "Bearer  "):
        assert master.ask("GET", "/encounters", headers={"Authorization": words}).status == 401


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/encounters", "/session"])
def test_a_client_that_leaves_within_a_body_causes_no_error_output(tmp_path: Path, path: str) -> None:
    service = Service(tmp_path / "left.db")
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
    assert service.client().get("/healthz").status == 200
    service.process.send_signal(signal.SIGINT)
    assert service.process.communicate(timeout=10)[1] == ""


@pytest.mark.slow
def test_static_answers_are_cached_and_rate_limited(tmp_path: Path) -> None:
    service = Service(tmp_path / "fights.db")
    client = service.client()
    for path in ("/openapi.json", "/pages/start.js", "/"):
        response = client.get(path)
        revalidation = client.get(path, If_None_Match=response.headers["etag"])
        assert (response.status, revalidation.status, revalidation.body) == (200, 304, b"")
    assert 429 in {client.get("/openapi.json", If_None_Match='"none"').status for _ in range(400)}
    assert service.stop() == 0
