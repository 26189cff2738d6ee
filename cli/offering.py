"""Orders that may be given where the order of this run goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from projections.offering import allowed

if TYPE_CHECKING:
    from cli.session import Session
    from mam_events.deciding.templates import Template


def offered(session: Session, *only: str) -> Iterator[Template]:
    """The templates open where the order of this run goes."""
    return allowed(session.log().rules, session.state_then(), session.screen(), only)
