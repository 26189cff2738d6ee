"""Orders on lines that fold and can still be copied into a shell."""

from __future__ import annotations

import re

UNBROKEN = "\u00a0"
"""A blank at which no line folds."""


def ready_to_copy(order: str, columns: int) -> list[str]:
    """The lines of an order folded at so many columns, an option staying with its value; each but the last ends as a
    shell reads on: in a backslash.
    """
    if len(order) <= columns:
        return [order]
    import textwrap

    indent = " " * (len(order) - len(order.lstrip()) + 4)
    kept = re.sub(r"(--[a-z-]+) (?!-)", rf"\1{UNBROKEN}", order)
    *rows, last = textwrap.wrap(
        kept, columns - 2, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return [row.replace(UNBROKEN, " ") for row in (*(f"{row} \\" for row in rows), last)]
