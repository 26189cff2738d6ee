"""The orders of one line as they are written to the log: each is checked, written, and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mam_events.commands import Command
from mam_events.errors import Refused
from mam_events.history.corrections.confirmation import ASKED_IN_LINES, check_sure
from mam_events.history.corrections.notes import open_disputes
from mam_events.history.timeline.command_ids import batch_member_id
from mam_events.log.newcomers import complete_join
from mam_events.log.results import Answer
from mam_events.notation.context import LineContext
from mam_events.notation.grammar.long_form import long_form
from mam_events.notation.line_result import LineOptions
from mam_events.notation.orders.table_dice import ThrownDice
from mam_events.refusals import arguments

if TYPE_CHECKING:
    from mam_events.history.timeline.timeline import Timeline
    from mam_events.log.combat_log import CombatLog
    from mam_events.state import Encounter


class OrderWriter:
    """A writer of the orders of one line in an encounter."""

    writes = True
    """False if the effect of the line is only judged and not written."""

    def __init__(self, log: CombatLog, encounter: str, options: LineOptions) -> None:
        self.log = log
        self.encounter = encounter
        self.options = options
        self.long_forms: list[str] = []
        self.answers: list[Answer] = []
        self.asks_log = False
        """True during a call to the log, which knows more of the fight than a view may."""

    def options_for_next(self) -> dict[str, Any]:
        """Return the options for the next order: its author, its id, and the newest ruling that it expects."""
        first = not self.answers
        return {
            "by": self.options.by,
            "command_id": batch_member_id(self.options.command_id, len(self.answers) + 1),
            "expected": self.options.expected if first else None,
        }

    @property
    def asks(self) -> bool:
        """True if a change of later rulings is first shown and not yet written."""
        return self.options.looks or not (self.options.sure or self.options.expect)

    def state(self, timeline: Timeline) -> Encounter:
        """Return the state in which the next order is read: the current one."""
        return timeline.state

    def _fight(self) -> LineContext:
        """Return that fight as the author knows it."""

        def at(timeline: Timeline) -> LineContext:
            state = self.state(timeline)
            if state.ruleset is None:
                raise Refused("not_open", encounter=arguments.TextArgument(self.encounter))
            return self.options.author.fight(timeline, state, self.log.rules)

        return self.log.look(self.encounter, at)

    def _execute(self, command: Command, open_exchange: int, visibility: str = "") -> None:
        """Check an order and write it, visible to `visibility` if it is not ""."""
        command = replace(command, visibility=visibility) if visibility else command
        self.asks_log = True
        self.log.look(self.encounter, lambda timeline: self.options.author.check_order(timeline, command))
        command = complete_join(command, self.log.sheets)
        if self.writes and self.asks and isinstance(command, ASKED_IN_LINES):
            disputes = self.log.look(self.encounter, open_disputes)
            check_sure([command], self._fight().state, disputes, in_line=True)
        if not self.options.draws:
            fight, knows_all = self._fight(), self.options.author.knows_all
            ThrownDice(self.log, self.encounter, fight, self.state, knows_all=knows_all).check(command)
        self._write(command, open_exchange)

    def _write(self, command: Command, open_exchange: int) -> None:
        answer = self.log.execute(self.encounter, command, **self.options_for_next())
        self.add_answer(long_form(command, open_exchange), answer)

    def add_answer(self, long: str, answer: Answer) -> None:
        """Add the answer to an order, which is written in its long form."""
        self.asks_log = False
        self.long_forms.append(long)
        self.answers.append(answer)
