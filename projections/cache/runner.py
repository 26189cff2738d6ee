"""A runner that keeps the cached tables up to date while others write, on top of the event-sourcing library.

The stock runner passes events to a projection one by one, each in its own transaction, which is 86 times slower than
batches. This one takes all new events together.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from eventsourcing.projection import ApplicationSubscription, BaseProjectionRunner, Projection

from mam_events.errors import StoreUnusable
from mam_events.log.encounters import Encounters
from mam_events.store.persistence import ProjectionRecorder
from projections.cache.registry import CACHED_PROJECTIONS
from projections.cache.table import CachedProjection, catch_up

if TYPE_CHECKING:
    from threading import Event

    from eventsourcing.persistence import Tracking

    from mam_events.log.readable_log import ReadableLog

PAUSE = 1.0
"""The pause before each batch in seconds: a row covers a whole encounter, and nobody needs it sooner."""
CPU_SHARE = 10
"""The tables use one part in this many of a processor, so that they slow down nothing else."""
_logger = logging.getLogger(__name__)


class _Ended(Exception):
    """The runner was stopped in the middle of a batch, and the batch is dropped."""


class TableProjection(Projection[ProjectionRecorder]):
    """The game master's tables as one projection: each has its own position, and `view` is that of the last one."""

    name = "tables"

    def __init__(self, log: ReadableLog, tables: Sequence[CachedProjection[Any]] = CACHED_PROJECTIONS) -> None:
        super().__init__(tables[-1].recorder(log))
        self._log = log
        self._tables = tables

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        """Bring every table up to date, unless all of them already have that event."""
        del domain_event
        if any(table.position(self._log) < tracking.notification_id for table in self._tables):
            self.process_events()

    def process_events(self, on_progress: Callable[[], object] = bool) -> None:
        """Bring every table up to the newest event; call `on_progress` for every row."""
        catch_up(self._log, self._tables, on_progress=on_progress)


class TableRunner(BaseProjectionRunner[Encounters]):
    """A runner that keeps tables up to date, in a thread of its own, until its block ends.

    If the store is unavailable for a while, the runner waits for it. `wait` waits until the last table has reached a
    notification id.
    """

    def __init__(self, log: ReadableLog, tables: Sequence[CachedProjection[Any]] = CACHED_PROJECTIONS) -> None:
        projection = TableProjection(log, tables)
        super().__init__(
            projection=projection,
            application_class=Encounters,
            tracking_recorder=projection.view,
            topics=projection.topics,
            env=log.application.env,
        )

    @staticmethod
    def _process_events_loop(
        subscription: ApplicationSubscription[Any],
        projection: Any,
        is_stopping: Event,
        runner: weakref.ReferenceType[Any],
    ) -> None:
        """Follow the log until the runner ends; this replaces the stock method, which takes single events."""
        try:
            _follow(subscription.subscription, projection, is_stopping)
        except BaseException as error:  # noqa: BLE001 - the runner raises it, as the stock one does
            if (owner := runner()) is not None:
                owner._thread_error = error  # noqa: SLF001 - it is this class
        finally:
            is_stopping.set()


def _follow(subscription: Any, projection: TableProjection, is_stopping: Event) -> None:
    """Bring the projection up to date each time something was written."""
    began = monotonic()

    def go_on() -> None:
        # Sleep after every row long enough to keep to the CPU share.
        nonlocal began
        if is_stopping.wait((monotonic() - began) * (CPU_SHARE - 1)):
            raise _Ended
        began = monotonic()

    is_lost = False
    while not is_stopping.wait(PAUSE):
        try:
            began = monotonic()
            projection.process_events(go_on)
            is_lost = False
            subscription.batch()
        except _Ended:
            return
        except StoreUnusable as error:
            # Each table continues from its own position once the store is back.
            if not is_lost:
                _logger.warning("the tables cannot follow the log now: %s", error)
            is_lost = True
        except Exception:
            # An error in one row or one encounter must not stop the others.
            if not is_lost:
                _logger.exception("the tables cannot follow the log")
            is_lost = True
