"""The lines of an export: a header, one line per row with the stored bytes in it, and an end.

    {"mam":"export","format":1,"encounter":"…","rulings":21,"rows":57,"seal":"…"}
    {"v":1,"ruling":1,"topic":"Play.1","state":{…}}
    {"v":2,"topic":"EncounterOpened.1","state":{…}}
    {"end":57,"seal":"…"}

`ruling` stands on the heads; a row that the export's `view` may not see is shipped as `{"v":…,"hash":"…"}`, a head with
its seal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from mam_events.errors import BadInput, StoreUnusable
from mam_events.reading import LEARNING
from mam_events.values import Visibility

FORMAT = 1
_LONGEST_HEADER = 2**16

Count = Annotated[int, Meta(ge=1)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Shipped(Struct, frozen=True):
    """A row as an export ships it: `ruling` is 0 where no ruling begins, `hash` is set instead of topic and state where
    the row is hidden, and `seal` then on a head.
    """

    version: int
    ruling: int
    topic: str = ""
    state: bytes = b""
    hash: bytes = b""
    seal: str = ""


class Header(Struct, frozen=True, omit_defaults=True):
    """The first line: what this is, and how much of it there is; `view` is who may see all that it shows."""

    mam: Literal["export"]
    format: int
    encounter: str
    rulings: Count
    rows: Count
    seal: Hash
    view: Visibility = "gm"


class _Line(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    v: Count
    ruling: Annotated[int, Meta(ge=0)] = 0
    topic: str = ""
    state: Raw = Raw(b"")
    hash: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    seal: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


class _End(Struct, frozen=True, forbid_unknown_fields=True):
    end: Count
    seal: Hash


class Export(Struct, frozen=True):
    """An export as it was read, before anything in it was checked but its form."""

    header: Header
    rows: Sequence[Shipped]
    end_seal: str


_encode = msgspec.json.Encoder().encode
_line = msgspec.json.Decoder(_Line).decode


def written_header(header: Header) -> bytes:
    """The first line."""
    return _encode(header) + b"\n"


def written_row(row: Shipped) -> bytes:
    """The line of a row; raises StoreUnusable for a state whose bytes would not come back exactly."""
    begin = b'{"v":%d' % row.version + (b',"ruling":%d' % row.ruling if row.ruling else b"")
    if row.hash:
        seal = b',"seal":"%b"' % row.seal.encode() if row.seal else b""
        return begin + seal + b',"hash":"%b"}\n' % row.hash.hex().encode()
    line = begin + b',"topic":' + _encode(row.topic) + b',"state":' + row.state + b"}"
    try:
        exact = b"\n" not in line and bytes(_line(line).state) == row.state
    except (msgspec.MsgspecError, ValueError, RecursionError):
        exact = False
    if not exact:
        raise StoreUnusable(f"Row {row.version} of this log is not in the form that this program writes.")
    return line + b"\n"


def written_end(rows: int, seal: str) -> bytes:
    """The last line, which tells that nothing was cut off."""
    return _encode(_End(rows, seal)) + b"\n"


def read_lines(lines: Iterable[bytes], name: str) -> Export:
    """An export from its lines; raises BadInput naming `name` and the line, StoreUnusable for a newer format."""
    numbered = _numbered(lines)
    first = next(numbered, None)
    if first is None:
        raise BadInput("this is empty, not an export.", place=name)
    number, line, _ = first
    header = _read_header(line, name)
    rows: list[Shipped] = []
    for number, line, last in numbered:
        place = f"{name}:{number}"
        if line.startswith(b'{"end"'):
            end = _as(_End, line, place, last=last)
            if not last:
                raise BadInput("there is more behind the end of this export.", place=f"{name}:{number + 1}")
            if not end.end == header.rows == len(rows):
                raise BadInput(
                    f"this export should have {header.rows} rows by its first line and {end.end} by its last, and "
                    f"has {len(rows)}.",
                    place=place,
                )
            return Export(header, rows, end.seal)
        rows.append(_read_row(line, place, last=last))
    place = f"{name}:{number}"
    raise BadInput(f"this export is cut off: it ends behind {len(rows)} of {header.rows} rows.", place=place)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes, bool]]:
    """The lines with their numbers and whether each is the last, one by one; empty ones at the end are none."""
    held: tuple[int, bytes] | None = None
    empty = 0
    for number, line in enumerate(lines, start=1):
        text = line.strip(b"\r\n")
        if not text and held:
            empty = empty or number
            continue
        if not text:
            # Whoever reads a header will not read on.
            yield number, text, False
        if held:
            yield *held, False
        if empty:
            yield empty, b"", False
        held, empty = (number, text), 0
    if held:
        yield *held, True


def _read_header(line: bytes, name: str) -> Header:
    place = f"{name}:1"
    try:
        found = msgspec.json.decode(line) if len(line) < _LONGEST_HEADER else None
    except (msgspec.MsgspecError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("mam") != "export":
        raise BadInput("this is not an export of mam-events: its first line is not that of one.", place=place)
    version = found.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise StoreUnusable(f"{name} is an export of format {version}: it was written by a newer mam-events.")
    if version != FORMAT:
        raise BadInput(f"there is no export of format {version!r}.", place=place)
    header: Header = _as(Header, line, place, last=False)
    return header


def _read_row(line: bytes, place: str, *, last: bool) -> Shipped:
    row = _as(_Line, line, place, last=last)
    state = bytes(row.state)
    if bool(row.hash) == bool(row.topic) or bool(row.topic) != bool(state):
        raise BadInput("a row has a topic and a state, or where it is hidden a hash.", place=place)
    if bool(row.seal) != bool(row.hash and row.ruling):
        raise BadInput("the head of a hidden ruling has its seal here, and no other row has.", place=place)
    return Shipped(row.v, row.ruling, row.topic, state, bytes.fromhex(row.hash), row.seal)


def _as(kind: type[Any], line: bytes, place: str, *, last: bool) -> Any:
    try:
        with LEARNING:
            return msgspec.json.decode(line, type=kind)
    except RecursionError:
        raise BadInput("this is nested too deeply to be a row.", place=place) from None
    except (msgspec.MsgspecError, ValueError) as error:
        if last and not isinstance(error, msgspec.ValidationError):
            raise BadInput("this export is cut off: its last line is not whole.", place=place) from None
        raise BadInput(f"this is not a line of an export: {error}.", place=place) from None
