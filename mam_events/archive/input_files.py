"""Readers of input files and standard input, with limits of size."""

from __future__ import annotations

import errno
import io
import os
import stat
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import suppress
from os.path import realpath
from pathlib import Path
from typing import BinaryIO

from mam_events.errors import BadInput

MEBIBYTE = 2**20
TEXT_LIMIT = 4 * MEBIBYTE
"""The most bytes of a fight file, a file of house rules or a point sheet; a fight of 10,000 commands has half of
that.
"""
EXPORT_LIMIT = 512 * MEBIBYTE
"""The most bytes of an export; one of 10,000 rulings has a twentieth of that."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Opening a pipe must not wait for a writer, and a terminal must not become the controlling one.
_OPENING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def read_bytes(path: str | Path, *, limit: int = TEXT_LIMIT) -> bytes:
    """Return the bytes of a regular file.

    Raises BadInput naming the path if it is no regular file, is too large or can't be read.
    """
    name = str(path)
    try:
        with open(path, "rb", opener=lambda file, _: os.open(file, _OPENING)) as stream:
            mode = os.fstat(stream.fileno()).st_mode
            if not stat.S_ISREG(mode):
                what = next((kind for fits, kind in _KINDS if fits(mode)), "no file")
                raise BadInput(f"This is {what}, and only files can be read.", place=name)
            return read_stream(stream, name, limit=limit)
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput("There is no such file.", place=name) from None
    except IsADirectoryError:
        raise BadInput("This is a directory, and only files can be read.", place=name) from None
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise BadInput("This is not an ordinary file, and only files can be read.", place=name) from None
        raise BadInput(f"cannot be read: {error.strerror or error}.", place=name) from None
    except ValueError:
        # The name has a zero byte.
        raise BadInput("This cannot be the name of a file.", place=repr(name)) from None


def read_stream(stream: BinaryIO, name: str, *, limit: int = TEXT_LIMIT) -> bytes:
    """Return all bytes of a stream; raise BadInput naming it if it has more than `limit` bytes or can't be read."""
    try:
        # A non-blocking stream without data returns None.
        data = stream.read(limit + 1) or b""
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}.", place=name) from None
    if len(data) > limit:
        raise BadInput(f"This file is too large. It may have at most {limit // MEBIBYTE} MiB.", place=name)
    return without_mark(data, name)


def without_mark(raw: bytes, name: str) -> bytes:
    """Remove the byte order mark that some editors write before a text; raise BadInput for UTF-16."""
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or raw[1:2] == b"\0":
        raise BadInput("This is UTF-16 text. Save it as UTF-8 and try again.", place=name)
    return raw.removeprefix(BOM_UTF8)


def decode_text(raw: bytes, name: str, before: int = 0) -> str:
    """Decode UTF-8 text that follows `before` lines; raise BadInput naming the line of bytes that are not UTF-8."""
    try:
        return without_mark(raw, name).decode()
    except UnicodeDecodeError as error:
        line = before + raw.count(b"\n", 0, error.start) + 1
        raise BadInput("This is not UTF-8 text. Save it as UTF-8 and try again.", place=f"{name}:{line}") from None


def read_text(path: str | Path) -> str:
    """Return the text of a file; raise BadInput naming file and line."""
    return decode_text(read_bytes(path), str(path))


def split_lines(raw: bytes) -> Iterator[bytes]:
    """Return the lines of these bytes, each with its line break."""
    return iter(io.BytesIO(raw))


def resolve_inside(folder: Path, path: Path, place: str) -> Path:
    """Return the path if it leads into the folder, links followed; raise BadInput if it leads elsewhere."""
    # An invalid path gets its error when it is opened.
    with suppress(ValueError):
        if not Path(realpath(path)).is_relative_to(realpath(folder)):
            raise BadInput("A file can only name files in its own folder or below it.", place=place)
    return path
