"""The disputes and proposals that a note begins or decides."""

from __future__ import annotations

from mam_events.events import Note, NoteKind

OPENING_KINDS: tuple[NoteKind, ...] = ("dispute", "proposal")
"""The kinds of notes that are answered and decided."""


def note_targets(note: Note) -> dict[int, int]:
    """Return the dispute or proposal that a note opens, mapped to 0, or decides, mapped to the note's number.

    Any other note gives an empty dict.
    """
    if note.kind in OPENING_KINDS:
        return {note.ruling: 0}
    return {note.about: note.ruling} if note.kind == "decision" else {}
