"""A running `mam serve` on a free port, and an HTTP client."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from click.testing import CliRunner

from cli.app import main

JSON = {"Content-Type": "application/json"}
PARTY = (
    {"do": "join", "combatant": "ana", "name": "Ana", "hp": 9, "side": "heroes"},
    {"do": "join", "combatant": "bo", "name": "Bo", "hp": 9, "side": "thugs"},
    {"do": "initiative", "first": "ana", "reason": "she kicked the door in"},
    {"do": "begin-turn", "combatant": "ana"},
)

HIDDEN = {"do": "join", "combatant": "zqxwvkj", "name": "Zqxwvkj", "hp": 9, "side": "cult", "visibility": "gm"}


class ServiceResponse(NamedTuple):
    """The status, the headers and the body of a response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """A client of the service, with a token or from localhost."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, *, raw: bytes = b""
    ) -> ServiceResponse:
        all_headers = dict(headers or {})
        if self.token:
            all_headers.setdefault("Authorization", f"Bearer {self.token}")
        content = raw or (None if body is None else json.dumps(body).encode())
        if body is not None:
            all_headers = JSON | all_headers
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, content, all_headers)
            response = connection.getresponse()
            return ServiceResponse(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())

    def get(self, path: str, **headers: str) -> ServiceResponse:
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, body: Any, expected: int | str | None = None, key: str = "") -> ServiceResponse:
        headers = {"Idempotency-Key": key or uuid4().hex}
        if expected is not None:
            headers["If-Match"] = f'"{expected}"' if isinstance(expected, int) else expected
        return self.ask("POST", path, body, headers)

    def order(self, encounter: str, *orders: Mapping[str, Any], key: str = "") -> ServiceResponse:
        """Give orders, naming the newest ruling as the one the client saw."""
        version = self.get(f"/encounters/{encounter}").json["version"]
        return self.post(
            f"/encounters/{encounter}/commands?sure=true", orders[0] if len(orders) == 1 else orders, version, key
        )

    def begin(self, encounter: str, *orders: Mapping[str, Any], preset: str = "mam_pools") -> None:
        """Begin a fight of two, in the turn of the first."""
        assert self.post("/encounters", {"encounter": encounter, "open": {"preset": preset}}).status == 201
        response = self.order(encounter, *(orders or PARTY))
        assert response.status == 200, response.body

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[HTTPResponse]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        authorization = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        connection.request(
            "GET", path, headers=authorization | {name.replace("_", "-"): v for name, v in headers.items()}
        )
        try:
            yield connection.getresponse()
        finally:
            connection.close()


def run_mam(*words: str) -> str:
    """Run `mam` in this process and return its output."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, (words, result.output)
    return result.stdout


class Service:
    """A running `mam serve`."""

    def __init__(self, store: Path, *more: str) -> None:
        self.store = store
        words = [sys.executable, "-m", "cli.app", "serve", "--port", "0", "--json", "--store", str(store), *more]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        self.port: int = json.loads(line)["port"]

    def client(self, token: str = "") -> Client:
        return Client(self.port, token)

    def token(self, *words: str) -> str:
        """Return a new token from `mam token`."""
        return str(json.loads(run_mam("token", *words, "--store", str(self.store), "--json"))["token"])

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(10)
        finally:
            self.process.kill()
            self.process.communicate()


@pytest.fixture(scope="session")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield one service for all tests that bring their own encounters."""
    service = Service(tmp_path_factory.mktemp("service") / "fights.db")
    yield service
    assert service.stop() == 0


@pytest.fixture
def master(shared_service: Service) -> Client:
    """Return the client of the game master, who calls from localhost."""
    return shared_service.client()


@pytest.fixture
def encounter() -> Callable[[], str]:
    """Return a function that gives unique names."""
    return lambda: f"fight-{next(_NUMBERS)}"


_NUMBERS = count(1)


class Table(NamedTuple):
    """A fight, and clients of everybody in it."""

    name: str
    master: Client
    ana: Client
    bo: Client
    viewer: Client

    @property
    def at(self) -> str:
        return f"/encounters/{self.name}"

    @property
    def version(self) -> int:
        return int(self.master.get(self.at).json["version"])


@pytest.fixture(scope="session")
def make_table(shared_service: Service) -> Callable[[], Table]:
    numbers = iter(range(1, 1000))

    def make() -> Table:
        name = f"table-{next(numbers)}"
        master = shared_service.client()
        master.begin(name, HIDDEN, *PARTY)
        words = [("player", "ana", "--by", "Ana"), ("player", "bo", "--by", "Bo"), ("viewer", "--by", "Screen")]
        clients = [shared_service.client(shared_service.token(*word, "-e", name)) for word in words]
        return Table(name, master, *clients)

    return make
