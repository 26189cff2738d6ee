"""What a section brings: a sentence for each of its facts, a clause for each of its orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.events import Event
    from projections.casebook import Scene

    Sentences = dict[type[Event], Callable[[Any, Scene], str]]
    Clauses = dict[type[Command], Callable[[Any, Scene], str]]
