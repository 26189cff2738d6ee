"""The generator of the table in `docs/service.md` that shows who may set each field of an order.

`make manual` writes it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from mam_events.commands import COMMANDS
from mam_events.permissions import FIELDS
from mam_events.values import ACTOR, GM_OWNER, ROLLER, Owner

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
HEADING = "### Who may set each field\n"


def with_table(page: str) -> str:
    """Return the page with the table under its heading."""
    before, _, rest = page.partition(HEADING)
    _, middle, after = rest.partition("\n## ")
    return f"{before}{HEADING}\n{rights_table()}{middle}{after}"


def rights_table() -> str:
    """Return the table of what a player may set in each order: all of it, some fields, or nothing."""
    closed = [name for name, kind in COMMANDS.items() if kind.given_by == GM_OWNER]
    free = [name for name in COMMANDS if name not in closed and not _reserved_fields(name)]
    table_rows = (
        f"Only the game master orders {_listed(closed)}. The player who acts sets all fields of {_listed(free)}. "
        "In the other orders, these fields belong to somebody else:"
    )
    head = "\n\n| order | the player who rolls the die | only the game master |\n|---|---|---|\n"
    rows = _rows(name for name in COMMANDS if name not in (*closed, *free))
    return "".join([textwrap.fill(table_rows, 124, break_on_hyphens=False), head, *rows])


def _rows(names: Iterator[str]) -> Iterator[str]:
    for name in names:
        owners = _reserved_fields(name)
        cells = [
            _listed([word for word, owner in owners.items() if owner == owner_kind])
            for owner_kind in (ROLLER, GM_OWNER)
        ]
        yield f"| `{name}` | {' | '.join(cells)} |\n"


def _reserved_fields(name: str) -> dict[str, Owner]:
    """Return the fields of an order, and their values, that belong to others than the actor, each with its owner.

    `visibility` is left out, because the page describes it for all orders at once.
    """
    fields = {field: shape for field, shape in FIELDS[name].items() if field != "visibility"}
    owners: dict[str, Owner] = {field: shape.owner or ACTOR for field, shape in fields.items() if shape.owner != ACTOR}
    return owners | {f"{field}={value}": GM_OWNER for field, shape in fields.items() for value in shape.reserved}


def _listed(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
