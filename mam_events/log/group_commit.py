"""Group commit: one thread writes the orders of many callers, and those that waited become durable together."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from mam_events.errors import StoreUnusable

if TYPE_CHECKING:
    from mam_events.log.combat_log import CombatLog

T = TypeVar("T")
TOGETHER = 32
"""The most orders in one commit: other writers of the same store wait for all of them."""
MAX_WAITING = 1_000
"""The most orders that may wait; further callers must try again."""
MAX_PER_CALLER = 32
"""The most orders of one payer that may wait."""
COMMIT_SECONDS = 0.02
"""The seconds of a commit that all payers share, measured by what their orders really take.

After that, the orders that they have not begun wait for the next commit, so that nobody waits long for another payer's
orders.
"""
REST = 3
"""The rest of a payer after an order that took longer than a share, as a multiple of the excess.

Others thus have the writer for three quarters of the time, even if a single line takes long.
"""
LONGEST_REST = 2.0
"""The longest rest, in seconds: an order may have had to read a long fight first, which happens once."""


class Busy(StoreUnusable):
    """The error if too many orders are waiting already; nothing was done."""

    code = "busy"


class _Order(NamedTuple):
    work: Callable[[], Any]
    encounters: tuple[str, ...]
    answer: Future[Any]
    payer: str


_Answers = list[tuple[Future[Any], Any, BaseException | None]]


class GroupCommit:
    """The one writer of a log for any number of threads, or for an event loop.

    An answer is given once it is durable. A refusal undoes only its own order; if the commit fails, all orders in it
    fail.
    """

    def __init__(self, log: CombatLog, *, waiting: int = MAX_WAITING, clock: Callable[[], float] = monotonic) -> None:
        self._log = log
        self._limit = waiting
        self._clock = clock
        self._waiting: OrderedDict[str, deque[_Order]] = OrderedDict()
        self._resting: dict[str, float] = {}
        self._came = Condition()
        self._closed = False
        self._thread: Thread | None = None

    def submit(self, work: Callable[[], T], *encounters: str, payer: str = "") -> Future[T]:
        """Return the future answer of work that writes only to these encounters; raise Busy.

        The work is charged to the `payer` ("": nobody). Payers take turns; the orders of each are done as they came.
        All payers share a limited time of each commit; one whose order took longer than their share rests for a while.
        """
        answer: Future[T] = Future()
        with self._came:
            if self._closed:
                raise StoreUnusable("The log is being closed. Nothing was written.")
            if self.waiting() >= self._limit:
                raise Busy(f"{self._limit} orders are already waiting to be written. Try again.")
            if payer and len(self._waiting.get(payer, ())) >= MAX_PER_CALLER:
                raise Busy(f"{MAX_PER_CALLER} orders of yours are already waiting to be written. Try again.")
            self._waiting.setdefault(payer, deque()).append(_Order(work, encounters, answer, payer))
            if self._thread is None:
                # A log that nobody writes to needs no thread.
                self._thread = Thread(target=self._run, name="mam-writer", daemon=True)
                self._thread.start()
            self._came.notify()
        return answer

    def waiting(self) -> int:
        """Return the number of waiting orders."""
        return sum(map(len, tuple(self._waiting.values())))

    def close(self) -> None:
        """Write the waiting orders, and accept no more."""
        with self._came:
            self._closed = True
            self._came.notify()
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while (orders := self._next()) is not None:
            seconds = 0.0
            late: list[_Order] = []
            answers: _Answers = []
            try:
                with self._log.grouped(*{name for order in orders for name in order.encounters}):
                    for order in orders:
                        if order.payer and seconds >= COMMIT_SECONDS:
                            late.append(order)
                            continue
                        began = self._clock()
                        answers.append((order.answer, *_done(order.work)))
                        if order.payer:
                            seconds += self._counted(order.payer, self._clock() - began)
            except BaseException as error:  # noqa: BLE001 - every waiting caller gets the error
                waits = {id(order) for order in late}
                answers = [(order.answer, None, error) for order in orders if id(order) not in waits]
            self._put_back(late)
            for answer, result, failure in answers:
                if failure is not None:
                    answer.set_exception(failure)
                else:
                    answer.set_result(result)

    def _counted(self, payer: str, seconds: float) -> float:
        """Return the time that an order took; a payer who took more than a share rests from now on."""
        now = self._clock()
        self._resting = {name: until for name, until in self._resting.items() if until > now}
        if seconds > COMMIT_SECONDS:
            self._resting[payer] = now + min((seconds - COMMIT_SECONDS) * REST, LONGEST_REST)
        return seconds

    def _put_back(self, late: Sequence[_Order]) -> None:
        """Put orders that were not begun back in front of later ones."""
        with self._came:
            for order in reversed(late):
                self._waiting.setdefault(order.payer, deque()).appendleft(order)
                self._waiting.move_to_end(order.payer, last=False)

    def _next(self) -> list[_Order] | None:
        """Return the orders that share the next commit; None once the writer is closed and everything is written."""
        with self._came:
            while True:
                if batch := self._taken():
                    return batch
                if self._closed and not self._waiting:
                    return None
                self._came.wait(self._shortest_rest())

    def _taken(self) -> list[_Order]:
        """Return the orders of one commit, taken from the payers in turns."""
        batch: list[_Order] = []
        while len(batch) < TOGETHER and (payer := self._next_payer()) is not None:
            order = self._waiting[payer].popleft()
            if self._waiting[payer]:
                self._waiting.move_to_end(payer)
            else:
                del self._waiting[payer]
            # An order that was put back is already marked as running.
            if order.answer.running() or order.answer.set_running_or_notify_cancel():
                batch.append(order)
        return batch

    def _next_payer(self) -> str | None:
        """Return the next payer who doesn't rest, or None; after closing nobody rests."""
        now = self._clock()
        return next((payer for payer in self._waiting if self._closed or self._resting.get(payer, now) <= now), None)

    def _shortest_rest(self) -> float | None:
        """Return the seconds until a waiting payer has rested; None if nobody waits."""
        untils = [self._resting[payer] for payer in self._waiting if payer in self._resting]
        return max(min(untils) - self._clock(), 0) if untils else None


def _done(work: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - as above
        return None, error
