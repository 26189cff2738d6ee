"""The words in which SQLite and PostgreSQL differ, and what recorders ask of the connections to either."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol


class Dialect(NamedTuple):
    """The words of one database: the column of `notification_ids`; the condition that a name `is_text`, which another
    program may not have written; the table of positions (`tracking`); the function that gives the texts of a JSON list;
    the statement that empties a table of what can be made again.
    """

    notification_id: str
    is_text: str
    tracking: str
    json_texts: str
    empty: str


class SqlConnections(Protocol):
    """The connections to the database of a log; every query has a `?` for each parameter."""

    name: str
    """The name that errors have for the log."""
    dialect: Dialect
    lock: Any
    """The lock of whoever writes."""

    def ask(self, query: str, *parameters: Any, beside: bool = False) -> list[Any]:
        """Return the rows of a query. What is kept `beside` the events may have no table yet: then there are none."""

    def writing(self, *, wait: bool = True, beside: bool = False) -> AbstractContextManager[Any]:
        """Yield the cursor of a transaction, or of a part of a group; `beside` makes the tables beside the events.

        A caller that does not `wait` fails where another process writes.
        """

    def grouped(self) -> AbstractContextManager[None]:
        """Make one transaction of all that this thread writes in the block, or a part of one that is open already."""

    def translate(self, error: BaseException) -> None:
        """Raise what an error of the database means to whoever has the store."""
