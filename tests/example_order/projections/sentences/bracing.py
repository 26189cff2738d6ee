"""Sentences about setting one's feet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mam_events.commands import Brace
from mam_events.events import FeetSet

if TYPE_CHECKING:
    from projections.sentences.types import Clauses, Sentences

SENTENCES: Sentences = {
    FeetSet: "{combatant} braces: {effect.value:+} to defense until the end of their next turn.",
}
CLAUSES: Clauses = {Brace: "{combatant} braces"}
