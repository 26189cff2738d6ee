"""Subscriptions to a log in PostgreSQL, which notifies of new events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any

import psycopg
from eventsourcing.persistence import ApplicationRecorder, Notification
from psycopg import Connection

from mam_events.store.sqlite_subscription import PollingSubscription

_SLICE = 0.25
"""Seconds after which a waiting subscription notices that it was stopped."""


class ListeningSubscription(PollingSubscription):
    """Every event after a notification id, in order; at the end it waits for a notification of the next one.

    `listen` returns a connection that has begun to listen, owned by the subscription. It is called before the first
    query, so that nothing is missed, and again if the connection was lost.
    """

    interval = 1.0
    """Seconds between two queries without notifications: a dead connection may go unnoticed."""

    def __init__(
        self,
        recorder: ApplicationRecorder,
        gt: int | None = None,
        topics: Sequence[str] = (),
        *,
        listen: Callable[[], Connection[Any]],
    ) -> None:
        super().__init__(recorder, gt, topics)
        self._listen = listen
        self._listener: Connection[Any] | None = None
        self._in_use = Lock()

    def stop(self) -> None:
        """End the iteration, even if it waits in another thread, and close the connection."""
        super().stop()
        self._end()

    def batch(self, seconds: float | None = None) -> Sequence[Notification]:
        """Return the next events, like `PollingSubscription`."""
        try:
            with self._in_use:
                return super().batch(seconds)
        finally:
            if self._stopped.is_set():
                self._end()

    def look(self) -> Sequence[Notification]:
        """Return the next events that exist already, after later ones are announced."""
        if self._listener is None or self._listener.closed:
            self._listener = self._listen()
        return super().look()

    def wait_for_news(self, seconds: float) -> None:
        """Wait at most that long until something is written, the subscription is stopped, or the connection is lost."""
        end = monotonic() + seconds
        try:
            while self._listener and not self._stopped.is_set() and (rest := end - monotonic()) > 0:
                if list(self._listener.notifies(timeout=min(rest, _SLICE), stop_after=1)):
                    return
        except psycopg.Error:
            self._close()

    def _end(self) -> None:
        """Close the connection, unless a thread waits on it: that thread closes it."""
        if self._in_use.acquire(blocking=False):
            try:
                self._close()
            finally:
                self._in_use.release()

    def _close(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(psycopg.Error):
                listener.close()
