"""A log as the command line uses it: read, written by commands and by lines, whether its store is here or elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from mam_events.log.combat_log import CombatLog
from mam_events.log.writable_log import WritableLog

if TYPE_CHECKING:
    from mam_events.notation.line_result import LineGiven, LineOptions


class LineLog(WritableLog, ABC):
    """A log that takes lines too, wherever it is kept."""

    @abstractmethod
    def give_line(self, encounter: str, line: str, beside: LineOptions | None = None) -> LineGiven:
        """Give a line, as `lines.give_line` does."""

    @abstractmethod
    def scratch(self) -> CombatLog:
        """Return a log in memory with the same rules: what is tried there leaves no trace here."""

    @abstractmethod
    def at_store(self, work: str) -> CombatLog:
        """Return the log for work that is done where the store is; raise Refused `not_there/work` elsewhere."""


class LocalLog(CombatLog, LineLog):
    """The combat log of a store that is here."""

    def give_line(self, encounter: str, line: str, beside: LineOptions | None = None) -> LineGiven:
        """Give a line, as `lines.give_line` does."""
        from mam_events.notation.line_result import NO_OPTIONS  # noqa: PLC0415 - a run that gives no line starts without them
        from mam_events.notation.submit import give_line  # noqa: PLC0415 - as above

        return give_line(self, encounter, line, beside or NO_OPTIONS)

    def at_store(self, work: str) -> CombatLog:
        """Return this log."""
        del work
        return self
