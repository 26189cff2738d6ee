"""The desk of the service: the log, its one writer, what was looked up and still holds, and who may come in."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from mam_events.access import decode_token, holds, id_in
from mam_events.errors import NotFound
from mam_events.log.group_commit import GroupCommit
from web.service.asking import MASTER, NOBODY, Pass
from web.service.feed import Feed
from web.service.problems import HttpError
from web.service.reruns import Reruns
from web.service.seats import Seats

if TYPE_CHECKING:
    from collections.abc import Callable

    from mam_events.access import Token
    from mam_events.log.combat_log import CombatLog

T = TypeVar("T")
KEPT_BYTES = 64 * 1024 * 1024
"""The most bytes of answers that are kept."""
READERS = 8


class Settings(Struct, frozen=True):
    """The place of the service in the world: the hosts and origins by which it is called, whether whoever sits at the
    same machine needs no token, whether closed fights may be watched by everybody, and how much one may ask.
    """

    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    trusts_loopback: bool = True
    public_replays: bool = False
    secure: bool = False
    body: int = 1024 * 1024
    import_body: int = 64 * 1024 * 1024
    rate: float = 50.0
    burst: float = 200.0
    streams: int = 20
    streams_in_all: int = 2000
    heartbeat: float = 15.0


class Looked(Struct, frozen=True, gc=False):
    """An answer that holds as long as the log's mark is the same: its bytes, and the newest ruling then."""

    mark: int
    number: int
    body: bytes


class Desk:
    """All that the calls share."""

    def __init__(self, log: CombatLog, settings: Settings) -> None:
        self.log = log
        self.settings = settings
        self.seats = Seats()
        self.writer = GroupCommit(log)
        self.readers = ThreadPoolExecutor(READERS, "mam-reader")
        self.workers = ThreadPoolExecutor(2, "mam-worker")
        self.feed = Feed(log)
        self.reruns = Reruns(self)
        self.began_at = datetime.now(UTC)
        self._looked: OrderedDict[tuple[Any, ...], Looked] = OrderedDict()
        self._size = 0
        self._tokens: tuple[int | None, dict[str, Token]] = (None, {})
        self._going: dict[tuple[Any, ...], asyncio.Future[Any]] = {}

    async def open(self) -> None:
        """Begin to follow the log."""
        self.feed.begin(asyncio.get_running_loop())

    async def close(self) -> None:
        """End every stream, write what waits, and let go."""
        self.feed.end()
        # Both are done in a moment, and a loop that ends has nothing else to do.
        self.writer.close()
        self.feed.join()
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.workers.shutdown(wait=False, cancel_futures=True)

    def mark(self) -> int | None:
        """A number that is another one once anything was written; None where that is not to be had for nothing."""
        return self.log.application.factory.mark()

    def looked(self, key: tuple[Any, ...]) -> Looked | None:
        """The answer that is kept under that key, where nothing was written since."""
        found = self._looked.get(key)
        if found is None or found.mark != self.mark():
            return None
        return found

    def keep(self, key: tuple[Any, ...], found: Looked) -> None:
        """Keep an answer; what was not kept longest goes."""
        before = self._looked.pop(key, None)
        self._size += len(found.body) - (len(before.body) if before else 0)
        self._looked[key] = found
        while self._size > KEPT_BYTES and self._looked:
            self._size -= len(self._looked.popitem(last=False)[1].body)

    async def reading(self, work: Callable[[], T]) -> T:
        """The result of some reading, off the loop."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, work)

    async def working(self, work: Callable[[], T]) -> T:
        """The result of work that may take seconds, off the loop; so much of it at once, the rest waits."""
        return await asyncio.get_running_loop().run_in_executor(self.workers, work)

    async def writing(self, work: Callable[[], T], *encounters: str) -> T:
        """The answer to an order, once it is durable."""
        return await asyncio.wrap_future(self.writer.submit(work, *encounters))

    async def admitted(self, words: str, *, at_this_machine: bool) -> Pass:
        """Whoever says those words, or (with none) sits at this machine; raises HttpError for words of no token."""
        if not words:
            return MASTER if at_this_machine and self.settings.trusts_loopback else NOBODY
        mark, known = self._tokens
        now = self.mark()
        if now is None or now != mark:
            said = await self.reading(self.log.application.tokens.all)
            known = {token.id: token for token in map(decode_token, said)}
            self._tokens = (now, known)
        token = known.get(id_in(words))
        if token is None or not holds(token, words):
            raise HttpError(401, "unknown_token", "That token is none, or was revoked.", {"WWW-Authenticate": "Bearer"})
        return Pass(token.role, token.name, token.encounter, token.combatants, token.id)

    async def shows(self, encounter: str) -> bool:
        """True for a closed fight, where everybody may watch those."""
        return self.settings.public_replays and await self.reading(lambda: self._is_closed(encounter))

    def _is_closed(self, encounter: str) -> bool:
        try:
            return self.log.look(encounter, lambda timeline: timeline.state.status == "closed")
        except NotFound:
            return False

    async def still(self, who: Pass) -> bool:
        """True as long as the token of whoever came in holds."""
        if not who.token:
            return True
        said = await self.reading(self.log.application.tokens.all)
        return any(token.id == who.token and not token.revoked_at for token in map(decode_token, said))

    async def shared(self, key: tuple[Any, ...], work: Callable[[], T]) -> T:
        """The result of some reading, done once for all who ask for it at the same time."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.ensure_future(self.reading(work))
            going.add_done_callback(lambda _: self._going.pop(key, None))
        found: T = await asyncio.shield(going)
        return found
