"""The server: it serves a log at a socket of this machine or the network until a signal stops it."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from mam_events.errors import BadInput, Refused
from mam_events.log.combat_log import CombatLog
from mam_events.tokens import decode_token
from projections.cache.runner import TableRunner
from web.service.app import application
from web.service.context import Settings
from web.service.lan_addresses import LOOPBACK, lan_addresses
from web.service.protocol import Protocol, most_connections

EVERYWHERE = "0.0.0.0"  # noqa: S104 - only where --lan asks for it
LOCAL_NAMES = (LOOPBACK, "localhost")
"""The host names under which only this machine can call itself."""
LISTEN_BACKLOG = 512


class Server(uvicorn.Server):
    """A server that ends its streams at the first signal, and everything at the second.

    `ready` is called once it answers.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop without raising the signal again, because this is no failure."""
        del sig, frame
        self.force_exit = self.should_exit
        self.should_exit = True
        app: Starlette = self.config.app  # type: ignore[assignment]  # it is always ours
        asyncio.get_running_loop().call_soon_threadsafe(app.state.service.end)


MAX_PORT = 65_535


def bind_socket(port: int, *, lan: bool) -> socket.socket:
    """Return a socket that listens at that port (0: any free one); raise BadInput if the port can't be used."""
    if port > MAX_PORT:
        raise BadInput(f"Invalid port {port} (0 to {MAX_PORT}). Use 0 for any free port.")
    bound_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound_socket.bind((EVERYWHERE if lan else LOOPBACK, port))
    except OSError as error:
        bound_socket.close()
        why = getattr(error, "strerror", "") or f"{error}"
        raise BadInput(f"Can't listen on port {port} ({why.lower()}). Use --port 0 for any free port.") from None
    bound_socket.listen(LISTEN_BACKLOG)
    return bound_socket


def addresses(*, lan: bool) -> list[str]:
    """Return the names and addresses of this machine under which it may be called."""
    if not lan:
        return [*LOCAL_NAMES]
    name = socket.gethostname().lower()
    return list(
        dict.fromkeys([*lan_addresses(), name, name if name.endswith(".local") else f"{name}.local", *LOCAL_NAMES])
    )


def settings_for(names: list[str], port: int, *, origin: str = "", public: bool = False) -> Settings:
    """Return the settings of a service with those names at that port; `origin` is its address behind a proxy."""
    hosts = _hosts(names, port)
    origins = {f"http://{host}" for host in hosts}
    if origin:
        scheme, _, host = origin.lower().rstrip("/").partition("://")
        origins.add(f"{scheme}://{host}")
        hosts.add(host)
    return Settings(
        hosts=frozenset(hosts),
        origins=frozenset(origins),
        own_hosts=frozenset(() if origin else _hosts(LOCAL_NAMES, port)),
        public_replays=public,
        passed_on=bool(origin),
        secure=origin.startswith("https://"),
    )


def _hosts(names: Iterable[str], port: int) -> set[str]:
    return {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())  # noqa: PLR2004 - HTTP's own


def check_tokens(log: CombatLog) -> None:
    """Raise Refused if there is no valid token, because then nobody else could use the service."""
    if not any(not token.revoked_at for token in map(decode_token, log.application.tokens.all())):
        raise Refused("no_token")


def serve(log: CombatLog, listening: socket.socket, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve a log at a socket until a signal comes, and keep its tables up to date.

    `ready` is called once the server answers.
    """
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    # The notifier logs once that the database doesn't answer; the pool would at each attempt.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    Protocol.most = most_connections()
    # Load the rules now, while a file descriptor is free.
    log.rules  # noqa: B018 - loads the rules
    config = uvicorn.Config(
        application(log, settings),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        http=Protocol,
    )
    with TableRunner(log), asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(Server(config, ready).serve([listening]))
