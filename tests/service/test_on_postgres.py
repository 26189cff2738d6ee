"""The service on PostgreSQL: two processes on one database."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.postgres import Server, shared
from tests.service.conftest import PARTY, Client, Service
from tests.service.routes.test_stream import numbers

pytestmark = pytest.mark.slow

ADJUST = {"do": "adjust", "reason": "so it is"}


@contextmanager
def two_services(url: str) -> Iterator[tuple[Service, Service]]:
    one, two = (Service(url) for _ in range(2))  # type: ignore[arg-type]  # an address in place of a path
    yield one, two
    assert one.stop() == 0
    assert two.stop() == 0


@pytest.fixture
def services() -> Iterator[tuple[Service, Service]]:
    with two_services(shared().database()) as clients:
        yield clients


@pytest.fixture
def mortal() -> Iterator[Server]:
    """Yield a server of its own, which a test may kill."""
    server = Server(5434)
    yield server
    server.stop()


def test_an_encounter_continues_at_either_service_and_streams_at_both(services: tuple[Service, Service]) -> None:
    one, two = (service.client() for service in services)
    one.begin("duel")
    with two.stream("/encounters/duel/events/stream?after=5") as stream:
        for turn in range(4):
            order_response = (one, two)[turn % 2].order("duel", ADJUST)
            assert order_response.status == 200, order_response.body
        assert numbers(stream, 9) == [6, 7, 8, 9]
    assert one.get("/encounters/duel/pools").body == two.get("/encounters/duel/pools").body
    response = two.post("/encounters/duel/commands", ADJUST, 5)
    assert (response.status, [row["number"] for row in response.json["missed"]]) == (412, [6, 7, 8, 9])


def test_two_clients_at_two_services_lose_and_duplicate_nothing(services: tuple[Service, Service]) -> None:
    services[0].client().begin("duel")
    events: list[dict[str, Any]] = []

    def play(client: Client, name: str) -> None:
        for turn in range(15):
            while True:
                version = client.get("/encounters/duel").json["version"]
                response = client.post("/encounters/duel/commands", ADJUST, version, key=f"{name} {turn}")
                if response.status == 200:
                    events.append(response.json["rulings"][0])
                    break
                assert response.status == 412, response.body

    players = [threading.Thread(target=play, args=(one.client(), f"{n}")) for n, one in enumerate(services)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert sorted(one["number"] for one in events) == list(range(6, 36))
    assert services[1].client().get("/encounters/duel/verify").status == 200


def test_a_database_that_restarts_is_waited_for(mortal: Server) -> None:
    with two_services(mortal.database()) as services:
        client = services[0].client()
        client.begin("duel", *PARTY)
        with (
            services[1]
            .client()
            .stream("/encounters/duel/events/stream?after=5", Accept="application/x-ndjson") as stream
        ):
            mortal.kill()
            timer = threading.Timer(0.7, mortal.start)
            timer.start()
            response = client.post("/encounters/duel/commands", ADJUST, 5, key="once")
            timer.join()
            assert response.status in (200, 503), response.body
            while response.status != 200:
                response = client.post("/encounters/duel/commands", ADJUST, 5, key="once")
            assert response.json["version"] == 6
            line = b"\n"
            while line == b"\n":
                line = stream.readline()
            assert json.loads(line)["number"] == 6
        assert services[1].client().get("/encounters/duel").json["version"] == 6
