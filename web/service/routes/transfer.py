"""Endpoints for whole encounters: list, export, import, replay page, seals and rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from mam_events.archive import ImportReport, export_ndjson, import_ndjson
from mam_events.archive.input_files import without_mark
from mam_events.deserializer import encounter_id
from mam_events.errors import NotFound, VerificationFailed, VersionConflict
from mam_events.history.timeline.timeline import Timeline
from mam_events.store import build_events
from mam_events.verification import Verification, check_snapshots, revealed_elsewhere, verify, verify_export
from mam_events.visibility import GAME_MASTER
from projections.cache.encounters import ENCOUNTER_TABLE, EncounterRow, encounters
from projections.pages.replay_page import build_replay_page
from web.pages.replay import render_replay_page
from web.service.endpoints import Example, NoQuery, endpoint
from web.service.request import RequestContext
from web.service.routes.commands import DUEL
from web.service.routes.views import ViewQuery

NDJSON = "application/x-ndjson"
HTML = "text/html; charset=utf-8"


class EncounterSummary(Struct, frozen=True):
    """One fight in the list of fights."""

    encounter: str
    about: EncounterRow


class Seal(Struct, frozen=True):
    """The newest seal; somebody who notes it down can prove later that nothing before it was changed."""

    encounter: str
    ruling: int
    seal: str


class ImportAs(Struct, frozen=True, forbid_unknown_fields=True):
    """The new id of the encounter; by default it keeps its own."""

    encounter: str = ""


@endpoint("GET /encounters", "read", expensive=True, answer=list[EncounterSummary], query=NoQuery, example=Example())
def encounter_list(context: RequestContext) -> list[EncounterSummary]:
    """Return the encounters that you may see, the oldest first."""
    if context.who.has_rank("gm") and not context.who.encounter:
        return [EncounterSummary(name, row) for name, row in encounters(context.log).items()]
    return list(_own_fights(context))


def _own_fights(context: RequestContext) -> Iterator[EncounterSummary]:
    """Yield the fights that a caller who may not see all of them may see, each with what they may know of it."""
    for name, version in context.log.application.recorder.versions():
        if context.who.encounter not in ("", name):
            continue
        try:
            timeline = context.log.timeline(name)
        except (NotFound, VerificationFailed):
            # Leave out a fight that can't be read.
            continue
        who = context.who.seated(name, timeline.state.combatants)
        if who is not None:
            yield from starmap(
                EncounterSummary, ENCOUNTER_TABLE.rows(context.log, who.view_of(timeline), [(name, version)])
            )


@endpoint(
    "GET /encounters/{encounter}/export",
    "work",
    expensive=True,
    public=True,
    answer=bytes,
    query=ViewQuery,
    media=(NDJSON,),
    example=Example(path=DUEL),
)
def export(context: RequestContext) -> bytes:
    """Return the whole log as lines of JSON that prove themselves; a ruling that is hidden from you is one hash.

    The seed of the dice is never included.
    """
    timeline = context.log.timeline(context.encounter)
    return b"".join(export_ndjson(context.log, context.encounter, view=context.viewer(timeline).view))


@endpoint(
    "POST /imports",
    "work",
    rank="gm",
    answer=ImportReport,
    status=201,
    body=bytes,
    takes=("application/x-ndjson", "application/json"),
    query=ImportAs,
    media=("application/json",),
    example=Example(),
)
def import_(context: RequestContext) -> ImportReport:
    """Import an export (its lines, sent as `application/x-ndjson`) unchanged, after all seals are checked.

    Rows that exist already are not written again.
    """
    return import_ndjson(
        context.log,
        without_mark(context.body, "body").splitlines(keepends=True),
        context.query.encounter or None,
        name="body",
    )


@endpoint(
    "GET /encounters/{encounter}/replay.html",
    "work",
    expensive=True,
    public=True,
    answer=bytes,
    query=ViewQuery,
    media=(HTML,),
    example=Example(path=DUEL),
)
def replay_page(context: RequestContext) -> bytes:
    """Return the fight as one page that opens anywhere, also from disk: to play, scrub, search and share."""
    timeline = context.log.timeline(context.encounter)
    return book_page(context, timeline)


def book_page(context: RequestContext, timeline: Timeline) -> bytes:
    """Return the replay page of that fight."""
    viewer = context.viewer(timeline)
    rows = context.log.application.rows(context.encounter)[: timeline.version]
    book = build_replay_page(context.encounter, timeline, rows, viewer.redactor, context.log.rules)
    lines = [line.decode().rstrip("\n") for line in export_ndjson(context.log, context.encounter, view=viewer.view)]
    # Leave out the header and the footer of the export.
    # Visitors without a token may not follow the fight live.
    live = context.who.has_rank("player") or bool(context.who.token)
    return render_replay_page(replace(book, rows=tuple(lines[1:-1])), live=live).encode()


@endpoint(
    "GET /encounters/{encounter}/verify",
    "work",
    expensive=True,
    answer=Verification,
    query=ViewQuery,
    example=Example(path=DUEL),
)
def verification(context: RequestContext) -> Verification:
    """Check all seals and revealed dice of the log; the answer counts those that you may see."""
    timeline = context.log.timeline(context.encounter)
    view = context.viewer(timeline).view
    rows = context.log.application.rows(context.encounter)
    application = context.log.application
    revealed = revealed_elsewhere(application.recorder, rows)
    result = verify(rows, seed=application.seeds.get(context.encounter), revealed=revealed)
    check_snapshots(rows, application.snapshots_of(context.encounter))
    if view != GAME_MASTER:
        result = verify_export(export_ndjson(context.log, context.encounter, view=view))
    return result


@endpoint("GET /encounters/{encounter}/seal", "look", public=True, answer=Seal, example=Example(path=DUEL))
def seal(context: RequestContext, timeline: Timeline) -> Seal:
    """Return the newest seal, which anybody may note down."""
    return Seal(context.encounter, timeline.number, timeline.seal)


class RowsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The version after which rows begin."""

    after: Annotated[int, Meta(ge=0)] = 0


class SortOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The oldest encounter first, or the one `played` last."""

    order: Literal["", "played"] = ""


class EncounterVersion(Struct, frozen=True):
    """An encounter with the version of its newest row."""

    encounter: str
    version: int


class LogRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row as it is stored; `state` is JSON."""

    version: Annotated[int, Meta(ge=1)]
    topic: str
    state: str


class Rows(Struct, frozen=True, forbid_unknown_fields=True):
    """Rows as they are stored, and the seed of the dice (hex) if they begin a fight."""

    rows: Annotated[list[LogRow], Meta(min_length=1)]
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{128})?$")] = ""


@endpoint("GET /rows", "read", rank="gm", answer=list[EncounterVersion], query=SortOrder, example=Example())
def versions(context: RequestContext) -> list[EncounterVersion]:
    """Return all encounters with the version of their newest row."""
    pairs = context.log.application.recorder.versions(last_played=context.query.order == "played")
    return [EncounterVersion(*one) for one in pairs if context.who.encounter in ("", one[0])]


@endpoint(
    "GET /encounters/{encounter}/rows",
    "work",
    rank="gm",
    answer=list[LogRow],
    query=RowsQuery,
    example=Example(path=DUEL),
)
def rows(context: RequestContext) -> list[LogRow]:
    """Return the rows of the log as they are stored, for a program that rebuilds the state itself."""
    stored_rows = context.log.application.rows(context.encounter, context.query.after)
    if not stored_rows:
        context.log.timeline(context.encounter)
    return [LogRow(version, topic, state.decode()) for version, topic, state in stored_rows]


@endpoint(
    "POST /encounters/{encounter}/rows",
    "work",
    rank="gm",
    answer=ImportReport,
    status=201,
    body=Rows,
    example=Example(path=DUEL),
)
def append(context: RequestContext) -> ImportReport:
    """Store rows that were made elsewhere, after all seals are checked: a fight file that was played, or an export."""
    body: Rows = context.body
    encounter_id(context.encounter)
    new = [(row.version, row.topic, row.state.encode()) for row in body.rows]
    stored_rows = context.log.application.rows(context.encounter)
    seed = bytes.fromhex(body.seed) or None
    all_rows = [*stored_rows[: new[0][0] - 1], *new]
    checked = verify(all_rows, seed=seed, rules=context.log.rules)
    if len(stored_rows) >= new[0][0]:
        raise VersionConflict(
            f'Somebody else has written to "{context.encounter}" meanwhile (version {new[0][0]}). Try again.'
        )
    context.log.application.save(*build_events(context.encounter, new), seed=seed)
    return ImportReport(context.encounter, checked.rulings, checked.rows, added=len(new))
