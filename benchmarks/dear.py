"""The time of the game master's `/me` while viewers keep sending the most expensive requests about a long fight."""

from __future__ import annotations

import itertools
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

import msgspec

from benchmarks.fights import long_log
from benchmarks.measure import Line, times
from benchmarks.serving import Connection, served
from mam_events.log.combat_log import CombatLog

VIEWERS = times(10, 2)
SECONDS = times(15)
ALONE = times(2_000, 10)
AT = "/encounters/fight"
CALLS = (
    ("GET", f"{AT}/replay.html", b""),
    ("POST", f"{AT}/whatif", msgspec.json.encode({"house_rules": {"half_success": "never"}})),
    ("GET", f"{AT}/verify", b""),
    ("GET", f"{AT}/audit?at=%d", b""),
    ("GET", f"{AT}/events?after=%d&limit=1000", b""),
    ("GET", f"{AT}/replay?at=%d", b""),
    ("GET", f"{AT}/export", b""),
    ("GET", "/encounters", b""),
)
"""The most expensive requests of the service; the number makes each of them a new one."""


def dear_calls(long: Path, folder: Path) -> Line:
    """Return the median time of `/me` among busy viewers, against the median alone."""
    store = folder / "crowd.db"
    shutil.copy(long, store)
    with CombatLog.open(store) as log:
        rulings = log.timeline("fight").number
    tokens = [_token(store, f"viewer {n}") for n in range(VIEWERS)]
    with served(store) as port, closing(Connection(port)) as master:
        alone = [_me(master) for _ in range(ALONE)]
        with _crowd(port, tokens):
            time.sleep(1)
            end, crowded = time.monotonic() + SECONDS, []
            while time.monotonic() < end:
                crowded.append(_me(master))
    ours, limit = statistics.median(crowded), statistics.median(alone)
    work = f"GET /me, {VIEWERS} viewers asking for the dearest of {rulings:,} rulings"
    return Line(work, "the same alone", ours / limit, 5, 1.5, ours, limit, "req.")


def _me(line: Connection) -> float:
    start = perf_counter()
    head, told = line.ask("GET", "/me")
    assert b" 200 " in head, told  # noqa: S101 - a failed request must not be measured
    return perf_counter() - start


def _token(store: Path, name: str) -> str:
    words = ("token", "viewer", "--by", name, "-e", "fight", "--store", str(store), "--json")
    made = subprocess.run([sys.executable, "-m", "cli.app", *words], capture_output=True, check=True)
    return str(msgspec.json.decode(made.stdout)["token"])


@contextmanager
def _crowd(port: int, tokens: list[str]) -> Iterator[None]:
    """Let a thread for each token send all the requests in turn, each starting at another one, until the block ends."""
    stopped = Event()

    def ask(first: int, token: str) -> None:
        # The service stops in the middle of the last request.
        with suppress(OSError), closing(Connection(port)) as line:
            for n in itertools.count(first):
                if stopped.is_set():
                    return
                method, path, body = CALLS[n % len(CALLS)]
                line.ask(method, path % (n + 10) if "%" in path else path, body, Authorization=f"Bearer {token}")

    for n, token in enumerate(tokens):
        Thread(target=ask, args=(n, token), daemon=True).start()
    try:
        yield
    finally:
        stopped.set()


def alone() -> None:
    """Run and print this benchmark alone, with a fight of 4,000 rulings."""
    import tempfile  # noqa: PLC0415 - only here

    with tempfile.TemporaryDirectory() as name:
        line = dear_calls(long_log(Path(name), "long", 4_000), Path(name))
    took = f"{line.measured * 1e3:.3f} and {line.limit_measured * 1e3:.3f} ms"
    print(f"{line.work} / {line.limit}: {line.ratio:.2f} × ({took})")


if __name__ == "__main__":
    alone()
