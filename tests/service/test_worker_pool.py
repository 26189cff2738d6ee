"""Long computations: they don't block others and end with their client."""

from __future__ import annotations

import asyncio
import errno
import os
import pickle
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread

import pytest

from benchmarks.fights import begin, fight_on
from mam_events.errors import BadInput, CommandHint, MamError, NotFound, Refused, VersionConflict
from mam_events.log.combat_log import CombatLog
from mam_events.refusals.arguments import CombatantArgument, Term
from tests.service.conftest import Service
from web.service.answer_bytes import encode_answer
from web.service.app import is_expensive
from web.service.context import ServiceContext, Settings
from web.service.endpoints import ENDPOINTS
from web.service.principal import LOCAL_GM, Principal
from web.service.problems import HttpError
from web.service.request import RequestContext
from web.service.routes import load_routes
from web.service.worker_pool import MAX_ANONYMOUS, MAX_WAITING_PER_TOKEN, JobResult, Worker, WorkerPool

load_routes()
AT = "/encounters/fight"
SMALL = {"me", "health", "rulesets", "ruleset", "rerun_progress", "versions"}
"""Calls that are fast, however long a fight is."""
NOW = {"encounter", "state", "pools", "order", "legal", "seal", "proposed"}
"""Endpoints for the current state of a fight."""


@pytest.fixture(scope="module")
def fight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a service with a fight whose page takes seconds."""
    store = tmp_path_factory.mktemp("pool") / "fight.db"
    with CombatLog.open(store) as log:
        begin(log, "fight")
        fight_on(log, "fight", 1_000)
    service = Service(store)
    yield service
    assert service.stop() == 0


def computing(service: Service) -> set[int]:
    """Return the ids of the processes that compute for a service."""
    output = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 2) for line in output.splitlines())
    return {int(pid) for pid, parent, words in rows if int(parent) == service.process.pid and "spawn_main" in words}


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: object, seconds: float = 10) -> None:
    """Wait until the function returns a true value."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]  # it is called
        assert time.monotonic() < end
        time.sleep(0.02)


def open_request(service: Service, path: str, token: str = "") -> socket.socket:
    """Send a request and return the connection, with nothing read from it."""
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n{authorization}\r\n".encode())
    return connection


def test_every_expensive_get_is_computed_in_another_process() -> None:
    cheap = {call.name for call in ENDPOINTS if call.method == "GET" and not call.expensive and call.kind != "stream"}
    # `rows` is for the command line of the game master.
    assert cheap == SMALL | NOW | {"rows"}
    # This process handles writes; of the other requests only those for the game master.
    names = {call.name for call in ENDPOINTS if call.method != "GET" and call.kind != "write" and not call.expensive}
    assert names == {"import_", "append", "rerun"}


def test_views_of_earlier_moments_are_computed_in_another_process() -> None:
    for call in ENDPOINTS:
        if call.method == "GET" and "at" in call.query.__struct_fields__:
            query = {"what": "ana"} if "what" in call.query.__struct_fields__ else {}
            assert is_expensive(call, call.query(**query, at="3")), call.name
            assert is_expensive(call, call.query(**query)) == call.expensive, call.name


@pytest.mark.slow
def test_a_token_may_have_few_computations_waiting_while_others_are_served(fight: Service) -> None:
    token, other = (fight.token("viewer", "--by", name, "-e", "fight") for name in ("Vera", "Will"))
    assert fight.client(token).get("/me").status == 200
    with ExitStack() as stack:
        crowd = [
            stack.enter_context(open_request(fight, f"{AT}/replay.html", token))
            for _ in range(MAX_WAITING_PER_TOKEN + 3)
        ]
        rejections = [line for line in crowd[MAX_WAITING_PER_TOKEN:] if line.recv(12) == b"HTTP/1.1 429"]
        assert len(rejections) == 3
        assert fight.client(other).get(f"{AT}/explain?what=clone.stun").status == 200
        assert fight.client().get(f"{AT}/explain?what=clone.stun").status == 200
        assert fight.client(token).get("/me").status == 200


@pytest.mark.slow
def test_a_computation_is_cancelled_once_its_client_left(fight: Service) -> None:
    before = computing(fight)
    with open_request(fight, f"{AT}/replay.html"):
        time.sleep(0.3)
        wait_until(lambda: computing(fight))
        at_work = computing(fight)
    wait_until(lambda: not at_work <= computing(fight), 3)
    assert before | at_work
    assert fight.client().get(f"{AT}/seal").status == 200
    assert fight.client().get(f"{AT}/log").status == 200


@pytest.mark.slow
def test_a_killed_service_leaves_no_worker_process(tmp_path: Path) -> None:
    service = Service(tmp_path / "fights.db")
    client = service.client()
    client.begin("duel")
    for n in range(200):
        client.post("/encounters", {"encounter": f"duel-{n}", "open": {}})
    assert client.get("/encounters/duel/log").status == 200
    response = client.ask("POST", "/reruns", {"house_rules": {"half_success": "never"}})
    assert response.status == 202, response.body
    wait_until(lambda: len(computing(service)) == 2)
    pids = computing(service)
    service.process.send_signal(signal.SIGKILL)
    service.process.wait(10)
    wait_until(lambda: not any(map(is_alive, pids)), 5)
    service.process.communicate()


def test_a_worker_that_is_killed_is_replaced(fight: Service) -> None:
    client = fight.client()
    assert client.get(f"{AT}/explain?what=clone.stun").status == 200
    for process in computing(fight):
        os.kill(process, signal.SIGKILL)
    wait_until(lambda: not computing(fight))
    # For a moment the service may not know that a worker is gone, and asks to try again.
    wait_until(lambda: client.get(f"{AT}/explain?what=clone.stun").status == 200)
    responses = []
    line = Thread(target=lambda: responses.append(client.get(f"{AT}/replay.html")))
    line.start()
    time.sleep(0.5)
    for process in computing(fight):
        os.kill(process, signal.SIGKILL)
    line.join()
    assert (responses[0].status, responses[0].json["code"]) == (503, "not_computed")
    assert client.get(f"{AT}/explain?what=clone.stun").status == 200


@pytest.mark.slow
def test_a_worker_that_cannot_start_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    async def ask(pool: WorkerPool) -> None:
        request = RequestContext(None, LOCAL_GM, {"encounter": "fight"})  # type: ignore[arg-type]  # the pool sets the service
        with monkeypatch.context() as patched:
            patched.setattr(BaseProcess, "start", refuse)
            for _ in range(2):
                with pytest.raises(HttpError) as error:
                    await pool.run(encode_answer, request, encounters_of)
                assert (error.value.status, error.value.code) == (503, "not_computed")
        assert await pool.run(encode_answer, request, encounters_of) == b"[]"
        pool.end()

    with CombatLog.open(tmp_path / "fights.db") as log:
        asyncio.run(ask(WorkerPool(log)))


def encounters_of(ask: RequestContext) -> list[str]:
    return ask.log.encounters()


@pytest.mark.slow
def test_callers_without_a_token_do_not_block_those_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    let_go = Event()

    def answer(_: Worker, task: tuple[object, RequestContext, object]) -> JobResult:
        if not task[1].who.token:
            assert let_go.wait(60)
        return JobResult(task[1].payer)

    def ask(payer: str, token: str = "") -> RequestContext:
        who = Principal("viewer", encounter="fight", token=token)
        return RequestContext(None, who, {"encounter": "fight"}, payer=payer)  # type: ignore[arg-type]  # nothing is computed

    async def crowd(pool: WorkerPool) -> None:
        run = partial(pool.run, encode_answer)
        visitors = [asyncio.ensure_future(run(ask(f"192.0.2.{n}"), encounters_of)) for n in range(MAX_ANONYMOUS + 3)]
        finished, waiting = await asyncio.wait(visitors, timeout=0.1)
        try:
            errors = [one.exception() for one in finished]
            assert [one.status for one in errors if isinstance(one, HttpError) and one.code == "crowded"] == [503] * 3
            assert len(errors) == 3
            for name in ("Vera", "Will"):
                assert await asyncio.wait_for(run(ask(name, name), encounters_of), 60) == name
        finally:
            let_go.set()
        assert await asyncio.gather(*visitors[:MAX_ANONYMOUS]) == [f"192.0.2.{n}" for n in range(MAX_ANONYMOUS)]
        assert len(waiting) == MAX_ANONYMOUS
        assert await run(ask("192.0.2.1"), encounters_of) == "192.0.2.1"
        pool.end()

    monkeypatch.setattr(Worker, "answer", answer)
    with CombatLog.open("sqlite://") as log:
        asyncio.run(crowd(WorkerPool(log)))


@pytest.mark.parametrize(
    "error",
    [
        Refused(
            "unknown_combatant",
            rule="1",
            fields=("a",),
            wrong="b",
            allowed=[Term("c"), CombatantArgument("d", "D")],
            hints=[CommandHint("end-turn"), CommandHint("x", {"a": 1})],
        ),
        BadInput("no number.", place="at", wrong="x", allowed=("y",)),
        HttpError(403, "forbidden", "No.", {"Retry-After": "1"}),
        NotFound("Nothing."),
        VersionConflict("The log has changed."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling(error: MamError) -> None:
    other = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert other.__dict__ == error.__dict__


@pytest.mark.slow
def test_a_service_stops_at_once_in_the_middle_of_computations(fight: Service) -> None:
    # A second service for the same store.
    service = Service(fight.store)
    with ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(open_request(service, f"{AT}/replay.html"))
        wait_until(lambda: computing(service))
        service.process.send_signal(signal.SIGINT)
        error = service.process.communicate(timeout=3)[1]
        # In development mode Python logs slow steps.
        assert not [line for line in error.splitlines() if not line.startswith("Executing <")]


@pytest.mark.slow
def test_a_rerun_stops_once_the_service_ends() -> None:
    with CombatLog.open("sqlite://") as log:
        for n in range(60):
            begin(log, f"fight-{n}")
        reruns = ServiceContext(log, Settings()).reruns
        progress = reruns.begin({"half_success": "never"})
        wait_until(lambda: progress.judged)
        reruns.close()
        wait_until(lambda: progress.status != "running")
        assert progress.judged < 60
