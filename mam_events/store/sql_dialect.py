"""The SQL in which SQLite and PostgreSQL differ, and the interface of the connections to either."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol


class Dialect(NamedTuple):
    """The SQL of one database.

    `notification_id` is the column of notification ids, `is_text` the condition that a name is text (another program
    may have written anything), `tracking` the table of positions, `json_texts` the function that returns the texts of a
    JSON list, `empty` the statement that empties a table whose rows can be made again.
    """

    notification_id: str
    is_text: str
    tracking: str
    json_texts: str
    empty: str


class SqlConnections(Protocol):
    """The connections to the database of a log; every query has a `?` for each parameter."""

    name: str
    """The name of the log in errors."""
    dialect: Dialect
    lock: Any
    """The lock held while writing."""

    def ask(self, query: str, *parameters: Any, side_tables: bool = False) -> list[Any]:
        """Return the rows of a query; no rows if one of the `side_tables` is asked and doesn't exist yet."""

    def writing(self, *, wait: bool = True, side_tables: bool = False) -> AbstractContextManager[Any]:
        """Yield the cursor of a transaction or part of a group; `side_tables` creates the tables beside the events.

        Without `wait` it fails if another process is writing.
        """

    def grouped(self) -> AbstractContextManager[None]:
        """Group all writes of this thread in the block into one transaction, or a part of an open one."""

    def translate(self, error: BaseException) -> None:
        """Raise the project's own error for one of the database."""
