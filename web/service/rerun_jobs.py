"""Re-runs of the whole store under other rules: long work in a process of its own."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from mam_events.archive import export_ndjson
from mam_events.errors import MamError, NotFound
from projections.corpus.process_pool import process_pool
from projections.corpus.runner import Task, rejudge_corpus
from projections.corpus.summary import Summary, Tally
from web.service.problems import HttpError

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog

KEPT_RERUNS = 20
MAX_RUNNING = 4


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

    def __init__(self, log: CombatLog) -> None:
        self._log = log
        self._known: OrderedDict[str, Progress] = OrderedDict()
        self._closed = Event()
        self._threads = ThreadPoolExecutor(MAX_RUNNING, "mam-rerun")

    def begin(self, house_rules: dict[str, str]) -> Progress:
        """Begin a re-run and return its progress; raise HttpError if too many are running."""
        if sum(one.status == "running" for one in self._known.values()) >= MAX_RUNNING:
            raise HttpError(429, "too_many", f"{MAX_RUNNING} re-runs are going on. Wait for one to end.")
        progress = Progress(secrets.token_hex(6), "running", len(self._log.encounters()))
        self._known[progress.id] = progress
        while len(self._known) > KEPT_RERUNS:
            self._known.popitem(last=False)
        self._threads.submit(_run, self._log, house_rules, progress, self._closed)
        return progress

    def close(self) -> None:
        """Begin no more re-runs, and stop running ones after the current fight."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def find(self, name: str) -> Progress:
        """Return the re-run with that id; raise NotFound if there is none."""
        if name not in self._known:
            raise NotFound(f'There is no re-run "{name}" here, or not any more. Begin one with POST /reruns.')
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
    except Exception as error:  # noqa: BLE001 - the progress shows any error
        progress.detail = (
            error.sentence
            if isinstance(error, MamError)
            else "The service itself failed while it judged the fights again."
        )
        progress.status = "failed"


def _tasks(log: CombatLog, closed: Event) -> Iterator[Task]:
    for encounter in log.encounters():
        if closed.is_set():
            return
        try:
            yield Task(f"{encounter}.ndjson", lines=b"".join(export_ndjson(log, encounter)))
        except MamError as no:
            yield Task(f"{encounter}.ndjson", refused=no.sentence)
