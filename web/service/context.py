"""The service context: the log, its one writer, cached answers, and who may use the service."""

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
"""The maximum number of bytes of cached answers."""
CACHE_OVERHEAD_BYTES = 1024
"""The number of bytes counted for a cached answer in addition to its body."""
READER_THREADS = 8


class Settings(Struct, frozen=True):
    """The settings of the service.

    `hosts` and `origins` are the names under which it is called; requests from this machine that use one of `own_hosts`
    need no token. With `public_replays` everybody may watch closed fights. `secure` is set behind HTTPS, `passed_on`
    behind another server. The rest are limits: bytes of a body, requests a second, open streams, seconds between
    heartbeats.
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
    """An answer that holds until the log's mark changes: its bytes, and the newest ruling at the time."""

    mark: int
    number: int
    body: bytes


def _pass_of(token: Token) -> Principal:
    return Principal(token.role, token.name, token.encounter, token.combatants, token.id)


def _size(answer: CachedAnswer) -> int:
    return len(answer.body) + CACHE_OVERHEAD_BYTES


class ServiceContext:
    """The state that all endpoints share."""

    def __init__(self, log: CombatLog, settings: Settings) -> None:
        self.log = log
        self.settings = settings
        self.viewers = ViewCache()
        self.writer = GroupCommit(log)
        self.readers = ThreadPoolExecutor(READER_THREADS, "mam-reader")
        self.workers = ThreadPoolExecutor(2, "mam-worker")
        self.anonymous_workers = ThreadPoolExecutor(1, "mam-anonymous")
        self._anonymous_limit = AnonymousLimit()
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
        """Stop all work, write what is queued, and release all resources."""
        self.end()
        if self._following:
            self._following.cancel()
        # Both block only briefly, and the event loop is about to end.
        self.writer.close()
        self.feed.join()
        self.readers.shutdown(wait=False, cancel_futures=True)
        self.workers.shutdown(wait=False, cancel_futures=True)
        self.anonymous_workers.shutdown(wait=False, cancel_futures=True)
        self.reruns.close()

    def mark(self) -> int | None:
        """Return a number that changes with each write, or None if the store has no cheap one."""
        return self.log.application.factory.mark()

    def cached(self, key: tuple[Any, ...]) -> CachedAnswer | None:
        """Return the answer cached under `key`, or None if there is none or something was written since."""
        answer = self._looked.get(key)
        if answer is None or answer.mark != self.mark():
            return None
        return answer

    def keep(self, key: tuple[Any, ...], answer: CachedAnswer) -> None:
        """Cache an answer; drop the oldest ones if space runs out, and all of them if something was written since."""
        if next(iter(self._looked.values()), answer).mark != answer.mark:
            self._looked.clear()
            self._size = 0
        before = self._looked.pop(key, None)
        self._size += _size(answer) - (_size(before) if before else 0)
        self._looked[key] = answer
        while self._size > KEPT_BYTES and self._looked:
            self._size -= _size(self._looked.popitem(last=False)[1])

    async def run_read(self, work: Callable[[], T]) -> T:
        """Return the result of a short read, run off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, work)

    async def run_work(self, work: Callable[[], T]) -> T:
        """Return the result of work that may take seconds, run off the event loop; further work waits for a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.workers, work)

    async def run_write(self, work: Callable[[], T], *encounters: str, payer: str = "") -> T:
        """Return the answer to a write once it is durable; the write counts against `payer`."""
        return await asyncio.wrap_future(self.writer.submit(work, *encounters, payer=payer))

    async def principal_of(self, words: str, *, at_this_machine: bool) -> Principal:
        """Return the principal that a token stands for; raise HttpError for an unknown or revoked token.

        Without a token this is the game master at this machine, and an anonymous principal elsewhere.
        """
        if not words:
            return LOCAL_GM if at_this_machine else ANONYMOUS
        token = (await self._known()).get(id_in(words))
        if token is None or not verify_token(token, words):
            raise HttpError(
                401,
                "unknown_token",
                "Unknown or revoked token. Ask the game master for a new one.",
                {"WWW-Authenticate": "Bearer"},
            )
        return _pass_of(token)

    async def principal_in(self, who: Principal, encounter: str) -> Principal:
        """Return the principal as they are in that fight.

        Raises HttpError for a player who does not play in it, as if there were no such fight.
        """
        if who.rank != "player" or who.encounter:
            return who
        principal = await self.run_read(lambda: self._seat_in(who, encounter))
        if principal is None:
            raise HttpError(404, "not_found", f'You do not play in "{encounter}".')
        return principal

    def _seat_in(self, who: Principal, encounter: str) -> Principal | None:
        try:
            return self.log.look(encounter, lambda timeline: who.seated(encounter, timeline.state.combatants))
        except (NotFound, VerificationFailed):
            # Only the game master may know of a fight that can't be read.
            return None

    async def _known(self) -> dict[str, Token]:
        """Return all tokens by their ids."""
        mark, tokens = self._tokens
        now = self.mark()
        if now is None or now != mark:
            encoded_tokens = await self.run_read(self.log.application.tokens.all)
            tokens = {token.id: token for token in map(decode_token, encoded_tokens)}
            self._tokens = (now, tokens)
        return tokens

    async def is_shown(self, encounter: str) -> bool:
        """Return True for a closed fight that everybody may watch; raise HttpError if too many ask at once."""
        if not self.settings.public_replays:
            return False
        # The fight may have to be read first. Callers with a token don't wait for this.
        with self._anonymous_limit:
            return await asyncio.get_running_loop().run_in_executor(self.anonymous_workers, self._is_closed, encounter)

    def _is_closed(self, encounter: str) -> bool:
        try:
            return self.log.look(encounter, lambda timeline: timeline.state.status == "closed")
        except (NotFound, VerificationFailed):
            return False

    async def is_still_valid(self, who: Principal) -> bool:
        """Return True as long as the principal's token is valid and their place in the fight has not changed."""
        if not who.token:
            return True
        token = (await self._known()).get(who.token)
        if token is None or token.revoked_at:
            return False
        try:
            return await self.principal_in(_pass_of(token), who.encounter) == who
        except HttpError:
            return False

    async def _follow_tokens(self) -> None:
        """Wake all streams when a token was revoked, so that they check theirs."""
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
        """Return the result of some work, done once for all who ask for it at the same time."""
        going = self._going.get(key)
        if going is None:
            going = self._going[key] = asyncio.ensure_future(work())
            going.add_done_callback(lambda _: self._going.pop(key, None))
        result: T = await asyncio.shield(going)
        return result
