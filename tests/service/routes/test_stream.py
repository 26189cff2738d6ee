"""The stream of rulings: every ruling once, from any process."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from benchmarks.fights import begin, fight_on
from mam_events.log.combat_log import CombatLog
from tests.fighters import play_printed
from tests.postgres import Server, shared
from tests.service.conftest import Client, Service, run_mam
from web.service.notifications import Notifier

Name = Callable[[], str]
ADJUST = {"do": "adjust", "reason": "so it is"}


def numbers(response: HTTPResponse, until: int) -> list[int]:
    """Read the ids of server-sent events up to that one."""
    ruling_numbers: list[int] = []
    while until not in ruling_numbers:
        line = response.readline()
        assert line, "the stream ended"
        if line.startswith(b"id: "):
            ruling_numbers.append(int(line[4:]))
    return ruling_numbers


def test_a_stream_continues_after_the_last_event_id(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream", Last_Event_ID="3") as response:
        assert response.getheader("content-type", "").startswith("text/event-stream")
        assert numbers(response, 5) == [4, 5]
        start = time.monotonic()
        master.order(name, ADJUST)
        assert numbers(response, 6) == [6]
        assert time.monotonic() - start < 2


def test_rulings_of_another_process_are_streamed(shared_service: Service, master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream?after=5", Accept="application/x-ndjson") as response:
        run_mam("note", "from elsewhere", "-e", name, "--store", str(shared_service.store), "-q")
        document = json.loads(response.readline())
        assert (document["number"], document["asked"]["text"]) == (6, "from elsewhere")


def test_a_streamed_correction_has_its_verdicts(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    strike = {"do": "attack", "attacker": "ana", "target": "bo", "power": 2}
    master.order(name, strike, {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1})
    with master.stream(f"/encounters/{name}/events/stream?after=7", Accept="application/x-ndjson") as response:
        amend = {"correct": "steps", "steps": [{"step": "amend", "ruling": 7, "patch": {"attack_die": 1}}]}
        assert master.post(f"/encounters/{name}/corrections", amend, 7).status == 200
        document = json.loads(response.readline())
        assert [(one["ruling"], one["verdict"]) for one in document["verdicts"]] == [(7, "changed")]


def test_a_stream_with_an_unknown_last_event_id_starts_again(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream", Last_Event_ID="99") as response:
        lines = [response.readline() for _ in range(4)]
        assert b"event: reset\n" in lines
        assert numbers(response, 5) == [1, 2, 3, 4, 5]
    assert master.get(f"/encounters/{name}/events/stream", Last_Event_ID="x").status == 400
    assert master.get("/encounters/none/events/stream").status == 404


@pytest.mark.slow
def test_the_service_stops_at_once_with_streams_open(tmp_path: Path) -> None:
    service = Service(tmp_path / "streams.db")
    client = service.client()
    client.begin("duel")
    with client.stream("/encounters/duel/events/stream") as one, client.stream("/encounters/duel/events/stream") as two:
        numbers(one, 5)
        numbers(two, 5)
        start = time.monotonic()
        assert service.stop() == 0
        assert time.monotonic() - start < 2


@pytest.mark.slow
def test_five_hundred_idle_streams_and_slow_readers_do_not_block_others(tmp_path: Path) -> None:
    service = Service(tmp_path / "crowd.db")
    client = service.client()
    client.begin("duel")
    with ExitStack() as crowd:
        streams = [crowd.enter_context(client.stream("/encounters/duel/events/stream")) for _ in range(500)]
        assert {response.status for response in streams} == {200}
        for _ in range(30):
            assert client.order("duel", ADJUST).status == 200
        # The other streams never read.
        for response in streams[::10]:
            assert numbers(response, 35) == list(range(1, 36))
    assert service.stop() == 0


def test_a_token_may_open_twenty_streams(shared_service: Service, master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    viewer = shared_service.client(shared_service.token("viewer", "--by", "Screen", "-e", name))
    with ExitStack() as crowd:
        streams = [crowd.enter_context(viewer.stream(f"/encounters/{name}/events/stream")) for _ in range(21)]
        for response in streams[:20]:
            assert numbers(response, 5) == [1, 2, 3, 4, 5]
        assert [response.status for response in streams] == [200] * 20 + [429]


def test_the_limit_of_streams_holds_for_requests_at_once(
    shared_service: Service, master: Client, encounter: Name
) -> None:
    name = encounter()
    master.begin(name)
    token = shared_service.token("viewer", "--by", "Screen", "-e", name)
    assert shared_service.client(token).get("/me").status == 200
    request_head = f"GET /encounters/{name}/events/stream HTTP/1.1\r\nHost: 127.0.0.1:{shared_service.port}\r\n"
    with ExitStack() as crowd:
        connections = [
            crowd.enter_context(socket.create_connection(("127.0.0.1", shared_service.port), timeout=10))
            for _ in range(88)
        ]
        for connection in connections:
            connection.sendall(f"{request_head}Authorization: Bearer {token}\r\n\r\n".encode())
        statuses = Counter(connection.recv(12)[-3:] for connection in connections)
    assert statuses == {b"200": 20, b"429": 68}


def test_a_head_request_to_a_stream_opens_no_stream(shared_service: Service, master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    viewer = shared_service.client(shared_service.token("viewer", "--by", "Screen", "-e", name))
    headers = {"Authorization": f"Bearer {viewer.token}"}
    with closing(HTTPConnection("127.0.0.1", shared_service.port, timeout=10)) as connection:
        for _ in range(25):
            for method, path, media in (
                ("HEAD", f"/encounters/{name}/events/stream", "text/event-stream; charset=utf-8"),
                ("GET", "/me", "application/json"),
            ):
                connection.request(method, path, headers=headers)
                response = connection.getresponse()
                response.read()
                assert (response.status, response.getheader("content-type")) == (200, media)
    with viewer.stream(f"/encounters/{name}/events/stream") as response:
        assert numbers(response, 5) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("busy", [True, False], ids=["busy", "idle"])
def test_the_stream_of_a_token_that_was_revoked_ends(
    shared_service: Service, master: Client, encounter: Name, *, busy: bool
) -> None:
    name = encounter()
    master.begin(name)
    token = shared_service.token("viewer", "--by", "Screen", "-e", name)
    with shared_service.client(token).stream(f"/encounters/{name}/events/stream") as response:
        assert numbers(response, 5) == [1, 2, 3, 4, 5]
        run_mam("token", "revoke", token.split("_")[1], "--store", str(shared_service.store))
        start = time.monotonic()
        if busy:
            assert master.order(name, ADJUST).status == 200
        # A ruling that was already on its way may still arrive.
        assert b"id: 6" not in response.read()
        assert time.monotonic() - start < 5


@pytest.mark.slow
def test_a_long_log_is_streamed_from_its_beginning(tmp_path: Path) -> None:
    with CombatLog.open(tmp_path / "long.db") as log:
        begin(log, "fight")
        fight_on(log, "fight", 250)
    service = Service(tmp_path / "long.db")
    with service.client().stream("/encounters/fight/events/stream") as response:
        assert numbers(response, 250) == list(range(1, 251))
        assert service.client().post("/encounters/fight/notes", {"text": "so it was"}, "*").status == 200
        assert numbers(response, 251) == [251]
    assert service.stop() == 0


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "file":
        yield str(tmp_path / "feed.db")
        return
    url = shared().database()
    yield url
    shared().drop(url)


@pytest.fixture
def mortal() -> Iterator[Server]:
    """Yield a server of its own, which a test may kill."""
    server = Server(5435)
    yield server
    server.stop()


@asynccontextmanager
async def running_notifier(log: CombatLog) -> AsyncIterator[Notifier]:
    feed = Notifier(log)
    feed.begin(asyncio.get_running_loop())
    yield feed
    start = time.monotonic()
    feed.end()
    await asyncio.to_thread(feed.join)
    assert time.monotonic() - start < 1


def test_waiters_for_an_encounter_are_woken_by_writes_of_another_process(address: str) -> None:
    async def wait(log: CombatLog, other: CombatLog) -> None:
        async with running_notifier(log) as feed:
            duel, brawl = feed.waiting_for("duel", "one"), feed.waiting_for("brawl", "two")
            for encounter, woken, waits in (("duel", duel, brawl), ("brawl", brawl, duel), ("duel", duel, brawl)):
                await asyncio.to_thread(other.note, encounter, "from elsewhere")
                await asyncio.wait_for(woken.wait(), 10)
                assert not waits.is_set()
                woken.clear()
        assert duel.is_set()
        assert brawl.is_set()

    with CombatLog.open(address) as log, CombatLog.open(address) as other:
        for encounter in ("duel", "brawl"):
            play_printed(other, encounter)
        asyncio.run(wait(log, other))


@pytest.mark.slow
def test_a_lost_store_is_logged_once_and_polled_again(mortal: Server, caplog: pytest.LogCaptureFixture) -> None:
    def outage_warnings() -> list[str]:
        return [record.getMessage() for record in caplog.records if "cannot be followed" in record.getMessage()]

    def die(outage: int) -> None:
        # Let pending reads finish first; they would wait for the pool.
        time.sleep(0.5)
        mortal.kill()
        end = time.monotonic() + 30
        while len(outage_warnings()) < outage and time.monotonic() < end:
            time.sleep(0.05)
        # The notifier tries several times meanwhile.
        time.sleep(2.5)
        assert len(outage_warnings()) == outage

    def come_again(url: str) -> None:
        mortal.start()
        with CombatLog.open(url) as other:
            other.note("duel", "from elsewhere")

    async def wait(log: CombatLog, url: str) -> None:
        async with running_notifier(log) as feed:
            duel = feed.waiting_for("duel", "one")
            for outage in (1, 2):
                await asyncio.to_thread(die, outage)
                await asyncio.to_thread(come_again, url)
                await asyncio.wait_for(duel.wait(), 30)
                duel.clear()

    caplog.set_level(logging.WARNING)
    url = mortal.database()
    with CombatLog.open(url) as log:
        play_printed(log, "duel")
        asyncio.run(wait(log, url))
    assert len(outage_warnings()) == 2
