"""The disputes and proposals that a note begins or decides."""

from __future__ import annotations

from mam_events.events import Note, NoteKind

OPENING_KINDS: tuple[NoteKind, ...] = ("dispute", "proposal")
"""The kinds of notes that are answered and decided."""


def note_targets(note: Note) -> dict[int, int]:
    """The dispute or proposal that a note is, with 0, or decides, with its own number; nothing of any other note."""
    if note.kind in OPENING_KINDS:
        return {note.ruling: 0}
    return {note.about: note.ruling} if note.kind == "decision" else {}
