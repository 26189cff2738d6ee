"""The chain of seals over rows as an export ships them, hidden ones too; it does not need to know what they tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from mam_events.errors import StoreUnusable, VerificationFailed
from mam_events.events import is_head, is_rejudgement
from mam_events.rulings.entries import FIRST_SEAL
from mam_events.rulings.seal import chained, row_hash, salt_of, unsealed
from mam_events.verification.lines import Shipped


class Lead(Struct, frozen=True):
    """The columns of a row that seals are made of: a head has a seal, a head or a re-judgement may have a salt."""

    ruling: int = 0
    seal: str = ""
    salt: str = ""
    visibility: str = "public"


_lead = msgspec.json.Decoder(Lead).decode


def lead_of(topic: str, state: bytes, version: int, number: int) -> Lead:
    """The lead of a row, its `ruling` 0 where none begins; read loosely, so that a newer kind of head is found too.

    Raises VerificationFailed, which names the ruling `number` to which the row belongs.
    """
    try:
        lead = _lead(state)
        bytes.fromhex(lead.salt)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        raise VerificationFailed(
            f"Ruling {number} is not what was written: its row {version}, of the kind {topic}, cannot be read."
        ) from None
    return lead if lead.seal else Lead(salt=lead.salt, visibility=lead.visibility)


class Part(Struct, frozen=True):
    """One ruling with its rows and its seal; `lead` is None where its head is hidden."""

    number: int
    rows: Sequence[Shipped]
    lead: Lead | None

    @property
    def seal(self) -> str:
        """The seal that it has, right or wrong."""
        return self.lead.seal if self.lead else self.rows[0].seal

    def hashed(self) -> Iterator[tuple[Shipped, Lead, bytes]]:
        """Every row with its hash, and with the lead of the head or re-judgement that it stands under."""
        lead = self.lead or Lead()
        for row in self.rows:
            if is_rejudgement(row.topic):
                lead = lead_of(row.topic, row.state, row.version, self.number)
            state = unsealed(row.state) if row.ruling else row.state
            yield row, lead, row.hash or row_hash(row.version, row.topic, state, salt_of(lead.salt, row.version))


def shipped(rows: Sequence[tuple[int, str, bytes]]) -> list[Shipped]:
    """Stored rows, each with the number of the ruling that begins with it."""
    found: list[Shipped] = []
    number = 0
    for version, topic, state in rows:
        if not isinstance(state, bytes) or not isinstance(topic, str):
            # SQLite keeps whatever another program puts there.
            raise VerificationFailed(
                f"Ruling {number + _begins(topic)} is not what was written: its row {version} is of another type."
            )
        begins = _begins(topic)
        ruling = lead_of(topic, state, version, number + begins).ruling if begins or _may_lead(state) else 0
        if begins and not ruling:
            raise VerificationFailed(
                f"Ruling {number + 1} is not what was written: its row {version} begins it without a number or a seal."
            )
        number = ruling or number
        found.append(Shipped(version, ruling, topic, state))
    return found


def _may_lead(state: bytes) -> bool:
    """False where there is no seal in a row, which most are; then nobody has to read it for one."""
    return b"seal" in state or b"\\" in state


def _begins(topic: object) -> bool:
    """True if a ruling begins with a row of that topic, as far as this program knows."""
    try:
        return isinstance(topic, str) and is_head(topic)
    except StoreUnusable:
        return False


def parts_of(rows: Sequence[Shipped]) -> Iterator[Part]:
    """The rulings; raises VerificationFailed where a row or a ruling is missing, too many, or out of its place."""
    starts = [at for at, row in enumerate(rows) if row.ruling]
    for at, row in enumerate(rows):
        if row.version != at + 1:
            ruling = sum(1 for start in starts if start < at)
            raise VerificationFailed(
                f"Row {row.version} stands where row {at + 1} belongs, in or behind ruling {ruling}."
            )
    if starts[:1] != [0]:
        raise VerificationFailed("The log does not begin with the head of ruling 1.")
    for number, (start, end) in enumerate(pairwise([*starts, len(rows)]), start=1):
        head = rows[start]
        lead = None if head.hash else lead_of(head.topic, head.state, head.version, number)
        if number != head.ruling or (lead and number != lead.ruling):
            found = lead.ruling if lead else head.ruling
            raise VerificationFailed(f"Ruling {found} stands where ruling {number} belongs.")
        rest = rows[start + 1 : end]
        if any(_may_lead(row.state) and lead_of(row.topic, row.state, row.version, number).ruling for row in rest):
            raise VerificationFailed(f"In ruling {number} another one begins without saying so.")
        yield Part(number, rows[start:end], lead)


def chain(parts: Sequence[Part]) -> list[str]:
    """The seal of every ruling; raises VerificationFailed for the first ruling that is not what was sealed."""
    seal = FIRST_SEAL
    for part in parts:
        seal = chained(seal, (found for _, _, found in part.hashed()))
        if part.seal != seal:
            raise VerificationFailed(f"Ruling {part.number} is not what was sealed.")
    return [part.seal for part in parts]
