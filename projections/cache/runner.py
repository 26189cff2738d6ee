"""The tables beside the log as projections of the event-sourcing library, run while others write.

The stock runner gives a projection one event after the other, each with a transaction of its own, which is 86 times
slower than batches. This one takes all events together that have come.
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
from mam_events.store.persistence import ViewRecorder
from projections.cache.registry import CACHED_PROJECTIONS
from projections.cache.table import CachedProjection, catch_up

if TYPE_CHECKING:
    from threading import Event

    from eventsourcing.persistence import Tracking

    from mam_events.log.readable_log import ReadableLog

PAUSE = 1.0
"""Seconds before each batch: rows are of whole encounters, and nobody needs them sooner."""
CPU_SHARE = 10
"""Tables take one part in so many of a processor, so that nobody waits for them."""
_logger = logging.getLogger(__name__)


class _Ended(Exception):
    """The runner is left in the middle of a batch, of which nothing is kept."""


class TableProjection(Projection[ViewRecorder]):
    """Tables as one projection of the game master's: each has its own position, and `view` is that of the last."""

    name = "tables"

    def __init__(self, log: ReadableLog, tables: Sequence[CachedProjection[Any]] = CACHED_PROJECTIONS) -> None:
        super().__init__(tables[-1].view(log))
        self._log = log
        self._tables = tables

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        """Bring every table up to that event, with all others that were written by then."""
        del domain_event
        if any(table.position(self._log) < tracking.notification_id for table in self._tables):
            self.process_events()

    def process_events(self, watch: Callable[[], object] = bool) -> None:
        """Bring every table up to the newest event; `watch` is called for every row."""
        catch_up(self._log, self._tables, watch=watch)


class TableRunner(BaseProjectionRunner[Encounters]):
    """Keeps tables up to date, in a thread of its own, until it is left.

    A store that is gone for a while is waited for. `wait` waits until the last table has come to a notification id.
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
        """Follow the log until the runner ends, in place of the stock method, which takes single events."""
        try:
            _follow(subscription.subscription, projection, is_stopping)
        except BaseException as error:  # noqa: BLE001 - the runner raises it, as the stock one does
            if (owner := runner()) is not None:
                owner._thread_error = error  # noqa: SLF001 - it is this class
        finally:
            is_stopping.set()


def _follow(subscription: Any, projection: TableProjection, is_stopping: Event) -> None:
    """Let the projection take what was written, whenever something was."""
    began = monotonic()

    def go_on() -> None:
        # After every row as long as it takes to leave the others their share.
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
            # From its own position each table goes on, once the store is back.
            if not is_lost:
                _logger.warning("the tables cannot follow the log just now: %s", error)
            is_lost = True
        except Exception:
            # What one row or one encounter does to it is no reason to leave all the others behind.
            if not is_lost:
                _logger.exception("the tables cannot follow the log")
            is_lost = True
