"""One request, parsed and checked: the principal, the encounter, the query and the body."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from mam_events.deserializer import LEARNING, find_mismatch
from mam_events.errors import BadInput
from mam_events.log.requests import RequestMeta
from mam_events.permissions import Rights
from mam_events.refusals.suggestions import suggestion_text
from mam_events.sanitize import NAME_LENGTH, check_text, clean_text
from mam_events.visibility import GAME_MASTER, PUBLIC, can_see
from projections.rulings.order_result import OrderResult, order_result
from projections.visibility.viewer import Viewer
from web.service.endpoints import Rank
from web.service.principal import Principal
from web.service.problems import HttpError, forbidden_error

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.combat_log import CombatLog
    from mam_events.log.results import Answer
    from mam_events.rules.rulebook import Rulebook
    from web.service.context import ServiceContext
    from web.service.endpoints import EndpointSpec
    from web.service.worker_pool import WorkerContext

T = TypeVar("T")
CONTROL = "[\x00-\x1f]"
_TAG = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')


class ViewerRights(Rights, frozen=True, kw_only=True):
    """The rights of a person whose orders may name nobody whom their viewer, as of a timeline, doesn't know."""

    viewer: Callable[[Timeline], Viewer]

    def check_order(self, timeline: Timeline, command: Command, rules: Rulebook, *, after: int = 0) -> None:
        """Refuse an order, or a field of it, that is not theirs; then one that names somebody hidden."""
        # Check the rights first, so that nobody without them learns whether a name is taken.
        super().check_order(timeline, command, rules, after=after)
        self.viewer(timeline).check_named(command, command.__struct_fields__)


class RequestContext(Struct, frozen=True, gc=False):
    """One parsed request.

    `query` and `body` have the types that the endpoint declares. `expected` is the ruling that must be the newest
    (None: any), `key` the command id of a write. `looks` is True if the encounter is locked during the call, so that
    its cached redactors can be used. The request counts against `payer`: a token, an address, or "" for this machine.
    """

    service: ServiceContext
    who: Principal
    path: Mapping[str, str]
    query: Any = None
    body: Any = None
    expected: int | None = None
    key: str = ""
    looks: bool = True
    payer: str = ""

    def with_service(self, service: WorkerContext | None) -> Self:
        """Return this request for another process, which has a log and viewers of its own."""
        return replace(self, service=service)

    @property
    def log(self) -> CombatLog:
        """The log of the service, limited to what the principal may write."""
        return self.service.log.limited_to(self.rights)

    @property
    def rights(self) -> Rights:
        """The principal's right to write; a player's order may name nobody who is hidden from them."""
        rights = self.who.rights
        return rights if rights.is_master else ViewerRights(*astuple(rights), viewer=self.own_viewer)

    @property
    def encounter(self) -> str:
        """The encounter in the path."""
        return self.path.get("encounter", "")

    def by(self, name: str = "") -> str:
        """Return the author's name for the log: the name of the token, or the one that the game master gives."""
        return (clean_text(name) if self.who.has_rank("gm") else "") or self.who.name

    def metadata(self) -> RequestMeta:
        """Return the metadata of a write: its author, its key, and the ruling that must be the newest."""
        return RequestMeta(self.by(self.query.by), self.key, self.expected)

    def view(self, timeline: Timeline) -> str:
        """Return the view requested with `as`, or the principal's own; raise HttpError for a view that shows more."""
        own = self.who.view_of(timeline)
        view: str = getattr(self.query, "view", "")
        if not view or view == own:
            return own
        if own != GAME_MASTER and view != PUBLIC:
            raise forbidden_error(f"Your view is {own}. `as` can only narrow it to public.")
        return view

    @property
    def is_repeated(self) -> bool:
        """Return True if a request with the same key was answered before."""
        return bool(self.key) and self.log.look(
            self.encounter, lambda timeline: timeline.head_with_id(self.key) is not None
        )

    def result(self, answers: Sequence[Answer]) -> OrderResult:
        """Return the result of those answers as the principal may see it; call it under the lock of their encounter."""
        encounter = answers[0].encounter

        def at(timeline: Timeline) -> OrderResult:
            viewer = self.service.viewers.viewer(encounter, self.who.view_of(timeline), timeline)
            return order_result(timeline, answers, viewer, self.log.rules)

        return self.log.look(encounter, at)

    def check(self, rank: Rank, sentence: str) -> None:
        """Raise HttpError with that sentence if the principal doesn't have that role."""
        if not self.who.has_rank(rank):
            raise forbidden_error(sentence)

    def own_viewer(self, timeline: Timeline) -> Viewer:
        """Return a viewer with the principal's own view, which decides what they may write."""
        return self._viewer(self.who.view_of(timeline), timeline)

    def _viewer(self, view: str, timeline: Timeline) -> Viewer:
        return self.service.viewers.viewer(self.encounter, view, timeline) if self.looks else Viewer(view, timeline)

    def viewer(self, timeline: Timeline) -> Viewer:
        """Return a viewer with the requested view; use it only while the timeline is locked."""
        viewer = self._viewer(self.view(timeline), timeline)
        viewer.check_side()
        return viewer


def check_rank(who: Principal, spec: EndpointSpec, encounter: str) -> None:
    """Raise HttpError if the principal may not call the endpoint.

    An encounter that they may not know of is reported as missing.
    """
    if who.encounter and encounter and encounter != who.encounter:
        raise HttpError(404, "not_found", f'There is no encounter "{encounter}" here. Yours is "{who.encounter}".')
    if not who.has_rank(spec.rank):
        if who.rank == "anybody":
            raise HttpError(
                401,
                "no_token",
                "Send the token that the game master gave you: `Authorization: Bearer mam_…`.",
                {"WWW-Authenticate": "Bearer"},
            )
        raise forbidden_error(f"Only {_who(spec.rank)} may do this. Your token is a {who.rank}'s.")
    if who.encounter and not encounter and spec.kind != "stream" and spec.rank == "gm":
        raise forbidden_error(f'Your token is only for the encounter "{who.encounter}".')


def _who(rank: Rank) -> str:
    return {"gm": "the game master", "player": "players and the game master"}.get(rank, f"a {rank}")


def read_query(kind: type[Struct], pairs: Sequence[tuple[str, str]]) -> Struct:
    """Return the query as the endpoint declares it; raise BadInput with the nearest known name."""
    field_names, values = kind.__struct_encode_fields__, dict(pairs)
    for name, value in values.items():
        if name not in field_names:
            raise BadInput(
                f'There is no parameter "{name}" here. {suggestion_text(name, field_names)}',
                place="query",
                wrong=name,
                allowed=field_names,
            )
        if re.search(CONTROL, value):
            # Control characters mark references in refusals.
            raise BadInput("This must be text without control characters.", place=name)
        if sum(one == name for one, _ in pairs) > 1:
            raise BadInput("This is sent twice. Send it once.", place=name, wrong=name)
    try:
        with LEARNING:
            return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise find_mismatch(kind, values, error).error("query") from None


def read_expected(header: str | None, *, free: bool) -> int | None:
    """Return the ruling in `If-Match`, or None for `*`, which only a `free` endpoint accepts.

    Raises HttpError if the header is missing or `*` is not accepted, and BadInput if it is no ruling in quotes.
    """
    if header is None:
        raise HttpError(
            428,
            "say_what_you_saw",
            "The server rejects a write that doesn't name the version you saw. "
            'Send If-Match with the newest ruling that you know, from the ETag (If-Match: "17").',
        )
    if header.strip() == "*":
        if not free:
            raise HttpError(
                428, "say_what_you_saw", 'If-Match: * is only for notes and disputes. Name a ruling, like "17".'
            )
        return None
    match = _TAG.fullmatch(header.strip())
    if match is None:
        raise BadInput('This must be the number of a ruling in quotes, like "17".', place="If-Match")
    return int(match[1])


def read_command_id(header: str | None, who: Principal) -> str:
    """Return the command id of a write; it starts with the token's id, so that the keys of two tokens never collide.

    Raises BadInput if the header is missing or is no valid text.
    """
    if not header:
        raise BadInput(
            "This is missing. Send an id of your own for this order, and the same id when you send it again.",
            place="Idempotency-Key",
        )
    key = check_text(header, "Idempotency-Key", NAME_LENGTH // 2)
    return f"{who.token}:{key}" if who.token else key


def check_visible(who: Principal, visibility: str, own: str) -> None:
    """Raise HttpError if somebody would write what only others may see."""
    if not who.has_rank("gm") and not can_see(own, visibility):
        raise forbidden_error(f'What you write can be visible to all or to your side: "public" or "{own}".')
