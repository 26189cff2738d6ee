"""Processes that compute `expensive` requests: a limited number at once, in turn, none for a caller who left."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import get_context
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, Self

from msgspec import Struct

from mam_events.errors import MamError
from mam_events.log.combat_log import CombatLog
from projections.corpus.process_pool import end_with_parent
from web.service.problems import HttpError
from web.service.view_cache import ViewCache

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from web.service.principal import Principal

WORKER_COUNT = 2
"""The number of processes for `expensive` requests of tokens.

The game master has one more, and all callers without a token share another one.
"""
MAX_WAITING_PER_TOKEN = 8
"""The maximum number of `expensive` requests of one token that may run or wait."""
MAX_ANONYMOUS = 16
"""The maximum number of requests of all callers without a token together that may run or wait."""
NICENESS = 10
_log = logging.getLogger(__name__)


class Job(Protocol):
    """A request as the pool needs it: `RequestContext` is one."""

    @property
    def who(self) -> Principal:
        """The principal that asks."""

    @property
    def path(self) -> Mapping[str, str]:
        """The values in the path, by name."""

    @property
    def payer(self) -> str:
        """The token or address that the computation counts against."""

    def with_service(self, service: WorkerContext | None) -> Self:
        """Return the same request with the log and viewers of a worker, or with none for the way there."""


class WorkerPool:
    """A pool of processes for the `expensive` requests of a service; each token has one running at a time."""

    def __init__(self, log: CombatLog) -> None:
        self._log = log
        self._url = log.application.factory.url
        self._threads = ThreadPoolExecutor(WORKER_COUNT + 2, "mam-pool")
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._waiting: Counter[str] = Counter()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._ended = False
        self._masters = asyncio.Semaphore(1)
        self._others = asyncio.Semaphore(WORKER_COUNT)
        self._anonymous = asyncio.Semaphore(1)
        self._anonymous_limit = AnonymousLimit()

    async def run(self, work: Callable[..., Any], job: Job, *more: Any) -> Any:
        """Return `work(job, *more)`, computed in another process with its own log and cache.

        Raises its errors, and HttpError if too many requests of the token wait, or of callers without one. The
        computation ends if this task is cancelled.
        """
        async with self._slot(job):
            worker = self._free()
            try:
                loop = asyncio.get_running_loop()
                result = await loop.run_in_executor(self._threads, worker.answer, (work, job.with_service(None), more))
            except BaseException as error:
                worker.kill()
                self._workers.discard(worker)
                if isinstance(error, EOFError | OSError):
                    raise _not_computed() from None
                raise
            self._idle.append(worker)
        if isinstance(result.error, MamError):
            raise result.error
        if result.error is not None:
            raise RuntimeError(result.error)
        return result.value

    def end(self) -> None:
        """End all computations, and begin no more."""
        self._ended = True
        for worker in self._workers:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _free(self) -> Worker:
        """Return the worker that was used last, whose log is up to date, or a new one."""
        if self._ended:
            raise _not_computed()
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._workers.discard(worker)
        worker = Worker(self._url, self._log)
        self._workers.add(worker)
        return worker

    @asynccontextmanager
    async def _slot(self, job: Job) -> AsyncIterator[None]:
        """Wait for a free slot and hold it; callers without a token have slots of their own."""
        if job.who.has_rank("gm") or job.who.token:
            async with self._turn(job.payer), self._masters if job.who.has_rank("gm") else self._others:
                yield
        else:
            with self._anonymous_limit:
                async with self._turn(job.payer), self._anonymous:
                    yield

    @asynccontextmanager
    async def _turn(self, payer: str) -> AsyncIterator[None]:
        if not payer:
            yield
            return
        if self._waiting[payer] >= MAX_WAITING_PER_TOKEN:
            raise HttpError(
                429,
                "too_many",
                f"{MAX_WAITING_PER_TOKEN} long computations of yours are already waiting. Wait for one to end.",
            )
        self._waiting[payer] += 1
        try:
            async with self._turns[payer]:
                yield
        finally:
            self._waiting[payer] -= 1
            if not self._waiting[payer]:
                del self._waiting[payer], self._turns[payer]


class AnonymousLimit:
    """A limit on the number of callers without a token at once, whose addresses nobody counts."""

    def __init__(self) -> None:
        self._present = 0

    def __enter__(self) -> None:
        if self._present >= MAX_ANONYMOUS:
            raise HttpError(503, "crowded", f"{MAX_ANONYMOUS} callers without a token are already waiting. Try again.")
        self._present += 1

    def __exit__(self, *_: object) -> None:
        self._present -= 1


def _not_computed() -> HttpError:
    return HttpError(503, "not_computed", "The computation did not finish. Try again.")


class JobResult(Struct):
    """The result of a computation or its error; a bug of the program is passed on as text only."""

    value: Any = None
    error: MamError | str | None = None


class WorkerContext(Struct):
    """The part of the service context that a computation needs."""

    log: CombatLog
    viewers: ViewCache


class Worker:
    """A process that computes one request at a time.

    A log in memory is read in this process instead, because no other process sees it.
    """

    def __init__(self, url: str, log: CombatLog) -> None:
        self._url = url
        self._service = WorkerContext(log, ViewCache()) if url == MEMORY_URL else None
        self._lock = Lock()
        self._ended = False
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_alive(self) -> bool:
        """True if the worker can compute something."""
        return self._process is None or self._process.is_alive()

    def answer(self, task: tuple[Callable[..., Any], Job, tuple[Any, ...]]) -> JobResult:
        """Return the result of a task; raise EOFError or OSError if the process ends first."""
        if self._service is not None:
            return _done(self._service, *task)
        connection = self._connected()
        try:
            connection.send(task)
            result: JobResult = connection.recv()
        except (EOFError, OSError):
            if self._process is not None:
                self._process.join()
            raise
        return result

    def kill(self) -> None:
        """End the process at once."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    def _connected(self) -> Connection:
        with self._lock:
            if self._ended:
                raise EOFError
            if self._connection is None:
                # A fork would inherit locks of threads that it does not have.
                context = get_context("spawn")
                connection, child = context.Pipe()
                with child:
                    process = context.Process(target=_serve, args=(child, self._url), name="mam-worker", daemon=True)
                    # It may not start, for example if no descriptor is left; then there is nothing to end.
                    process.start()
                self._connection, self._process = connection, process
            return self._connection


MEMORY_URL = "sqlite://"


def _serve(connection: Connection, url: str) -> None:
    """Answer tasks until the other end is closed."""
    end_with_parent()
    # Ctrl+C is meant for the service, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    try:
        log = CombatLog.open(url, create=False)
    except MamError as error:
        connection.send(JobResult(error=error))
        return
    with log:
        service = WorkerContext(log, ViewCache())
        while True:
            try:
                task = connection.recv()
            except EOFError:
                return
            connection.send(_done(service, *task))


def _done(service: WorkerContext, work: Callable[..., Any], job: Job, more: tuple[Any, ...]) -> JobResult:
    try:
        return JobResult(work(job.with_service(service), *more))
    except MamError as error:
        return JobResult(error=error)
    except Exception as error:  # noqa: BLE001 - the error is passed on to the caller
        _log.exception("the computation of %s failed", job.path)
        return JobResult(error=repr(error))
