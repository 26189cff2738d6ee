"""A log that is written: each order, correction, note and branch, as it is said in Python, wherever the log is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from mam_events.commands import Command, validate_command
from mam_events.events import Step, Turns
from mam_events.history.corrections import corrections
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.log.readable_log import ReadableLog
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, Redo, RequestMeta, Steps, Undo
from mam_events.log.results import Answer
from mam_events.log.validation import check_insert, checks_arguments, narrow_visibility, numbers, orders
from mam_events.visibility import PUBLIC


class WritableLog(ReadableLog, ABC):
    """Encounters in a store that is written here or elsewhere: what is said is checked, and becomes one request."""

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
        turns: Turns = "as_played",
    ) -> Answer:
        """Decide a command and write the ruling, durably; `after` inserts it behind an earlier play, `expect` as the
        preview of that showed it; there `turns` is as of `correct`.

        Raises Refused, BadInput, NotFound, or VersionConflict if `expected` is not the newest ruling. A command id
        seen before gives the first answer and writes nothing, or is refused with `key_reused` for another body.
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
        """Decide commands one behind the other and write all of their rulings, or none; raised as by `execute`, and
        where one is refused, with its place among them.

        Under a command id they are known again together. A die is drawn for the last of them at most: what is refused
        behind one would tell what it shows, and the die be gone with all the rest. Of a player's orders the last alone
        may throw any die, or be hidden from them.
        """
        given = [validate_command(command) for command in orders(commands, "commands")]
        return self.write_orders(encounter, given, RequestMeta(by, command_id, expected))

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
        turns: Turns = "as_played",
    ) -> Answer:
        """Write a correction and everything that it makes different.

        `expect` is what a preview printed: exactly that is written, or VersionConflict is raised. With `turns`
        "as_played" the turns that were played are kept, and the correction does the bookkeeping that this takes;
        "strict" does none. Raises Refused for steps that cannot be taken.
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
        turns: Turns = "as_played",
    ) -> Answer:
        """Take back the newest living step, with all that was asked for as one with it, or the exchange of `ruling`, or
        (`rewind`) everything from it on.

        The newest is the one in the log at that moment: whoever means the one that he sees gives its number.
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
        turns: Turns = "as_played",
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
        """Write a remark: a comment about a ruling or (0) about the fight, a dispute about a ruling, the proposal of an
        `order`, an answer or the decision in the dispute or proposal that it is `about`.

        A dispute may name the `rule` it goes by, or an option. A decision needs no text; it names the `corrections`
        that were made since and settle the dispute, or none where the ruling stands. Refused as `check_note` says, in
        words for somebody who `sees` the rulings of some numbers.
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
        """Give the order that was proposed, or another `instead`, and decide the proposal by it: both, or neither.

        Raised as by `execute` and `note`.
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
        """Begin `branch`, which goes on from that moment of the encounter as a fight of its own: all rulings up to now
        are copied as they are, what stands behind the moment (None: the newest that counts) is struck, and dice are
        drawn from a new seed.

        Raises Refused `cannot_branch` for a moment that no fight goes on from, `encounter_exists` where the id is
        taken; else as `execute` does.
        """
        return self.write_branch(encounter, branch, moment, RequestMeta(by, command_id, expected))

    @abstractmethod
    def write_order(self, encounter: str, command: Command, sent: RequestMeta, insert: InsertAt) -> Answer:
        """Decide a command that was checked, and write it."""

    @abstractmethod
    def write_orders(self, encounter: str, commands: Sequence[Command], sent: RequestMeta) -> list[Answer]:
        """Decide commands one behind the other, and write all of them or none."""

    @abstractmethod
    def write_correction(
        self, encounter: str, request: CorrectionRequest, sent: RequestMeta, sees: SeesRuling = sees_all
    ) -> Answer:
        """Write a correction, asked for by somebody who `sees` some rulings."""

    @abstractmethod
    def write_note(self, encounter: str, note: NoteRequest, sent: RequestMeta, sees: SeesRuling = sees_all) -> Answer:
        """Write a note, of somebody who `sees` some rulings."""

    @abstractmethod
    def write_acceptance(
        self, encounter: str, proposal: int, instead: Command | None, reason: str, sent: RequestMeta
    ) -> list[Answer]:
        """Give the order that was proposed, or another, and decide the proposal by it."""

    @abstractmethod
    def write_branch(self, encounter: str, branch: str, moment: str | int | None, sent: RequestMeta) -> Answer:
        """Begin a branch behind that moment."""
