"""A notebook of seals: a text file with a line for each, which time, fight and ruling it was noted for."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from mam_events.errors import BadInput, VerificationFailed

FIELDS = 4
"""The words of a line: time (UTC), encounter, ruling, seal."""


def note_down(file: str, encounter: str, ruling: int, seal: str) -> None:
    """Append a seal to that notebook; raises BadInput where it cannot be written."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        with Path(file).open("a", encoding="utf-8") as notebook:
            notebook.write(f"{now} {encounter} {ruling} {seal}\n")
    except OSError as error:
        raise BadInput(f"it cannot be written: {error.strerror}.", place=file) from None


def noted_down(file: str, encounters: Collection[str]) -> dict[str, list[str]]:
    """The seals of that notebook by encounter, in the order in which they were noted.

    Raises BadInput naming a line that is none, VerificationFailed for a fight that is not among `encounters` any more.
    """
    from mam_events.archive.inputs import read_text

    seals: dict[str, list[str]] = {}
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != FIELDS:
            raise BadInput(
                "a line of a notebook is a time, an encounter, a ruling and a seal.", place=f"{file}:{number}"
            )
        if words[1] not in encounters:
            raise VerificationFailed(
                f'There is no encounter "{words[1]}" any more, which was noted in {file}:{number}.'
            )
        seals.setdefault(words[1], []).append(words[3])
    if not seals:
        raise BadInput("nothing is noted in it.", place=file)
    return seals
