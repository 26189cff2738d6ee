"""The service and its writer against their foundations: raw rows, the stock recorder, an empty handler."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter

import msgspec
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from benchmarks.fights import begin, next_command
from benchmarks.measure import Line, times
from benchmarks.writing import raw_store
from mam_events.log.combat_log import CombatLog
from mam_events.log.group_commit import GroupCommit
from mam_events.store import StoredEventRow
from mam_events.store.sqlite_schema import ruling_of

CALLERS = times(16, 4)
EACH = times(100, 10)
REQUESTS = times(1_500, 10)
COMMANDS = times(600, 60)
SECONDS = times(3)
Row = tuple[str, int, str, bytes]


def serving(folder: Path) -> Iterator[Line]:
    """Yield every line about the service."""
    yield from _together(folder)
    yield _longest_wait(folder)
    yield from _over_http(folder)


def _rulings(folder: Path) -> list[list[list[Row]]]:
    """Return the rows of each ruling for each caller; every caller has a fight of their own."""
    with CombatLog.open(folder / "fights.db") as log:
        begin(log, "fight")
        while log.execute("fight", next_command(log, "fight")).number < EACH:
            pass
        found: list[list[Row]] = []
        for row in log.application.rows("fight"):
            if ruling_of(row[2]):
                found.append([])
            found[-1].append(("fight", *row))
    return [[[(f"fight-{n}", *row[1:]) for row in ruling] for ruling in found] for n in range(CALLERS)]


def _together(folder: Path) -> Iterator[Line]:
    """Yield the time of `CALLERS` callers through the bounded writer, against raw rows and the stock recorder."""
    told = _rulings(folder)
    count = sum(map(len, told))
    taken: dict[str, list[float]] = {"ours": [], "raw": [], "stock": []}
    for turn in range(3):
        with CombatLog.open(folder / f"ours-{turn}.db") as log, GroupCommit(log) as writer:
            save = log.application.save

            def ours(fight: list[list[Row]], save: Callable[..., object] = save, writer: GroupCommit = writer) -> None:
                for ruling in fight:
                    events = [StoredEventRow(*row) for row in ruling]
                    writer.submit(partial(save, *events), ruling[0][0]).result()

            taken["ours"].append(_with_callers(ours, told))
        raw = raw_store(folder / f"raw-{turn}.db")
        start = perf_counter()
        for fight in told:
            for ruling in fight:
                raw.execute("BEGIN IMMEDIATE")
                raw.executemany("INSERT INTO stored_events VALUES (?,?,?,?)", ruling)
                raw.execute("COMMIT")
        taken["raw"].append(perf_counter() - start)
        raw.close()
        taken["stock"].append(_stock(folder / f"stock-{turn}.db", told))
    took = {name: statistics.median(found) / count for name, found in taken.items()}
    work = f"{CALLERS} callers through the writer, a ruling each time"
    for limit, bar, aim in (("raw", 1.5, 2.0), ("stock", 3.0, None)):
        said = "the same rows by raw sqlite3, a commit each" if limit == "raw" else "stock recorder, 16 threads"
        yield Line(work, said, took[limit] / took["ours"], bar, aim, took["ours"], took[limit], "ruling", at_least=True)


def _with_callers(work: Callable[[list[list[Row]]], None], told: list[list[list[Row]]]) -> float:
    start = perf_counter()
    with ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(work, told))
    return perf_counter() - start


def _stock(path: Path, told: list[list[list[Row]]]) -> float:
    """Return the seconds of the library's own recorder, with the same durability."""
    datastore = SQLiteDatastore(str(path), originator_id_type="text", pool_size=CALLERS, max_overflow=CALLERS)
    recorder = SQLiteApplicationRecorder(datastore)
    recorder.create_table()

    def work(fight: list[list[Row]]) -> None:
        for ruling in fight:
            recorder.insert_events([StoredEvent(*row) for row in ruling])

    try:
        return _with_callers(work, told)
    finally:
        datastore.close()


_WRITER = """
import sys, time
from mam_events.log.combat_log import CombatLog
log, name, until = CombatLog.open(sys.argv[1]), sys.argv[2], time.monotonic() + float(sys.argv[3])
worst = 0.0
while time.monotonic() < until:
    start = time.perf_counter()
    log.note("fight-" + name, "x")
    worst = max(worst, time.perf_counter() - start)
print(worst)
"""


def _longest_wait(folder: Path) -> Line:
    """Return the longest wait of a writer while four processes write to one file, against one process alone."""
    path = folder / "shared.db"
    with CombatLog.open(path) as log:
        for name in "abcd":
            begin(log, f"fight-{name}")

    def longest(names: str) -> float:
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", _WRITER, str(path), name, str(SECONDS)], stdout=subprocess.PIPE, text=True
            )
            for name in names
        ]
        return max(float(process.communicate()[0]) for process in processes)

    alone, four = longest("a"), longest("abcd")
    return Line(
        "longest wait of 4 processes on one file", "of one alone", four / alone, None, None, four, alone, "wait"
    )


_EMPTY = """
import socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
async def nothing(request):
    return Response(b"")
app = Starlette(routes=[Route("/nothing", nothing)])
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(64)
print(listening.getsockname()[1], flush=True)
config = uvicorn.Config(app, log_level="critical", access_log=False, proxy_headers=False, server_header=False)
uvicorn.Server(config).run([listening])
"""


@contextmanager
def _process(*words: str) -> Iterator[int]:
    """Start a server in another process, yield its port, and stop it after the block."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 - stdout is a pipe
    line = process.stdout.readline()
    port = msgspec.json.decode(line)["port"] if line.startswith("{") else int(line)
    try:
        yield port
    finally:
        process.terminate()
        process.communicate()


def served(store: Path) -> AbstractContextManager[int]:
    """Serve a store in another process for a block, which gets the port."""
    return _process("-m", "cli.app", "serve", "--port", "0", "--json", "--store", str(store))


class Connection:
    """A raw HTTP connection that is kept open."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[bytes, bytes]:
        """Send a request and return the head and the body of the answer."""
        said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n{said}{length}\r\n"
        self._socket.sendall(head.encode() + body)
        told = b""
        while b"\r\n\r\n" not in told:
            told += self._more()
        before, _, rest = told.partition(b"\r\n\r\n")
        length_of = next(line for line in before.lower().split(b"\r\n") if line.startswith(b"content-length"))
        missing = int(length_of.split(b":")[1]) - len(rest)
        while missing > 0:
            rest += self._more()
            missing = int(length_of.split(b":")[1]) - len(rest)
        return before, rest

    def _more(self) -> bytes:
        if found := self._socket.recv(65536):
            return found
        raise ConnectionError

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()


def _over_http(folder: Path) -> Iterator[Line]:
    with CombatLog.open(folder / "here.db") as log, CombatLog.open(folder / "there.db") as there:
        begin(log, "fight")
        begin(there, "fight")
        with served(folder / "there.db") as port, _process("-c", _EMPTY) as empty:
            with closing(Connection(port)) as line:
                yield _posted(log, line)
            yield _got(port, empty)
            yield _crowd(port)


def _posted(log: CombatLog, line: Connection) -> Line:
    """Return the time of one command over HTTP, against the same command in process."""
    taken = []
    version = log.timeline("fight").number
    for turn in range(COMMANDS):
        command = next_command(log, "fight")
        start = perf_counter()
        log.execute("fight", command)
        middle = perf_counter()
        said = {"Idempotency_Key": f"{turn}", "If_Match": f'"{version}"'}
        head, told = line.ask("POST", "/encounters/fight/commands", msgspec.json.encode(command), **said)
        taken.append((perf_counter() - middle, middle - start))
        assert b" 200 " in head, told  # noqa: S101 - a failed request must not be measured
        version += 1
    ratio = statistics.median(there / here for there, here in taken[50:])
    ours, limit = (statistics.median(one[which] for one in taken[50:]) for which in (0, 1))
    return Line("POST of one command, connection kept", "the same in process", ratio, 2.5, None, ours, limit, "command")


def _got(port: int, empty: int) -> Line:
    """Return the time of GET pools while nobody writes to the encounter, against an empty handler."""
    rates = []
    with closing(Connection(port)) as ours, closing(Connection(empty)) as nothing:
        for _ in range(5):
            took = []
            for line, path in ((ours, "/encounters/fight/pools"), (nothing, "/nothing")):
                start = perf_counter()
                for _ in range(REQUESTS):
                    line.ask("GET", path)
                took.append((perf_counter() - start) / REQUESTS)
            rates.append(took)
    ratio = statistics.median(nothing / ours for ours, nothing in rates)
    ours_took, limit = (statistics.median(one[which] for one in rates) for which in (0, 1))
    return Line("GET of pools", "an empty Starlette handler", ratio, 0.5, None, ours_took, limit, "req.", at_least=True)


def _crowd(port: int) -> Line:
    """Return median and 99th percentile of `CALLERS` clients, each writing to a fight of its own, with streams open."""
    setup = Connection(port)
    for n in range(CALLERS):
        body = msgspec.json.encode({"encounter": f"crowd-{n}", "open": {}})
        setup.ask("POST", "/encounters", body, Idempotency_Key=f"crowd-{n}")
    setup.close()
    streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(CALLERS)]
    for n, stream in enumerate(streams):
        asked = f"GET /encounters/crowd-{n}/events/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        stream.sendall(asked.encode())
    note = msgspec.json.encode({"text": "so it was"})

    def play(n: int) -> list[float]:
        took = []
        with closing(Connection(port)) as line:
            for turn in range(40):
                start = perf_counter()
                line.ask("POST", f"/encounters/crowd-{n}/notes", note, Idempotency_Key=f"{n} {turn}", If_Match="*")
                took.append(perf_counter() - start)
        return took

    start = time.monotonic()
    with ThreadPoolExecutor(CALLERS) as pool:
        found = sorted(one for told in pool.map(play, range(CALLERS)) for one in told)
    rate = len(found) / (time.monotonic() - start)
    for stream in streams:
        stream.close()
    median, worst = found[len(found) // 2], found[int(len(found) * 0.99)]
    return Line(
        f"{CALLERS} clients, {rate:.0f} a second: p50", "p99", median / worst, None, None, median, worst, "order"
    )


def alone() -> None:
    """Run and print the benchmarks of the service alone."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        for line in serving(Path(name)):
            figures = f"{line.measured * 1e3:.3f} and {line.limit_measured * 1e3:.3f} ms"
            print(f"{line.work} / {line.limit}: {line.ratio:.2f} × ({figures})")


if __name__ == "__main__":
    alone()
