"""The recorders of a log in an SQL database, in as far as SQLite and PostgreSQL are asked alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Unpack

from mam_events.errors import StoreUnusable
from mam_events.store.failures import told
from mam_events.store.persistence import EventRecorder, SeedRecorder, Span, TokenRecorder, ViewRecorder
from mam_events.store.rows import Notification, Recorded
from mam_events.text import is_clean, printable

_MOST = 2**63 - 1
_EVENTS = (
    "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ? AND originator_version > ?"
)
_EVENTS_BEHIND = f"{_EVENTS} ORDER BY originator_version"
# `Notification._make` without its checks: the query gives five columns.
_notification = partial(tuple.__new__, Notification)


# The positions of projections with rows in the table `projected`: a view with tables of its own keeps its position.
FORGET = "DELETE FROM {} WHERE application_name LIKE '%/%'"


def _limits(lte: int | None = None, limit: int | None = None) -> tuple[int, int]:
    """Return the newest version, or id, and the number of rows that are asked for, where None stands for all."""
    return _MOST if lte is None else lte, _MOST if limit is None else limit


class SqlRecorder:
    """A recorder that puts questions to its database; each has a `?` for every parameter."""

    @abstractmethod
    def ask(self, query: str, *parameters: object, beside: bool = False) -> list[Any]:
        """Return the rows of a query. What is kept `beside` the events may have no table yet: then there are none."""

    @abstractmethod
    def translate(self, error: BaseException) -> None:
        """Raise what an error of the database means to whoever has the store."""


class SqlEventRecorder(SqlRecorder, EventRecorder):
    """The events of every encounter."""

    ID: ClassVar[str]
    """The column of notification ids."""
    IS_TEXT: ClassVar[str]
    """The condition that a row is under the name of an encounter, which another program may not have given."""

    @told
    def select_rows(self, originator_id: Any, **asked: Unpack[Span]) -> list[tuple[int, str, bytes]]:
        """Return the rows of an encounter, as `EventRecorder` says."""
        desc, limits = asked.get("desc"), _limits(asked.get("lte"), asked.get("limit"))
        # One statement for nearly all that is asked, which is prepared once.
        if desc or limits != (_MOST, _MOST):
            order = "DESC" if desc else "ASC"
            query = f"{_EVENTS} AND originator_version <= ? ORDER BY originator_version {order} LIMIT ?"
            rows = self.ask(query, originator_id, asked.get("gt") or 0, *limits)
        else:
            rows = self.ask(_EVENTS_BEHIND, originator_id, asked.get("gt") or 0)
        if rows and not is_clean(originator_id):
            raise StoreUnusable(
                f'There are rows under "{printable(originator_id)}", with characters that no encounter has.'
            )
        return rows

    @told
    def select_notifications(  # type: ignore[override]  # as `EventRecorder`
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> list[Notification]:
        """Return at most `limit` events of the whole store from a notification id on, in order."""
        named = f"AND topic IN ({', '.join('?' * len(topics))}) " if topics else ""
        query = (
            f"SELECT {self.ID}, originator_id, originator_version, topic, state FROM stored_events "  # noqa: S608 - our own words
            f"WHERE {self.ID} >= ? AND {self.ID} <= ? {named}ORDER BY {self.ID} LIMIT ?"
        )
        first = 0 if start is None else start if inclusive_of_start else start + 1
        last, most = _limits(stop, limit)
        return list(map(_notification, self.ask(query, first, last, *topics, most)))

    @told
    def encounters_after(self, position: int, limit: int) -> tuple[list[str], int]:
        """Return the encounters of the next events, as `EventRecorder` says."""
        query = (
            f"SELECT originator_id, max({self.ID}) FROM (SELECT {self.ID}, originator_id FROM stored_events "  # noqa: S608 - as above
            f"WHERE {self.ID} > ? ORDER BY {self.ID} LIMIT ?) AS next GROUP BY originator_id ORDER BY min({self.ID})"
        )
        found = self.ask(query, position, limit)
        encounters = [encounter for encounter, _ in found if isinstance(encounter, str)]
        return encounters, max((last for _, last in found), default=position)

    @told
    def max_notification_id(self) -> int:
        """Return the id of the newest event of the store, 0 if there is none."""
        return self.ask(f"SELECT max({self.ID}) FROM stored_events")[0][0] or 0  # noqa: S608 - as above

    @told
    def last_version(self, encounter: str) -> int:
        """Return the newest version of an encounter, 0 if there is none."""
        query = "SELECT max(originator_version) FROM stored_events WHERE originator_id = ?"
        return self.ask(query, encounter)[0][0] or 0

    @told
    def versions(self, *, last_played: bool = False) -> list[tuple[str, int]]:
        """Return every encounter with its newest version, as `EventRecorder` says."""
        order = "DESC" if last_played else "ASC"
        # One step through the index per encounter, not per event.
        return self.ask(f"""
            WITH RECURSIVE ids (id) AS (
                SELECT min(originator_id) FROM stored_events
                UNION ALL
                SELECT (SELECT min(originator_id) FROM stored_events WHERE originator_id > id)
                FROM ids WHERE id IS NOT NULL
            ), newest (id, version) AS (
                SELECT id, (SELECT max(originator_version) FROM stored_events WHERE originator_id = id) FROM ids
            )
            SELECT id, version FROM newest WHERE version IS NOT NULL AND {self.IS_TEXT.format("id")}
            ORDER BY (
                SELECT {self.ID} FROM stored_events WHERE originator_id = id AND originator_version IS NOT NULL
                ORDER BY originator_version {order} LIMIT 1
            ) {order}
        """)  # noqa: S608 - as above

    @told
    def latest(self) -> str | None:
        """Return the encounter that was written to last."""
        named = self.IS_TEXT.format("originator_id")
        rows = self.ask(f"SELECT originator_id FROM stored_events WHERE {named} ORDER BY {self.ID} DESC LIMIT 1")  # noqa: S608 - as above
        return rows[0][0] if rows else None


class SqlSnapshotRecorder(SqlRecorder):
    """The snapshots of encounters. They can be made again, so that none is lost where the store takes nothing now."""

    @told
    def select_events(self, originator_id: Any, **asked: Unpack[Span]) -> list[Recorded]:
        """Return the snapshots of an encounter."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM stored_snapshots "  # noqa: S608 - as above
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? "
            f"ORDER BY originator_version {'DESC' if asked.get('desc') else 'ASC'} LIMIT ?"
        )
        limits = _limits(asked.get("lte"), asked.get("limit"))
        return list(map(Recorded._make, self.ask(query, originator_id, asked.get("gt") or 0, *limits, beside=True)))


class SqlSeedRecorder(SqlRecorder, SeedRecorder):
    """The secret seeds of the dice."""

    @told
    def get(self, encounter: str) -> bytes | None:
        """Return the seed of an encounter's dice, None if it is not here."""
        rows = self.ask("SELECT seed FROM seeds WHERE encounter = ?", encounter)
        return rows[0][0] if rows else None


class SqlTokenRecorder(SqlRecorder, TokenRecorder):
    """The tokens of people."""

    @told
    def all(self) -> list[bytes]:
        """Return what is said of every token."""
        return [said for (said,) in self.ask("SELECT said FROM tokens ORDER BY made", beside=True)]


class SqlViewRecorder(SqlRecorder, ViewRecorder):
    """The view of a projection in the store of its log: rows and position in one transaction, for any number of events
    at once.
    """

    TRACKING: ClassVar[str]
    """The table of positions."""

    @told
    def rows(self, encounters: Sequence[str] | None = None) -> Mapping[str, tuple[int, bytes]]:
        """Return the rows of those encounters, as `ViewRecorder` says."""
        named = "" if encounters is None else f" AND encounter IN ({', '.join('?' * len(encounters))})"
        query = f"SELECT encounter, version, said FROM projected WHERE projection = ?{named}"  # noqa: S608 - marks only
        found = self.ask(query, self.projection, *(encounters or ()), beside=True)
        return {encounter: (version, said) for encounter, version, said in found}

    @told
    def max_tracking_id(self, application_name: str) -> int | None:
        """Return the position in that application; None for none."""
        query = f"SELECT max(notification_id) FROM {self.TRACKING} WHERE application_name = ?"  # noqa: S608 - our own word
        found = self.ask(query, self.tracked(application_name), beside=True)
        return found[0][0] if found and isinstance(found[0][0], int) else None
