"""The combat log, the main interface for callers.

It reads the clock, draws the dice and writes; everything else is pure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from msgspec.structs import replace

from mam_events.commands import Command, Join, Open, validate_command
from mam_events.deserializer import encounter_id
from mam_events.errors import Refused
from mam_events.history.corrections.corrections import SeesRuling, sees_all
from mam_events.history.corrections.notes import proposed_order
from mam_events.history.timeline.command_ids import batch_member_id
from mam_events.history.timeline.entries import draws
from mam_events.log.encounters import Encounters
from mam_events.log.newcomers import no_sheets
from mam_events.log.readable_log import CACHE_SIZE
from mam_events.log.requests import CorrectionRequest, InsertAt, NoteRequest, RequestMeta
from mam_events.log.results import Answer, is_kept
from mam_events.log.validation import check_proposal, checks_arguments
from mam_events.log.writable_log import WritableLog
from mam_events.log.writes import CorrectionWrite, NoteWrite, OrderWrite, Write
from mam_events.sanitize import NAME_LENGTH, check_text
from mam_events.visibility import GAME_MASTER, check_visibility

if TYPE_CHECKING:
    from mam_events.log.writer import Writer
    from mam_events.permissions import Rights
    from mam_events.rules.rulebook import Rulebook

_NOW = partial(datetime.now, UTC)


class CombatLog(WritableLog):
    """Encounters on disk: execute commands, correct the past, look at any moment.

    Many processes may use the same store at once, and many threads one log: each encounter is decided and written by
    one thread at a time. Returned values never change, even if more is written later.
    """

    _rights: Rights | None = None
    _request: object = None
    """The request that all writes are parts of; None if each is a request of its own."""

    def __init__(
        self,
        application: Encounters,
        *,
        rules: Rulebook | None = None,
        clock: Callable[[], datetime] = _NOW,
        entropy: Callable[[int], bytes] = os.urandom,
        kept: int = CACHE_SIZE,
        sheets: Callable[[str], Mapping[str, Join]] = no_sheets,
    ) -> None:
        super().__init__(application, rules=rules, kept=kept)
        self.sheets = sheets
        """The function that returns the roster of a person: those who may join by name only, with their sheets."""
        self.asks_names = True
        """Off while a fight is played again from its text: after corrections two combatants may have the same name."""
        self._clock = clock
        self._entropy = entropy

    @cached_property
    def _writer(self) -> Writer:
        from mam_events.log.writer import Writer  # noqa: PLC0415 - only writing needs it

        return Writer(self.application, self._judges, self._clock, self._entropy)

    @classmethod
    @checks_arguments
    def open(
        cls,
        url: str | Path,
        *,
        create: bool = True,
        synchronous: str = "FULL",
        busy_timeout: float = 5.0,
        **settings: Any,
    ) -> Self:
        """Open the log at that path or URL, with the settings of `environment_at` and those of the class.

        Raises StoreUnusable or, with `create` off, NotFound.
        """
        return cls(Encounters.at(url, create=create, synchronous=synchronous, busy_timeout=busy_timeout), **settings)

    def scratch(self) -> Self:
        """Return a log in memory with the same rules, clock and entropy; nothing tried there changes this log."""
        return type(self)(
            Encounters.at("sqlite://"), rules=self._rules, clock=self._clock, entropy=self._entropy, sheets=self.sheets
        )

    @contextmanager
    def grouped(self, *encounters: str, request: object = None) -> Iterator[Self]:
        """Group writes to these encounters into one transaction; write with the log that is yielded.

        A refused order undoes only itself. Nobody else reads these encounters meanwhile: what they read is always
        durable. If all orders are parts of one `request`, their command ids are recognized by that request.
        """
        group = self._with(_request=self._request or request)
        with self._judges.holding(encounters):
            versions = self._judges.versions(encounters)
            try:
                with self.application.grouped():
                    yield group
            except BaseException:
                for encounter, version in self._judges.versions(encounters).items():
                    if version != versions[encounter]:
                        # The judge has taken in rulings that are not in the store.
                        self._judges.forget(encounter)
                raise

    def limited_to(self, rights: Rights) -> Self:
        """Return this log for someone with those rights.

        Whatever else they write is refused with `not_yours`, whichever method writes it. The caller answers for the
        author's name, and for who may see their notes.
        """
        return self._with(_rights=rights)

    def _with(self, **fields: object) -> Self:
        """Return a log that shares everything with this one but those fields."""
        changed_log = copy(self)
        vars(changed_log).update(fields)
        return changed_log

    def _write(self, encounter: str, write: Write, meta: RequestMeta) -> Answer:
        return self._writer.write(encounter, write, meta, self._rights, self._request)

    def write_order(self, encounter: str, command: Command, meta: RequestMeta, insert: InsertAt) -> Answer:
        """Decide a validated command, and write it."""
        if isinstance(command, Open):
            encounter_id(encounter)
        tokens = self.application.tokens.all
        return self._write(
            encounter, OrderWrite(command, insert, self.rules, self.sheets, tokens, self.asks_names), meta
        )

    def write_orders(self, encounter: str, commands: Sequence[Command], meta: RequestMeta) -> list[Answer]:
        """Decide commands one after another, and write all of them or none."""
        answers: list[Answer] = []
        with self.grouped(encounter, request=[meta.command_id, (*commands, 0)]) as group:
            for at, command in enumerate(commands, 1):
                if answers and is_kept(answers[-1], self._view(encounter)):
                    has_draws = draws(answers[-1].events)
                    raise Refused("no_draw/behind_a_die" if has_draws else "no_draw/behind_a_ruling", order=at - 1)
                one = RequestMeta(meta.by, batch_member_id(meta.command_id, at), None if answers else meta.expected)
                try:
                    answers.append(group.write_order(encounter, command, one, InsertAt()))
                except Refused as no:
                    raise (no.at(f"order {at} of {len(commands)}") if answers else no) from None
        return answers

    def _view(self, encounter: str) -> str:
        """Return the view of that encounter for the person this log writes for."""
        return self._rights.view(self._judges.newest(encounter).timeline) if self._rights else GAME_MASTER

    def write_correction(
        self, encounter: str, request: CorrectionRequest, meta: RequestMeta, sees: SeesRuling = sees_all
    ) -> Answer:
        """Write a correction, requested by someone who `sees` some rulings, and everything it changes."""
        check_text(request.reason, "reason")
        return self._write(encounter, CorrectionWrite(request, sees, self.asks_names), meta)

    def write_note(self, encounter: str, note: NoteRequest, meta: RequestMeta, sees: SeesRuling = sees_all) -> Answer:
        """Write a note, requested by someone who `sees` some rulings."""
        check_visibility(note.visibility)
        rule = self.rules.rule_id(check_text(note.rule, "rule", NAME_LENGTH)) if note.rule else ""
        if note.order is not None:
            order = validate_command(note.order)
            check_proposal(order)
            note = replace(note, order=order)
        meta = replace(meta, decides=note.about) if note.kind == "decision" else meta
        return self._write(encounter, NoteWrite(note, sees, rule), meta)

    def write_acceptance(
        self, encounter: str, proposal: int, replacement: Command | None, reason: str, meta: RequestMeta
    ) -> list[Answer]:
        """Give the proposed order, or another, and decide the proposal with it: both, or neither."""
        with self.grouped(encounter, request=[meta.command_id, ("accept", proposal, replacement, reason)]) as group:
            order = replacement or proposed_order(group.look(encounter, lambda timeline: timeline.head(proposal)))
            answer = group.write_order(encounter, validate_command(order), replace(meta, decides=proposal), InsertAt())
            closed = group.note(
                encounter,
                reason,
                kind="decision",
                about=proposal,
                corrections=[answer.number],
                by=meta.by,
                command_id=batch_member_id(meta.command_id, 2),
            )
        return [answer, closed]

    def write_branch(self, encounter: str, branch: str, moment: str | int | None, meta: RequestMeta) -> Answer:
        """Begin a branch after that moment, with all rulings up to now and a new seed."""
        encounter_id(branch)
        return self._writer.branch(encounter, branch, moment, meta, self._rights)
