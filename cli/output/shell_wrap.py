"""Commands folded so that they can still be copied into a shell."""

from __future__ import annotations

import re

UNBROKEN = "\u00a0"
"""A blank at which no line is folded."""


def ready_to_copy(order: str, columns: int) -> list[str]:
    """Return the lines of a command folded at that many columns, with options next to their values.

    Each line but the last ends in a backslash, so that a shell reads on.
    """
    if len(order) <= columns:
        return [order]
    import textwrap

    indent = " " * (len(order) - len(order.lstrip()) + 4)
    unbroken = re.sub(r"(--[a-z-]+) (?!-)", rf"\1{UNBROKEN}", order)
    *rows, last = textwrap.wrap(
        unbroken, columns - 2, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return [row.replace(UNBROKEN, " ") for row in (*(f"{row} \\" for row in rows), last)]
