"""The lines of an export: a header, one line per row with the stored bytes in it, and an end.

    {"mam":"export","format":1,"encounter":"…","rulings":21,"rows":57,"seal":"…"}
    {"ruling":1,"topic":"Play.1","state":{…}}
    {"topic":"EncounterOpened.1","state":{…}}
    {"end":57,"seal":"…"}

Heads have `ruling`. A ruling that the export's `view` may not see is one line, `{"ruling":…,"seal":"…","hash":"…"}`;
its visible rows follow that line. If a ruling may have outcomes, its last line is `{"rest":["…",…]}`, unless everything
is shown: the hashes of the outcomes hidden from `view`, always the same number of them. `{"hash":"…"}` is an outcome
that was hidden later. `rows` and `end` count the lines between the first and the last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from mam_events.commands import encode_command
from mam_events.deserializer import LEARNING, check_duplicate_fields
from mam_events.errors import BadInput, StoreUnusable
from mam_events.events import Play
from mam_events.history.seal import SLOT_COUNT
from mam_events.store import decode, encode_json
from mam_events.values import Visibility

FORMAT = 1
_LONGEST_HEADER = 2**16
_HEADER_LINES = 16

Count = Annotated[int, Meta(ge=1)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class ExportRow(Struct, frozen=True):
    """A row in an export.

    `ruling` is 0 for rows that aren't heads. Hidden rows have `hash` instead of topic and state, and on a head also
    `seal`. A row for the outcomes that are not shown has only `rest`.
    """

    version: int
    ruling: int
    topic: str = ""
    state: bytes = b""
    hash: bytes = b""
    seal: str = ""
    rest: tuple[bytes, ...] = ()


class Header(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line: the kind of file and its size; `view` is the view that may see everything it shows."""

    mam: Literal["export"]
    format: int
    encounter: str
    rulings: Count
    rows: Count
    seal: Hash
    view: Visibility = "gm"


class _Line(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    ruling: Annotated[int, Meta(ge=0)] = 0
    topic: str = ""
    state: Raw = Raw(b"")
    hash: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    seal: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    rest: tuple[Hash, ...] = ()


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    end: Count
    seal: Hash


class Export(Struct, frozen=True):
    """An export as read; only its form has been checked.

    `reformatted` is the place of the first line that no export has in this form ("": none).
    """

    header: Header
    rows: Sequence[ExportRow]
    end_seal: str
    reformatted: str = ""


_END = re.compile(rb'\{ *"end"')
_encode = msgspec.json.Encoder().encode
_line = msgspec.json.Decoder(_Line).decode


def written_header(header: Header) -> bytes:
    """Return the first line."""
    return _encode(header) + b"\n"


def written_row(row: ExportRow) -> bytes:
    """Return the line of a row; raise StoreUnusable for a state whose bytes can't be restored exactly."""
    line = _text_of(row)
    if row.hash or row.rest:
        return line + b"\n"
    try:
        exact = b"\n" not in line and bytes(_line(line).state) == row.state
    except (msgspec.MsgspecError, ValueError, RecursionError):
        exact = False
    if not exact:
        raise StoreUnusable(f"Row {row.version} of this log is not written as this program writes it.")
    return line + b"\n"


def _text_of(row: ExportRow) -> bytes:
    if row.rest:
        return _encode({"rest": [one.hex() for one in row.rest]})
    begin = b'{"ruling":%d,' % row.ruling if row.ruling else b"{"
    if row.hash:
        seal = b'"seal":"%b",' % row.seal.encode() if row.seal else b""
        return begin + seal + b'"hash":"%b"}' % row.hash.hex().encode()
    return begin + b'"topic":' + _encode(row.topic) + b',"state":' + row.state + b"}"


def written_end(rows: int, seal: str) -> bytes:
    """Return the last line, which shows that nothing was cut off."""
    return _encode(_End(rows, seal)) + b"\n"


def read_lines(lines: Iterable[bytes], name: str) -> Export:
    """Read an export from its lines; raise BadInput naming `name` and the line, StoreUnusable for a newer format."""
    lines_numbered = _numbered(lines)
    first = next(lines_numbered, None)
    if first is None:
        raise BadInput("This is not an export: the file is empty.", place=name)
    number, line, _ = first
    header = _read_header(line, lines_numbered, name)
    reformatted = _reformatted(line, _encode(header), f"{name}:1")
    rows: list[ExportRow] = []
    for number, line, last in lines_numbered:
        place = f"{name}:{number}"
        if _END.match(line):
            end = _as(_End, line, place, last=last)
            reformatted = reformatted or _reformatted(line, _encode(end), place)
            if not last:
                raise BadInput("There are more lines after the end of this export.", place=f"{name}:{number + 1}")
            if not end.end == header.rows == len(rows):
                raise BadInput(
                    f"This export has {len(rows)} rows, but its first line says {header.rows} and its last line says "
                    f"{end.end}. The export was damaged or changed.",
                    place=place,
                )
            return Export(header, rows, end.seal, reformatted)
        row = _read_row(line, place, len(rows) + 1, last=last)
        reformatted = reformatted or _reformatted(line, _text_of(row), place)
        rows.append(row)
    place = f"{name}:{number}"
    raise BadInput(f"This export is cut off after {len(rows)} of {header.rows} rows.", place=place)


def in_written_form(rows: Sequence[ExportRow]) -> list[ExportRow]:
    """Return the rows with the same contents in the form in which this program writes them.

    Raises StoreUnusable for rows that it can't read, BadInput for a state with a duplicate field.
    """
    return [replace(row, state=_state_as_written(row.topic, row.state)) if row.topic else row for row in rows]


def _state_as_written(topic: str, state: bytes) -> bytes:
    event = decode(topic, state)
    check_duplicate_fields(state)
    if event.topic != topic:
        # It was written in an older form of that event.
        return _encode(msgspec.json.decode(state))
    return encode_json(replace(event, raw=Raw(encode_command(event.command))) if isinstance(event, Play) else event)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """Yield each line with its number and True if it is the last; empty lines at the end are left out."""
    pending: tuple[int, bytes] | None = None
    empty = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip(b"\r\n")
        if not text and pending:
            empty = empty or number
            continue
        if not text:
            # Yield an empty first line at once, because whoever reads only the header stops there.
            yield number, text, False
        if pending:
            yield *pending, False
        if empty:
            yield empty, b"", False
        pending, empty = (number, text), 0
    if pending:
        yield *pending, True


def _read_header(line: bytes, next_lines: Iterator[tuple[int, bytes, bool]], name: str) -> Header:
    """Read the header in the first line; `next_lines` are the lines after it."""
    place = f"{name}:1"
    try:
        parsed = msgspec.json.decode(line) if len(line) < _LONGEST_HEADER else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict) or parsed.get("mam") != "export":
        if _is_spread(line, next_lines):
            raise BadInput("This export was reformatted: one line became several. Export the fight again.", place=name)
        raise BadInput("This is not an export of mam-events: its first line is not a header.", place=place)
    version = parsed.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise StoreUnusable(
            f"{name} is an export of format {version}, which a newer mam-events wrote. Update mam-events."
        )
    if version != FORMAT:
        raise BadInput(
            f"This export says that its format is {version!r}, but only {FORMAT} exists. Export the fight again.",
            place=place,
        )
    header: Header = _as(Header, line, place, last=False)
    return header


def _is_spread(line: bytes, next_lines: Iterator[tuple[int, bytes, bool]]) -> bool:
    """Return True for the beginning of an export that a JSON tool turned into a list, or into several lines per row."""
    if line[:1] not in (b"{", b"["):
        return False
    text = b"".join([line, *(one for _, one, _ in islice(next_lines, _HEADER_LINES))])[:_LONGEST_HEADER].decode(
        errors="replace"
    )
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip("[ "))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("mam") == "export"


def _read_row(line: bytes, place: str, version: int, *, last: bool) -> ExportRow:
    row = _as(_Line, line, place, last=last)
    state = bytes(row.state)
    rest = tuple(bytes.fromhex(one) for one in row.rest)
    if bool(row.topic) != bool(state) or [bool(row.hash), bool(row.topic), bool(rest)].count(True) != 1:
        raise BadInput(
            "Parts of this line are missing: it needs a topic and a state, or a hash if it is hidden. "
            "The export was damaged or changed.",
            place=place,
        )
    if rest and (len(rest) + 1) % SLOT_COUNT:
        raise BadInput(
            "This line has too few or too many hashes of hidden outcomes. The export was damaged or changed.",
            place=place,
        )
    if bool(row.seal) != bool(row.hash and row.ruling):
        raise BadInput(
            "Only the head of a hidden ruling has a seal here, and it needs one. The export was damaged or changed.",
            place=place,
        )
    return ExportRow(version, row.ruling, row.topic, state, bytes.fromhex(row.hash), row.seal, rest)


def _reformatted(line: bytes, encoded: bytes, place: str) -> str:
    """Return the place of a line that is not in its original form, "" for any other.

    Raises BadInput if a field is duplicate, because programs could read the line differently.
    """
    if line == encoded:
        return ""
    try:
        check_duplicate_fields(line)
    except BadInput as error:
        raise BadInput(f"This is not a line of an export: {error.fault}", place=place) from None
    return place


def _as(kind: type[Any], line: bytes, place: str, *, last: bool) -> Any:
    try:
        with LEARNING:
            return msgspec.json.decode(line, type=kind)
    except RecursionError:
        raise BadInput("This is nested too deeply for a row.", place=place) from None
    except (msgspec.MsgspecError, ValueError) as error:
        if last and not isinstance(error, msgspec.ValidationError):
            raise BadInput("This export is cut off: its last line is not complete.", place=place) from None
        raise BadInput(f"This is not a line of an export. It was damaged or changed ({error}).", place=place) from None
