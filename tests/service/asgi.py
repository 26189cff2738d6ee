"""The application without a server: one request and its response in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from mam_events.log.combat_log import CombatLog
from web.service.app import application
from web.service.context import Settings

HOST = "table.example"
SETTINGS = Settings(
    hosts=frozenset({HOST}), origins=frozenset({f"http://{HOST}"}), own_hosts=frozenset({HOST}), rate=1e9, burst=1e9
)


class AsgiResponse(NamedTuple):
    """A response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class AsgiRequest(NamedTuple):
    """One request; `token` "" is a request from localhost."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}
    token: str = ""


def send_all(log: CombatLog, requests: list[AsgiRequest], settings: Settings = SETTINGS) -> list[AsgiResponse]:
    """Send the requests one after the other and return their responses."""

    async def run() -> list[AsgiResponse]:
        app = application(log, settings)
        async with app.router.lifespan_context(app):
            return [await _ask(app, one) for one in requests]

    return asyncio.run(run())


async def _ask(app: Any, one: AsgiRequest) -> AsgiResponse:
    path, _, query = one.path.partition("?")
    headers = {"host": HOST} | {name.lower(): value for name, value in one.headers.items()}
    if one.token:
        headers["authorization"] = f"Bearer {one.token}"
    body = one.body if isinstance(one.body, bytes) else b"" if one.body is None else json.dumps(one.body).encode()
    if one.body is not None:
        headers.setdefault("content-type", "application/json")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": one.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 80),
    }
    messages: list[dict[str, Any]] = []
    incoming = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if incoming:
            return incoming.pop()
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    await app(scope, receive, send)
    content = b"".join(message.get("body", b"") for message in messages[1:])
    return AsgiResponse(messages[0]["status"], messages[0]["headers"], content)
