"""Endpoints for proposals: orders that players suggest, and the game master accepts, replaces or refuses."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from mam_events.history.corrections.notes import proposed_order
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.requests import NoteRequest, Reason
from mam_events.sanitize import clean_text
from mam_events.visibility import PUBLIC
from projections.notes.proposals import Proposal, proposals
from projections.rulings.order_result import OrderResult
from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext, check_visible
from web.service.request_body import order_from_json
from web.service.routes.commands import DUEL, Author, check_confirmed
from web.service.routes.corrections import Visible
from web.service.routes.views import number_in

Order = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Order"})]


class ProposalRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A proposed order, and the reason for it."""

    order: Order
    text: Annotated[str, Meta(max_length=2000)] = ""
    visibility: Visible = PUBLIC


class ProposalAnswer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer to a proposal: its order is given, or another one (`instead`), or it is refused.

    With `sure` the order is given whatever it cuts short.
    """

    accept: bool
    instead: Order = {}
    sure: bool = False
    reason: Reason = ""


class ProposalQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The open proposals, or all of them."""

    all: bool = False


@endpoint(
    "GET /encounters/{encounter}/proposals",
    "look",
    answer=list[Proposal],
    query=ProposalQuery,
    example=Example(path=DUEL),
)
def proposed(context: RequestContext, timeline: Timeline) -> list[Proposal]:
    """Return all proposals that wait for an answer of the game master."""
    viewer = context.own_viewer(timeline)
    return [one for one in proposals(timeline, viewer.redactor) if one.open or context.query.all]


@endpoint(
    "POST /encounters/{encounter}/proposals",
    "write",
    conditional=False,
    rank="player",
    answer=OrderResult,
    body=ProposalRequest,
    query=Author,
    example=Example(
        path=DUEL,
        body={"order": {"do": "adjust", "reason": "he drank the potion"}, "text": "I drank it last turn."},
    ),
)
def propose(context: RequestContext) -> OrderResult:
    """Propose an order for any combatant; nothing changes until the game master accepts it."""
    body: ProposalRequest = context.body
    order = order_from_json(body.order, "order")

    def check(timeline: Timeline) -> Any:
        viewer = context.own_viewer(timeline)
        if not (context.key and timeline.head_with_id(context.key)):
            check_visible(context.who, body.visibility, viewer.view)
            check_visible(context.who, order.visibility, viewer.view)
            viewer.check_named(order, order.__struct_fields__, proposed=True)
        return viewer.sees

    sees = context.log.look(context.encounter, check)
    note = NoteRequest(clean_text(body.text), "proposal", order=order, visibility=body.visibility)
    return context.result([context.log.write_note(context.encounter, note, context.metadata(), sees)])


@endpoint(
    "POST /encounters/{encounter}/proposals/{proposal}/ruling",
    "write",
    rank="gm",
    answer=OrderResult,
    body=ProposalAnswer,
    query=Author,
    example=Example(path=DUEL | {"proposal": "12"}, body={"accept": False, "reason": "It was spilt."}),
)
def rule_on(context: RequestContext) -> OrderResult:
    """Accept a proposal and give its order or another one, or refuse it."""
    body: ProposalAnswer = context.body
    number = number_in(context, "proposal")
    replacement = order_from_json(body.instead, "instead") if body.instead else None
    reason = clean_text(body.reason)
    if body.accept and not (body.sure or context.is_repeated):
        order = replacement or proposed_order(
            context.log.look(context.encounter, lambda timeline: timeline.head(number))
        )
        check_confirmed(context, [order])
    if body.accept:
        return context.result(
            context.log.write_acceptance(context.encounter, number, replacement, reason, context.metadata())
        )
    return context.result(
        [context.log.write_note(context.encounter, NoteRequest(reason, "decision", number), context.metadata())]
    )
