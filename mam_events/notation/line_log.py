"""A log as the command line uses it: read, and written by commands and lines, whether its store is local or remote."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from mam_events.log.combat_log import CombatLog
from mam_events.log.writable_log import WritableLog

if TYPE_CHECKING:
    from mam_events.notation.line_result import LineGiven, LineOptions


class LineLog(WritableLog, ABC):
    """A log that also takes lines, wherever it is stored."""

    @abstractmethod
    def give_line(self, encounter: str, line: str, options: LineOptions | None = None) -> LineGiven:
        """Give a line, as `submit.give_line` does."""

    @abstractmethod
    def scratch(self) -> CombatLog:
        """Return a log in memory with the same rules: what is tried there leaves no trace here."""

    @abstractmethod
    def at_store(self, work: str) -> CombatLog:
        """Return the log for work that is done at the store; raise Refused with `not_there/work` elsewhere."""


class LocalLog(CombatLog, LineLog):
    """The combat log of a local store."""

    def give_line(self, encounter: str, line: str, options: LineOptions | None = None) -> LineGiven:
        """Give a line, as `submit.give_line` does."""
        from mam_events.notation.line_result import NO_OPTIONS  # noqa: PLC0415 - only lines need it
        from mam_events.notation.submit import give_line  # noqa: PLC0415 - as above

        return give_line(self, encounter, line, options or NO_OPTIONS)

    def at_store(self, work: str) -> CombatLog:
        """Return this log."""
        del work
        return self
