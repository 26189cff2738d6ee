"""A notebook of seals: a text file with a line for each, which time, fight and ruling it was noted for."""

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
    """Append a seal to that notebook; raises BadInput where it cannot be written, and for a file that is something
    else: a log, an export.
    """
    from mam_events.archive.input_files import read_text

    now = datetime.now(UTC).isoformat(timespec="seconds")
    path = Path(file)
    try:
        there = read_text(file) if path.exists() and not path.is_dir() else ""
        for _ in _lines(file, there):
            pass
        # Some editors leave the last line without its end.
        end = "\n" if there and not there.endswith("\n") else ""
        _append(path, f"{end}{now} {encounter} {ruling} {seal}\n")
    except OSError as error:
        raise BadInput(f"it cannot be written: {error.strerror}.", place=file) from None


def _append(path: Path, line: str) -> None:
    before = path.stat().st_size if path.exists() else 0
    try:
        with path.open("a", encoding="utf-8") as notebook:
            notebook.write(line)
    except OSError:
        # A full disk takes the beginning of a line, and no seal is told by that.
        if path.is_file():
            os.truncate(path, before)
        raise


def read_notebook(file: str, encounters: Collection[str]) -> dict[str, list[str]]:
    """The seals of that notebook by encounter, in the order in which they were noted.

    Raises BadInput naming a line that is none, VerificationFailed for a fight that is not among `encounters` any more.
    """
    from mam_events.archive.input_files import read_text

    seals: dict[str, list[str]] = {}
    for number, words in _lines(file, read_text(file)):
        if words[1] not in encounters:
            raise VerificationFailed(
                f'There is no encounter "{words[1]}" any more, which was noted in {file}:{number}.'
            )
        seals.setdefault(words[1], []).append(words[3])
    if not seals:
        raise BadInput("nothing is noted in it.", place=file)
    return seals


def _lines(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a notebook that are not empty, with their numbers; raises BadInput naming one that is none."""
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if words and len(words) != FIELD_COUNT:
            raise BadInput(
                "a line of a notebook is a time, an encounter, a ruling and a seal.", place=f"{file}:{number}"
            )
        if words and not re.fullmatch("[0-9a-fA-F]{64}", words[3]):
            raise BadInput("a seal is 64 hexadecimal digits.", place=f"{file}:{number}")
        if words:
            yield number, words
