"""Movement in one's own turn."""

from __future__ import annotations

from typing import Any

from cli.orders.builder import order_command
from cli.orders.submit import require_argument
from cli.session import Session


@order_command("move")
def move(session: Session, values: dict[str, Any]) -> None:
    """Use the typed number as metres in an edition that spends no points on moving."""
    if values["metres"] is not None:
        return
    if session.spends_points():
        require_argument(values["points"], "POINTS")
    else:
        values["metres"], values["points"] = require_argument(values["points"], "METRES"), None
