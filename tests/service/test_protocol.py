"""Raw HTTP: large heads, slow requests, repeated headers and idle connections."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import BadStatusLine, HTTPResponse
from pathlib import Path
from threading import Event, Thread

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.service.conftest import Service
from web.service import protocol
from web.service.protocol import MAX_HEAD_BYTES, RESERVE, Protocol, most_connections


def answer(port: int, *parts: bytes) -> bytes:
    """Send a request in those parts and return the answer, or b"" if the server hangs up before it."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        with suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
        response = HTTPResponse(connection)
        try:
            response.begin()
            text = "".join(f"{name}: {value}\r\n" for name, value in response.getheaders())
            return f"HTTP/1.1 {response.status}\r\n{text}\r\n".encode() + response.read()
        except (ConnectionError, BadStatusLine):
            return b""


def head(port: int, *headers: str, line: str = "GET /me HTTP/1.1") -> bytes:
    return "\r\n".join([line, f"Host: 127.0.0.1:{port}", *headers, "", ""]).encode()


def test_a_head_that_is_too_large_is_refused(shared_service: Service) -> None:
    port = shared_service.port
    assert answer(port, head(port, f"X: {'a' * (MAX_HEAD_BYTES - 1_000)}")).startswith(b"HTTP/1.1 200")
    long = [head(port, f"X: {'a' * MAX_HEAD_BYTES}"), head(port, *(f"X-{n}: {'a' * 100}" for n in range(1_000)))]
    long.append(head(port, line=f"GET /me?{'a' * MAX_HEAD_BYTES} HTTP/1.1"))
    for one in long:
        assert answer(port, one).startswith(b"HTTP/1.1 431"), one[:80]
    endless = [head(port)[:-2], b"X: ", *[b"a" * 1_000_000] * 10]
    # The answer may be lost while the rest of the request is still being sent.
    assert answer(port, *endless)[:12] in (b"", b"HTTP/1.1 431")
    body = b"1\r\n{\r\n0\r\n" + b"".join(b"X-%d: %b\r\n" % (n, b"a" * 100) for n in range(1_000))
    chunked = head(port, "Content-Type: text/plain", "Transfer-Encoding: chunked", line="POST /session HTTP/1.1")
    assert b"HTTP/1.1 2" not in answer(port, chunked, body)
    assert shared_service.client().get("/me").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        ("Host: evil.example",),
        ("Host: 127.0.0.1",),
        ("Authorization: Bearer mam_a_b", "Authorization: Bearer mam_c_d"),
        ("Origin: http://evil.example", "origin: null"),
        ('If-Match: "1"', 'If-Match: "2"'),
    ],
)
def test_a_repeated_security_header_is_refused(shared_service: Service, headers: tuple[str, ...]) -> None:
    response = answer(shared_service.port, head(shared_service.port, *headers))
    assert response.startswith(b"HTTP/1.1 400")
    assert b"header_twice" in response


def test_trailers_are_not_used_as_headers(shared_service: Service) -> None:
    port, token = shared_service.port, shared_service.token("gm", "--by", "Mara")
    # A request through a proxy has no rights without a token.
    chunked = ("Via: 1.1 x", "Transfer-Encoding: chunked")
    for trailers in (f"Authorization: Bearer {token}", f"Cookie: mam={token}"):
        parts = head(port, *chunked, line="GET /me HTTP/1.1"), f"0\r\n{trailers}\r\n\r\n".encode()
        for chunks in (parts, (b"".join(parts),)):
            assert b'"anybody"' in answer(port, *chunks)
    # With the token in a real header the same request is Mara's.
    assert b'"Mara"' in answer(port, head(port, *chunked, f"Authorization: Bearer {token}"), b"0\r\n\r\n")


def test_trailers_do_not_reach_the_application() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": repr(scope["headers"]).encode()})

    with served(app) as port:
        request = head(port, "X-Forwarded-For: 192.0.2.1", "Transfer-Encoding: chunked", line="POST / HTTP/1.1")
        response = answer(port, request + b"1\r\na\r\n0\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n")
        assert b"192.0.2.1" in response
        assert b"192.0.2.2" not in response


HALVES = (
    "",
    "GET /me HT",
    "GET /me HTTP/1.1\r\nHost: {host}\r\n",
    *(
        f"POST {path} HTTP/1.1\r\nHost: {{host}}\r\nContent-Type: application/json\r\n{rest}"
        for path in ("/session", "/encounters")
        for rest in ("Content-Length: 9\r\n\r\n{{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n")
    ),
)


@pytest.mark.slow
def test_a_stopping_service_does_not_wait_for_half_a_request(tmp_path: Path) -> None:
    service = Service(tmp_path / "fights.db")
    with ExitStack() as stack:
        connections = []
        for half in HALVES:
            connections.append(stack.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=10)))
            connections[-1].sendall(half.format(host=f"127.0.0.1:{service.port}").encode())
        assert service.client().get("/me").status == 200
        service.process.send_signal(signal.SIGTERM)
        assert service.process.communicate(timeout=20)[1] == ""
        assert [one.recv(12) for one in connections] == [b""] * 3 + [b"HTTP/1.1 503"] * 4
    assert [file.name for file in tmp_path.iterdir()] == ["fights.db"]


def read_answer(connection: socket.socket) -> bytes:
    """Read one chunked answer."""
    received = b""
    while not received.endswith(b"\r\n0\r\n\r\n"):
        chunk = connection.recv(4096)
        assert chunk, received
        received += chunk
    return received


@contextmanager
def serve_with_timeout(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Serve an app that gives a request half a second and answers with the number of bytes in its body."""
    monkeypatch.setattr(protocol, "REQUEST_TIMEOUT", 0.5)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        size = 0
        while (message := await receive())["type"] == "http.request":
            size += len(message["body"])
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b"%d" % size})

    with served(app) as port:
        yield port


@contextmanager
def served(app: ASGIApp) -> Iterator[int]:
    """Serve that app and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, http=Protocol, lifespan="off", log_config=None))
        thread = Thread(target=lambda: asyncio.run(server.serve([listening])))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = server.force_exit = True
            thread.join()


@pytest.mark.slow
def test_a_slow_request_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_with_timeout(monkeypatch) as port:
        posted = head(port, "Content-Length: 10", line="POST / HTTP/1.1")
        for half in (b"", b"GET /", head(port)[:-2], posted + b"{"):
            start = time.monotonic()
            assert answer(port, half)[:12] in (b"", b"HTTP/1.1 408")
            assert 0.4 < time.monotonic() - start < 5
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            # Complete requests have no time limit between them on the same connection.
            for _ in range(3):
                connection.sendall(head(port))
                assert read_answer(connection).startswith(b"HTTP/1.1 200")
                time.sleep(0.7)
            for byte in posted:
                connection.sendall(bytes([byte]))
            connection.sendall(b"{")
            assert connection.recv(100).startswith(b"HTTP/1.1 408")


@pytest.mark.slow
def test_a_blank_line_does_not_keep_a_connection_open(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serve_with_timeout(monkeypatch) as port,
        socket.create_connection(("127.0.0.1", port), timeout=10) as connection,
    ):
        connection.sendall(head(port))
        assert read_answer(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(b"\r\n")
        start = time.monotonic()
        while connection.recv(100):
            pass
        assert 0.4 < time.monotonic() - start < 5


def test_a_pipelined_request_does_not_hide_that_the_client_left() -> None:
    event = Event()

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        event.set()

    with served(app) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as stream:
            stream.sendall(head(port) * 3)
            assert stream.recv(100).startswith(b"HTTP/1.1 200")
            assert not event.wait(0.1)
        assert event.wait(5)


@pytest.mark.slow
def test_a_long_body_gets_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_with_timeout(monkeypatch) as port:
        length = 8 * 64 * 1024
        with socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
            slow.sendall(head(port, f"Content-Length: {length}", line="POST / HTTP/1.1"))
            for _ in range(8):
                slow.sendall(b"a" * (64 * 1024))
                time.sleep(0.15)
            assert str(length).encode() in read_answer(slow)


@pytest.mark.slow
def test_an_endless_header_uses_no_memory(tmp_path: Path) -> None:
    service = Service(tmp_path / "heads.db")
    peak = Path(f"/proc/{service.process.pid}/status")

    def most() -> int:
        return int(next(line for line in peak.read_text().splitlines() if line.startswith("VmHWM")).split()[1])

    assert service.client().get("/me").status == 200
    before = most()
    for _ in range(5):
        answer(service.port, head(service.port)[:-2], b"X: ", *[b"a" * 1_000_000] * 40)
    assert most() - before < 8 * 1024
    assert service.stop() == 0


@pytest.mark.slow
def test_idle_connections_are_closed_to_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (scope["type"], (await receive())["type"]) == ("http", "http.request")
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(Protocol, "most", 20)
    with served(app) as port, ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10)) for _ in range(60)]
        for _ in range(3):
            assert answer(port, head(port)).startswith(b"HTTP/1.1 204")
        assert sum(map(_is_gone, idle)) >= len(idle) - Protocol.most


def _is_gone(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_the_limit_of_open_files_is_raised() -> None:
    assert most_connections() >= RESERVE
