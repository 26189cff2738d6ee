"""The views that are kept as tables beside the log, so that a list of fights is one query: `encounters` and `pools`.

Plain plays are applied fact by fact to the rows they change, and facts that change no row are never decoded. A
correction or an insert may change anything, so its encounter is then projected whole from its timeline, in the same
transaction. The tables are the game master's: hidden combatants are in them, with their visibility.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from mam_events import events as e
from mam_events.errors import StoreUnusable, VersionConflict
from mam_events.events import UPCASTS, Event, is_head, kind_of
from mam_events.rulings.timeline import Timeline
from mam_events.state import POOLS, Pools
from mam_events.store import decode, decoders, encode_json
from mam_events.visibility import can_see
from projections.pools import STEPS as POOL_STEPS
from projections.pools import PoolRow, PoolState, rows_of

if TYPE_CHECKING:
    from mam_events.state import Encounter
    from mam_events.store import Notification, SQLiteStore

VIEW = "tables.1"
"""The name under which the store keeps how far the tables have come."""

BATCH = 1000
"""How many notifications one transaction takes in, unless the caller wants another number."""

KEPT = 1000
TIMELINES_KEPT = 8
"""How many encounters are kept in memory between batches, as rows and (those that were corrected) as timelines."""

CREATE = (
    """
    CREATE TABLE IF NOT EXISTS encounters (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, status TEXT NOT NULL, preset TEXT NOT NULL,
        rulings INTEGER NOT NULL, round INTEGER NOT NULL, last_at TEXT NOT NULL, last_by TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS pools (
        encounter TEXT NOT NULL, place INTEGER NOT NULL, combatant TEXT NOT NULL, name TEXT NOT NULL,
        side TEXT NOT NULL, condition TEXT NOT NULL, hp INTEGER NOT NULL,
        ready INTEGER NOT NULL, defense INTEGER NOT NULL, other_used INTEGER NOT NULL,
        stun INTEGER NOT NULL, damage INTEGER NOT NULL, visibility TEXT NOT NULL,
        PRIMARY KEY (encounter, combatant)
    ) WITHOUT ROWID
    """,
)
_PUT_ENCOUNTER = (
    "INSERT INTO encounters VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title, "
    "status = excluded.status, preset = excluded.preset, rulings = excluded.rulings, round = excluded.round, "
    "last_at = excluded.last_at, last_by = excluded.last_by"
)
_PUT_POOLS = "INSERT OR REPLACE INTO pools VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_GET_POOLS = (
    "SELECT combatant, name, side, condition, hp, ready, defense, other_used, stun, damage, visibility FROM pools "
    "WHERE encounter = ? ORDER BY place"
)
_GET_ENCOUNTER = "SELECT title, status, preset, rulings, round, last_at, last_by FROM encounters WHERE id = ?"


class EncounterRow(Struct, frozen=True):
    """One fight in the list of fights; `last_at` (UTC, ISO 8601) and `last_by` are those of its newest ruling."""

    id: str
    title: str
    status: str
    preset: str
    rulings: int
    round: int
    last_at: str
    last_by: str


class Stamp(Struct, frozen=True, gc=False):
    """What the tables need of a head: the rest of its JSON is passed over."""

    ruling: int
    at: str
    by: str
    after: int = 0


_decode_stamp = msgspec.json.Decoder(Stamp).decode


class Sheet:
    """The rows of one encounter while a batch is applied; `changed` lists the combatants whose row is to be written,
    `whole` tells that all of them are.
    """

    __slots__ = ("changed", "last_at", "last_by", "pools", "preset", "round", "rulings", "status", "title", "whole")

    def __init__(self) -> None:
        self.title = ""
        self.status = "unopened"
        self.preset = ""
        self.rulings = 0
        self.round = 0
        self.last_at = ""
        self.last_by = ""
        self.pools = PoolState()
        self.changed: dict[str, None] = {}
        self.whole = False

    def stamp(self, head: Stamp | e.Head) -> None:
        """Count a ruling."""
        self.rulings, self.last_at, self.last_by = head.ruling, head.at, head.by

    def become(self, state: Encounter, head: e.Head) -> None:
        """Take everything from a state: the encounter was corrected."""
        self.stamp(head)
        self.title, self.status, self.round = state.title, state.status, state.round
        self.preset = state.ruleset.preset if state.ruleset else ""
        self.pools = PoolState(rows_of(state))
        self.whole = True


def _opened(sheet: Sheet, fact: e.EncounterOpened) -> None:
    sheet.title, sheet.status, sheet.preset = fact.title, "open", fact.ruleset.preset


def _round(sheet: Sheet, fact: e.RoundStarted) -> None:
    sheet.round = fact.round


def _closed(sheet: Sheet, _: e.EncounterClosed) -> None:
    sheet.status = "closed"


def _moved(sheet: Sheet, fact: Event) -> None:
    sheet.changed[sheet.pools.apply(fact)] = None


Step = Callable[[Sheet, Any], None]

STEPS: dict[type[Event], Step] = {
    e.EncounterOpened: _opened,
    e.RoundStarted: _round,
    e.EncounterClosed: _closed,
    **dict.fromkeys(POOL_STEPS, _moved),
}
"""What each fact does to the rows; a fact that is not here is not even decoded."""


class _Steps(dict[str, Step | None]):
    """The step for each topic, None for one that changes no row; an unknown topic raises `StoreUnusable`."""

    def __missing__(self, topic: str) -> Step | None:
        # Nothing that a newer program has written may be passed over: it could have changed a row.
        self[topic] = STEPS.get(kind_of(topic))
        return self[topic]


_STEPS = _Steps()

Rows = list[tuple[int, str, bytes]]


class Tables:
    """The tables of one store: `catch_up` moves them forward, the rest reads them.

    A transaction takes in at most `batch` notifications, or one ruling that has more.
    """

    def __init__(self, store: SQLiteStore, *, batch: int = BATCH) -> None:
        self._store = store
        self._batch = batch
        self._views = store.views(CREATE)
        self._position = -1
        self._sheets: dict[str, Sheet] = {}
        self._timelines: dict[str, Timeline] = {}

    def catch_up(self) -> int:
        """Take in everything the log holds, and tell how many notifications that was."""
        taken = 0
        while step := self.step():
            taken += step
        return taken

    def step(self) -> int:
        """Take in the next batch of whole rulings in one transaction, and tell how many notifications that was."""
        while True:
            position = self._views.position(VIEW)
            if position != self._position:
                self._forget()
            batch = self._next(position)
            if not batch:
                self._position = position
                return 0
            try:
                self._project(batch, position)
            except VersionConflict:
                # Another process has taken the tables further meanwhile.
                self._forget()
                continue
            except BaseException:
                self._forget()
                raise
            self._position = batch[-1].id
            return len(batch)

    def rebuild(self) -> int:
        """Empty the tables and fill them again from the log, and tell how many notifications that was."""
        self._forget()
        with self._views.restart(VIEW) as cursor:
            cursor.execute("DELETE FROM encounters")
            cursor.execute("DELETE FROM pools")
        return self.catch_up()

    def encounters(self) -> list[EncounterRow]:
        """All fights, in the order in which they were opened."""
        return [EncounterRow(*row) for row in self._views.rows("SELECT * FROM encounters ORDER BY rowid")]

    def pools(self, encounter: str, view: str = "gm") -> list[PoolRow]:
        """Everybody's points in a fight, as far as the view may know of them."""
        return [row for row in _pool_rows(self._views.rows(_GET_POOLS, (encounter,))) if can_see(view, row.visibility)]

    def _forget(self) -> None:
        self._position = -1
        self._sheets.clear()
        self._timelines.clear()

    def _next(self, position: int) -> Sequence[Notification]:
        """The next notifications, cut so that no ruling is torn apart."""
        limit = self._batch
        while True:
            batch = self._store.notifications(position, limit)
            if len(batch) < limit:
                return batch
            # Rulings are written whole, so only the last one of a full batch can be cut off.
            last_head = next((i for i in range(len(batch) - 1, 0, -1) if is_head(batch[i].topic)), 0)
            if last_head:
                return batch[:last_head]
            limit *= 4

    def _project(self, batch: Sequence[Notification], position: int) -> None:
        groups: dict[str, Rows] = {}
        for _, encounter, version, topic, state in batch:
            rows = groups.get(encounter)
            if rows is None:
                rows = groups[encounter] = []
            rows.append((version, topic, state))
        for encounter, rows in groups.items():
            self._take(encounter, rows)
        with self._views.transaction(VIEW, position, batch[-1].id) as cursor:
            _write(cursor, [(encounter, self._sheets[encounter]) for encounter in groups])
        self._keep_few()

    def _take(self, encounter: str, rows: Rows) -> None:
        sheet = self._sheet(encounter, rows[0][0])
        if encounter not in self._timelines and _play(sheet, rows):
            return
        timeline = self._timelines.get(encounter)
        if timeline is None:
            stored = self._store.read(encounter)
            timeline = self._timelines[encounter] = Timeline(decoders(), stored[: rows[-1][0]])
        else:
            timeline.extend(rows)
        sheet.become(timeline.state, timeline.heads[-1])

    def _sheet(self, encounter: str, version: int) -> Sheet:
        sheet = self._sheets.get(encounter)
        if sheet is None:
            sheet = self._sheets[encounter] = Sheet()
            if version > 1:
                self._load(encounter, sheet)
        return sheet

    def _load(self, encounter: str, sheet: Sheet) -> None:
        (row,) = self._views.rows(_GET_ENCOUNTER, (encounter,))
        sheet.title, sheet.status, sheet.preset, sheet.rulings, sheet.round, sheet.last_at, sheet.last_by = row
        sheet.pools = PoolState(_pool_rows(self._views.rows(_GET_POOLS, (encounter,))))

    def _keep_few(self) -> None:
        while len(self._timelines) > TIMELINES_KEPT:
            del self._timelines[next(iter(self._timelines))]
        while len(self._sheets) > KEPT:
            del self._sheets[next(iter(self._sheets))]


def _play(sheet: Sheet, rows: Rows) -> bool:
    """Apply plain plays and notes; False, and the sheet is spoilt, where a correction or an insert is among them."""
    steps = _STEPS
    try:
        for _, topic, state in rows:
            if is_head(topic):
                # The stamp reads a head of today; one of an older form has to be brought up.
                head = _decode_stamp(encode_json(decode(topic, state)) if topic in UPCASTS else state)
                if kind_of(topic) is e.Correction or head.after:
                    return False
                sheet.stamp(head)
            else:
                step = steps[topic]
                if step is not None:
                    step(sheet, decode(topic, state))
    except msgspec.MsgspecError as error:
        raise StoreUnusable(f"A ruling cannot be read: {error}.") from error
    return True


def _write(cursor: sqlite3.Cursor, sheets: Iterable[tuple[str, Sheet]]) -> None:
    """Write the rows that changed."""
    encounters: list[tuple[object, ...]] = []
    pools: list[tuple[object, ...]] = []
    for encounter, sheet in sheets:
        encounters.append(
            (
                encounter,
                sheet.title,
                sheet.status,
                sheet.preset,
                sheet.rulings,
                sheet.round,
                sheet.last_at,
                sheet.last_by,
            )
        )
        rows = sheet.pools.by_combatant
        if sheet.whole:
            cursor.execute("DELETE FROM pools WHERE encounter = ?", (encounter,))
        changed = rows if sheet.whole else sheet.changed
        pools += [
            (encounter, place, *_columns(row))
            for place, row in enumerate(rows.values())
            if row.hp and row.combatant in changed
        ]
        sheet.changed, sheet.whole = {}, False
    cursor.executemany(_PUT_ENCOUNTER, encounters)
    cursor.executemany(_PUT_POOLS, pools)


def _columns(row: PoolRow) -> tuple[object, ...]:
    pools = (getattr(row.pools, name) for name in POOLS)
    return (row.combatant, row.name, row.side, row.condition, row.hp, *pools, row.visibility)


def _pool_rows(rows: Iterable[Sequence[Any]]) -> Iterator[PoolRow]:
    for combatant, name, side, condition, hp, *pools, visibility in rows:
        yield PoolRow(combatant, name, side, condition, hp, Pools(*pools), visibility)
