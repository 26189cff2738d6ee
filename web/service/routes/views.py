"""Endpoints that show one encounter, each as the caller may see it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, field

from mam_events.decider.offers import Blocked, Template
from mam_events.errors import BadInput
from mam_events.history.timeline.moments import place_at, state_at
from mam_events.history.timeline.rulings import Ruling, rulings
from mam_events.history.timeline.timeline import Timeline
from mam_events.state import Encounter
from projections.notes.disputes import Dispute, disputes_in
from projections.rulings.audit import AuditEntry, audit_trail
from projections.rulings.frames import Frame, frames
from projections.rulings.index import RulingIndex
from projections.rulings.log_lines import LogLine, log_lines
from projections.rulings.order_result import RulingResult, ruling_results
from projections.rulings.placement import in_story_order, placed_rulings
from projections.state.next_move import next_move_sentence
from projections.state.pools import PoolStanding, pool_standings
from projections.state.turn_order import TurnOrder, project_turn_order
from projections.visibility.legal_orders import offers
from projections.visibility.redaction import Redactor
from web.service.endpoints import Example, endpoint
from web.service.request import RequestContext

AsQuery = Annotated[
    str, Meta(pattern=r"^(|gm|public|side:.+)$", description="A narrower view: public, or for the game master any.")
]
AtQuery = Annotated[
    str,
    Meta(
        pattern=r"^([1-9][0-9]{0,8}|round:[0-9]{1,8}|)$",
        description="Just after that ruling, or `round:2` (now, if left out).",
    ),
]
AfterQuery = Annotated[int, Meta(ge=0, description="Only what comes after that ruling.")]
Limit = Annotated[int, Meta(ge=1, le=1000, description="At most this many.")]


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A narrower view than the caller's own."""

    view: AsQuery = field(name="as", default="")


class Moment(ViewQuery, frozen=True):
    """A moment of the fight as it counts now, and the view."""

    at: AtQuery = ""


class Range(ViewQuery, frozen=True):
    """A part of the log, and the view."""

    after: AfterQuery = 0
    limit: Limit = 100


class LegalQuery(ViewQuery, frozen=True):
    """The combatant, and whether orders that are not allowed are included."""

    combatant: str = ""
    blocked: bool = False


class DisputeQuery(ViewQuery, frozen=True):
    """The open disputes, or all of them."""

    closed: bool = False


class EncounterAnswer(Struct, frozen=True):
    """An encounter: its title and rules, how far it has gone, and what it waits for.

    `version` is the newest ruling, `move` the next move in words.
    """

    encounter: str
    version: int
    title: str
    status: str
    preset: str
    ruleset: str
    round: int
    move: str
    commitment: str


class StateAnswer(EncounterAnswer, frozen=True):
    """The whole state at a moment: all combatants, the turn order, open disputes."""

    combatants: list[PoolStanding]
    order: TurnOrder
    disputes: list[Dispute]


class TurnOrderAnswer(Struct, frozen=True):
    """The turn order and the next move."""

    move: str
    order: TurnOrder


class RulingsAnswer(Struct, frozen=True):
    """A part of the log; `next` is the `after` of the next part, absent in the last one."""

    encounter: str
    version: int
    rulings: list[RulingResult]
    next: int | UnsetType = UNSET


def state_then(timeline: Timeline, at: str, redactor: Redactor) -> Encounter:
    """Return the state at that moment, or the newest one without a moment."""
    return state_at(timeline, at, redactor.sight(timeline)) if at else timeline.state


def placed_rulings_until(timeline: Timeline, at: str, redactor: Redactor) -> list[tuple[int, Ruling]]:
    """Return the rulings up to that moment, each with its place."""
    last = place_at(timeline, at, redactor.sight(timeline)) if at else len(timeline.order)
    return [(place, ruling) for place, ruling in placed_rulings(timeline, redactor) if place <= last]


def _summary(context: RequestContext, timeline: Timeline, state: Encounter, redactor: Redactor) -> dict[str, Any]:
    pinned = state.ruleset
    return {
        "encounter": context.encounter,
        "version": timeline.number,
        "title": redactor.title(state.title),
        "status": state.status,
        "preset": pinned.preset if pinned else "",
        "ruleset": redactor.text(pinned.name) if pinned else "",
        "round": state.round,
        "move": next_move_sentence(state, redactor, context.log.rules),
        "commitment": timeline.commitments[-1] if timeline.commitments else "",
    }


DUEL_EXAMPLE = Example(path={"encounter": "duel"})


@endpoint("GET /encounters/{encounter}", "look", answer=EncounterAnswer, query=ViewQuery, example=DUEL_EXAMPLE)
def encounter(context: RequestContext, timeline: Timeline) -> EncounterAnswer:
    """Return one encounter: how far it has gone, and what it waits for."""
    return EncounterAnswer(**_summary(context, timeline, timeline.state, context.viewer(timeline).redactor))


@endpoint("GET /encounters/{encounter}/state", "look", answer=StateAnswer, query=Moment, example=DUEL_EXAMPLE)
def state(context: RequestContext, timeline: Timeline) -> StateAnswer:
    """Return the whole state at a moment: all combatants, the turn order, open disputes."""
    redactor = context.viewer(timeline).redactor
    moment_state = state_then(timeline, context.query.at, redactor)
    rulings_shown = (
        [ruling for _, ruling in placed_rulings_until(timeline, context.query.at, redactor)]
        if timeline.disputes
        else []
    )
    return StateAnswer(
        **_summary(context, timeline, moment_state, redactor),
        combatants=pool_standings(moment_state, redactor),
        order=project_turn_order(moment_state, redactor),
        disputes=[row for row in disputes_in(RulingIndex(rulings_shown, redactor)) if row.open],
    )


@endpoint("GET /encounters/{encounter}/pools", "look", answer=list[PoolStanding], query=Moment, example=DUEL_EXAMPLE)
def pools(context: RequestContext, timeline: Timeline) -> list[PoolStanding]:
    """Return each combatant's hit points by pool, at a moment.

    `ready`, `defense`, `other_used`, `stun` and `damage` sum to `hp`; where no points are spent, what is neither stun
    nor damage is left.
    """
    redactor = context.viewer(timeline).redactor
    return pool_standings(state_then(timeline, context.query.at, redactor), redactor)


@endpoint("GET /encounters/{encounter}/order", "look", answer=TurnOrderAnswer, query=Moment, example=DUEL_EXAMPLE)
def order(context: RequestContext, timeline: Timeline) -> TurnOrderAnswer:
    """Return the turn order, who acts and who is next."""
    redactor = context.viewer(timeline).redactor
    moment_state = state_then(timeline, context.query.at, redactor)
    return TurnOrderAnswer(
        next_move_sentence(moment_state, redactor, context.log.rules), project_turn_order(moment_state, redactor)
    )


@endpoint(
    "GET /encounters/{encounter}/log",
    "look",
    expensive=True,
    public=True,
    answer=list[LogLine],
    query=Moment,
    example=DUEL_EXAMPLE,
)
def log(context: RequestContext, timeline: Timeline) -> list[LogLine]:
    """Return the fight line by line, undone lines too, with signs for what became of each."""
    redactor = context.viewer(timeline).redactor
    return log_lines([ruling for _, ruling in placed_rulings_until(timeline, context.query.at, redactor)], redactor)


@endpoint(
    "GET /encounters/{encounter}/audit",
    "look",
    expensive=True,
    public=True,
    answer=list[AuditEntry],
    query=Moment,
    example=DUEL_EXAMPLE,
)
def audit(context: RequestContext, timeline: Timeline) -> list[AuditEntry]:
    """Return all rulings ever written: what was requested, how it was judged, what became of it since."""
    redactor = context.viewer(timeline).redactor
    return audit_trail([ruling for _, ruling in placed_rulings_until(timeline, context.query.at, redactor)], redactor)


@endpoint(
    "GET /encounters/{encounter}/events",
    "look",
    expensive=True,
    answer=RulingsAnswer,
    query=Range,
    example=DUEL_EXAMPLE,
)
def events(context: RequestContext, timeline: Timeline) -> RulingsAnswer:
    """Return a part of the log: rulings in the order in which they were written, each with its events.

    A ruling that is hidden from you shows only its number.
    """
    redactor, query = context.viewer(timeline).redactor, context.query
    everything = list(rulings(timeline))
    page = everything[query.after : query.after + query.limit]
    last = page[-1].number if page else timeline.number
    more = last if last < timeline.number else UNSET
    return RulingsAnswer(context.encounter, timeline.number, ruling_results(page, redactor, everything), more)


@endpoint(
    "GET /encounters/{encounter}/rulings/{ruling}",
    "look",
    expensive=True,
    answer=RulingResult,
    query=ViewQuery,
    example=Example(path={"encounter": "duel", "ruling": "8"}),
)
def ruling(context: RequestContext, timeline: Timeline) -> RulingResult:
    """Return one ruling in full: who gave which order when, its dice and events, and what became of it."""
    number = number_in(context, "ruling")
    timeline.head(number)
    everything = list(rulings(timeline))
    return ruling_results([everything[number - 1]], context.viewer(timeline).redactor, everything)[0]


@endpoint(
    "GET /encounters/{encounter}/replay",
    "look",
    expensive=True,
    public=True,
    answer=list[Frame],
    query=Moment,
    example=DUEL_EXAMPLE,
)
def replay(context: RequestContext, timeline: Timeline) -> list[Frame]:
    """Return the fight as frames, one for each ruling where it happened, with all points before and after it."""
    redactor = context.viewer(timeline).redactor
    return frames(in_story_order(placed_rulings_until(timeline, context.query.at, redactor)), redactor)


@endpoint(
    "GET /encounters/{encounter}/disputes",
    "look",
    expensive=True,
    answer=list[Dispute],
    query=DisputeQuery,
    example=DUEL_EXAMPLE,
)
def disputes(context: RequestContext, timeline: Timeline) -> list[Dispute]:
    """Return the open disputes with their answers; with `closed`, decided ones too."""
    index = RulingIndex(rulings(timeline), context.viewer(timeline).redactor)
    return [row for row in disputes_in(index) if row.open or context.query.closed]


@endpoint(
    "GET /encounters/{encounter}/legal", "look", answer=list[Template | Blocked], query=LegalQuery, example=DUEL_EXAMPLE
)
def legal(context: RequestContext, timeline: Timeline) -> list[Template | Blocked]:
    """Return the orders that are allowed now, by combatant and range; with `blocked`, also the others and why.

    A player sees what their own combatants may do.
    """
    viewer, query = context.viewer(timeline), context.query
    if query.combatant:
        viewer.check_known(query.combatant)
    items = offers(context.log.rules, timeline.state, viewer.redactor)
    mine = context.who.combatants
    return [
        offer
        for offer in items
        if (query.blocked or offer.status == "allowed")
        and (not query.combatant or offer.combatant == query.combatant)
        and (not mine or offer.combatant in mine)
    ]


def number_in(context: RequestContext, name: str) -> int:
    """Return the number in the path; raise BadInput if it is none."""
    text = context.path[name]
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not int(text):  # noqa: PLR2004 - as long as any
        raise BadInput(f'Name a ruling by its number, 1 or more, not "{text[:20]}".', place=name)
    return int(text)
