"""The cache of answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mam_events.commands import Close
from mam_events.log.combat_log import CombatLog
from tests.fighters import play_printed
from tests.service.asgi import SETTINGS, AsgiRequest, send_all
from tests.service.conftest import Client, Service
from web.service.context import CACHE_OVERHEAD_BYTES, KEPT_BYTES, CachedAnswer, ServiceContext, Settings
from web.service.request import RequestContext
from web.service.worker_pool import WorkerPool


def memory(service: Service) -> int:
    """Return the resident memory of a service, in bytes."""
    with Path(f"/proc/{service.process.pid}/status").open() as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) * 1024


def test_an_answer_is_cached_once_for_every_spelling_of_its_query(master: Client, shared_service: Service) -> None:
    master.begin("spelled")
    for n in range(50):
        assert master.get("/encounters/spelled/pools?" + "at=" + "&" * n).status == 200
    before = memory(shared_service)
    for n in range(1_000):
        assert master.get("/encounters/spelled/pools?" + "at=" + "&" * (5_000 + n)).status == 200
    assert memory(shared_service) - before < 10 * 1024 * 1024


@pytest.mark.parametrize("what", ["replay.html", "export", "log"])
def test_a_public_answer_is_computed_once_until_something_is_written(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    computed = []
    run = WorkerPool.run

    async def counted(pool: WorkerPool, work: Callable[..., Any], ask: RequestContext, *more: Any) -> Any:
        computed.append(ask.path)
        return await run(pool, work, ask, *more)

    monkeypatch.setattr(WorkerPool, "run", counted)
    with CombatLog.open("sqlite://") as log:
        play_printed(log, "duel")
        log.execute("duel", Close())
        settings = replace(SETTINGS, public_replays=True, own_hosts=frozenset())
        requests = [AsgiRequest("GET", f"/encounters/duel/{what}")]
        first, second, other = send_all(
            log, [*requests * 2, AsgiRequest("GET", f"/encounters/duel/{what}?as=public")], settings
        )
        assert first.status == other.status == 200
        assert first == second
        assert len(computed) == 2


def test_the_size_limit_of_the_cache_counts_small_answers() -> None:
    with CombatLog.open("sqlite://") as log:
        play_printed(log, "duel")
        service = ServiceContext(log, Settings())
        mark = service.mark()
        assert mark is not None
        for n in range(KEPT_BYTES // CACHE_OVERHEAD_BYTES + 100):
            service.keep((n,), CachedAnswer(mark, 1, b""))
        assert service.cached((0,)) is None
        assert service.cached((KEPT_BYTES // CACHE_OVERHEAD_BYTES,)) is not None
        log.note("duel", "so it was")
        later = service.mark()
        assert later is not None
        service.keep((0,), CachedAnswer(later, 1, b""))
        assert len(service._looked) == 1  # noqa: SLF001 - nothing public shows it
