"""Errors over HTTP: `application/problem+json` (RFC 9457) with the code, the rule and the allowed values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from mam_events.errors import (
    BadInput,
    MamError,
    NotFound,
    Refused,
    StoreUnusable,
    VerificationFailed,
    VersionConflict,
)
from mam_events.log.group_commit import Busy

MEDIA = "application/problem+json"


class ProblemHint(msgspec.Struct):
    """An order that helps, with the fields that are known."""

    do: str
    values: dict[str, Any]


class Problem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An error.

    `type` is the address of its description, `detail` the sentence, `code` a stable name for programs, `rule` the id of
    the rule that refuses. `fields` are the fields at fault; `allowed` are the values that could replace what was
    `wrong`. `hints` are orders that help. If others wrote first, `version` is the newest ruling and `missed` are the
    rulings since.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str = ""
    code: str
    rule: str = ""
    order: str = ""
    fields: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    place: str = ""
    wrong: str = ""
    hints: tuple[ProblemHint, ...] = ()
    version: int | None = None
    missed: tuple[msgspec.Raw, ...] = ()


class HttpError(MamError):
    """An error of the service itself, not of the log: its `status`, `code` and headers."""

    def __init__(self, status: int, code: str, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})


STATUS: dict[type[MamError], int] = {
    Busy: 503,
    Refused: 422,
    BadInput: 400,
    VersionConflict: 412,
    NotFound: 404,
    VerificationFailed: 409,
    StoreUnusable: 503,
}
TITLES = {
    400: "Bad request",
    401: "Token missing or unknown",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Format not available",
    408: "Request too slow",
    409: "Conflict with what is stored",
    412: "The log has changed",
    413: "Body too large",
    415: "Wrong media type",
    421: "Wrong host name",
    422: "Refused by the rules",
    428: "Missing If-Match",
    429: "Too many requests",
    431: "Headers too large",
    500: "The service failed",
    503: "The log is not available now",
}
"""Titles by status; the `type` of a problem is its place in the reference."""
RETRY = {429: "1", 503: "1"}


def http_status(error: MamError) -> int:
    """Return the HTTP status for an error."""
    if isinstance(error, HttpError):
        return error.status
    if error.code == "not_yours":
        return 403
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def problem_of(error: MamError, instance: str = "") -> Problem:
    """Return an error as a problem with all details, for somebody who may know all of it."""
    status = http_status(error)
    return Problem(
        type=f"/reference#problem-{status}",
        title=TITLES[status],
        status=status,
        detail=error.sentence,
        instance=instance,
        code=error.code,
        rule=getattr(error, "rule", ""),
        order=getattr(error, "order", ""),
        fields=tuple(getattr(error, "fields", ())) or tuple(filter(None, (getattr(error, "place", ""),))),
        allowed=error.allowed,
        place=getattr(error, "place", ""),
        wrong=error.wrong,
        hints=tuple(ProblemHint(hint.order, dict(hint.values)) for hint in error.hints),
    )


def response_of(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    more = dict(headers or {})
    if problem.status in RETRY:
        more.setdefault("Retry-After", RETRY[problem.status])
    return Response(msgspec.json.encode(problem), problem.status, more, media_type=MEDIA)


def forbidden_error(sentence: str) -> HttpError:
    """Return the error for a principal without the right to do something."""
    return HttpError(403, "forbidden", sentence)
