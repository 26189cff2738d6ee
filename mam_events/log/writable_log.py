"""Writing to a log from Python: orders, corrections, notes and branches, wherever the log is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from mam_events.commands import Command, validate_command
from mam_events.events import Step, TurnPolicy
from mam_events.history.corrections import corrections
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.log.readable_log import ReadableLog
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, Redo, RequestMeta, Steps, Undo
from mam_events.log.results import Answer
from mam_events.log.validation import check_insert, checks_arguments, narrow_visibility, numbers, orders
from mam_events.visibility import PUBLIC


class WritableLog(ReadableLog, ABC):
    """Encounters in a store that this process or another one writes: arguments are checked, and become one request."""

    @checks_arguments
    def execute(
        self,
        encounter: str,
        command: Command,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        after: int = 0,
        expect: str = "",
        visibility: str = PUBLIC,
        turns: TurnPolicy = "as_played",
    ) -> Answer:
        """Decide a command and write the ruling, durably.

        `after` inserts it after an earlier play, and `expect` only with the effect that its preview showed; then
        `turns` is as for `correct`. Raises Refused, BadInput, NotFound, or VersionConflict if `expected` is not the
        newest ruling. A command id seen before returns the first answer and writes nothing, or is refused with
        `key_reused` for another request.
        """
        check_insert(after, expect, turns)
        order = validate_command(narrow_visibility(command, visibility))
        return self.write_order(encounter, order, RequestMeta(by, command_id, expected), InsertAt(after, expect, turns))

    @checks_arguments
    def execute_all(
        self,
        encounter: str,
        commands: Sequence[Command],
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> list[Answer]:
        """Decide commands one after another and write all of their rulings, or none.

        Raises as `execute` does; a refusal has the place of its command among them. Under a command id they are
        recognized together. Only the last of them may draw a die: a refusal after a drawn die would reveal the die,
        which would then be lost with the others. Only the last of a player's orders may throw a die,
        be hidden from them, or have words of their own, which could be the name of somebody hidden.
        """
        validated = [validate_command(command) for command in orders(commands, "commands")]
        return self.write_orders(encounter, validated, RequestMeta(by, command_id, expected))

    @checks_arguments
    def correct(
        self,
        encounter: str,
        steps: Sequence[Step],
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
        turns: TurnPolicy = "as_played",
    ) -> Answer:
        """Write a correction and everything that it changes.

        `expect` is the token of a preview: exactly that is written, or VersionConflict is raised. With `turns`
        "as_played" the played turns are kept, and the correction adds the necessary bookkeeping; "strict" adds none.
        Raises Refused for impossible steps.
        """
        request = Steps(steps=corrections.read_steps(steps), reason=reason, expect=expect, turns=turns)
        return self.write_correction(encounter, request, RequestMeta(by, command_id, expected))

    @checks_arguments
    def undo(
        self,
        encounter: str,
        ruling: int | None = None,
        *,
        only: bool = False,
        rewind: bool = False,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
        sees: SeesRuling = sees_all,
        turns: TurnPolicy = "as_played",
    ) -> Answer:
        """Undo the newest living step, or the exchange of `ruling`, or (`rewind`) everything from it on.

        The newest step includes everything that was requested together with it. It is the newest in the log at that
        moment: to undo the one you see, give its number.
        """
        request = Undo(ruling=ruling, only=only, rewind=rewind, reason=reason, expect=expect, turns=turns)
        return self.write_correction(encounter, request, RequestMeta(by, command_id, expected), sees)

    @checks_arguments
    def redo(
        self,
        encounter: str,
        correction: int | None = None,
        *,
        by: str = "",
        reason: str = "",
        command_id: str = "",
        expected: int | None = None,
        expect: str = "",
        turns: TurnPolicy = "as_played",
    ) -> Answer:
        """Restore the newest active undo, or the correction of that number."""
        request = Redo(ruling=correction, reason=reason, expect=expect, turns=turns)
        return self.write_correction(encounter, request, RequestMeta(by, command_id, expected))

    @checks_arguments
    def note(
        self,
        encounter: str,
        text: str,
        *,
        kind: str = "comment",
        about: int = 0,
        rule: str = "",
        corrections: Sequence[int] = (),
        order: Command | None = None,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
        visibility: str = PUBLIC,
        sees: SeesRuling = sees_all,
    ) -> Answer:
        """Write a remark.

        It is a comment about a ruling or (0) about the fight, a dispute about a ruling, the proposal of an `order`, or
        an answer or decision in the dispute or proposal that it is `about`.

        A dispute may name the `rule` or option it relies on. A decision needs no text; it names the `corrections` made
        since that settle the dispute, or none if the ruling stands. Refused as `check_note` says, in words for someone
        who `sees` the rulings of some numbers.
        """
        note = NoteRequest(text, kind, about, rule, numbers(corrections, "corrections"), order, visibility)
        return self.write_note(encounter, note, RequestMeta(by, command_id, expected), sees)

    @checks_arguments
    def accept(
        self,
        encounter: str,
        proposal: int,
        *,
        instead: Command | None = None,
        reason: str = "",
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> list[Answer]:
        """Give the proposed order, or another `instead`, and decide the proposal with it: both, or neither.

        Raises as `execute` and `note` do.
        """
        return self.write_acceptance(encounter, proposal, instead, reason, RequestMeta(by, command_id, expected))

    @checks_arguments
    def branch(
        self,
        encounter: str,
        branch: str,
        moment: str | int | None = None,
        *,
        by: str = "",
        command_id: str = "",
        expected: int | None = None,
    ) -> Answer:
        """Begin `branch`, a fight that continues from that moment of the encounter.

        All rulings up to now are copied unchanged, everything after the moment (None: the newest that counts) is
        undone, and dice are drawn from a new seed. Raises Refused `cannot_branch` for a moment from which no fight can
        continue, `encounter_exists` if the id is taken; otherwise as `execute` does.
        """
        return self.write_branch(encounter, branch, moment, RequestMeta(by, command_id, expected))

    @abstractmethod
    def write_order(self, encounter: str, command: Command, meta: RequestMeta, insert: InsertAt) -> Answer:
        """Decide a validated command, and write it."""

    @abstractmethod
    def write_orders(self, encounter: str, commands: Sequence[Command], meta: RequestMeta) -> list[Answer]:
        """Decide commands one after another, and write all of them or none."""

    @abstractmethod
    def write_correction(
        self, encounter: str, request: CorrectionRequest, meta: RequestMeta, sees: SeesRuling = sees_all
    ) -> Answer:
        """Write a correction, requested by someone who `sees` some rulings."""

    @abstractmethod
    def write_note(self, encounter: str, note: NoteRequest, meta: RequestMeta, sees: SeesRuling = sees_all) -> Answer:
        """Write a note, requested by someone who `sees` some rulings."""

    @abstractmethod
    def write_acceptance(
        self, encounter: str, proposal: int, replacement: Command | None, reason: str, meta: RequestMeta
    ) -> list[Answer]:
        """Give the proposed order, or another, and decide the proposal with it."""

    @abstractmethod
    def write_branch(self, encounter: str, branch: str, moment: str | int | None, meta: RequestMeta) -> Answer:
        """Begin a branch after that moment."""
