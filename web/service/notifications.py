"""Notifications about new rulings, written here or by any other process."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from mam_events.errors import MamError

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog
    from mam_events.store.sqlite_subscription import PollingSubscription

MAX_WAIT_SECONDS = 1.0
"""The longest wait for the store at a time."""
_log = logging.getLogger(__name__)


class Notifier:
    """A notifier that wakes the streams of an encounter when something was written to it."""

    def __init__(self, log: CombatLog) -> None:
        self._recorder = log.application.recorder
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._stopped = Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscription: PollingSubscription | None = None
        self._thread: Thread | None = None
        self._tokens: Counter[str] = Counter()
        self.ended = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Prepare to follow the store, which begins with the first stream."""
        self._loop = loop

    def end(self) -> None:
        """Wake all streams and end them."""
        self.ended = True
        self._stopped.set()
        if self._subscription:
            self._subscription.stop()
        self.wake_all()

    def join(self) -> None:
        """Wait until the store is released."""
        if self._thread:
            self._thread.join()

    def wake(self, encounters: set[str]) -> None:
        """Wake the streams of those encounters; call it on the event loop."""
        for encounter in encounters:
            for one in self._waiting.get(encounter, ()):
                one.set()

    def wake_all(self) -> None:
        """Wake all streams; call it on the event loop."""
        self.wake(set(self._waiting))

    def waiting_for(self, encounter: str, token: str) -> asyncio.Event:
        """Return an event that is set when something is written; release it with `leave`."""
        if self._thread is None:
            # Get the position before any stream reads, so that nothing written in between is missed.
            self._subscription = self._recorder.subscribe(gt=self._recorder.max_notification_id())
            self._thread = Thread(target=self._follow, args=(self._subscription,), name="mam-feed", daemon=True)
            self._thread.start()
        one = asyncio.Event()
        self._waiting[encounter].add(one)
        self._tokens[token] += 1
        return one

    def leave(self, encounter: str, token: str, one: asyncio.Event) -> None:
        """Release an event of `waiting_for`."""
        self._waiting[encounter].discard(one)
        self._tokens[token] -= 1
        if not self._waiting[encounter]:
            del self._waiting[encounter]
        if not self._tokens[token]:
            del self._tokens[token]

    def of(self, token: str) -> int:
        """Return the number of streams of that token."""
        return self._tokens.get(token, 0)

    @property
    def open(self) -> int:
        """The number of streams."""
        return self._tokens.total()

    def _follow(self, subscription: PollingSubscription) -> None:
        is_lost = False
        with subscription:
            while not self._stopped.is_set():
                try:
                    notifications = subscription.batch(MAX_WAIT_SECONDS)
                except MamError as error:
                    # Streams also check at each heartbeat; they are woken again once the store is back.
                    if not is_lost:
                        _log.warning("the log cannot be followed just now: %s", error)
                    is_lost = True
                    self._stopped.wait(MAX_WAIT_SECONDS)
                    continue
                is_lost = False
                if notifications and self._loop:
                    with suppress(RuntimeError):
                        # The event loop may have ended.
                        self._loop.call_soon_threadsafe(self.wake, {str(one.originator_id) for one in notifications})
