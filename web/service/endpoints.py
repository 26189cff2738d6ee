"""The registry of endpoints: path, rank, query, body, answer and execution kind of each."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from msgspec import Struct

Rank = Literal["anybody", "viewer", "player", "gm"]
RANKS: tuple[Rank, ...] = get_args(Rank)
ExecutionKind = Literal["look", "read", "work", "write", "stream"]


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty query."""


class Example(Struct, frozen=True):
    """A real request, as the tests send it: values of the path, query and body."""

    path: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    body: Any = None


class EndpointSpec(Struct, frozen=True, kw_only=True):
    """One endpoint.

    `kind` is where it runs: a `look` at one encounter under its lock, cached until something is written; a `read` of
    something small; `work` that takes longer; a `write` by the one writer; a `stream`. An `expensive` endpoint takes
    longer the longer the fight is, so another process computes it. `rank` is the lowest role that may call it. Anybody
    may call a `public` one for a closed fight, if the service shows those. `body` and `query` are Structs; `answer` is
    the type of the answer, `media` its media types. `takes` are the media types of the body; a plain text body is a
    `str`. A write that is not `conditional` conflicts with no other, so it may be sent with `If-Match: *`. An endpoint
    that `gives_orders` takes one order or a list, and may write nothing.
    """

    name: str
    method: str
    path: str
    kind: ExecutionKind
    function: Callable[..., Any]
    rank: Rank
    answer: Any
    query: type[Struct] = NoQuery
    body: Any = None
    status: int = 200
    media: tuple[str, ...] = ("application/json",)
    takes: tuple[str, ...] = ("application/json",)
    example: Example = Example()
    public: bool = False
    expensive: bool = False
    conditional: bool = True
    gives_orders: bool = False

    @property
    def summary(self) -> str:
        """The first paragraph of the function's docstring."""
        return self._doc.partition("\n\n")[0].replace("\n", " ")

    @property
    def description(self) -> str:
        """The rest of the docstring."""
        return " ".join(self._doc.partition("\n\n")[2].split())

    @property
    def _doc(self) -> str:
        return inspect.getdoc(self.function) or ""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameter names in the path."""
        return tuple(re.findall(r"{(\w+)}", self.path))


ENDPOINTS: list[EndpointSpec] = []
"""All endpoints, in the order of the reference."""


def endpoint(
    where: str, kind: ExecutionKind, *, rank: Rank = "viewer", answer: Any, **more: Any
) -> Callable[[Any], Any]:
    """Register a function as the endpoint `METHOD /path`."""
    method, path = where.split()

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        ENDPOINTS.append(
            EndpointSpec(
                name=function.__name__,
                method=method,
                path=path,
                kind=kind,
                function=function,
                rank=rank,
                answer=answer,
                **more,
            )
        )
        return function

    return register
