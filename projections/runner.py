"""The tables beside the log as projections of the event-sourcing library, run while others write.

The stock runner gives a projection one event after the other, each with a transaction of its own, which is 86 times
slower than batches. This one takes all events together that have come.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from eventsourcing.persistence import Tracking
from eventsourcing.projection import ApplicationSubscription, BaseProjectionRunner, Projection

from mam_events.errors import StoreUnusable
from mam_events.log.encounters import Encounters
from mam_events.store.persistence import ViewRecorder
from projections.projector import News, Table, catch_up, update
from projections.tables import TABLES

if TYPE_CHECKING:
    from threading import Event

    from mam_events.log.looking import ReadableLog

PAUSE = 1.0
"""Seconds before each batch: rows are of whole encounters, and nobody needs them sooner."""
SHARE = 10
"""Tables take one part in so many of a processor, so that nobody waits for them."""
_log = logging.getLogger(__name__)


class _Ended(Exception):
    """The runner is left in the middle of a batch, of which nothing is kept."""


class TableProjection(Projection[ViewRecorder]):
    """One table as a projection: its view is the recorder of its rows and its position for the game master."""

    name = "table"

    def __init__(self, table: Table[Any], log: ReadableLog) -> None:
        super().__init__(table.view(log))
        self.table = table
        self._tables = [table]
        self._encounters = log

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        """Make the row of the encounter of that event anew, and keep it with the position: in one transaction."""
        update(self._encounters, self._tables, News({domain_event.originator_id}, tracking.notification_id))


class TableRunner(BaseProjectionRunner[Encounters]):
    """Keeps tables up to date, in a thread of its own, until it is left.

    A store that is gone for a while is waited for. `wait` waits until the last of them has come to a notification id.
    """

    def __init__(self, log: ReadableLog, tables: Sequence[Table[Any]] = TABLES) -> None:
        self._tables = tables
        self._encounters = log
        self.projections = [TableProjection(table, log) for table in tables]
        last = self.projections[-1]
        super().__init__(
            projection=last,
            application_class=Encounters,
            tracking_recorder=last.view,
            topics=last.topics,
            env=log.application.env,
        )

    @staticmethod
    def _process_events_loop(
        subscription: ApplicationSubscription[Any],
        projection: Any,
        is_stopping: Event,
        runner: weakref.ReferenceType[Any],
    ) -> None:
        """Follow the log until the runner ends, as the stock method does for single events."""
        del projection
        following = runner()
        try:
            if following is not None:
                following._follow(subscription.subscription, is_stopping)  # noqa: SLF001 - it is this class
        except BaseException as error:  # noqa: BLE001 - whoever has the runner is told, as by the stock one
            if following is not None:
                following._thread_error = error  # noqa: SLF001 - as above
        finally:
            is_stopping.set()

    def _follow(self, subscription: Any, is_stopping: Event) -> None:
        began = monotonic()

        def go_on() -> None:
            # After every row as long as it takes to leave the others their share.
            nonlocal began
            if is_stopping.wait((monotonic() - began) * (SHARE - 1)):
                raise _Ended
            began = monotonic()

        reached, is_lost = 0, False
        while not is_stopping.wait(PAUSE):
            try:
                began = monotonic()
                if not reached:
                    catch_up(self._encounters, self._tables, watch=go_on)
                if found := subscription.batch():
                    began, reached = monotonic(), found[-1].id
                    news = News({one.originator_id for one in found}, reached)
                    update(self._encounters, self._tables, news, watch=go_on)
                is_lost = False
            except _Ended:
                return
            except StoreUnusable as error:
                # What came is not lost: from its own position each table goes on, once the store is back.
                if not is_lost:
                    _log.warning("the tables cannot follow the log just now: %s", error)
                reached, is_lost = 0, True
