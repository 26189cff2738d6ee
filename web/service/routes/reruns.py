"""Endpoints for re-runs: all fights of the store judged again under other rules, in a separate process."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from mam_events.archive import export_ndjson
from mam_events.errors import MamError, NotFound
from projections.corpus.process_pool import process_pool
from projections.corpus.runner import Task, rejudge_corpus
from projections.corpus.summary import Summary, Tally
from web.service.endpoints import Example, endpoint
from web.service.problems import HttpError
from web.service.request import RequestContext
from web.service.routes.analysis import check_house_rules

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog
    from web.service.context import ServiceContext

KEPT_RERUNS = 20
MAX_RUNNING = 4


class RerunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules by option, for all encounters of the store."""

    house_rules: Annotated[dict[str, str], Meta(min_length=1, max_length=50)]


class Progress(Struct):
    """A re-run: the number of its fights, how many of them are judged, and in the end its summary."""

    id: str
    status: Literal["running", "done", "failed"]
    fights: int
    judged: int = 0
    summary: Summary | None = None
    detail: str = ""


class Reruns:
    """All running re-runs, and the last few that are done."""

    def __init__(self, desk: ServiceContext) -> None:
        self._desk = desk
        self._known: OrderedDict[str, Progress] = OrderedDict()
        self._closed = Event()
        self._threads = ThreadPoolExecutor(MAX_RUNNING, "mam-rerun")

    def begin(self, house_rules: dict[str, str]) -> Progress:
        """Begin a re-run and return its progress; raise HttpError if too many are running."""
        if sum(one.status == "running" for one in self._known.values()) >= MAX_RUNNING:
            raise HttpError(429, "too_many", f"{MAX_RUNNING} re-runs are going on; wait for one to end.")
        log = self._desk.log
        progress = Progress(secrets.token_hex(6), "running", len(log.encounters()))
        self._known[progress.id] = progress
        while len(self._known) > KEPT_RERUNS:
            self._known.popitem(last=False)
        self._threads.submit(_run, log, house_rules, progress, self._closed)
        return progress

    def close(self) -> None:
        """Begin no more re-runs, and stop running ones after the current fight."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def find(self, name: str) -> Progress:
        """Return the re-run with that id; raise NotFound if there is none."""
        if name not in self._known:
            raise NotFound(f'There is no re-run "{name}" here (any more); POST /reruns begins one.')
        return self._known[name]


def _run(log: CombatLog, house_rules: dict[str, str], progress: Progress, closed: Event) -> None:
    tally = Tally(house_rules, "")
    try:
        with process_pool(1) as pool:
            for (one,) in rejudge_corpus(_tasks(log, closed), [house_rules], pool, ahead=2):
                tally.add(one)
                progress.judged += 1
        progress.summary = tally.summary()
        progress.status = "done"
    except Exception as error:  # noqa: BLE001 - whoever asks for it is told, whatever it was
        progress.detail = error.sentence if isinstance(error, MamError) else "The service failed at this."
        progress.status = "failed"


def _tasks(log: CombatLog, closed: Event) -> Iterator[Task]:
    for encounter in log.encounters():
        if closed.is_set():
            return
        try:
            yield Task(f"{encounter}.ndjson", lines=b"".join(export_ndjson(log, encounter)))
        except MamError as no:
            yield Task(f"{encounter}.ndjson", refused=no.sentence)


@endpoint(
    "POST /reruns",
    "work",
    rank="gm",
    answer=Progress,
    status=202,
    body=RerunRequest,
    example=Example(body={"house_rules": {"half_success": "never"}}),
)
def rerun(ask: RequestContext) -> Progress:
    """Judge all fights of the store again under other rules.

    The answer comes at once; `GET /reruns/{id}` shows the progress.
    """
    asked: RerunRequest = ask.body
    check_house_rules(ask, asked.house_rules)
    return ask.desk.reruns.begin(asked.house_rules)


@endpoint("GET /reruns/{rerun}", "read", rank="gm", answer=Progress, example=Example(path={"rerun": "RERUN"}))
def rerun_progress(ask: RequestContext) -> Progress:
    """Return the progress of a re-run and its result: fights that would end differently, hit rates with intervals."""
    return ask.desk.reruns.find(ask.path["rerun"])
