"""The log as it grows: every ruling once, from where one left off, from whichever process it came."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path

from tests.service.conftest import Client, Service

Name = Callable[[], str]
ADJUST = {"do": "adjust", "reason": "so it is"}


def numbers(response: HTTPResponse, until: int) -> list[int]:
    """The ids of server-sent events up to that one."""
    found: list[int] = []
    while until not in found:
        line = response.readline()
        assert line, "the stream ended"
        if line.startswith(b"id: "):
            found.append(int(line[4:]))
    return found


def test_a_stream_begins_where_one_left_off_and_goes_on(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream", Last_Event_ID="3") as response:
        assert response.getheader("content-type", "").startswith("text/event-stream")
        assert numbers(response, 5) == [4, 5]
        began = time.monotonic()
        master.order(name, ADJUST)
        assert numbers(response, 6) == [6]
        assert time.monotonic() - began < 2


def test_what_another_process_writes_is_streamed_too(serving: Service, master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream?after=5", Accept="application/x-ndjson") as response:
        line = [
            sys.executable,
            "-m",
            "cli.main",
            "note",
            "from elsewhere",
            "-e",
            name,
            "--store",
            str(serving.store),
            "-q",
        ]
        subprocess.run(line, check=True, capture_output=True)
        told = json.loads(response.readline())
        assert (told["number"], told["asked"]["text"]) == (6, "from elsewhere")


def test_a_correction_tells_what_it_made_of_others(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    strike = {"do": "attack", "attacker": "ana", "target": "bo", "power": 2}
    master.order(name, strike, {"do": "resolve", "exchange": 6, "attack_die": 6, "defense_die": 1})
    with master.stream(f"/encounters/{name}/events/stream?after=7", Accept="application/x-ndjson") as response:
        amend = {"correct": "steps", "steps": [{"step": "amend", "ruling": 7, "patch": {"attack_die": 1}}]}
        assert master.post(f"/encounters/{name}/corrections", amend, 7).status == 200
        told = json.loads(response.readline())
        assert [(one["ruling"], one["verdict"]) for one in told["verdicts"]] == [(7, "changed")]


def test_whoever_saw_more_than_there_is_begins_anew(master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    with master.stream(f"/encounters/{name}/events/stream", Last_Event_ID="99") as response:
        lines = [response.readline() for _ in range(4)]
        assert b"event: reset\n" in lines
        assert numbers(response, 5) == [1, 2, 3, 4, 5]
    assert master.get(f"/encounters/{name}/events/stream", Last_Event_ID="x").status == 400
    assert master.get("/encounters/none/events/stream").status == 404


def test_the_service_stops_at_once_with_streams_open(tmp_path: Path) -> None:
    service = Service(tmp_path / "streams.db")
    client = service.client()
    client.begin("duel")
    with client.stream("/encounters/duel/events/stream") as one, client.stream("/encounters/duel/events/stream") as two:
        numbers(one, 5)
        numbers(two, 5)
        began = time.monotonic()
        assert service.stop() == 0
        assert time.monotonic() - began < 2


def test_five_hundred_idle_streams_and_slow_readers_hold_nobody_up(tmp_path: Path) -> None:
    service = Service(tmp_path / "crowd.db")
    client = service.client()
    client.begin("duel")
    with ExitStack() as crowd:
        found = [crowd.enter_context(client.stream("/encounters/duel/events/stream")) for _ in range(500)]
        assert {response.status for response in found} == {200}
        for _ in range(30):
            assert client.order("duel", ADJUST).status == 200
        # The others never read.
        for response in found[::10]:
            assert numbers(response, 35) == list(range(1, 36))
    assert service.stop() == 0


def test_a_token_listens_to_so_many_streams_at_once(serving: Service, master: Client, encounter: Name) -> None:
    name = encounter()
    master.begin(name)
    viewer = serving.client(serving.token("viewer", "--by", "Screen", "-e", name))
    with ExitStack() as crowd:
        found = [crowd.enter_context(viewer.stream(f"/encounters/{name}/events/stream")) for _ in range(21)]
        for response in found[:20]:
            assert numbers(response, 5) == [1, 2, 3, 4, 5]
        assert [response.status for response in found] == [200] * 20 + [429]
