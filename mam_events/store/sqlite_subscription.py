"""Subscriptions to the log, one event or a batch at a time; they poll, because SQLite doesn't notify."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from threading import Event
from time import monotonic

from eventsourcing.persistence import ApplicationRecorder, Notification, Subscription

AT_ONCE = 1_000
"""The most events of one batch."""


class PollingSubscription(Subscription[ApplicationRecorder]):
    """Every event after a notification id, in order; at the end it waits for the next one, until it is stopped.

    One thread iterates or takes batches, any thread may stop it. An error of the store is raised in the thread that
    takes; it may try again, and misses nothing.
    """

    interval = 0.05
    """Seconds between two polls without new events; a poll takes a hundredth of a millisecond."""

    def __init__(self, recorder: ApplicationRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt, topics)
        self._found: deque[Notification] = deque()
        self._stopped = Event()

    def stop(self) -> None:
        """End the iteration, even if it waits in another thread."""
        super().stop()
        self._stopped.set()

    def batch(self, seconds: float | None = None) -> Sequence[Notification]:
        """Wait for events and return at least one and at most `AT_ONCE`.

        Returns none once the subscription is stopped, or if nothing came for that many `seconds`.
        """
        end = None if seconds is None else monotonic() + seconds
        if self._found and not self._stopped.is_set():
            batch, self._found = self._found, deque()
            return tuple(batch)
        while not self._stopped.is_set():
            if notifications := self.look():
                return notifications
            pause = self.interval if end is None else min(self.interval, end - monotonic())
            if pause <= 0:
                break
            self.wait_for_news(pause)
        return ()

    def look(self) -> Sequence[Notification]:
        """Return the next events that exist already."""
        # Skip the events of other topics once, not at every poll.
        newest = (self._recorder.max_notification_id() or 0) if self._topics else 0
        notifications = self._recorder.select_notifications(
            self._last_notification_id, AT_ONCE, topics=self._topics, inclusive_of_start=False
        )
        if notifications:
            self._last_notification_id = notifications[-1].id
        if len(notifications) < AT_ONCE and newest > (self._last_notification_id or 0):
            self._last_notification_id = newest
        return notifications

    def wait_for_news(self, seconds: float) -> None:
        """Wait at most that long until something may have been written, or the subscription is stopped."""
        self._stopped.wait(seconds)

    def __next__(self) -> Notification:
        if self._stopped.is_set():
            raise StopIteration
        if not self._found:
            self._found.extend(self.batch())
        if not self._found:
            raise StopIteration
        return self._found.popleft()
