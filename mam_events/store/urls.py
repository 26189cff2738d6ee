"""The factory of a log at an address: a file, or a PostgreSQL database."""

from __future__ import annotations

import re
from pathlib import Path

from mam_events.deserializer import SHORTENER
from mam_events.errors import BadInput, StoreUnusable
from mam_events.store.sqlite_connections import MEMORY

MAX_TIMEOUT_SECONDS = 86_400
"""The longest wait for a file, in seconds: one day."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SYNCHRONOUS = ("FULL", "NORMAL", "EXTRA")


def is_postgres(url: str | Path) -> bool:
    """Return True for the address of a PostgreSQL database."""
    return isinstance(url, str) and url.lower().startswith(("postgresql://", "postgres://"))


def environment_at(
    url: str | Path, *, create: bool = True, synchronous: str = "FULL", busy_timeout: float = 5.0
) -> dict[str, str]:
    """Return the event-sourcing library's environment for the log at a path or an address.

    An address is `sqlite:///relative/path`, `sqlite:////absolute/path`, `sqlite://` for a store in memory, or
    `postgresql://user@host/database` for one that `mam migrate` has made. A new file becomes a store if `create` allows
    it. With `synchronous="NORMAL"` a power cut can lose the last rulings, but never damages the log. `busy_timeout` is
    how many seconds to wait for a file that another process has locked. Raises BadInput for any other setting,
    StoreUnusable for any other address.
    """
    if synchronous not in _SYNCHRONOUS:
        raise BadInput(f'"{synchronous}" is none of {", ".join(_SYNCHRONOUS)}.', place="synchronous")
    if not 0 <= busy_timeout <= MAX_TIMEOUT_SECONDS:
        raise BadInput(
            f"must be a number of seconds, 0 to {MAX_TIMEOUT_SECONDS}, not {busy_timeout}.", place="busy_timeout"
        )
    if is_postgres(url):
        # libpq does not recognize a scheme in capitals, and its error repeats the whole address with the password.
        scheme, _, rest = str(url).partition("://")
        return {
            "PERSISTENCE_MODULE": "mam_events.store.postgres:Factory",
            "POSTGRES_URL": f"{scheme.lower()}://{rest}",
            "POSTGRES_BUSY_TIMEOUT": str(busy_timeout),
        }
    path = _path(url)
    return {
        "PERSISTENCE_MODULE": "mam_events.store.sqlite:Factory",
        "SQLITE_DBNAME": MEMORY if path is None else str(path),
        "SQLITE_SYNCHRONOUS": synchronous,
        "SQLITE_BUSY_TIMEOUT": str(busy_timeout),
        "CREATE_TABLE": "yes" if create else "no",
    }


def _path(url: str | Path) -> Path | None:
    if not isinstance(url, str | Path):
        raise BadInput(f"must be the path or the address of a log, not {SHORTENER.repr(url)}.", place="url")
    # Errors never repeat an address: it may hold a password.
    text = str(url)
    scheme = _SCHEME.match(text) if isinstance(url, str) else None
    if scheme is not None:
        name = scheme[1].lower()
        if name != "sqlite":
            raise StoreUnusable(f"A log cannot be at an address that begins with {name}://. Name a file.")
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
