"""Movement in one's own turn."""

from __future__ import annotations

from typing import Any

from cli.orders.builder import ordered
from cli.orders.submit import required
from cli.session import Session


@ordered("move")
def move(session: Session, said: dict[str, Any]) -> None:
    """The number that was said, as metres where no points are spent."""
    if said["metres"] is not None:
        return
    if session.spends_points():
        required(said["points"], "POINTS")
    else:
        said["metres"], said["points"] = required(said["points"], "METRES"), None
