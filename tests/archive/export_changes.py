"""Changes of exports, and a fight with a secret."""

from __future__ import annotations

import json
from typing import Any

from mam_events.verification.export_format import Header, written_end, written_header, written_row
from mam_events.verification.seal_chain import chain, parts_of, with_ruling_numbers


def replace_fields(lines: list[bytes], number: int, **fields: Any) -> list[bytes]:
    """Return the lines with some fields of line `number` replaced."""
    line = json.dumps(json.loads(lines[number]) | fields, separators=(",", ":")).encode() + b"\n"
    return [*lines[:number], line, *lines[number + 1 :]] if number >= 0 else [*lines[:number], line]


def export_of_rows(rows: list[tuple[int, str, bytes]]) -> list[bytes]:
    """Write an export of rows that this program would not write."""
    sealed = with_ruling_numbers(rows)
    seal = chain(list(parts_of(sealed)))[-1]
    header = Header("export", 1, "fight", sum(1 for row in sealed if row.ruling), len(rows), seal)
    return [written_header(header), *map(written_row, sealed), written_end(len(rows), seal)]
