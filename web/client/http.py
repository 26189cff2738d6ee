"""An HTTP client for a service: requests with a token, answers as JSON, errors as the log itself raises them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlunsplit

import msgspec
import urllib3

from mam_events.errors import (
    BadInput,
    CommandHint,
    MamError,
    NoFace,
    NotFound,
    Refused,
    StoreUnusable,
    VerificationFailed,
    VersionConflict,
)
from mam_events.refusals.arguments import Term, TextArgument, text_fragment
from web.address import parse_address

MAX_ATTEMPTS = 3
"""The number of times that a request without an answer is sent; its key makes sure that it is done once."""
TIMEOUT_SECONDS = 60.0


class HttpClient:
    """A client of the service at an address; the token may follow its #, as in a link."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = parse_address(address, "--store")
        self.address = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
        self._headers = {"Accept": "application/json"}
        if secret := parts.fragment or token:
            self._headers["Authorization"] = f"Bearer {secret}"
        self._pool = urllib3.PoolManager(retries=False, timeout=TIMEOUT_SECONDS)

    def get(self, path: str, **query: str | int) -> Any:
        """Return the answer to a GET request; raise the error that the log raised."""
        return self._decoded(self._sent("GET", path, query, None, {}))

    def post(self, path: str, body: Any, headers: dict[str, str], **query: str | int) -> Any:
        """Send a POST request and return its answer.

        The request is sent again with the same headers if nobody answers. Raises BadInput for a header that Latin-1
        cannot encode, and otherwise the error that the log raised.
        """
        for name, value in headers.items():
            try:
                value.encode("latin-1")
            except UnicodeEncodeError:
                raise BadInput("A service takes only Latin letters in an id.", place=name, wrong=value) from None
        if isinstance(body, str):
            data, form = body.encode(), "text/plain"
        else:
            data, form = body if isinstance(body, bytes) else msgspec.json.encode(body), "application/json"
        return self._decoded(self._sent("POST", path, query, data, {"Content-Type": form} | headers))

    def _sent(
        self, method: str, path: str, query: dict[str, str | int], body: bytes | None, headers: dict[str, str]
    ) -> urllib3.BaseHTTPResponse:
        parameters = {name: value for name, value in query.items() if value not in ("", 0)}
        url = f"{self.address}{path}{'?' if parameters else ''}{urlencode(parameters)}"
        failed = ""
        for _ in range(MAX_ATTEMPTS):
            try:
                return self._pool.request(method, url, body=body, headers=self._headers | headers)
            except urllib3.exceptions.HTTPError as error:
                failed = type(error).__name__
        raise StoreUnusable(f"Nobody answers at {self.address} ({failed}). Is `mam serve` running there?")

    def _decoded(self, response: urllib3.BaseHTTPResponse) -> Any:
        if response.status < 400:  # noqa: PLR2004 - errors begin there
            return msgspec.json.decode(response.data)
        try:
            problem = msgspec.json.decode(response.data)
            error = _error_of(problem["status"], problem)
        except (msgspec.MsgspecError, KeyError, TypeError):
            error = StoreUnusable(f"{self.address} is not a service of mam-events: it answered {response.status}.")
        raise error

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()


class RemoteRefused(Refused):
    """A refusal by the service, with the sentence that the service chose for this user."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(
            problem["code"],
            rule=problem.get("rule", ""),
            fields=tuple(problem.get("fields", ())),
            wrong=problem.get("wrong", ""),
            allowed=map(Term, problem.get("allowed", ())),
            hints=[CommandHint(hint["do"], hint["values"]) for hint in problem.get("hints", ())],
        )
        self.order = problem.get("order", "")
        # The service has already chosen the sentence for this user.
        self.say(text_fragment("quoted", sentence=TextArgument(problem["detail"])))


def _error_of(status: int, problem: dict[str, Any]) -> MamError:
    """Return the error that the log raised at the service."""
    sentence: str = problem["detail"]
    allowed, wrong = problem.get("allowed", ()), problem.get("wrong", "")
    if status == 422:  # noqa: PLR2004 - refused by the rules
        return RemoteRefused(problem)
    if status in (400, 413, 415):
        place = problem.get("place", "")
        if problem["code"] == NoFace.code:
            fault = sentence.removeprefix(f"{place}: ")
            return NoFace(fault, place=place, dice=allowed, order=problem.get("order", ""))
        return BadInput(sentence.removeprefix(f"{place}: "), place=place, wrong=wrong, allowed=allowed)
    if status == 404:  # noqa: PLR2004 - not found
        return NotFound(sentence, wrong=wrong, allowed=allowed)
    if status == 412:  # noqa: PLR2004 - others wrote first
        return VersionConflict(sentence)
    if status == 409:  # noqa: PLR2004 - a seal is wrong
        return VerificationFailed(sentence)
    if status in (401, 403):
        return RemoteRefused(problem)
    return StoreUnusable(sentence)
