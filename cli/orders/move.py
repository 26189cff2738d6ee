"""Movement in one's own turn."""

from __future__ import annotations

from typing import Any

from cli.orders.builder import order_command
from cli.orders.submit import require_argument
from cli.session import Session


@order_command("move")
def move(session: Session, said: dict[str, Any]) -> None:
    """Use the typed number as metres in an edition that spends no points on moving."""
    if said["metres"] is not None:
        return
    if session.spends_points():
        require_argument(said["points"], "POINTS")
    else:
        said["metres"], said["points"] = require_argument(said["points"], "METRES"), None
