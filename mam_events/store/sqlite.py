"""The log as its callers see it: one SQLite file, no SQL and no exception of anybody else's."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from itertools import chain, starmap
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from mam_events.errors import BadInput, StoreUnusable, VersionConflict
from mam_events.reading import SHORT
from mam_events.store.connections import MEMORY, Connections
from mam_events.store.copying import copy_into
from mam_events.store.failures import told, translate
from mam_events.store.rows import Arrival, Notification
from mam_events.store.tables import TRIGGER, check_count, create_tables, insert, laid_out, ruling_of
from mam_events.text import is_clean, printable

if TYPE_CHECKING:
    from mam_events.store.library import EncounterLog

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_PROJECTED = (
    "CREATE TABLE IF NOT EXISTS projected (projection TEXT, encounter TEXT, version INTEGER NOT NULL, "
    "said BLOB NOT NULL, PRIMARY KEY (projection, encounter)) WITHOUT ROWID"
)
_TOKENS = "CREATE TABLE IF NOT EXISTS tokens (made INTEGER PRIMARY KEY, id TEXT UNIQUE, said BLOB NOT NULL)"
_KEEP = f"INSERT OR REPLACE INTO projected SELECT ?, ?, ?, ? WHERE NOT EXISTS {TRIGGER}"
_ROWS_OF_ONE_STATEMENT = 32
_REMEMBERED = 10_000
_LOOKS = 0.05
_SEED_BYTES = 32

# `Notification._make` without its checks: the query gives five columns.
_notification = partial(tuple.__new__, Notification)
_SYNCHRONOUS = ("FULL", "NORMAL", "EXTRA")
LONGEST = 86_400
"""The most seconds that anybody waits for a file, which is a day."""


def open_store(
    url: str | Path, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0
) -> SQLiteStore:
    """The store at a path or an address; a new file becomes a store if `create` allows it.

    An address is `sqlite:///relative/path`, `sqlite:////absolute/path`, or `sqlite://` for a store in memory. With
    `synchronous="NORMAL"` a power cut can take the last rulings, never damage the log. A file that another process
    has locked is waited for during `busy_timeout` seconds. Raises `NotFound` if there is no file and none may be
    made, `StoreUnusable` for a file or an address that cannot be used; a file of another program is left as it was.
    """
    if synchronous not in _SYNCHRONOUS:
        raise BadInput(f'"{synchronous}" is none of {", ".join(_SYNCHRONOUS)}.', place="synchronous")
    if not 0 <= busy_timeout <= LONGEST:
        raise BadInput(f"must be a number of seconds, 0 to {LONGEST}, not {busy_timeout}.", place="busy_timeout")
    return SQLiteStore(_path(url), create=create, synchronous=synchronous, busy_timeout=busy_timeout)


def _path(url: str | Path) -> Path | None:
    if not isinstance(url, str | Path):
        raise BadInput(f"must be the path or the address of a log, not {SHORT.repr(url)}.", place="url")
    # An address is never repeated in an error: it may hold a password.
    text = str(url)
    scheme = _SCHEME.match(text) if isinstance(url, str) else None
    if scheme is not None:
        name = scheme[1].lower()
        if name != "sqlite":
            raise StoreUnusable(f"There is no store for addresses that begin with {name}://; name a file.")
        text = text[scheme.end() :]
        if not text:
            return None
        if not text.startswith("/"):
            raise StoreUnusable("An SQLite address has three slashes before the path: sqlite:///fights.mam.")
        text = text[1:]
    if text == MEMORY:
        return None
    if not text or "\0" in text:
        raise StoreUnusable("A log needs the name of a file.")
    return Path(text)


class SQLiteStore:
    """The rows of every encounter, their seeds and what projections keep, in one file or in memory.

    Threads may share one store, processes one file. Every method raises `StoreUnusable` when the file cannot be used:
    locked for too long, read-only, damaged, on a full disk.
    """

    has_seeds = True
    """The secrets of the dice are in it, where there are any."""

    def __init__(
        self, path: Path | None, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0
    ) -> None:
        self.path = path
        """The file, as it was named; None for a store in memory."""
        self._newest: tuple[str, Sequence[tuple[int, str, bytes]]] = ("", ())
        self.name = str(path or "The log in memory")
        """The name that errors have for it."""
        # The last version and ruling known to be stored; rows are never deleted, so that what follows it may follow.
        self._stored: dict[str, tuple[int, int]] = {}
        self._connect(create=create, synchronous=synchronous, busy_timeout=busy_timeout)

    @told
    def _connect(self, *, create: bool, synchronous: str, busy_timeout: float) -> None:
        self.connections = Connections(str(self.path or MEMORY), synchronous=synchronous, busy_timeout=busy_timeout)
        self.connections.open(create_tables, create=create)

    @cached_property
    def application(self) -> EncounterLog:
        """The event-sourcing library's view of the same log, made when it is first asked for."""
        from mam_events.store.library import EncounterLog, Factory  # noqa: PLC0415 - much of the start of a process

        return EncounterLog({Factory.SQLITE_DBNAME: self.connections.location}, connections=self.connections)

    @property
    def url(self) -> str:
        """The address that opens this store again."""
        return "sqlite://" if self.path is None else f"sqlite:///{self.path}"

    @told
    def append(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], *, seed: bytes | None = None) -> int:
        """Write all rows or none, durably, and return the notification id of the last.

        `rows` are consecutive versions; the secret `seed` (32 bytes) comes with version 1 of an encounter, or later in
        place of one that nothing is drawn from any more. Raises `VersionConflict` when the first version is not the one
        after the last stored.
        """
        self._newest = (encounter, rows)
        parameters, begun = laid_out(encounter, rows)
        first, last = rows[0][0], rows[-1][0]
        if seed is not None and len(seed) != _SEED_BYTES:
            raise ValueError("a seed has 32 bytes")
        try:
            with self.connections.lock:
                version, ruling = self._stored.get(encounter, (0, 0))
                if version != first - 1:
                    ruling = self._ruling_at(encounter, first - 1)
                if begun and begun != list(range(ruling + 1, ruling + 1 + len(begun))):
                    raise ValueError(f"only ruling {ruling + 1} can follow ruling {ruling}, not {begun}")
                if seed is None and len(rows) <= _ROWS_OF_ONE_STATEMENT:
                    # One statement is one transaction: it takes the write lock at its start and commits at its end.
                    work = partial(self.connections.writer().execute, insert(len(rows)), parameters)
                    written = self.connections.patiently(work)
                    check_count(written, len(rows))
                    rowid = written.lastrowid
                else:
                    rowid = self._append_in_steps(encounter, rows, seed)
                if len(self._stored) >= _REMEMBERED:
                    self._stored.clear()
                self._stored[encounter] = (last, begun[-1] if begun else ruling)
        except sqlite3.IntegrityError as error:
            if not self._has(encounter, first):
                raise
            raise VersionConflict(f'"{encounter}" has moved on: its version {first} is written already.') from error
        return rowid or 0

    def _append_in_steps(self, encounter: str, rows: Sequence[tuple[int, str, bytes]], seed: bytes | None) -> int:
        with self.connections.writing() as cursor:
            cursor.executemany(insert(1), [(encounter, *row) for row in rows[:-1]])
            check_count(cursor, len(rows) - 1)
            last = cursor.execute(insert(1), (encounter, *rows[-1])).lastrowid
            check_count(cursor, 1)
            if seed is not None:
                instead = " OR REPLACE" if rows[0][0] > 1 else ""
                cursor.execute(f"INSERT{instead} INTO seeds VALUES (?, ?)", (encounter, seed))
        return last or 0

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """One transaction for every `append` of this thread in the block, durable at its end, or nothing of it.

        One that fails undoes itself alone; what the thread reads meanwhile is what it has appended. The others wait for
        their turn to write, and read what was there before.
        """
        try:
            with self.connections.grouped():
                yield
        except BaseException as error:
            self._stored.clear()
            translate(error, self.name)
            raise

    def _has(self, encounter: str, version: int) -> bool:
        query = "SELECT 1 FROM stored_events WHERE originator_id = ? AND originator_version = ?"
        with self.connections.reading() as cursor:
            return cursor.execute(query, (encounter, version)).fetchone() is not None

    def _ruling_at(self, encounter: str, version: int) -> int:
        """The ruling that the row of that version belongs to, 0 before the first; raises `VersionConflict`."""
        query = (
            "SELECT originator_version, state FROM stored_events "
            "WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version DESC"
        )
        found = self.connections.writer().execute(query, (encounter, version))
        with closing(found):
            last = found.fetchone()
            if version and (last is None or last[0] != version):
                raise VersionConflict(f'"{encounter}" has no version {version} yet that another could follow.')
            rows = chain([last] if last else (), found)
            return next(filter(None, (ruling_of(state) for _, state in rows)), 0)

    def has_written(self) -> bool:
        """True if what was last to be appended here is in the store: the one thing to ask after an interrupt, which may
        come before it was durable or after.
        """
        encounter, rows = self._newest
        return bool(rows) and self.read(encounter, rows[0][0] - 1)[: len(rows)] == list(rows)

    @told
    def read(self, encounter: str, after: int = 0) -> list[tuple[int, str, bytes]]:
        """The rows of an encounter behind version `after`, in order, as plain tuples in the shape of `Row`.

        Raises StoreUnusable for those under a name that could confuse a terminal, which is none of an encounter.
        """
        query = (
            "SELECT originator_version, topic, state FROM stored_events "
            "WHERE originator_id = ? AND originator_version > ? ORDER BY originator_version"
        )
        with self.connections.reading() as cursor:
            rows = cursor.execute(query, (encounter, after)).fetchall()
        if rows and not is_clean(encounter):
            raise StoreUnusable(
                f'There are rows under "{printable(encounter)}", with characters that no encounter has.'
            )
        return rows

    @told
    def last_version(self, encounter: str) -> int:
        """The newest version of an encounter, 0 if there is none."""
        query = "SELECT max(originator_version) FROM stored_events WHERE originator_id = ?"
        with self.connections.reading() as cursor:
            return cursor.execute(query, (encounter,)).fetchone()[0] or 0

    def encounters(self) -> list[str]:
        """The ids of all encounters, the oldest first."""
        return [encounter for encounter, _ in self.versions()]

    @told
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Every encounter with its newest version, the oldest first, or the one that was written to last."""
        # One step through the index per encounter, not per event.
        query = """
            WITH RECURSIVE ids (id) AS (
                SELECT min(originator_id) FROM stored_events
                UNION ALL
                SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)
                FROM ids WHERE id IS NOT NULL
            )
            SELECT last.originator_id, last.originator_version
            FROM ids JOIN stored_events AS first ON first.originator_id = id AND first.originator_version =
                (SELECT min(originator_version) FROM stored_events WHERE originator_id = id)
            JOIN stored_events AS last ON last.originator_id = id AND last.originator_version =
                (SELECT max(originator_version) FROM stored_events WHERE originator_id = id)
            WHERE typeof(id) = 'text' ORDER BY iif(?, -last.rowid, first.rowid)
        """
        with self.connections.reading() as cursor:
            return cursor.execute(query, (last_played,)).fetchall()

    @told
    def strays(self) -> list[str]:
        """The rows in the log that are of none of `encounters`; every row is looked at."""
        query = """
            SELECT count(*) || iif(count(*) = 1, ' row', ' rows') || ' under ' || quote(originator_id)
            FROM stored_events WHERE typeof(originator_id) <> 'text' OR coalesce(originator_version < 1, TRUE)
            GROUP BY originator_id
            UNION ALL
            SELECT 'a seed under ' || quote(encounter)
            FROM seeds WHERE NOT EXISTS (SELECT 1 FROM stored_events WHERE originator_id = encounter)
        """
        with self.connections.reading() as cursor:
            return [found for (found,) in cursor.execute(query)]

    @told
    def latest(self) -> str | None:
        """The encounter that was written to last."""
        query = (
            "SELECT originator_id FROM stored_events WHERE typeof(originator_id) = 'text' ORDER BY rowid DESC LIMIT 1"
        )
        with self.connections.reading() as cursor:
            rows = cursor.execute(query).fetchall()
        return rows[0][0] if rows else None

    @told
    def seed(self, encounter: str) -> bytes | None:
        """The secret seed of an encounter's dice, if one is kept here."""
        with self.connections.reading() as cursor:
            rows = cursor.execute("SELECT seed FROM seeds WHERE encounter = ?", (encounter,)).fetchall()
        return rows[0][0] if rows else None

    @told
    def notifications(self, after: int, limit: int) -> list[Notification]:
        """At most `limit` rows of the whole store behind a notification id, in order."""
        query = (
            "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events "
            "WHERE rowid > ? ORDER BY rowid LIMIT ?"
        )
        with self.connections.reading() as cursor:
            return list(map(_notification, cursor.execute(query, (after, limit)).fetchall()))

    @told
    def arrivals(self, after: int, seconds: float, pause: Callable[[float], object] = sleep) -> list[Arrival]:
        """The rows of the whole store behind a notification id, at most a thousand; where there are none yet, they are
        waited for so long, or until a `pause` is cut short, which is told by True.
        """
        query = (
            "SELECT rowid, originator_id, originator_version FROM stored_events "
            "WHERE rowid > ? ORDER BY rowid LIMIT 1000"
        )
        end = monotonic() + seconds
        while True:
            with self.connections.reading() as cursor:
                found = cursor.execute(query, (after,)).fetchall()
            if found or monotonic() >= end or pause(_LOOKS) is True:
                return list(starmap(Arrival, found))

    @told
    def last_notification(self) -> int:
        """The id of the newest row of the store, 0 if there is none."""
        with self.connections.reading() as cursor:
            return cursor.execute("SELECT max(rowid) FROM stored_events").fetchone()[0] or 0

    @told
    def kept(self, table: str, encounters: Sequence[str]) -> Mapping[str, tuple[int, bytes]]:
        """The rows that `keep` was given under that name of each of those encounters, with the version that they are
        of. Anybody with SQL may have changed them.
        """
        query = (
            "SELECT encounter, version, said FROM projected "
            "WHERE projection = ? AND encounter IN (SELECT value FROM json_each(?))"
        )
        with self.connections.reading() as cursor:
            try:
                found = cursor.execute(query, (table, msgspec.json.encode(encounters).decode())).fetchall()
            except sqlite3.OperationalError as error:
                # Nothing was kept yet, or there is something else of that name.
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                return {}
        return {encounter: (version, said) for encounter, version, said in found}

    @told
    def keep(self, table: str, rows: Sequence[tuple[str, int, bytes]], *, wait: bool = True) -> None:
        """Keep beside the log what a projection makes of encounters and the versions it is of, in one transaction.

        Who does not `wait` fails where another process writes.
        """
        with self.connections.writing(wait=wait) as cursor:
            cursor.execute(_PROJECTED)
            cursor.executemany(_KEEP, [(table, *row) for row in rows])

    @told
    def forget(self) -> None:
        """Let go of everything that `keep` was given."""
        with self.connections.writing() as cursor:
            cursor.execute("DROP TABLE IF EXISTS projected")

    @told
    def tokens(self) -> list[bytes]:
        """The words that `keep_token` was given last of every token, in the order in which they were made."""
        with self.connections.reading() as cursor:
            try:
                return [said for (said,) in cursor.execute("SELECT said FROM tokens ORDER BY made")]
            except sqlite3.OperationalError as error:
                # Nobody was given one yet.
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                return []

    @told
    def keep_token(self, token: str, said: bytes) -> None:
        """Keep what is said of the token of that id, in place of what was."""
        with self.connections.writing() as cursor:
            cursor.execute(_TOKENS)
            cursor.execute(
                "INSERT INTO tokens (id, said) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET said = excluded.said",
                (token, said),
            )

    @told
    def mark(self) -> int:
        """A number that is another one as soon as anything was written, by anybody; one look at memory that all
        processes share.
        """
        return self.connections.mark()

    @told
    def copy_into(self, target: Path, step: Callable[[int], None] = lambda _: None, *, name: str = "") -> None:
        """Copy all of it as it stands now, seeds too, into an empty file; `step` is told how many pages are left.

        Others may go on writing. What fails of the copy is told under its `name`, else that of the file.
        """
        copy_into(self.connections, target, step, name or str(target))

    @told
    def close(self) -> None:
        """Close the file; a store in memory is gone then."""
        self.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SQLiteStore({self.url!r})"
