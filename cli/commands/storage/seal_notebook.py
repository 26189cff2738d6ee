"""A notebook of seals: a text file whose lines have a time, an encounter, a ruling and its seal."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path

from mam_events.errors import BadInput, VerificationFailed

FIELD_COUNT = 4
"""The words of a line: time (UTC), encounter, ruling, seal."""


def append_seal(file: str, encounter: str, ruling: int, seal: str) -> None:
    """Append a seal to a notebook.

    Raises BadInput if the file cannot be written, or is something else, like a log or an export.
    """
    from cli.commands.storage.file_types import check_file_type
    from mam_events.archive.input_files import decode_text, read_bytes

    now = datetime.now(UTC).isoformat(timespec="seconds")
    path = Path(file)
    try:
        raw = read_bytes(file) if path.exists() and not path.is_dir() else b""
        try:
            check_file_type(raw, file)
        except BadInput:
            raise BadInput("This is no notebook of seals. Name one, or a new file.", place=file) from None
        text = decode_text(raw, file)
        for _ in _lines(file, text):
            pass
        # Some editors leave out the final line break.
        end = "\n" if text and not text.endswith("\n") else ""
        _append(path, f"{end}{now} {encounter} {ruling} {seal}\n")
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}.") from None


def _append(path: Path, line: str) -> None:
    before = path.stat().st_size if path.exists() else 0
    try:
        with path.open("a", encoding="utf-8") as notebook:
            notebook.write(line)
    except OSError:
        # A full disk may take only part of the line; remove that part.
        if path.is_file():
            os.truncate(path, before)
        raise


def read_notebook(file: str, encounters: Collection[str]) -> dict[str, list[str]]:
    """Return the seals of a notebook by encounter, in the order in which they were noted.

    Raises BadInput that names an invalid line, and VerificationFailed for a fight that is no longer among `encounters`.
    """
    from mam_events.archive.input_files import read_text

    seals: dict[str, list[str]] = {}
    for number, words in _lines(file, read_text(file)):
        if words[1] not in encounters:
            raise VerificationFailed(
                f'There is no encounter "{words[1]}" any more, but it is noted in {file}:{number}.'
            )
        seals.setdefault(words[1], []).append(words[3])
    if not seals:
        raise BadInput("The notebook is empty.", place=file)
    return seals


def _lines(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of a notebook that are not empty, with their numbers; raise BadInput for an invalid line."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if words and len(words) != FIELD_COUNT:
            raise BadInput(
                "This line is not from a notebook of seals: it needs a time, an encounter, a ruling and a seal. "
                "Name another file, or remove the line.",
                place=f"{file}:{number}",
            )
        if words and not re.fullmatch("[0-9a-fA-F]{64}", words[3]):
            raise BadInput("The last word is no seal: a seal has 64 hexadecimal digits.", place=f"{file}:{number}")
        if words:
            yield number, words
