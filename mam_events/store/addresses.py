"""The store at an address: a file, or a PostgreSQL database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.errors import StoreUnusable
from mam_events.store.sqlite import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from mam_events.store.port import Store


def is_postgres(url: str | Path) -> bool:
    """True for the address of a PostgreSQL database."""
    return isinstance(url, str) and url.lower().startswith(("postgresql://", "postgres://"))


def store_at(url: str | Path, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0) -> Store:
    """The store at that path or address; `postgresql://user@host/database` is one that `mam migrate` has made.

    Raises as `open_store`.
    """
    if not is_postgres(url):
        return open_store(url, create=create, synchronous=synchronous, busy_timeout=busy_timeout)
    try:
        from mam_events.store.postgres import PostgresStore  # noqa: PLC0415 - few need it, and it takes long to load
    except ImportError:
        raise StoreUnusable(
            "PostgreSQL takes the extra `postgres`, which is not installed: pip install 'mam-events[postgres]'."
        ) from None
    return PostgresStore(str(url), busy_timeout=busy_timeout)
