"""One ruling judged again, with the result."""

from __future__ import annotations

from msgspec import Struct

from mam_events.commands import Command
from mam_events.events import Event, Verdict
from mam_events.history.timeline.entries import BookkeepingEntry
from mam_events.refusals.arguments import Message
from mam_events.state import EMPTY_ENCOUNTER, Encounter


class RejudgedRuling(Struct, frozen=True, gc=False):
    """One ruling judged again: its verdict, its events or why it is void, and the state after it.

    If it was judged just now, `reason` is the reason as data. `because` names the ruling whose loss made it void, as
    the living history shows it at that moment (0: no single one). `undrawn` is a die that only a commit may draw; then
    nothing after it is known. `bookkeeping` is the bookkeeping that it needed to count, and `kept_otherwise` is True if
    that differs from the record.
    """

    ruling: int
    verdict: Verdict | None
    events: tuple[Event, ...] = ()
    why: str = ""
    code: str = ""
    rule: str = ""
    because: int = 0
    undrawn: str = ""
    command: Command | None = None
    state: Encounter = EMPTY_ENCOUNTER
    reason: Message | None = None
    bookkeeping: tuple[BookkeepingEntry, ...] = ()
    kept_otherwise: bool = False

    @property
    def differs(self) -> bool:
        """True if the outcome, or the bookkeeping before it, differs from the record."""
        return self.verdict != "stands" or self.kept_otherwise
