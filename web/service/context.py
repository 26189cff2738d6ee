"""The desk of the service: the log, its one writer, what was looked up and still holds, and who may come in."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

from msgspec import Struct

from mam_events.errors import MamError, NotFound, VerificationFailed
from mam_events.log.combat_log import CombatLog
from mam_events.log.group_commit import GroupCommit
from mam_events.tokens import Token, decode_token, id_in, verify_token
from web.service.notifications import MAX_WAIT_SECONDS, Notifier
from web.service.principal import ANONYMOUS, LOCAL_GM, Principal
from web.service.problems import HttpError
from web.service.rerun_jobs import Reruns
from web.service.view_cache import ViewCache
from web.service.worker_pool import AnonymousLimit, WorkerPool

T = TypeVar("T")
KEPT_BYTES = 64 * 1024 * 1024
"""The most bytes of answers that are kept."""
CACHE_OVERHEAD_BYTES = 1024
"""As many bytes are counted for what an answer takes beside its body."""
READER_THREADS = 8


class Settings(Struct, frozen=True):
    """The place of the service in the world: the hosts and origins by which it is called, those hosts by which
    whoever sits at the same machine calls it and needs no token, whether closed fights may be watched by everybody,
    whether another server passes requests on, and how much one may ask.
    """

    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    own_hosts: frozenset[str] = frozenset()
    public_replays: bool = False
    secure: bool = False
    passed_on: bool = False
    body: int = 128 * 1024
    import_body: int = 64 * 1024 * 1024
    rate: float = 50.0
    burst: float = 200.0
    streams: int = 20
    streams_in_all: int = 2000
    heartbeat: float = 15.0


class CachedAnswer(Struct, frozen=True, gc=False):
    """An answer that holds as long as the log's mark is the same: its bytes, and the newest ruling then."""

    mark: int
    number: int
    body: bytes


def _pass_of(token: Token) -> Principal:
    return Principal(token.role, token.name, token.encounter, token.combatants, token.id)


def _size(found: CachedAnswer) -> int:
    return len(found.body) + CACHE_OVERHEAD_BYTES


class ServiceContext:
    """All that the calls share."""

    def __init__(self, log: CombatLog, settings: Settings) -> None:
        self.log = log
        self.settings = settings
        self.seats = ViewCache()
        self.writer = GroupCommit(log)
        self.readers = ThreadPoolExecutor(READER_THREADS, "mam-reader")
        self.workers = ThreadPoolExecutor(2, "mam-worker")
        self.visitors = ThreadPoolExecutor(1, "mam-visitor")
        self._crowd = AnonymousLimit()
        self.pool = WorkerPool(log)
        self.feed = Notifier(log)
        self.reruns = Reruns(log)
        self.began_at = datetime.now(UTC)
        self._looked: OrderedDict[tuple[Any, ...], CachedAnswer] = OrderedDict()
        self._size = 0
        self._tokens: tuple[int | None, dict[str, Token]] = (None, {})
        self._following: asyncio.Future[None] | None = None
        self._going: dict[tuple[Any, ...], asyncio.Future[Any]] = {}

    async def open(self) -> None:
        """Begin to follow the log and its tokens."""
        self.feed.begin(asyncio.get_running_loop())
        self._following = asyncio.ensure_future(self._follow_tokens())

    def end(self) -> None:
        """End every stream and every long computation."""
        self.feed.end()
        self.pool.end()

    async def close(self) -> None:
        """End what goes on, write what waits, and let go."""
        self.end()
        if self._following:
            self._following.cancel()
        # Both are done in a moment, and a loop that ends has nothing else to do.
        self.writer.close()
        self.feed.join()
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.workers.shutdown(wait=False, cancel_futures=True)
        self.visitors.shutdown(wait=False, cancel_futures=True)
        self.reruns.close()

    def mark(self) -> int | None:
        """A number that is another one once anything was written; None where that is not to be had for nothing."""
        return self.log.application.factory.mark()

    def looked(self, key: tuple[Any, ...]) -> CachedAnswer | None:
        """The answer that is kept under that key, where nothing was written since."""
        found = self._looked.get(key)
        if found is None or found.mark != self.mark():
            return None
        return found

    def keep(self, key: tuple[Any, ...], found: CachedAnswer) -> None:
        """Keep an answer; those that were kept first go, and all where something was written since."""
        if next(iter(self._looked.values()), found).mark != found.mark:
            self._looked.clear()
            self._size = 0
        before = self._looked.pop(key, None)
        self._size += _size(found) - (_size(before) if before else 0)
        self._looked[key] = found
        while self._size > KEPT_BYTES and self._looked:
            self._size -= _size(self._looked.popitem(last=False)[1])

    async def reading(self, work: Callable[[], T]) -> T:
        """The result of some reading, off the loop."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, work)

    async def working(self, work: Callable[[], T]) -> T:
        """The result of work that may take seconds, off the loop; so much of it at once, the rest waits."""
        return await asyncio.get_running_loop().run_in_executor(self.workers, work)

    async def writing(self, work: Callable[[], T], *encounters: str, payer: str = "") -> T:
        """The answer to an order, once it is durable; it is counted against the `payer`."""
        return await asyncio.wrap_future(self.writer.submit(work, *encounters, payer=payer))

    async def admitted(self, words: str, *, at_this_machine: bool) -> Principal:
        """Whoever says those words, or (with none) sits at this machine; raises HttpError for words of no token."""
        if not words:
            return LOCAL_GM if at_this_machine else ANONYMOUS
        token = (await self._known()).get(id_in(words))
        if token is None or not verify_token(token, words):
            raise HttpError(401, "unknown_token", "Unknown or revoked token.", {"WWW-Authenticate": "Bearer"})
        return _pass_of(token)

    async def seated(self, who: Principal, encounter: str) -> Principal:
        """Return whoever came in as they are in that fight; raises HttpError for a player who does not play in it,
        as if there were no such fight.
        """
        if who.rank != "player" or who.encounter:
            return who
        found = await self.reading(lambda: self._seat_in(who, encounter))
        if found is None:
            raise HttpError(404, "not_found", f'There is no encounter "{encounter}" here in which you play.')
        return found

    def _seat_in(self, who: Principal, encounter: str) -> Principal | None:
        try:
            return self.log.look(encounter, lambda timeline: who.seated(encounter, timeline.state.combatants))
        except (NotFound, VerificationFailed):
            # One that cannot be read either is nobody's but the game master's.
            return None

    async def _known(self) -> dict[str, Token]:
        """Every token by its id."""
        mark, known = self._tokens
        now = self.mark()
        if now is None or now != mark:
            said = await self.reading(self.log.application.tokens.all)
            known = {token.id: token for token in map(decode_token, said)}
            self._tokens = (now, known)
        return known

    async def shows(self, encounter: str) -> bool:
        """True for a closed fight, where everybody may watch those; raises HttpError where too many ask at once."""
        if not self.settings.public_replays:
            return False
        # A fight may have to be read first, and those who have a token don't wait for that.
        with self._crowd:
            return await asyncio.get_running_loop().run_in_executor(self.visitors, self._is_closed, encounter)

    def _is_closed(self, encounter: str) -> bool:
        try:
            return self.log.look(encounter, lambda timeline: timeline.state.status == "closed")
        except (NotFound, VerificationFailed):
            return False

    async def still(self, who: Principal) -> bool:
        """True as long as the token of whoever came in holds, and they are in their fight what they were."""
        if not who.token:
            return True
        token = (await self._known()).get(who.token)
        if token is None or token.revoked_at:
            return False
        try:
            return await self.seated(_pass_of(token), who.encounter) == who
        except HttpError:
            return False

    async def _follow_tokens(self) -> None:
        """Let every stream look at its token as soon as any was revoked."""
        revoked: set[str] = set()
        while True:
            await asyncio.sleep(MAX_WAIT_SECONDS)
            if not self.feed.open:
                continue
            with suppress(MamError):
                now = {token.id for token in (await self._known()).values() if token.revoked_at}
                if now - revoked:
                    self.feed.wake_all()
                revoked = now

    async def shared(self, key: tuple[Any, ...], work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of some work, done once for all who ask for it at the same time."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.ensure_future(work())
            going.add_done_callback(lambda _: self._going.pop(key, None))
        found: T = await asyncio.shield(going)
        return found
