"""The check that a log is as it was written: its seals, its numbers, its story and every drawn die."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from mam_events.deserializer import check_duplicate_fields
from mam_events.errors import BadInput, MamError, Refused, StoreUnusable, VerificationFailed
from mam_events.events import Branch, EncounterOpened, Event, RulesChanged, event_kind
from mam_events.history.timeline.entries import StoredRow
from mam_events.refusals.arguments import TextArgument
from mam_events.sanitize import is_clean_state
from mam_events.store import decode, decode_rows
from mam_events.verification.dice_checks import DrawnDice, revealed_in
from mam_events.verification.export_format import Export, ExportRow, in_written_form, read_lines
from mam_events.verification.head_checks import check_heads
from mam_events.verification.partial_export_checks import check_unverifiable
from mam_events.verification.ruleset_checks import check_pinned
from mam_events.verification.seal_chain import RulingRows, chain, parts_of, with_ruling_numbers
from mam_events.verification.timeline_checks import check_story
from mam_events.visibility import GAME_MASTER

if TYPE_CHECKING:
    from mam_events.rules.rulebook import Rulebook
    from mam_events.store.persistence import EventRecorder


class Verification(Struct, frozen=True):
    """The result of a successful verification: `seal` covers the whole log; it is the one to write down.

    `rows` are the visible ones; `hidden` counts the rulings, and outcomes of rulings, with only a hash.

    The opening `committed` to a seed of the dice. `drawn` dice were drawn. `proven` of them were recomputed from the
    seed that a closed encounter has `revealed`; if its store had no seed, it is `closed` without that. `salted` ones
    were also recomputed, which proves nothing, because no commitment covers a salt. `before` counts the unproven ones
    drawn before the newest commitment: in the fight `parent` that a branch left, or ("") elsewhere.

    From ruling `partial_from` on (0: nowhere) points and names depend on hidden rows: they are not added up, but
    compared with the visible ones. `on_trust` has a sentence for everything that only hidden rows explain.
    """

    rulings: int
    rows: int
    seal: str
    hidden: int = 0
    drawn: int = 0
    proven: int = 0
    salted: int = 0
    revealed: bool = False
    closed: bool = False
    committed: bool = False
    before: int = 0
    parent: str = ""
    partial_from: int = 0
    on_trust: tuple[str, ...] = ()


def verify(
    rows: Sequence[tuple[int, str, bytes]],
    *,
    seals: Collection[str] = (),
    seed: bytes | None = None,
    rules: Rulebook | None = None,
    revealed: Collection[bytes] = (),
) -> Verification:
    """Check the rows of an encounter; for each seal in `seals`, written down earlier, a ruling must have it.

    `seed` is the secret in the store for its dice: it must match a commitment. `rules` is the rulebook of the log, if
    not the one that comes with the program. `revealed` are the seeds revealed by the fights that this one left
    (`revealed_elsewhere`).

    Only what a noted seal covers is trusted: anyone who can write to the store can seal changed rows again. Raises
    VerificationFailed naming the first ruling that fails, StoreUnusable if another version wrote the log, BadInput for
    an invalid seal.
    """
    return _verified(with_ruling_numbers(rows), seals, seed, rules, revealed)


def revealed_elsewhere(recorder: EventRecorder, rows: Sequence[tuple[int, str, bytes]]) -> list[bytes]:
    """Return the seeds revealed by now in those fights of the store that these rows left."""
    seeds: list[bytes] = []
    # Ignore logs that can't be read: their own verification reports that.
    with suppress(MamError):
        branches = [decode(topic, state) for _, topic, state in rows if event_kind(topic) is Branch]
        for parent in sorted({head.parent for head in branches if isinstance(head, Branch)} - {""}):
            seeds += revealed_in(recorder.select_rows(parent))
    return seeds


def check_strays(recorder: EventRecorder) -> None:
    """Raise VerificationFailed for rows and seeds of no encounter, which no reader would notice."""
    if strays := recorder.strays():
        raise VerificationFailed(
            f"The log has entries that belong to no fight: {', '.join(strays)}. "
            "It was damaged, or another program changed it. Each intact fight can still be exported by itself."
        )


def verify_export(lines: Iterable[bytes]) -> Verification:
    """Check the lines of an export in the same way, even if it hides rows."""
    return verify_read(read_lines(lines, "export"))


def stored_rows(export: Export, *, name: str = "export") -> list[StoredRow]:
    """Return the rows of an export as a store keeps them; refuse with `partial_export` if it hides any."""
    if export.header.view != GAME_MASTER or _hides(export.rows):
        raise Refused("partial_export", export=TextArgument(name))
    return _kept(export.rows)


def _kept(rows: Sequence[ExportRow]) -> list[StoredRow]:
    return [(row.version, row.topic, row.state) for row in rows]


def verify_read(
    export: Export, *, seals: Collection[str] = (), name: str = "export", rules: Rulebook | None = None
) -> Verification:
    """Check an export that was read; `seals` and `rules` as in `verify`.

    Raises BadInput if only the form of its lines was changed, but not their contents.
    """
    try:
        verification = _verified(export.rows, seals, rules=rules)
    except VerificationFailed:
        if not _is_only_reformatted(export, seals, rules):
            raise
        verification = None
    if verification is None or export.reformatted:
        raise BadInput(
            "This was reformatted, as by an editor. Seals cover every space and the order of fields, so export the "
            "fight again.",
            place=export.reformatted or name,
        )
    if not verification.seal == export.header.seal == export.end_seal:
        raise VerificationFailed(
            f"The first line, the last line and the last ruling of {name} must have the same seal, but one differs."
        )
    if export.header.rulings != verification.rulings:
        raise VerificationFailed(
            f"{name} has {verification.rulings} rulings, but its first line says {export.header.rulings}."
        )
    if export.header.view == GAME_MASTER and _hides(export.rows):
        raise VerificationFailed(f"{name} hides some rows, but its first line says that it hides none.")
    return verification


def _is_only_reformatted(export: Export, seals: Collection[str], rules: Rulebook | None) -> bool:
    """Return True for an export that verifies once its rows have the form in which this program writes them."""
    with suppress(MamError):
        rows = in_written_form(export.rows)
        if rows != export.rows:
            _verified(rows, seals, rules=rules)
            return True
    return False


def _hides(rows: Sequence[ExportRow]) -> bool:
    return any(row.hash or row.rest for row in rows)


def _verified(
    rows: Sequence[ExportRow],
    noted_seals: Collection[str],
    seed: bytes | None = None,
    rules: Rulebook | None = None,
    revealed: Collection[bytes] = (),
) -> Verification:
    if not rows:
        raise VerificationFailed("This encounter is empty, but an encounter has at least its opening.")
    parts = list(parts_of(rows))
    seals = chain(parts)
    for seal in noted_seals:
        _check_noted(seal, seals)
    hidden = sum(1 for row in rows if row.hash)
    decoded = [[None if row.hash else _decoded(row) for row in part.rows] for part in parts]
    check_heads(parts, decoded)
    _check_rows(parts, decoded, rules)
    # Everything before the first hidden ruling is a complete log.
    end = next((at for at, part in enumerate(parts) if part.rest or _hides(part.rows)), len(parts))
    if end:
        check_story([row for part in parts[:end] for row in _kept(part.rows)], parts[:end], decoded[:end])
    partial = end < len(parts)
    dice = DrawnDice(parts, decoded, revealed)
    parents = [events[0].parent for events in decoded if isinstance(events[0], Branch)]
    if seed is not None:
        dice.check(seed)
    return Verification(
        rulings=len(parts),
        rows=sum(len(part.rows) for part in parts) - hidden,
        seal=seals[-1],
        hidden=hidden,
        drawn=dice.drawn,
        proven=dice.proven,
        salted=dice.salted,
        revealed=dice.is_revealed,
        closed=dice.is_closed,
        committed=dice.is_committed,
        before=dice.before,
        parent=parents[-1] if parents else "",
        partial_from=end + 1 if partial else 0,
        on_trust=check_unverifiable(parts, decoded, end + 1) if partial else (),
    )


def explain_fault(rows: Sequence[tuple[int, str, bytes]], fault: Exception) -> MamError:
    """Return the error for rows that make no timeline.

    It claims a change only if the seals prove one.
    """
    try:
        chain(list(parts_of(with_ruling_numbers(rows))))
        decode_rows(rows)
    except MamError as found:
        return found
    return StoreUnusable(
        f"All seals of this log are right, but this program cannot read it ({type(fault).__name__}: {fault}). "
        "Another version wrote it, or somebody changed it and sealed it again."
    )


def _check_noted(noted_seal: str, seals: Sequence[str]) -> None:
    seal = noted_seal.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", seal):
        raise BadInput("This is no seal: a seal has 64 hexadecimal digits.", place="seal")
    if seal not in seals:
        raise VerificationFailed(
            "No ruling of this log has the noted seal. The end of the log was cut off, its past was rewritten, or the "
            "seal is from another encounter."
        )


def _decoded(row: ExportRow) -> Event:
    try:
        return decode(row.topic, row.state)
    except (ValueError, RecursionError) as error:
        raise StoreUnusable.unreadable(f"Row {row.version}, of the kind {row.topic},", error) from None


def _check_rows(parts: Sequence[RulingRows], decoded: Sequence[Sequence[Event | None]], rules: Rulebook | None) -> None:
    """Check that every text is clean, no field is duplicate, and pinned rules are unchanged."""
    from mam_events.rules.rulebook import rulebook  # noqa: PLC0415 - half of the start of a process

    for part, events in zip(parts, decoded, strict=True):
        for row, event in zip(part.rows, events, strict=True):
            if event is None:
                continue
            if not is_clean_state(row.state):
                raise VerificationFailed(
                    f"Row {row.version} (ruling {part.number}) holds control characters. "
                    "This program never writes that."
                )
            try:
                check_duplicate_fields(row.state)
            except BadInput:
                raise VerificationFailed(
                    f"Row {row.version} (ruling {part.number}) names a field twice. This program never writes that."
                ) from None
            if isinstance(event, EncounterOpened | RulesChanged):
                check_pinned(part.number, row.state, event.ruleset, rules or rulebook())
