"""The log as the library's projections follow it live: they look, as SQLite tells nobody of what is new."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from threading import Event

from eventsourcing.persistence import ApplicationRecorder, Notification, Subscription

INTERVAL = 0.1
"""Seconds between two looks at a log in which nothing was new; a look takes a twentieth of a millisecond."""

_AT_ONCE = 500


class PollingSubscription(Subscription[ApplicationRecorder]):
    """Every event behind a notification id, in order; at the end it waits for the next one, until it is stopped."""

    def __init__(self, recorder: ApplicationRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt, topics)
        self._found: deque[Notification] = deque()
        self._stopped = Event()

    def stop(self) -> None:
        """End the iteration, also one that waits in another thread."""
        super().stop()
        self._stopped.set()

    def __next__(self) -> Notification:
        while not self._stopped.is_set():
            if self._found:
                return self._found.popleft()
            self._found.extend(
                self._recorder.select_notifications(
                    self._last_notification_id, _AT_ONCE, topics=self._topics, inclusive_of_start=False
                )
            )
            if self._found:
                self._last_notification_id = self._found[-1].id
            else:
                self._stopped.wait(INTERVAL)
        raise StopIteration
