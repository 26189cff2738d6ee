"""Group commit: one thread writes what many callers order, and what waited meanwhile becomes durable in one go."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from mam_events.errors import StoreUnusable

if TYPE_CHECKING:
    from types import TracebackType

    from mam_events.log.combat_log import CombatLog

T = TypeVar("T")
TOGETHER = 32
"""So many orders share a commit at most: others who write to the same store wait for all of them."""
WAITING = 1_000
"""So many orders may wait; whoever comes then is told to try again."""
OF_ONE = 32
"""So many orders of one who is counted may wait."""
SHARE = 4
"""So many orders of one who is counted share a commit: nobody waits long for what somebody else sends at once."""


class Busy(StoreUnusable):
    """The answer where too many orders wait already; nothing was done."""

    code = "busy"


class _Order(NamedTuple):
    work: Callable[[], Any]
    encounters: tuple[str, ...]
    answer: Future[Any]


class GroupCommit:
    """The one writer of a log for any number of threads, or for an event loop.

    An answer is given once it is durable. A refusal undoes its own order alone; where the commit fails, all that would
    have shared it fail.
    """

    def __init__(self, log: CombatLog, *, waiting: int = WAITING) -> None:
        self._log = log
        self._limit = waiting
        self._waiting: OrderedDict[str, deque[_Order]] = OrderedDict()
        self._came = Condition()
        self._closed = False
        self._thread: Thread | None = None

    def submit(self, work: Callable[[], T], *encounters: str, payer: str = "") -> Future[T]:
        """The answer to come of some work that writes to these encounters and no others; raises Busy. It is counted
        against the `payer` ("": nobody); payers take turns, and of each what came first is first.
        """
        answer: Future[T] = Future()
        with self._came:
            if self._closed:
                raise StoreUnusable("The log is being closed; nothing was written.")
            if self.waiting() >= self._limit:
                raise Busy(f"{self._limit} orders wait to be written already; try again.")
            if payer and len(self._waiting.get(payer, ())) >= OF_ONE:
                raise Busy(f"{OF_ONE} orders of yours wait to be written already; try again.")
            self._waiting.setdefault(payer, deque()).append(_Order(work, encounters, answer))
            if self._thread is None:
                # Where nobody writes there is no thread for it.
                self._thread = Thread(target=self._run, name="mam-writer", daemon=True)
                self._thread.start()
            self._came.notify()
        return answer

    def waiting(self) -> int:
        """The number of orders that wait."""
        return sum(map(len, tuple(self._waiting.values())))

    def close(self) -> None:
        """Write what waits, and take no more."""
        with self._came:
            self._closed = True
            self._came.notify()
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while (orders := self._next()) is not None:
            orders = [order for order in orders if order.answer.set_running_or_notify_cancel()]
            answers: list[tuple[Future[Any], Any, BaseException | None]] = []
            encounters = {name for order in orders for name in order.encounters}
            try:
                with self._log.grouped(*encounters):
                    answers += ((order.answer, *_done(order.work)) for order in orders)
            except BaseException as error:  # noqa: BLE001 - whoever waits for an answer is told, whatever it is
                answers = [(order.answer, None, error) for order in orders]
            for answer, result, failure in answers:
                if failure is not None:
                    answer.set_exception(failure)
                else:
                    answer.set_result(result)

    def _next(self) -> list[_Order] | None:
        """The orders that share the next commit; None once it is closed and all is written."""
        with self._came:
            self._came.wait_for(lambda: self._waiting or self._closed)
            taken: list[_Order] = []
            shares = Counter[str]()
            while len(taken) < TOGETHER and (payer := self._next_payer(shares)) is not None:
                shares[payer] += 1
                taken.append(self._waiting[payer].popleft())
                if self._waiting[payer]:
                    self._waiting.move_to_end(payer)
                else:
                    del self._waiting[payer]
            return taken or None

    def _next_payer(self, shares: Counter[str]) -> str | None:
        """The next one whose turn it is and who has not had their share of this commit; None for nobody."""
        return next((payer for payer in self._waiting if not payer or shares[payer] < SHARE), None)


def _done(work: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 - as above
        return None, error
