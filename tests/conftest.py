"""Settings and fixtures of all tests."""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from mam_events.log.combat_log import CombatLog
from mam_events.log.encounters import Encounters
from mam_events.store.sqlite import Factory
from mam_events.store.sqlite_connections import Connections
from tests.cli.played_worlds import same_luck, worlds
from tests.effort import EXAMPLES, LONG
from tests.fights.corpus import corpus
from tests.postgres import shared

__all__ = ["corpus", "same_luck", "worlds"]

collect_ignore = ["example_order", "example_route"]
"""Examples that a test lays over a copy of the project and tests there."""


def in_sqlite(log: CombatLog | Encounters) -> Connections:
    """Return the connections of a log in a SQLite file or in memory."""
    factory = (log.application if isinstance(log, CombatLog) else log).factory
    assert isinstance(factory, Factory)
    return factory.datastore.connections


Nobody = Callable[[], AbstractContextManager[None]]

# Set every field, because hypothesis has other defaults in CI. No deadline, because the machine may be busy.
settings.register_profile(
    "default",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# CI tries the same examples each time, so that its result depends on the commit alone; `make fuzz` tries new ones.
settings.register_profile("long", settings.get_profile("default"), derandomize=True, database=None)
settings.load_profile("long" if LONG else "default")

# Code that allocates without end fails with a traceback, before the machine runs out of memory and kills the run.
MEMORY = 8 * 1024**3
_, _most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (MEMORY if _most == resource.RLIM_INFINITY else min(MEMORY, _most), _most))


@pytest.fixture(scope="session", autouse=True)
def databases() -> Iterator[None]:
    """Stop the PostgreSQL server of the tests after the last one, if it was started."""
    yield
    if shared.cache_info().currsize:
        shared().stop()


@pytest.fixture
def log() -> Iterator[CombatLog]:
    """Yield an empty log in memory whose keyed draws are the same in every run."""
    with CombatLog.open("sqlite://", entropy=Random(6).randbytes) as opened:
        yield opened


@pytest.fixture
def public() -> Iterator[Path]:
    """Yield a directory that every user can reach.

    Other users cannot reach pytest's own directories, or those in a private TMPDIR.
    """
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        directory = Path(name)
        directory.chmod(0o777)
        yield directory
        directory.chmod(0o700)


@pytest.fixture
def as_nobody() -> Nobody:
    """Return a context manager that drops root's right to write everywhere.

    Other users have no such right, and nothing changes for them.
    """
    user = os.geteuid()

    @contextmanager
    def nobody() -> Iterator[None]:
        if user == 0:
            os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(user)

    return nobody


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip of a long run into a failure that names the place and the reason; an expected failure is no skip."""
    if LONG and report.skipped and not hasattr(report, "wasxfail"):
        where = report.longrepr
        path, line, reason = where if isinstance(where, tuple) else (report.nodeid, 0, str(where))
        report.outcome = "failed"
        report.longrepr = f"{path}:{line}: a long run (MAM_LONG=1) must run every test. {reason}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let no test be skipped in a long run."""
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let no module be skipped in a long run."""
    report = yield
    _fail_if_skipped(report)
    return report
