"""The sentences of a section: one for each of its events, a clause for each of its commands; for the log
lines a word or two in place of a sentence (parts), and the parts of a line about rolls outside an exchange.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mam_events.commands import Command
    from mam_events.events import Event
    from projections.casebook import Scene

    Sentences = dict[type[Event], Callable[[Any, Scene], str]]
    Clauses = dict[type[Command], Callable[[Any, Scene], str]]
    Parts = dict[type[Event], Callable[[Any, Scene], str]]
    Rolls = dict[type[Event], Callable[[Any, Scene], tuple[str, ...]]]
