"""Rolls that the game master asks for at any time."""

from __future__ import annotations

import re
from typing import Any

from cli.orders.builder import order_command
from cli.orders.submit import parse_whole_number
from cli.session import Session


@order_command("check")
def check(_: Session, values: dict[str, Any]) -> None:
    """Parse a difficulty that is a number; a word of the ladder stays as it is."""
    difficulty = values.get("difficulty")
    if difficulty is not None and re.match(r"[+-]?[0-9]", difficulty):
        values["difficulty"] = parse_whole_number(difficulty, "DIFFICULTY", None)
