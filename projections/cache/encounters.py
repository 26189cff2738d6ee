"""The list of fights: one row per fight, cached beside the log and made again after the fight has changed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from mam_events import events as e
from mam_events.errors import StoreUnusable, naming_encounter
from mam_events.history.timeline.rulings import rulings
from mam_events.sanitize import is_clean_state
from mam_events.state import EMPTY_ENCOUNTER, Encounter
from mam_events.store import UNREADABLE, decoders
from mam_events.visibility import GAME_MASTER
from projections.cache.table import CachedProjection
from projections.visibility.redaction import Redactor

if TYPE_CHECKING:
    from mam_events.log.readable_log import ReadableLog


class EncounterRow(Struct, frozen=True):
    """A fight in the list of fights; `last_at` (UTC, ISO 8601) and `last_by` are those of the newest visible ruling.

    `branch_of` is the fight that it continues ("": none), from after ruling `behind` of that fight.
    """

    title: str
    status: str
    preset: str
    round: int
    rulings: int
    last_at: str
    last_by: str
    ruleset: str
    branch_of: str = ""
    behind: int = 0


def encounters(log: ReadableLog, view: str = GAME_MASTER) -> dict[str, EncounterRow]:
    """Return the row of every encounter, the oldest first, as far as it is visible to the view.

    Raises VerificationFailed or StoreUnusable for an encounter that cannot be read.
    """
    return dict(ENCOUNTER_TABLE.rows(log, view))


def newest_open(log: ReadableLog) -> str:
    """Return the open encounter that was played last; "" if there is none."""
    latest = log.application.recorder.latest()
    if latest is None:
        return ""
    # Mostly this is the encounter that was played last, and its log will be read in any case.
    with naming_encounter(latest):
        if log.timeline(latest).state.status == "open":
            return latest
    with closing(ENCOUNTER_TABLE.rows(log, versions=log.application.recorder.versions(last_played=True))) as rows:
        return next((encounter for encounter, row in rows if row.status == "open"), "")


def _made(log: ReadableLog, encounter: str, view: str) -> tuple[EncounterRow, int]:
    """Return the row of an encounter from its log, and the version of the log."""
    if view == GAME_MASTER:
        rows = log.application.rows(encounter)
        row = _plain(rows)
        if row:
            return row, len(rows)
    timeline = log.timeline(encounter)
    redactor = Redactor(view, rulings(timeline))
    heads = (ruling.head for ruling in reversed(list(rulings(timeline))) if redactor.shows(ruling))
    newest = timeline.heads[-1] if redactor.everything else next(heads, None)
    origin = next((head for head in reversed(timeline.branches) if head.parent), None)
    return _row(timeline.state, timeline.number, newest, redactor, origin), timeline.version


def _row(
    state: Encounter, number: int, newest: e.Head | None, redactor: Redactor, origin: e.Branch | None = None
) -> EncounterRow:
    ruleset = state.ruleset
    return EncounterRow(
        redactor.title(state.title),
        state.status,
        ruleset.preset if ruleset else "",
        state.round,
        number,
        newest.at if newest else "",
        newest.by if newest else "",
        redactor.text(ruleset.name) if ruleset else "",
        origin.parent if origin else "",
        origin.behind if origin else 0,
    )


_PLAIN = frozenset({e.Play.topic, e.Note.topic})
_INSERTED = b'"after":'
_TELLING = [kind.topic for kind in (e.EncounterOpened, e.RulesChanged, e.RoundStarted, e.EncounterClosed)]
_NOT_PLAIN = frozenset({e.Branch.topic, e.Correction.topic, e.RulingRejudged.topic, *_PLAIN})


def _plain(rows: Sequence[tuple[int, str, bytes]]) -> EncounterRow | None:
    """Return the game master's row from a few events, or None if it needs the timeline.

    This takes a tenth of the time of a timeline. It is not possible if anything was corrected or inserted, or cannot be
    read.
    """
    last: dict[str, bytes] = {}
    heads, newest = 0, ("", b"")
    try:
        for count, (version, topic, state) in enumerate(rows, 1):
            if topic in _PLAIN and _INSERTED not in state:
                heads, newest = heads + 1, (topic, state)
            elif topic in e.TYPES and topic not in _NOT_PLAIN and version == count and isinstance(state, bytes):
                last[topic] = state
            else:
                return None
        states = [(topic, last[topic]) for topic in _TELLING if topic in last]
        if not all(is_clean_state(state) for _, state in (newest, *states)):
            return None
        decode = decoders()
        head: Any = decode[newest[0]](newest[1])
        fight = e.fold(EMPTY_ENCOUNTER, (decode[topic](state) for topic, state in states))
    except (*UNREADABLE, StoreUnusable):
        return None
    return _row(fight, heads, head, Redactor(GAME_MASTER)) if head.ruling == heads else None


ENCOUNTER_TABLE = CachedProjection("encounters", EncounterRow, _made)
"""The cached list of fights."""
