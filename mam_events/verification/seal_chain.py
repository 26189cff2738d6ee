"""The chain of seals over the rows of an export, including hidden ones; it needs no meaning of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import msgspec
from msgspec import Struct

from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.events import is_head, is_rejudgement
from mam_events.history.seal import (
    blinding_of,
    next_seal,
    outcome_hashes,
    part_hash,
    ruling_hash,
    seen_hash,
    without_seal,
)
from mam_events.history.timeline.entries import FIRST_SEAL
from mam_events.verification.export_format import ExportRow
from mam_events.visibility import can_see


class RulingLead(Struct, frozen=True):
    """The fields of a row that the seals depend on: a head has a seal, a head or a re-judgement may have a salt."""

    ruling: int = 0
    seal: str = ""
    salt: str = ""
    visibility: str = "public"


_lead = msgspec.json.Decoder(RulingLead).decode


def lead_of(topic: str, state: bytes, version: int, number: int) -> RulingLead:
    """Return the lead of a row, with `ruling` 0 if no ruling begins there; it recognizes newer kinds of heads too.

    Raises VerificationFailed naming the ruling `number` to which the row belongs.
    """
    try:
        lead = _lead(state)
        bytes.fromhex(lead.salt)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        raise VerificationFailed(
            f"Ruling {number} is not what was written: its row {version}, of the kind {topic}, cannot be read."
        ) from None
    return lead if lead.seal else RulingLead(salt=lead.salt, visibility=lead.visibility)


@dataclass(frozen=True)
class RowGroup:
    """The rows of a ruling itself, or of one outcome, with the visibility of their `lead`.

    A hidden group is one row with its hash.
    """

    lead: RulingLead
    rows: Sequence[ExportRow]

    @property
    def hash(self) -> bytes:
        """The hash of these rows."""
        states = [(row.topic, without_seal(row.state) if row.ruling else row.state) for row in self.rows]
        return self.rows[0].hash or part_hash(self.lead.salt, states)


@dataclass(frozen=True)
class RulingRows:
    """One ruling with its rows and its seal; `lead` is None if its head is hidden.

    `rest` are the hashes of the outcomes that are not here; if all are here, `blinding` is what those hashes are made
    with. A ruling that may have outcomes has one of the two, unless it is hidden completely.
    """

    number: int
    rows: Sequence[ExportRow]
    lead: RulingLead | None
    rest: Sequence[bytes] = ()
    blinding: str = ""

    @property
    def seal(self) -> str:
        """The seal of the ruling, right or wrong."""
        return self.lead.seal if self.lead else self.rows[0].seal

    @cached_property
    def sections(self) -> Sequence[RowGroup]:
        """Its own rows, and each outcome; raises VerificationFailed if only some rows of one are hidden."""
        lead = self.lead or RulingLead()
        if not (self.rest or self.blinding):
            self._check_hidden(self.rows)
            return (RowGroup(lead, self.rows),)
        starts = [at for at, row in enumerate(self.rows) if not at or row.hash or is_rejudgement(row.topic)]
        parts = []
        for start, end in pairwise([*starts, len(self.rows)]):
            rows = self.rows[start:end]
            self._check_hidden(rows)
            if start:
                row = rows[0]
                lead = RulingLead() if row.hash else lead_of(row.topic, row.state, row.version, self.number)
            parts.append(RowGroup(lead, rows))
        return parts

    def _check_hidden(self, rows: Sequence[ExportRow]) -> None:
        if len(rows) > 1 and any(row.hash for row in rows):
            raise VerificationFailed(f"Ruling {self.number} hides only some rows. This program never writes that.")

    @property
    def hash(self) -> bytes:
        """The hash of the whole ruling, which its seal covers."""
        own, *outcomes = self.sections
        if self.rest:
            return ruling_hash(own.hash, (seen_hash(one.hash for one in outcomes), *self.rest))
        if self.blinding:
            hashes = [(one.lead.visibility, one.hash) for one in outcomes]
            return ruling_hash(own.hash, outcome_hashes(hashes, self.blinding))
        return own.hash

    def rest_for(self, view: str) -> list[bytes]:
        """Return the `rest` of this ruling, which hides nothing, for that view."""
        hashes = [(one.lead.visibility, one.hash) for one in self.sections[1:]]
        slots = outcome_hashes(hashes, self.blinding)
        slots.remove(seen_hash(outcome_hash for visibility, outcome_hash in hashes if can_see(view, visibility)))
        return sorted(slots)


def with_ruling_numbers(rows: Sequence[tuple[int, str, bytes]]) -> list[ExportRow]:
    """Return stored rows, each with the number of the ruling that begins with it."""
    rows_with_numbers: list[ExportRow] = []
    number = 0
    for version, topic, state in rows:
        if not isinstance(state, bytes) or not isinstance(topic, str):
            # SQLite stores a value of any type from another program.
            raise VerificationFailed(
                f"Ruling {number + _begins(topic)} was altered: its row {version} has a value of the wrong type."
            )
        begins = _begins(topic)
        ruling = lead_of(topic, state, version, number + begins).ruling if begins or _may_lead(state) else 0
        if begins and not ruling:
            raise VerificationFailed(f"Ruling {number + 1} was altered: its row {version} has no number or no seal.")
        number = ruling or number
        rows_with_numbers.append(ExportRow(version, ruling, topic, state))
    return rows_with_numbers


def _may_lead(state: bytes) -> bool:
    """Return False for a row without a seal, as most are, so that it need not be decoded to look for one."""
    return b"seal" in state or b"\\" in state


def _begins(topic: object) -> bool:
    """Return True if a ruling begins with a row of that topic, as far as this program knows."""
    try:
        return isinstance(topic, str) and is_head(topic)
    except StoreUnusable:
        return False


def parts_of(rows: Sequence[ExportRow]) -> Iterator[RulingRows]:
    """Yield the rulings; raise VerificationFailed for a row or ruling that is missing, extra or misplaced."""
    starts = [at for at, row in enumerate(rows) if row.ruling]
    for at, row in enumerate(rows):
        if row.version != at + 1:
            ruling = sum(1 for start in starts if start < at)
            where = f"in or after ruling {ruling}" if ruling else "before ruling 1"
            raise VerificationFailed(
                f"Row {row.version} stands where row {at + 1} belongs, {where}: rows were removed, added or moved."
            )
    if starts[:1] != [0]:
        raise VerificationFailed("The log does not begin with the head of ruling 1.")
    for number, (start, end) in enumerate(pairwise([*starts, len(rows)]), start=1):
        head = rows[start]
        lead = None if head.hash else lead_of(head.topic, head.state, head.version, number)
        if number != head.ruling or (lead and number != lead.ruling):
            number_here = lead.ruling if lead else head.ruling
            raise VerificationFailed(f"Ruling {number_here} stands where ruling {number} belongs.")
        own = rows[start:end]
        if any(_may_lead(row.state) and lead_of(row.topic, row.state, row.version, number).ruling for row in own[1:]):
            raise VerificationFailed(f"In ruling {number} another one begins without a number.")
        rest, blinding = own[-1].rest, blinding_of(head.state)
        if any(row.rest for row in own[:-1]) or (rest and blinding) or list(rest) != sorted(rest):
            raise VerificationFailed(f"Ruling {number} hides only some rows. This program never writes that.")
        yield RulingRows(number, own[:-1] if rest else own, lead, rest, blinding)


def chain(parts: Sequence[RulingRows]) -> list[str]:
    """Return the seal of every ruling; raise VerificationFailed for the first ruling that differs from its seal."""
    seal = FIRST_SEAL
    for part in parts:
        seal = next_seal(seal, part.hash)
        if part.seal != seal:
            raise VerificationFailed(f"Ruling {part.number} was altered after it was sealed.")
    return [part.seal for part in parts]
