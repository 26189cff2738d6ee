"""Endpoints for corrections and their previews, disputes, remarks and branches."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from mam_events.errors import BadInput
from mam_events.events import Amend, Step
from mam_events.history.corrections.corrections import check_steps
from mam_events.history.timeline.timeline import Timeline
from mam_events.log.requests import CorrectionRequest, NoteRequest, Reason, Redo, Steps, Undo
from mam_events.log.results import Preview
from mam_events.log.validation import numbers
from mam_events.log.writer import expect_newest
from mam_events.sanitize import clean_fields, clean_text
from mam_events.visibility import PUBLIC
from projections.rulings.order_result import OrderResult
from projections.rulings.previews import PreviewResult, preview_result
from web.service.endpoints import Example, endpoint
from web.service.problems import forbidden_error
from web.service.request import RequestContext, check_visible
from web.service.routes.commands import DUEL, Author, expect_required
from web.service.routes.views import number_in

Visible = Annotated[str, Meta(description="Who may see it: public, gm, or side:NAME.")]


class DisputeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A dispute about a ruling; it may name the rule or option that it is based on."""

    about: Annotated[int, Meta(ge=1)]
    claim: Annotated[str, Meta(min_length=1, max_length=2000)]
    rule: str = ""
    visibility: Visible = PUBLIC


class RemarkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A remark about a ruling, or about the whole fight (0)."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    about: Annotated[int, Meta(ge=0)] = 0
    visibility: Visible = PUBLIC


class ReplyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in a dispute."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    visibility: Visible = PUBLIC


class DecisionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a dispute: the later corrections that settle it, or none if the ruling stands."""

    corrections: tuple[int, ...] = ()
    reason: Reason = ""


class BranchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A branch: its id, and the moment after which it continues (the newest by default)."""

    encounter: str
    at: str = ""


@endpoint(
    "POST /encounters/{encounter}/corrections",
    "write",
    rank="player",
    answer=OrderResult,
    body=Undo | Redo | Steps,
    query=Author,
    example=Example(path=DUEL, body={"correct": "undo", "reason": "the shield was up"}),
)
def correct(context: RequestContext) -> OrderResult:
    """Correct the past: all rulings after it are judged again, and nothing is deleted.

    A player may undo their own last ruling, until somebody else acts.
    """
    body, log = context.body, context.log
    if not context.is_repeated:
        log.look(context.encounter, lambda timeline: _check(context, timeline))
        if not (body.sure or body.expect):
            timeline = log.timeline(context.encounter)
            expect_newest(timeline, context.expected, context.own_viewer(timeline).view)
            sees = context.own_viewer(timeline).sees
            correction_preview = log.preview(context.encounter, _steps(context, timeline), sees=sees, turns=body.turns)
            if correction_preview.touches_more:
                raise expect_required(correction_preview)
    request, sees = log.look(
        context.encounter, lambda timeline: (_asked(context, timeline), context.own_viewer(timeline).sees)
    )
    request = replace(request, reason=clean_text(body.reason))
    answer = log.write_correction(context.encounter, request, context.metadata(), sees)
    return context.result([answer])


@endpoint(
    "POST /encounters/{encounter}/corrections/preview",
    "work",
    expensive=True,
    rank="player",
    answer=PreviewResult,
    body=Undo | Redo | Steps,
    example=Example(path=DUEL, body={"correct": "undo", "ruling": 6}),
)
def preview(context: RequestContext) -> PreviewResult:
    """Preview a correction: the verdict on each later ruling, and the points of all combatants after it.

    A player may preview only a correction that they may make: other results depend on dice that may be hidden from
    them.
    """
    body, log = context.body, context.log
    timeline = log.timeline(context.encounter)
    viewer = context.own_viewer(timeline)
    steps = _steps(context, timeline)
    context.who.rights.check_steps(timeline, steps)
    return preview_view(log.preview(context.encounter, steps, sees=viewer.sees, turns=body.turns), context, timeline)


def _steps(context: RequestContext, timeline: Timeline) -> tuple[Step, ...]:
    """Return the steps of a correction; raise an error for a ruling that the principal may not see."""
    body, sees = _asked(context, timeline), context.own_viewer(timeline).sees
    steps = body.find_steps(timeline, sees)
    if isinstance(body, Steps):
        check_steps(timeline, steps, sees)
    return steps


def _asked(context: RequestContext, timeline: Timeline) -> CorrectionRequest:
    """Return the requested correction, normalized.

    A player's undo of a ruling never undoes the reactions of others. Amended fields are parsed as in the order itself.
    """
    body: CorrectionRequest = context.body
    if isinstance(body, Undo):
        is_alone = body.only or (body.ruling is not None and not context.who.has_rank("gm"))
        return replace(body, only=is_alone)
    return replace(body, steps=_cleaned(body.steps, timeline)) if isinstance(body, Steps) else body


def preview_view(shown_preview: Preview, context: RequestContext, timeline: Timeline) -> PreviewResult:
    """Return a preview as the principal may see it."""
    patches = [step.patch for step in getattr(context.body, "steps", ()) if isinstance(step, Amend)]
    return preview_result(timeline, shown_preview, context.own_viewer(timeline), patches)


def _check(context: RequestContext, timeline: Timeline) -> None:
    body = context.body
    if context.who.has_rank("gm"):
        return
    if not isinstance(body, Undo) or body.rewind:
        context.who.rights.check_may_correct()
    steps = _asked(context, timeline).find_steps(timeline, context.own_viewer(timeline).sees)
    context.who.rights.check_steps(timeline, steps)


def _cleaned(steps: tuple[Step, ...], timeline: Timeline) -> tuple[Step, ...]:
    """Return the steps with amended fields parsed as in the order itself: `1/2` as a speed, `2 m` as a distance."""
    entries = timeline.entries
    return tuple(
        Amend(step.ruling, clean_fields(type(entries[step.ruling].head.command), step.patch))
        if isinstance(step, Amend) and step.ruling in entries
        else step
        for step in steps
    )


@endpoint(
    "POST /encounters/{encounter}/disputes",
    "write",
    conditional=False,
    rank="player",
    answer=OrderResult,
    body=DisputeRequest,
    query=Author,
    example=Example(path=DUEL, body={"about": 8, "claim": "he was behind cover", "rule": "MAM-CIRC-01"}),
)
def dispute(context: RequestContext) -> OrderResult:
    """Dispute a ruling; play goes on until the game master decides."""
    body: DisputeRequest = context.body
    claim = clean_text(body.claim)
    return _note(context, NoteRequest(claim, "dispute", body.about, rule=body.rule, visibility=body.visibility))


@endpoint(
    "POST /encounters/{encounter}/disputes/{dispute}/answers",
    "write",
    conditional=False,
    rank="player",
    answer=OrderResult,
    body=ReplyRequest,
    query=Author,
    example=Example(path=DUEL | {"dispute": "12"}, body={"text": "It was a table, and tables hide nobody."}),
)
def answer(context: RequestContext) -> OrderResult:
    """Answer an open dispute."""
    body: ReplyRequest = context.body
    number = number_in(context, "dispute")
    return _note(context, NoteRequest(clean_text(body.text), "answer", number, visibility=body.visibility))


@endpoint(
    "POST /encounters/{encounter}/disputes/{dispute}/ruling",
    "write",
    conditional=False,
    rank="gm",
    answer=OrderResult,
    body=DecisionRequest,
    query=Author,
    example=Example(path=DUEL | {"dispute": "12"}, body={"reason": "Tables hide nobody."}),
)
def decide(context: RequestContext) -> OrderResult:
    """Decide a dispute: the ruling stands, or later corrections settle it."""
    body: DecisionRequest = context.body
    number, settling = number_in(context, "dispute"), numbers(body.corrections, "corrections")
    return _note(context, NoteRequest(clean_text(body.reason), "decision", number, corrections=settling))


@endpoint(
    "POST /encounters/{encounter}/notes",
    "write",
    conditional=False,
    rank="player",
    answer=OrderResult,
    body=RemarkRequest,
    query=Author,
    example=Example(path=DUEL, body={"text": "The lamp goes out.", "about": 8}),
)
def note(context: RequestContext) -> OrderResult:
    """Write a remark; it changes no ruling."""
    body: RemarkRequest = context.body
    return _note(context, NoteRequest(clean_text(body.text), about=body.about, visibility=body.visibility))


def _note(context: RequestContext, note: NoteRequest) -> OrderResult:
    def check(timeline: Timeline) -> Any:
        viewer = context.own_viewer(timeline)
        if context.key and timeline.head_with_id(context.key):
            return viewer.sees
        for number in filter(None, (note.about, *note.corrections)):
            viewer.check_shown(number)
        check_visible(context.who, note.visibility, viewer.view)
        return viewer.sees

    sees = context.log.look(context.encounter, check)
    return context.result([context.log.write_note(context.encounter, note, context.metadata(), sees)])


@endpoint(
    "POST /encounters/{encounter}/branches",
    "write",
    rank="gm",
    answer=OrderResult,
    status=201,
    body=BranchRequest,
    query=Author,
    example=Example(path=DUEL, body={"encounter": "duel-again", "at": "8"}),
)
def branch(context: RequestContext) -> OrderResult:
    """Continue from a moment as a separate fight with its own dice."""
    body: BranchRequest = context.body
    if context.who.encounter:
        # A branch is another encounter.
        raise forbidden_error(f'Your token is only for the encounter "{context.who.encounter}".')
    if body.encounter == context.encounter:
        raise BadInput("The branch needs an id of its own.", place="encounter")
    return context.result(
        [context.log.write_branch(context.encounter, body.encounter, body.at or None, context.metadata())]
    )
