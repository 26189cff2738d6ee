"""HTTP as uvicorn reads it, with limits on the size of a head and on the time that a request may take to arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from web.service.middleware import HEADERS
from web.service.problems import HttpError, problem_of, response_of

if TYPE_CHECKING:
    import asyncio

MAX_HEAD_BYTES = 64 * 1024
"""The most bytes of a request line with its headers."""
REQUEST_TIMEOUT = 20.0
"""The maximum number of seconds that a request may take to arrive."""
MIN_BYTES_PER_SECOND = 64 * 1024
"""The number of received bytes that earn one second more."""


class TooLarge(Exception):
    """A head with more bytes than allowed."""


def _too_large() -> HttpError:
    return HttpError(431, "head_too_large", f"A request line and its headers have at most {MAX_HEAD_BYTES} bytes.")


WANTED = 8192
"""The maximum number of open files that the process asks for; a connection takes one."""
RESERVE = 256
"""The number of files kept free for the store, computations and reads."""


def most_connections() -> int:
    """Return the maximum number of open connections: the number of files this process may open, minus a reserve.

    First raises the process's limit of open files as far as the system allows and `WANTED` asks.
    """
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return RESERVE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        soft = limit
    return max(RESERVE, (WANTED if soft == resource.RLIM_INFINITY else soft) - RESERVE)


class Protocol(HttpToolsProtocol):
    """One connection; if there are too many, the one that has waited longest for a request is closed."""

    most = WANTED
    """The maximum number of open connections."""
    _late_ones: ClassVar[dict[Protocol, None]] = {}
    """The connections that wait for their request, the oldest first."""
    _incoming = False
    """True while a request arrives; for the first one, from the beginning of the connection."""
    _in_head = True
    _ignoring = False
    """True once a second request came before the first was answered: the connection ends with that answer."""
    _size = 0
    _headers_size = 0
    _began = 0.0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Wait for the first request."""
        super().connection_made(transport)
        self._await_request()
        if len(self.connections) > self.most:
            oldest = next(iter(self._late_ones), self)
            oldest._stop()  # noqa: SLF001 - of the same class
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting for requests."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read the data, unless it is too much."""
        if self._ignoring:
            return
        self._size += len(data)
        super().data_received(data)
        if not self._incoming and self.cycle is not None and self.cycle.response_complete:
            # This is only part of a request, and uvicorn would wait forever for the rest.
            self._await_request()
        # The parser buffers a header until it is complete.
        if self._in_head and self._incoming and self._size > MAX_HEAD_BYTES:
            self._refuse(_too_large())

    def send_400_response(self, msg: str) -> None:
        """Answer a request that cannot be parsed."""
        if self._headers_size > MAX_HEAD_BYTES:
            self._refuse(_too_large())
        else:
            self._refuse(HttpError(400, "no_http", msg))

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._headers_size = 0
        self._in_head = True
        if not self._incoming:
            self._await_request()

    def on_url(self, url: bytes) -> None:
        """Read a part of the URL."""
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header; one after the body is only counted, because the caller is already authenticated."""
        self._count(name, value)
        if self._in_head:
            super().on_header(name, value)

    def shutdown(self) -> None:
        """Close after the current answer; don't wait for the rest of a request."""
        if self.cycle is not None and self.cycle.more_body and not self.cycle.response_started:
            self._refuse(HttpError(503, "stopping", "The service is stopping. Send the request again later."))
        else:
            super().shutdown()

    def _count(self, *parts: bytes) -> None:
        self._headers_size += sum(map(len, parts))
        if self._headers_size > MAX_HEAD_BYTES:
            raise TooLarge

    def on_headers_complete(self) -> None:
        """Begin to answer, unless another request of this connection is being answered.

        Uvicorn would then stop reading, and not notice that the client has left.
        """
        self._in_head = False
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
            self._ignoring = True
            self.cycle.keep_alive = False
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Read a part of the body."""
        if not self._ignoring:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End the wait for this request."""
        self._stop()
        if not self._ignoring:
            super().on_message_complete()

    def _await_request(self) -> None:
        self._stop()
        self._incoming, self._size, self._began = True, 0, self.loop.time()
        self._late_ones[self] = None
        self._timer = self.loop.call_later(REQUEST_TIMEOUT, self._late)

    def _stop(self) -> None:
        self._incoming = False
        self._late_ones.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        seconds = self._began + REQUEST_TIMEOUT + self._size / MIN_BYTES_PER_SECOND - self.loop.time()
        if seconds > 0:
            self._timer = self.loop.call_later(seconds, self._late)
            return
        self._refuse(HttpError(408, "too_slow", "The request took too long to arrive."))

    def _refuse(self, error: HttpError) -> None:
        """Answer with an error, unless an answer has begun, and close the connection."""
        self._stop()
        if self.transport.is_closing():
            return
        if self._size and (self.cycle is None or self.cycle.response_complete or not self.cycle.response_started):
            response = response_of(problem_of(error), {"Connection": "close"})
            lines = [STATUS_LINE[error.status], *(b"%b: %b\r\n" % one for one in (*response.raw_headers, *HEADERS))]
            self.transport.write(b"".join(lines) + b"\r\n" + bytes(response.body))
        self.transport.close()
